"""A Gymnasium environment for one learner against named agents.

import gymnasium

environment = gymnasium.make("kibitz/Truco-v0", opponent="hard", episode="hand")
observation, info = environment.reset(seed=1)
legal = info["action_mask"]   # or environment.unwrapped.action_masks(), as sb3-contrib asks for it
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from agents.learners.view_encoding import Floats
from agents.rl.opponents import Opponents
from agents.rl.rewards import ILLEGAL_REWARD, seat_rewards
from agents.rl.table import Table
from engine import GAMES
from engine.game import OVER, IllegalAction, OptionValue

ENTRY_POINT = "agents.rl.single:SingleEnv"


class SingleEnv(gymnasium.Env[Floats, np.int64]):
    """The learner plays all seats of its side, or one seat if it has a `partner`."""

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}

    def __init__(
        self,
        game: str,
        opponent: str | Sequence[str] = "random",
        *,
        reward: str = "match",
        episode: str = "match",
        zero_sum: bool = False,
        max_steps: int = 0,
        information: bool = False,
        side: int | None = None,
        partner: str | None = None,
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        """See `agents.rl.environment.env`; for opponent, side and partner see
        `Opponents`."""
        self.render_mode = render_mode
        self.table = Table(game, reward, episode, information, options)
        self._zero_sum = zero_sum
        self._max_steps = max_steps
        self._steps = 0
        self._seating = Random(0)
        self._chance = Random(0)
        state = self.table.state
        name = self.table.game.name
        self._opponents = Opponents(name, state, opponent, side, self._seating, partner)
        self._players = self._opponents.seated()
        self._seat = self._players.index(None)
        self._earned = 0.0
        self.observation_space = self.table.space
        self.action_space = Discrete(self.table.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Start an episode. Without a seed, continue the sequence of the last one."""
        super().reset(seed=seed)
        if seed is not None:
            self._seating.seed(f"{seed}/side")
            self._chance.seed(f"{seed}/opponents")
        while True:
            self.table.reset(seed)
            seed = None
            self._steps = 0
            self._players = self._opponents.seated()
            self._seat = self._players.index(None)
            self._earned = 0.0
            if not self._others_play():
                break  # Otherwise the episode ended before the learner had anything to decide.
        return self._observed(), self._info()

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Take an action for the seat to act. An illegal one ends the episode with a penalty."""
        state = self.table.state
        self._earned = 0.0
        hand_no = state.hand_no
        try:
            state.apply(int(action))
        except IllegalAction as error:
            info = {**self._info(), "illegal": str(error)}
            return self._observed(), ILLEGAL_REWARD, True, False, info
        self._steps += 1
        ended = (state.turn == OVER or state.hand_no != hand_no) and self._end_hand()
        ended = ended or self._others_play()
        truncated = not ended and 0 < self._max_steps <= self._steps
        if self.render_mode == "human":
            print(self.table.describe())
        return self._observed(), self._earned, ended, truncated, self._info()

    def _others_play(self) -> bool:
        """Let the agents play until the learner has to act. Return whether the episode is over."""
        state = self.table.state
        while (seat := state.turn) != OVER:
            agent = self._players[seat]
            if agent is None:
                self._seat = seat
                return False
            hand_no = state.hand_no
            legal = state.legal()
            if agent.looks:
                action = agent.choose(state.view(seat), legal, self._chance)
            else:
                action = legal[int(self._chance.random() * len(legal))]
            state.apply(action)
            if (state.turn == OVER or state.hand_no != hand_no) and self._end_hand():
                return True
        return True

    def _end_hand(self) -> bool:
        """Collect the reward of a hand. Return whether the episode is over."""
        state = self.table.state
        self._earned += seat_rewards(state, self.table.reward, self._zero_sum)[self._seat]
        return state.turn == OVER or self.table.episode == "hand"

    def _observed(self) -> Floats:
        return self.table.observe(self._seat)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, under the name that sb3-contrib expects."""
        return self.table.mask(self._seat).view(np.bool_)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.table.mask(self._seat)}

    def render(self) -> str | None:
        """One line: the game and the score."""
        return self.table.describe() if self.render_mode == "ansi" else None


def register_all() -> None:
    """Offer every game as `kibitz/<Game>-v0`. Gymnasium's entry point calls this.

    Its own checks take longer than a step, so they are off; `gymnasium.make` can turn them on.
    """
    for game in GAMES:
        name = f"kibitz/{game.title().replace('_', '')}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                ENTRY_POINT,
                kwargs={"game": game},
                disable_env_checker=True,
                order_enforce=False,
            )
