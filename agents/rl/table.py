"""One table of an environment: its match, and what a seat observes."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from agents.learners.view_encoding import Floats, encoder
from agents.rl.observations import information, information_size
from agents.rl.rewards import check
from agents.seeds import Purpose, match_seed
from engine import GAMES
from engine.game import OVER, OptionValue, State
from engine.manifest import variant_name

_BOUND: Final = 100.0
"""No number of an observation is larger, whatever the score."""


class Table:
    """A match and its successors.

    state      the match in progress
    reward     see `agents.rl.rewards`
    episode    what `reset` starts: a `match`, or a `hand`, the next one of the match in progress
    """

    def __init__(
        self,
        game: str,
        reward: str,
        episode: str,
        whole_information: bool,
        options: Mapping[str, OptionValue],
    ) -> None:
        if game not in GAMES:
            raise ValueError(f"There is no game {game!r}; choose one of: {', '.join(GAMES)}.")
        check(reward, episode)
        self.game = GAMES[variant_name(game, options)]
        self.reward = reward
        self.episode = episode
        self._options = dict(options)
        self._rng = np.random.default_rng()
        self.state = self._deal(0)
        self._started = False
        self._hand_no = 0
        self._whole = whole_information
        views = [self.state.view(seat) for seat in range(self.state.seats)]
        self._encoders = [encoder(view) for view in views]
        size = information_size(self.game, views[0]) if self._whole else self._encoders[0].size
        self.space = Box(-_BOUND, _BOUND, (size,), np.float32)

    def _deal(self, seed: int) -> State:
        return self.game.new(seed, None, None, **self._options)

    def reset(self, seed: int | None) -> None:
        """Start an episode. Without a seed, continue the sequence of the last one."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        state = self.state
        goes_on = self.episode == "hand" and self._started and state.turn != OVER
        if seed is not None or not goes_on or state.hand_no == self._hand_no:
            drawn = int(self._rng.integers(2**62))
            state = self.state = self._deal(match_seed(Purpose.OUTSIDE, drawn, 0))
        self._started = True
        self._hand_no = state.hand_no

    def observe(self, seat: int) -> Floats:
        state = self.state
        if self._whole:
            return information(self.game, state.view(seat))
        return self._encoders[seat].row(state.numbers(seat))

    def mask(self, seat: int) -> NDArray[np.int8]:
        """A 1 for each legal action; none for a seat that is not to act."""
        mask = bytearray(self.game.num_actions)
        if self.state.turn == seat:
            for action in self.state.legal():
                mask[action] = 1
        return np.frombuffer(mask, np.int8)

    def describe(self) -> str:
        """The game, the number of the hand and the score."""
        scores: list[Any] = self.state.scores()
        points = " : ".join([f"{score:g}" for score in scores])
        return f"{self.game.title}, hand {self.state.hand_no}, {points}"
