"""One match: agents decide, actions are applied, and learners observe the events."""

from collections.abc import Callable, Sequence
from random import Random

from agents.agent import Agent, Decision, Learner
from engine.compiling import mypyc_attr
from engine.game import OVER, Event, State

Interrupt = Callable[[], bool]
"""Asked again and again during long work whether to end it early."""


@mypyc_attr(native_class=False)
class Match:
    """Advances a state. The game's screen, training and evaluation all use it.

    players   an agent for each seat, None for a person
    seed      of the agents' random choices; independent of the seed of the deals
    played    the number of actions taken so far. Each decision then gets its own random
              numbers, so that a resumed match continues in the same way. None uses one stream
              of random numbers for each seat, which is faster
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
            raise ValueError(f"This match has {state.seats} seats, not {len(players)}.")
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
        self._listeners = list(
            {id(each): each for each in self.players if each and each.wants_results}.values()
        )
        if record or self.learners:
            state.record_events()

    def decide(self) -> Decision:
        """The decision of the agent to act. Does not change the state."""
        state = self.state
        seat = state.turn
        return self._agent(seat).act(state.view(seat), state.legal(), self._chance(seat))

    def _agent(self, seat: int) -> Agent:
        agent = self.players[seat]
        if agent is None:
            raise ValueError(f"Seat {seat} is a person and decides by calling step.")
        return agent

    def _chance(self, seat: int) -> Random:
        streams = self._streams
        return streams[seat] if streams else Random(f"{self._seed}/{seat}/{self.decisions}")

    def step(self, action: int, failed: Callable[[int], None] | None = None) -> list[Event]:
        """Take an action for the seat to act, let the learners observe its events, and return
        the events.

        failed   called with the seat of a learner that raises an error while it observes; by
                 default the error propagates
        """
        events = self.replay(action)
        if events:
            self._teach(events, failed)
        return events

    def replay(self, action: int) -> list[Event]:
        """Repeat an action of a recorded match. Learners do not observe it again."""
        self._apply(action)
        self.decisions += 1
        return self.state.take_events()

    def _apply(self, action: int) -> None:
        state = self.state
        hand_no = state.hand_no
        state.apply(action)
        if self._listeners and (state.hand_no != hand_no or state.turn == OVER):
            returns = state.returns() if state.turn == OVER else None
            for each in self._listeners:
                each.hear_result(state.hand_returns(), state.scores(), returns)

    def _teach(self, events: Sequence[Event], failed: Callable[[int], None] | None = None) -> None:
        sides = self.state.sides
        for seat, learner in self.learners:
            try:
                learner.observe(seat, sides, events)
            except Exception:
                if failed is None:
                    raise
                failed(seat)

    def play_out(self, interrupt: Interrupt | None = None) -> bool:
        """Play to the end of the match. Every seat needs an agent.

        interrupt   asked after each action whether to stop in the middle of the match

        Return whether the match is over.
        """
        state, players, streams = self.state, self.players, self._streams
        apply = self._apply if self._listeners else state.apply
        while (seat := state.turn) != OVER:
            agent = players[seat] or self._agent(seat)
            chance = streams[seat] if streams else self._chance(seat)
            apply(agent.choose(state.view(seat), state.legal(), chance))
            self.decisions += 1
            if state.events:
                self._teach(state.take_events())
            if interrupt is not None and interrupt():
                return state.turn == OVER
        return True
