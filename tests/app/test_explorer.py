"""What learners know, in words: as a list to be searched, and on the screen."""

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable, Input, Static
from textual.widgets.data_table import RowKey

from agents.learners.feature_learner import FeatureLearner
from agents.learners.weights import WeightLearner
from agents.match import Match
from agents.named_learners import NOTHING, begin
from agents.registry import create, make
from agents.storage import store
from agents.storage.store import Store
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from app.match.moment import Thought
from app.match.seating import plan_table
from app.study.knowledge import Knowledge, Order, read_knowledge, readable
from app.ui.app import KibitzApp
from app.ui.screens.explorer import ExplorerScreen
from app.ui.screens.requests import OpenExplorer
from app.ui.screens.watch import WatchScreen
from app.ui.widgets.cycle import Cycle
from app.ui.widgets.rows import Rows
from engine import GAMES
from tests.app.driving import at_table, in_windows, make_app, moment_of, text_of, wait_until
from tests.quick import quick_with

Compare = Callable[[KibitzApp, str], None]


def taught(game: str, agent: str, games: int = 24) -> Knowledge:
    course = Course(game, agent, games, seed=5)
    learner = new_learner(course)
    for _ in train(course, learner):
        pass
    return Knowledge(learner)


def thoughts_of(game: str, agent: str, actions: int = 12) -> list[Thought]:
    """The first decisions of an agent that plays all seats of a match."""
    state = GAMES[game].new(seed=3)
    player = make(game, agent)
    match = Match(state, [player] * state.seats, 3)
    thoughts = []
    for number in range(actions):
        view, legal = state.view(state.turn), tuple(state.legal())
        decision = match.decide()
        thoughts.append(Thought(number, agent, view, legal, decision))
        match.step(decision.action)
    return thoughts


# What is known


@pytest.mark.parametrize("game", quick_with(GAMES, "euchre", "truco", "fodinha"))
@pytest.mark.parametrize("agent", ["q", "linear"])
def test_what_a_learner_knows_is_told_in_words(game: str, agent: str) -> None:
    knowledge = taught(game, agent, games=4)
    entries, found = knowledge.find("", Order.VISITS, 10**6)
    assert found == len(entries) == len(knowledge) > 0
    learner = create(game, agent)
    assert isinstance(learner, FeatureLearner)
    titles = {
        title
        for layout in learner.abstraction.layouts
        for title in (layout.title, layout.outlined().title)
    }
    for entry in entries:
        title, _, said = entry.words.partition(": ")
        assert title in titles
        assert said
        assert entry.seen == sum(entry.known.visits)
        assert knowledge.best_words(entry) in knowledge.move_names


def test_every_row_of_weights_has_words_of_its_own() -> None:
    for game in GAMES:
        learner = create(game, "linear")
        assert isinstance(learner, WeightLearner)
        weights = learner._weights
        words = list(weights._row_words())
        assert len(words) == weights._rows
        assert len(set(words)) == len(words)


def test_the_parts_of_a_situation_are_those_its_weights_are_summed_over() -> None:
    learner = create("euchre", "linear")
    assert isinstance(learner, WeightLearner)
    situation = (3, 0, 1, 2, 1)
    assert learner.abstraction.words(situation) == (
        "discarding: soloist, several to go, two trumps, a lone plain card"
    )
    parts = learner.parts(situation)
    assert parts[:4] == [
        "discarding: always",
        "discarding: soloist",
        "discarding: several to go",
        "discarding: two trumps",
    ]
    assert parts[-1] == "discarding: two trumps, a lone plain card"


def test_a_table_is_sorted_and_searched() -> None:
    knowledge = taught("truco", "q")
    by_visits, _ = knowledge.find("", Order.VISITS, 10**6)
    assert [entry.seen for entry in by_visits] == sorted(
        [entry.seen for entry in by_visits], reverse=True
    )
    by_value, _ = knowledge.find("", Order.VALUE, 10**6)
    assert [entry.value for entry in by_value] == sorted(
        [entry.value for entry in by_value], reverse=True
    )
    by_words, _ = knowledge.find("", Order.SITUATION, 10**6)
    assert [entry.words for entry in by_words] == sorted([entry.words for entry in by_words])

    found, count = knowledge.find("LEADING mano", Order.VISITS, 3)
    assert len(found) == 3 < count < len(knowledge)
    assert all("leading" in entry.words and "mano" in entry.words for entry in found)
    assert knowledge.find("no such words", Order.VISITS, 9) == ([], 0)


def test_the_best_move_is_the_one_with_the_highest_value() -> None:
    for entry in taught("fodinha", "q").find("", Order.VISITS, 50)[0]:
        tried = [move for move, times in enumerate(entry.known.visits) if times]
        assert entry.best == max(tried, key=lambda move: entry.known.values[move])
        assert sorted(entry.moves) == tried


@pytest.mark.parametrize("agent", ["q", "linear"])
def test_positions_of_a_match_lead_to_what_is_known(agent: str) -> None:
    thoughts = thoughts_of("truco", agent)
    knowledge = read_knowledge("truco", agent, Store(Path("nowhere")))
    positions = knowledge.positions(thoughts)
    assert len(positions) == len(thoughts)
    for position, thought in zip(positions, thoughts, strict=True):
        assert position.made == thought.view.label(thought.decision.action)
        best = thought.decision.scores[thought.decision.action]
        assert position.value == pytest.approx(best)
        behind = knowledge.behind(position)
        if agent == "q" and position.seen:
            assert [entry.words for entry in behind] == [position.words]
        if agent == "linear":
            assert len(behind) > 5
    assert any(position.seen for position in positions)
    assert knowledge.positions(thoughts_of("truco", "hard")) == []


def test_only_what_can_be_read_is_offered(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(begin("notty", "q:rosa", NOTHING, store))
    assert list(readable("notty", store))[:3] == ["q", "q:rosa", "sarsa"]
    assert "hard" not in readable("notty", store)
    with pytest.raises(ValueError, match="cannot be shown in words"):
        Knowledge(create("notty", "hard"))


# The screen


def explorer(app: KibitzApp) -> ExplorerScreen:
    assert isinstance(app.screen, ExplorerScreen)
    return app.screen


def lines(app: KibitzApp) -> int:
    rows = explorer(app).query(Rows)
    return rows.first().row_count if rows else 0


def said(app: KibitzApp, id: str) -> str:
    return str(explorer(app).query_one(id, Static).content)


def told(app: KibitzApp) -> str:
    return " ".join([notification.message for notification in app._notifications])


async def opened(pilot: Pilot[Any], app: KibitzApp, game: str, agent: str) -> None:
    app.post_message(OpenExplorer(game, agent))
    await wait_until(pilot, lambda: isinstance(app.screen, ExplorerScreen) and lines(app) > 0)


@pytest.mark.slow
async def test_a_table_is_browsed_filtered_and_sorted(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "euchre", "q")
        assert lines(app) == 200
        assert "first 200 of" in said(app, "#order")
        assert "sorted by visits" in said(app, "#order")
        await pilot.press("s")
        await wait_until(pilot, lambda: "sorted by value" in said(app, "#order"))
        await pilot.press("slash", *"discarding lone")
        await wait_until(pilot, lambda: 0 < lines(app) < 200)
        await pilot.press("enter", "down")
        await pilot.pause()
        assert said(app, "#entry").startswith("discarding: ")
        assert "a lone plain card" in said(app, "#entry")
        await pilot.press("escape")
        await wait_until(pilot, lambda: not isinstance(app.screen, ExplorerScreen))


async def test_words_that_nothing_has_are_answered_with_a_sentence(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "truco", "q")
        await pilot.press("slash", *"zebra")
        await wait_until(pilot, lambda: lines(app) == 0)
        await wait_until(pilot, lambda: "contains all these words" in said(app, "#entry"))
        await pilot.press("escape")
        assert isinstance(app.focused, Rows)


async def test_another_agent_is_a_key_or_a_click_away(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "notty", "logistic")
        assert "parts of situations" in said(app, "#count")
        await pilot.press("a")
        await wait_until(pilot, lambda: "parts" not in said(app, "#count"))
        assert explorer(app).query_one(Cycle).value == "q-original"
        await pilot.click("#agent", offset=(0, 0))
        await wait_until(pilot, lambda: explorer(app).query_one(Cycle).value == "logistic")


async def test_who_has_learned_nothing_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "empty shelf")
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(OpenExplorer("notty", "q"))
        await wait_until(
            pilot,
            lambda: (
                isinstance(app.screen, ExplorerScreen)
                and "nothing yet; train it" in said(app, "#entry")
            ),
        )


async def test_a_click_on_a_heading_sorts(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "fodinha", "q-original")
        await pilot.click(Rows, offset=(3, 0))
        await wait_until(pilot, lambda: "sorted by situation" in said(app, "#order"))


@pytest.mark.slow
async def test_from_a_table_to_the_positions_of_its_hand(tmp_path: Path) -> None:
    plan = plan_table("truco", ["q", "hard"], delay=0.0, seed=4, watch=True)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(
            pilot,
            lambda: at_table(app) and any(each.agent == "q" for each in moment_of(app).thoughts),
        )
        await pilot.press("space")
        await pilot.pause()
        # Without a delay the next hand may have begun meanwhile.
        while not any(each.agent == "q" for each in moment_of(app).thoughts):
            await pilot.press(".")
        thoughts = [each for each in moment_of(app).thoughts if each.agent == "q"]
        await pilot.press("x")
        await wait_until(pilot, lambda: isinstance(app.screen, ExplorerScreen) and lines(app) > 0)
        assert lines(app) == len(thoughts)
        assert "positions of the last hand" in said(app, "#order")
        moved = f"q moved here: {thoughts[0].view.label(thoughts[0].decision.action)}"
        await wait_until(pilot, lambda: moved in said(app, "#entry"))
        await pilot.press("enter")
        await wait_until(pilot, lambda: "what it knows about" in said(app, "#order"))
        assert lines(app) <= 1
        await pilot.press("escape")
        await wait_until(pilot, lambda: "positions of the last hand" in said(app, "#order"))
        await pilot.press("slash", *"mano")
        await wait_until(pilot, lambda: "sorted by visits" in said(app, "#order"))
        assert explorer(app).query_one(Input).value == "mano"
        await pilot.press("escape", "p")
        await wait_until(pilot, lambda: "positions of the last hand" in said(app, "#order"))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, WatchScreen))


@pytest.mark.slow
async def test_enter_on_a_list_that_is_about_to_go(tmp_path: Path) -> None:
    """Euchre, bout 400000: the positions were asked for, and all was still listed."""
    plan = plan_table("truco", ["q", "hard"], delay=0.0, seed=4, watch=True)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(
            pilot,
            lambda: at_table(app) and any(each.agent == "q" for each in moment_of(app).thoughts),
        )
        await pilot.press("space", "x")
        await wait_until(pilot, lambda: isinstance(app.screen, ExplorerScreen) and lines(app) > 0)
        await pilot.press("p")
        await wait_until(pilot, lambda: "sorted by visits" in said(app, "#order"))
        screen = explorer(app)
        screen.action_positions()
        screen._row_selected(DataTable.RowSelected(screen.query_one(Rows), 0, RowKey()))
        await wait_until(pilot, lambda: "positions of the last hand" in said(app, "#order"))
        assert app.is_running


async def test_what_is_listed_is_told_by_whom_it_belongs_to(tmp_path: Path) -> None:
    """Euchre, bout 400000: another's knowledge had been read, and the list was not yet made."""
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "fodinha", "q-original")
        screen = explorer(app)
        before = said(app, "#entry")
        screen._knowledge = read_knowledge("fodinha", "q", Store(tmp_path / "none"))
        most = max(move for entry in screen._entries for move in entry.moves)
        assert most >= len(screen._knowledge.move_names)
        screen._show_entry()
        screen.on_resize()
        await pilot.pause()
        assert said(app, "#entry") == before


async def test_a_table_without_a_learner_says_so(tmp_path: Path) -> None:
    plan = plan_table("truco", ["hard", "easy"], delay=0.0, seed=4, watch=True)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("space", "x")
        await wait_until(pilot, lambda: "No agent at this table" in text_of(app))


async def test_without_a_table_there_are_no_positions(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot, app, "truco", "q")
        await pilot.press("p")
        await wait_until(pilot, lambda: "q has no position to show" in told(app))


async def test_a_resize_keeps_the_place_and_ascii_holds(tmp_path: Path) -> None:
    app = make_app(tmp_path, ascii_only=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "smear", "linear")
        await pilot.press("down", "down", "down")
        about = said(app, "#entry").splitlines()[0]
        for size in ((60, 20), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert explorer(app).query_one(Rows).cursor_row == 3
            assert said(app, "#entry").splitlines()[0] == about
            assert text_of(app).isascii()


async def test_what_is_left_at_once_is_never_begun(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "truco", "q")
        screen = explorer(app)
        screen.action_sort()
        screen.action_agent()
        app.workers.cancel_node(screen)
        await pilot.pause()
    gc.collect()
    assert [str(each.message) for each in recwarn if "never awaited" in str(each.message)] == []


async def test_a_damaged_table_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / "qtables").mkdir()
    (tmp_path / "qtables" / "truco.q.pkl").write_bytes(b"no table")
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot, app, "truco", "q")
        await wait_until(pilot, lambda: "truco.q.pkl was not loaded" in told(app))


async def test_pictures(tmp_path: Path, same_picture: Compare) -> None:
    course = Course("euchre", "q", 32, seed=5)
    learner = new_learner(course)
    for _ in train(course, learner):
        pass
    Store(tmp_path / "qtables").save(learner)
    app = make_app(tmp_path)
    async with app.run_test(size=(60, 20)) as pilot:
        await opened(pilot, app, "euchre", "q")
        shown = said(app, "#order")
        explorer(app).query_one(Input).value = "following trump"
        await wait_until(pilot, lambda: said(app, "#order") != shown)
        await pilot.press("down", "down", "down")
        async for width, height in in_windows(pilot, [(60, 20), (80, 24), (120, 40)]):
            same_picture(app, f"explorer-{width}x{height}")
