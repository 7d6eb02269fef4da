"""What work on a cluster costs, and what follows for many workers.

    python -m tests.bench.cluster_costs

Starts a scheduler and two workers here. Costs are seconds of a processor's time, not of the
clock, so that a busy machine measures the same as an idle one; only the comparison of one
worker with two goes by the clock.
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
from agents.evaluation.evaluation import PART, Series, evaluate, pack_agents, play_matches
from agents.parallel.cluster import Cluster, connected
from agents.parallel.parts import Shared
from agents.training.training import Course, new_learner, part_of_round, play_lessons
from tests.agents.dask_cluster import LocalCluster

TASKS: Final = 400
SOME: Final = 16
CREWS: Final = (2, 4, 8, 16)
BANDWIDTH: Final = 100e6
"""Bytes a second between two machines, a cautious guess."""

CROWDS: Final = (2, 10, 30, 100, 300, 1000)


@dataclass(slots=True)
class Spent:
    seconds: float = 0.0


@contextmanager
def timed(clock: Callable[[], float] = process_time) -> Iterator[Spent]:
    spent, start = Spent(), clock()
    yield spent
    spent.seconds = clock() - start


def of_process(number: int) -> Callable[[], float]:
    times = psutil.Process(number).cpu_times
    return lambda: times().user + times().system


def cost_of_a_task(cluster: LocalCluster, team: Cluster) -> tuple[float, float, float]:
    """Of a part with next to nothing to do: for us, the scheduler and the workers."""
    team.submit(sum, [1, 2]).result()
    clocks = [process_time, of_process(cluster.scheduler.pid)]
    clocks += [of_process(process.pid) for process in cluster.workers.values()]
    before = [clock() for clock in clocks]
    for job in [team.submit(sum, [1, 2]) for _ in range(TASKS)]:
        job.result()
    ours, scheduler, *workers = [
        (clock() - start) / TASKS for clock, start in zip(clocks, before, strict=True)
    ]
    return ours, scheduler, sum(workers)


def evaluations(ours: float, scheduler: float, theirs: float) -> None:
    print(f"parts of {PART:g} s:{'sent once':>27}{'unpacked':>10}{'a match':>9}{'its answer':>12}")
    for game, names in (
        ("truco", ("easy", "random")),
        ("truco", ("q", "hard")),
        ("euchre", ("q", "hard")),
        ("smear", ("neural", "hard")),
    ):
        known = pack_agents(game, names)
        series = Series(game, names, 1, {}, tuple([known[name] for name in names]))
        with timed() as unpacked:
            play_matches(Shared(series), 0, 0)
        with timed() as played:
            outcomes, _ = play_matches(Shared(series), 0, SOME)
        match = max(0.0, played.seconds - unpacked.seconds) / SOME
        answer = len(pickle.dumps(outcomes)) // SOME
        print(
            f"{game + ' ' + ' '.join(names):<28}{len(pickle.dumps(series)) / 1e3:>10.0f} kB"
            f"{unpacked.seconds * 1e3:>7.0f} ms{match * 1e3:>6.1f} ms{answer:>6} bytes"
        )
        each = PART / (PART + unpacked.seconds + theirs)
        most = PART / max(ours, scheduler)
        gains = [f"{crowd}: ×{min(crowd * each, most):.0f}" for crowd in CROWDS]
        print(f"    as fast as one alone by {', '.join(gains)}")


def part_of(course: Course, learner: Learner, number: int) -> tuple[float, bytes]:
    """How long a helper plays in its part of a round, and what it learns."""
    helper: Learner = pickle.loads(pickle.dumps(learner))
    helper.apply_delta(helper.take_delta())
    matches = part_of_round(course, learner)
    with timed() as played:
        play_lessons(course, helper, number * matches, matches)
    return played.seconds, pickle.dumps(helper.updates())


def trainings(ours: float, scheduler: float, theirs: float) -> None:
    for course in (
        Course("truco", "q", 0),
        Course("euchre", "q", 0),
        Course("smear", "linear", 0),
        Course("smear", "neural", 0),
    ):
        learner = new_learner(course)
        matches = part_of_round(course, learner)
        print(f"\ntrain {course.game} {course.agent}, {matches} matches for each worker in a round")
        played = [part_of(course, learner, number) for number in range(max(CREWS))]
        parts = [part for _, part in played]
        play = sum([seconds for seconds, _ in played]) / len(played)
        lessons = sum(map(len, parts)) / len(parts)
        print(f"  a part is played in {play * 1e3:.0f} ms and teaches {lessons / 1e3:.0f} kB")
        rows = [(crew, *cost_of_a_round(learner, parts[:crew])) for crew in CREWS]
        for crew, merge, tell, catch_up, size in rows:
            print(
                f"  {crew:>3} workers: {merge * 1e3:5.1f} ms to take in a part, news of "
                f"{size / 1e3:4.0f} kB in {tell * 1e3:4.1f} ms, caught up in {catch_up * 1e3:4.1f}"
            )
        _, merge, tell, catch_up, size = rows[-1]
        each = merge + max(ours, scheduler) + lessons / BANDWIDTH
        fixed = theirs + tell + size / BANDWIDTH + catch_up
        gains = [
            f"{crowd}: ×{crowd * play / (play + fixed + crowd * each):.1f}" for crowd in CROWDS
        ]
        print(f"  as fast as one alone by {', '.join(gains)}")


def cost_of_a_round(learner: Learner, parts: list[bytes]) -> tuple[float, float, float, float]:
    """Seconds to take in a part, to tell what is new and to catch up with it; its bytes."""
    ours: Learner = pickle.loads(pickle.dumps(learner))
    helper: Learner = pickle.loads(pickle.dumps(learner))
    ours.take_delta()
    with timed() as merged:
        for part in parts:
            ours.merge_updates(pickle.loads(part))
    with timed() as told:
        news = pickle.dumps(ours.take_delta())
    with timed() as caught_up:
        helper.apply_delta(pickle.loads(news))
    return merged.seconds / len(parts), told.seconds, caught_up.seconds, float(len(news))


def one_and_two(cluster: LocalCluster) -> None:
    """By the clock, in turn, so that both meet the same load."""
    seconds = {1: 0.0, 2: 0.0}
    for turn in range(3):
        for count in seconds:
            with connected(cluster.address, count) as team, timed(perf_counter) as spent:
                evaluate("truco", ["easy", "random"], 400, turn, workers=count, executor=team)
            seconds[count] += spent.seconds
    print(
        f"evaluate truco easy random, 3 × 400 matches: {seconds[1]:.1f} s with one worker, "
        f"{seconds[2]:.1f} s with two, ×{seconds[1] / seconds[2]:.2f}"
    )


def main() -> None:
    with TemporaryDirectory() as folder, LocalCluster(Path(folder)) as cluster:
        cluster.have_workers(2)
        with connected(cluster.address) as team:
            ours, scheduler, theirs = cost_of_a_task(cluster, team)
        print(
            f"a task costs {ours * 1e3:.2f} ms here, {scheduler * 1e3:.2f} ms in the scheduler, "
            f"{theirs * 1e3:.2f} ms in its worker"
        )
        one_and_two(cluster)
    evaluations(ours, scheduler, theirs)
    trainings(ours, scheduler, theirs)


if __name__ == "__main__":
    main()
