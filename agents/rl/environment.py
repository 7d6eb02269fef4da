"""A match as a PettingZoo environment: agents take turns, illegal actions are masked.

from agents.rl.environment import env

environment = env("truco", reward="hand")
environment.reset(seed=1)
for name in environment.agent_iter():
    observation, reward, terminated, truncated, info = environment.last()
    over = terminated or truncated
    action = None if over else environment.action_space(name).sample(observation["action_mask"])
    environment.step(action)
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from agents.rl.rewards import ILLEGAL_REWARD, seat_rewards
from agents.rl.table import Table
from engine.game import OVER, IllegalAction, OptionValue


def env(
    game: str,
    reward: str = "match",
    render_mode: str | None = None,
    *,
    episode: str = "match",
    zero_sum: bool = False,
    max_steps: int = 0,
    information: bool = False,
    **options: OptionValue,
) -> "CardGameEnv":
    """The PettingZoo environment of a game.

    reward       `match`: 1 for a win, 0 for a loss, a share for a draw, at the end;
                 `hand`: the points of the own side after every hand;
                 `margin`: these points minus the best of the other sides
    episode      `match`, or `hand`: then the next episode is the next hand of the same match
    zero_sum     subtract the mean of all seats from each reward
    max_steps    decisions after which an episode is truncated; 0 for none
    information  observe the whole information state, see `observations.information`
    options      options of the game, as listed by `kibitz games`; a bad one raises ValueError
    """
    table = Table(game, reward, episode, information, options)
    return CardGameEnv(table, zero_sum, max_steps, render_mode)


class CardGameEnv(AECEnv):  # type: ignore[misc]
    """Seats are called `player_0` and so on.

    An observation contains the seat's view as numbers and the mask of its legal actions. The
    mask is empty for a seat that is not to act. PettingZoo's usual wrappers would observe twice
    per step, so their checks are made here: a step before `reset` and an action outside the space
    are errors, and an illegal action ends the episode for all seats.
    """

    def __init__(
        self, table: Table, zero_sum: bool, max_steps: int, render_mode: str | None
    ) -> None:
        super().__init__()
        self.table = table
        self.game = table.game
        self.metadata = {
            "name": f"{self.game.name}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self._zero_sum = zero_sum
        self._max_steps = max_steps
        self._steps = 0
        self._last_action: tuple[str, str] | None = None
        seats = range(table.state.seats)
        self.possible_agents = [f"player_{seat}" for seat in seats]
        self._seat_of = {name: seat for seat, name in enumerate(self.possible_agents)}
        mask = Box(0, 1, (self.game.num_actions,), np.int8)
        space = Dict({"observation": table.space, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            name: Discrete(self.game.num_actions) for name in self.possible_agents
        }
        self._rewarded = False

    @property
    def state_of_match(self) -> Any:
        return self.table.state

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode. Without a seed, continue the sequence of the last one."""
        self.table.reset(seed)
        self._steps = 0
        self._last_action = None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self.agents[self.table.state.turn]
        self._rewarded = False

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seat_of[agent]
        table = self.table
        return {"observation": table.observe(seat), "action_mask": table.mask(seat)}

    def step(self, action: int | None) -> None:
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        actions = self.game.num_actions
        if action is None or not 0 <= action < actions:
            raise ValueError(f"{action!r} is not an action; actions go from 0 to {actions - 1}.")
        state = self.table.state
        taken = int(action)
        hand_no = state.hand_no
        if self.render_mode is not None:
            self._last_action = (name, state.label(taken))
        try:
            state.apply(taken)
        except IllegalAction:
            self._end_by_illegal_action(name)
            return
        self._steps += 1
        self._cumulative_rewards[name] = 0.0
        if self._rewarded:
            self._clear_rewards()
            self._rewarded = False
        turn = state.turn
        if turn == OVER or state.hand_no != hand_no:
            self._end_hand(turn == OVER)
        if self._max_steps and self._steps >= self._max_steps and not self.terminations[name]:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = name if turn == OVER else self.possible_agents[turn]
        if self.render_mode == "human":
            self.render()

    def _end_hand(self, match_over: bool) -> None:
        table = self.table
        rewards = seat_rewards(table.state, table.reward, self._zero_sum)
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self._rewarded = True
        self._accumulate_rewards()
        if match_over or table.episode == "hand":
            self.terminations = dict.fromkeys(self.agents, True)

    def _end_by_illegal_action(self, name: str) -> None:
        """The seat gets the penalty, the others nothing."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[name] = 0.0
        self._clear_rewards()
        self.rewards[name] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._rewarded = True
        self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """One line: the score, the last action and the player to act."""
        state = self.table.state
        to_act = "over" if state.turn == OVER else f"{self.possible_agents[state.turn]} to act"
        last = ": ".join(self._last_action) if self._last_action else "dealt"
        text = f"{self.table.describe()}, {last}, {to_act}"
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Required by PettingZoo. There is nothing to close."""
