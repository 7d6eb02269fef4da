"""Named learners in the Lab, in forms and at the table."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from agents.agent import Learner
from agents.named_learners import NOTHING, SHIPPED, begin
from agents.registry import agents_for, make, spec_of
from agents.storage.store import Store
from app.lab.jobs import Job, Progress, Training
from app.lab.learner_store import CONTINUE
from app.lab.named import trained_as
from app.lab.run import Run
from app.match.seating import Seating, TablePlan, parse_seats, plan_table
from app.ui.app import KibitzApp
from app.ui.screens.lab import LabScreen
from app.ui.screens.lab_forms import ArenaForm, EvaluateForm, TrainForm
from app.ui.screens.learners import FileForm, ImportForm, NameForm
from app.ui.screens.new_table import NewTableScreen
from app.ui.screens.question import Question
from app.ui.screens.requests import OpenTable
from app.ui.widgets.agents_list import AgentsList
from app.ui.widgets.cycle import Cycle
from engine import GAMES
from tests.app.driving import make_app, text_of, wait_until
from tests.app.lab_driving import all_shown, lab, tiny


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A home folder with q:rosa for Truco."""
    store = Store(tmp_path / "qtables")
    store.save(begin("truco", "q:rosa", NOTHING, store, {"gamma": 0.5, "alpha": 0.25}))
    return store


async def choose(pilot: Pilot[None], app: KibitzApp, screen: LabScreen, agent: str) -> None:
    table = screen.query_one(AgentsList)
    names = [member.agent for member in table.members]
    table.move_cursor(row=names.index(agent))
    await all_shown(pilot, app)


def notices(app: KibitzApp) -> str:
    return " ".join(each.message for each in app._notifications)


async def test_named_learner_is_listed_after_its_kind(tmp_path: Path, store: Store) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        members = screen.query_one(AgentsList).members
        names = [member.agent for member in members]
        assert names.index("q:rosa") == names.index("q") + 1
        assert "Q rosa" in text_of(app)
        await choose(pilot, app, screen, "q:rosa")
        assert not screen.check_action("reset", ())
        assert screen.check_action("names", ())


@pytest.mark.slow
async def test_rename_copy_and_delete(tmp_path: Path, store: Store) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        await choose(pilot, app, screen, "q:rosa")
        for key, name, sentence in (
            ("r", "anna", "q:rosa is now called q:anna."),
            ("c", "eva", "q:anna is a copy of q:rosa."),
        ):
            await pilot.press("n")
            await wait_until(pilot, lambda: isinstance(app.screen, Question))
            await pilot.press(key)
            await wait_until(pilot, lambda: isinstance(app.screen, NameForm))
            app.screen.query_one("#name", Input).value = "Not a name"
            await pilot.press("enter")
            await wait_until(pilot, lambda: "beginning with a letter" in text_of(app))
            app.screen.query_one("#name", Input).value = name
            await pilot.press("enter")
            await wait_until(pilot, lambda: app.screen is screen)
            await all_shown(pilot, app)
            assert sentence.partition(" is ")[2].split()[0] in notices(app)
            await choose(pilot, app, screen, "q:anna")
        assert store.named("truco") == ["q:anna", "q:eva"]
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("d")
        await wait_until(pilot, lambda: "for good" in text_of(app))
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is screen)
        assert store.named("truco") == ["q:anna", "q:eva"]
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("d")
        await wait_until(pilot, lambda: "for good" in text_of(app))
        await pilot.press("y")
        await wait_until(pilot, lambda: store.named("truco") == ["q:eva"])
        await all_shown(pilot, app)
        assert "q:anna is deleted." in notices(app)


@pytest.mark.slow
async def test_export_and_import(tmp_path: Path, store: Store) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        await choose(pilot, app, screen, "q:rosa")
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("x")
        await wait_until(pilot, lambda: isinstance(app.screen, FileForm))
        await pilot.press("enter")
        file = tmp_path / "exports" / "truco.q-rosa.kibitz"
        await wait_until(pilot, file.exists)
        await all_shown(pilot, app)
        for name, sentence in (
            ("", "There is already a learner q:rosa"),
            ("anna", "q:anna is imported for Truco"),
        ):
            await pilot.press("n")
            await wait_until(pilot, lambda: isinstance(app.screen, Question))
            await pilot.press("i")
            await wait_until(pilot, lambda: isinstance(app.screen, ImportForm))
            app.screen.query_one("#file", Input).value = str(file)
            app.screen.query_one("#name", Input).value = name
            await pilot.press("enter")
            await wait_until(pilot, lambda text=sentence: text in notices(app))
        assert store.named("truco") == ["q:anna", "q:rosa"]
        file.write_bytes(b"something else")
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("i")
        await wait_until(pilot, lambda: isinstance(app.screen, ImportForm))
        app.screen.query_one("#file", Input).value = str(tmp_path / "missing")
        await pilot.press("enter")
        await wait_until(pilot, lambda: "There is no file" in text_of(app))
        app.screen.query_one("#file", Input).value = str(file)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "was not imported because" in notices(app))


async def test_agents_without_a_name_can_be_copied_but_not_deleted(
    tmp_path: Path, store: Store
) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        await choose(pilot, app, screen, "hard")
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        assert not app.screen.query("#copy, #delete, #rename, #export")
        assert app.screen.query("#import")
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is screen)
        await choose(pilot, app, screen, "mc")
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        assert not app.screen.query("#delete, #rename")
        await pilot.press("c")
        await wait_until(pilot, lambda: isinstance(app.screen, NameForm))
        app.screen.query_one("#name", Input).value = "eva"
        await pilot.press("enter")
        await wait_until(pilot, lambda: "mc:eva" in store.named("truco"))


async def test_training_form_of_a_named_learner_has_its_settings(
    tmp_path: Path, store: Store
) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        await choose(pilot, app, screen, "q:rosa")
        await pilot.press("t")
        await wait_until(pilot, lambda: isinstance(app.screen, TrainForm))
        form = app.screen
        assert isinstance(form, TrainForm)
        assert form.query_one("#setting-gamma", Input).value == "0.5"
        assert form.answer().course.agent == "q:rosa"
        assert (form.answer().course.settings, form.answer().start) == ({}, CONTINUE)
        form.query_one("#setting-gamma", Input).value = "0.75"
        with pytest.raises(ValueError, match="Give the new learner a name"):
            form.answer()
        form.query_one("#name", Input).value = "rosa-2"
        job = form.answer()
        assert (job.course.agent, job.start) == ("q:rosa-2", "q:rosa")
        assert (job.course.settings["gamma"], job.course.settings["alpha"]) == (0.75, 0.25)
        start = form.query_one("#start-from", Cycle)
        starts = []
        for _ in range(4):
            starts.append(form.answer().start)
            start.action_turn(1)
        assert starts == ["q:rosa", NOTHING, SHIPPED, "q"]


def test_what_a_training_is_about(store: Store) -> None:
    def about(text: str, start: str = CONTINUE, meaning: bool = False) -> tuple[str, str]:
        return trained_as("truco", "q", text, start, store, meaning)

    assert about("") == ("q", CONTINUE)
    assert about("eva") == ("q:eva", "q")
    assert about("eva", NOTHING, meaning=True) == ("q:eva", NOTHING)
    for text, start, meaning, sentence in (
        ("", NOTHING, False, "Give the new learner a name"),
        ("", CONTINUE, True, "would lose its meaning"),
        ("rosa", NOTHING, False, "There is already a learner q:rosa"),
        ("Eva", NOTHING, False, "beginning with a letter"),
    ):
        with pytest.raises(ValueError, match=sentence):
            about(text, start, meaning)


async def test_new_learner_is_listed_while_it_trains(tmp_path: Path, store: Store) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        job: Job = Training(tiny(10, "q:eva").course, start=NOTHING)

        def begin_run(job: Job) -> None:
            laboratory = app.laboratory
            laboratory.run = Run(job, laboratory._locations, laboratory.history, lambda *_: None)
            laboratory.run.take(Progress(1, 10, 1.0))

        app.laboratory.start = begin_run  # type: ignore[method-assign]
        screen._start(job)
        await all_shown(pilot, app)
        assert screen.member is not None
        assert screen.member.agent == "q:eva"
        assert "Training Q eva" in text_of(app)
        assert app.laboratory.trains("truco", "q:eva")
        app.laboratory.run = None


async def test_forms_offer_named_learners(tmp_path: Path, store: Store) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 40)) as pilot:
        spec = agents_for("truco")["hard"]
        evaluate = EvaluateForm("truco", spec, store)
        await app.push_screen(evaluate)
        against = evaluate.query_one("#against", Cycle)
        values = {against.value}
        for _ in range(20):
            against.action_turn(1)
            values.add(against.value)
        assert "q:rosa" in values
        await app.pop_screen()
        rosa = spec_of("truco", "q:rosa")
        assert rosa is not None
        await app.push_screen(EvaluateForm("truco", rosa, store))
        assert app.screen.query_one("#agent", Cycle).value == "q:rosa"
        await app.pop_screen()
        arena = ArenaForm("truco", store)
        await app.push_screen(arena)
        assert "q:rosa" not in arena.answer().agents
        arena.query_one("#agent-q--rosa", Cycle).action_turn(-1)
        arena.query_one("#agent-q--rosa", Cycle).action_turn(-1)
        assert "q:rosa" in arena.answer().agents
        await app.pop_screen()
        await app.push_screen(NewTableScreen(GAMES["truco"], 1.0, store))
        seat = app.screen.query_one("#seat-1", Cycle)
        while seat.value != "q:rosa":
            seat.action_turn(1)
        seat.focus()
        await pilot.press("g")
        assert seat.value == "q:rosa@0"
        await wait_until(pilot, lambda: "Q rosa @0" in text_of(app))
        assert "has learned nothing" in str(app.screen.query_one("#help", Static).visual)


async def test_table_with_an_unknown_learner_is_a_notice(tmp_path: Path, store: Store) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(OpenTable(plan_table("truco", ["you", "q:nobody"])))
        await wait_until(pilot, lambda: "There is no learner q:nobody for truco" in notices(app))


def test_named_learner_has_a_seat(store: Store) -> None:
    assert parse_seats("you,Q:Rosa") == ("you", "q:rosa")
    plan = plan_table("truco", parse_seats("you,q:rosa"))
    assert Seating.of(plan).title(1) == "North · q:rosa"
    long = TablePlan("truco", ("you", "linear:a-very-long-name"))
    assert Seating.of(long).title(1) == "North · linear:a-very-l…"
    learner = make("truco", "q:rosa", store)
    assert isinstance(learner, Learner)
    with pytest.raises(ValueError, match="There is no agent"):
        plan_table("truco", ["you", "deep:rosa"])
