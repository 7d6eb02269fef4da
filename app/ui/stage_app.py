"""Watch it learn: the learners of the stage, which learn on when its screen is closed."""

from functools import cached_property
from typing import TYPE_CHECKING

from textual import on

from app.home.locations import Locations
from app.ui.configured_app import ConfiguredApp
from app.ui.screens.requests import EndStage, OpenStage, OpenTable, SwitchStage

if TYPE_CHECKING:
    from agents.storage.store import Store
    from app.lab.stage.feed import Feed, StageReported
    from app.lab.stage.reports import Report, Saved, Subject

_MOST_WAITING = 3
"""Learners that wait behind the one on the stage."""


class StageApp(ConfiguredApp):
    """An app with a stage. One learner is on it, and a few others may wait behind it."""

    def __init__(self, locations: Locations, ascii_only: bool, delay: float | None) -> None:
        super().__init__(locations, ascii_only, delay)
        self._locations = locations
        self._feed: Feed | None = None
        self._other_feeds: list[Feed] = []

    @cached_property
    def _store(self) -> "Store":
        from agents.storage.store import Store

        return Store(self._locations.qtables)

    def new_feed(self, subject: "Subject") -> "Feed":
        """A learner that learns in processes of its own. Tests replace this."""
        from app.lab.stage.feed import Feed, ProcessFeed, StageReported

        def listen(feed: Feed, report: "Report") -> None:
            self.post_message(StageReported(feed, report))

        return ProcessFeed(subject, self._locations.exports, listen)

    @on(OpenStage)
    async def _open_stage(self, event: OpenStage) -> None:
        from agents.names import own_name
        from agents.registry import check_name

        feed = self._feed
        new = event.fresh or feed is None or not feed.alive
        if feed is not None and own_name(event.agent) and not new:
            asked = (event.game, event.agent)
            if (feed.subject.game, feed.name) != asked and self._room_on_stage:
                new = True
        if new:
            try:
                check_name(event.game, event.agent, self._store)
            except ValueError as error:
                self.notify(str(error), severity="warning", markup=False)
                return
            if event.fresh or (feed is not None and not feed.alive):
                self.end_stage()
            self._begin_stage(event.game, event.agent)
        await self._show_stage()

    @property
    def _room_on_stage(self) -> bool:
        """Whether one more learner can wait while another one learns."""
        return len(self._other_feeds) < _MOST_WAITING

    def _begin_stage(self, game: str, agent: str) -> None:
        """Start a learner. Another one pauses and waits behind it."""
        from app.lab.stage.feed import Phase
        from app.lab.stage.reports import Subject
        from app.match.dealing import fresh_seed

        if self._feed is not None:
            if self._feed.phase in (Phase.STARTING, Phase.LEARNING):
                self._feed.pause()
            self._other_feeds.append(self._feed)
        self._feed = self.new_feed(Subject(game, agent, fresh_seed(), self._locations.qtables))
        self._feed.start()

    async def _show_stage(self) -> None:
        from app.ui.screens.stage import StageScreen

        if self._feed is None:
            return
        if isinstance(self.screen, StageScreen):
            await self.pop_screen()
        others = len(self._other_feeds)
        await self.push_screen(StageScreen(self._feed, self.ascii_only, self._store, others))
        self.cover_if_too_small(self.size)

    @on(SwitchStage)
    async def _switch_stage(self) -> None:
        if self._feed is not None and self._other_feeds:
            self._other_feeds.insert(0, self._feed)
            self._feed = self._other_feeds.pop()
            await self._show_stage()

    @on(EndStage)
    def end_stage(self) -> None:
        """End the learner on the stage. Another one that waits takes its place."""
        if self._feed is not None:
            self._feed.end()
            self._feed = self._other_feeds.pop() if self._other_feeds else None

    async def on_stage_reported(self, event: "StageReported") -> None:
        from app.lab.notices import Failed, Notice
        from app.lab.stage.reports import Saved
        from app.ui.screens.stage import StageScreen

        if event.feed not in (self._feed, *self._other_feeds):
            return
        report = event.report
        event.feed.take(report)
        if isinstance(report, Failed | Notice):
            self.notify(report.sentence, markup=False, severity="warning")
        elif isinstance(report, Saved):
            await self._use_saved(event.feed, report)
        for screen in self.screen_stack:
            if isinstance(screen, StageScreen) and screen.feed is event.feed:
                screen.show(report)

    async def _use_saved(self, feed: "Feed", saved: "Saved") -> None:
        """Say where the values are, open a table with them, or let a fork learn."""
        from app.lab.stage.reports import Purpose
        from app.ui.screens.stage_tables import table_with

        name = feed.name_of(saved)
        if saved.purpose is Purpose.KEEP:
            self.notify(
                f"Saved as {name} after {saved.matches:,} matches. Use this name wherever an agent "
                "is named.",
                timeout=10,
                markup=False,
            )
            return
        if saved.purpose is Purpose.FORK:
            await self._show_fork(feed, saved)
            return
        watch = saved.purpose is Purpose.WATCH
        self.post_message(OpenTable(table_with(feed.subject.game, name, watch, self.delay)))

    async def _show_fork(self, feed: "Feed", saved: "Saved") -> None:
        """Let a fork learn on the stage. The learner it comes from pauses and waits behind it."""
        if not self._room_on_stage or feed is not self._feed:
            self.notify(f"{saved.name} is saved; n shows it.", markup=False)
            return
        self._begin_stage(feed.subject.game, saved.name)
        await self._show_stage()
        self.notify(
            f"{saved.name} learns on with its own settings. The learner it comes from is paused: "
            "o shows the other one.",
            timeout=10,
            markup=False,
        )

    def end_all_stages(self) -> None:
        while self._feed is not None:
            self.end_stage()
