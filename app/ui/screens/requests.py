"""What a screen asks the app for: other screens."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from app.match.moment import Thought
    from app.match.past import Past
    from app.match.seating import TablePlan
    from app.records.journal import MatchSetup


class OpenTable(Message):
    """Deal at this table, in place of the one that is open."""

    def __init__(self, plan: "TablePlan") -> None:
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


class OpenReview(Message):
    """Look back on a hand of a match at this table.

    actions   all of the match so far
    """

    def __init__(self, plan: "TablePlan", seed: int, actions: Sequence[int], hand_no: int) -> None:
        super().__init__()
        self.plan = plan
        self.seed = seed
        self.actions = actions
        self.hand_no = hand_no


class OpenSummary(Message):
    """See what a finished match at this table came to.

    actions   all of the match
    """

    def __init__(self, plan: "TablePlan", seed: int, actions: Sequence[int]) -> None:
        super().__init__()
        self.plan = plan
        self.seed = seed
        self.actions = actions


class OpenHistory(Message):
    """Look at the matches that are over."""


class OpenStats(Message):
    """Look at your record."""


class OpenReplay(Message):
    """Go through a match again; journal: the name of its file."""

    def __init__(self, journal: str) -> None:
        super().__init__()
        self.journal = journal


class OpenWaiting(Message):
    """Look at the matches that were left unfinished, those of this game first."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game


class ResumeMatch(Message):
    """Go on with the match of this journal, where it was left."""

    def __init__(self, journal: Path) -> None:
        super().__init__()
        self.journal = journal


class PlayOn(Message):
    """Begin a match that goes on from a position of another one."""

    def __init__(self, setup: "MatchSetup", past: "Past") -> None:
        super().__init__()
        self.setup = setup
        self.past = past


class OpenExplorer(Message):
    """Read what an agent has learned.

    thoughts   of the hand at the table, whose positions are then shown first
    """

    def __init__(self, game: str, agent: str, thoughts: "Sequence[Thought]" = ()) -> None:
        super().__init__()
        self.game = game
        self.agent = agent
        self.thoughts = thoughts


class OpenLab(Message):
    """See how well the agents of this game play, and train them."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game


class GoHome(Message):
    """Leave the table."""


class OpenSettings(Message):
    """Look at the settings and change them."""
