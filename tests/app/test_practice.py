"""Practice: when exercises come back, the screen, the command and files."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.cli import run
from app.records.practice_book import PracticeBook
from app.records.practice_rows import Attempt
from app.study.exercises import Exercise, Source
from app.study.practice import INTERVALS, Practice, progress_of, streak
from app.study.practice_file import export_practice, import_practice
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from app.ui.screens.practice import PracticeScreen
from app.ui.screens.practice_rest import PracticeRestScreen
from tests.app.driving import keys_by_id, make_app, table_of, text_of, to_question, wait_until
from tests.app.exercises import REASON, exercise, keep

Compare = Callable[[KibitzApp, str], None]
DAY = date(2026, 11, 18)


def attempt(grade: str, day: date, key: str = "a") -> Attempt:
    return Attempt("truco", key, day, grade, "play 1E")


def days_until_due(*grades: str) -> list[int]:
    """For each answer, the days until the exercise comes back. It is answered when it is due."""
    answers: list[Attempt] = []
    waits, day = [], DAY
    for grade in grades:
        answers.append(attempt(grade, day))
        due = progress_of(answers)["a"].due
        waits.append((due - day).days)
        day = due
    return waits


# When exercises come back


def test_right_answers_come_back_later_and_later() -> None:
    assert days_until_due(*["right"] * 8) == [*INTERVALS, INTERVALS[-1]]


def test_wrong_answer_starts_again_and_a_nearly_right_one_stays() -> None:
    waits = days_until_due("right", "right", "right", "nearly", "wrong", "right", "nearly")
    assert waits == [1, 2, 4, 4, 1, 2, 2]


def test_early_right_answer_changes_nothing() -> None:
    first = [attempt("right", DAY), attempt("right", DAY + timedelta(1))]
    again = [*first, attempt("right", DAY + timedelta(2))]
    assert progress_of(again) == progress_of(first)


def test_due_come_first_then_own_mistakes_then_new_ones_of_the_game() -> None:
    own, other = exercise(seed=1), exercise(seed=2, source=Source.SHARED)
    truco, euchre = (exercise(game, 3, Source.AGENTS) for game in ("truco", "euchre"))
    all_of_them = [euchre, truco, other, own]
    late = attempt("wrong", DAY - timedelta(3), euchre.key)
    assert Practice(all_of_them, [late], DAY).due() == [euchre, own]
    assert Practice(all_of_them, [late], DAY).fresh() == [other, truco]
    assert Practice(all_of_them, [], DAY).fresh(first="euchre") == [euchre, other, truco]
    assert Practice(all_of_them, [], DAY).fresh("euchre") == [euchre]
    assert Practice([own], [attempt("right", DAY, own.key)], DAY).next() is None


def test_streak_counts_days_up_to_today_or_yesterday() -> None:
    days = [DAY - timedelta(back) for back in (1, 2, 3, 5)]
    assert streak(days, DAY) == 3
    assert streak([*days, DAY, DAY], DAY) == 4
    assert streak(days, DAY + timedelta(1)) == 0
    assert streak([], DAY) == 0


# The history


def test_damaged_answer_is_set_aside_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    book = PracticeBook(path)
    book.add_answers([attempt("right", DAY), attempt("wrong", DAY)])
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE answers SET grade = 'right' WHERE id = 2")
    assert book.answers() == [attempt("right", DAY)]
    assert "1 damaged row" in " ".join(book.notices)


def test_same_position_is_kept_once(tmp_path: Path) -> None:
    book = PracticeBook(tmp_path / "history.db")
    keep(book, exercise(), exercise(source=Source.SHARED))
    assert len(book.exercises()) == 1


# Files


def book_with(path: Path, *exercises: Exercise) -> PracticeBook:
    book = PracticeBook(path / "history.db")
    keep(book, *exercises)
    return book


def test_own_file_brings_everything_along(tmp_path: Path) -> None:
    own = exercise(seed=1)
    book = book_with(tmp_path / "old", own, exercise(seed=2, source=Source.SHARED))
    book.add_answers([attempt("right", DAY, own.key)])
    export_practice(book, tmp_path / "file")
    new = PracticeBook(tmp_path / "new" / "history.db")
    assert import_practice(new, tmp_path / "file", True, DAY).words() == (
        "2 new exercises and 1 answer."
    )
    assert [each.source for each in new.exercises()] == ["own", "shared"]
    assert new.answers() == book.answers()
    again = import_practice(new, tmp_path / "file", True, DAY)
    assert (again.exercises, again.answers, again.known) == (0, 0, 2)


def test_file_of_another_person_brings_positions_only(tmp_path: Path) -> None:
    """What its moves are worth is weighed anew, and its answers are not mine."""
    own = exercise()
    book = book_with(tmp_path / "old", own)
    book.add_answers([attempt("right", DAY, own.key)])
    export_practice(book, tmp_path / "file")
    new = PracticeBook(tmp_path / "new" / "history.db")
    import_practice(new, tmp_path / "file", False, DAY)
    (found,) = new.exercises()
    assert found.source == "shared"
    assert "solution" not in json.loads(found.exercise)
    assert new.answers() == []


def edited(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    header, line, *_ = path.read_text().split("\n")
    found = json.loads(line)
    change(found["exercise"])
    path.write_text(f"{header}\n{json.dumps(found)}\n")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda found: found.update(before=["play 9Z"]), "not possible"),
        (lambda found: found.update(before=["x" * 600]), "wrong"),
        (lambda found: found.update(played="fly"), "not possible"),
        (lambda found: found["setup"].update(game="chess"), "chess"),
        (lambda found: found["setup"].update(seats=[]), "seats"),
        (lambda found: found.pop("setup"), "missing"),
    ],
)
def test_file_that_makes_no_sense_adds_nothing(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], problem: str
) -> None:
    export_practice(book_with(tmp_path, exercise()), tmp_path / "file")
    edited(tmp_path / "file", change)
    new = PracticeBook(tmp_path / "new" / "history.db")
    with pytest.raises(ValueError, match=problem) as refused:
        import_practice(new, tmp_path / "file", True, DAY)
    assert "line 2" in str(refused.value)
    assert new.exercises() == []


def test_export_replaces_only_its_own_files(tmp_path: Path) -> None:
    book, path = book_with(tmp_path, exercise()), tmp_path / "file"
    export_practice(book, path)
    with pytest.raises(ValueError, match="exists already"):
        export_practice(book, path)
    export_practice(book, path, replace_file=True)
    path.write_text("a letter")
    with pytest.raises(ValueError, match="did not write"):
        export_practice(book, path, replace_file=True)
    assert path.read_text() == "a letter"


# The command


def test_state_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = exercise()
    book = book_with(tmp_path, own)
    today = datetime.now(UTC).date()
    book.add_answers([attempt("wrong", today - timedelta(1), own.key)])
    assert run(["--home", str(tmp_path), "practice", "truco", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (truco,) = report["games"]
    assert (truco["game"], truco["due"]) == ("truco", 1)
    assert truco["answers"] == {"right": 0, "nearly": 0, "wrong": 1}
    assert report["streak"] == 1


def test_export_and_import_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book_with(tmp_path / "a", exercise())
    file = str(tmp_path / "file")
    assert run(["--home", str(tmp_path / "a"), "practice", "export", file]) == 0
    assert run(["--home", str(tmp_path / "b"), "practice", "import", file, "--mine"]) == 0
    assert "1 new exercise." in capsys.readouterr().out
    assert run(["practice", "import", str(tmp_path / "nowhere")]) == 2
    assert run(["practice", "export"]) == 2
    assert run(["practice", "truco", file]) == 2


# The screen


@pytest.fixture
def nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.study.collection.shipped", lambda game: [])


async def open_practice(pilot: Any, app: KibitzApp) -> PracticeScreen:
    await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
    await pilot.press("p")
    await to_question(pilot, app)
    screen = app.screen
    assert isinstance(screen, PracticeScreen)
    return screen


async def press_move(pilot: Any, app: KibitzApp, action: int) -> None:
    """Press the key of a card or choice, as at the table."""
    table = table_of(app)
    for number, card in enumerate(table.cards(), 1):
        if card.action == action:
            await pilot.press(str(number))
            return
    choice = next(each for each in table.choices() if each.action == action)
    await pilot.press(keys_by_id(table)[choice.key])


async def judged(pilot: Any, screen: PracticeScreen) -> None:
    """Wait until the answer is judged and kept."""
    await wait_until(pilot, lambda: screen.result is not None)
    await wait_until(pilot, lambda: len(screen._book.answers()) == 1)
    await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_right_answer(
    tmp_path: Path, nothing_shipped: None, same_picture: Compare, size: tuple[int, int]
) -> None:
    book = book_with(tmp_path, exercise())
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        screen = await open_practice(pilot, app)
        assert "90.0 %" not in text_of(app), "the answer is shown before the question"
        assert "1 due · 0 new" in text_of(app)
        best = screen._position.state.legal()[0]
        await press_move(pilot, app, best)
        await judged(pilot, screen)
        shown = " ".join(text_of(app).split())
        assert "Right" in shown
        assert "90.0 %" in shown
        assert REASON.split()[0] in shown
        assert "0 due · 0 new" in shown
        same_picture(app, f"practice-{size[0]}x{size[1]}")
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, PracticeRestScreen))
        assert "Nothing is due" in text_of(app)
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
    (answer,) = book.answers()
    assert (answer.grade, answer.move) == ("right", exercise().solution.best)  # type: ignore[union-attr]


async def test_wrong_answer_names_the_best_move_and_the_one_of_the_match(
    tmp_path: Path, nothing_shipped: None
) -> None:
    book = book_with(tmp_path, exercise())
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_practice(pilot, app)
        worst = screen._position.state.legal()[-1]
        await press_move(pilot, app, worst)
        await judged(pilot, screen)
        shown = " ".join(text_of(app).split())
        assert "Not the best" in shown
        assert "Best is" in shown
        assert "So did you in the match." in shown
        await pilot.press("1")
        await pilot.pause()
    assert [each.grade for each in book.answers()] == ["wrong"]


async def test_moves_of_a_position_without_values_are_weighed(
    tmp_path: Path, nothing_shipped: None
) -> None:
    book_with(tmp_path, exercise(weighed=False))
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_practice(pilot, app)
        await press_move(pilot, app, screen._position.state.legal()[0])
        await judged(pilot, screen)
        assert "chance to win the match" in text_of(app)


async def test_one_exercise_after_the_other_by_game(tmp_path: Path, nothing_shipped: None) -> None:
    book_with(tmp_path, exercise("euchre", 1), exercise("truco", 1))
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        first = await open_practice(pilot, app)
        assert first.plan.game == "truco"
        await pilot.press("tab")
        await wait_until(pilot, lambda: app.screen is not first)
        await to_question(pilot, app)
        assert table_of(app).plan.game == "euchre"
        assert "1 due" in text_of(app)


async def test_empty_practice_says_what_will_be_here(tmp_path: Path, nothing_shipped: None) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        await wait_until(pilot, lambda: isinstance(app.screen, PracticeRestScreen))
        assert "No exercises yet" in text_of(app)
        await pilot.press("tab")
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_home_shows_how_many_are_due(tmp_path: Path) -> None:
    book_with(tmp_path, exercise(seed=1), exercise(seed=2))
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "Practice 2" in text_of(app))
