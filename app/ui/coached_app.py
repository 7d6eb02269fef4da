"""The part of the app that has coaches: one for each match that a person plays."""

from typing import TYPE_CHECKING

from app.home.visitor import is_visitor
from app.ui.stage_app import StageApp

if TYPE_CHECKING:
    from app.records.journal import MatchSetup
    from app.study.coach import Coach


class CoachedApp(StageApp):
    coaches_allowed: bool | None = None
    """Whether matches have coaches if the settings say so; None outside of tests only."""

    _coaches: "tuple[Coach, ...]" = ()
    """Those that may still be at work."""

    @property
    def coached(self) -> bool:
        """Whether a new match has a coach. Visitors have none, since many may play at once."""
        allowed = self.coaches_allowed
        if allowed is None:
            allowed = not self.is_headless and not is_visitor()
        return allowed and self.settings.coach

    def new_coach(self, setup: "MatchSetup") -> "Coach":
        from app.study.coach import Coach

        coach = Coach(setup)
        self._coaches = (*[each for each in self._coaches if not each.ended], coach)
        return coach

    def end_coaches(self) -> None:
        """End their processes. Reports on matches that are over are saved."""
        for coach in self._coaches:
            coach.end()
