"""Tips for newcomers: three short lines at each game, shown one at a time, each only once."""

import json
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final

from agents.files import write_whole
from app.moment import NOBODY, Moment

MOST_CHARACTERS: Final = 51
"""What the narrowest window has room for beside the word `Tip:` and a frame."""


class Occasion(Enum):
    """When a tip is worth something."""

    QUESTION = auto()
    """The person is asked for anything."""

    CARD = auto()
    """The person is asked for a card."""

    END = auto()
    """A hand is over."""


@dataclass(frozen=True, slots=True)
class Tip:
    when: Occasion
    text: str


_LOOK_BACK: Final = Tip(Occasion.END, "v weighs your moves, w tells why others did theirs.")

TIPS: Final = {
    "euchre": (
        Tip(Occasion.QUESTION, "The two jacks of the trump colour beat all else."),
        Tip(Occasion.CARD, "? asks the strongest agent, r opens the rules."),
        _LOOK_BACK,
    ),
    "smear": (
        Tip(Occasion.QUESTION, "Bet how many of low, high, jack and game you take."),
        Tip(Occasion.CARD, "You may always trump; ? asks the strongest agent."),
        _LOOK_BACK,
    ),
    "truco": (
        Tip(Occasion.QUESTION, "Piezas, five of the muestra's suit, beat all else."),
        Tip(Occasion.QUESTION, "t raises the stake; ? asks the strongest agent."),
        _LOOK_BACK,
    ),
    "fodinha": (
        Tip(Occasion.QUESTION, "Each trick above or below your call costs a life."),
        Tip(Occasion.CARD, "Equal ranks cancel each other, power cards do not."),
        _LOOK_BACK,
    ),
    "notty": (
        Tip(Occasion.QUESTION, "Draw, steal and exchange: once each, in any order."),
        Tip(Occasion.QUESTION, "g marks a group that you hold, Enter discards it."),
        Tip(Occasion.QUESTION, "? asks the strongest agent, r opens the rules."),
    ),
}


class SeenTips:
    """How many tips of each game have been seen, in a file. Touches the disk.

    A file that cannot be read or written only means that a tip is seen twice.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def count(self, game: str) -> int:
        seen = self._read().get(game)
        return seen if type(seen) is int and seen > 0 else 0

    def keep(self, game: str, count: int) -> None:
        counts = self._read() | {game: count}
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._path, json.dumps(counts).encode())
        except OSError:
            return

    def _read(self) -> dict[str, object]:
        try:
            found = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


class TipGiver:
    """Hands out the tips of a game in their order, at most one for a question."""

    def __init__(self, game: str, seen: SeenTips) -> None:
        self._game = game
        self._seen = seen
        self._given = seen.count(game)

    def next_for(self, moment: Moment, card_asked: bool) -> str:
        """The tip for what a person is asked now; empty if there is none."""
        left = TIPS[self._game][self._given :]
        if not left or left[0].when not in _occasions(moment, card_asked):
            return ""
        self._given += 1
        return left[0].text

    def remember(self) -> None:
        """Write down what has been given. Touches the disk."""
        self._seen.keep(self._game, self._given)


def _occasions(moment: Moment, card_asked: bool) -> set[Occasion]:
    if moment.ending is not None:
        return {Occasion.END}
    if moment.asked == NOBODY:
        return set()
    return {Occasion.QUESTION, Occasion.CARD} if card_asked else {Occasion.QUESTION}
