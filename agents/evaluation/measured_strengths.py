"""Measures the strengths of the shipped agents.

`python -m agents.evaluation.measured_strengths [SECONDS]` (`make strengths`) plays the matches that
are missing and writes the file. It stops after about so many seconds; the next call continues.
To measure an agent again, delete its entry.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from time import monotonic
from typing import Final

from agents.agent import Agent
from agents.evaluation.strengths import FILE, STANDARD, Strengths, measured, places, symmetric
from agents.match import Match
from agents.registry import agents_for, follows_another, is_baseline, make, roster
from agents.seeds import Purpose, match_seed
from agents.storage.files import write_atomic
from engine import GAMES
from engine.game import OptionValue

Options = dict[str, OptionValue]

_VARIANTS: Final[Mapping[str, tuple[Options, ...]]] = {
    "euchre": ({"players": 3}, {"players": 4}),
}
"""The tables that are measured, if not only the default one."""
_MATCHES: Final = 200
_FAST: Final = {"euchre": 800, "smear": 800}
"""Matches of games that take milliseconds."""
_SLOW: Final = {"pairs": 40, "neural": 40, "search": 16}
"""Matches of slow agents."""
_NEWCOMER: Final = 800
"""Matches of the agents at the default table, whose chances are shown most often."""
_BASELINE: Final = 4000
"""Matches of `hard` at a table with different sides. Every strength there depends on them."""
_SEED: Final = 1000
_LINES: Final = ",\n"


def _wanted() -> list[tuple[str, Options, str]]:
    """The slowest last: agents that search, and Euchre among them."""
    wanted = [
        (game, options, agent)
        for game in GAMES
        for options in _VARIANTS.get(game, ({},))
        for agent in agents_for(game)
        if not is_baseline(agent) and not follows_another(game, agent)
    ]
    return sorted(wanted, key=lambda each: (each[2] == "search", each[0] == "euchre"))


def measure(until: float) -> int:
    """Measure what is missing, and write the file. Return how many results are still missing.

    until   a time of the monotonic clock
    """
    found = measured() if FILE.exists() else {}
    missing = 0
    for game, options, agent in _wanted():
        state = GAMES[game].new(0, None, None, **options)
        where = places(state.sides)
        agents = found.setdefault(game, {}).setdefault(str(state.seats), {})
        tallies = agents.get(agent, [])
        tallies += [[0.0, 0] for _ in range(len(where) - len(tallies))]
        wanted = _SLOW.get(agent, _FAST.get(game, _MATCHES))
        if agent in roster(game).newcomer:
            wanted = max(wanted, _NEWCOMER)
        if agent == STANDARD and not symmetric(state.sides):
            wanted = _BASELINE
        for place, tally in zip(where, tallies, strict=True):
            if agent == STANDARD and symmetric(state.sides):
                tally[:] = [wanted / len(state.sides), wanted]
            elif agent == STANDARD and place is not where[0]:
                # The same matches, seen from another seat.
                won, played = tallies[0]
                with_first = place[0][0] in state.sides[0]
                tally[:] = [won if with_first else played - won, played]
            while tally[1] < wanted and monotonic() < until:
                deal, turn = divmod(int(tally[1]), len(place))
                tally[0] += _won(game, options, agent, place[turn], deal)
                tally[1] += 1
            missing += tally[1] < wanted
        if all(tally[1] for tally in tallies):
            agents[agent] = tallies
    write_atomic(FILE, _text(found).encode(), private=False)
    return missing


def _won(game: str, options: Options, agent: str, own: Sequence[int], deal: int) -> float:
    """The share of a match that an agent wins in these seats, with `hard` in the others."""
    seed = match_seed(Purpose.TUNING, _SEED, deal)
    state = GAMES[game].new(seed, None, None, **options)
    names = [agent if seat in own else STANDARD for seat in range(state.seats)]
    Match(state, [_made(game, name) for name in names], seed).play_out()
    return state.returns()[own[0]]


@cache
def _made(game: str, name: str) -> Agent:
    return make(game, name)


def _text(found: Strengths) -> str:
    """JSON with one agent in each line."""
    games = []
    for game, tables in sorted(found.items()):
        seats = []
        for players, agents in sorted(tables.items()):
            lines = [
                f"   {json.dumps(name)}: {json.dumps(tallies)}"
                for name, tallies in sorted(agents.items())
            ]
            seats.append(f"  {json.dumps(players)}: {{\n{_LINES.join(lines)}\n  }}")
        games.append(f" {json.dumps(game)}: {{\n{_LINES.join(seats)}\n }}")
    return f"{{\n{_LINES.join(games)}\n}}\n"


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 240.0
    left = measure(monotonic() + seconds)
    print(f"{left} results are missing" if left else "All results are there.")
