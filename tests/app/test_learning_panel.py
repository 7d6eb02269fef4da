"""The learning tab of a table: plots, the latest updates, and the way to the explorer."""

from pathlib import Path

import pytest
from textual.geometry import Size

from agents.agent import LearningStats, Lesson
from agents.registry import make
from app.match.learning_record import LearningRecord
from app.match.moment import LearnerStatus
from app.match.seating import Seating, plan_table
from app.ui.app import KibitzApp
from app.ui.screens.explorer import ExplorerScreen
from app.ui.widgets.learning import learning_text, lesson_text
from app.ui.widgets.spark import blocks
from tests.app.driving import (
    StoppedClock,
    answer_first,
    at_table,
    make_app,
    moment_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)

LESSON = Lesson("Second to play", "win cheaply", 4.12, -10, (), 2.0, True, 3.59, 0.1, (1, 2))


def test_an_update_is_a_sentence() -> None:
    assert lesson_text(LESSON).plain == (
        "▼ win cheaply, second to play: expected +4.12, got −10 and expects +2.00 next "
        "→ now +3.59 (step 0.10)"
    )


@pytest.mark.parametrize(
    ("lesson", "sentence"),
    [
        (
            Lesson("", "play 1C", 1.0, 3.0, ("hand won", "hand won"), 0.0, True, 3.0, 0.0),
            "▲ play 1C: expected +1.00, got +3 (2× hand won) → learns towards +3.00",
        ),
        (
            Lesson("", "pass", 1.0, 0.0, (), -2.5, False, 0.9, 0.001),
            "▼ pass: expected +1.00, got 0 and −2.50 later → now +0.90 (step 0.001)",
        ),
    ],
)
def test_networks_and_whole_hands(lesson: Lesson, sentence: str) -> None:
    assert lesson_text(lesson).plain == sentence


def test_updates_are_noted_only_if_somebody_looks_on() -> None:
    assert make("truco", "q").lessons is None  # type: ignore[attr-defined]


def test_record_keeps_a_limited_number_of_samples() -> None:
    record = LearningRecord(LearningStats())
    for updates in range(1, 2001):
        stats = LearningStats(updates=updates, mean_td_error=2.0, table_size=updates, epsilon=0.1)
        record.take(stats)
        record.take(stats)
    assert 100 < len(record.samples) <= 256
    assert sum(sample.updates for sample in record.samples) == 2000
    assert all(sample.surprise == pytest.approx(2.0) for sample in record.samples)
    assert record.samples[-1].situations == 2000


def test_high_plots() -> None:
    assert blocks([0.0, 1.0], 4, 2) == ["  ██", "▁▁██"]


def status() -> LearnerStatus:
    record = LearningRecord(LearningStats())
    for updates in range(1, 30):
        record.take(LearningStats(updates=updates, mean_td_error=3 / updates, table_size=updates))
    stats = LearningStats(updates=29, recent=[0.0, 1.0] * 20, table_size=29)
    return LearnerStatus((0,), stats, tuple(record.samples), (LESSON,) * 20)


def test_a_larger_window_shows_more() -> None:
    seating = Seating.of(plan_table("truco", ["q", "hard"], watch=True))
    shown = [
        learning_text("truco", [status()], seating, size).plain
        for size in (Size(36, 15), Size(38, 33), Size(62, 44))
    ]
    assert [text.count("win cheaply") for text in shown] == sorted(
        {text.count("win cheaply") for text in shown}
    )
    assert [len(text.splitlines()) for text in shown[1:]] <= [33, 44]
    for text in shown:
        for label in ("wins, last 40", "surprise (|TD|)", "curiosity (ε)", "situations known"):
            assert label in text


def watched(tmp_path: Path) -> KibitzApp:
    plan = plan_table("truco", ["q", "random"], {"target": 2}, 0.0, 7, watch=True, matches=3)
    return make_app(tmp_path, plan)


@pytest.mark.slow
async def test_one_key_opens_the_situation_of_an_update(tmp_path: Path) -> None:
    app = watched(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and "Again" in text_of(app))
        await pilot.press("e")
        await wait_until(pilot, lambda: "latest updates" in text_of(app))
        newest = table_of(app).marked_lesson
        await pilot.press("left_square_bracket")
        lesson = table_of(app).marked_lesson
        assert lesson is not None
        assert lesson is moment_of(app).learners[0].lessons[-2]
        assert newest is moment_of(app).learners[0].lessons[-1]
        await pilot.press("x")
        await wait_until(pilot, lambda: isinstance(app.screen, ExplorerScreen))
        await wait_until(pilot, lambda: f"what it knows about: {lesson.move}" in text_of(app))
        await pilot.pause()
        assert lesson.where[:30] in text_of(app)
        await pilot.press("escape")
        await wait_until(pilot, lambda: at_table(app))


@pytest.mark.slow
async def test_plots_continue_in_the_next_match(tmp_path: Path) -> None:
    app = watched(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and "Again" in text_of(app))
        learner = moment_of(app).learners[0]
        shipped = make("truco", "q").stats().updates  # type: ignore[attr-defined]
        assert sum(sample.updates for sample in learner.samples) == learner.stats.updates - shipped


async def test_updates_of_the_current_hand_are_secret(tmp_path: Path) -> None:
    """They would tell which cards the learner holds."""
    plan = plan_table("truco", ["you", "q"], {"target": 40}, 0.0, seed=3)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(120, 40)) as pilot:
        await to_question(pilot, app)
        while not moment_of(app).results:
            assert moment_of(app).learners[0].lessons == ()
            answer_first(app)
            await to_question(pilot, app)
        assert moment_of(app).learners[0].lessons


async def test_updates_of_closed_hands_are_secret_while_watching(tmp_path: Path) -> None:
    plan = plan_table("truco", ["q", "random"], delay=1.0, seed=7, watch=True)
    app = make_app(tmp_path, plan, clock=StoppedClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("v", "space")
        for _ in range(4):
            if moment_of(app).results:
                break
            played = len(moment_of(app).view.history)
            await pilot.press("full_stop")
            await wait_until(
                pilot,
                lambda before=played: (
                    len(moment_of(app).view.history) != before or bool(moment_of(app).results)
                ),
            )
            assert bool(moment_of(app).results) or moment_of(app).learners[0].lessons == ()
