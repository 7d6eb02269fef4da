"""Tips for newcomers: short lines for each game, each shown once."""

import json
from pathlib import Path
from typing import Final

from agents.storage.bounded import read_bounded
from agents.storage.files import write_atomic
from app.match.moment import NOBODY, Moment
from engine.manifest import GAME_ROWS, Occasion

_LARGEST: Final = 1 << 16

MOST_CHARACTERS: Final = 51
"""What fits into the narrowest window next to `Tip:` and the frame."""


class SeenTips:
    """Stores how many tips of each game have been shown. Reads and writes the disk.

    If the file cannot be read or written, a tip is merely shown twice.
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
            write_atomic(self._path, json.dumps(counts).encode())
        except OSError:
            return

    def _read(self) -> dict[str, object]:
        try:
            found = json.loads(read_bounded(self._path, _LARGEST))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


class TipGiver:
    """Gives the tips of a game in order, at most one per question."""

    def __init__(self, game: str, seen: SeenTips) -> None:
        self._game = game
        self._seen = seen
        self._given = seen.count(game)

    def next_for(self, moment: Moment, card_asked: bool) -> str:
        """The tip for the current question; empty if there is none."""
        left = GAME_ROWS[self._game].tips[self._given :]
        if not left or left[0].when not in _occasions(moment, card_asked):
            return ""
        self._given += 1
        return left[0].text

    def remember(self) -> None:
        """Save how many tips have been shown. Writes the disk."""
        self._seen.keep(self._game, self._given)


def _occasions(moment: Moment, card_asked: bool) -> set[Occasion]:
    if moment.ending is not None:
        return {Occasion.END}
    if moment.asked == NOBODY:
        return set()
    return {Occasion.QUESTION, Occasion.CARD} if card_asked else {Occasion.QUESTION}
