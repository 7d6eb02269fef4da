"""Moves through a recorded match, forwards and backwards."""

from dataclasses import replace

from app.match.moment import Moment
from app.match.narration import Narration, Narrator
from app.match.past import Past
from app.records.journal import Recorded
from engine.game import OVER


class Replay:
    """A recorded match and a position in it.

    stops   the positions, as (actions taken, whether the end of a hand is dismissed): one after
            each action, and another at the deal after the end of a hand
    at      the index of the current stop
    """

    def __init__(self, recorded: Recorded, narrator: Narrator) -> None:
        self.recorded = recorded
        self.stops: list[tuple[int, bool]] = [(0, True)]
        self.at = 0
        self._deals = [0]
        self._narrator = narrator
        self._narration = self._beginning()
        state = recorded.setup.deal()
        for number, action in enumerate(recorded.past.actions, 1):
            hand_no = state.hand_no
            state.apply(action)
            self.stops.append((number, False))
            if state.hand_no != hand_no and state.turn != OVER:
                self._deals.append(len(self.stops))
                self.stops.append((number, True))

    def _beginning(self) -> Narration:
        state = self.recorded.setup.deal()
        state.record_events()
        return Narration(state, self._narrator)

    @property
    def taken(self) -> int:
        """The number of actions taken at the current stop."""
        return self.stops[self.at][0]

    @property
    def count(self) -> int:
        return len(self.recorded.past.actions)

    @property
    def sentence(self) -> str:
        """The sentences of the last action, or the opening sentence."""
        return self._narration.latest

    @property
    def last(self) -> int:
        """The index of the last stop."""
        return len(self.stops) - 1

    def next_hand(self) -> int:
        """The stop where the next hand is dealt, or the last one."""
        return next((stop for stop in self._deals if stop > self.at), self.last)

    def previous_hand(self) -> int:
        """The stop where this hand was dealt; from there, the one before."""
        return next((stop for stop in reversed(self._deals) if stop < self.at), 0)

    def go_to(self, stop: int) -> None:
        stop = min(max(stop, 0), self.last)
        if stop <= self.at:
            self._restart()
        taken, dismissed = self.stops[stop]
        narration, state = self._narration, self._narration.state
        for action in self.recorded.past.actions[len(narration.actions) : taken]:
            narration.dismiss_ending()
            before, seat = narration.views(), state.turn
            state.apply(action)
            narration.add(seat, action, state.take_events(), before)
        if dismissed:
            narration.dismiss_ending()
        self.at = stop

    def change_viewpoint(self) -> None:
        """Cycle through all hands open, then each seat in turn."""
        self._narration.change_viewpoint()
        self.go_to(self.at)

    def _restart(self) -> None:
        before = self._narration
        self._narration = self._beginning()
        self._narration.viewpoint = before.viewpoint
        self._narration.open_hands = before.open_hands

    def moment(self) -> Moment:
        return self._narration.moment()

    def past(self) -> Past:
        """The match up to here, to continue it as a new one."""
        past = self.recorded.past
        return replace(past, actions=past.actions[: self.taken], unrated=True)
