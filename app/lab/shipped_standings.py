"""The strength of the agents as they come with the program, for the first visit to the Lab.

A learner whose file has a learning curve is not in the list: its curve says how well it plays.

`python -m app.lab.shipped_standings [SECONDS]` (`make standings`) measures what is missing and
writes the file. It stops after about so many seconds; the next call continues with the next match.
To measure an agent again, delete its entry.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import astuple
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final

from agents.evaluation.series import Conditions, Outcome, play_matches, summarize
from agents.parallel.parts import Shared
from agents.registry import agents_for, follows_another
from agents.storage.files import write_atomic
from agents.storage.store import read_log, shipped
from app.home.output import say
from app.records.history import Standing
from engine import GAMES

RIVALS: Final = ("random", "hard")
"""The list of the Lab shows the win rates against these."""

_FILE: Final = Path(__file__).with_name("standings.json")
_MATCHES: Final = 100
_FEWER: Final = {"search": 64}
"""Matches of agents that take seconds for each."""

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
            if follows_another(game, agent):
                continue  # A level or a style has a rating.
            log = read_log(shipped(game, agent))
            if log is None or not log.points:
                yield from [
                    (game, agent, rival)
                    for rival in RIVALS
                    if rival != agent and rival in agents_for(game)
                ]


def measure(until: float, begun: Path) -> int:
    """Measure what is missing, and write the file. Return how many results are still missing.

    until   a time of the monotonic clock
    begun   a folder for the matches of a result that is not complete yet
    """
    standings = _read()
    missing = [
        (game, agent, rival)
        for game, agent, rival in _wanted()
        if rival not in standings.get(game, {}).get(agent, {})
    ]
    while missing:
        game, agent, rival = missing[0]
        outcomes = _outcomes(game, agent, rival, until, begun / f"{game}.{agent}.{rival}.json")
        if len(outcomes) < _FEWER.get(agent, _MATCHES):
            break
        entry = summarize(agent, 0, outcomes)
        result = [entry["win_rate"], *entry["ci95"], entry["games"]]
        standings.setdefault(game, {}).setdefault(agent, {})[rival] = result
        text = json.dumps(standings, indent=1, sort_keys=True) + "\n"
        write_atomic(_FILE, text.encode(), private=False)
        missing.pop(0)
    return len(missing)


def _outcomes(game: str, agent: str, rival: str, until: float, begun: Path) -> list[Outcome]:
    """The outcomes of a series with this agent first, as many as were played until then. The same
    ones as those of `kibitz evaluate` with seed 0."""
    played = json.loads(begun.read_text(encoding="utf-8")) if begun.exists() else []
    conditions = Conditions(0)
    names = [agent, *[rival] * (conditions.sides(game) - 1)]
    series = Shared(conditions.series(game, names, conditions.prepared_agents(game, names)))
    outcomes = [Outcome(deal, tuple(seating), *results) for deal, seating, *results in played]
    while len(outcomes) < _FEWER.get(agent, _MATCHES) and monotonic() < until:
        outcomes += play_matches(series, len(outcomes), 1)[0]
        begun.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(begun, json.dumps([astuple(each) for each in outcomes]).encode())
    return outcomes


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 240.0
    missing = measure(monotonic() + seconds, Path("build/standings"))
    say(f"{missing} results are missing" if missing else "All results are there.")
