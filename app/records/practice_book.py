"""The exercises and answers of a person, and par of the daily deals, in the history.

Every call accesses the disk; screens make them in threads.
"""

import json
from collections.abc import Callable, Iterable
from datetime import date, datetime
from pathlib import Path

from app.records.history_file import HistoryFile
from app.records.history_rows import Rows
from app.records.practice_rows import (
    Attempt,
    Par,
    StoredExercise,
    attempt_in,
    par_in,
    stored_exercise_in,
)
from app.records.times import utc_now


class PracticeBook:
    """notices: sentences for the person, oldest first."""

    def __init__(self, path: Path, clock: Callable[[], datetime] = utc_now) -> None:
        """path: of the history; clock: names the files moved aside."""
        self._file = HistoryFile(path, clock)

    @property
    def notices(self) -> list[str]:
        return self._file.notices

    def exercises(self) -> list[StoredExercise]:
        """All exercises, oldest first."""
        return self._file.read(lambda rows: rows.select("exercises", stored_exercise_in), [])

    def add_exercises(self, exercises: Iterable[StoredExercise]) -> int:
        """Add those whose positions are new. Returns how many."""
        wanted = list(exercises)
        if not wanted:
            return 0

        def add(rows: Rows) -> int:
            known = {each.key for each in rows.select("exercises", stored_exercise_in)}
            added = 0
            for each in wanted:
                if each.key not in known:
                    known.add(each.key)
                    rows.insert(
                        "exercises",
                        game=each.game,
                        key=each.key,
                        source=each.source,
                        journal=each.journal,
                        exercise=each.exercise,
                    )
                    added += 1
            return added

        return self._file.write(add)

    def answers(self) -> list[Attempt]:
        """All answers, oldest first."""
        return self._file.read(lambda rows: rows.select("answers", attempt_in), [])

    def add_answers(self, answers: Iterable[Attempt]) -> int:
        """Add answers; returns how many. The same answer twice is two answers."""
        wanted = list(answers)
        if not wanted:
            return 0

        def add(rows: Rows) -> int:
            for each in wanted:
                rows.insert(
                    "answers",
                    game=each.game,
                    key=each.key,
                    day=each.day.isoformat(),
                    grade=each.grade,
                    move=each.move,
                )
            return len(wanted)

        return self._file.write(add)

    # Par of the daily deals

    def par(self, program: str) -> dict[tuple[str, date], Par]:
        """Par by game and day, as this program computed it."""

        def look(rows: Rows) -> dict[tuple[str, date], Par]:
            found = rows.select("par", par_in, {"version": program})
            return {(each.game, each.day): each for each in found}

        return self._file.read(look, {})

    def add_par(self, par: Par) -> None:
        """Keep par of a daily deal in place of what another program computed."""

        def add(rows: Rows) -> None:
            day = par.day.isoformat()
            rows.delete("par", game=par.game, day=day)
            margins = json.dumps(dict(par.margins))
            rows.insert("par", game=par.game, day=day, version=par.program, margins=margins)

        self._file.write(add)
