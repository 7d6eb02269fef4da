"""Trains the values that come with the program: `make pretrained`.

    python -m agents.training.pretraining [--fresh] [--processes N] [GAME…] [AGENT…]

Every learner that its game's roster lists is a job: it starts from nothing, plays its course
with a fixed seed in one process, is measured on the way, and is shipped with its learning curve
and some generations. As many jobs run at the same time as there are cores, the longest first.

A job keeps checkpoints in `build/pretrained`. The same command continues jobs that were stopped
or killed, and skips finished ones. A job starts again with --fresh, or if its course or the
meaning of its values has changed. A course that became longer continues.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from multiprocessing import connection, get_context
from multiprocessing.context import SpawnProcess
from os import cpu_count, environ, kill
from pathlib import Path
from signal import SIGINT, SIGTERM, signal
from time import process_time
from types import FrameType
from typing import Final

from agents.agent import Learner
from agents.names import generation_name
from agents.parallel.parts import end_with_parent
from agents.registry import agents_for, create, roster
from agents.roster import Pretraining
from agents.storage.files import write_atomic
from agents.storage.store import (
    read_log,
    read_values,
    shipped,
    shipped_generations,
    values_of,
    write_shipped,
    write_values,
)
from agents.storage.values_file import Refused
from agents.training.course import Course, new_learner
from agents.training.measurement import growing_marks, measure
from agents.training.session import TrainingSession
from agents.training_log import CurvePoint, TrainingLog
from engine import GAMES
from engine.manifest import VARIANTS

SEED: Final = 1
FOLDER: Final = Path("build/pretrained")
MEASURED_GAMES: Final = 40
"""Matches of each measurement on the way, against each rival."""

FINALLY_MEASURED_GAMES: Final = 200
"""Matches of the last measurement, of the learner that is shipped."""

BUDGET: Final = 100 * 60 * 2
"""CPU seconds that all courses together may take: 100 minutes on two cores."""

RARE_FROM: Final = 1000
"""Rare situations are not shipped with generations of at least so many matches. Earlier ones
have met most situations only once."""


@dataclass(frozen=True, slots=True)
class Job:
    """The training of one learner.

    folder   for its checkpoints
    """

    game: str
    agent: str
    folder: Path = FOLDER

    @property
    def plan(self) -> Pretraining:
        return roster(self.game).pretraining.get(self.agent, Pretraining())

    @property
    def course(self) -> Course:
        plan = self.plan
        return Course(
            self.game,
            self.agent,
            plan.matches,
            SEED,
            opponents=plan.opponents,
            settings=dict(plan.settings),
            variants=plan.variants,
        )

    @property
    def generations(self) -> list[int]:
        return [each for each in self.plan.generations if each < self.plan.matches]

    def values(self, generation: int | None = None) -> Path:
        """Where the learner or one of its generations is kept on the way."""
        name = self.agent if generation is None else generation_name(self.agent, generation)
        return self.folder / f"{self.game}.{name}.pkl"

    def expected_seconds(self) -> float:
        """The time that the shipped learner took for its course; infinite if there is none."""
        log = read_log(shipped(self.game, self.agent))
        if log is None or not log.matches:
            return inf
        return log.seconds * self.plan.matches / log.matches

    def spent_seconds(self) -> float:
        """The CPU seconds behind the shipped learner."""
        log = read_log(shipped(self.game, self.agent))
        return log.seconds if log else 0.0

    def finished(self) -> bool:
        """Whether the learner has been trained by this course and shipped."""
        return self._recorded() == self._record(done=True) and all(
            shipped(self.game, name).exists() for name in self._shipped_names()
        )

    def start(self, fresh: bool) -> Learner:
        """The learner, with what it learned before the job was interrupted."""
        learner = new_learner(self.course)
        if not fresh and self._recorded().get("identity") == self._identity():
            try:
                read_values(self.values(), learner)
            except Refused as refusal:
                print(f"{self.values()} was not loaded because {refusal}.", flush=True)
        if learner.log.matches > self.plan.matches:
            learner = new_learner(self.course)
        if not learner.log.matches:
            for path in self.folder.glob(f"{self.game}.{self.agent}@*.pkl"):
                path.unlink()
        self._write_record(done=False)
        return learner

    def ship(self) -> None:
        """Write the trained learner and its generations to the program, replacing all earlier
        ones."""
        for generation in shipped_generations(self.game, self.agent):
            shipped(self.game, generation_name(self.agent, generation)).unlink()
        for generation in self.generations:
            least = self.plan.min_visits if generation >= RARE_FROM else 1
            learner = self._compact(self.values(generation), least, rough=True)
            name = generation_name(self.agent, generation)
            write_shipped(self.game, name, values_of(learner), learner.fingerprint())
        learner = self._compact(self.values(), self.plan.min_visits)
        points = measure(self.course, learner, FINALLY_MEASURED_GAMES, learner.log.matches)
        learner.log = learner.log.measured(points)
        write_shipped(self.game, self.agent, values_of(learner), learner.fingerprint())
        self._write_record(done=True)

    def _compact(self, path: Path, least: int, rough: bool = False) -> Learner:
        learner = new_learner(self.course)
        if not read_values(path, learner):
            raise FileNotFoundError(f"{path} is missing; train {self.agent} again with --fresh.")
        learner.compact(least, rough)
        return learner

    def _shipped_names(self) -> list[str]:
        return [self.agent, *[generation_name(self.agent, each) for each in self.generations]]

    def _identity(self) -> str:
        """What the training depends on, except for its length."""
        return f"{replace(self.course, games=0)} | {new_learner(self.course).fingerprint()}"

    def _record(self, done: bool) -> dict[str, object]:
        plan = self.plan
        return {
            "identity": self._identity(),
            "matches": plan.matches,
            "shipped": [plan.min_visits, *self.generations],
            "done": done,
        }

    @property
    def _record_path(self) -> Path:
        return self.folder / f"{self.game}.{self.agent}.json"

    def _recorded(self) -> dict[str, object]:
        try:
            found = json.loads(self._record_path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write_record(self, done: bool) -> None:
        contents = json.dumps(self._record(done)).encode()
        write_atomic(self._record_path, contents, private=False)

    def result(self) -> str:
        """A line about the shipped learner: size, time, and win rates at first and at last."""
        log = read_log(shipped(self.game, self.agent)) or TrainingLog()
        size = sum([shipped(self.game, name).stat().st_size for name in self._shipped_names()])
        rates = []
        for rival in dict.fromkeys([point.against for point in log.points]):
            curve = [point.win_rate for point in log.points if point.against == rival]
            rates.append(f"{rival} {curve[0]:4.0%} → {curve[-1]:4.0%}")
        return (
            f"{self.game:<11}{self.agent:<17}{log.matches:>9,} matches{log.seconds / 60:>7.1f} min"
            f"{size / 1000:>7.0f} kB   {'   '.join(rates)}"
        )


class _JobHost:
    """Saves checkpoints and generations of a job, and stops it after a signal."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._stopped = False
        for number in (SIGINT, SIGTERM):
            signal(number, self._stop)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopped = True

    def progress(self, session: TrainingSession) -> None:
        pass

    def measured(self, points: Sequence[CurvePoint]) -> None:
        job, point = self._job, points[0]
        rates = ", ".join([f"{each.win_rate:.0%} against {each.against}" for each in points])
        print(
            f"{job.game} {job.agent}: {point.games:,} of {job.plan.matches:,} matches "
            f"in {point.seconds:,.0f} s, {rates}",
            flush=True,
        )

    def stop_requested(self) -> bool:
        return self._stopped

    def checkpoint(self, session: TrainingSession) -> None:
        write_values(self._job.values(), session.learner)

    def keep_generation(self, session: TrainingSession) -> None:
        learner = session.learner
        write_values(self._job.values(learner.log.matches), learner)


def pretrain(job: Job, fresh: bool = False) -> bool:
    """Do a job in this process, from its last checkpoint on. Return whether it is finished."""
    job.folder.mkdir(parents=True, exist_ok=True)
    learner = job.start(fresh)
    measured = {point.games for point in learner.log.points}
    session = TrainingSession(
        job.course,
        learner,
        _JobHost(job),
        first=learner.log.matches,
        measure_at=[mark for mark in growing_marks(job.plan.matches) if mark not in measured],
        measured_games=MEASURED_GAMES,
        # The time of other processes on a busy machine does not count.
        clock=process_time,
    )
    session.run()
    if session.finished:
        job.ship()
    return session.finished


def _do(job: Job, fresh: bool) -> None:
    """Main function of the process of a job."""
    end_with_parent()
    if not pretrain(job, fresh):
        sys.exit(f"{job.game} {job.agent}: stopped; the same command continues.")


def run_jobs(jobs: Sequence[Job], processes: int, fresh: bool) -> bool:
    """Do jobs in so many processes at the same time. Return whether all were finished.

    Ctrl+C stops all after a checkpoint.
    """
    waiting = list(jobs)
    running: list[SpawnProcess] = []
    finished = True
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                process = get_context("spawn").Process(target=_do, args=(waiting.pop(0), fresh))
                process.start()
                running.append(process)
            connection.wait([process.sentinel for process in running])
            finished = finished and not any(process.exitcode for process in running)
            running = [process for process in running if process.exitcode is None]
    except KeyboardInterrupt:
        finished = False
        for process in running:
            if process.pid is not None and process.exitcode is None:
                kill(process.pid, SIGTERM)
    for process in running:
        process.join()
    return finished


def chosen(words: Sequence[str]) -> list[Job]:
    """Return the jobs that names of games and agents select.

    Without names these are all learners with a listed course.
    """
    agents = [word for word in words if word not in GAMES]
    games = [word for word in words if word in GAMES] or [*GAMES, *VARIANTS]
    jobs = [
        Job(game, agent)
        for game in games
        for agent in (agents or roster(game).pretraining)
        if agent in agents_for(game) and isinstance(create(game, agent), Learner)
    ]
    unknown = set(agents) - {job.agent for job in jobs}
    if unknown:
        raise ValueError(f"No such learner: {', '.join(sorted(unknown))}.")
    return jobs


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m agents.training.pretraining",
        description="Train the learners that come with the program, from nothing.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="games and learners (default all)")
    parser.add_argument("--fresh", action="store_true", help="start again, ignore checkpoints")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="for checkpoints")
    parser.add_argument("--processes", type=int, default=cpu_count() or 1, help="default: cores")
    given = parser.parse_args(words)
    # The number of threads changes how sums are rounded. numpy reads this when it is imported,
    # so the processes are spawned.
    environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        jobs = [replace(job, folder=given.folder) for job in chosen(given.names)]
    except ValueError as error:
        parser.error(str(error))
    due = [job for job in jobs if given.fresh or not job.finished()]
    due.sort(key=lambda job: (job.expected_seconds(), job.plan.matches), reverse=True)
    expected = [job.expected_seconds() for job in due]
    print(
        f"{len(due)} of {len(jobs)} courses to do: about "
        f"{sum([each for each in expected if isfinite(each)]):,.0f} CPU seconds in all"
        + (f", and {expected.count(inf)} that were never timed" if inf in expected else ""),
        flush=True,
    )
    finished = run_jobs(due, max(1, given.processes), given.fresh)
    done = [job for job in jobs if job.finished()]
    for job in done:
        print(job.result())
    total = sum([path.stat().st_size for path in shipped("", "").parent.glob("*.pkl.gz")])
    spent = sum([job.spent_seconds() for job in done])
    print(
        f"{len(done)} of {len(jobs)} learners trained in {spent:,.0f} CPU seconds (all courses: at "
        f"most {BUDGET:,}); {total / 1e6:.2f} MB shipped in total"
    )
    return 0 if finished else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
