"""The state of the Lab that outlives its screen: the current job and the last results."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from textual.message import Message

from agents.agent import LearningStats
from agents.registry import spec_of, title_of
from agents.storage.store import Store
from app.home.locations import Locations
from app.lab.checkpoints import (
    Interrupted,
    interrupted_trainings,
    keep_interrupted,
    remove_checkpoint,
)
from app.lab.jobs import Evaluated, Evaluation, Job, Kept, Learned, Ranked, Report, Training
from app.lab.notices import Failed, Notice
from app.lab.roster import Member, Roster
from app.lab.run import Phase, Run
from app.lab.verdict import percentages, verdict
from app.records.history import History, HistoryError
from engine import GAMES

ONE_AT_A_TIME: Final = "One job at a time: stop the current one, or wait until it is over."


class JobReported(Message):
    """The process of a job has sent a report."""

    def __init__(self, run: Run, report: Report) -> None:
        super().__init__()
        self.run = run
        self.report = report


class Laboratory:
    """Runs one job at a time.

    ladders   the last arena of each game
    onlooker  is called with every report; returns whether it shows the report to the person
    """

    def __init__(
        self,
        locations: Locations,
        store: Store,
        history: History,
        post: Callable[[JobReported], object],
    ) -> None:
        self.store = store
        self.history = history
        self.exports: Path = locations.exports
        self.roster = Roster(store, history)
        self.run: Run | None = None
        self.ladders: dict[str, Ranked] = {}
        self.onlooker: Callable[[Report], bool] | None = None
        self._locations = locations
        self._post = post

    @property
    def busy(self) -> bool:
        return self.run is not None and self.run.busy

    def trains(self, game: str, agent: str) -> bool:
        """Whether this agent is being trained."""
        job = self.run.job if self.run is not None and self.run.busy else None
        return isinstance(job, Training) and (job.game, job.course.agent) == (game, agent)

    def start(self, job: Job) -> None:
        """Raises ValueError with a sentence while another job runs."""
        if self.busy:
            raise ValueError(ONE_AT_A_TIME)
        self.run = Run(job, self._locations, self.history, self._report)
        self.run.start()

    def members(self, game: str) -> tuple[list[Member], list[str]]:
        """The agents of a game, with a new learner that is being trained and not saved yet. Reads
        files."""
        members, problems = self.roster.members(game)
        job = self.run.job if self.run is not None and self.run.busy else None
        if isinstance(job, Training) and job.game == game:
            agent = job.course.agent
            spec = spec_of(game, agent)
            if spec is not None and agent not in [member.agent for member in members]:
                members.append(Member(agent, spec.title, spec.level, LearningStats(), {}))
        return members, problems

    def _report(self, run: Run, report: Report) -> None:
        self._post(JobReported(run, report))

    def take(self, run: Run, report: Report) -> str:
        """Take in a report. Return a sentence for a person who does not see the Lab, or ""."""
        run.take(report)
        if isinstance(report, Ranked):
            self.ladders[run.job.game] = report
        seen = self.onlooker is not None and self.onlooker(report)
        if isinstance(report, Notice):
            return report.sentence
        if isinstance(report, Learned | Kept | Evaluated | Ranked | Failed) and not seen:
            return summary(run)
        return ""

    def end(self, discard: bool = False) -> None:
        """End the current job. discard: whether to discard what a training has learned; else
        the Lab offers its last checkpoint the next time it is opened."""
        if self.run is not None and self.run.busy:
            self.run.end(discard)

    # Interrupted trainings. These methods read and write files.

    def interrupted(self) -> list[Interrupted]:
        """Return trainings that a crash interrupted; none while a job runs."""
        return [] if self.busy else interrupted_trainings(self._locations)

    def keep(self, training: Interrupted) -> str:
        """Save what an interrupted training learned. Return a sentence about that.

        Raises StoreError.
        """
        keep_interrupted(training, self._locations)
        self._end_run(training, kept=True)
        name, played = name_of(Training(training.progress.course)), training.progress.played
        return f"{name}: kept what it learned in {played:,} matches."

    def discard(self, training: Interrupted) -> str:
        """Discard what an interrupted training learned. Return a sentence about that."""
        remove_checkpoint(training.bookmark)
        self._end_run(training, kept=False)
        return f"{name_of(Training(training.progress.course))}: discarded; nothing was changed."

    def _end_run(self, training: Interrupted, kept: bool) -> None:
        progress = training.progress
        if progress.run is not None:
            with suppress(HistoryError):
                self.history.end_run(progress.run, progress.played, progress.seconds, kept)


def name_of(job: Job) -> str:
    """Return a title such as `Training Q` or `Q against Hard`."""
    game = job.game
    if isinstance(job, Training):
        return f"Training {title_of(game, job.course.agent)}"
    if isinstance(job, Evaluation):
        return f"{title_of(game, job.agent)} against {title_of(game, job.against)}"
    return f"Arena of {len(job.agents)} agents"


def summary(run: Run) -> str:
    """Return the state of a job in a line or two."""
    name = f"{name_of(run.job)} at {GAMES[run.job.game].title}"
    done, total, seconds = run.progress.done, run.progress.total, run.progress.seconds
    if run.phase is Phase.OVER:
        return f"{name}: {_outcome(run)}"
    if run.phase is Phase.ASKING:
        return f"{name}: {done:,} matches. {verdict(run.points)} Keep what it learned?"
    if run.phase is Phase.PREPARING:
        return f"{name}: getting ready…"
    counted = f"{name}: {done:,} of {total:,} matches"
    if run.phase is Phase.PAUSED:
        return f"{counted} · paused"
    if run.phase is Phase.STOPPING:
        return f"{counted} · {_stopping(run)}"
    if run.phase is Phase.KEEPING:
        return f"{counted} · finishing…"
    if run.progress.measuring:
        return f"{counted} · measuring how well it plays…"
    if not done or not seconds:
        return counted
    left = timedelta(seconds=round((total - done) * seconds / done))
    rate = done / seconds
    return f"{counted} · {rate:,.{0 if rate >= 10 else 1}f} games/s · {left} left"


def _stopping(run: Run) -> str:
    """Say what a stopped job is waiting for."""
    if run.progress.measuring:
        return "stopping: measuring how well it plays now; stop again to skip that…"
    return "stopping…"


def _outcome(run: Run) -> str:
    result = run.result
    if isinstance(result, Kept):
        return f"kept. {verdict(run.points)}"
    if isinstance(result, Failed):
        return result.sentence
    if isinstance(result, Evaluated):
        entry = result.report["agents"][0]
        rate = percentages(entry["win_rate"], *entry["ci95"])
        return f"won {rate} of {entry['games']:,} matches."
    if isinstance(result, Ranked):
        return f"{result.ladder[0].agent} leads the ladder."
    return "stopped; nothing was changed."
