"""The agents of a game as the Lab lists them.

Reading their values takes a while, so the screens do it in threads.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from agents.agent import Learner, LearningStats
from agents.registry import create, follows_another, known_agents, restore_learner
from agents.storage.store import Store, StoreError
from agents.training_log import CurvePoint
from app.lab.jobs import Progress
from app.lab.learning_curves import training_log
from app.lab.shipped_standings import RIVALS, shipped_standing
from app.records.history import History, HistoryError, RunRecord, Standing


@dataclass(frozen=True, slots=True)
class Member:
    """An agent and its results.

    stats      None if it does not learn
    standings  its last results, by rival
    matches    of training; a match against itself counts once
    training   whether it is being trained now
    """

    agent: str
    title: str
    level: str
    stats: LearningStats | None
    standings: Mapping[str, Standing]
    matches: int = 0
    training: bool = False

    def while_training(self, progress: Progress, points: Sequence[CurvePoint]) -> "Member":
        """The agent in the middle of a training. points: what was measured so far."""
        if self.stats is None:
            return self
        return replace(
            self,
            stats=replace(self.stats, table_size=progress.known, epsilon=progress.epsilon)
            if progress.known
            else self.stats,
            standings={**self.standings, **_standings(points)},
            matches=self.matches + progress.done,
            training=True,
        )


@dataclass(frozen=True, slots=True)
class Curve:
    """The learning curve of an agent, or of one of its runs.

    games   matches of training so far; the next run continues from there
    run     the run; None for the whole curve
    """

    points: tuple[CurvePoint, ...] = ()
    games: int = 0
    run: RunRecord | None = None


class Roster:
    """Lists agents. The values of an agent are read again only when their file has changed."""

    def __init__(self, store: Store, history: History) -> None:
        self._store = store
        self._history = history
        self._read: dict[tuple[str, str], tuple[int, LearningStats | None, int]] = {}
        """The time of the file, and the statistics and matches in it."""

    def members(self, game: str) -> tuple[list[Member], list[str]]:
        """Return the agents of a game, and sentences about files that could not be read. Levels
        and styles are left out: they play as another agent, and the ladder rates them."""
        problems: list[str] = []
        members = []
        for spec in known_agents(game, self._store).values():
            if follows_another(game, spec.name):
                continue
            standings = self._measured(game, spec.name)
            try:
                for rival in RIVALS:
                    standing = self._history.standing(game, spec.name, rival)
                    if standing is not None:
                        standings[rival] = standing
            except HistoryError as error:
                problems.append(str(error))
            stats, matches = self._stats(game, spec.name, problems)
            members.append(Member(spec.name, spec.title, spec.level, stats, standings, matches))
        return members, list(dict.fromkeys(problems))

    def _measured(self, game: str, agent: str) -> dict[str, Standing]:
        """The last measurements in the agent's file; for a shipped agent without any, those that
        come with the program."""
        source, log = training_log(game, agent, self._store)
        found = _standings(log.points)
        for rival in RIVALS:
            shipped = shipped_standing(game, agent, rival)
            if source == "shipped" and rival not in found and shipped is not None:
                found[rival] = shipped
        return found

    def curves(self, game: str, agent: str) -> list[Curve]:
        """The whole curve of an agent, then its measured runs, newest first. Discarded runs are
        in the list too."""
        found = [self.curve(game, agent)]
        with suppress(HistoryError):
            for run in reversed(self._history.runs(game, agent)):
                points = self._history.points(run.id)
                if points and run.kept is not None:
                    found.append(Curve(tuple(points), run.games, run))
        return found

    def curve(self, game: str, agent: str) -> Curve:
        """The curve in the agent's file, or the one that comes with the program. Kept runs that
        are only in the history take the place of the latter."""
        source, log = training_log(game, agent, self._store)
        if source == "shipped" or not log.points:
            with suppress(HistoryError):
                kept = [run.games for run in self._history.runs(game, agent) if run.kept]
                points = self._history.curve(game, agent)
                if points:
                    return Curve(tuple(points), sum(kept))
        return Curve(log.points, log.matches)

    def _stats(
        self, game: str, agent: str, problems: list[str]
    ) -> tuple[LearningStats | None, int]:
        """The statistics of a learner and its matches of training; None and 0 for others."""
        path = self._store.path(game, agent)
        changed = path.stat().st_mtime_ns if path.is_file() else 0
        known = self._read.get((game, agent))
        if known is not None and known[0] == changed:
            return known[1:]
        stats, matches = None, 0
        try:
            learner = create(game, agent)
        except StoreError as error:
            problems.append(str(error))
            return None, 0
        if isinstance(learner, Learner):
            learner.learning = True
            problems += restore_learner(learner, self._store)
            stats = learner.stats()
            # Learners that were trained before there was a log have only this count.
            matches = learner.log.matches or stats.games
        self._read[game, agent] = (changed, stats, matches)
        return stats, matches


def _standings(points: Sequence[CurvePoint]) -> dict[str, Standing]:
    """The last measurement against each rival."""
    return {
        point.against: Standing(point.win_rate, point.low, point.high, point.measured)
        for point in points
    }
