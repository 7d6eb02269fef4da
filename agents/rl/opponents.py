"""The agents at the other seats of an environment for one learner."""

from collections.abc import Sequence
from random import Random

from agents.agent import Agent
from agents.registry import make
from engine.game import State


class Opponents:
    """Seats agents at all sides but one.

    seated()   for a new episode an agent for each seat, None for those of the own side
    """

    def __init__(
        self,
        game: str,
        table: State,
        opponent: str | Sequence[str],
        side: int | None,
        rng: Random,
        partner: str | None = None,
    ) -> None:
        """opponent: the name of an agent, such as `hard`, or one name for each of the other sides.
        side: the own side; None for another one in every episode. partner: the agent at the other
        seats of the own side; None if the learner plays them too."""
        self.sides = table.sides
        others = len(self.sides) - 1
        names = [opponent] * others if isinstance(opponent, str) else list(opponent)
        if len(names) != others:
            raise ValueError(f"This game has {others} other sides: name as many opponents.")
        if side is not None and not 0 <= side <= others:
            raise ValueError(f"There is no side {side}; sides go from 0 to {others}.")
        agents = {name: make(game, name) for name in {*names, *([partner] if partner else [])}}
        self._agents = [agents[name] for name in names]
        self._partner = agents[partner] if partner else None
        self._side = side
        self._seats = table.seats
        self._rng = rng

    def seated(self) -> list[Agent | None]:
        side = self._rng.randrange(len(self.sides)) if self._side is None else self._side
        players: list[Agent | None] = [None] * self._seats
        others = iter(self._agents)
        for number, seats in enumerate(self.sides):
            agent = None if number == side else next(others)
            for place, seat in enumerate(seats):
                players[seat] = self._partner if number == side and place else agent
        return players
