"""The course of a match in words, with only what the viewer may know."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from app.match.moment import Ending, HandResult, Moment
from app.match.seating import PERSON, Seating
from engine.game import OVER, Event, Game, Played, State, View

_LOG_LINES = 200
_EVENTS_KEPT = 60


class Narrator(Protocol):
    """Puts actions and events into sentences (see `app.ui.tables.base.Table`)."""

    hides_hands: bool
    one_hand: bool
    of_next_hand: Sequence[str]
    game: Game
    seating: Seating

    def opening(self, view: View) -> str: ...

    def tell_action(self, view: View, seat: int, action: int) -> str: ...

    def tell_event(self, view: View, event: Event) -> str: ...

    def why_not(self, view: View, action: int) -> str: ...

    def takes_together(self, view: View) -> int: ...


class Views(NamedTuple):
    """The table as it is drawn.

    view    from one seat
    views   of all seats while all hands are open, else empty
    state   a copy of the state
    """

    view: View
    views: tuple[View, ...]
    state: State


class Narration:
    """The match so far, in words and as a moment to draw.

    viewpoint    the seat from which the table is seen
    open_hands   whether all hands are shown
    actions      every action since the deal
    actors       the seat that took each action
    latest       the sentences of the last action, or the opening sentence
    ending       the end of a hand, until it is dismissed
    """

    def __init__(self, state: State, narrator: Narrator) -> None:
        self.state = state
        players = narrator.seating.players
        self.persons = [seat for seat, player in enumerate(players) if player == PERSON]
        self.viewpoint = narrator.seating.home
        self.open_hands = not self.persons
        self.actions: list[int] = []
        self.actors: list[int] = []
        self.ending: Ending | None = None
        self.results: list[HandResult] = []
        self.log: deque[str] = deque(maxlen=_LOG_LINES)
        self._narrator = narrator
        self._finished: Views | None = None
        """The table after the last card of a hand, until the next deal is shown."""
        self._next_deal: list[str] = []
        """Log lines about the next deal, until it is shown."""
        self._last: Played | None = None
        self._events: deque[Event] = deque(maxlen=_EVENTS_KEPT)
        self.latest = narrator.opening(state.view(self.viewpoint))
        self.log.append(self.latest)

    def views(self) -> Views:
        return self._views_of(self.state.clone())

    def _views_of(self, state: State) -> Views:
        seats = range(state.seats) if self.open_hands else ()
        views = tuple([state.view(seat) for seat in seats])
        return Views(state.view(self.viewpoint), views, state)

    def add(self, seat: int, action: int, events: Sequence[Event], before: Views) -> Ending | None:
        """Add an action that was just taken. Returns the end of the hand if it ended one.

        before   the table right before the action
        """
        self.actions.append(action)
        self.actors.append(seat)
        number = before.view.hand_no
        self._last = (seat, self._visible(seat, action, before.view))
        self._events.extend(events)
        of_action = self._narrator.tell_action(before.view, *self._last)
        of_events = self._sentences(events)
        kinds = [event.kind for event in events]
        played = kinds.index("deal") if "deal" in kinds else len(kinds)
        self._tell([of_action, *[sentence for _, sentence in of_events[:played]]])
        self._next_deal = [sentence for _, sentence in of_events[played:]]
        of_ending: list[str] = []
        for event, sentence in of_events:
            if event.kind == "hand":
                after = self.state.view(self.viewpoint)
                self.results.append(HandResult(number, event.points, sentence, after))
            if event.kind in ("hand", "match"):
                of_ending.append(sentence)
        if of_ending:
            self.ending = Ending(" ".join(of_ending), self.state.turn == OVER)
            self._finished = self._finish(before, action)
        return self.ending

    def _tell(self, sentences: Sequence[str]) -> None:
        told = [sentence for sentence in sentences if sentence]
        self.latest = " ".join(told)
        self.log.extend(told)

    def _finish(self, before: Views, action: int) -> Views:
        """The table after the action that ended a hand, without the deal that follows."""
        state, names = before.state, self._narrator.of_next_hand
        of_this_hand = {name: getattr(state, name) for name in names if hasattr(state, name)}
        state.deals_on = False
        state.apply(action)
        for name, value in of_this_hand.items():
            setattr(state, name, value)
        return self._views_of(state)

    def dismiss_ending(self) -> None:
        """Show the next hand instead of the one that ended."""
        if self._next_deal:
            self._tell(self._next_deal)
        self.ending = self._finished = None
        self._next_deal = []

    def change_viewpoint(self) -> None:
        """Cycle through all hands open, then each seat in turn."""
        if self.open_hands:
            self.open_hands = False
            self.viewpoint = 0
        elif self.viewpoint + 1 < self.state.seats:
            self.viewpoint += 1
        else:
            self.open_hands = True
            self.viewpoint = self._narrator.seating.home

    def moment(self) -> Moment:
        """The current moment, without a question to a person."""
        view, views, _ = self._finished or self.views()
        return Moment(
            view=view,
            views=views,
            last=self._last,
            events=tuple(self._events),
            ending=self.ending,
            log=tuple(self.log),
            results=tuple(self.results),
        )

    def _visible(self, seat: int, action: int, before: View) -> int:
        """The action as the viewer may know it, HIDDEN if it is secret.

        If several persons share the screen, only what everyone may know is shown. At full Truco a
        flor that answers the action at once comes after it in the history.
        """
        viewer = seat if self.open_hands else self.viewpoint
        if len(self.persons) > 1:
            viewer = (seat + 1) % self.state.seats
        view = self.state.view(viewer)
        history = view.history
        if view.hand_no != before.hand_no or not history:
            # At full Truco an action is the place of a card, and only the history names the card.
            history = getattr(getattr(view, "last_round", None), "history", ())
            if not history:
                return action
        return int(history[min(len(before.history), len(history) - 1)][1])

    def _sentences(self, events: Sequence[Event]) -> list[tuple[Event, str]]:
        view = self.state.view(self.viewpoint)
        return [(event, self._narrator.tell_event(view, event)) for event in events]
