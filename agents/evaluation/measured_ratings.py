"""The arena that rates the agents of each game.

`python -m agents.evaluation.measured_ratings [--seconds N] [--times N] [--again AGENT] [GAME …]`
(`make ratings`) plays the matches that are missing, on reporting deals, and writes the file. It
stops after about so many seconds and keeps the matches in `build/ratings`; the next call continues.
`--again` measures an agent anew, such as a learner with new values. `--times 4` plays four times as
many matches, which makes the intervals half as wide.

Agents meet those that are near them on the ladder: other matches say little. The agent with the
smallest part of its matches plays next, against one of its nearest, so that the result depends on
the seed and not on the time a match takes. Each pair plays the same deals, in every seating. At a
table of four, an agent that searches sits there alone.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, Final

from agents.evaluation.arena import line_ups
from agents.evaluation.rating_fit import Fit, LineUp, fit
from agents.evaluation.ratings import FILE
from agents.evaluation.series import Conditions, Prepared, Series, play_matches, seatings
from agents.evaluation.strengths import STANDARD, symmetric
from agents.parallel.parts import Shared
from agents.registry import agents_for, is_baseline, roster
from agents.storage.files import write_atomic
from engine import GAMES
from engine.manifest import VARIANTS

_SEED: Final = 22
_NEAR: Final = 3
"""An agent meets those up to so many places above and below it."""
_DEALS: Final = 2
"""Deals that a pair plays before the next one is chosen; one if it is slow."""
_MATCHES: Final = {"euchre": 600, "smear": 600, "fodinha": 240, "truco": 160, "notty": 80}
"""Matches of each agent, by the time they take."""
_USUAL: Final = 200
_SLOW: Final = 8
"""Matches of agents that try their moves in many deals, which take seconds for each."""
_QUICK: Final = frozenset({"truco", "notty"})
"""Games in which these agents do not take long."""
_LEFT_OUT: Final = frozenset({"sarsa", "mc", "logistic"})
"""Learners that are not in the arena."""
_FOLDER: Final = Path("build/ratings")
_SAVED: Final = 5.0
"""Seconds between savings."""

Results = dict[str, list[dict[LineUp, list[float]]]]
"""By the two agents that met: for each deal, what the sides of each line-up won."""


class Arena:
    """The matches of one game so far.

    times    how many times the usual number of matches is played
    folder   of the file that keeps them
    """

    def __init__(self, game: str, times: float = 1.0, folder: Path = _FOLDER) -> None:
        self.game = game
        self._times = times
        self.agents = rated_agents(game)
        self._path = folder / f"{game}.json"
        self._conditions = Conditions(_SEED)
        self._sides = GAMES[game].new(0, None, None).sides
        self.results: Results = _restored(self._path)
        self._count()

    def _count(self) -> None:
        """Add up the matches of each agent, and what each line-up has won."""
        self._played = dict.fromkeys(self.agents, 0)
        self._totals: dict[LineUp, list[float]] = {}
        for pair, deals in self.results.items():
            for deal in deals:
                self._add(pair.split(), deal)

    def _add(self, pair: Sequence[str], deal: Mapping[LineUp, Sequence[float]]) -> None:
        for agent in pair:
            self._played[agent] += len(deal)
        for line_up, won in deal.items():
            total = self._totals.setdefault(line_up, [0.0] * len(won))
            total[:] = [old + new for old, new in zip(total, won, strict=True)]

    def forget(self, agent: str) -> None:
        """Measure an agent anew."""
        self.results = {
            pair: deals for pair, deals in self.results.items() if agent not in pair.split()
        }
        self._count()

    def standing(self) -> Fit | None:
        """The ratings so far, without intervals; None before every agent has played."""
        if not all(self._played.values()):
            return None
        return fit([self._totals], STANDARD, not symmetric(self._sides), resamples=0)

    def missing(self) -> float:
        """The part of the matches that is still to be played by the agent with the fewest."""
        return max(0.0, 1.0 - min([self._part(agent) for agent in self.agents]))

    def play(self) -> None:
        """Let the agent with the smallest part of its matches meet one of its nearest."""
        found = self.standing()
        order = self.agents
        if found is not None:
            order = sorted(order, key=lambda agent: found.ratings[agent].points)
        agent = min(self.agents, key=self._part)
        at = order.index(agent)
        near = [each for each in order[max(0, at - _NEAR) : at + _NEAR + 1] if each != agent]
        # Not a second slow one, and one that needs matches; among these the one it has met least.
        other = min(
            near,
            key=lambda each: (
                self._slow(each) and self._slow(agent),
                self._part(each) >= 1,
                self._met(agent, each),
                self._part(each),
            ),
        )
        first, second = sorted([agent, other], key=self.agents.index)
        self._meet(first, second)

    def save(self) -> None:
        plain = {
            pair: [[[list(names), won] for names, won in deal.items()] for deal in deals]
            for pair, deals in self.results.items()
        }
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(self._path, json.dumps(plain).encode())

    def report(self) -> dict[str, Any]:
        """Points, interval and matches of each agent, strongest first, and the advantages."""
        if not all(self._played.values()):
            return {}
        longest = max([len(deals) for deals in self.results.values()])
        deals: list[dict[LineUp, list[float]]] = [{} for _ in range(longest)]
        for pair in self.results.values():
            for into, deal in zip(deals, pair, strict=False):
                into.update(deal)
        found = fit(deals, STANDARD, not symmetric(self._sides))
        rows = sorted(found.ratings.items(), key=lambda each: -each[1].points)
        return {
            "advantages": [round(each) for each in found.advantages],
            "agents": {
                name: [*[round(each) for each in interval], self._played[name]]
                for name, interval in rows
            },
        }

    def _meet(self, first: str, second: str) -> None:
        """Play further deals of two agents, in every seating."""
        deals = self.results.setdefault(f"{first} {second}", [])
        start = len(deals)
        count = 1 if self._slow(first) or self._slow(second) else _DEALS
        deals += [{} for _ in range(count)]
        sides = len(self._sides)
        slow = {name for name in (first, second) if self._slow(name)}
        for names in line_ups(first, second, sides):
            if len(slow) == 1 and names[0] not in slow and sides > 2:
                continue  # Three slow agents at a table take too long.
            ways = len(seatings(names))
            series = self._series(names)
            for outcome in play_matches(series, start * ways, count * ways)[0]:
                seated = tuple([names[at] for at in outcome.seating])
                deals[outcome.deal][seated] = list(outcome.shares)
        for deal in deals[start:]:
            self._add([first, second], deal)

    def _series(self, names: Sequence[str]) -> Shared[Series]:
        known = {name: _prepared(self.game, name) for name in names}
        return Shared(self._conditions.series(self.game, names, known))

    def _met(self, first: str, second: str) -> int:
        pair = sorted([first, second], key=self.agents.index)
        return len(self.results.get(" ".join(pair), []))

    def _part(self, agent: str) -> float:
        """The part of its matches that an agent has played."""
        wanted = _SLOW if self._slow(agent) else _MATCHES.get(self.game, _USUAL)
        return self._played[agent] / (wanted * self._times)

    def _slow(self, agent: str) -> bool:
        return self.game not in _QUICK and _searches(self.game, agent)


def _searches(game: str, agent: str) -> bool:
    """Whether an agent, or the one that it plays as, tries its moves in many deals."""
    own = roster(game)
    based = {level.name: level.slips.base for level in own.followers}
    return based.get(agent, agent) == "search"


@cache
def _prepared(game: str, agent: str) -> Prepared:
    return Conditions(_SEED).prepared_agents(game, [agent])[agent]


def rated_agents(game: str) -> list[str]:
    """The agents that meet in the arena, roughly weakest first: all with fixed play, and the main
    learners that are shipped."""
    own = roster(game)
    shipped = {*own.pretraining, *own.newcomer}
    names = [
        name
        for name, spec in agents_for(game).items()
        if not is_baseline(name)
        and (not spec.learns or name in shipped)
        and (name not in _LEFT_OUT or name in own.newcomer)
    ]
    # Until ratings are known, in the order of the levels, those of search last.
    found = {level.name: at for at, level in enumerate(own.levels)}
    last = [name for name in names if _searches(game, name)]
    return sorted(
        names, key=lambda name: (name in last, name != "random", name != "easy", found.get(name, 9))
    )


def measure(
    games: Sequence[str], until: float, again: Sequence[str] = (), times: float = 1.0
) -> dict[str, float]:
    """Play what is missing, and write the file. Return the part that is missing, by game.

    until   a time of the monotonic clock
    again   agents whose matches are played anew
    """
    missing = {}
    for game in games:
        arena = Arena(game, times)
        for agent in set(again) & set(arena.agents):
            arena.forget(agent)
        saved = monotonic()
        while arena.missing() and monotonic() < until:
            arena.play()
            if monotonic() - saved > _SAVED:
                arena.save()
                saved = monotonic()
        arena.save()
        missing[game] = arena.missing()
        if report := arena.report():
            _write(game, report)
    return missing


def _write(game: str, report: Mapping[str, Any]) -> None:
    """Replace the ratings of one game in the file."""
    found = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    found[game] = report
    blocks = []
    for name, each in sorted(found.items()):
        rows = [f"   {json.dumps(agent)}: {row}" for agent, row in each["agents"].items()]
        agents = "{\n" + ",\n".join(rows) + "\n  }"
        fields = f'  "advantages": {each["advantages"]},\n  "agents": {agents}'
        blocks.append(f' "{name}": {{\n{fields}\n }}')
    write_atomic(FILE, ("{\n" + ",\n".join(blocks) + "\n}\n").encode(), private=False)


def _restored(path: Path) -> Results:
    if not path.exists():
        return {}
    return {
        pair: [{tuple(names): won for names, won in deal} for deal in deals]
        for pair, deals in json.loads(path.read_text(encoding="utf-8")).items()
    }


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m agents.evaluation.measured_ratings")
    parser.add_argument("--seconds", type=float, default=240.0)
    parser.add_argument("--times", type=float, default=1.0, metavar="N")
    parser.add_argument("--again", action="append", default=[], metavar="AGENT")
    parser.add_argument("games", nargs="*", metavar="GAME")
    chosen = parser.parse_args()
    games = chosen.games or [game for game in [*GAMES, *VARIANTS] if roster(game).players]
    missing = measure(games, monotonic() + chosen.seconds, chosen.again, chosen.times)
    for game, part in missing.items():
        print(f"{game}: {100 * (1 - part):.0f} % of the matches are played")


if __name__ == "__main__":
    _main()
