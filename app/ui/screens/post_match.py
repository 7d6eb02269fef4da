"""The choices at the end of a match."""

from textual.screen import Screen

from app.match.seating import TablePlan, watched
from app.ui.layout.pictures import Choice
from app.ui.screens.requests import GoHome, OpenDaily, OpenForm, OpenTable
from app.ui.screens.table_keys import AGAIN_KEY, BACK_KEY, DAILY_KEY, NEW_KEY, REVIEW_KEY, WATCH_KEY


class PostMatchActions(Screen[None]):
    """A screen about a match at this table."""

    plan: TablePlan
    home_key = BACK_KEY

    def ways_on(self, reviews: list[Choice]) -> list[Choice]:
        """Play again, look back, or leave."""
        ways = [
            Choice("Again", command="again", key=AGAIN_KEY),
            Choice("New table", command="new", key=NEW_KEY),
        ]
        if self.plan.persons:
            ways.append(Choice("Watch", command="watch", key=WATCH_KEY))
        if self.plan.daily:
            ways.insert(0, Choice("Par", command="daily", key=DAILY_KEY))
        return [*ways, *reviews, Choice("Home", command="home", key=self.home_key)]

    @staticmethod
    def review_choice() -> Choice:
        return Choice("Review", command="review", key=REVIEW_KEY)

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

    def action_daily(self) -> None:
        """What agents scored in this deal, and your week."""
        self.post_message(OpenDaily(self.plan.game))

    def action_home(self) -> None:
        self.post_message(GoHome())
