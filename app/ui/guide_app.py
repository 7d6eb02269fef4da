"""How games are played: rules, guided first hands, and teaching in the first matches."""

import asyncio
from typing import TYPE_CHECKING

from textual import on

from app.home.locations import rules_page
from app.ui.practice_app import PracticeApp
from app.ui.screens.requests import OpenGuide, OpenRules

if TYPE_CHECKING:
    from app.match.seating import TablePlan


class GuideApp(PracticeApp):
    """An app that shows how games are played."""

    @on(OpenGuide)
    async def _open_guide(self, event: OpenGuide) -> None:
        from app.guides.guide import load_guide
        from app.ui.screens.guide import GuideScreen

        try:
            guide = await asyncio.to_thread(load_guide, event.game)
        except ValueError as error:
            self.notify(str(error), markup=False)
            return
        await self._back_to_home()
        await self.push_screen(
            GuideScreen(guide, self._store, self.ascii_only, self.delay, self._clock)
        )
        self.cover_if_too_small(self.size)

    @on(OpenRules)
    async def _open_rules(self, event: OpenRules) -> None:
        from app.ui.screens.rules import RulesScreen
        from engine import GAMES

        try:
            page = rules_page(event.game)
        except OSError:
            self.notify(f"The rules of {GAMES[event.game].title} are missing; reinstall Kibitz.")
        else:
            await self.push_screen(RulesScreen(page, event.game))

    async def _back_to_home(self) -> None:
        """Close every screen above Home. Tables are saved."""
        raise NotImplementedError

    async def offer_guide(self, plan: "TablePlan") -> bool:
        """Offer a guided hand before the first match of a game, once. Returns whether it was
        offered; then the answer decides what follows."""
        if not self.settings.tips or not await asyncio.to_thread(self._is_new, plan.game):
            return False
        from app.ui.screens.guide_offer import GUIDE, MATCH, GuideOffer
        from engine.manifest import GAME_ROWS

        async def answered(answer: str | None) -> None:
            if answer == GUIDE:
                self.post_message(OpenGuide(plan.game))
            elif answer == MATCH:
                await self.seat(plan)

        await self.push_screen(GuideOffer(GAME_ROWS[plan.game], self.ascii_only), answered)
        return True

    async def seat(self, plan: "TablePlan") -> None:
        """Open a table."""
        raise NotImplementedError

    def _is_new(self, game: str) -> bool:
        """Whether a game was never finished and its guide never offered. From now on it counts as
        offered. Accesses the disk."""
        from app.guides.guide import has_guide
        from app.ui.screens.tips import SeenTips

        seen = SeenTips(self._locations.guides)
        if not has_guide(game) or seen.count(game) or self._finished(game):
            return False
        seen.keep(game, 1)
        return True

    def _finished(self, game: str) -> int:
        """How many matches of this game the person has finished. Reads the disk."""
        from app.records.history import HistoryError

        try:
            return sum(match.own is not None for match in self._history.matches(game))
        except HistoryError:
            return 0

    def tell_about_teaching(self, plan: "TablePlan", chosen: bool) -> None:
        """Say that a match is unrated. chosen: whether the person asked for teaching"""
        from app.match.teaching import told
        from engine.manifest import GAME_ROWS

        self.notify(told(plan, GAME_ROWS[plan.game].title, chosen), timeout=8, markup=False)

    def decide_teaching(self, plan: "TablePlan") -> "TablePlan":
        """Decide whether costly moves are pointed out in a match. Reads the disk."""
        from app.match.teaching import with_teaching

        return with_teaching(plan, self.settings.teaching, self._finished(plan.game))
