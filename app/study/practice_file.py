"""Exercises and answers in a file, to take along or to give away.

The first line names the format; every other line is an exercise or an answer, as JSON. Nothing in
a file of another person is trusted: positions are replayed, and moves are weighed anew.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from agents.storage.bounded import check_ours, read_bounded
from agents.storage.files import reason_of, write_atomic
from app.records.practice_book import PracticeBook
from app.records.practice_rows import Attempt, attempt_in
from app.study.collection import all_exercises, stored
from app.study.exercises import LARGEST, Exercise, ExerciseError, Source, exercise_in

SUFFIX: Final = ".kibitz-practice"
_FORMAT: Final = "kibitz practice"
_VERSION: Final = 1
_HEADER: Final = json.dumps({_FORMAT: _VERSION})
LARGEST_FILE: Final = 16 << 20
"""Bytes."""

MOST: Final = 2000
"""Exercises that are read from one file: each is replayed."""

_MOST_ANSWERS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Imported:
    """How many exercises and answers were new, and how many were already known."""

    exercises: int
    answers: int
    known: int

    def words(self) -> str:
        exercises = f"{self.exercises} new exercise{'s' * (self.exercises != 1)}"
        known = f", {self.known} known already" if self.known else ""
        answers = f" and {self.answers} answer{'s' * (self.answers != 1)}" if self.answers else ""
        return f"{exercises}{answers}{known}."


def export_practice(book: PracticeBook, path: Path, replace_file: bool = False) -> str:
    """Write the stored exercises and all answers to a file. Returns a sentence.

    replace_file   whether to replace an earlier export

    Exercises that come with the program are not repeated. Raises ValueError.
    """
    if path.exists() and not replace_file:
        raise ValueError(f"{path} exists already; choose another file or give --replace.")
    check_ours(path, (_HEADER.encode(),))
    exercises = [json.loads(each.exercise) | {"from": each.source} for each in book.exercises()]
    answers = book.answers()
    lines = [_HEADER]
    lines += [_line({"exercise": each}) for each in exercises]
    lines += [_line({"answer": _answer_dict(each)}) for each in answers]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, ("\n".join(lines) + "\n").encode(), private=False)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {reason_of(error)}.") from error
    return f"{len(exercises)} exercises and {len(answers)} answers are in {path}."


def import_practice(book: PracticeBook, path: Path, mine: bool, today: date) -> Imported:
    """Add the exercises of a file.

    mine   whether the answers are taken over too, because the file is the person's own

    Raises ValueError with a sentence if anything in the file makes no sense; then nothing is
    added.
    """
    exercises, answers = read_practice(path, mine)
    known = {each.key for each in all_exercises(book)}
    new = [each for each in exercises if each.key not in known]
    count = book.add_exercises([stored(each) for each in new])
    found: list[Attempt] = []
    if mine:
        keys = known | {each.key for each in exercises}
        before = set(book.answers())
        found = [
            each
            for each in answers
            if each.key in keys and each.day <= today and each not in before
        ]
        book.add_answers(found)
    return Imported(count, len(found), len(exercises) - count)


def read_practice(path: Path, mine: bool = False) -> tuple[list[Exercise], list[Attempt]]:
    """The exercises of a file, replayed, and its answers. Raises ValueError."""
    try:
        text = read_bounded(path, LARGEST_FILE).decode("utf-8")
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason_of(error)}.") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a file of kibitz practice export.") from error
    lines = text.split("\n")
    if lines[0].strip() != _HEADER:
        raise ValueError(f"{path} is not a file of kibitz practice export.")
    exercises: list[Exercise] = []
    answers: list[Attempt] = []
    for number, found in _parsed(lines[1:], path):
        where = f"{path}, line {number}"
        try:
            if "exercise" in found:
                exercises.append(_exercise(found["exercise"], mine))
            else:
                answers.append(attempt_in(found["answer"]))
        except ExerciseError as error:
            raise ValueError(f"{where}: {error}") from error
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{where} is neither an exercise nor an answer.") from error
        if len(exercises) > MOST or len(answers) > _MOST_ANSWERS:
            raise ValueError(f"{path} has too many exercises or answers.")
    return exercises, answers


def _parsed(lines: Sequence[str], path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 2):
        if not line.strip():
            continue
        try:
            found = json.loads(line) if len(line) <= LARGEST else None
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise ValueError(f"{path}, line {number} cannot be read.")
        yield number, found


def _exercise(found: Any, mine: bool) -> Exercise:
    """An exercise whose position exists. What its moves are worth is not taken over."""
    exercise = exercise_in(found, Source.SHARED)
    if mine and found.get("from") == Source.OWN.value:
        exercise = replace(exercise, source=Source.OWN)
    position = exercise.position()
    if exercise.played and position.played is None:
        raise ExerciseError("The move of an exercise is not possible there.")
    return replace(exercise, solution=None)


def _answer_dict(answer: Attempt) -> dict[str, str]:
    return {
        "game": answer.game,
        "key": answer.key,
        "day": answer.day.isoformat(),
        "grade": answer.grade,
        "move": answer.move,
    }


def _line(entry: object) -> str:
    return json.dumps(entry, separators=(",", ":"))
