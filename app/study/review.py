"""Compares a person's moves with those of the strongest agent, and what the difference cost."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.agent import Decision, Scale
from app.match.moment import Thought
from app.study.advice import Adviser
from engine.game import State, View

CLOSE = 0.1
"""Moves that differ by less are a close choice: a part of 100 %, or of the range of values."""

NEGLIGIBLE = 0.005
"""A smaller cost is none: half a percentage point, which the estimates do not resolve."""

RARE = 0.05
"""A move that a mixed strategy makes less often than this counts as a mistake."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's move among several legal ones, and the view it was based on.

    number   how many actions of the match came before it
    """

    number: int
    view: View
    legal: tuple[int, ...]
    action: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The strongest agent's judgement of an answer.

    cost     what the move gave away, 0 for nothing; None if it has no value
    measure  the decision with the values of the moves; another agent's if the strongest agent
             mixes its moves, since its scores are then frequencies
    share    how often the agent makes the same move, if it mixes its moves
    usual    the move of an ordinary player, if there is one
    """

    answer: Answer
    thought: Thought
    cost: float | None
    measure: Decision
    share: float | None = None
    usual: int | None = None

    @property
    def best(self) -> bool:
        """Whether the person made the agent's move."""
        return self.answer.action == self.thought.decision.action

    @property
    def rejected(self) -> int | None:
        """The move with which this one is compared, if it has a value: that of an ordinary player
        if it is another one, or else the best other move."""
        others = {
            move: worth for move, worth in self.measure.scores.items() if move != self.answer.action
        }
        if self.usual in others:
            return self.usual
        return max(others, key=others.__getitem__, default=None)

    @property
    def surprising(self) -> bool:
        """Whether an ordinary player would have made another move."""
        return self.usual is not None and self.usual != self.answer.action

    @property
    def lead(self) -> float:
        """How much better the move was than the rejected one; 0 if it was worse or has no
        value."""
        scores, rejected = self.measure.scores, self.rejected
        if self.cost != 0 or rejected is None or self.answer.action not in scores:
            return 0.0
        return max(0.0, scores[self.answer.action] - scores[rejected])

    @property
    def close(self) -> bool:
        """Whether the rejected move is good as well, so that the choice was hard."""
        values = self.measure.scores.values()
        reach = 1.0 if self.measure.scale is Scale.CHANCE else max(values) - min(values)
        return self.lead <= CLOSE * reach


def answers_of(
    state: State, actions: Sequence[int], hand_no: int | None, seats: Sequence[int]
) -> list[Answer]:
    """The answers of these seats in a hand. Plays the actions on the state.

    hand_no   None for all hands
    """
    answers = []
    for number, action in enumerate(actions):
        if hand_no is not None and state.hand_no > hand_no:
            break
        if hand_no in (None, state.hand_no) and state.turn in seats:
            legal = tuple(state.legal())
            if len(legal) > 1:
                answers.append(Answer(number, state.view(state.turn), legal, action))
        state.apply(action)
    return answers


def judge(adviser: Adviser, answer: Answer) -> Verdict:
    """Judge an answer by what the person could know."""
    legal = list(answer.legal)
    thought = adviser.weigh(answer.view, legal, answer.number)
    if thought.decision.scale is Scale.FREQUENCY and thought.worth is None:
        worth = adviser.worth(answer.view, legal, answer.number)
        thought = replace(thought, worth=worth)
    return verdict_on(thought, answer, adviser.ordinary(answer.view, legal, answer.number))


def verdict_on(thought: Thought, answer: Answer, usual: int | None = None) -> Verdict:
    """Judge an answer by a thought about the same position.

    usual   the move of an ordinary player, if there is one
    """
    decision = thought.decision
    if decision.scale is not Scale.FREQUENCY:
        cost = _given_away(decision, decision, answer)
        return Verdict(answer, thought, cost, decision, usual=usual)
    share = decision.scores.get(answer.action, 0.0)
    worth = thought.worth or decision
    cost = 0.0 if share >= RARE else _given_away(decision, worth, answer)
    return Verdict(answer, thought, cost, worth, share, usual)


def _given_away(decision: Decision, measure: Decision, answer: Answer) -> float | None:
    best, scores = decision.action, measure.scores
    if answer.action == best:
        return 0.0
    if best not in scores or answer.action not in scores:
        return None
    cost = scores[best] - scores[answer.action]
    return cost if cost >= NEGLIGIBLE else 0.0


def by_cost(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Sorted by cost, highest first; then verdicts without a cost, then those that cost nothing."""
    return sorted(verdicts, key=_cost_order)


def worst_of(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The move that gave away the most, if any did."""
    return next((each for each in by_cost(_comparable(verdicts)) if each.cost), None)


def best_of(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The move with the largest lead among those that were not obvious: an ordinary player would
    have made another one, or the choice was close."""
    leading = [each for each in _comparable(verdicts) if each.lead > 0]
    surprising = [each for each in leading if each.surprising]
    close = [each for each in leading if each.close]
    return max(surprising or close, key=lambda each: each.lead, default=None)


def _comparable(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts with comparable values: chances to win the match if there are any."""
    chances = [each for each in verdicts if each.measure.scale is Scale.CHANCE]
    return chances or list(verdicts)


def _cost_order(verdict: Verdict) -> tuple[int, float, int]:
    cost = verdict.cost
    rank = 1 if cost is None else 0 if cost else 2
    return rank, -(cost or 0.0), verdict.answer.number
