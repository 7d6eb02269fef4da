"""The learning curves in files with learned values: where each learner started and where it is
now. Reads the files without making a learner."""

from dataclasses import asdict, dataclass
from typing import Any

from agents.registry import known_agents
from agents.storage.store import Store, read_log, shipped
from agents.training_log import CurvePoint, TrainingLog


@dataclass(frozen=True, slots=True)
class Learned:
    """The training of a learner.

    source   `home` or `shipped`
    """

    agent: str
    title: str
    source: str
    log: TrainingLog

    def rivals(self) -> dict[str, tuple[CurvePoint, CurvePoint]]:
        """The first and the last measurement against each rival."""
        by_rival: dict[str, list[CurvePoint]] = {}
        for point in self.log.points:
            by_rival.setdefault(point.against, []).append(point)
        return {rival: (points[0], points[-1]) for rival, points in by_rival.items()}

    def as_dict(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "source": self.source,
            "matches": self.log.matches,
            "seconds": round(self.log.seconds, 3),
            "curve": [asdict(point) for point in self.log.points],
        }


def training_log(game: str, agent: str, store: Store) -> tuple[str, TrainingLog]:
    """Where the values of a learner are, `home` or `shipped`, and their training log. It is empty
    if there are none."""
    path = store.path(game, agent)
    source = "home" if path.is_file() else "shipped"
    log = read_log(path if source == "home" else shipped(game, agent))
    return source, log or TrainingLog()


def learned(game: str, store: Store) -> list[Learned]:
    """The learners of a game that have been measured."""
    found = []
    for name, spec in known_agents(game, store).items():
        source, log = training_log(game, name, store)
        if log.points:
            found.append(Learned(name, spec.title, source, log))
    return found
