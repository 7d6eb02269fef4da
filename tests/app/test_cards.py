"""The drawn cards: size, readable index, and states that differ without colour."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.binding import BindingsMap
from textual.color import Color
from textual.theme import Theme

from app.home.decks import COLOUR_BLIND_SAFE, FOUR_COLOURS
from app.match.seating import plan_table
from app.ui.layout.card_art import (
    COMPACT,
    LARGE,
    NARROWEST_STEPS,
    NORMAL,
    PLAIN,
    SIZES,
    CardSize,
    CardState,
    Row,
    back_rows,
    band,
    card_rows,
    place_rows,
)
from app.ui.layout.faces import faces_of
from app.ui.screens.play import PlayScreen
from app.ui.screens.table_keys import place_keys, with_card_keys
from app.ui.suit_colours import paper_variables
from app.ui.tables import table_class
from app.ui.themes import THEMES
from engine.games import euchre, fodinha, notty, truco
from tests.app.driving import make_app, table_of, to_question

FACES = [
    face
    for pack in (fodinha.PACK, truco.PACK, notty.PACK)
    for face in dict.fromkeys(faces_of(pack))
]
STATES = {
    "plain": CardState(key="1", offered=True),
    "chosen": CardState(key="1", offered=True, chosen=True),
    "marked": CardState(key="1", offered=True, marked=True),
    "chosen and marked": CardState(key="1", offered=True, chosen=True, marked=True),
    "illegal": CardState(key="1", illegal=True),
    "trump": CardState(key="1", offered=True, trump=True),
    "winning": CardState(key="1", offered=True, winning=True),
    "cancelled": CardState(key="1", offered=True, cancelled=True),
    "fresh": CardState(key="1", offered=True, fresh=True),
}
KING = faces_of(euchre.PACK)[euchre.PACK.card("KS")]


def text_of_rows(rows: Sequence[Row]) -> list[str]:
    return ["".join([text for text, _ in row]) for row in rows]


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_every_card_fills_its_size(size: CardSize, ascii_only: bool) -> None:
    drawn = [
        card_rows(face, size, state, ascii_only) for face in FACES for state in STATES.values()
    ]
    for rows in (*drawn, back_rows(size, False, ascii_only), place_rows(size, ascii_only)):
        lines = text_of_rows(rows)
        assert len(lines) == size.height
        assert {cell_len(line) for line in lines} == {size.width}
        assert not ascii_only or all(line.isascii() for line in lines)


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_index_stays_readable_in_a_fan(size: CardSize, ascii_only: bool) -> None:
    """Rank, sign and key are in the part that the next card leaves free."""
    for face in FACES:
        state = CardState(key="7", offered=True, covers=True, covered=True)
        step = NARROWEST_STEPS[size]
        part = [line[:step] for line in text_of_rows(card_rows(face, size, state, ascii_only))]
        visible = "".join(part)
        assert face.rank in visible
        assert (face.letter if ascii_only else face.symbol or face.sign) in visible
        assert "7" in part[-1]


@pytest.mark.parametrize("label", ["left bower", "pieza"])
@pytest.mark.parametrize("size", SIZES)
def test_plain_cards_show_code_label_and_trump(size: CardSize, label: str) -> None:
    for face in FACES:
        state = CardState(key="7", offered=True, trump=True, label=label)
        text = "\n".join(text_of_rows(card_rows(face, size, state, ascii_only=True)))
        assert face.code in text
        assert "*" in text
        assert (label[0].upper() if size == COMPACT else label.split()[0]) in text


@pytest.mark.parametrize("label", ["left bower", "pieza"])
@pytest.mark.parametrize("size", SIZES)
def test_label_key_and_index_do_not_cover_each_other(size: CardSize, label: str) -> None:
    state = CardState(key="7", offered=True, trump=True, label=label)
    for face in [face for face in FACES if not face.ground]:
        rows = text_of_rows(card_rows(face, size, state))
        assert (label[0].upper() if size == COMPACT else label.split()[0]) in "\n".join(rows)
        assert " 7 " in rows[-1]
        assert size == COMPACT or face.rank in rows[-1]
        assert face.rank in rows[0]


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("one", "other"), list(combinations(STATES, 2)))
def test_states_differ_without_colour(
    size: CardSize, one: str, other: str, ascii_only: bool
) -> None:
    def seen(state: CardState) -> tuple[object, ...]:
        rows = card_rows(KING, size, state, ascii_only)
        return state.raised, text_of_rows(rows), band(state, size.width, ascii_only)[0]

    assert seen(STATES[one]) != seen(STATES[other])


def test_court_cards_have_pictures_and_others_pips() -> None:
    ten = next(face for face in FACES if face.code == "10H")
    assert "".join(text_of_rows(card_rows(ten, LARGE, PLAIN))).count("♥") == 10 + 2
    assert any("♚" in line for line in text_of_rows(card_rows(KING, NORMAL, PLAIN)))


# Colour blindness

_MATRICES = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""Machado, Oliveira and Fernandes 2009, severity 1."""


def seen_by(kind: str, colour: str) -> tuple[float, float, float]:
    """The colour in CIELAB as that eye sees it."""
    linear = [part**2.2 for part in Color.parse(colour).normalized]
    mixed = [sum(a * b for a, b in zip(row, linear, strict=True)) for row in _MATRICES[kind]]
    red, green, blue = [min(1.0, max(0.0, part)) for part in mixed]
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    a, b, c = [
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)
    ]
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


def distance(kind: str, one: str, other: str) -> float:
    pairs = zip(seen_by(kind, one), seen_by(kind, other), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("kind", _MATRICES)
def test_colour_blind_eyes_tell_states_and_suits_apart(kind: str, theme: Theme) -> None:
    """Legal cards, illegal ones and the felt; chosen and marked ones; the suits on each of them.
    A distance of 2 can just be seen."""
    colours = theme.variables
    for one, other in combinations(("paper", "paper-dim", "felt"), 2):
        assert distance(kind, colours[one], colours[other]) > 8
    for one, other in combinations(("win", "mark", "paper", "felt"), 2):
        assert distance(kind, colours[one], colours[other]) > 14
    for deck in (FOUR_COLOURS, COLOUR_BLIND_SAFE):
        inks = paper_variables(deck, colours["paper"], colours["paper-dim"])
        for ground in ("paper", "dim"):
            suits = [inks[f"{ground}-{suit}"] for suit in ("black", "hearts", "diamonds", "clubs")]
            for one, other in combinations(suits, 2):
                assert distance(kind, one, other) > 10


# Keys


@pytest.mark.parametrize(
    ("chosen", "shown"),
    [
        ({"table.why": "f"}, {11: "j"}),
        ({"table.why": "2"}, {2: "f", 11: "j"}),
        ({"table.place-3": "Z", "table.rules": "f"}, {3: "Z", 11: "j"}),
        ({"notty.group": "j"}, {11: "f", 12: "m"}),
    ],
)
def test_cards_never_share_a_key_with_a_chosen_one(
    chosen: dict[str, str], shown: dict[int, str]
) -> None:
    table = table_class("notty")
    replaced = {binding.id for binding in table.bindings}
    others = [each for _, each in BindingsMap(PlayScreen.BINDINGS) if each.id not in replaced]
    bindings = [*table.bindings, *others]
    found = with_card_keys(bindings, chosen)
    keys = place_keys(found, chosen)
    found.apply_keymap(chosen)
    assert {number: keys[number - 1] for number in shown} == shown
    assert len(set(keys)) == len(keys) >= 20
    for number, key in enumerate(keys, 1):
        assert [each.action for each in found.key_to_bindings[key]] == [f"place({number})"]
    for name, key in chosen.items():
        assert [each.id for each in found.key_to_bindings[key]] == [name]


@pytest.mark.parametrize("game", ["euchre", "smear", "truco", "fodinha", "notty"])
async def test_every_card_has_a_key_of_its_own(tmp_path: Path, game: str) -> None:
    app = make_app(tmp_path, plan_table(game, delay=0.0, seed=5))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        table = table_of(app)
        keys = list(table.card_keys)
        assert keys[:10] == list("1234567890")
        assert len(keys) >= 20
        assert len(set(keys)) == len(keys)
        for number, key in enumerate(keys, 1):
            (binding,) = table._bindings.key_to_bindings[key]
            assert binding.action == f"place({number})"
