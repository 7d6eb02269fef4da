"""Messages by which a screen asks the app to open another screen."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from app.match.moment import Thought
    from app.match.past import Past
    from app.match.seating import TablePlan
    from app.records.journal import MatchSetup
    from app.study.coach import Coach
    from app.study.practice import Session


class OpenTable(Message):
    """Deal at this table and close the current one.

    offers_guide   whether a person who is new to the game may be offered a guided hand first
    """

    def __init__(self, plan: "TablePlan", offers_guide: bool = False) -> None:
        super().__init__()
        self.plan = plan
        self.offers_guide = offers_guide


class OpenGuide(Message):
    """Play the guided first hand of this game and close the current table."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game


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
    """Review a hand of a match at this table.

    actions   all actions of the match so far
    """

    def __init__(self, plan: "TablePlan", seed: int, actions: Sequence[int], hand_no: int) -> None:
        super().__init__()
        self.plan = plan
        self.seed = seed
        self.actions = actions
        self.hand_no = hand_no


class OpenSummary(Message):
    """Show the summary of a finished match at this table.

    actions   all actions of the match
    coach     that has examined it
    """

    def __init__(
        self, plan: "TablePlan", seed: int, actions: Sequence[int], coach: "Coach | None" = None
    ) -> None:
        super().__init__()
        self.plan = plan
        self.seed = seed
        self.actions = actions
        self.coach = coach


class OpenHistory(Message):
    """Open History."""


class OpenStats(Message):
    """Open Stats."""


class OpenReplay(Message):
    """Replay a match. journal: the name of its file."""

    def __init__(self, journal: str) -> None:
        super().__init__()
        self.journal = journal


class OpenWaiting(Message):
    """List the unfinished matches."""


class ResumeMatch(Message):
    """Resume the match of this journal."""

    def __init__(self, journal: Path) -> None:
        super().__init__()
        self.journal = journal


class PlayOn(Message):
    """Start a match from a position of another one."""

    def __init__(self, setup: "MatchSetup", past: "Past") -> None:
        super().__init__()
        self.setup = setup
        self.past = past


class OpenExplorer(Message):
    """Open the explorer for an agent.

    thoughts    decisions of the hand at the table, whose positions are shown first
    situation   a situation that is shown first, and the move that was made there in words
    """

    def __init__(
        self,
        game: str,
        agent: str,
        thoughts: "Sequence[Thought]" = (),
        situation: tuple[int, ...] = (),
        move: str = "",
    ) -> None:
        super().__init__()
        self.game = game
        self.agent = agent
        self.thoughts = thoughts
        self.situation = situation
        self.move = move


class OpenLab(Message):
    """Open the Lab at this game."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game


class OpenStage(Message):
    """Watch a new learner learn, or go on watching the current one.

    fresh   whether to start a new one in any case
    """

    def __init__(self, game: str, agent: str = "neural", fresh: bool = False) -> None:
        super().__init__()
        self.game = game
        self.agent = agent
        self.fresh = fresh


class EndStage(Message):
    """End the learner on the stage."""


class SwitchStage(Message):
    """Show the other learner on the stage."""


class GoHome(Message):
    """Leave the table."""


class OpenSettings(Message):
    """Open Settings."""


class OpenPractice(Message):
    """Practise.

    game    only this one; empty for all
    first   the game whose new exercises come first
    """

    def __init__(self, game: str = "", first: str = "") -> None:
        super().__init__()
        self.game = game
        self.first = first


class OpenDaily(Message):
    """Open the board of daily deals. game: the row with the cursor"""

    def __init__(self, game: str = "") -> None:
        super().__init__()
        self.game = game


class NextExercise(Message):
    """Show the next exercise in place of the one on the screen."""

    def __init__(self, session: "Session") -> None:
        super().__init__()
        self.session = session
