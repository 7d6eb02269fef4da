"""What the coach says about each move and each deal of a finished match, from its reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.records.history import History
from app.records.journal import Recorded
from app.records.match_report import MatchReport, Mistake
from app.study.examination import Findings, reports
from engine.game import View


@dataclass(frozen=True, slots=True)
class Remark:
    """What the coach says about one action.

    seat      of the person whose decision it was; None if no person had a choice
    mistake   what the action gave away, if anything that mattered
    view      on which it was based, if it is a mistake
    played    the action
    best      the best one, if it is a mistake
    luck      by how much the cards that followed raised the chance of the first person to win
    """

    seat: int | None = None
    mistake: Mistake | None = None
    view: View | None = None
    played: int = 0
    best: int = 0
    luck: float | None = None


class Commentary:
    """The coach's remarks on a match.

    reports   one for each person; empty if there is no report on this match
    deal      the luck of the first deal
    remarks   one for each action
    """

    def __init__(self, recorded: Recorded, found: Sequence[MatchReport]) -> None:
        state, labels = recorded.setup.deal(), recorded.labels()
        self.reports = sorted(
            [each for each in found if _is_about(each, recorded, labels)],
            key=lambda each: each.seat,
        )
        seats = {each.seat for each in self.reports}
        mistakes = {each.number: each for report in self.reports for each in report.mistakes}
        luck = dict(self.reports[0].luck) if self.reports else {}
        self.deal = luck.get(0)
        self.remarks: list[Remark] = []
        for number, action in enumerate(recorded.past.actions):
            chose = state.turn in seats and len(state.legal()) > 1
            mistake = mistakes.get(number)
            self.remarks.append(
                Remark(
                    state.turn if chose else None,
                    mistake,
                    state.view(state.turn) if mistake else None,
                    action,
                    state.parse(mistake.best) if mistake else 0,
                    luck.get(number + 1),
                )
            )
            state.apply(action)

    @property
    def mistakes(self) -> list[Remark]:
        """The remarks on mistakes, in the order of the match."""
        return [each for each in self.remarks if each.mistake is not None]

    def as_dicts(self) -> list[dict[str, Any]]:
        """For each action what was found out about it, as JSON."""
        found = []
        for remark in self.remarks:
            entry: dict[str, Any] = {}
            if remark.seat is not None:
                entry["cost"] = remark.mistake.cost if remark.mistake else 0.0
            if remark.mistake is not None:
                entry["best"] = remark.mistake.best
            if remark.luck is not None:
                entry["luck"] = remark.luck
            found.append(entry)
        return found


def _is_about(report: MatchReport, recorded: Recorded, labels: Sequence[tuple[int, str]]) -> bool:
    """Whether a report fits a match. Two matches may have journals of the same name."""
    return (
        report.game == recorded.setup.game
        and report.seat in recorded.setup.persons
        and all(number <= len(labels) for number, _ in report.luck)
        and all(
            mistake.number < len(labels) and labels[mistake.number] == (report.seat, mistake.action)
            for mistake in report.mistakes
        )
    )


def kept_commentary(history: History, recorded: Recorded) -> Commentary:
    """The remarks of the reports in the history. Raises HistoryError."""
    kept = history.reports(journal=recorded.name) if recorded.over and recorded.name else []
    return Commentary(recorded, kept)


def new_commentary(recorded: Recorded, findings: Findings) -> Commentary:
    """The remarks of an examination of a finished match."""
    actions = tuple(recorded.past.actions)
    found = reports(recorded.setup, actions, findings, recorded.name, recorded.finished)
    return Commentary(recorded, found)
