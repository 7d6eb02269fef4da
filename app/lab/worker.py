"""The process that does the jobs of the Lab. It imports nothing that draws.

The process never outlives the app: when the connection to the app closes, it kills itself and
its workers.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import Any

from agents.agent import Learner
from agents.evaluation.arena import arena
from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import Conditions
from agents.registry import portable_name
from agents.storage.files import reason_of
from agents.storage.store import Store, StoreError
from agents.training.measurement import milestones
from agents.training.session import TrainingSession
from agents.training_log import CurvePoint
from app.home.locations import Locations
from app.home.process import kill_group, prepare_process
from app.home.visitor import lab_seconds, lab_workers
from app.lab.app_link import AppLink
from app.lab.checkpoints import Checkpoint, new_bookmark, values_checksum
from app.lab.jobs import (
    Command,
    Discarded,
    Evaluated,
    Evaluation,
    Job,
    Kept,
    Learned,
    Measured,
    Progress,
    Ranked,
    Report,
    Tournament,
    Training,
)
from app.lab.learner_store import CONTINUE, resolved, starting_learner
from app.lab.notices import Failed, Notice
from app.records.bookmark import Bookmark


def work(
    job: Job,
    locations: Locations,
    run: int | None,
    bookmark: Path | None,
    connection: "Connection[Any, Any]",
) -> None:
    """Main function of the process.

    run        number of a training in the history
    bookmark   for the checkpoints of a training
    """
    prepare_process()
    link = AppLink(connection.recv, connection.send)

    def listen() -> None:
        link.listen()
        kill_group()

    Thread(target=listen, daemon=True).start()
    link.send(do(job, locations, link, run, bookmark))


def do(
    job: Job,
    locations: Locations,
    link: AppLink,
    run: int | None = None,
    bookmark: Path | None = None,
) -> Report:
    """Do the job and return the final report, also if it fails."""
    try:
        if isinstance(job, Training):
            bookmark = bookmark or new_bookmark(job.course, locations)
            return _train(job, locations, link, run, bookmark)
        if isinstance(job, Evaluation):
            return _evaluate(job, locations, link)
        return _play_tournament(job, locations, link)
    except (ValueError, StoreError) as error:
        return Failed(str(error))
    except Exception as error:
        return Failed(f"The job failed ({type(error).__name__}: {error}).")


# Training


class _LabHost:
    """Reports a training to the app, and saves checkpoints that the person may keep later."""

    def __init__(self, link: AppLink, checkpoint: Checkpoint) -> None:
        self._link = link
        self._checkpoint = checkpoint
        self._can_save = True
        self.saved = False
        self.command: Command | None = None

    def progress(self, session: TrainingSession) -> None:
        stats = session.learner.stats()
        self._link.send_progress(
            Progress(
                session.played,
                session.course.games,
                session.seconds,
                session.measuring,
                stats.table_size,
                stats.epsilon,
            )
        )

    def measured(self, points: Sequence[CurvePoint]) -> None:
        self._link.send(Measured(tuple(points)))

    def stop_requested(self) -> bool:
        self.command = self._link.command()
        return self.command is not None

    def checkpoint(self, session: TrainingSession) -> None:
        if session.played > session.first:
            self._try_to_save(session, self._checkpoint.save)

    def keep_generation(self, session: TrainingSession) -> None:
        self._try_to_save(session, self._checkpoint.save_generation)

    def _try_to_save(
        self, session: TrainingSession, save: Callable[[Learner, int, float], None]
    ) -> None:
        """Save what was learned. A full disk is reported once and stops no training."""
        try:
            save(session.learner, session.played, session.seconds)
            self.saved = True
        except OSError as error:
            if self._can_save:
                self._can_save = False
                reason = reason_of(error)
                self._link.send(Notice(f"The training cannot be saved on the way: {reason}."))


def _train(
    job: Training, locations: Locations, link: AppLink, run: int | None, bookmark: Path
) -> Report:
    learner, store, begun = starting_learner(job.course, locations, job.start)
    course = resolved(job.course, learner)
    _send_notices(store, link)
    start = Bookmark(course, 0, 0.0, run, values_checksum(course, locations))
    try:
        checkpoint = Checkpoint(bookmark, start)
    except OSError as error:
        return Failed(f"{locations.checkpoints} cannot be written to: {reason_of(error)}.")
    host = _LabHost(link, checkpoint)
    decided = False
    opponents = [
        portable_name(course.game, name, Store(locations.qtables)) for name in course.opponents
    ]
    try:
        session = TrainingSession(
            replace(course, opponents=tuple(opponents)),
            learner,
            host,
            workers=lab_workers(job.workers),
            max_seconds=lab_seconds(),
            measure_at=(0, *milestones(course.games, job.measurements + 1)),
            measured_games=job.measured,
            interrupt=link.stopped,
        )
        session.run()
        command = host.command
        if command in (None, Command.STOP):
            session.measure(lambda: link.skip or (command is None and link.command() is not None))
            link.send(Learned(session.played, session.seconds))
            command = link.wait_for_decision()
        if command is Command.KEEP:
            if begun != CONTINUE:
                store.set_aside(course.game, course.agent)
            store.save(learner)
            checkpoint.keep_generations(store)
        decided = True
    finally:
        checkpoint.close(keep=host.saved and not decided)
    _send_notices(store, link)
    if command is not Command.KEEP:
        return Discarded()
    return Kept()


def _send_notices(store: Store, link: AppLink) -> None:
    for notice in store.notices:
        link.send(Notice(notice))
    store.notices.clear()


# Evaluations and tournaments


def _evaluate(job: Evaluation, locations: Locations, link: AppLink) -> Report:
    conditions = _conditions(job, locations, link)
    names = [job.agent, *[job.against] * (conditions.sides(job.game) - 1)]
    return Evaluated(evaluate(job.game, names, job.games, conditions))


def _play_tournament(job: Tournament, locations: Locations, link: AppLink) -> Report:
    conditions = _conditions(job, locations, link)
    pairings, ladder = arena(job.game, job.agents, job.games, conditions)
    return Ranked(tuple(pairings), tuple(ladder))


def _conditions(job: Evaluation | Tournament, locations: Locations, link: AppLink) -> Conditions:
    return Conditions(
        job.seed,
        workers=lab_workers(job.workers),
        qtables=locations.qtables,
        progress=_reporter(link),
    )


def _reporter(link: AppLink) -> Callable[[int, int], None]:
    """Return a function that reports progress, and waits while the job is paused. The app kills
    this process to stop it."""
    started = perf_counter()

    def progress(done: int, total: int) -> None:
        nonlocal started
        link.send_progress(Progress(done, total, perf_counter() - started))
        before = perf_counter()
        link.command()
        started += perf_counter() - before

    return progress
