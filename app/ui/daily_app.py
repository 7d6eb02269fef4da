"""The deal of the day: its board, and par in the background."""

import asyncio
from datetime import UTC, date, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from textual import on

from app.ui.practice_app import PracticeApp
from app.ui.screens.requests import OpenDaily

if TYPE_CHECKING:
    from app.lab.par_process import ParProcesses
    from app.match.seating import TablePlan


class DailyApp(PracticeApp):
    """An app with daily deals."""

    @cached_property
    def par_processes(self) -> "ParProcesses":
        from agents.program_digest import program_digest
        from app.lab.par_process import ParProcesses
        from app.ui.tables import table_class

        return ParProcesses(
            self._locations.history, program_digest(), lambda game: table_class(game).rotates_start
        )

    def want_par(self, game: str, day: date) -> bool:
        """Compute par in the background; returns whether it is on its way. Tests replace this."""
        return self.par_processes.want(game, day)

    async def want_par_of(self, plan: "TablePlan") -> None:
        """Compute par of the deal of this table while the person plays, unless it is known."""
        from agents.program_digest import program_digest
        from app.records.history_file import HistoryError

        day = date.fromisoformat(plan.daily)
        program = await asyncio.to_thread(program_digest)
        try:
            known = await asyncio.to_thread(self.practice_book.par, program)
        except HistoryError:
            return
        if (plan.game, day) not in known:
            await asyncio.to_thread(self.want_par, plan.game, day)

    def end_par(self) -> None:
        if "par_processes" in self.__dict__:
            self.par_processes.end()

    @on(OpenDaily)
    async def _open_daily(self, event: OpenDaily) -> None:
        from agents.program_digest import program_digest
        from app.ui.screens.daily import DailyScreen

        program = await asyncio.to_thread(program_digest)
        await self.push_screen(
            DailyScreen(
                self._history,
                self.practice_book,
                program,
                datetime.now(UTC).date(),
                event.game,
                self.delay,
                self.want_par,
                self.ascii_only,
            )
        )
