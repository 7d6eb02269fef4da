"""Looking back on a hand: what a person did, what the strongest agent would have done, and
what the difference cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.agent import Decision, Scale
from app.advice import Adviser
from app.moment import Thought
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
    measure  whose numbers tell the cost: of an agent that mixes its moves they do not
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


def answers_of(
    state: State, actions: Sequence[int], hand_no: int, seats: Sequence[int]
) -> list[Answer]:
    """The answers of those seats in a hand. Plays the state on from where it is.

    actions   all that were taken since
    """
    answers = []
    for number, action in enumerate(actions):
        if state.hand_no > hand_no:
            break
        if state.hand_no == hand_no and state.turn in seats:
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
    if share >= RARE:
        return Verdict(answer, thought, 0.0, decision, share)
    worth = adviser.worth(answer.view, legal, answer.number)
    return Verdict(answer, thought, _given_away(decision, worth, answer), worth, share)


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


def _dearness(verdict: Verdict) -> tuple[int, float, int]:
    cost = verdict.cost
    rank = 1 if cost is None else 0 if cost else 2
    return rank, -(cost or 0.0), verdict.answer.number
