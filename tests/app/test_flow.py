"""Small things of the flow and the wording that a regular player notices."""

from pathlib import Path

import pytest

from agents.agent import Decision
from app.lab.course_file import read_course
from app.match.moment import Thought
from app.match.seating import plan_table
from app.records.journal import read_journal
from app.study.advice import Adviser
from app.ui.layout.wording import in_words, minus, signed
from app.ui.screens.history import _option_words
from app.ui.screens.replay import ReplayScreen
from app.ui.widgets.panel import Panel
from engine.game import View
from tests.app.driving import make_app, moment_of, prompt_of, table_of, to_question, wait_until
from tests.app.journals import recorded_match


@pytest.fixture
def last_move_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints name the last legal move, without computing."""

    def last_legal(adviser: Adviser, view: View, legal: list[int], number: int) -> Thought:
        return Thought(number, "search", view, tuple(legal), Decision(legal[-1]))

    monkeypatch.setattr(Adviser, "weigh", last_legal)


@pytest.mark.usefixtures("last_move_advised")
async def test_enter_accepts_a_visible_hint(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("smear", delay=0.0, seed=3))
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_question(pilot, app)
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: moment_of(app).advice is not None)
        assert prompt_of(app) == "Hint: bet 4. (Enter)"
        await pilot.press("k")
        assert prompt_of(app).startswith("No trick")
        await pilot.press("enter")
        assert prompt_of(app) == "Hint: bet 4. (Enter)"
        assert moment_of(app).legal == asked.legal
        await pilot.press("enter")
        await wait_until(pilot, lambda: (0, asked.legal[-1]) in moment_of(app).view.history)


@pytest.mark.usefixtures("last_move_advised")
async def test_arrows_come_before_a_hint(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("smear", delay=0.0, seed=3))
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_question(pilot, app)
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: moment_of(app).advice is not None)
        await pilot.press("right", "enter")
        await wait_until(pilot, lambda: (0, asked.legal[0]) in moment_of(app).view.history)


async def test_replay_has_only_tabs_with_content(tmp_path: Path) -> None:
    recorded = read_journal(recorded_match(tmp_path, "truco", 20))
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await app._show_replay(recorded)
        await wait_until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        assert [pane.id for pane in table_of(app).query_one(Panel).query("TabPane")] == [
            "log",
            "scores",
        ]


def test_options_in_words() -> None:
    assert _option_words("blind_one", True) == "blind one on"
    assert _option_words("target", 20) == "target 20"


def test_numbers_in_words() -> None:
    assert [signed(number) for number in (3, -2, 0)] == ["+3", "−2", "0"]
    assert minus("-4 : 11") == "−4 : 11"
    assert (in_words(5), in_words(12)) == ("five", "12")


@pytest.mark.parametrize(
    ("contents", "wrong", "known"),
    [
        ("episods: 5", "episods", "agent_type, episodes, seed"),
        ("q_params: {alfa: 0.1}", "q_params.alfa", "alpha, gamma"),
        ("grid: {seed: 3, values: {}}", "grid.seed", "values, seeds"),
    ],
)
def test_unknown_settings_of_a_course_list_the_known_ones(
    tmp_path: Path, contents: str, wrong: str, known: str
) -> None:
    path = tmp_path / "course.yaml"
    path.write_text(contents, encoding="utf-8")
    with pytest.raises(ValueError, match="there is no setting") as error:
        read_course(path)
    assert f"'{wrong}'; choose one of: " in str(error.value)
    assert known in str(error.value)
