"""The agents of a game as the Lab lists them.

Reading their values takes a while, so the screens do it in threads.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from agents.agent import Learner, LearningStats
from agents.names import own_name
from agents.registry import create, known_agents, restore_learner
from agents.storage.store import Store, StoreError
from agents.training_log import CurvePoint
from app.lab.learning_curves import training_log
from app.records.history import History, HistoryError, Standing

LISTED_RIVALS: Final = ("random", "hard")
"""The list shows the win rates against these."""


@dataclass(frozen=True, slots=True)
class Member:
    """An agent and its results.

    stats      None if it does not learn
    standings  its last results, by rival
    """

    agent: str
    title: str
    level: str
    stats: LearningStats | None
    standings: dict[str, Standing]


@dataclass(frozen=True, slots=True)
class Curve:
    """The learning curve of an agent.

    games   matches of training so far; the next run continues from there
    """

    points: tuple[CurvePoint, ...] = ()
    games: int = 0


class Roster:
    """Lists agents. The values of an agent are read again only when their file has changed."""

    def __init__(self, store: Store, history: History) -> None:
        self._store = store
        self._history = history
        self._read: dict[tuple[str, str], tuple[int, LearningStats | None]] = {}

    def members(self, game: str) -> tuple[list[Member], list[str]]:
        """Return the agents of a game, and sentences about files that could not be read."""
        problems: list[str] = []
        members = []
        for spec in known_agents(game, self._store).values():
            standings = {}
            try:
                for rival in LISTED_RIVALS:
                    standing = self._history.standing(game, spec.name, rival)
                    if standing is not None:
                        standings[rival] = standing
            except HistoryError as error:
                problems.append(str(error))
            stats = self._stats(game, spec.name, problems)
            members.append(Member(spec.name, spec.title, spec.level, stats, standings))
        return members, list(dict.fromkeys(problems))

    def curve(self, game: str, agent: str) -> Curve:
        """The curve over the runs in the history. Without any, the curve in the agent's file,
        which also comes with the program."""
        if own_name(agent):
            # Its file has the whole curve, also if it was copied or imported.
            _, log = training_log(game, agent, self._store)
            return Curve(log.points, log.matches)
        points: list[CurvePoint] = []
        kept: list[int] = []
        with suppress(HistoryError):
            kept = [run.games for run in self._history.runs(game, agent) if run.kept]
            points = self._history.curve(game, agent)
        if not points:
            _, log = training_log(game, agent, self._store)
            return Curve(log.points, log.matches)
        return Curve(tuple(points), sum(kept))

    def _stats(self, game: str, agent: str, problems: list[str]) -> LearningStats | None:
        path = self._store.path(game, agent)
        changed = path.stat().st_mtime_ns if path.is_file() else 0
        known = self._read.get((game, agent))
        if known is not None and known[0] == changed:
            return known[1]
        stats = None
        try:
            learner = create(game, agent)
        except StoreError as error:
            problems.append(str(error))
            return None
        if isinstance(learner, Learner):
            learner.learning = True
            problems += restore_learner(learner, self._store)
            stats = learner.stats()
        self._read[game, agent] = (changed, stats)
        return stats
