"""The coach examines a match while it is played, in a process that ends with the app."""

import os
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest

from app.match.seating import plan_table
from app.records.history import History
from app.records.journal import MatchSetup
from app.study import coach as coach_module
from app.study import coach_process
from app.study.advice import Adviser
from app.study.coach import Coach
from app.study.coach_process import Failed
from app.study.examination import Examination, Findings, common_length, reports
from app.study.luck import Effort
from app.study.review import judge
from app.study.summary import Stage
from app.ui.screens.summary import SummaryScreen
from engine import GAMES
from engine.game import OVER
from tests.app.driving import (
    answer_first,
    at_table,
    is_asked,
    make_app,
    table_of,
    text_of,
    wait_until,
)
from tests.app.test_summary import short_truco, to_the_summary
from tests.app.test_undo import actions_of, press_and_settle, to_move

ROUGH = Effort(1, 1)


@pytest.fixture(autouse=True)
def processes_can_start() -> None:
    resource_tracker.ensure_running()


def truco(persons: int = 1) -> MatchSetup:
    options = GAMES["truco"].make_options({"target": 3}).as_dict()
    players = ("you",) * persons + ("hard",) * (2 - persons)
    return MatchSetup("truco", options, 3, 0, players, ("You", "North"))


def first_actions(setup: MatchSetup) -> tuple[int, ...]:
    """A whole match of first legal actions."""
    state, actions = setup.deal(), []
    while state.turn != OVER:
        actions.append(state.legal()[0])
        state.apply(actions[-1])
    return tuple(actions)


def everything(examination: Examination, findings: Findings) -> int:
    """Examine until all is known, and count the findings."""
    count = 0
    while found := examination.step():
        findings.add(found)
        count += 1
    return count


def test_only_decisions_of_persons_are_judged() -> None:
    setup = truco()
    actions, findings = first_actions(setup), Findings()
    examination = Examination(setup, ROUGH)
    examination.follow(actions)
    everything(examination, findings)
    state, expected = setup.deal(), []
    for number, action in enumerate(actions):
        if state.turn == 0 and len(state.legal()) > 1:
            expected.append(number)
        state.apply(action)
    assert [each.answer.number for each in findings.verdicts(actions)] == expected
    assert findings.luck(actions)[0].number == 0


def test_match_that_grows_is_examined_once() -> None:
    setup = truco()
    actions, findings = first_actions(setup), Findings()
    at_once = Examination(setup, ROUGH)
    at_once.follow(actions)
    whole = everything(at_once, findings)
    step_by_step = Examination(setup, ROUGH)
    count = 0
    for length in range(len(actions) + 1):
        step_by_step.follow(actions[:length])
        count += everything(step_by_step, Findings())
    assert count == whole


def test_moves_taken_back_are_not_reported() -> None:
    setup = truco(persons=2)
    actions, findings = first_actions(setup), Findings()
    examination = Examination(setup, ROUGH)
    examination.follow(actions[:3])
    everything(examination, findings)
    state = setup.deal()
    for action in actions[:2]:
        state.apply(action)
    others = (*actions[:2], state.legal()[-1])
    assert others != actions[:3]
    examination.follow(others)
    assert everything(examination, findings) == 1
    assert [each.answer.action for each in findings.verdicts(others)] == list(others)
    assert [each.answer.action for each in findings.verdicts(actions[:3])] == list(actions[:3])
    assert len(findings.verdicts(actions[:2])) == 2


def test_slow_judge_judges_every_move_roughly_first() -> None:
    """So that it is never far behind the match, however fast a person plays."""
    options = GAMES["euchre"].make_options({}).as_dict()
    setup = MatchSetup("euchre", options, 3, 0, ("you", "hard", "hard"), ("You", "West", "East"))
    actions, findings = first_moves(setup, 2), Findings()
    examination = Examination(setup, ROUGH)
    examination.follow(actions)
    order = []
    while found := examination.step():
        findings.add(found)
        order.append((type(found.finding).__name__, found.rough))
        if order[-1] == ("Verdict", True):
            assert findings.rough(actions) == order.count(("Verdict", True))
    assert order == [("Luck", False), *[("Verdict", True)] * 2, *[("Verdict", False)] * 2]
    assert findings.rough(actions) == 0
    adviser = Adviser(setup.game, setup.seed, setup.players)
    for verdict in findings.verdicts(actions):
        assert verdict.thought.decision == judge(adviser, verdict.answer).thought.decision


def first_moves(setup: MatchSetup, count: int) -> tuple[int, ...]:
    """First legal actions up to so many decisions of persons."""
    state, actions = setup.deal(), []
    while count:
        legal = state.legal()
        count -= state.turn in setup.persons and len(legal) > 1
        actions.append(legal[0])
        state.apply(legal[0])
    return tuple(actions)


def test_new_move_is_judged_before_older_ones_again() -> None:
    options = GAMES["euchre"].make_options({}).as_dict()
    setup = MatchSetup("euchre", options, 3, 0, ("you", "hard", "hard"), ("You", "West", "East"))
    actions = first_moves(setup, 2)
    examination = Examination(setup, ROUGH)
    examination.follow(first_moves(setup, 1))
    assert [found.rough for found in (examination.step(), examination.step()) if found] == [
        False,  # luck
        True,
    ]
    examination.follow(actions)
    found = examination.step()
    assert found is not None
    assert (found.actions, found.rough) == (actions, True)


def test_common_length() -> None:
    assert common_length((1, 2, 3), (1, 2, 4)) == 2
    assert common_length((1, 2), (1, 2, 4)) == 2
    assert common_length((), (1,)) == 0


def test_every_person_gets_a_report() -> None:
    setup = truco(persons=2)
    actions, findings = first_actions(setup), Findings()
    examination = Examination(setup, ROUGH)
    examination.follow(actions)
    everything(examination, findings)
    one, other = reports(setup, actions, findings, "j.jsonl", "2026-03-01T10:20:00+00:00")
    assert (one.seat, other.seat) == (0, 1)
    assert one.result + other.result == 1
    assert one.total_luck == pytest.approx(-other.total_luck)
    assert one.decisions + other.decisions == len(findings.verdicts(actions))


# The process


def until(condition: Callable[[], bool]) -> None:
    """Wait for another process."""
    end = monotonic() + 60
    while not condition():
        assert monotonic() < end, "not reached in a minute"
        sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


class _Thread:
    """In place of a process."""

    pid = None

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...], daemon: bool) -> None:
        self._target, self._connection = target, args[0]

    def start(self) -> None:
        own = Connection(os.dup(self._connection.fileno()))
        Thread(target=self._target, args=(own,), daemon=True).start()

    def kill(self) -> None:
        pass

    def join(self) -> None:
        pass


class _Threads:
    """In place of a context of multiprocessing."""

    Process = _Thread
    Pipe = staticmethod(get_context("spawn").Pipe)


@pytest.fixture
def in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coaches work in threads, since a process of low priority may wait long on a busy machine."""
    monkeypatch.setattr(coach_module, "get_context", lambda method: _Threads)
    for name in ("prepare_process", "use_one_core", "kill_group"):
        monkeypatch.setattr(coach_process, name, lambda: None)


@pytest.mark.slow
def test_process_ends_with_its_coach() -> None:
    setup = truco()
    actions = first_actions(setup)
    coach = Coach(setup)
    coach.finish(actions, lambda findings: None)
    until(lambda: coach.ended)
    assert coach.findings.luck(actions)
    pid = coach.pid
    assert pid is not None
    until(lambda: not is_running(pid))


@pytest.mark.slow
def test_process_ends_with_the_app() -> None:
    """The app is killed: nobody tells the process to end."""
    code = (
        "import sys, time\n"
        "from tests.app.test_coach import Coach, first_actions, truco\n"
        "coach = Coach(truco())\n"
        "coach.follow(first_actions(truco())[:1])\n"
        "while coach.pid is None: time.sleep(0.01)\n"
        "print(coach.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    app = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert app.stdout is not None
    pid = int(app.stdout.readline())
    assert is_running(pid)
    app.kill()
    app.wait()
    until(lambda: not is_running(pid))


@pytest.mark.usefixtures("in_threads")
def test_coach_finds_what_an_examination_finds() -> None:
    setup = truco()
    actions, findings = first_actions(setup), Findings()
    coach, saved = Coach(setup), list[Findings]()
    coach.follow(actions[:4])
    coach.finish(actions, saved.append)
    until(lambda: coach.ended)
    assert coach.problem == ""
    assert saved == [coach.findings]
    examination = Examination(setup)
    examination.follow(actions)
    everything(examination, findings)
    assert coach.findings.luck(actions) == findings.luck(actions)
    costs = [verdict.cost for verdict in findings.verdicts(actions)]
    assert [verdict.cost for verdict in coach.findings.verdicts(actions)] == costs


@pytest.mark.slow
def test_failure_costs_only_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach_module, "examine", fail)
    coach, told = Coach(truco()), list[bool]()
    coach.listener = lambda: told.append(True)
    coach.follow((1,))
    until(lambda: bool(told))
    assert coach.problem == "The coach had to stop (it is tired)."


def fail(connection: object) -> None:
    connection.send(Failed("The coach had to stop (it is tired)."))  # type: ignore[attr-defined]


@pytest.mark.slow
def test_coach_whose_process_is_killed_says_so() -> None:
    coach = Coach(truco())
    coach.follow(first_actions(truco())[:1])
    until(lambda: coach.complete(first_actions(truco())[:1]))
    assert coach.pid is not None
    os.kill(coach.pid, 9)
    until(lambda: bool(coach.problem))
    assert coach.problem.startswith("The coach has stopped unexpectedly")


@pytest.mark.slow
def test_table_that_is_left_in_the_middle_ends_its_coach() -> None:
    coach = Coach(truco())
    coach.follow(first_actions(truco())[:1])
    until(lambda: coach.pid is not None)
    pid = coach.pid
    assert pid is not None
    coach.release()
    until(lambda: not is_running(pid))
    assert coach.problem == ""


# In the app


@pytest.mark.usefixtures("in_threads")
async def test_summary_shows_what_the_coach_found(tmp_path: Path) -> None:
    app = make_app(tmp_path, short_truco())
    app.coaches_allowed = True
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await to_the_summary(pilot, app)
        await wait_until(pilot, lambda: screen.complete and screen.luck_known)
        await wait_until(pilot, lambda: "Skill" in text_of(app))
        shown = text_of(app)
        for words in ("per decision that mattered", "The cards", "without luck", "Luckiest"):
            assert words in " ".join(shown.split())
        history = History(app._locations.history)
        await wait_until(pilot, lambda: bool(history.reports()))
        (report,) = history.reports()
        assert report.journal == history.matches()[0].journal
        assert report.decisions == len(screen.answers)
        assert report.luck
    assert all(coach.ended for coach in app._coaches)


@pytest.mark.usefixtures("in_threads")
async def test_undo_takes_judgements_back(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("truco", ["you", "random"], delay=0.0, seed=7))
    app.coaches_allowed = True
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_move(pilot, app)
        before = actions_of(app)
        answer_first(app)
        await wait_until(pilot, lambda: len(actions_of(app)) > len(before))
        await to_move(pilot, app)
        coach, first = table_of(app).coach, actions_of(app)[: len(before) + 1]
        assert coach is not None
        await wait_until(pilot, lambda: bool(coach.findings.verdicts(first)))
        await press_and_settle(pilot, app, "u", len(before))
        assert table_of(app).coach is coach
        loop = table_of(app).loop
        assert loop is not None
        loop.choose(asked.legal[-1])
        other = (*before, asked.legal[-1])
        await wait_until(pilot, lambda: bool(coach.findings.verdicts(other)))
        assert [each.answer.action for each in coach.findings.verdicts(other)] == [other[-1]]
        assert [each.answer.action for each in coach.findings.verdicts(first)] == [first[-1]]


@pytest.mark.usefixtures("in_threads")
async def test_no_coach_for_a_watched_table_or_if_switched_off(tmp_path: Path) -> None:
    app = make_app(tmp_path, short_truco())
    app.coaches_allowed = True
    app.settings = app.settings.with_one("coach", False)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and is_asked(app))
        assert table_of(app).coach is None
        screen = await to_the_summary(pilot, app)
        assert isinstance(screen, SummaryScreen)
        await wait_until(pilot, lambda: screen.luck_known)
        await wait_until(pilot, lambda: "Luck" in text_of(app))
        assert app._coaches == ()
        assert all(isinstance(stage, Stage) for stage in screen.stages)
