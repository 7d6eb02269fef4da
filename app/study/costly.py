"""Decides whether a move is so costly that a beginner is asked again.

A move counts as costly if, by the strongest agent's estimate,

- it lowers the chance to win the match by at least `CHANCE` (4 percentage points);
- or an expert who mixes moves makes it less than once in twenty times, and it lowers that chance
  by at least `MIXED` (2 percentage points);
- or, for questions that are not measured in chances to win, it gives away at least `SHARE` of
  another probability or `VALUE` of another value, such as tricks or points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agents.agent import Decision, Scale
from app.match.moment import Thought
from app.study.review import RARE

CHANCE: Final = 0.04
MIXED: Final = 0.02
SHARE: Final = 0.25
VALUE: Final = 0.5

_ENOUGH: Final = {Scale.CHANCE: CHANCE, Scale.SHARE: SHARE, Scale.VALUE: VALUE}


@dataclass(frozen=True, slots=True)
class Costly:
    """A costly move.

    action   the move; of several that are one answer, the most costly one
    better   the move of the strongest agent
    cost     what the move gives away
    scale    what the cost is measured in
    """

    action: int
    better: int
    cost: float
    scale: Scale


def costly(thought: Thought, actions: Sequence[int]) -> Costly | None:
    """Why the person should think again before this answer; None if it is good enough.

    thought   of the strongest agent about the first of the actions
    actions   several if they are one answer, such as five discards. Their order means nothing, so
              each is weighed as if it came first, and their costs are added up
    """
    measure, enough = _measure(thought)
    best = thought.decision.action
    if measure is None or best not in measure.scores:
        return None
    costs = {
        action: max(0.0, measure.scores[best] - measure.scores[action])
        for action in actions
        if action not in (best, *thought.following) and action in measure.scores
    }
    if thought.decision.scale is Scale.FREQUENCY:
        shares = thought.decision.scores
        costs = {each: cost for each, cost in costs.items() if shares.get(each, 0.0) < RARE}
    total = sum(costs.values())
    if not costs or total < enough:
        return None
    return Costly(max(costs, key=costs.__getitem__), best, total, measure.scale)


def _measure(thought: Thought) -> tuple[Decision | None, float]:
    """The decision with the values of the moves, and from which cost on a move is costly."""
    decision = thought.decision
    if decision.scale is not Scale.FREQUENCY:
        return decision, _ENOUGH[decision.scale]
    worth = thought.worth
    if worth is None or worth.scale is Scale.FREQUENCY:
        return None, 0.0
    return worth, MIXED if worth.scale is Scale.CHANCE else _ENOUGH[worth.scale]
