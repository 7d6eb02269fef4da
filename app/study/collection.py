"""Collects the exercises of a person: their own mistakes, those of files, and shipped ones."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from app.match.seating import PERSON
from app.records.history import History
from app.records.journal import JournalError, Recorded, read_journal
from app.records.match_report import MatchReport, Mistake
from app.records.practice_book import PracticeBook
from app.records.practice_rows import Attempt, StoredExercise
from app.records.scorekeeper import find_journal
from app.study.exercises import NEARLY, Exercise, ExerciseError, Source, exercise_in
from app.study.shipped import shipped
from engine.manifest import GAME_ROWS, VARIANTS

GAMES_WITH_EXERCISES: Final = (*GAME_ROWS, *VARIANTS)

LATEST: Final = 200
"""Matches whose mistakes become exercises. Older mistakes are those of another player."""

_MOST_PER_MATCH: Final = 5
_SUBSTITUTE: Final = "hard"


def collect(book: PracticeBook, history: History, games: Path) -> int:
    """Make exercises of mistakes in the latest matches. Returns how many are new.

    games   the folder of the journals
    """
    known = {each.journal for each in book.exercises()}
    found: list[StoredExercise] = []
    for report in history.reports(limit=LATEST):
        costly = costly_of(report.mistakes)
        if not costly or report.journal in known:
            continue
        try:
            recorded = read_journal(find_journal(games, report.journal))
        except JournalError:
            continue
        found += [stored(each, report.journal) for each in exercises_from(recorded, report)]
    return book.add_exercises(found)


def costly_of(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """The most costly mistakes of a match, of those that are worth an exercise."""
    worth = [each for each in mistakes if each.cost > NEARLY]
    return sorted(worth, key=lambda each: -each.cost)[:_MOST_PER_MATCH]


def exercises_from(recorded: Recorded, report: MatchReport) -> Iterator[Exercise]:
    """The mistakes of a match as exercises. Other persons are shown as agents, so that the table
    is seen from the seat of the report."""
    setup, seat = recorded.setup, report.seat
    players = tuple(
        [
            _SUBSTITUTE if player == PERSON and number != seat else player
            for number, player in enumerate(setup.players)
        ]
    )
    setup = replace(setup, players=players, daily="")
    labels = recorded.labels()
    for mistake in costly_of(report.mistakes):
        if mistake.number >= len(labels) or labels[mistake.number] != (seat, mistake.action):
            continue
        before = tuple([label for _, label in labels[: mistake.number]])
        yield Exercise(setup, before, mistake.action, Source.OWN)


def stored(exercise: Exercise, journal: str = "") -> StoredExercise:
    """The exercise for the book. journal: the name of the journal it comes from"""
    text = json.dumps(exercise.as_dict(), separators=(",", ":"))
    return StoredExercise(exercise.game, exercise.key, exercise.source.value, journal, text)


def stored_exercises(book: PracticeBook, answers: Iterable[Attempt] = ()) -> list[Exercise]:
    """The exercises of the book, latest first; and shipped ones of the games of these answers."""
    found: list[Exercise] = []
    for row in reversed(book.exercises()):
        try:
            found.append(exercise_in(json.loads(row.exercise), Source(row.source)))
        except (ExerciseError, ValueError, RecursionError):
            continue
    return [*found, *_shipped(found, sorted({answer.game for answer in answers}))]


def all_exercises(book: PracticeBook) -> list[Exercise]:
    """The exercises of the book, latest first, then those that come with the program."""
    found = stored_exercises(book)
    return [*found, *_shipped(found, GAMES_WITH_EXERCISES)]


def _shipped(besides: Iterable[Exercise], games: Iterable[str]) -> list[Exercise]:
    known = {each.key for each in besides}
    return [each for game in games for each in shipped(game) if each.key not in known]
