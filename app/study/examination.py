"""Examines a match: judges the moves of persons and measures the luck of all random events, one
after the other, also while the match is still going on.

Where the judge tries its moves in many deals, a decision can take it as long as a person. Every
move is then judged roughly first, in a few deals, so that the examination is never far behind the
match, and again with the whole budget while nothing new happens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agents.search.agent import Budget
from app.records.journal import MatchSetup
from app.records.match_report import MatchReport
from app.study.advice import Adviser
from app.study.luck import USUAL, Effort, Luck, LuckMeter
from app.study.review import Answer, Verdict, judge
from app.study.skill import skill_of

Actions = tuple[int, ...]
"""The actions of a match so far."""

Finding = Luck | Verdict

ROUGHLY: Final = Budget(12)
"""The effort for a first verdict: about 15 ms, where the whole budget takes up to a second."""


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, and the actions that it depends on. It holds whatever comes after them.

    rough   whether it is a first verdict, which a second one will replace
    """

    actions: Actions
    finding: Finding
    rough: bool = False


class Examination:
    """One match under examination. Actions may be added and taken back at any time."""

    def __init__(self, setup: MatchSetup, effort: Effort = USUAL) -> None:
        self.actions: Actions = ()
        self._setup = setup
        self._adviser = Adviser(setup.game, setup.seed, setup.players)
        self._slow = self._adviser.worlds > ROUGHLY.worlds
        self._first = (
            Adviser(setup.game, setup.seed, setup.players, budget=ROUGHLY)
            if self._slow
            else self._adviser
        )
        self._meter = LuckMeter(setup, effort)
        self._states = [setup.deal()]
        self._measured = 0
        """How many positions have had their luck measured."""
        self._judged = 0
        """How many actions have been judged."""
        self._certain = 0
        """How many of them with the whole budget, if the judge is slow."""

    def follow(self, actions: Actions) -> None:
        """Go on with these actions of the match."""
        kept = common_length(self.actions, actions)
        del self._states[kept + 1 :]
        for action in actions[kept:]:
            state = self._states[-1].clone()
            state.apply(action)
            self._states.append(state)
        self._measured = min(self._measured, kept + 1)
        self._judged = min(self._judged, kept)
        self._certain = min(self._certain, kept)
        self.actions = actions

    def step(self) -> Found | None:
        """Find out one thing more; None if everything about these actions is known.

        Luck comes first, since it takes less time.
        """
        while self._measured <= len(self.actions):
            self._measured += 1
            if luck := self._luck_at(self._measured - 1):
                return Found(self.actions[: luck.number], luck)
        while self._judged < len(self.actions):
            self._judged += 1
            if answer := self._answer_at(self._judged - 1):
                verdict = judge(self._first, answer)
                return Found(self.actions[: self._judged], verdict, rough=self._slow)
        while self._slow and self._certain < len(self.actions):
            self._certain += 1
            if answer := self._answer_at(self._certain - 1):
                return Found(self.actions[: self._certain], judge(self._adviser, answer))
        return None

    def _luck_at(self, number: int) -> Luck | None:
        """The luck that led to the position after so many actions."""
        state = self._states[number]
        if not number:
            return self._meter.of_deal(state)
        before, action = self._states[number - 1], self.actions[number - 1]
        return self._meter.of_action(number - 1, before, action, state)

    def _answer_at(self, number: int) -> Answer | None:
        state = self._states[number]
        if state.turn not in self._setup.persons:
            return None
        legal = tuple(state.legal())
        if len(legal) == 1:
            return None
        return Answer(number, state.view(state.turn), legal, self.actions[number])


def common_length(first: Sequence[int], second: Sequence[int]) -> int:
    """How many actions two lists have in common from the beginning."""
    pairs = enumerate(zip(first, second, strict=False))
    shorter = min(len(first), len(second))
    return next((at for at, (one, other) in pairs if one != other), shorter)


class Findings:
    """What was found in a match, also about moves that were taken back."""

    def __init__(self) -> None:
        self._found: dict[tuple[bool, Actions], Finding] = {}
        self._rough: set[Actions] = set()

    def add(self, found: Found) -> None:
        self._found[isinstance(found.finding, Verdict), found.actions] = found.finding
        if found.rough:
            self._rough.add(found.actions)
        elif isinstance(found.finding, Verdict):
            self._rough.discard(found.actions)

    def rough(self, actions: Actions) -> int:
        """How many of the verdicts that hold for these actions will be replaced."""
        return sum([actions[: len(about)] == about for about in self._rough.copy()])

    def verdicts(self, actions: Actions) -> list[Verdict]:
        """The verdicts that hold for these actions, in their order."""
        return [each for each in self._about(actions) if isinstance(each, Verdict)]

    def luck(self, actions: Actions) -> list[Luck]:
        """The luck of the events among these actions, in their order."""
        return [each for each in self._about(actions) if isinstance(each, Luck)]

    def _about(self, actions: Actions) -> list[Finding]:
        found = list(self._found.items())
        return [
            finding
            for (_, about), finding in sorted(found, key=lambda each: len(each[0][1]))
            if actions[: len(about)] == about
        ]


def reports(
    setup: MatchSetup, actions: Actions, findings: Findings, journal: str, finished: str
) -> list[MatchReport]:
    """The reports on a finished match, one for each person.

    journal    the name of the journal
    finished   when the match ended, in ISO 8601
    """
    state = setup.deal()
    for action in actions:
        state.apply(action)
    shares, verdicts, luck = state.returns(), findings.verdicts(actions), findings.luck(actions)
    judge_name = Adviser(setup.game, setup.seed, setup.players).agent
    made = []
    for seat in setup.persons:
        side = next(at for at, seats in enumerate(state.sides) if seat in seats)
        skill = skill_of(setup.game, [each for each in verdicts if each.answer.view.seat == seat])
        made.append(
            MatchReport(
                setup.game,
                journal,
                seat,
                finished,
                judge_name,
                skill.decisions,
                skill.mattered,
                skill.lost,
                skill.at_stake,
                skill.points,
                skill.accuracy,
                shares[seat],
                tuple([(each.number, each.changes[side]) for each in luck]),
                skill.mistakes,
            )
        )
    return made
