"""How many points a base with slips is worth, for each of several temperatures.

`python -m tests.bench.levels GAME BASE MATCHES TEMPERATURE…` plays against `hard` on tuning deals,
in every seating. A base may be `search/8`, for eight worlds. The temperatures of the rosters
(`agents/<game>/__init__.py`) were read off such lists.
"""

import sys
from time import process_time

from agents.evaluation.arena import line_ups
from agents.evaluation.rating_fit import fit
from agents.evaluation.series import Conditions, Prepared, play_matches
from agents.level_player import LevelPlayer
from agents.parallel.parts import Shared
from agents.registry import make
from agents.search.agent import Budget
from agents.seeds import Purpose

_PLAYER = "level"
_RIVAL = "hard"


def points(game: str, base: str, matches: int, temperature: float) -> str:
    """The points of one temperature with an interval, and the seconds of each match."""
    conditions = Conditions(seed=5, purpose=Purpose.TUNING)
    name, _, worlds = base.partition("/")
    agent = make(game, name, budget=Budget(int(worlds)) if worlds else None)
    known = conditions.prepared_agents(game, [_RIVAL])
    known[_PLAYER] = Prepared.of(LevelPlayer(_PLAYER, agent, temperature))
    sides = conditions.sides(game)
    deals: dict[int, dict[tuple[str, ...], list[float]]] = {}
    started, met = process_time(), line_ups(_PLAYER, _RIVAL, sides)
    for names in met:
        series = Shared(conditions.series(game, names, known))
        for outcome in play_matches(series, 0, matches // len(met))[0]:
            seated = tuple([names[at] for at in outcome.seating])
            won = deals.setdefault(outcome.deal, {}).setdefault(seated, [0.0] * sides)
            won[:] = [old + new for old, new in zip(won, outcome.shares, strict=True)]
    found = fit(list(deals.values()), _RIVAL, uneven=sides == 2 and game == "euchre")
    rating = found.ratings[_PLAYER]
    seconds = (process_time() - started) / matches
    return f"{rating.points:.0f} ({rating.low:.0f} to {rating.high:.0f}), {seconds:.3f} s"


if __name__ == "__main__":
    for each in sys.argv[4:]:
        line = points(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(each))
        print(*sys.argv[1:3], each, line, flush=True)
