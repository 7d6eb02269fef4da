"""A match as a PettingZoo environment: agents take turns, illegal actions are masked.

from agents.protocols.rl.environment import env

table = env("truco", reward="hand")
table.reset(seed=1)
for name in table.agent_iter():
    observation, reward, terminated, truncated, info = table.last()
    over = terminated or truncated
    action = None if over else table.action_space(name).sample(observation["action_mask"])
    table.step(action)
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from agents.protocols.rl.observations import observe
from agents.seeds import seed_of
from engine import GAMES
from engine.game import OVER, OptionValue, State

REWARDS: Final = ("match", "hand", "margin")
_BOUND: Final = 100.0


def env(
    game: str, reward: str = "match", render_mode: str | None = None, **options: OptionValue
) -> AECEnv:
    """A table of a game for PettingZoo, with its usual wrappers.

    reward    `match`: 1 for a win, 0 for a loss, shares of a draw, at the end;
              `hand`: the points of the own side after every hand;
              `margin`: these, less the most that another side got
    options   of the game, as in `kibitz games`; ValueError says what is wrong
    """
    table: AECEnv = CardTable(game, reward, render_mode, options)
    table = TerminateIllegalWrapper(table, illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(table))


class CardTable(AECEnv):  # type: ignore[misc]
    """Seats are `player_0` and so on. An observation is what the seat knows, as numbers,
    with the mask of what it may do; it is empty of moves for seats that are not to act."""

    def __init__(
        self, game: str, reward: str, render_mode: str | None, options: Mapping[str, OptionValue]
    ) -> None:
        super().__init__()
        if game not in GAMES:
            raise ValueError(f"There is no game {game!r}; choose one of: {', '.join(GAMES)}.")
        if reward not in REWARDS:
            raise ValueError(f"Rewards come by {' or by '.join(REWARDS)}, not by {reward!r}.")
        self.game = GAMES[game]
        self.metadata = {
            "name": f"{game}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self._options = dict(options)
        self._reward_for = reward
        self._chance = np.random.default_rng()
        self._last = ""
        self.state_of_match = self._deal(0)
        seats = range(self.state_of_match.seats)
        self.possible_agents = [f"player_{seat}" for seat in seats]
        size = len(observe(game, self.state_of_match.view(0)))
        seen = Box(-_BOUND, _BOUND, (size,), np.float32)
        mask = Box(0, 1, (self.game.num_actions,), np.int8)
        self.observation_spaces = {
            name: Dict({"observation": seen, "action_mask": mask}) for name in self.possible_agents
        }
        self.action_spaces = {
            name: Discrete(self.game.num_actions) for name in self.possible_agents
        }

    def _deal(self, seed: int) -> State:
        return self.game.new(seed, None, None, **self._options)

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new match; without a seed, the one that follows from the last."""
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self.state_of_match = self._deal(seed_of("rl", int(self._chance.integers(2**62)), 0))
        self._last = ""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self.agents[self.state_of_match.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        state = self.state_of_match
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self.game.num_actions, np.int8)
        if state.turn == seat:
            mask[state.legal()] = 1
        return {"observation": observe(self.game.name, state.view(seat)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        assert action is not None
        state = self.state_of_match
        seat, hand_no = state.turn, state.hand_no
        self._last = f"{name}: {state.label(int(action))}"
        state.apply(int(action))
        self._cumulative_rewards[name] = 0.0
        self._reward(hand_no)
        if state.turn == OVER:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[seat if state.turn == OVER else state.turn]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _reward(self, hand_no: int) -> None:
        """What the last action brought each seat."""
        state = self.state_of_match
        self._clear_rewards()
        over = state.turn == OVER
        if self._reward_for != "match":
            if over or state.hand_no != hand_no:
                returns = state.hand_returns()
                for number, side in enumerate(state.sides):
                    points = returns[number]
                    if self._reward_for == "margin":
                        points -= max(returns[:number] + returns[number + 1 :])
                    for seat in side:
                        self.rewards[self.possible_agents[seat]] = float(points)
        elif over:
            for name, share in zip(self.possible_agents, state.returns(), strict=True):
                self.rewards[name] = float(share)

    def render(self) -> str | None:
        """The score, the last action, and who is to act."""
        state = self.state_of_match
        scores = " : ".join([f"{score:g}" for score in state.scores()])
        to_act = "over" if state.turn == OVER else f"{self.possible_agents[state.turn]} to act"
        text = (
            f"{self.game.title}, hand {state.hand_no}, {scores}, {self._last or 'dealt'}, {to_act}"
        )
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is held open."""
