"""Rows of the history about practice and the deal of the day: exercises, answers and par."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from app.records.row_values import amount_in, text_in

Row = Mapping[str, Any]

GRADES = ("right", "nearly", "wrong")
SOURCES = ("own", "shared")


@dataclass(frozen=True, slots=True)
class StoredExercise:
    """An exercise as the history keeps it.

    key        identifies the position
    source     one of SOURCES
    journal    the name of the journal it comes from; empty for one of a file
    exercise   the exercise as JSON (see `app.study.exercises`)
    """

    game: str
    key: str
    source: str
    journal: str
    exercise: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer to an exercise.

    key    of the exercise
    grade  one of GRADES
    move   the label of the move that was chosen
    """

    game: str
    key: str
    day: date
    grade: str
    move: str


@dataclass(frozen=True, slots=True)
class Par:
    """What agents scored in the deal of a day, each in the person's seat.

    program   the checksum of the program that computed it (see `agents.program_digest`): others
              may have agents that play differently
    margins   the margin of each agent (see `app.study.daily`), in the order of their strength
    """

    game: str
    day: date
    program: str
    margins: Mapping[str, int]


def stored_exercise_in(row: Row) -> StoredExercise:
    """Raises an error for a row that makes no sense, as the other functions do."""
    if row["source"] not in SOURCES:
        raise ValueError("the source is wrong")
    return StoredExercise(
        text_in(row["game"]),
        text_in(row["key"]),
        row["source"],
        text_in(row["journal"]),
        text_in(row["exercise"]),
    )


def attempt_in(row: Row) -> Attempt:
    if row["grade"] not in GRADES:
        raise ValueError("the grade is wrong")
    return Attempt(
        text_in(row["game"]),
        text_in(row["key"]),
        date.fromisoformat(row["day"]),
        row["grade"],
        text_in(row["move"]),
    )


def par_in(row: Row) -> Par:
    margins = json.loads(text_in(row["margins"]))
    if not isinstance(margins, dict) or not all(
        type(margin) is int and amount_in(margin) is not None for margin in margins.values()
    ):
        raise ValueError("the margins are wrong")
    return Par(
        text_in(row["game"]),
        date.fromisoformat(row["day"]),
        text_in(row["version"]),
        {text_in(agent): margin for agent, margin in margins.items()},
    )
