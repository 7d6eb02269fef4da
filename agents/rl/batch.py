"""Thousands of tables stepped by one call, with numpy arrays in and out.

    from agents.rl.batch import BatchEnv

    tables = BatchEnv("euchre", 1024, episode="hand", seed=1)
    while True:
        actions = policy(tables.observations, tables.masks)   # one for each table
        rewards, done = tables.step(actions)

A table waits for the seat in `tables.seats`. With `opponent`, agents play the other sides, and a
table waits for the own side only.
"""

from collections.abc import Sequence
from functools import partial
from random import Random
from struct import pack, pack_into
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.learners.view_encoding import BatchEncoder, Floats, Integers
from agents.rl.opponents import Opponents
from agents.rl.rewards import check, seat_rewards
from agents.rl.tables import Tables
from agents.seeds import Purpose, match_seed
from engine import GAMES
from engine.game import OptionValue, State
from engine.manifest import variant_name

_PACKED: Final = 4096
"""Whole numbers that are packed at once."""

_BYTES: Final = np.dtype(np.int64).itemsize

_OF_TABLES: Final = (
    "_new_match", "_actions", "_rewards_of", "_ends_with_hand", "_max_steps", "states", "_steps",
    "columns", "legal", "choices", "turns", "finished", "truncated", "players", "_rng",
    "seat_players",
)  # fmt: skip
"""All attributes of `Tables`."""


class BatchEnv:
    """Many tables of one game.

    observations   (tables, numbers): what the seat to act sees, as in the other environments
    masks          (tables, actions): which of its actions are legal
    seats          (tables,): the seat to act
    rewards        (tables, seats), or (tables,) against an opponent: for the last step
    dones          (tables,): whether the last step has ended an episode. The other arrays then show
                   the beginning of the next one
    truncations    (tables,): whether the last step was the last of `max_steps`
    The arrays are the same objects after every step; copy what should last.
    """

    def __init__(
        self,
        game: str,
        tables: int,
        *,
        reward: str = "match",
        episode: str = "match",
        zero_sum: bool = False,
        max_steps: int = 0,
        opponent: str | Sequence[str] | None = None,
        side: int | None = None,
        seed: int = 0,
        **options: OptionValue,
    ) -> None:
        """reward, zero_sum: see `agents.rl.rewards`. episode: a match, or a `hand`; the
        next episode is then the next hand of the match. max_steps: decisions after which an
        episode is truncated, 0 for none. opponent, side: see `Opponents`; None lets `step` play
        every seat. options: of the game."""
        check(reward, episode)
        if game not in GAMES:
            raise ValueError(f"There is no game {game!r}; choose one of: {', '.join(GAMES)}.")
        if tables < 1:
            raise ValueError(f"tables is {tables}; give 1 or more.")
        self.game = GAMES[variant_name(game, options)]
        self.num_actions = self.game.num_actions
        self._options = options
        self._seed = seed
        self._matches = 0
        first = self.game.new(0, None, None, **options)
        view = first.view(0)
        self._encoder = BatchEncoder(type(view), view.options, first.sides, tables)
        self._tables = Tables(
            self._new_match,
            tables,
            self.num_actions,
            partial(seat_rewards, reward=reward, zero_sum=zero_sum),
            episode == "hand",
            max_steps,
        )
        self.opponents = None
        if opponent is not None:
            name = self.game.name
            self.opponents = Opponents(name, first, opponent, side, Random(f"{seed}/side"))
            self._tables.play_against(self.opponents.seated, Random(f"{seed}/opponents"))
        self.observations: Floats = np.zeros((tables, self._encoder.size), np.float32)
        self.masks: NDArray[np.bool_] = np.zeros((tables, self.num_actions), np.bool_)
        self.seats: Integers = np.zeros(tables, np.int64)
        shape = (tables,) if opponent is not None else (tables, first.seats)
        self.rewards: Floats = np.zeros(shape, np.float32)
        self.dones: NDArray[np.bool_] = np.zeros(tables, np.bool_)
        self.truncations: NDArray[np.bool_] = np.zeros(tables, np.bool_)
        self._columns: Integers = np.zeros((tables, self._encoder.columns), np.int64)
        self._legal: Integers = np.zeros(0, np.int64)
        self._own = self._own_seats()
        self._tables.look()
        self._show()

    def __getstate__(self) -> dict[str, Any]:
        """For pickles and copies: compiled objects, such as the tables, have no `__dict__`."""
        return self.__dict__ | {"_tables": [getattr(self._tables, each) for each in _OF_TABLES]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        values = dict(zip(_OF_TABLES, state["_tables"], strict=True))
        self.__dict__.update(state)
        self._tables = Tables(
            values["_new_match"], 0, self.num_actions, values["_rewards_of"], False, 0
        )
        for name, value in values.items():
            setattr(self._tables, name, value)

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def states(self) -> list[State]:
        """The match at each table."""
        return self._tables.states

    def _new_match(self) -> State:
        seed = match_seed(Purpose.OUTSIDE, self._seed, self._matches)
        self._matches += 1
        return self.game.new(seed, None, None, **self._options)

    def step(self, actions: Any) -> tuple[Floats, NDArray[np.bool_]]:
        """Take one action at each table and return `rewards` and `dones`. Raises IllegalAction
        for an action that is not legal."""
        chosen = np.asarray(actions)
        if chosen.shape != self.seats.shape:
            raise ValueError(f"There are {len(self)} tables: give as many actions.")
        tables = self._tables
        own = self._own
        tables.step(chosen.tolist())
        self.rewards.fill(0)
        self.dones.fill(False)
        self.truncations.fill(False)
        for number, over, rewards in tables.finished:
            if self.dones[number]:
                continue  # A later episode in which the own side had nothing to decide.
            if self.opponents is None:
                self.rewards[number] += rewards
            else:
                self.rewards[number] += rewards[own[number]]
            if over:
                self.dones[number] = True
        for number in tables.truncated:
            self.dones[number] = self.truncations[number] = True
        if self.opponents is not None and (tables.finished or tables.truncated):
            self._own = self._own_seats()
        self._show()
        return self.rewards, self.dones

    def _own_seats(self) -> list[int]:
        """At each table one of the seats whose actions `step` takes."""
        return [players.index(None) for players in self._tables.players]

    def _show(self) -> None:
        tables = self._tables
        # Packing whole numbers takes half the time of making an array of them, and a third less in
        # parts that fit into the processor's cache.
        columns = tables.columns
        for start in range(0, len(columns), _PACKED):
            part = columns[start : start + _PACKED]
            pack_into(f"{len(part)}q", self._columns.data, _BYTES * start, *part)
        self.seats[:] = tables.turns
        self._encoder.expand(self._columns, self.seats, self.observations)
        legal = tables.legal
        self._legal = np.frombuffer(pack(f"{len(legal)}q", *legal), np.int64)
        self.masks.fill(False)
        self.masks.reshape(-1)[self._legal] = True

    def sample(self, rng: np.random.Generator) -> Integers:
        """A random legal action for each table."""
        counts = np.array(self._tables.choices, np.int64)
        starts = counts.cumsum() - counts
        picks = starts + (rng.random(len(self)) * counts).astype(np.int64)
        chosen: Integers = self._legal[picks] % self.num_actions
        return chosen
