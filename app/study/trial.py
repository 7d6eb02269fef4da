"""Tries the coach on matches between agents: does the error rate rank them, is luck zero on
average, and does the luck-adjusted result say more about strength than the result?"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass
from itertools import islice, permutations
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, variance
from typing import Any, Final

from agents.agent import Agent
from agents.match import Match
from agents.registry import make
from agents.search.agent import Budget
from agents.seeds import Purpose, match_seed
from agents.storage.bounded import read_bounded
from agents.storage.store import Store
from app.records.journal import MatchSetup
from app.records.row_values import amount_in, count_in
from app.study.advice import Adviser
from app.study.luck import Effort, LuckMeter
from app.study.review import Answer, Verdict, judge
from app.study.skill import skill_of
from engine import GAMES
from engine.game import OVER, OptionValue, State

MOST_SEATINGS: Final = 24
_LARGEST: Final = 64 << 20
"""Bytes of a file of outcomes: about 200,000 matches."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is tried. Every match has a deal of its own; the seatings of the agents take turns.

    agents   at least one for each side
    judged   decisions of each agent that are judged in a match, chosen at random
    worlds   sampled deals per decision, of agents that search and of the judge; None for their own
    effort   for the luck
    """

    game: str
    agents: tuple[str, ...]
    seed: int
    options: dict[str, OptionValue]
    judged: int
    worlds: int | None
    effort: Effort

    def check(self) -> None:
        """Raises ValueError for fewer agents than sides."""
        sides = len(GAMES[self.game].new(0, None, None, **self.options).sides)
        if len(self.agents) < sides:
            raise ValueError(
                f"{GAMES[self.game].title} has {sides} sides with these options: "
                f"name at least {sides} agents, not {len(self.agents)}."
            )


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """One side of a match. `agent` is the index of its agent; for the others see `MatchReport`."""

    agent: int
    side: int
    result: float
    luck: float
    decisions: int
    mattered: int
    lost: float
    at_stake: float
    accuracy: float
    """The sum over the decisions that mattered."""


class TrialPlayer:
    """Plays and examines the matches of a trial."""

    def __init__(self, trial: Trial, store: Store | None = None) -> None:
        """store: the learned values of agents that learn; None for the shipped ones"""
        self._trial = trial
        budget = None if trial.worlds is None else Budget(trial.worlds)
        self._budget = budget
        self._players: dict[str, Agent] = {
            name: make(trial.game, name, store, budget=budget) for name in trial.agents
        }

    def play(self, number: int) -> list[SideOutcome]:
        """The outcome of a match for each side."""
        trial = self._trial
        seed = match_seed(Purpose.REPORTING, trial.seed, number, "coach")
        start = GAMES[trial.game].new(seed, None, None, **trial.options)
        seating = _seating(len(trial.agents), len(start.sides), number)
        at_side = {seat: side for side, seats in enumerate(start.sides) for seat in seats}
        names = tuple([trial.agents[seating[at_side[seat]]] for seat in range(start.seats)])
        setup = MatchSetup(trial.game, trial.options, seed, None, names, names)
        meter = LuckMeter(setup, trial.effort)
        lucks = [meter.of_deal(start)]
        answers: list[list[Answer]] = [[] for _ in start.sides]
        match = Match(start.clone(), [self._players[name] for name in names], seed)
        state = match.state
        while state.turn != OVER:
            before, legal = state.clone(), state.legal()
            action, seat = match.decide().action, state.turn
            if len(legal) > 1:
                answer = Answer(match.decisions, state.view(seat), tuple(legal), action)
                answers[at_side[seat]].append(answer)
            match.step(action)
            if luck := meter.of_action(match.decisions - 1, before, action, state):
                lucks.append(luck)
        return [
            self._outcome(
                setup, state, side, seating[side], made, sum(each.changes[side] for each in lucks)
            )
            for side, made in enumerate(answers)
        ]

    def _outcome(
        self,
        setup: MatchSetup,
        end: State,
        side: int,
        agent: int,
        answers: Sequence[Answer],
        luck: float,
    ) -> SideOutcome:
        verdicts = self._verdicts(setup, side, answers)
        skill = skill_of(setup.game, verdicts)
        return SideOutcome(
            agent,
            side,
            end.returns()[end.sides[side][0]],
            luck,
            skill.decisions,
            skill.mattered,
            skill.lost,
            skill.at_stake,
            (skill.accuracy or 0.0) * skill.mattered,
        )

    def _verdicts(self, setup: MatchSetup, side: int, answers: Sequence[Answer]) -> list[Verdict]:
        """Verdicts on a sample of the answers. The judge does not know who moved."""
        count = min(self._trial.judged, len(answers))
        if not count:
            return []
        equals = ["hard"] * len(setup.players)
        adviser = Adviser(setup.game, setup.seed, equals, budget=self._budget)
        chosen = Random(f"{setup.seed}/judged/{side}").sample(list(answers), count)
        return [judge(adviser, answer) for answer in chosen]


def _seating(agents: int, sides: int, number: int) -> tuple[int, ...]:
    """The index of the agent on each side, in match `number`."""
    seatings = list(islice(permutations(range(agents), sides), MOST_SEATINGS))
    if agents > sides and len(seatings) == MOST_SEATINGS:
        # Too many orders to try all: a random one in each match.
        return tuple(Random(f"seating/{number}").sample(range(agents), sides))
    return seatings[number % len(seatings)]


class Outcomes:
    """The outcomes of a trial so far, in a file if there is one: a line for each match."""

    def __init__(self, trial: Trial, path: Path | None) -> None:
        """Raises ValueError for a file that holds something else."""
        self.matches: list[list[SideOutcome]] = []
        self._path = path
        self._head = json.dumps({"trial": asdict(trial)})
        if path is not None:
            self._read(path)

    def add(self, outcome: list[SideOutcome]) -> None:
        self.matches.append(outcome)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                if file.tell() == 0:
                    file.write(f"{self._head}\n")
                file.write(f"{json.dumps([astuple(side) for side in outcome])}\n")

    def _read(self, path: Path) -> None:
        try:
            head, *lines = read_bounded(path, _LARGEST).decode().splitlines()
        except FileNotFoundError:
            return
        except ValueError:
            head, lines = "", []
        if head != self._head:
            raise ValueError(f"{path} holds no outcomes of this trial; name another file.")
        try:
            self.matches = [[_side(*side) for side in json.loads(line)] for line in lines]
        except (ValueError, TypeError, RecursionError) as error:
            raise ValueError(f"{path} is damaged; name another file.") from error


def _side(
    agent: object,
    side: object,
    result: object,
    luck: object,
    decisions: object,
    mattered: object,
    lost: object,
    at_stake: object,
    accuracy: object,
) -> SideOutcome:
    return SideOutcome(
        count_in(agent),
        count_in(side),
        amount_in(result),
        amount_in(luck),
        count_in(decisions),
        count_in(mattered),
        amount_in(lost),
        amount_in(at_stake),
        amount_in(accuracy),
    )


def run(
    trial: Trial,
    games: int,
    outcomes: Outcomes,
    store: Store | None,
    progress: Callable[[int, int], None],
) -> None:
    """Play the matches that are missing."""
    player = TrialPlayer(trial, store)
    for number in range(len(outcomes.matches), games):
        outcomes.add(player.play(number))
        progress(number + 1, games)


# Figures


def report(trial: Trial, outcomes: Outcomes, games: int) -> dict[str, Any]:
    """The figures of a trial, for people and as JSON."""
    matches = outcomes.matches[:games]
    sides = [side for match in matches for side in match]
    means = {
        agent: fmean([side.result for side in sides if side.agent == agent])
        for agent in {side.agent for side in sides}
    }
    strengths = [means[side.agent] for side in sides]
    results = [side.result for side in sides]
    adjusted = [side.result - side.luck for side in sides]
    spread = variance(results) if len(results) > 1 else 0.0
    return {
        **asdict(trial),
        "games": len(matches),
        "agents": [
            {"agent": name, **_figures([side for side in sides if side.agent == agent])}
            for agent, name in enumerate(trial.agents)
        ],
        "sides": [
            {"side": at, **_figures([side for side in sides if side.side == at], moves=False)}
            for at in range(len(matches[0]))
        ],
        "variance_left": variance(adjusted) / spread if spread else None,
        "correlation_result": _correlation(strengths, results),
        "correlation_adjusted": _correlation(strengths, adjusted),
    }


def _figures(sides: Sequence[SideOutcome], moves: bool = True) -> dict[str, Any]:
    found: dict[str, Any] = {
        "games": len(sides),
        "result": mean_and_interval([side.result for side in sides]),
        "luck": mean_and_interval([side.luck for side in sides]),
        "adjusted": mean_and_interval([side.result - side.luck for side in sides]),
    }
    mattered = sum([side.mattered for side in sides])
    if moves and mattered:
        found |= {
            "decisions": sum([side.decisions for side in sides]),
            "mattered": mattered,
            "error_rate": ratio_and_interval([(side.lost, side.mattered) for side in sides]),
            "waste": ratio_and_interval([(side.lost, side.at_stake) for side in sides]),
            "accuracy": sum([side.accuracy for side in sides]) / mattered,
        }
    return found


def mean_and_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The mean and how far its 95 % interval reaches on both sides."""
    if not values:
        return None
    spread = variance(values) if len(values) > 1 else 0.0
    return fmean(values), 1.96 * sqrt(spread / len(values))


def ratio_and_interval(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The ratio of two sums over matches, and how far its 95 % interval reaches on both sides."""
    above, below = (sum(column) for column in zip(*pairs, strict=True))
    ratio = above / below
    squares = sum([(one - ratio * other) ** 2 for one, other in pairs])
    return ratio, 1.96 * sqrt(squares) / below


def _correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's; None if one of them does not vary."""
    mean, other = fmean(first), fmean(second)
    both = sum([(a - mean) * (b - other) for a, b in zip(first, second, strict=True)])
    squares = sum([(a - mean) ** 2 for a in first]) * sum([(b - other) ** 2 for b in second])
    return both / sqrt(squares) if squares else None
