"""Work in parts: nothing is lost, nothing counts twice, and whoever dies is told of."""

import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from agents.agent import Learner
from agents.parallel.parts import Here, WorkError, results, workforce
from agents.registry import agents_for, make
from engine import GAMES


def square(number: int) -> int:
    return number * number


def die(number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


PARTS = [(number,) for number in range(20)]


@pytest.mark.parametrize("at_once", [1, 3, 100])
def test_every_part_is_done_once(at_once):
    with ThreadPoolExecutor(3) as threads:
        for executor in (Here(), threads):
            found = list(results(executor, square, PARTS, at_once))
            assert sorted(found) == [(number, number * number) for number in range(20)]


def test_alone_a_part_is_done_when_it_is_asked_for():
    done = []
    doing = results(Here(), done.append, PARTS, at_once=4)
    next(doing)
    assert done == [0]


def test_no_more_parts_are_out_than_allowed():
    class Counting(Here):
        out = most = 0

        def submit(self, work, /, *args, **kwargs):
            self.out += 1
            self.most = max(self.most, self.out)
            return threads.submit(work, *args)

    with ThreadPoolExecutor(8) as threads:
        executor = Counting()
        for _ in results(executor, square, PARTS, at_once=3):
            executor.out -= 1
    assert 1 < executor.most <= 3


def test_an_error_is_told():
    with pytest.raises(TypeError):
        list(results(Here(), square, [("two",)], 1))


def test_a_process_that_dies_is_told_of():
    with workforce(2) as force, pytest.raises(WorkError, match="has died; give the command again"):
        list(results(force, die, [(1,)], 1))


def test_processes_do_not_outlive_who_started_them():
    script = (
        "import os, signal\n"
        "from agents.parallel.parts import workforce\n"
        "with workforce(1 + 1) as force:\n"
        "    print(force.submit(os.getpid).result(), flush=True)\n"
        "    signal.pause()\n"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True
    ) as employer:
        assert employer.stdout is not None
        assert int(employer.stdout.readline()) != employer.pid
        employer.kill()
        # The helpers have inherited the other end: it is closed when they are gone as well.
        assert employer.communicate(timeout=60)[0] == ""


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in GAMES for name in agents_for(game)]
)
def test_an_agent_can_be_sent_anywhere(game, name):
    """It decides there as it does here, and a learner notes it in the same way."""
    agent = make(game, name, learning=True)
    sent = pickle.loads(pickle.dumps(agent))
    state = GAMES[game].new(3)
    for each in (agent, sent):
        view = state.view(state.turn)
        each.decided = each.act(view, state.legal(), Random(1))
    assert sent.decided == agent.decided
    if isinstance(agent, Learner):
        assert sent.dump() == agent.dump()
