"""Training speed: matches per second of each learner at each game."""

from functools import partial
from typing import Final

from agents.registry import agents_for
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from app.bench.figures import Measure, Task, rate
from engine import GAMES

LEARNERS: Final = ("q", "sarsa", "mc", "linear", "neural")
SECONDS: Final = 4.0
"""Processor time of a measurement. The first matches, between beginners, are often longer than
later ones, so that figures of different lengths differ."""

_MATCHES: Final = 8
"""Matches after which the clock is read, at the latest."""


def self_play(game: str, agent: str) -> Measure:
    """Matches per second of a new learner that plays against itself, in this process."""

    def measure() -> float:
        course = Course(game, agent, 1_000_000)
        played = 0
        rounds = train(course, new_learner(course), latest_end=lambda first: first + _MATCHES)

        def play() -> int:
            nonlocal played
            before, played = played, next(rounds)
            return played - before

        return rate(play, SECONDS)

    return measure


def tasks() -> list[Task]:
    return [
        Task(f"{game}: training of {agent}", "matches/s", partial(self_play, game, agent), rounds=1)
        for game in GAMES
        for agent in LEARNERS
        if agent in agents_for(game)
    ]
