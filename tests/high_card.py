"""High Card as a sixth game, offered through its manifest row while a test runs."""

from collections.abc import Iterator

import pytest

from engine.games import register, unregister
from engine.manifest import GAME_ROWS, GameRow

ROW = GameRow(
    "high_card",
    "High Card",
    "Five cards each, and the higher card takes the trick.",
    rules="docs.high_card:GAME",
    table="docs.high_card_table:TABLE",
    page="docs:high_card.md",
)


@pytest.fixture
def high_card() -> Iterator[str]:
    if ROW.name in GAME_ROWS:  # where it has been added permanently
        yield ROW.name
        return
    register(ROW)
    yield ROW.name
    unregister(ROW.name)
