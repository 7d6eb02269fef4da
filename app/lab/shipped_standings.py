"""The strength of the agents as they come with the program, for the first visit to the Lab.

A learner whose file has a learning curve is not in the list: its curve says how well it plays.
Neither is `search`, which takes seconds for a match: people evaluate it in the Lab.

`python -m app.lab.shipped_standings [SECONDS]` measures what is missing and writes the file. It
stops after about so many seconds; the next call continues.
"""

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final

from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import Conditions
from agents.registry import agents_for
from agents.storage.files import write_atomic
from agents.storage.store import read_log, shipped
from app.records.history import Standing
from engine import GAMES

RIVALS: Final = ("random", "hard")
"""The list of the Lab shows the win rates against these."""

_FILE: Final = Path(__file__).with_name("standings.json")
_MATCHES: Final = 100
_SLOW: Final = "search"

Standings = dict[str, dict[str, dict[str, list[float]]]]
"""Win rate, low, high and matches by game, agent and rival."""


@cache
def _read() -> Standings:
    try:
        found: Standings = json.loads(_FILE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def shipped_standing(game: str, agent: str, rival: str) -> Standing | None:
    """The measured win rate of a shipped agent, if it is in the list."""
    found = _read().get(game, {}).get(agent, {}).get(rival)
    if found is None:
        return None
    win_rate, low, high, games = found
    return Standing(win_rate, low, high, int(games))


def _wanted() -> Iterator[tuple[str, str, str]]:
    """The games, agents and rivals whose results are not in the files of learners."""
    for game in GAMES:
        for agent in agents_for(game):
            if agent == _SLOW:
                continue
            log = read_log(shipped(game, agent))
            if log is None or not log.points:
                yield from [
                    (game, agent, rival)
                    for rival in RIVALS
                    if rival != agent and rival in agents_for(game)
                ]


def measure(seconds: float) -> int:
    """Measure what is missing, and write the file. Return how many results are still missing."""
    until = monotonic() + seconds
    standings = _read()
    missing = [
        (game, agent, rival)
        for game, agent, rival in _wanted()
        if rival not in standings.get(game, {}).get(agent, {})
    ]
    while missing and monotonic() < until:
        game, agent, rival = missing.pop(0)
        conditions = Conditions(0)
        names = [agent, *[rival] * (conditions.sides(game) - 1)]
        report = evaluate(game, names, _MATCHES, conditions)
        entry = report["agents"][0]  # type: ignore[index]
        result = [entry["win_rate"], *entry["ci95"], entry["games"]]
        standings.setdefault(game, {}).setdefault(agent, {})[rival] = result
        text = json.dumps(standings, indent=1, sort_keys=True) + "\n"
        write_atomic(_FILE, text.encode(), private=False)
    return len(missing)


if __name__ == "__main__":
    print(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 240.0), "results are missing")
