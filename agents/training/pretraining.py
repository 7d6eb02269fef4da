"""Training what comes with the program: `make pretrained`.

Every learner of every game goes through a seeded course and is measured before and after
it. Learners ship only if they play better than untrained; baselines, which are there to be
compared with, ship as their course leaves them. `python -m agents.training.pretraining GAME AGENT…`
does so for some of them.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from os import cpu_count, environ
from typing import Final

from agents.agent import Learner
from agents.learners.neural import NeuralLearner
from agents.registry import create, is_baseline
from agents.smear.training_samples import study
from agents.storage.store import shipped, write_shipped
from agents.training.training import Course, measure, train
from engine import GAMES

SEED: Final = 1
LEAST_VISITS: Final = 3

YARDSTICKS: Final = ("easy", "hard")
MEASURED: Final = 100
"""Matches of each measurement against each of them."""


@dataclass(frozen=True, slots=True)
class Schooling:
    """How a learner is taught: how many matches, against whom, and with which settings in
    place of its own. See `agents.training.training.Course`.

    deals   of Smear that its network studies before the matches
            (see `agents.smear.training_samples`)
    least   situations met fewer times than this are not worth shipping
    """

    matches: int
    opponents: tuple[str, ...] = ()
    settings: dict[str, float] = field(default_factory=dict)
    deals: int = 0
    least: int = LEAST_VISITS


SCHOOLING: Final[dict[str, dict[str, Schooling]]] = {
    "euchre": {
        "q": Schooling(3000),
        "sarsa": Schooling(3000),
        "mc": Schooling(3000),
        "linear": Schooling(3000),
        "logistic": Schooling(750),
        "neural": Schooling(9600, ("easy", "hard")),
        "q-original": Schooling(16, least=1),
    },
    "smear": {
        "q": Schooling(1000, ("self", "hard")),
        "sarsa": Schooling(1000, ("self", "hard")),
        "mc": Schooling(1000, ("self", "hard")),
        "linear": Schooling(1200),
        "logistic": Schooling(300),
        "neural": Schooling(0, deals=23_040),
        "neural-original": Schooling(1600),
    },
    "truco": {
        "q": Schooling(3000, ("self", "hard")),
        "sarsa": Schooling(3000, ("self", "hard")),
        "mc": Schooling(3000, ("self", "hard")),
        "linear": Schooling(3000),
        "logistic": Schooling(750),
        "neural": Schooling(320),
        "q-original": Schooling(1000),
        "mc-original": Schooling(1000),
    },
    "fodinha": {
        "q": Schooling(1500),
        "sarsa": Schooling(1500),
        "mc": Schooling(1500),
        "linear": Schooling(1500),
        "logistic": Schooling(400),
        "neural": Schooling(192),
        "q-original": Schooling(300),
        "linear-original": Schooling(500),
    },
    "notty": {
        "q": Schooling(600, ("self", "hard")),
        "sarsa": Schooling(600, ("self", "hard")),
        "mc": Schooling(640, ("easy", "self")),
        "linear": Schooling(480, ("easy", "self")),
        "logistic": Schooling(25),
        "neural": Schooling(32),
        "q-original": Schooling(100),
    },
}
"""Who imitates a teacher learns from every decision and needs fewer matches. Euchre's original
table meets no situation twice: a longer course would make it larger, never better."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a course: win rates against the yardsticks before and after it, and the
    bytes shipped, if any."""

    game: str
    agent: str
    before: tuple[float, ...]
    after: tuple[float, ...]
    size: int

    def __str__(self) -> str:
        rates = ", ".join(
            [
                f"{before:.0%} to {after:.0%} against {name}"
                for name, before, after in zip(YARDSTICKS, self.before, self.after, strict=True)
            ]
        )
        return f"{self.game} {self.agent}: {rates}; {self.size / 1000:.0f} kB shipped"


def pretrain(game: str, agent: str) -> Result:
    """Train one learner from nothing, and ship it if that made it better or if it is a baseline."""
    path = shipped(game, agent)
    path.unlink(missing_ok=True)
    learner = create(game, agent)
    assert isinstance(learner, Learner)
    lesson = SCHOOLING[game][agent]
    learner.adjust(lesson.settings, {})
    course = Course(
        game, agent, lesson.matches, SEED, opponents=lesson.opponents, settings=lesson.settings
    )
    before = _rates(course, learner)
    if lesson.deals:
        assert isinstance(learner, NeuralLearner)
        study(learner, lesson.deals, SEED)
    for _ in train(course, learner):
        pass
    learner.compact(lesson.least)
    after = _rates(course, learner)
    size = 0
    if is_baseline(agent) or sum(after) > sum(before):
        size = write_shipped(game, agent, learner.dump(), learner.fingerprint()).stat().st_size
    return Result(game, agent, before, after, size)


def _rates(course: Course, learner: Learner) -> tuple[float, ...]:
    points = measure(course, learner, MEASURED, 0, YARDSTICKS)
    return tuple([point.win_rate for point in points])


def chosen(words: Sequence[str]) -> list[tuple[str, str]]:
    """The learners that names of games and agents select; all of them if there are none."""
    agents = {word for word in words if word not in GAMES}
    games = [word for word in words if word in GAMES] or list(SCHOOLING)
    jobs = [
        (game, agent)
        for game in games
        for agent in SCHOOLING[game]
        if not agents or agent in agents
    ]
    unknown = agents - {agent for _, agent in jobs}
    if unknown:
        raise ValueError(f"No such learner: {', '.join(sorted(unknown))}.")
    return jobs


def main(words: Sequence[str]) -> None:
    # How many threads share a sum decides how it is rounded. Each worker starts afresh, as
    # numpy reads this only once.
    environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(cpu_count(), get_context("spawn")) as pool:
        for done in as_completed([pool.submit(pretrain, *job) for job in chosen(words)]):
            print(done.result(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
