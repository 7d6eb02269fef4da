"""Widgets that repaint only the rows that have changed, and pictures in parts of cells."""

from itertools import pairwise

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.geometry import Region

from app.ui.layout.card_art import HUGE, LARGE, NORMAL, CardState, Row, card_rows
from app.ui.layout.faces import SPANISH_SYMBOLS, SUIT_SIGNS, french_face, spanish_face
from app.ui.layout.sprites import (
    SIGN_COLUMNS,
    block_cell,
    court_cells,
    large_number,
    picture_of,
    sign_cells,
)
from app.ui.widgets.drawn import Drawn, pieces_of


class Lines(Drawn):
    """Shows the given lines."""

    DEFAULT_CSS = "Lines { width: 6; height: 3; }"

    def __init__(self) -> None:
        super().__init__()
        self.texts = ["first", "second", "third"]
        self.refreshed: list[Region] = []

    def draw(self) -> list[Row]:
        return [((f"{text:<6}", "bold"),) for text in self.texts]

    def refresh(self, *regions: Region, **how: bool) -> "Lines":  # type: ignore[override]
        self.refreshed += regions
        super().refresh(*regions, **how)
        return self


class LinesApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Lines()


async def test_only_changed_rows_are_refreshed() -> None:
    app = LinesApp()
    async with app.run_test() as pilot:
        lines = app.query_one(Lines)
        await pilot.pause()
        assert [lines.render_line(y).text for y in range(3)] == ["first ", "second", "third "]
        lines.refreshed.clear()
        lines.repaint()
        assert lines.refreshed == []
        lines.texts = ["first", "other", "third"]
        lines.repaint()
        assert lines.refreshed == [Region(0, 1, 6, 1)]
        assert lines.render_line(1).text == "other "


async def test_a_new_size_is_drawn_whole() -> None:
    app = LinesApp()
    async with app.run_test() as pilot:
        lines = app.query_one(Lines)
        await pilot.pause()
        lines.texts = ["first", "second", "third", "fourth"]
        lines.styles.height = 4
        await pilot.pause()
        assert lines.render_line(3).text == "fourth"


def test_pieces_keep_their_styles() -> None:
    line = Content.assemble("You drew ", ("B9", "bold red"), ".")
    assert pieces_of(line) == (("You drew ", ""), ("B9", "bold red"), (".", ""))


@pytest.mark.parametrize("rows", SIGN_COLUMNS)
@pytest.mark.parametrize("signs", [SUIT_SIGNS, SPANISH_SYMBOLS])
def test_pictures_of_suits_differ(signs: tuple[str, ...], rows: int) -> None:
    pictures = {picture_of(sign, rows) for sign in signs}
    assert len(pictures) == len(signs)
    assert all(picture is not None and len(picture) == rows for picture in pictures)


def test_numbers_and_letters_have_pictures() -> None:
    ranks = ("A", "K", "Q", "J", "10", *[str(number) for number in range(10)])
    assert len({picture_of(rank, 3) for rank in ranks}) == len(ranks)
    assert picture_of("?", 3) is None
    assert {len(row) for row in large_number("-10")} == {11}


def test_blocks_leave_no_line_free_inside_a_picture() -> None:
    """Fonts may not fill the top of a cell: below an inked dot the ink is the ground of a cell."""
    heart = sign_cells("♥", 7, 5)
    for above, row in pairwise(heart):
        for (upper, _), block in zip(above, row, strict=True):
            if upper == "█" and block[0] != " ":
                assert block_cell(block, "$ink", "$ground")[1].endswith("on $ink")


@pytest.mark.parametrize("size", [LARGE, HUGE])
def test_courts_differ_and_fit(size: tuple[int, int]) -> None:
    courts = [court_cells(name, size == LARGE) for name in ("crown", "coronet", "cap", "horse")]
    assert len(set(courts)) == len(courts)
    for court in courts:
        assert len(court) <= size[1] - 2
        assert {len(row) for row in court} == {len(court[0])}
        assert len(court[0]) <= size[0] - 2


@pytest.mark.parametrize("size", [NORMAL, LARGE, HUGE])
@pytest.mark.parametrize("state", [CardState(), CardState(illegal=True, key="3", label="pieza")])
def test_every_row_of_a_card_has_its_width(size: tuple[int, int], state: CardState) -> None:
    faces = [french_face(f"{rank}H") for rank in ("A", "2", "7", "9", "10", "J", "Q", "K")]
    faces += [spanish_face(f"{number}B") for number in (1, 2, 7, 10, 11, 12)]
    for face in faces:
        rows = card_rows(face, size, state)
        assert len(rows) == size[1]
        assert {sum([len(text) for text, _ in row]) for row in rows} == {size[0]}
