"""The part of the app that replays recorded matches."""

import asyncio
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from textual import on

from app.ui.coached_app import CoachedApp
from app.ui.practice_app import PracticeApp
from app.ui.screens.requests import OpenReplay

if TYPE_CHECKING:
    from app.records.journal import Recorded
    from app.records.match_report import MatchReport
    from app.records.scorekeeper import Scorekeeper


class ReplayApp(CoachedApp, PracticeApp):
    @cached_property
    def _keeper(self) -> "Scorekeeper":
        from app.records.scorekeeper import Scorekeeper

        return Scorekeeper(self._locations.games, self._history)

    @on(OpenReplay)
    async def _open_replay(self, event: OpenReplay) -> None:
        from app.records.journal import JournalError

        try:
            recorded = await asyncio.to_thread(self._keeper.find, event.journal)
        except JournalError as error:
            self.notify(str(error), markup=False)
        else:
            await self._show_replay(recorded)

    async def _show_replay(self, recorded: "Recorded", coach_now: bool = False) -> None:
        from app.records.journal import JournalError
        from app.study.commentary import kept_commentary
        from app.ui.screens.replay import ReplayScreen

        def keep(report: "MatchReport") -> None:
            """Keep the report if this journal is among those of the home folder."""
            with suppress(JournalError):
                if self._keeper.find(recorded.name).setup == recorded.setup:
                    self._keeper.keep_report(report)

        await self.push_screen(
            ReplayScreen(
                recorded,
                self._store,
                self.ascii_only,
                lambda recorded: kept_commentary(self._history, recorded),
                keep,
                coach_now,
            )
        )
        self.cover_if_too_small(self.size)
