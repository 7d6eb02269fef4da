"""Matches on a real Dask cluster: a scheduler and two workers, each a process of its own."""

import shlex
import shutil
import sys
from concurrent.futures import Executor
from pathlib import Path

import pytest

from agents.evaluation.arena import arena
from agents.evaluation.evaluation import evaluate
from agents.parallel import cluster as cluster_module
from agents.parallel.cluster import checked_address, connected
from agents.parallel.parts import Shared, WorkError
from agents.storage.store import Store
from agents.training import training
from agents.training.training import Course, measure, new_learner, train
from tests.agents.dask_cluster import ROOT, LocalCluster
from tests.agents.test_evaluation import without_times

ASSASSIN = """
import json, os, signal, sys
for line in sys.stdin:
    if not os.path.exists(sys.argv[1]):
        open(sys.argv[1], "x").close()
        os.kill(os.getppid(), signal.SIGKILL)
        break
    print(json.loads(line)["legal"][0], flush=True)
"""


@pytest.fixture
def assassin(tmp_path):
    """An agent that kills the process that asks it, the first time it is asked at all."""
    program = tmp_path / "assassin.py"
    program.write_text(ASSASSIN)
    return f"cmd:{shlex.join([sys.executable, str(program), str(tmp_path / 'done')])}"


def dead(cluster: LocalCluster) -> int:
    return sum([process.poll() is not None for process in cluster.workers.values()])


def taught(course: Course, workers: int = 2, executor: Executor | None = None):
    learner = new_learner(course)
    rounds = list(train(course, learner, workers, executor))
    return rounds, learner.dump()


def test_an_evaluation_is_the_same_everywhere(cluster, tmp_path):
    """The learner's own table is used, and no worker has it in its home."""
    learner = new_learner(Course("truco", "linear", 8, options={"target": 4}))
    list(train(Course("truco", "linear", 8, options={"target": 4}), learner))
    Store(tmp_path).save(learner)
    given = ("truco", ["linear", "easy"], 20, 3, {"target": 4})
    alone = without_times(evaluate(*given, tables=tmp_path))
    assert alone != without_times(evaluate(*given))
    assert without_times(evaluate(*given, workers=2, tables=tmp_path)) == alone
    for limit in (None, 1):
        with connected(cluster.address, limit) as team:
            assert len(team.workers()) == (limit or 2)
            found = evaluate(*given, workers=2, tables=tmp_path, executor=team)
        assert without_times(found) == alone


def test_an_arena_is_the_same_everywhere(cluster):
    given = ("fodinha", ["random", "easy", "hard"], 6, 2, {"players": 3})
    with connected(cluster.address) as team:
        assert arena(*given, workers=2, executor=team) == arena(*given)


@pytest.mark.parametrize("agent", ["q", "neural"])
def test_a_training_is_the_same_everywhere(agent, cluster, monkeypatch):
    monkeypatch.setattr(training, "part_of_round", lambda *_: 2)
    course = Course("truco", agent, 10, 2, {"target": 4}, opponents=("pool", "self"))
    with connected(cluster.address) as team:
        assert taught(course, executor=team) == taught(course)


def test_a_learner_is_measured_the_same_everywhere(cluster):
    course = Course("truco", "q", 8, options={"target": 4})
    learner = new_learner(course)
    with connected(cluster.address) as team:
        there = measure(course, learner, 10, 8, ("easy",), team, workers=2)
    assert there == measure(course, learner, 10, 8, ("easy",))


def test_helpers_are_told_everything_only_once(cluster, monkeypatch):
    """Afterwards the news are enough, even where one worker plays several parts."""
    monkeypatch.setattr(training, "part_of_round", lambda *_: 1)
    course = Course("truco", "q", 12, options={"target": 2})
    sent = []
    with connected(cluster.address) as team:
        send = team.send
        monkeypatch.setattr(team, "send", lambda *given: sent.append(given[2]) or send(*given))
        rounds, _ = taught(course, 3, team)
    assert len(rounds) == 4
    told = [isinstance(everything, Shared) for _, _, _, everything, *_ in sent]
    assert told == [True] * 3 + [False] * 9


def test_an_evaluation_survives_a_lost_worker(cluster, assassin):
    given = ("truco", [assassin, "easy"], 12, 3, {"target": 2})
    with connected(cluster.address) as team:
        found = evaluate(*given, workers=2, executor=team)
    assert dead(cluster) == 1
    assert without_times(found) == without_times(evaluate(*given))


def test_a_training_survives_a_lost_worker(cluster, assassin, monkeypatch):
    monkeypatch.setattr(training, "part_of_round", lambda *_: 3)
    course = Course("truco", "q", 16, 2, {"target": 2}, opponents=("self", assassin))
    with connected(cluster.address) as team:
        found = taught(course, executor=team)
    assert dead(cluster) == 1
    assert found == taught(course)


def test_what_goes_wrong_at_a_worker_is_told_here(cluster):
    with (
        connected(cluster.address) as team,
        pytest.raises(ValueError, match="no-such-bot cannot be started"),
    ):
        evaluate("truco", ["cmd:/no-such-bot", "easy"], 4, executor=team)


def stranger(folder: Path) -> Path:
    """Where a file is called as one of our rooms, and hides it."""
    (folder / "agents.py").write_text("")
    return folder


def older(folder: Path) -> Path:
    for room in ("engine", "agents"):
        shutil.copytree(ROOT / room, folder / room)
    with (folder / "agents" / "seeds.py").open("a") as file:
        file.write("# as it was before\n")
    return folder


def complaint_about(cluster: LocalCluster) -> str:
    with pytest.raises(WorkError) as caught, connected(cluster.address):
        pass
    return str(caught.value)


def test_a_worker_that_has_no_kibitz_is_named(cluster, tmp_path):
    worker = cluster.start_worker(stranger(tmp_path))
    assert complaint_about(cluster) == (
        f"The worker {worker} of the cluster has another version of Kibitz, or none; "
        "install there what is installed here."
    )


def test_a_worker_with_another_version_does_nothing_even_if_it_comes_late(cluster, tmp_path):
    with connected(cluster.address) as team:
        worker = cluster.start_worker(older(tmp_path))
        with pytest.raises(WorkError, match="another version of Kibitz"):
            team.send([worker], sum, ([1, 2],)).result()
    assert f"The worker {worker} of the cluster has another version" in complaint_about(cluster)


def test_a_cluster_without_workers_is_of_no_use(cluster):
    cluster.have_workers(0)
    with pytest.raises(WorkError, match="has no workers; start some"), connected(cluster.address):
        pass


def test_a_cluster_that_ends_is_said_to(tmp_path):
    with LocalCluster(tmp_path) as ending:
        ending.start_worker()
        with connected(ending.address) as team:
            ending.scheduler.kill()
            ending.scheduler.wait()
            with pytest.raises(WorkError, match="does not answer any more"):
                evaluate("truco", ["random", "easy"], 4, options={"target": 2}, executor=team)


def test_a_cluster_that_is_not_there_is_said_to_be(monkeypatch):
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.5)
    with (
        pytest.raises(WorkError, match=r"No cluster answers at tcp://127\.0\.0\.1:1;"),
        connected("127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize(
    "address",
    ["", "nonsense", "tcp://", "tcp://host", "tcp://host:port", "host:99999", "http://host:80"],
)
def test_an_address_must_be_one(address):
    with pytest.raises(ValueError, match=r"is no address of a cluster; write it as tcp://HOST"):
        checked_address(address)


def test_an_address_may_leave_out_how_to_talk():
    assert checked_address(" 10.0.0.1:8786 ") == "tcp://10.0.0.1:8786"
    assert checked_address("tls://[::1]:8786") == "tls://[::1]:8786"


def test_without_dask_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkError, match=r"pip install 'kibitz\[cluster\]'"), connected("h:1"):
        pass
