"""What a screen asks the app for: other screens."""

from textual.message import Message

from app.seating import TablePlan


class OpenTable(Message):
    """Deal at this table, in place of the one that is open."""

    def __init__(self, plan: TablePlan) -> None:
        super().__init__()
        self.plan = plan


class OpenForm(Message):
    """Choose seats and options for a new table of this game."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game


class OpenRules(Message):
    """Read the rules of this game."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game


class GoHome(Message):
    """Leave the table."""


class OpenSettings(Message):
    """Look at the settings and change them."""
