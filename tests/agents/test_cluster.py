"""Matches on a real Dask cluster of a scheduler and two worker processes."""

import shlex
import shutil
import sys
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

import pytest

from agents.evaluation.arena import arena
from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import Conditions
from agents.parallel import cluster as cluster_module
from agents.parallel.cluster import checked_address, connected
from agents.parallel.parts import Shared, WorkError
from agents.storage.store import Store
from agents.training import rounds
from agents.training.course import Course, new_learner
from agents.training.measurement import measure
from agents.training.rounds import train
from tests.agents.dask_cluster import ROOT, LocalCluster
from tests.agents.test_evaluation import without_times

ASSASSIN = """
import json, os, signal, sys
for line in sys.stdin:
    if not os.path.exists(sys.argv[1]):
        open(sys.argv[1], "x").close()
        os.kill(os.getppid(), signal.SIGKILL)
        break
    question = json.loads(line)
    if "legal" in question:
        print(question["legal"][0], flush=True)
"""


@pytest.fixture
def assassin(tmp_path):
    """An agent that kills its parent process the first time it has to decide."""
    program = tmp_path / "assassin.py"
    program.write_text(ASSASSIN)
    return f"cmd:{shlex.join([sys.executable, str(program), str(tmp_path / 'done')])}"


def dead(cluster: LocalCluster) -> int:
    return sum([process.poll() is not None for process in cluster.workers.values()])


def trained(course: Course, workers: int = 2, executor: Executor | None = None):
    learner = new_learner(course)
    played = list(train(course, learner, workers, executor))
    return played, learner.dump()


@pytest.mark.slow
def test_evaluation_gives_the_same_result_on_a_cluster(cluster, tmp_path):
    """The learned values are sent along: the workers do not have them in their home folder."""
    learner = new_learner(Course("truco", "linear", 8, options={"target": 4}))
    list(train(Course("truco", "linear", 8, options={"target": 4}), learner))
    Store(tmp_path).save(learner)
    conditions = Conditions(3, {"target": 4}, qtables=tmp_path)

    def result(**changes):
        changed = replace(conditions, **changes)
        return without_times(evaluate("truco", ["linear", "easy"], 20, changed))

    alone = result()
    assert alone != result(qtables=None)
    assert result(workers=2) == alone
    for limit in (None, 1):
        with connected(cluster.address, limit) as connection:
            assert len(connection.workers()) == (limit or 2)
            assert result(workers=2, executor=connection) == alone


def test_arena_gives_the_same_result_on_a_cluster(cluster):
    agents = ["random", "easy", "hard"]
    alone = Conditions(2, {"players": 3})
    with connected(cluster.address) as connection:
        there = replace(alone, workers=2, executor=connection)
        assert arena("fodinha", agents, 6, there) == arena("fodinha", agents, 6, alone)


@pytest.mark.parametrize("agent", ["q", "neural"])
def test_training_gives_the_same_values_on_a_cluster(agent, cluster, monkeypatch):
    monkeypatch.setattr(rounds, "matches_per_part", lambda *_: 2)
    course = Course("truco", agent, 10, 2, {"target": 4}, opponents=("pool", "self"))
    with connected(cluster.address) as connection:
        assert trained(course, executor=connection) == trained(course)


def test_measurement_gives_the_same_result_on_a_cluster(cluster):
    course = Course("truco", "q", 8, options={"target": 4})
    learner = new_learner(course)
    with connected(cluster.address) as connection:
        there = measure(course, learner, 10, 8, ("easy",), connection, workers=2)
    assert there == measure(course, learner, 10, 8, ("easy",))


def test_full_learner_is_sent_only_once(cluster, monkeypatch):
    """Later rounds send only deltas, even to a worker that plays several parts."""
    monkeypatch.setattr(rounds, "matches_per_part", lambda *_: 1)
    course = Course("truco", "q", 9, options={"target": 2})
    sent = []
    with connected(cluster.address) as connection:
        send = connection.send
        monkeypatch.setattr(
            connection, "send", lambda *given: sent.append(given[2]) or send(*given)
        )
        played, _ = trained(course, 3, connection)
    assert len(played) == 3
    full = [isinstance(learner, Shared) for _, _, _, learner, *_ in sent]
    assert full == [True] * 3 + [False] * 6


@pytest.mark.slow
def test_evaluation_survives_a_lost_worker(cluster, assassin):
    agents, alone = [assassin, "easy"], Conditions(3, {"target": 2}, programs=True)
    with connected(cluster.address) as connection:
        found = evaluate("truco", agents, 12, replace(alone, workers=2, executor=connection))
    assert dead(cluster) == 1
    assert without_times(found) == without_times(evaluate("truco", agents, 12, alone))


def test_training_survives_a_lost_worker(cluster, assassin, monkeypatch):
    monkeypatch.setattr(rounds, "matches_per_part", lambda *_: 3)
    course = Course("truco", "q", 16, 2, {"target": 2}, opponents=("self", assassin), programs=True)
    with connected(cluster.address) as connection:
        found = trained(course, executor=connection)
    assert dead(cluster) == 1
    assert found == trained(course)


def test_errors_on_a_worker_are_raised_here(cluster):
    with connected(cluster.address) as connection:
        conditions = Conditions(options={"target": 2}, executor=connection, programs=True)
        with pytest.raises(ValueError, match="no-such-bot cannot be started"):
            evaluate("truco", ["cmd:/no-such-bot", "easy"], 4, conditions)


def without_kibitz(folder: Path) -> Path:
    """A folder with a file that hides one of our packages."""
    (folder / "agents.py").write_text("")
    return folder


def older_version(folder: Path) -> Path:
    for package in ("engine", "agents"):
        shutil.copytree(ROOT / package, folder / package)
    with (folder / "agents" / "seeds.py").open("a") as file:
        file.write("# an older version\n")
    return folder


def complaint_about(cluster: LocalCluster) -> str:
    with pytest.raises(WorkError) as caught, connected(cluster.address):
        pass
    return str(caught.value)


def test_worker_without_kibitz_is_named(cluster, tmp_path):
    worker = cluster.start_worker(without_kibitz(tmp_path))
    assert complaint_about(cluster) == (
        f"The worker {worker} of the cluster has another version of Kibitz, or none; "
        "install the version that is installed here."
    )


def test_late_worker_with_another_version_is_refused(cluster, tmp_path):
    with connected(cluster.address) as connection:
        worker = cluster.start_worker(older_version(tmp_path))
        # A free worker may take some of the parts that are meant for this one.
        parts = [connection.send([worker], sum, ([1, 2],)) for _ in range(16)]
        errors = [error for part in parts if (error := part.exception()) is not None]
        assert errors
        assert all("another version of Kibitz" in str(error) for error in errors)
    assert f"The worker {worker} of the cluster has another version" in complaint_about(cluster)


@pytest.mark.slow
def test_cluster_without_workers_is_refused(cluster):
    cluster.have_workers(0)
    with pytest.raises(WorkError, match="has no workers; start some"), connected(cluster.address):
        pass


@pytest.mark.slow
def test_lost_cluster_is_reported(tmp_path):
    with LocalCluster(tmp_path) as ending:
        ending.start_worker()
        with connected(ending.address) as connection:
            ending.scheduler.kill()
            ending.scheduler.wait()
            with pytest.raises(WorkError, match="no longer answers"):
                evaluate(
                    "truco",
                    ["random", "easy"],
                    4,
                    Conditions(options={"target": 2}, executor=connection),
                )


def test_missing_cluster_is_reported(monkeypatch):
    monkeypatch.setattr(cluster_module, "TIMEOUT", 0.5)
    with (
        pytest.raises(WorkError, match=r"No cluster answers at tcp://127\.0\.0\.1:1;"),
        connected("127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize(
    "address",
    ["", "nonsense", "tcp://", "tcp://host", "tcp://host:port", "host:99999", "http://host:80"],
)
def test_wrong_addresses_are_refused(address):
    with pytest.raises(
        ValueError, match=r"is not the address of a cluster; write it as tcp://HOST"
    ):
        checked_address(address)


def test_address_without_a_scheme_uses_tcp():
    assert checked_address(" 10.0.0.1:8786 ") == "tcp://10.0.0.1:8786"
    assert checked_address("tls://[::1]:8786") == "tls://[::1]:8786"


def test_missing_dask_is_reported(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkError, match=r"pip install 'kibitz\[cluster\]'"), connected("h:1"):
        pass
