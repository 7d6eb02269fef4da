"""Looking back on a hand: what a person did, what the strongest agent would have done, and
what the difference cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.agent import Decision, Scale
from app.match.moment import Thought
from app.study.advice import Adviser
from engine.game import State, View

RARE = 0.05
"""A move that a mixed strategy makes less often than this is taken for a mistake."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's move where there was a choice, and all that the person knew.

    number   how many actions of the match came before it
    """

    number: int
    view: View
    legal: tuple[int, ...]
    action: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the strongest agent says about an answer.

    cost     what the move gave away, 0 for none; None if it was not weighed
    measure  whose numbers tell what moves are worth: of an agent that mixes its moves they
             do not
    share    how often the agent makes the same move, if it mixes its moves
    """

    answer: Answer
    thought: Thought
    cost: float | None
    measure: Decision
    share: float | None = None

    @property
    def best(self) -> bool:
        """Whether the person did just what the agent would do."""
        return self.answer.action == self.thought.decision.action

    @property
    def second(self) -> int | None:
        """The best of the other moves, if there are numbers for them."""
        others = {
            move: worth for move, worth in self.measure.scores.items() if move != self.answer.action
        }
        return max(others, key=others.__getitem__, default=None)

    @property
    def lead(self) -> float:
        """How much more the move was worth than the best other one; 0 for one that cost
        something, or was not weighed."""
        scores, second = self.measure.scores, self.second
        if self.cost != 0 or second is None or self.answer.action not in scores:
            return 0.0
        return max(0.0, scores[self.answer.action] - scores[second])


def answers_of(
    state: State, actions: Sequence[int], hand_no: int | None, seats: Sequence[int]
) -> list[Answer]:
    """The answers of those seats in a hand. Plays the state on from where it is.

    actions   all that were taken since
    hand_no   None for those of all hands
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
    """Weigh an answer by what its player could know."""
    legal = list(answer.legal)
    thought = adviser.weigh(answer.view, legal, answer.number)
    decision = thought.decision
    if decision.scale is not Scale.HABIT:
        return Verdict(answer, thought, _given_away(decision, decision, answer), decision)
    share = decision.scores.get(answer.action, 0.0)
    worth = adviser.worth(answer.view, legal, answer.number)
    cost = 0.0 if share >= RARE else _given_away(decision, worth, answer)
    return Verdict(answer, thought, cost, worth, share)


def _given_away(decision: Decision, measure: Decision, answer: Answer) -> float | None:
    best, scores = decision.action, measure.scores
    if answer.action == best:
        return 0.0
    if best not in scores or answer.action not in scores:
        return None
    return max(0.0, scores[best] - scores[answer.action])


def by_cost(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The dearest first, then those not weighed, then those that cost nothing."""
    return sorted(verdicts, key=_dearness)


def worst_of(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The move that gave away most, if any did."""
    return next((each for each in by_cost(_alike(verdicts)) if each.cost), None)


def best_of(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The good move to which there was the least good alternative."""
    leading = [each for each in _alike(verdicts) if each.lead > 0]
    return max(leading, key=lambda each: each.lead, default=None)


def _alike(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Those whose numbers can be compared: chances where there are any, since they are about
    the whole match."""
    chances = [each for each in verdicts if each.measure.scale is Scale.CHANCE]
    return chances or list(verdicts)


def _dearness(verdict: Verdict) -> tuple[int, float, int]:
    cost = verdict.cost
    rank = 1 if cost is None else 0 if cost else 2
    return rank, -(cost or 0.0), verdict.answer.number
