"""Tells a match: what happened so far, in words, as those who look on may know it."""

from collections import deque
from collections.abc import Sequence
from typing import Protocol

from app.match.moment import Ending, HandResult, Moment
from app.match.seating import PERSON, Seating
from engine.game import OVER, Event, Game, Played, State, View

_LOG_LINES = 200
_EVENTS_KEPT = 60


class Narrator(Protocol):
    """Puts what happens into sentences (see `app.ui.tables.base.Table`)."""

    hides_hands: bool
    one_hand: bool
    game: Game
    seating: Seating

    def opening(self, view: View) -> str: ...

    def tell_action(self, view: View, seat: int, action: int) -> str: ...

    def tell_event(self, view: View, event: Event) -> str: ...

    def why_not(self, view: View, action: int) -> str: ...


Views = tuple[View, tuple[View, ...]]
"""What is seen from one seat, and the views of all seats while all hands lie open."""


class Telling:
    """The story of a match up to now, and the picture that goes with it.

    looks_from   the seat the table is seen from
    open         whether all hands lie open
    actions      every action since the deal; actors: whose they were
    latest       the sentences of the last action, or how the match opens
    ending       the end of a hand that the last action brought, until it is put away
    """

    def __init__(self, state: State, narrator: Narrator) -> None:
        self.state = state
        players = narrator.seating.players
        self.persons = [seat for seat, player in enumerate(players) if player == PERSON]
        self.looks_from = narrator.seating.home
        self.open = not self.persons
        self.actions: list[int] = []
        self.actors: list[int] = []
        self.ending: Ending | None = None
        self.results: list[HandResult] = []
        self.log: deque[str] = deque(maxlen=_LOG_LINES)
        self._narrator = narrator
        self._before: Views | None = None
        self._last: Played | None = None
        self._events: deque[Event] = deque(maxlen=_EVENTS_KEPT)
        self.latest = narrator.opening(state.view(self.looks_from))
        self.log.append(self.latest)

    def views(self) -> Views:
        state = self.state
        everybody = tuple([state.view(seat) for seat in range(state.seats)]) if self.open else ()
        return state.view(self.looks_from), everybody

    def tell(self, seat: int, action: int, events: Sequence[Event], before: Views) -> Ending | None:
        """Tell an action that was taken; the end of the hand if it brought it.

        before   what was seen right before it
        """
        self.actions.append(action)
        self.actors.append(seat)
        number = before[0].hand_no
        self._last = (seat, self._seen(seat, action, number))
        self._events.extend(events)
        action_told = self._narrator.tell_action(before[0], *self._last)
        events_told = self._tell_events(events)
        sentences = [action_told, *[sentence for _, sentence in events_told]]
        sentences = [sentence for sentence in sentences if sentence]
        self.latest = " ".join(sentences)
        self.log.extend(sentences)
        told: list[str] = []
        for event, sentence in events_told:
            if event.kind == "hand":
                after = self.state.view(self.looks_from)
                self.results.append(HandResult(number, event.points, sentence, after))
            if event.kind in ("hand", "match"):
                told.append(sentence)
        if told:
            self.ending = Ending(" ".join(told), self.state.turn == OVER)
            self._before = None if self._narrator.one_hand else before
        return self.ending

    def put_away(self) -> None:
        """The end of a hand has been read; the next one is seen."""
        self.ending = self._before = None

    def look(self) -> None:
        """All hands open, then from one seat after the other."""
        if self.open:
            self.open = False
            self.looks_from = 0
        elif self.looks_from + 1 < self.state.seats:
            self.looks_from += 1
        else:
            self.open = True
            self.looks_from = self._narrator.seating.home

    def moment(self) -> Moment:
        """How things stand, with nobody asked."""
        view, views = self._before or self.views()
        return Moment(
            view=view,
            views=views,
            last=self._last,
            events=tuple(self._events),
            ending=self.ending,
            log=tuple(self.log),
            results=tuple(self.results),
        )

    def _seen(self, seat: int, action: int, hand_no: int) -> int:
        """The action as those who look on may know it.

        Where several persons share the screen, each learns only what all may know.
        """
        onlooker = self.looks_from
        if len(self.persons) > 1:
            onlooker = (seat + 1) % self.state.seats
        view = self.state.view(onlooker)
        if self.open or view.hand_no != hand_no or not view.history:
            return action
        return view.history[-1][1]

    def _tell_events(self, events: Sequence[Event]) -> list[tuple[Event, str]]:
        view = self.state.view(self.looks_from)
        return [(event, self._narrator.tell_event(view, event)) for event in events]
