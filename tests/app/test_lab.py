"""The Lab: its list of agents, and the jobs that run in its own process."""

from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from textual.widgets import DataTable, Input

from agents.registry import agents_for, generations, make
from agents.storage.store import Store
from agents.training.course import POOL, Course, new_learner
from app.lab.app_link import AppLink
from app.lab.jobs import (
    Cancelled,
    Command,
    Discarded,
    Evaluation,
    Job,
    Kept,
    Progress,
    Ranked,
    Tournament,
    Training,
)
from app.lab.laboratory import JobReported
from app.lab.notices import Failed
from app.lab.run import Phase
from app.ui.screens.explorer import ExplorerScreen
from app.ui.screens.lab import LabScreen
from app.ui.screens.lab_forms import ArenaForm, EvaluateForm, TrainForm
from app.ui.screens.ladder import LadderScreen
from app.ui.screens.question import Question
from app.ui.widgets.agent_cycle import AgentCycle
from app.ui.widgets.cycle import Cycle
from tests.app.driving import make_app, text_of, wait_until
from tests.app.lab_driving import (
    all_shown,
    choose,
    finished,
    lab,
    start,
    tiny,
    training_of_q,
    until_phase,
    values_file,
)


@pytest.fixture(autouse=True)
def processes_can_be_started() -> None:
    resource_tracker.ensure_running()


async def test_all_agents_of_a_game_are_listed(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        rows = screen.query_one(DataTable)
        names = [str(rows.get_row_at(row)[0]) for row in range(rows.row_count)]
        assert names[:3] == ["Random", "Easy", "Hard"]
        assert {"Q", "Monte Carlo", "Linear", "Logistic"} <= set(names)
        assert "not yet" not in text_of(app)
        known = make("truco", "q", Store(tmp_path / "qtables"), learning=True)
        assert f"{known.stats().table_size:,}" in text_of(app)  # type: ignore[attr-defined]
        assert "an equal player" not in text_of(app)
        await pilot.press("right")
        await all_shown(pilot, app)
        assert "Fodinha" in text_of(app)
        assert "an equal player wins 25 %" in text_of(app)


async def test_a_variant_has_a_list_of_its_own(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        await pilot.press("right", "right", "right")
        await all_shown(pilot, app)
        assert "Truco Uruguayo, full" in text_of(app)
        rows = screen.query_one(DataTable)
        names = [str(rows.get_row_at(row)[0]) for row in range(rows.row_count)]
        assert {"Expert", "Neural"} <= set(names)


async def test_measured_win_rates_are_listed(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    entry = {"agent": "q", "games": 200, "win_rate": 0.43, "ci95": [0.36, 0.5]}
    rival = {"agent": "hard", "games": 200, "win_rate": 0.57, "ci95": [0.5, 0.64]}
    app._history.add_evaluation("truco", {"agents": [entry, rival]})
    async with lab(tmp_path) as (_, again, _screen):
        assert "43 % (36–50)" in text_of(again)


async def test_form_makes_a_course(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, _):
        await pilot.press("t")
        await wait_until(pilot, lambda: isinstance(app.screen, TrainForm))
        form = app.screen
        form.query_one("#games", Input).value = "0"
        await pilot.press("enter")
        assert "1 or more" in text_of(app)
        form.query_one("#games", Input).value = "70"
        form.query_one("#setting-alpha", Input).value = "0.3"
        form.query_one("#reward-point", Input).value = "7"
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Give the new learner a name" in text_of(app))
        form.query_one("#name", Input).value = "rosa"
        form.query_one("#first", Cycle).action_turn(1)
        form.query_one("#second", Cycle).action_turn(-1)
        last = list(agents_for("truco"))[-1]
        asked: list[Job] = []
        app.laboratory.start = asked.append  # type: ignore[method-assign]
        await pilot.press("enter")
        await wait_until(pilot, lambda: bool(asked))
        (job,) = asked
        assert isinstance(job, Training)
        assert job.course.games == 70
        assert (job.course.agent, job.start) == ("q:rosa", "q")
        assert job.course.settings["alpha"] == 0.3
        assert job.course.rewards["point"] == 7.0
        assert job.course.opponents == (POOL, last)


def with_generations(home: Path) -> Store:
    """The store of a home folder with the generation q@10 of Truco."""
    store = Store(home / "qtables")
    learner = new_learner(Course("truco", "q", 1))
    learner.log = learner.log.after(10)
    store.save_generation(learner)
    return store


async def test_generations_can_be_chosen_in_forms(tmp_path: Path) -> None:
    store = with_generations(tmp_path)
    spec = agents_for("truco")["q"]
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 40)) as pilot:
        train = TrainForm("truco", spec, 1, store)
        await app.push_screen(train)
        first = train.query_one("#first", AgentCycle)
        assert "Generation" not in text_of(app)
        while first.value != "q":
            await pilot.press("right")
        await wait_until(pilot, lambda: "g Generation" in text_of(app))
        seen = []
        for _ in range(1 + len(generations("truco", "q", store))):
            await pilot.press("g")
            seen.append(first.value)
        assert seen[:2] == ["q@0", "q@10"]
        assert seen[-1] == "q"
        await pilot.press("g")
        await wait_until(pilot, lambda: "‹ Q @0 ›" in text_of(app))
        assert train.answer().course.opponents == ("q@0",)
        await pilot.press("right")
        assert first.value == "sarsa"


async def test_generations_can_be_evaluated_and_meet_in_an_arena(tmp_path: Path) -> None:
    store = with_generations(tmp_path)
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 40)):
        form = EvaluateForm("truco", agents_for("truco")["q"], store)
        await app.push_screen(form)
        form.query_one("#agent", Cycle).action_turn(1)
        assert (form.answer().agent, form.answer().against) == ("q@0", "hard")
        same = EvaluateForm("truco", agents_for("truco")["q"], store)
        await app.push_screen(same)
        while same.text("against") != "q":
            same.query_one("#against", Cycle).action_turn(1)
        with pytest.raises(ValueError, match="does not meet itself"):
            same.answer()
        arena = ArenaForm("truco", store)
        await app.push_screen(arena)
        arena.query_one("#agent-q", Cycle).action_turn(2)
        assert {"q@0", "q@10", "q", "hard"} <= set(arena.answer().agents)
        assert "mc@0" not in arena.answer().agents


async def test_training_is_kept_on_request(tmp_path: Path) -> None:
    before = new_learner(Course("truco", "q", 1)).dump()
    async with lab(tmp_path) as (pilot, app, screen):
        start(app, tiny(64))
        screen.show_run()
        await until_phase(app, Phase.ASKING)
        await pilot.pause()
        assert not values_file(tmp_path).exists()
        assert "than before" in text_of(app)
        await pilot.press("k")
        assert isinstance(await finished(app), Kept)
        await all_shown(pilot, app)
        assert "kept" in text_of(app)
        assert "won against • Random  • Easy  • Hard" in text_of(app)
    learner = new_learner(Course("truco", "q", 1), Store(tmp_path / "qtables"))
    assert learner.dump() != before
    (run,) = app._history.runs("truco", "q")
    assert (run.kept, run.games) == (True, 64)
    assert {point.games for point in app._history.curve("truco", "q")} == {0, 32, 64}


@pytest.mark.slow
async def test_discarded_training_changes_nothing(tmp_path: Path) -> None:
    Store(tmp_path / "qtables").save(new_learner(Course("truco", "q", 1)))
    before = values_file(tmp_path).read_bytes()
    async with lab(tmp_path) as (pilot, app, _):
        start(app, tiny(32))
        await until_phase(app, Phase.ASKING)
        await pilot.pause()
        await pilot.press("d")
        assert isinstance(await finished(app), Discarded)
    assert values_file(tmp_path).read_bytes() == before
    assert app._history.curve("truco", "q") == []


@pytest.mark.slow
async def test_training_can_be_paused_resumed_and_stopped(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        start(app, tiny(1_000_000))
        screen.show_run()
        await until_phase(app, Phase.WORKING)
        await pilot.pause()
        await pilot.press("p")
        run = app.laboratory.run
        assert run is not None
        assert run.phase is Phase.PAUSED
        assert "paused" in text_of(app)
        await pilot.press("p")
        await until_phase(app, Phase.WORKING)
        await pilot.press("s")
        await until_phase(app, Phase.ASKING)
        assert run.progress.done < 1_000_000
        await pilot.pause()
        await pilot.press("k")
        assert isinstance(await finished(app), Kept)
    assert values_file(tmp_path).exists()


async def test_dead_process_is_reported(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, _):
        start(app, tiny(1_000_000))
        await until_phase(app, Phase.WORKING)
        run = app.laboratory.run
        assert run is not None
        assert run._process is not None
        run._process.kill()
        result = await finished(app)
        assert isinstance(result, Failed)
        assert "ended unexpectedly" in result.sentence
        await pilot.pause()
        assert "ended unexpectedly" in " ".join(text_of(app).split())


async def test_training_continues_outside_the_lab_and_quitting_asks(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, _):
        start(app, tiny(1_000_000))
        await until_phase(app, Phase.WORKING)
        await pilot.press("escape")
        run = app.laboratory.run
        assert run is not None
        assert run.busy
        await pilot.press("ctrl+q")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("escape")
        assert run.busy
        await pilot.press("ctrl+q")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("k")
        assert isinstance(await finished(app), Kept)
    assert values_file(tmp_path).exists()


async def test_closing_the_app_ends_the_process(tmp_path: Path) -> None:
    async with lab(tmp_path) as (_, app, _screen):
        start(app, tiny(1_000_000))
        await until_phase(app, Phase.WORKING)
        run = app.laboratory.run
        assert run is not None
    assert run._process is not None
    assert not run._process.is_alive()
    (record,) = app._history.runs("truco", "q")
    assert record.kept is False


@pytest.mark.slow
async def test_evaluation_is_recorded(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, _):
        await pilot.press("e")
        await wait_until(pilot, lambda: isinstance(app.screen, EvaluateForm))
        app.screen.query_one("#against", Cycle).action_turn(-2)
        app.screen.query_one("#games", Input).value = "6"
        await pilot.press("enter")
        await finished(app)
        await all_shown(pilot, app)
        standing = app._history.standing("truco", "q", "random")
        assert standing is not None
        assert standing.games == 6
        assert f"{standing.win_rate:.0%}".rstrip("%") in text_of(app)


@pytest.mark.slow
async def test_arena_ends_in_a_ladder(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, _):
        await pilot.press("a")
        await wait_until(pilot, lambda: isinstance(app.screen, ArenaForm))
        await pilot.press("escape")
        start(app, Tournament("truco", ("random", "easy", "hard"), 4))
        assert isinstance(await finished(app), Ranked)
        await wait_until(pilot, lambda: isinstance(app.screen, LadderScreen))
        await pilot.pause()
        assert "Rating" in text_of(app)
        rows = app.screen.query_one(DataTable)
        assert {str(rows.get_row_at(row)[1]) for row in range(3)} == {"Random", "Easy", "Hard"}
        await pilot.press("escape")
        await pilot.press("m")
        await wait_until(pilot, lambda: isinstance(app.screen, LadderScreen))


async def test_evaluation_stops_at_once(tmp_path: Path) -> None:
    """In the middle of a match: one of Search takes seconds."""
    async with lab(tmp_path) as (pilot, app, screen):
        start(app, Evaluation("smear", "search", "search", 1000, workers=2))
        screen.show_run()
        run = app.laboratory.run
        assert run is not None
        await pilot.press("s")
        assert isinstance(await finished(app), Cancelled)
        await pilot.pause()
        assert "stopped; nothing was changed" in " ".join(text_of(app).split())
        assert run._process is not None
        run._process.join()
        assert not run._process.is_alive()


async def test_jobs_run_one_at_a_time(tmp_path: Path) -> None:
    async with lab(tmp_path) as (_, app, _screen):
        start(app, tiny(1_000_000))
        with pytest.raises(ValueError, match="One job at a time"):
            start(app, Evaluation("truco", "q", "hard", 2))


async def test_stop_says_what_it_waits_for(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        run = training_of_q(tmp_path, app)
        sent: list[Command] = []
        run._connection.send = sent.append  # type: ignore[method-assign]
        app.post_message(JobReported(run, Progress(700, 50_000, 2.0)))
        await pilot.pause()
        await pilot.press("s")
        assert "stopping…" in text_of(app)
        app.post_message(JobReported(run, Progress(732, 50_000, 2.1, measuring=True)))
        await pilot.pause()
        await pilot.pause()
        assert "stop again to skip that" in " ".join(text_of(app).split())
        await pilot.press("s")
        assert sent == [Command.STOP, Command.STOP]
        assert screen.is_current
        run.take(Discarded())


def test_second_stop_skips_the_last_measurement() -> None:
    commands = iter([Command.STOP, Command.STOP])

    def receive() -> Command:
        try:
            return next(commands)
        except StopIteration as error:
            raise EOFError from error

    link = AppLink(receive, lambda report: None)
    assert not link.skip
    link.listen()
    assert link.command() is Command.STOP
    assert link.skip


async def test_more_shows_the_rare_fields(tmp_path: Path) -> None:
    """Every field explains itself in a sentence."""
    async with lab(tmp_path) as (pilot, app, _):
        await pilot.press("t")
        await wait_until(pilot, lambda: isinstance(app.screen, TrainForm))
        await pilot.pause()
        assert "Learning rate" not in text_of(app)
        await pilot.press("f2")
        await pilot.pause()
        assert "and in turn" in text_of(app)
        for field in app.screen.query("#form Cycle, #form Input"):
            assert str(field.tooltip).endswith("."), field
        await pilot.press("f2")
        await pilot.pause()
        assert "and in turn" not in text_of(app)


async def test_keys_fit_into_80_columns(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        await choose(pilot, screen, "q")
        first, second = text_of(app).rstrip().splitlines()[-2:]
        for key in ("t Train", "x Export", "z Reset", "Esc Back"):
            assert key in first
        for key in ("n Names", "c Compare", "o Runs"):
            assert key in second


async def test_explorer_opens_from_the_lab(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, _):
        await pilot.press("q")
        await wait_until(pilot, lambda: isinstance(app.screen, ExplorerScreen))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, LabScreen))
