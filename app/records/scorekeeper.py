"""Starts, resumes and finishes the records of matches.

Every call accesses the disk; screens make them in threads.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from agents.storage.bounded import read_end
from app.match.past import Past
from app.match.seating import PERSON, TablePlan
from app.records.history import History, HistoryError, MatchRecord, SeatRecord
from app.records.journal import JournalError, MatchSetup, Recorded, labels_of, read_journal
from app.records.journal_file import SUFFIX, Journal, in_use, new_journal, reopen
from app.records.match_report import MatchReport
from app.records.times import in_iso, utc_now
from engine.game import State

KEPT = 1000
"""Finished journals in the folder. When there are more, the oldest half is archived."""

ARCHIVE = "archive"
"""The folder of old journals, below the folder of journals. They can still be replayed."""

_TAIL = 200
"""Bytes at the end of a journal that contain the last line of a finished match."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An unfinished match.

    left   when it was left, as the time of its file
    """

    path: Path
    setup: MatchSetup
    hand_no: int
    scores: tuple[int, ...]
    left: float = 0.0

    @property
    def watched(self) -> bool:
        return PERSON not in self.setup.players

    def words(self, hand_word: str) -> str:
        """`hand 4, 6 : 7`. hand_word: the game's word for a hand."""
        scores = " : ".join(map(str, self.scores)).replace("-", "−")
        return f"{hand_word} {self.hand_no}, {scores}"


class Scorekeeper:
    """The journals in a folder, and the history.

    notices   sentences for the person, e.g. about a journal that cannot be read
    """

    def __init__(
        self, games: Path, history: History, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self.games = games
        self.notices: list[str] = []
        self._history = history
        self._clock = clock
        self._unreadable: set[Path] = set()
        self._unsaved: list[tuple[MatchRecord | None, Journal]] = []

    def begin(self, plan: TablePlan, seed: int, first: int | None) -> Journal:
        """A journal for a new match."""
        now = self._clock()
        return new_journal(self.games, MatchSetup.of(plan, seed, first, in_iso(now)), now)

    def begin_from(self, setup: MatchSetup, past: Past) -> Journal:
        """A journal for a match that continues another one from this position."""
        now = self._clock()
        setup = replace(setup, started=in_iso(now), daily="")
        journal = new_journal(self.games, setup, now)
        journal.begin_with(past, labels_of(setup.deal(), past.actions))
        return journal

    def find(self, name: str) -> Recorded:
        """Read a journal in the home folder. Raises JournalError."""
        return read_journal(find_journal(self.games, name))

    def resume(self, path: Path) -> tuple[Recorded, Journal]:
        """Read a journal and continue it. Raises JournalError."""
        recorded, journal = reopen(path)
        if recorded.over:
            journal.close()
            raise JournalError("That match is over.")
        return recorded, journal

    def waiting(self) -> list[Waiting]:
        """The unfinished matches that are not open in a window, the one left last first."""
        self.save_rest()
        try:
            paths = sorted(self.games.glob(f"*{SUFFIX}"), reverse=True)
        except OSError:
            return []
        found = []
        ended = []
        finished = {journal.path for _, journal in self._unsaved}
        for path in paths:
            if path in finished or path in self._unreadable:
                continue
            if _has_ended(path):
                ended.append(path)
                continue
            if in_use(path):
                continue
            try:
                recorded = read_journal(path)
            except JournalError as error:
                self._unreadable.add(path)
                self.notices.append(f"A match cannot be resumed: {error}")
                continue
            if recorded.over:
                self._finish_later(path)
            else:
                state = recorded.state
                scores = tuple(state.scores())
                left = _time_of(path)
                found.append(Waiting(path, recorded.setup, state.hand_no, scores, left))
        if len(ended) > KEPT:
            self._archive(ended[KEPT // 2 :])
        return sorted(found, key=lambda match: match.left, reverse=True)

    def _archive(self, paths: Sequence[Path]) -> None:
        """Move journals of finished matches to the archive, so that looking for unfinished ones
        stays fast. A journal that cannot be moved stays."""
        folder = self.games / ARCHIVE
        with suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            for path in paths:
                target = folder / path.name
                if not os.path.lexists(target):
                    os.rename(path, target)

    def discard(self, path: Path) -> None:
        """Delete an unfinished match."""
        if in_use(path):
            self.notices.append("That match is open in another window.")
            return
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            self.notices.append(f"{path.name} cannot be deleted: {error.strerror}.")

    def finish(self, journal: Journal, state: State, past: Past) -> None:
        """Add the result to the history, then end the journal.

        If the program is killed in between, `waiting` does the rest later.
        """
        self.save_rest()
        finished = self._clock()
        record = _record(journal.setup, state, past, in_iso(finished), journal.path.name)
        saved = self._add(record)
        journal.end(finished)
        if not saved or journal.unwritten:
            self._unsaved.append((None if saved else record, journal))

    def keep_report(self, report: MatchReport) -> None:
        """Add the coach's report on a match to the history. Raises HistoryError."""
        self._history.add_report(report)

    def save_rest(self) -> None:
        """Save the results of matches that could not be saved when they ended. They stay in memory
        until the disk has space again."""
        waiting, self._unsaved = self._unsaved, []
        for record, journal in waiting:
            saved = record is None or self._known(record) or self._add(record, quiet=True)
            if not saved or (journal.unwritten and not journal.write_rest()):
                self._unsaved.append((None if saved else record, journal))

    def _known(self, record: MatchRecord) -> bool:
        """Whether another window has finished this match meanwhile."""
        try:
            return any(
                match.journal == record.journal for match in self._history.matches(record.game)
            )
        except HistoryError:
            return False

    def _add(self, record: MatchRecord, quiet: bool = False) -> bool:
        """Add a result to the history. Returns whether it worked."""
        try:
            self._history.add_match(record)
        except HistoryError as error:
            if not quiet:
                self.notices.append(f"{error} The result is kept until it can be saved.")
            return False
        finally:
            self.notices += self._history.notices
            self._history.notices.clear()
        return True

    def _finish_later(self, path: Path) -> None:
        """Finish a match whose journal lacks its end, because the program was killed."""
        with suppress(JournalError, HistoryError):
            recorded, journal = reopen(path)
            game = recorded.setup.game
            if recorded.finished:
                pass  # Another window has just finished it.
            elif any(match.journal == path.name for match in self._history.matches(game)):
                journal.end(self._clock())
            else:
                self.finish(journal, recorded.state, recorded.past)
            journal.close()


def find_journal(games: Path, name: str) -> Path:
    """The path of the journal with this name, which may be in the archive."""
    name = Path(name).name
    archived = games / ARCHIVE / name
    return archived if archived.exists() and not (games / name).exists() else games / name


def _time_of(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _has_ended(path: Path) -> bool:
    """Whether there is nothing to resume; also true for an empty file."""
    try:
        lines = read_end(path, _TAIL).rstrip().rsplit(b"\n", 1)
    except OSError:
        return True
    return not lines[-1] or lines[-1].startswith(b'{"end":')


def _record(
    setup: MatchSetup, state: State, past: Past, finished: str, journal: str
) -> MatchRecord:
    side_of = {seat: side for side, seats in enumerate(state.sides) for seat in seats}
    results = state.returns()
    seats = [
        SeatRecord(name, player, side_of[seat], results[seat])
        for seat, (name, player) in enumerate(zip(setup.names, setup.players, strict=True))
    ]
    return MatchRecord(
        setup.game,
        dict(setup.options),
        setup.seed,
        tuple(seats),
        tuple([float(score) for score in state.scores()]),
        state.hand_no,
        setup.started,
        finished,
        watched=PERSON not in setup.players,
        assisted=past.assisted,
        unrated=past.unrated,
        journal=journal,
    )
