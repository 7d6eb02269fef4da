"""A match as a PettingZoo environment: agents take turns, illegal actions are masked.

from agents.protocols.rl.environment import env

environment = env("truco", reward="hand")
environment.reset(seed=1)
for name in environment.agent_iter():
    observation, reward, terminated, truncated, info = environment.last()
    over = terminated or truncated
    action = None if over else environment.action_space(name).sample(observation["action_mask"])
    environment.step(action)
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
from agents.seeds import Purpose, match_seed
from engine import GAMES
from engine.game import OVER, OptionValue, State
from engine.manifest import variant_name

REWARDS: Final = ("match", "hand", "margin")
_BOUND: Final = 100.0
"""No number of an observation is larger, whatever the score."""


def env(
    game: str, reward: str = "match", render_mode: str | None = None, **options: OptionValue
) -> AECEnv:
    """The PettingZoo environment of a game, with the usual wrappers.

    reward    `match`: 1 for a win, 0 for a loss, a share for a draw, at the end;
              `hand`: the points of the own side after every hand;
              `margin`: these points minus the best of the other sides
    options   options of the game, as listed by `kibitz games`; a bad one raises ValueError
    """
    environment: AECEnv = CardGameEnv(game, reward, render_mode, options)
    environment = TerminateIllegalWrapper(environment, illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(environment))


class CardGameEnv(AECEnv):  # type: ignore[misc]
    """The environment without wrappers. Seats are called `player_0` and so on.

    An observation contains the seat's view as numbers and the mask of its legal actions. The
    mask is empty for a seat that is not to act.
    """

    def __init__(
        self, game: str, reward: str, render_mode: str | None, options: Mapping[str, OptionValue]
    ) -> None:
        super().__init__()
        if game not in GAMES:
            raise ValueError(f"There is no game {game!r}; choose one of: {', '.join(GAMES)}.")
        game = variant_name(game, options)
        if reward not in REWARDS:
            raise ValueError(f"There is no reward {reward!r}; choose one of: {', '.join(REWARDS)}.")
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
        self._rng = np.random.default_rng()
        self._last = ""
        self.state_of_match = self._deal(0)
        seats = range(self.state_of_match.seats)
        self.possible_agents = [f"player_{seat}" for seat in seats]
        size = len(observe(self.state_of_match.view(0)))
        numbers = Box(-_BOUND, _BOUND, (size,), np.float32)
        mask = Box(0, 1, (self.game.num_actions,), np.int8)
        self.observation_spaces = {
            name: Dict({"observation": numbers, "action_mask": mask})
            for name in self.possible_agents
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
        """Start a new match. Without a seed, continue the sequence of the last one."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        seed = match_seed(Purpose.OUTSIDE, int(self._rng.integers(2**62)), 0)
        self.state_of_match = self._deal(seed)
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
        return {"observation": observe(state.view(seat)), "action_mask": mask}

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
        """Set each seat's reward for the last action. `hand_no` is from before it."""
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
        """One line: the score, the last action and the player to act."""
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
        """Required by PettingZoo. There is nothing to close."""
