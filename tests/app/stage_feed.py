"""A learner on the stage without processes: tests send the reports."""

from pathlib import Path
from typing import Any

import pytest

from agents.training_log import CurvePoint
from app.lab.stage.feed import Feed, StageReported
from app.lab.stage.reports import Measured, Order, Report, Save, Subject, Vitals
from app.ui.app import KibitzApp


class FakeFeed(Feed):
    """Notes the orders it gets."""

    def __init__(self, subject: Subject, folder: Path) -> None:
        super().__init__(subject, folder)
        self.orders: list[Order | Save] = []
        self.started = self.ended = False

    def start(self) -> None:
        self.started = True

    def end(self) -> None:
        self.ended = True

    def _order(self, order: Order | Save) -> None:
        self.orders.append(order)


def fake_feeds(monkeypatch: pytest.MonkeyPatch) -> list[FakeFeed]:
    """Let every app use fake feeds; they are listed in the order of their creation."""
    made: list[FakeFeed] = []

    def new_feed(app: KibitzApp, subject: Subject) -> Feed:
        made.append(FakeFeed(subject, app._locations.exports))
        return made[-1]

    monkeypatch.setattr(KibitzApp, "new_feed", new_feed)
    return made


def report(app: KibitzApp, feed: Feed, *reports: Report) -> None:
    for each in reports:
        app.post_message(StageReported(feed, each))


def measured(matches: int, hard: float, **changes: Any) -> Measured:
    points = [
        CurvePoint(
            matches, rival, rate, max(0.0, rate - 0.1), min(1.0, rate + 0.1), matches / 10, 40
        )
        for rival, rate in (("random", 0.9), ("easy", 0.5), ("hard", hard))
    ]
    return Measured(tuple(points), **changes)


def vitals(matches: int) -> Vitals:
    return Vitals(
        seconds=matches / 10,
        matches=matches,
        matches_per_second=12.0,
        updates_per_second=4_500.0,
        error=0.5,
        epsilon=0.05,
        situations=1_234,
        memory=120.0,
        playing=0.6,
        learning=0.2,
    )
