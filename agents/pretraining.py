"""Training what comes with the program: `make pretrained`.

Every learner of every game goes through a seeded course and is measured against `hard`
before and after it. Only who plays better than untrained is shipped.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from os import cpu_count
from typing import Final

from agents.agent import Learner
from agents.logistic import LogisticLearner
from agents.registry import agents_for, create
from agents.store import shipped, write_shipped
from agents.training import Course, measure, train

SEED: Final = 1
LEAST_VISITS: Final = 3
"""Situations met fewer times than this are not worth shipping."""

MEASURED: Final = 100
"""Matches of each measurement."""

MATCHES: Final = {"euchre": 3000, "smear": 1200, "truco": 3000, "fodinha": 1500, "notty": 100}
"""How long the course of each game is."""

IMITATION: Final = 4
"""Who imitates a teacher learns from every decision and needs so many times less."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a course: win rates against `hard` and the bytes shipped, if any."""

    game: str
    agent: str
    before: float
    after: float
    size: int


def learners_of(game: str) -> list[str]:
    """The names of those who learn a game."""
    return [name for name in agents_for(game) if isinstance(create(game, name), Learner)]


def pretrain(game: str, agent: str) -> Result:
    """Train one learner from nothing, and ship it if that made it better."""
    path = shipped(game, agent)
    path.unlink(missing_ok=True)
    learner = create(game, agent)
    assert isinstance(learner, Learner)
    matches = MATCHES[game] // (IMITATION if isinstance(learner, LogisticLearner) else 1)
    course = Course(game, agent, matches, SEED)
    before = _against_hard(course, learner)
    for _ in train(course, learner):
        pass
    learner.compact(LEAST_VISITS)
    after = _against_hard(course, learner)
    size = 0
    if after > before:
        size = write_shipped(game, agent, learner.dump(), learner.fingerprint()).stat().st_size
    return Result(game, agent, before, after, size)


def _against_hard(course: Course, learner: Learner) -> float:
    (point,) = measure(course, learner, MEASURED, 0, ["hard"])
    return point.win_rate


def main(games: Sequence[str]) -> None:
    jobs = [(game, agent) for game in games or MATCHES for agent in learners_of(game)]
    with ProcessPoolExecutor(cpu_count()) as pool:
        for done in as_completed([pool.submit(pretrain, *job) for job in jobs]):
            result = done.result()
            print(
                f"{result.game} {result.agent}: {result.before:.1%} against hard untrained, "
                f"{result.after:.1%} trained, {result.size / 1000:.0f} kB shipped",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
