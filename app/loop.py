"""The match loop of one table: asks whoever is to act, waits, and tells the screen."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol, TypeVar

from agents.agent import Decision, Learner
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.store import Store, StoreError
from app.moment import NOBODY, Ending, HandResult, Lesson, Moment
from app.seating import PERSON, Seating
from engine.game import OVER, Event, Played, View

SPEEDS = (0.0, 0.25, 0.5, 1.0, 2.0)
"""Seconds between the actions of agents that a person can choose from."""

FRAME = 0.05
"""Without a delay the screen is told at most this often, in seconds."""

ACTIONS_BETWEEN_SAVES = 100
_LOG_LINES = 200
_EVENTS_KEPT = 60
_READING = 2.5
"""How many delays the end of a hand stays on a watched table."""

T = TypeVar("T")


class Clock:
    """Time as the loop sees it; a test brings its own."""

    def now(self) -> float:
        return time.monotonic()

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        """Until somebody wakes the loop, but no longer than this."""
        with suppress(TimeoutError):
            await asyncio.wait_for(wake.wait(), seconds)


class Narrator(Protocol):
    """Puts what happens into sentences (see `app.tables.base.Table`)."""

    hides_hands: bool
    one_hand: bool
    seating: Seating

    def opening(self, view: View) -> str: ...

    def tell_action(self, view: View, seat: int, action: int) -> str: ...

    def tell_event(self, view: View, event: Event) -> str: ...

    def why_not(self, view: View, action: int) -> str: ...


class Audience(Protocol):
    """The screen, as the loop knows it."""

    def show(self, moment: Moment) -> None: ...

    def notice(self, sentence: str) -> None: ...

    async def cover(self, seat: int) -> None:
        """Hide the table until the person of that seat has taken the keyboard.

        The table is seen from that seat by then; nobody may see it before.
        """


class TableLoop:
    """Runs one match. All that a screen may do to it is a method without an answer."""

    def __init__(
        self,
        match: Match,
        seed: int,
        narrator: Narrator,
        audience: Audience,
        store: Store | None,
        delay: float,
        clock: Clock | None = None,
    ) -> None:
        self.match = match
        self.delay = delay
        self.paused = False
        self._seed = seed
        self._narrator = narrator
        self._audience = audience
        self._store = store
        self._clock = clock or Clock()
        players = narrator.seating.players
        self._persons = [seat for seat, player in enumerate(players) if player == PERSON]
        self._looks_from = narrator.seating.home
        self._keyboard = NOBODY
        self._open = not self._persons
        self._learners: dict[Learner, tuple[int, ...]] = {}
        for seat, player in enumerate(match.players):
            if isinstance(player, Learner):
                self._learners[player] = (*self._learners.get(player, ()), seat)
        self._tried_to_save_at = dict.fromkeys(self._learners, 0)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="agent")
        self._wake = asyncio.Event()
        self._choice: asyncio.Future[int] | None = None
        self._queue: list[int] = []
        self._ending: Ending | None = None
        self._before: tuple[View, tuple[View, ...]] | None = None
        self._last: Played | None = None
        self._steps = 0
        self._held = False
        self._hurried = False
        self._read = False
        self._shown_at = -FRAME
        self._log: deque[str] = deque(maxlen=_LOG_LINES)
        self._events: deque[Event] = deque(maxlen=_EVENTS_KEPT)
        self._results: list[HandResult] = []

    # What a screen asks for

    def choose(self, *actions: int) -> None:
        """A person's choice; further actions are taken when the same seat is asked again.

        A choice that comes when nobody is asked any more, such as a key pressed twice, is
        let go without a word.
        """
        if self._choice is None or self._choice.done():
            return
        if actions[0] not in self.match.state.legal():
            view = self.match.state.view(self._looks_from)
            self._audience.notice(self._narrator.why_not(view, actions[0]))
        else:
            self._queue = list(actions[1:])
            self._choice.set_result(actions[0])

    def go_on(self) -> None:
        """The end of a hand has been read."""
        self._read = self._ending is not None
        self._wake.set()

    def pause(self) -> None:
        """Pause, or go on after a pause."""
        self.paused = not self.paused
        self._woken()

    def hold(self, held: bool) -> None:
        """Stand still while another screen covers the table."""
        self._held = held
        self._wake.set()

    def step(self) -> None:
        """One action while paused; pauses a running table."""
        if self.paused:
            self._steps = 1
        self.paused = True
        self._woken()

    def hurry(self) -> None:
        """No delay until the end of this hand."""
        self._hurried = True
        self.paused = False
        self._woken()

    def change_speed(self, faster: bool) -> None:
        """To the next shorter or longer delay."""
        if faster:
            self.delay = max([speed for speed in SPEEDS if speed < self.delay], default=SPEEDS[0])
        else:
            self.delay = min([speed for speed in SPEEDS if speed > self.delay], default=SPEEDS[-1])
        self._woken()

    def look(self) -> None:
        """All hands open, then from one seat after the other."""
        if self._open:
            self._open = False
            self._looks_from = 0
        elif self._looks_from + 1 < self.match.state.seats:
            self._looks_from += 1
        else:
            self._open = True
            self._looks_from = self._narrator.seating.home
        self.show()

    def show(self) -> None:
        """Tell the screen how things stand."""
        self._shown_at = self._clock.now()
        self._audience.show(self.moment())

    def moment(self) -> Moment:
        view, views = self._before or self._views()
        asking = self._choice is not None and not self._choice.done()
        return Moment(
            view=view,
            views=views,
            asked=self.match.state.turn if asking else NOBODY,
            legal=tuple(self.match.state.legal()) if asking else (),
            last=self._last,
            events=tuple(self._events),
            ending=self._ending,
            paused=self.paused,
            delay=self.delay,
            log=tuple(self._log),
            results=tuple(self._results),
            lessons=tuple(
                [Lesson(seats, learner.stats()) for learner, seats in self._learners.items()]
            ),
        )

    # The match

    async def run(self) -> None:
        """Play the match to its end."""
        state = self.match.state
        self._say_notices()
        self._log.append(self._narrator.opening(state.view(self._looks_from)))
        await self._seat_next_person()
        self.show()
        while state.turn != OVER:
            seat = state.turn
            if self.match.players[seat] is None:
                action = await self._ask(seat)
            else:
                action = await self._let_act(seat)
            await self._take(seat, action)
        await self.save()
        self.show()

    async def _ask(self, seat: int) -> int:
        await self._seat_person(seat)
        legal = self.match.state.legal()
        if self._queue and self._queue[0] in legal:
            return self._queue.pop(0)
        self._queue.clear()
        self._choice = asyncio.get_running_loop().create_future()
        self.show()
        try:
            return await self._choice
        finally:
            self._choice = None

    async def _seat_person(self, seat: int) -> None:
        """Hand the keyboard over where persons must not see each other's cards."""
        hidden = len(self._persons) > 1 and self._narrator.hides_hands
        self._looks_from = seat
        if hidden and seat != self._keyboard:
            await self._audience.cover(seat)
        self._keyboard = seat

    async def _seat_next_person(self) -> None:
        """All persons may read the end of a hand together; the next deal is for one of them."""
        self._keyboard = NOBODY
        if len(self._persons) > 1 and self._narrator.hides_hands:
            state = self.match.state
            following = [(seat - state.turn) % state.seats for seat in self._persons]
            await self._seat_person(self._persons[following.index(min(following))])

    async def _let_act(self, seat: int) -> int:
        since = self._clock.now()
        if since - self._shown_at >= FRAME:
            self.show()
        decision = await self._think(seat)
        await self._linger(since, 1.0)
        await self._gate()
        return decision.action

    async def _think(self, seat: int) -> Decision:
        """The agent's decision; an agent that fails is replaced for the rest of the match."""
        legal = self.match.state.legal()
        try:
            decision = await self._in_thread(self.match.decide)
            if decision.action in legal:
                return decision
            problem = "chose what the rules forbid"
        except Exception:
            problem = "could not decide"
        players = list(self.match.players)
        players[seat] = RandomPlayer()
        self.match = Match(self.match.state, players, self._seed, record=True)
        seating = self._narrator.seating
        self._audience.notice(
            f"{seating.names[seat]} ({seating.players[seat]}) {problem}; "
            "random plays on in that seat."
        )
        return await self._in_thread(self.match.decide)

    async def _linger(self, since: float, delays: float) -> None:
        """Wait as many delays, counted from a time; changes of speed count at once."""
        while not (self._hurried or self._read or self.paused or self._held):
            left = since + self.delay * delays - self._clock.now()
            if left <= 0:
                return
            self._wake.clear()
            await self._clock.wait(self._wake, left)

    async def _gate(self) -> None:
        """Stand still while paused or covered."""
        while self._held or (self.paused and not self._steps):
            self._wake.clear()
            await self._wake.wait()
        self._steps = 0

    async def _take(self, seat: int, action: int) -> None:
        """Apply an action, tell it, and let the end of a hand be read."""
        before = self._views()
        number = before[0].hand_no
        events = self.match.apply(action)
        self._last = (seat, self._seen(seat, action, number))
        self._events.extend(events)
        if sentence := self._narrator.tell_action(before[0], *self._last):
            self._log.append(sentence)
        told: list[str] = []
        for event, sentence in self._tell_events(events):
            if event.kind == "hand":
                after = self.match.state.view(self._looks_from)
                self._results.append(HandResult(number, event.points, sentence, after))
            if event.kind in ("hand", "match"):
                told.append(sentence)
        if told:
            over = self.match.state.turn == OVER
            await self._end_hand(Ending(" ".join(told), over), before)
        elif self.delay and not self._hurried:
            self.show()
        await self._save_if_due()

    async def _end_hand(self, ending: Ending, before: tuple[View, tuple[View, ...]]) -> None:
        """Show the finished hand until it has been read; the end of a match stays."""
        self._ending = ending
        self._before = None if self._narrator.one_hand else before
        self._hurried = self._read = False
        if self._persons or self.delay or ending.match_over:
            self.show()
        if ending.match_over:
            return
        if self._persons:
            while not self._read:
                self._wake.clear()
                await self._wake.wait()
        else:
            await self._linger(self._clock.now(), _READING)
            if not self._read:
                await self._gate()
        self._ending = self._before = None
        self._read = False
        await self._seat_next_person()
        if self._persons or self.delay:
            self.show()

    def _views(self) -> tuple[View, tuple[View, ...]]:
        state = self.match.state
        everybody = tuple([state.view(seat) for seat in range(state.seats)]) if self._open else ()
        return state.view(self._looks_from), everybody

    def _seen(self, seat: int, action: int, hand_no: int) -> int:
        """The action as those who look on may know it.

        Where several persons share the screen, each learns only what all may know.
        """
        onlooker = self._looks_from
        if len(self._persons) > 1:
            onlooker = (seat + 1) % self.match.state.seats
        view = self.match.state.view(onlooker)
        if self._open or view.hand_no != hand_no or not view.history:
            return action
        return view.history[-1][1]

    def _tell_events(self, events: Sequence[Event]) -> list[tuple[Event, str]]:
        view = self.match.state.view(self._looks_from)
        told = [(event, self._narrator.tell_event(view, event)) for event in events]
        self._log.extend([sentence for _, sentence in told if sentence])
        return told

    def _woken(self) -> None:
        self._wake.set()
        self.show()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # Saving

    async def save(self) -> None:
        """Write down what the learners of this table have learned."""
        for learner in self._learners:
            if learner.learning and learner.unsaved:
                await self._save(learner)

    async def _save_if_due(self) -> None:
        for learner, tried_at in self._tried_to_save_at.items():
            if learner.unsaved < tried_at:
                self._tried_to_save_at[learner] = tried_at = 0
            if learner.learning and learner.unsaved - tried_at >= ACTIONS_BETWEEN_SAVES:
                await self._save(learner)

    async def _save(self, learner: Learner) -> None:
        store = self._store
        if store is None:
            return
        try:
            await self._in_thread(lambda: store.save(learner))
        except StoreError as error:
            store.notices.append(str(error))
        self._tried_to_save_at[learner] = learner.unsaved
        self._say_notices()

    def _say_notices(self) -> None:
        if self._store is not None:
            while self._store.notices:
                self._audience.notice(self._store.notices.pop(0))

    async def leave(self) -> None:
        """Drop an unfinished match and save. To be called once `run` has been stopped."""
        for learner in self._learners:
            await self._in_thread(learner.forget_match)
        await self.save()
        self._thread.shutdown(wait=False)
