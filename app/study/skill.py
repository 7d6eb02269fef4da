"""How well somebody played: what their moves cost, by the verdicts of the strongest agent.

A decision matters if its moves differ by at least `MATTERS` in the chance to win the match. The
error rate is the chance that a decision that mattered gave away, on average.

The word for it rests on the waste: the share of what was at stake that the moves gave away. A
decision is worth more in some games than in others, and little in a match that is nearly over, but
shares can be compared.

A mixed strategy's other action costs nothing (see `app.study.review.RARE`).
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import asdict, dataclass
from math import exp
from statistics import fmean
from typing import Any, Final

from agents.agent import Scale
from agents.registry import roster
from agents.roster import load
from app.records.match_report import MatchReport, Mistake
from app.study.review import Verdict
from engine import GAMES
from engine.game import View
from engine.manifest import VARIANTS

MATTERS: Final = 0.01
"""Between the best and the worst move: one percentage point."""

SMALLEST_POINT: Final = 0.001
"""If a point changes the chance to win by less, costs are not converted into points."""

LEVELS: Final = (
    (0.02, "supernatural"),
    (0.05, "world class"),
    (0.10, "expert"),
    (0.16, "advanced"),
    (0.24, "intermediate"),
    (0.34, "casual player"),
    (0.45, "beginner"),
)
"""The words for shares below these; docs/coach.md says where the agents stand."""

WORST: Final = "guesswork"


def level(waste: float) -> str:
    """The word for a share of what was at stake."""
    return next((word for limit, word in LEVELS if waste < limit), WORST)


def accuracy(cost: float) -> float:
    """The accuracy of a move, from 0 to 100, as lichess computes it from the winning chance that
    it gave away."""
    return min(max(103.1668 * exp(-0.04354 * 100 * cost) - 3.1669, 0.0), 100.0)


def matters(verdict: Verdict) -> bool:
    """Whether the choice made a difference to the chance to win the match."""
    return verdict.cost is not None and at_stake(verdict) >= MATTERS


def at_stake(verdict: Verdict) -> float:
    """The difference between the best and the worst move in the chance to win the match."""
    values = verdict.measure.scores.values()
    if verdict.measure.scale is not Scale.CHANCE or not values:
        return 0.0
    return max(values) - min(values)


def point_value(game: str, view: View) -> float | None:
    """What one point less would cost the seat now, in the chance to win the match. None if the game
    has no odds by the score, or a point changes nothing."""
    path = roster(game).odds
    side = next(at for at, seats in enumerate(view.sides) if view.seat in seats)
    if not path:
        return None
    odds, even = load(path), (0.0,) * len(view.sides)

    def chance(more: int) -> float:
        other = copy(view)
        scores = list(view.scores)
        scores[side] += more
        other.scores = tuple(scores)
        return float(odds(other, even))

    # At the lowest score a point less is impossible.
    value = max(chance(0) - chance(-1), chance(1) - chance(0))
    return value if value >= SMALLEST_POINT else None


@dataclass(frozen=True, slots=True)
class GameSkill:
    """What all reports on a game say together. See `MatchReport`.

    luck   on average for a match
    """

    game: str
    matches: int
    error_rate: float
    waste: float
    accuracy: float
    luck: float

    @property
    def title(self) -> str:
        return GAMES[self.game].title

    @property
    def level(self) -> str:
        return level(self.waste)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "level": self.level}


def by_game(reports: Sequence[MatchReport]) -> list[GameSkill]:
    """The reports of each game together, in the order of the games. Decisions that mattered count
    equally."""
    found = []
    for game in (*GAMES, *VARIANTS):
        own = [each for each in reports if each.game == game and each.accuracy is not None]
        mattered = sum([each.mattered for each in own])
        at_stake = sum([each.at_stake for each in own])
        if mattered and at_stake:
            lost = sum([each.lost for each in own])
            accuracies = [(each.accuracy or 0.0) * each.mattered for each in own]
            luck = fmean([each.total_luck for each in own])
            found.append(
                GameSkill(
                    game,
                    len(own),
                    lost / mattered,
                    lost / at_stake,
                    sum(accuracies) / mattered,
                    luck,
                )
            )
    return found


@dataclass(frozen=True, slots=True)
class Skill:
    """The decisions of one seat, added up. See `MatchReport` for the fields."""

    decisions: int = 0
    mattered: int = 0
    lost: float = 0.0
    at_stake: float = 0.0
    points: float | None = None
    accuracy: float | None = None
    mistakes: tuple[Mistake, ...] = ()


def skill_of(game: str, verdicts: Sequence[Verdict]) -> Skill:
    """What these verdicts on one seat say together."""
    costs, stakes, points, mistakes = [], [], [], []
    for verdict in sorted(verdicts, key=lambda each: each.answer.number):
        if not matters(verdict):
            continue
        cost, answer = verdict.cost or 0.0, verdict.answer
        costs.append(cost)
        stakes.append(at_stake(verdict))
        value = point_value(game, answer.view)
        points.append(None if value is None else cost / value)
        if cost:
            label = answer.view.label
            best = verdict.thought.decision.action
            mistakes.append(
                Mistake(answer.number, cost, label(answer.action), label(best), answer.view.hand_no)
            )
    known = [each for each in points if each is not None]
    return Skill(
        len(verdicts),
        len(costs),
        sum(costs),
        sum(stakes),
        sum(known) if known else None,
        sum(map(accuracy, costs)) / len(costs) if costs else None,
        tuple(mistakes),
    )
