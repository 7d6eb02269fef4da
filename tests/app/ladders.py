"""A ladder with round numbers, so that tests and pictures do not depend on the measured one."""

import pytest

from agents.evaluation import ratings
from agents.roster import LEVEL_NAMES
from engine import GAMES
from engine.manifest import VARIANTS

POINTS = {
    "random": 700,
    "easy": 1200,
    **{name: 1250 + 50 * at for at, name in enumerate(LEVEL_NAMES)},
    "hard": 1460,
    "q": 1330,
    "search": 1600,
}


@pytest.fixture
def round_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = {name: [points, points - 20, points + 20, 400] for name, points in POINTS.items()}
    ladders = {game: {"advantages": [0], "agents": agents} for game in [*GAMES, *VARIANTS]}
    monkeypatch.setattr(ratings, "_read", lambda: ladders)
