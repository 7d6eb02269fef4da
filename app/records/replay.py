"""Going through a match again, forwards and backwards."""

from dataclasses import replace

from app.match.moment import Moment
from app.match.past import Past
from app.match.telling import Narrator, Telling
from app.records.journal import Recorded
from engine.game import OVER


class Replay:
    """A recorded match and a place in it.

    stops   where one can stand, as (actions taken, whether the end of a hand is put away):
            after each action, and once more at the deal that follows the end of a hand
    at      which of the stops
    """

    def __init__(self, recorded: Recorded, narrator: Narrator) -> None:
        self.recorded = recorded
        self.stops: list[tuple[int, bool]] = [(0, True)]
        self.at = 0
        self._deals = [0]
        self._narrator = narrator
        self._telling = self._beginning()
        state = recorded.setup.deal()
        for number, action in enumerate(recorded.past.actions, 1):
            hand_no = state.hand_no
            state.apply(action)
            self.stops.append((number, False))
            if state.hand_no != hand_no and state.turn != OVER:
                self._deals.append(len(self.stops))
                self.stops.append((number, True))

    def _beginning(self) -> Telling:
        state = self.recorded.setup.deal()
        state.record_events()
        return Telling(state, self._narrator)

    @property
    def taken(self) -> int:
        """How many actions have been taken."""
        return self.stops[self.at][0]

    @property
    def count(self) -> int:
        return len(self.recorded.past.actions)

    @property
    def said(self) -> str:
        """What the last action came to, or how the match opens."""
        return self._telling.latest

    @property
    def last(self) -> int:
        """The last stop."""
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
            self._begin_again()
        taken, put_away = self.stops[stop]
        telling, state = self._telling, self._telling.state
        for action in self.recorded.past.actions[len(telling.actions) : taken]:
            telling.put_away()
            before, seat = telling.views(), state.turn
            state.apply(action)
            telling.tell(seat, action, state.take_events(), before)
        if put_away:
            telling.put_away()
        self.at = stop

    def look(self) -> None:
        """All hands open, then from one seat after the other."""
        self._telling.look()
        self.go_to(self.at)

    def _begin_again(self) -> None:
        looks_from, is_open = self._telling.looks_from, self._telling.open
        self._telling = self._beginning()
        self._telling.looks_from, self._telling.open = looks_from, is_open

    def moment(self) -> Moment:
        return self._telling.moment()

    def past(self) -> Past:
        """What happened up to here, for a match that is played on from it."""
        past = self.recorded.past
        return replace(past, actions=past.actions[: self.taken], unrated=True)
