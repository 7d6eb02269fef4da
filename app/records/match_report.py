"""How well a person played a match, and how lucky they were, as the history keeps it."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from app.records.row_values import amount_in, count_in, share_in, text_in
from app.records.times import parse_time


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that gave something away.

    number   its place in the match: how many actions came before it
    cost     the chance to win the match that it gave away, from 0 to 1
    action   the label of the move, and `best` that of the best one (see `State.parse`)
    hand_no  the number of the hand
    """

    number: int
    cost: float
    action: str
    best: str
    hand_no: int


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The coach's report on one person's match.

    journal    the name of its journal
    seat       of the person
    finished   when the match ended, in UTC, in ISO 8601
    judge      the agent that judged the moves
    decisions  moves of the person that were judged; the moves with a choice
    mattered   those of them where the choice mattered (see `app.study.skill`)
    lost       the chance to win that the moves gave away, added up: 1 is a whole match
    at_stake   the difference between the best and the worst move in those that mattered, added up
    points     the lost chances in points of the game; None if the game has none
    accuracy   0 to 100; None if no decision mattered
    result     the share of the match that the person's side won
    luck       how much the cards raised its chance, for each random event that counted: the
               number of actions before it, and the change of the chance
    mistakes   the moves that cost something, in the order of the match
    id         0 before it is in the database
    """

    game: str
    journal: str
    seat: int
    finished: str
    judge: str
    decisions: int
    mattered: int
    lost: float
    at_stake: float
    points: float | None
    accuracy: float | None
    result: float
    luck: tuple[tuple[int, float], ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    id: int = 0

    @property
    def error_rate(self) -> float | None:
        """The chance to win that a decision that mattered gave away, on average."""
        return self.lost / self.mattered if self.mattered else None

    @property
    def waste(self) -> float | None:
        """The share of what was at stake that the moves gave away."""
        return self.lost / self.at_stake if self.at_stake else None

    @property
    def total_luck(self) -> float:
        """How much the cards raised the chance to win, over the whole match."""
        return sum([change for _, change in self.luck])

    @property
    def adjusted(self) -> float:
        """The luck-adjusted result: the result without what the cards gave. Not limited to the
        range from 0 to 1, since that would bias its mean."""
        return self.result - self.total_luck


def report_row(report: MatchReport) -> dict[str, object]:
    """The columns of a report, for the history."""
    return {
        "game": report.game,
        "journal": report.journal,
        "seat": report.seat,
        "finished": report.finished,
        "judge": report.judge,
        "decisions": report.decisions,
        "mattered": report.mattered,
        "lost": report.lost,
        "at_stake": report.at_stake,
        "points": report.points,
        "accuracy": report.accuracy,
        "result": report.result,
        "luck": json.dumps(report.luck),
        "mistakes": json.dumps([astuple(mistake) for mistake in report.mistakes]),
    }


def report_in(row: dict[str, object]) -> MatchReport:
    """The report in a row of the history. Raises an error for a row that makes no sense."""
    parse_time(text_in(row["finished"]))
    points, accuracy = row["points"], row["accuracy"]
    if accuracy is not None and not 0 <= amount_in(accuracy) <= 100:
        raise ValueError("the accuracy is wrong")
    mattered = count_in(row["mattered"])
    if mattered > count_in(row["decisions"]):
        raise ValueError("the decisions are wrong")
    return MatchReport(
        text_in(row["game"]),
        text_in(row["journal"]),
        count_in(row["seat"]),
        text_in(row["finished"]),
        text_in(row["judge"]),
        count_in(row["decisions"]),
        mattered,
        amount_in(row["lost"]),
        amount_in(row["at_stake"]),
        None if points is None else amount_in(points),
        None if accuracy is None else amount_in(accuracy),
        share_in(row["result"]),
        tuple([(count_in(number), _change(change)) for number, change in _list(row["luck"])]),
        tuple([_mistake(*each) for each in _list(row["mistakes"])]),
        count_in(row["id"]),
    )


def _list(value: object) -> Sequence[Sequence[object]]:
    found = json.loads(text_in(value))
    if not isinstance(found, list):
        raise ValueError("a list is wrong")
    return found


def _change(value: object) -> float:
    change = amount_in(value)
    if not -1 <= change <= 1:
        raise ValueError("a change of a chance is wrong")
    return change


def _mistake(
    number: object, cost: object, action: object, best: object, hand_no: object
) -> Mistake:
    return Mistake(
        count_in(number), share_in(cost), text_in(action), text_in(best), count_in(hand_no)
    )
