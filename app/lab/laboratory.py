"""What of the laboratory outlives its screen: the run under way, and what came of the last."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Final

from textual.message import Message

from agents.registry import agents_for
from agents.storage.store import Store
from agents.training.measurement import REFERENCE_AGENTS
from app.home.locations import Locations
from app.lab.jobs import (
    Evaluated,
    Evaluation,
    Failed,
    Job,
    Kept,
    Learned,
    Ranked,
    Remark,
    Report,
    Training,
)
from app.lab.roster import Roster
from app.lab.run import Phase, Rooms, Run
from app.lab.verdict import percentages, verdict
from app.records.history import History
from engine import GAMES

ONE_AT_A_TIME: Final = "One thing at a time: stop what is under way, or wait for its end."


class LabNews(Message):
    """The process at work has reported something."""

    def __init__(self, run: Run, report: Report) -> None:
        super().__init__()
        self.run = run
        self.report = report


class Laboratory:
    """One job at a time.

    ladders   the last arena of each game
    onlooker  is told of every report; whether it shows it to the person
    """

    def __init__(
        self,
        locations: Locations,
        store: Store,
        history: History,
        post: Callable[[LabNews], object],
    ) -> None:
        self.store = store
        self.history = history
        self.exports: Path = locations.exports
        self.roster = Roster(store, history, REFERENCE_AGENTS)
        self.run: Run | None = None
        self.ladders: dict[str, Ranked] = {}
        self.onlooker: Callable[[Report], bool] | None = None
        self._rooms = Rooms(locations.qtables, locations.experiments)
        self._post = post

    @property
    def busy(self) -> bool:
        return self.run is not None and self.run.busy

    def start(self, job: Job) -> None:
        """Raises ValueError with a sentence when something else is under way."""
        if self.busy:
            raise ValueError(ONE_AT_A_TIME)
        self.run = Run(job, self._rooms, self.history, self._hear)
        self.run.start()

    def _hear(self, run: Run, report: Report) -> None:
        self._post(LabNews(run, report))

    def take(self, run: Run, report: Report) -> str:
        """What to tell a person who does not see it, if it is worth it."""
        run.take(report)
        if isinstance(report, Ranked):
            self.ladders[run.job.game] = report
        seen = self.onlooker is not None and self.onlooker(report)
        if isinstance(report, Remark):
            return report.sentence
        if isinstance(report, Learned | Kept | Evaluated | Ranked | Failed) and not seen:
            return summary(run)
        return ""

    def end(self) -> None:
        """End what is under way; what it has learned and was not kept is lost."""
        if self.run is not None and self.run.busy:
            self.run.end()


def name_of(job: Job) -> str:
    """`Training Q`, `Q against Hard`: what is done, for people."""
    agents = agents_for(job.game)
    if isinstance(job, Training):
        return f"Training {agents[job.course.agent].title}"
    if isinstance(job, Evaluation):
        return f"{agents[job.agent].title} against {agents[job.against].title}"
    return f"Arena of {len(job.agents)} agents"


def summary(run: Run) -> str:
    """How a run stands, in a line or two."""
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
        return f"{counted} · stopping…"
    if run.phase is Phase.KEEPING:
        return f"{counted} · finishing…"
    if run.progress.measuring:
        return f"{counted} · measuring how it plays…"
    if not done or not seconds:
        return counted
    left = timedelta(seconds=round((total - done) * seconds / done))
    rate = done / seconds
    return f"{counted} · {rate:,.{0 if rate >= 10 else 1}f} games/s · {left} left"


def _outcome(run: Run) -> str:
    result = run.result
    if isinstance(result, Kept):
        where = "kept apart from the one at the tables" if result.apart else "kept"
        return f"{where}. {verdict(run.points)}"
    if isinstance(result, Failed):
        return result.sentence
    if isinstance(result, Evaluated):
        entry = result.report["agents"][0]
        rate = percentages(entry["win_rate"], *entry["ci95"])
        return f"won {rate} of {entry['games']:,} matches."
    if isinstance(result, Ranked):
        return f"{result.ladder[0].agent} leads the ladder."
    return "given up; nothing was changed."
