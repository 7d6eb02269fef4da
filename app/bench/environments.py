"""Figures of the environments for reinforcement learning, with random play."""

from functools import partial
from importlib.util import find_spec
from random import Random
from typing import Any, Final

import numpy as np

from app.bench.figures import Measure, Peer, Task, rating
from app.bench.learning import q_updates
from app.bench.peers import OPEN_SPIEL, open_spiel
from engine import GAMES

TABLES: Final = 1024
FOUR: Final = {"players": 4}
STEPS: Final = 100
"""Steps after which the clock is read."""
WARM_UP: Final = 30
"""Steps of a batch before the measurement, in which its matches drift apart."""


def batch(game: str, options: Any) -> Measure:
    """Decisions of many tables, with observations, masks and the choice of random actions."""
    from agents.rl.batch import BatchEnv

    tables = BatchEnv(game, TABLES, seed=1, **options)
    rng = np.random.default_rng(1)
    for _ in range(WARM_UP):
        tables.step(tables.sample(rng))

    def step() -> int:
        tables.step(tables.sample(rng))
        return TABLES

    return rating(step)


def pettingzoo(game: str) -> Measure:
    from agents.rl.environment import env

    table = env(game)
    table.reset(seed=1)
    random = Random(1).random

    def steps() -> int:
        for _ in range(STEPS):
            observation, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.reset()
            else:
                table.step(_any_of(observation["action_mask"], random))
        return STEPS

    return rating(steps)


def gymnasium(game: str) -> Measure:
    from agents.rl.single import SingleEnv

    table = SingleEnv(game, "random")
    _, info = table.reset(seed=1)
    random = Random(1).random

    def steps() -> int:
        nonlocal info
        for _ in range(STEPS):
            _, _, terminated, _, info = table.step(_any_of(info["action_mask"], random))
            if terminated:
                _, info = table.reset()
        return STEPS

    return rating(steps)


def _any_of(mask: Any, random: Any) -> int:
    legal: list[int] = mask.nonzero()[0].tolist()
    return legal[int(random() * len(legal))]


def tasks() -> list[Task]:
    """OpenSpiel is measured in the same run where it is installed."""
    for package in ("pettingzoo", "gymnasium"):
        if find_spec(package) is None:
            raise ValueError(f"{package} is not installed: pip install 'kibitz[rl]'.")
    spiel = find_spec(OPEN_SPIEL) is not None

    def peer(name: str, measure: str) -> Peer | None:
        return Peer(name, OPEN_SPIEL, open_spiel(measure)) if spiel else None

    of_euchre = [
        ("observations and masks", "OpenSpiel, tensors and masks as arrays", "tensors"),
        ("the same", "OpenSpiel, tensors as lists and no masks", "bare_tensors"),
    ]
    return [
        *[
            Task(
                f"euchre, four players: batch, {what}",
                "decisions/s",
                partial(batch, "euchre", FOUR),
                peer(name, measure),
            )
            for what, name, measure in of_euchre[: 2 if spiel else 1]
        ],
        *[Task(f"{game}: batch", "decisions/s", partial(batch, game, {})) for game in GAMES],
        *[Task(f"{game}: PettingZoo", "steps/s", partial(pettingzoo, game)) for game in GAMES],
        *[Task(f"{game}: Gymnasium", "steps/s", partial(gymnasium, game)) for game in GAMES],
        Task(
            "euchre, four players: Q-learning",
            "updates/s",
            q_updates,
            peer("OpenSpiel tabular Q-learning", "q_updates"),
        ),
    ]
