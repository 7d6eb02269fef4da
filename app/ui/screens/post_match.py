"""What can be done when a match is over."""

from textual.screen import Screen

from app.match.seating import TablePlan, watched
from app.ui.layout.pictures import Choice
from app.ui.screens.requests import GoHome, OpenForm, OpenTable


class PostMatchActions(Screen[None]):
    """A screen that is about a match at this table."""

    plan: TablePlan

    def ways_on(self, reviews: list[Choice]) -> list[Choice]:
        """To the next match, to a look back, and out."""
        others = "Other opponents" if self.plan.persons else "Other players"
        ways = [Choice("Again", command="again"), Choice(others, command="new")]
        if self.plan.persons:
            ways.append(Choice("Watch", command="watch"))
        return [*ways, *reviews, Choice("Home", command="home")]

    def key_names(self, choices: list[Choice]) -> dict[str, str]:
        """How the keys that choices have of their own read, by id."""
        if not any(choice.key for choice in choices):
            return {}
        bindings = [active.binding for active in self.active_bindings.values()]
        return {binding.id: self.app.get_key_display(binding) for binding in bindings if binding.id}

    def action_again(self) -> None:
        self.post_message(OpenTable(self.plan.again()))

    def action_new(self) -> None:
        self.post_message(OpenForm(self.plan.game))

    def action_watch(self) -> None:
        """The same table, with an agent in the place of every person."""
        self.post_message(OpenTable(watched(self.plan)))

    def action_home(self) -> None:
        self.post_message(GoHome())
