"""The deal of the day: its board, and par in the background."""

import asyncio
from datetime import UTC, date, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from textual import on

from app import __version__
from app.ui.practice_app import PracticeApp
from app.ui.screens.requests import OpenDaily

if TYPE_CHECKING:
    from app.lab.par_process import ParProcesses
    from app.match.seating import TablePlan


class DailyApp(PracticeApp):
    """An app with daily deals."""

    @cached_property
    def par_processes(self) -> "ParProcesses":
        from app.lab.par_process import ParProcesses
        from app.ui.tables import table_class

        return ParProcesses(
            self._locations.history, __version__, lambda game: table_class(game).rotates_start
        )

    def want_par(self, game: str, day: date) -> bool:
        """Compute par in the background; returns whether it is on its way. Tests replace this."""
        return self.par_processes.want(game, day)

    async def want_par_of(self, plan: "TablePlan") -> None:
        """Compute par of the deal of this table while the person plays, unless it is known."""
        from app.records.history_file import HistoryError

        day = date.fromisoformat(plan.daily)
        try:
            known = await asyncio.to_thread(self.practice_book.par, __version__)
        except HistoryError:
            return
        if (plan.game, day) not in known:
            await asyncio.to_thread(self.want_par, plan.game, day)

    def end_par(self) -> None:
        if "par_processes" in self.__dict__:
            self.par_processes.end()

    @on(OpenDaily)
    async def _open_daily(self, event: OpenDaily) -> None:
        from app.ui.screens.daily import DailyScreen

        await self.push_screen(
            DailyScreen(
                self._history,
                self.practice_book,
                __version__,
                datetime.now(UTC).date(),
                event.game,
                self.delay,
                self.want_par,
                self.ascii_only,
            )
        )
