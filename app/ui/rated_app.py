"""New tables, which know the person's rating, and seats that match it."""

import asyncio
from typing import TYPE_CHECKING

from textual import on

from app.ui.daily_app import DailyApp
from app.ui.screens.requests import OpenForm

if TYPE_CHECKING:
    from app.match.seating import TablePlan


class RatedApp(DailyApp):
    """An app in which the person has a rating."""

    async def with_matched(self, plan: "TablePlan") -> "TablePlan":
        """The plan with agents in the seats of matched opponents."""
        from app.records.matched import seated

        return await asyncio.to_thread(seated, plan, self._history)

    @on(OpenForm)
    async def _open_form(self, event: OpenForm) -> None:
        from app.records.personal_rating import known_ratings
        from app.ui.screens.new_table import NewTableScreen
        from engine import GAMES

        ratings = await asyncio.to_thread(known_ratings, self._history)
        await self.push_screen(
            NewTableScreen(
                GAMES[event.game],
                self.delay,
                self._store,
                self.ascii_only,
                self.settings.teaching,
                ratings,
            )
        )
