"""The points of agents on the ladder of the fixture `round_ladder`."""

from typing import Final

from agents.roster import LEVEL_NAMES

POINTS: Final = {
    "random": 700,
    "easy": 1200,
    **{name: 1250 + 50 * at for at, name in enumerate(LEVEL_NAMES)},
    "hard": 1460,
    "q": 1330,
    "search": 1600,
}
