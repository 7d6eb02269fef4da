"""One match between players: asks agents, applies actions, lets learners see results."""

from collections.abc import Sequence
from random import Random

from agents.agent import Agent, Decision, Learner
from engine.game import OVER, Event, State


class Match:
    """Drives a state. The screen's loop, training and evaluation all use it.

    players   an agent for each seat, None for a person
    seed      makes every agent's chance reproducible; apart from the deals' seed
    played    how many actions were taken before, for a match that can be taken up again:
              each decision then has chance of its own, whatever led there. None for one
              stream of chance for each seat, which is faster
    """

    def __init__(
        self,
        state: State,
        players: Sequence[Agent | None],
        seed: int,
        record: bool = False,
        played: int | None = None,
    ) -> None:
        if len(players) != state.seats:
            raise ValueError(f"This table has {state.seats} seats, not {len(players)}.")
        self.state = state
        self.players: list[Agent | None] = list(players)
        self.decisions = played or 0
        self._seed = seed
        self._streams = (
            [Random(f"{seed}/{seat}") for seat in range(state.seats)] if played is None else []
        )
        self.learners = [
            (seat, player)
            for seat, player in enumerate(self.players)
            if isinstance(player, Learner) and player.learning
        ]
        if record or self.learners:
            state.record_events()

    def decide(self) -> Decision:
        """Let the agent whose turn it is think. The state stays as it is."""
        state = self.state
        seat = state.turn
        return self._agent(seat).act(state.view(seat), state.legal(), self._chance(seat))

    def _agent(self, seat: int) -> Agent:
        agent = self.players[seat]
        if agent is None:
            raise ValueError(f"Seat {seat} is a person's: their action has to be given.")
        return agent

    def _chance(self, seat: int) -> Random:
        streams = self._streams
        return streams[seat] if streams else Random(f"{self._seed}/{seat}/{self.decisions}")

    def apply(self, action: int) -> list[Event]:
        """Take an action for the seat to act; the events it led to."""
        events = self.recall(action)
        if events:
            self._tell(events)
        return events

    def recall(self, action: int) -> list[Event]:
        """Take an action of the past again; learners have seen its events before."""
        self.state.apply(action)
        self.decisions += 1
        return self.state.take_events()

    def _tell(self, events: Sequence[Event]) -> None:
        sides = self.state.sides
        for seat, learner in self.learners:
            learner.observe(seat, sides, events)

    def play_out(self) -> None:
        """Play to the end of the match, agents only."""
        state, players, streams = self.state, self.players, self._streams
        while (seat := state.turn) != OVER:
            agent = players[seat] or self._agent(seat)
            chance = streams[seat] if streams else self._chance(seat)
            state.apply(agent.choose(state.view(seat), state.legal(), chance))
            self.decisions += 1
            if state.events:
                self._tell(state.take_events())
