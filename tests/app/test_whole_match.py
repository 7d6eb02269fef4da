"""Whole matches in windows of four sizes: no text is cut off and nothing overlaps."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from textual.geometry import Region

from app.match.seating import plan_table
from app.ui.app import KibitzApp
from app.ui.layout.boxes import Box
from app.ui.widgets.choices import Choices
from app.ui.widgets.felt import Felt
from app.ui.widgets.hand import Hand
from app.ui.widgets.prompt import Prompt
from app.ui.widgets.status import Status
from tests.app.driving import (
    at_table,
    is_over,
    make_app,
    moment_of,
    table_of,
    text_of,
    to_question,
)
from tests.app.layouts import clipped, overlapping
from tests.app.test_felt import assert_free, is_inside

SIZES = ((60, 20), (80, 24), (120, 40), (200, 50))
TABLES: dict[str, tuple[int, dict[str, int]]] = {
    "euchre": (3, {}),
    "smear": (4, {}),
    "truco": (2, {}),
    "truco_full": (4, {"players": 4}),
    "fodinha": (4, {}),
    "notty": (2, {"turn_limit": 30}),
}
"""For each game its seats and options."""

SHORT: dict[str, tuple[int, dict[str, int]]] = {
    "truco": (2, {"target": 2}),
    "truco_full": (4, {"players": 4, "target": 4}),
    "fodinha": (4, {"lives": 1}),
}
"""The same for matches that are over soon."""


def plans() -> Iterator[object]:
    """A short match of two games in the windows that most people have; the rest is slow."""
    for game, table in SHORT.items():
        yield pytest.param(game, table, (80, 24), id=f"{game}-short-80x24")
    for game, table in TABLES.items():
        for size in SIZES:
            name = f"{game}-{size[0]}x{size[1]}"
            yield pytest.param(game, table, size, id=name, marks=pytest.mark.slow)


@pytest.mark.parametrize(("game", "table", "size"), list(plans()))
async def test_nothing_is_cut_off_through_a_match(
    game: str, table: tuple[int, dict[str, int]], size: tuple[int, int], tmp_path: Path
) -> None:
    seats, options = table
    rng = Random(4711)
    plan = plan_table(game, ["you", *["random"] * (seats - 1)], options, delay=0.0, seed=4711)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=size) as pilot:
        while not (at_table(app) and is_over(app)):
            await to_question(pilot, app)
            await pilot.pause()
            assert flaws(app) == [], text_of(app)
            loop, moment = table_of(app).loop, moment_of(app)
            assert loop is not None
            if moment.legal:
                loop.choose(rng.choice(moment.legal))
            else:
                loop.acknowledge()


def flaws(app: KibitzApp) -> list[str]:
    """What is cut off or overlaps on the table."""
    screen = app.screen
    felt, hand = screen.query_one(Felt), screen.query_one(Hand)
    prompt, choices = screen.query_one(Prompt), screen.query_one(Choices)
    found = [line for line in text_of(app).splitlines() if "…" in line]
    found += overlapping(app) + clipped(app)
    found += [line for line in str(screen.query_one(Status).render()).splitlines()
              if len(line) > app.size.width]  # fmt: skip
    assert_free(felt.plan()[0], *felt.size)
    if " ".join(prompt.text.split()) != " ".join(_text_in(app, prompt.region).split()):
        found.append(f"the question: {prompt.text}")
    ground = Box(0, 0, *hand.size)
    found += [f"card {place}" for place in range(len(hand.cards))
              if not is_inside(hand._box(place), ground)]  # fmt: skip
    for left, top, text in choices._layout(choices.size.width):
        if not is_inside(Box(left, top, len(text), 1), Box(0, 0, *choices.size)):
            found.append(f"the choice {text}")
    return found


def _text_in(app: KibitzApp, region: Region) -> str:
    """The characters in a part of the screen, line by line."""
    lines = text_of(app).splitlines()[region.y : region.bottom]
    return "\n".join([line[region.x : region.right] for line in lines])
