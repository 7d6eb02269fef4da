"""Measures what work on a cluster costs, and estimates the gain from many workers.

    python -m tests.bench.cluster_costs

Starts a scheduler and two workers on this machine. Costs are processor time, so that a busy
machine gives the same figures as an idle one. Only the comparison of one worker with two is
wall-clock time.
"""

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Final

import psutil

from agents.agent import Learner
from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import PART_SECONDS, Conditions, play_matches
from agents.parallel.cluster import Cluster, connected
from agents.parallel.parts import Shared
from agents.training.course import Course, new_learner
from agents.training.rounds import matches_per_part, play_and_learn
from tests.agents.dask_cluster import LocalCluster

TASKS: Final = 400
MATCHES: Final = 16
POOL_SIZES: Final = (2, 4, 8, 16)
BANDWIDTH: Final = 100e6
"""Bytes per second between two machines, a conservative guess."""

WORKER_COUNTS: Final = (2, 10, 30, 100, 300, 1000)


@dataclass(slots=True)
class Spent:
    seconds: float = 0.0


@contextmanager
def timed(clock: Callable[[], float] = process_time) -> Iterator[Spent]:
    spent, start = Spent(), clock()
    yield spent
    spent.seconds = clock() - start


def processor_time_of(number: int) -> Callable[[], float]:
    times = psutil.Process(number).cpu_times
    return lambda: times().user + times().system


def cost_of_a_task(cluster: LocalCluster, connection: Cluster) -> tuple[float, float, float]:
    """Processor seconds of an empty task: here, in the scheduler and in its worker."""
    connection.submit(sum, [1, 2]).result()
    clocks = [process_time, processor_time_of(cluster.scheduler.pid)]
    clocks += [processor_time_of(process.pid) for process in cluster.workers.values()]
    before = [clock() for clock in clocks]
    for job in [connection.submit(sum, [1, 2]) for _ in range(TASKS)]:
        job.result()
    ours, scheduler, *workers = [
        (clock() - start) / TASKS for clock, start in zip(clocks, before, strict=True)
    ]
    return ours, scheduler, sum(workers)


def evaluations(ours: float, scheduler: float, theirs: float) -> None:
    print(
        f"parts of {PART_SECONDS:g} s:{'sent once':>27}{'unpacked':>10}{'a match':>9}"
        f"{'its answer':>12}"
    )
    for game, names in (
        ("truco", ("easy", "random")),
        ("truco", ("q", "hard")),
        ("euchre", ("q", "hard")),
        ("smear", ("neural", "hard")),
    ):
        conditions = Conditions(seed=1)
        series = conditions.series(game, names, conditions.pickled_agents(game, names))
        with timed() as unpacked:
            play_matches(Shared(series), 0, 0)
        with timed() as played:
            outcomes, _ = play_matches(Shared(series), 0, MATCHES)
        match = max(0.0, played.seconds - unpacked.seconds) / MATCHES
        answer = len(pickle.dumps(outcomes)) // MATCHES
        print(
            f"{game + ' ' + ' '.join(names):<28}{len(pickle.dumps(series)) / 1e3:>10.0f} kB"
            f"{unpacked.seconds * 1e3:>7.0f} ms{match * 1e3:>6.1f} ms{answer:>6} bytes"
        )
        each = PART_SECONDS / (PART_SECONDS + unpacked.seconds + theirs)
        most = PART_SECONDS / max(ours, scheduler)
        gains = [f"{count}: ×{min(count * each, most):.0f}" for count in WORKER_COUNTS]
        print(f"    speed-up with {', '.join(gains)}")


def part_of(course: Course, learner: Learner, number: int) -> tuple[float, bytes]:
    """Seconds a worker plays its part of a round, and its updates, pickled."""
    worker: Learner = pickle.loads(pickle.dumps(learner))
    worker.apply_delta(worker.take_delta())
    matches = matches_per_part(course, learner)
    with timed() as played:
        play_and_learn(course, worker, number * matches, matches)
    return played.seconds, pickle.dumps(worker.updates())


def trainings(ours: float, scheduler: float, theirs: float) -> None:
    for course in (
        Course("truco", "q", 0),
        Course("euchre", "q", 0),
        Course("smear", "linear", 0),
        Course("smear", "neural", 0),
    ):
        learner = new_learner(course)
        matches = matches_per_part(course, learner)
        print(f"\ntrain {course.game} {course.agent}, {matches} matches for each worker in a round")
        played = [part_of(course, learner, number) for number in range(max(POOL_SIZES))]
        parts = [part for _, part in played]
        play = sum([seconds for seconds, _ in played]) / len(played)
        updates = sum(map(len, parts)) / len(parts)
        print(
            f"  a part is played in {play * 1e3:.0f} ms and its updates have {updates / 1e3:.0f} kB"
        )
        rows = [(pool, *cost_of_a_round(learner, parts[:pool])) for pool in POOL_SIZES]
        for pool, merge, make, apply, size in rows:
            print(
                f"  {pool:>3} workers: {merge * 1e3:5.1f} ms to merge a part, a delta of "
                f"{size / 1e3:4.0f} kB in {make * 1e3:4.1f} ms, applied in {apply * 1e3:4.1f}"
            )
        _, merge, make, apply, size = rows[-1]
        each = merge + max(ours, scheduler) + updates / BANDWIDTH
        fixed = theirs + make + size / BANDWIDTH + apply
        gains = [
            f"{count}: ×{count * play / (play + fixed + count * each):.1f}"
            for count in WORKER_COUNTS
        ]
        print(f"  speed-up with {', '.join(gains)}")


def cost_of_a_round(learner: Learner, parts: list[bytes]) -> tuple[float, float, float, float]:
    """Seconds to merge a part, to make the delta and to apply it, and the bytes of the delta."""
    ours: Learner = pickle.loads(pickle.dumps(learner))
    worker: Learner = pickle.loads(pickle.dumps(learner))
    ours.take_delta()
    with timed() as merged:
        for part in parts:
            ours.merge_updates(pickle.loads(part))
    with timed() as made:
        delta = pickle.dumps(ours.take_delta())
    with timed() as applied:
        worker.apply_delta(pickle.loads(delta))
    return merged.seconds / len(parts), made.seconds, applied.seconds, float(len(delta))


def one_and_two(cluster: LocalCluster) -> None:
    """Compare in turn, so that both run under the same load."""
    seconds = {1: 0.0, 2: 0.0}
    for turn in range(3):
        for workers in seconds:
            with (
                connected(cluster.address, workers) as connection,
                timed(perf_counter) as spent,
            ):
                evaluate(
                    "truco",
                    ["easy", "random"],
                    400,
                    Conditions(turn, {}, workers, executor=connection),
                )
            seconds[workers] += spent.seconds
    print(
        f"evaluate truco easy random, 3 × 400 matches: {seconds[1]:.1f} s with one worker, "
        f"{seconds[2]:.1f} s with two, ×{seconds[1] / seconds[2]:.2f}"
    )


def main() -> None:
    with TemporaryDirectory() as folder, LocalCluster(Path(folder)) as cluster:
        cluster.have_workers(2)
        with connected(cluster.address) as connection:
            ours, scheduler, theirs = cost_of_a_task(cluster, connection)
        print(
            f"a task costs {ours * 1e3:.2f} ms here, {scheduler * 1e3:.2f} ms in the scheduler, "
            f"{theirs * 1e3:.2f} ms in its worker"
        )
        one_and_two(cluster)
    evaluations(ours, scheduler, theirs)
    trainings(ours, scheduler, theirs)


if __name__ == "__main__":
    main()
