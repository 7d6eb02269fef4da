"""MaskablePPO of sb3-contrib on many tables at once (pip install 'kibitz[examples]').

    python docs/ppo.py euchre --opponent random --seconds 100

The tables are one `BatchEnv`: sb3 steps all of them with one call. The reward is the lead in points
of a hand. The learning rate falls to almost nothing in the time given, so that the policy settles.
"""

import argparse
from random import Random
from time import monotonic
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from agents.agent import Agent, Decision
from agents.match import Match
from agents.registry import make
from agents.rl.batch import BatchEnv
from agents.rl.observations import observe
from engine import GAMES
from engine.game import View


class Tables(VecEnv):
    """A `BatchEnv` as sb3 wants it."""

    def __init__(self, batch: BatchEnv) -> None:
        self.batch = batch
        size = batch.observations.shape[1]
        super().__init__(
            len(batch), Box(-100, 100, (size,), np.float32), Discrete(batch.num_actions)
        )

    def reset(self) -> Any:
        return self.batch.observations.copy()

    def step_async(self, actions: Any) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        rewards, dones = self.batch.step(self.actions)
        seen = self.batch.observations.copy()
        infos = [{} for _ in range(self.num_envs)]
        for number in np.flatnonzero(dones):
            infos[number] = {"terminal_observation": seen[number]}
        return seen, rewards.copy(), dones.copy(), infos

    def env_method(self, name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        assert name == "action_masks"
        return list(self.batch.masks)

    def has_attr(self, name: str) -> bool:
        return name == "action_masks"

    def get_attr(self, name: str, indices: Any = None) -> list[Any]:
        return [None] * self.num_envs

    def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError

    def env_is_wrapped(self, wrapper: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        """There is nothing to close."""


class Policy(Agent):
    """The trained policy as an agent of Kibitz."""

    name = "ppo"

    def __init__(self, model: MaskablePPO, actions: int) -> None:
        self.model = model
        self.actions = actions

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        mask = np.zeros(self.actions, np.bool_)
        mask[legal] = True
        action, _ = self.model.predict(observe(view), action_masks=mask, deterministic=True)
        return Decision(int(action))


class Until(BaseCallback):
    """Stops the training after so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.end = monotonic() + seconds

    def _on_step(self) -> bool:
        return monotonic() < self.end


def train(game: str, opponent: str, seconds: float, tables: int = 512, seed: int = 1) -> Policy:
    torch.distributions.Distribution.set_default_validate_args(False)
    end = monotonic() + seconds

    def learning_rate(_: float) -> float:
        return 1.5e-3 * max(0.05, (end - monotonic()) / seconds)

    batch = BatchEnv(game, tables, reward="margin", episode="hand", opponent=opponent, seed=seed)
    model = MaskablePPO(
        "MlpPolicy",
        Tables(batch),
        n_steps=16,
        batch_size=2048,
        n_epochs=4,
        learning_rate=learning_rate,
        gamma=1.0,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        seed=seed,
        device="cpu",
    )
    model.learn(1_000_000_000, callback=Until(seconds))
    return Policy(model, batch.num_actions)


def win_rate(game: str, policy: Agent, opponent: str, matches: int) -> float:
    """The share of matches that the policy wins, from every side in turn."""
    won = 0.0
    for number in range(matches):
        state = GAMES[game].new(seed=number)
        side = number % len(state.sides)
        rival = make(game, opponent)
        own = state.sides[side]
        players = [policy if seat in own else rival for seat in range(state.seats)]
        Match(state, players, number).play_out()
        won += state.returns()[own[0]]
    return won / matches


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("game", choices=GAMES)
    arguments.add_argument("--opponent", default="hard")
    arguments.add_argument("--seconds", type=float, default=100)
    arguments.add_argument("--matches", type=int, default=200)
    given = arguments.parse_args()
    policy = train(given.game, given.opponent, given.seconds)
    rate = win_rate(given.game, policy, given.opponent, given.matches)
    print(f"wins {rate:.1%} of {given.matches} matches against {given.opponent}")


if __name__ == "__main__":
    main()
