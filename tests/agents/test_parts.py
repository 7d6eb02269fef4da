"""Work in parts: every part is done once, and dead workers are reported."""

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
from agents.parallel.parts import InProcess, WorkError, executor_for, run_parts
from agents.registry import agents_for, make
from engine import GAMES


def square(number: int) -> int:
    return number * number


def die(number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


PARTS = [(number,) for number in range(20)]


@pytest.mark.parametrize("max_pending", [1, 3, 100])
def test_every_part_is_done_once(max_pending):
    with ThreadPoolExecutor(3) as threads:
        for executor in (InProcess(), threads):
            found = list(run_parts(executor, square, PARTS, max_pending))
            assert sorted(found) == [(number, number * number) for number in range(20)]


def test_in_process_parts_are_done_one_by_one():
    done = []
    doing = run_parts(InProcess(), done.append, PARTS, max_pending=4)
    next(doing)
    assert done == [0]


def test_pending_parts_are_limited():
    class Counting(InProcess):
        pending = most = 0

        def submit(self, work, /, *args, **kwargs):
            self.pending += 1
            self.most = max(self.most, self.pending)
            return threads.submit(work, *args)

    with ThreadPoolExecutor(8) as threads:
        executor = Counting()
        for _ in run_parts(executor, square, PARTS, max_pending=3):
            executor.pending -= 1
    assert 1 < executor.most <= 3


def test_errors_are_raised():
    with pytest.raises(TypeError):
        list(run_parts(InProcess(), square, [("two",)], 1))


def test_dead_worker_process_is_reported():
    with (
        executor_for(2) as executor,
        pytest.raises(WorkError, match="has died; give the command again"),
    ):
        list(run_parts(executor, die, [(1,)], 1))


def test_worker_processes_end_with_their_parent():
    script = (
        "import os, signal\n"
        "from agents.parallel.parts import executor_for\n"
        "with executor_for(1 + 1) as executor:\n"
        "    print(executor.submit(os.getpid).result(), flush=True)\n"
        "    signal.pause()\n"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        assert int(parent.stdout.readline()) != parent.pid
        parent.kill()
        # The workers inherited the pipe, so it is closed only after they have ended.
        assert parent.communicate(timeout=60)[0] == ""


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in GAMES for name in agents_for(game)]
)
def test_pickled_agent_decides_the_same(game, name):
    """The copy decides like the original, and a learner records it in the same way."""
    agent = make(game, name, learning=True)
    sent = pickle.loads(pickle.dumps(agent))
    state = GAMES[game].new(3)
    for each in (agent, sent):
        view = state.view(state.turn)
        each.decided = each.act(view, state.legal(), Random(1))
    assert sent.decided == agent.decided
    if isinstance(agent, Learner):
        assert sent.dump() == agent.dump()
