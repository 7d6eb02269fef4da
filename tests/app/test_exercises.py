"""Exercises: positions, judging, files of anyone, and the shipped ones."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents.plain_text import LONGEST
from app.match.seating import Seating
from app.records.history import History
from app.records.match_report import MatchReport, Mistake
from app.records.practice_book import PracticeBook
from app.study.collection import collect, stored_exercises
from app.study.exercise_maker import Recipe, exercises
from app.study.exercises import (
    NEARLY,
    RIGHT,
    ExerciseError,
    Grade,
    Source,
    exercise_in,
)
from app.study.shipped import shipped
from app.ui.tables import table_class
from engine import GAMES
from engine.manifest import VARIANTS
from tests.app.exercises import exercise
from tests.app.journals import keeper_of, recorded_match

EVERY_GAME = [*GAMES, *VARIANTS]


def grades(costs: float, shares: tuple[float, ...] = ()) -> list[Grade]:
    """The grades of the moves when each costs this much more than the one before."""
    position = exercise(costs=costs, shares=shares).position()
    solution = position.exercise.solution
    assert solution is not None
    return [position.judge(solution, action).grade for action in position.state.legal()]


# Judging


def test_cost_decides_the_grade() -> None:
    assert set(grades(RIGHT / 10)) == {Grade.RIGHT}
    assert grades(RIGHT + 0.001)[:3] == [Grade.RIGHT, Grade.NEARLY, Grade.NEARLY]
    assert grades(NEARLY + 0.001)[:3] == [Grade.RIGHT, Grade.WRONG, Grade.WRONG]


def test_frequent_move_of_a_mixed_strategy_is_right() -> None:
    assert grades(0.2, shares=(0.5, 0.4, 0.1))[:3] == [Grade.RIGHT] * 3
    assert grades(0.2, shares=(0.6, 0.4, 0.0))[:3] == [Grade.RIGHT, Grade.RIGHT, Grade.WRONG]


# Reading


def test_exercise_survives_json() -> None:
    for each in (exercise(), exercise(shares=(0.5, 0.5)), exercise(weighed=False)):
        copy = exercise_in(json.loads(json.dumps(each.as_dict())), each.source)
        assert copy == each
        assert copy.key == each.key


def test_key_depends_on_the_position_only() -> None:
    assert exercise().key == replace(exercise(weighed=False), played="", source=Source.SHARED).key
    assert exercise(seed=5).key != exercise(seed=6).key


def test_impossible_positions_are_refused() -> None:
    with pytest.raises(ExerciseError, match="not possible"):
        replace(exercise(), before=("play 1E", "play 1E")).position()
    with pytest.raises(ExerciseError, match="not possible"):
        replace(exercise(), before=("nonsense",)).position()
    solution = exercise().solution
    assert solution is not None
    with pytest.raises(ExerciseError, match="not possible"):
        exercise().position().thought(replace(solution, values={"fly": 1.0}))


def test_any_json_is_read_or_refused_with_a_sentence() -> None:
    """Replaces and removes parts of an exercise at random."""
    rng = Random(1)
    whole = json.dumps(exercise(shares=(0.5, 0.5)).as_dict())
    junk: list[Any] = [None, -1, 1e400, "x" * 1000, "\x1b[2J", [], {}, [[]], True]
    for _ in range(300):
        found = json.loads(whole)
        part: Any = found
        for _ in range(rng.randrange(3)):
            inner = [each for each in part.values() if isinstance(each, dict)]
            part = rng.choice(inner) if inner else part
        name = rng.choice(sorted(part))
        if rng.random() < 0.2:
            del part[name]
        else:
            part[name] = rng.choice(junk)
        sentence = problem_of(found)
        assert sentence.isprintable()
        assert len(sentence) <= LONGEST + len(" … ")


def problem_of(found: object) -> str:
    """Why an exercise cannot be shown; empty if it can."""
    try:
        position = exercise_in(found, Source.SHARED).position()
        if position.exercise.solution is not None:
            position.thought(position.exercise.solution)
    except ExerciseError as error:
        return str(error)
    return ""


# Shipped exercises


@pytest.mark.parametrize("game", EVERY_GAME)
def test_shipped_exercises_are_sound(game: str) -> None:
    """Every position exists, one move is clearly best, and the player missed it."""
    found = shipped(game)
    assert len(found) >= 30
    assert len({each.key for each in found}) == len(found)
    for each in found:
        assert each.game == game
        position, solution = each.position(), each.solution
        assert solution is not None
        assert position.seat == 0
        assert set(solution.values) == set(position.moves)
        table = table_class(game)(GAMES[game], Seating.of(each.setup.plan(0.0)))
        assert table.takes_together(position.state.view(0)) == 1
        assert position.played is not None
        assert position.judge(solution, position.played).grade is not Grade.RIGHT
        best = position.judge(solution, position.moves[solution.best])
        assert best.grade is Grade.RIGHT


def test_maker_finds_the_shipped_exercises_again() -> None:
    """Chances may have been calibrated anew since they were made."""
    made = exercises(Recipe("notty", 1, 40))
    known = {each.key: each for each in shipped("notty")}
    for _ in range(3):
        found = next(made)
        usual = known[found.key]
        assert found.solution is not None
        assert usual.solution is not None
        assert found.solution.values == pytest.approx(usual.solution.values, abs=0.03)
        assert replace(found.solution, values=usual.solution.values) == usual.solution
        assert replace(found, solution=usual.solution) == usual


# Your own mistakes


def report(journal: str, *mistakes: Mistake) -> MatchReport:
    return MatchReport(
        "truco", journal, 0, "2026-11-01T10:20:00+00:00", "search", 9, 9, 0.5, 2.0, 0.0, 90.0, 0.0,
        mistakes=mistakes,
    )  # fmt: skip


def test_costly_moves_of_matches_become_exercises(tmp_path: Path) -> None:
    path = recorded_match(tmp_path, "truco")
    keeper, history = keeper_of(tmp_path), History(tmp_path / "history.db")
    labels = keeper.find(path.name).labels()
    own = [number for number, (seat, _) in enumerate(labels) if seat == 0]
    state, number = keeper.find(path.name).setup.deal(), own[0]
    for at, (_, label) in enumerate(labels):
        if at in own and len(state.legal()) > 1:
            number = at
        state.apply(state.parse(label))
    costly = Mistake(number, 0.2, labels[number][1], "best", 1)
    cheap = replace(costly, cost=NEARLY)
    history.add_report(report(path.name, costly, replace(costly, action="fly"), cheap))
    history.add_report(report("gone.jsonl", costly))
    book = PracticeBook(tmp_path / "history.db")
    assert collect(book, history, keeper.games) == 1
    assert collect(book, history, keeper.games) == 0
    (found,) = stored_exercises(book)
    assert found.source is Source.OWN
    assert found.played == labels[number][1]
    assert found.position().actions == keeper.find(path.name).past.actions[:number]
