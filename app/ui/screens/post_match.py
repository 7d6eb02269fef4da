"""The choices at the end of a match."""

from textual.screen import Screen

from app.match.seating import TablePlan, watched
from app.ui.layout.pictures import Choice
from app.ui.screens.requests import GoHome, OpenForm, OpenTable


class PostMatchActions(Screen[None]):
    """A screen about a match at this table."""

    plan: TablePlan

    def ways_on(self, reviews: list[Choice]) -> list[Choice]:
        """Play again, look back, or leave."""
        others = "Other opponents" if self.plan.persons else "Other players"
        ways = [Choice("Again", command="again"), Choice(others, command="new")]
        if self.plan.persons:
            ways.append(Choice("Watch", command="watch"))
        return [*ways, *reviews, Choice("Home", command="home")]

    def key_names(self, choices: list[Choice]) -> dict[str, str]:
        """The displayed key of each choice, by binding id."""
        if not any(choice.key for choice in choices):
            return {}
        bindings = [active.binding for active in self.active_bindings.values()]
        return {binding.id: self.app.get_key_display(binding) for binding in bindings if binding.id}

    def action_again(self) -> None:
        self.post_message(OpenTable(self.plan.again()))

    def action_new(self) -> None:
        self.post_message(OpenForm(self.plan.game))

    def action_watch(self) -> None:
        """The same table with an agent in place of each person."""
        self.post_message(OpenTable(watched(self.plan)))

    def action_home(self) -> None:
        self.post_message(GoHome())
