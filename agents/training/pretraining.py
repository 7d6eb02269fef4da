"""Trains the values that come with the program: `make pretrained`.

Every learner that its game's roster lists is trained with a fixed seed and measured before and
after. Learners ship only if training improved them. Baselines ship in any case.
`python -m agents.training.pretraining GAME AGENT…` trains some of them, and then also learners
without a listed course.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from os import cpu_count, environ
from typing import Final

from agents.agent import Learner
from agents.registry import agents_for, create, is_baseline, roster
from agents.roster import Pretraining, load
from agents.storage.store import shipped, write_shipped
from agents.training.course import Course, new_learner
from agents.training.measurement import measure
from agents.training.rounds import train
from engine import GAMES

SEED: Final = 1
MEASURED_GAMES: Final = 100
"""Matches of each measurement against each rival."""


@dataclass(frozen=True, slots=True)
class Result:
    """Win rates before and after pretraining, by rival, and the bytes shipped, if any."""

    game: str
    agent: str
    before: dict[str, float]
    after: dict[str, float]
    size: int

    def __str__(self) -> str:
        rates = ", ".join(
            [
                f"{before:.0%} to {self.after[rival]:.0%} against {rival}"
                for rival, before in self.before.items()
            ]
        )
        return f"{self.game} {self.agent}: {rates}; {self.size / 1000:.0f} kB shipped"


def pretrain(game: str, agent: str) -> Result:
    """Train one learner from nothing. Ship it if that improved it or if it is a baseline."""
    shipped(game, agent).unlink(missing_ok=True)
    plan = roster(game).pretraining.get(agent, Pretraining())
    course = Course(
        game, agent, plan.matches, SEED, opponents=plan.opponents, settings=dict(plan.settings)
    )
    learner = new_learner(course)
    before = _win_rates(course, learner)
    if plan.prepare:
        load(plan.prepare)(learner, plan.deals, SEED)
    for _ in train(course, learner):
        pass
    learner.compact(plan.min_visits)
    after = _win_rates(course, learner)
    size = 0
    if is_baseline(agent) or sum(after.values()) > sum(before.values()):
        size = write_shipped(game, agent, learner.dump(), learner.fingerprint()).stat().st_size
    return Result(game, agent, before, after, size)


def _win_rates(course: Course, learner: Learner) -> dict[str, float]:
    """Against `easy` and `hard`, or against `random` in a game that has neither."""
    rivals = [name for name in ("easy", "hard") if name in agents_for(course.game)]
    points = measure(course, learner, MEASURED_GAMES, 0, rivals or ["random"])
    return {point.against: point.win_rate for point in points}


def chosen(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return the learners that names of games and agents select.

    Without names these are all learners with a listed course.
    """
    agents = [word for word in words if word not in GAMES]
    games = [word for word in words if word in GAMES] or list(GAMES)
    jobs = [
        (game, agent)
        for game in games
        for agent in (agents or roster(game).pretraining)
        if agent in agents_for(game) and isinstance(create(game, agent), Learner)
    ]
    unknown = set(agents) - {agent for _, agent in jobs}
    if unknown:
        raise ValueError(f"No such learner: {', '.join(sorted(unknown))}.")
    return jobs


def main(words: Sequence[str]) -> None:
    # The number of threads changes how sums are rounded. numpy reads this when it is imported,
    # so the workers are spawned.
    environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(cpu_count(), get_context("spawn")) as pool:
        for done in as_completed([pool.submit(pretrain, *job) for job in chosen(words)]):
            print(done.result(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
