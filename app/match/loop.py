"""The match loop of one table: asks whoever is to act, waits, and tells the screen."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Protocol, TypeVar

from agents.match import Match
from agents.protocols.program import ProgramError
from agents.random_player import RandomPlayer
from agents.storage.store import Store
from app.match.hints import Adviser, Hints
from app.match.moment import NOBODY, Ending, Moment, Thought
from app.match.pace import Clock, Pace
from app.match.past import NOTHING_YET, Past
from app.match.saving import LearnersOfTable
from app.match.telling import Narrator, Telling
from app.match.thoughts import Thoughts
from engine.game import OVER

FRAME = 0.1
"""Without a delay the screen is told at most this often, in seconds."""

_PAINTING = 0.02
"""Without a delay agents stand still for so many seconds after the screen was told, and for
as long as it takes to draw: they would take turns with it and make it slow."""

_SHARE = 4
"""Where drawing takes long, this many times as long passes before the screen is told again."""

_READING = 2.5
"""How many delays the end of a hand stays on a watched table."""

T = TypeVar("T")


class Audience(Protocol):
    """The screen, as the loop knows it."""

    def show(self, moment: Moment) -> None: ...

    def notice(self, sentence: str) -> None: ...

    async def cover(self, seat: int) -> None:
        """Hide the table until the person of that seat has taken the keyboard.

        The table is seen from that seat by then; nobody may see it before.
        """


class MatchLog(Protocol):
    """Records the match as it is played (see `app.records.journal_file.Journal`)."""

    notices: list[str]

    def action(self, seat: int, label: str, flush: bool) -> None: ...

    def mark(self, assisted: bool, unrated: bool) -> None: ...

    def taken_over(self, seat: int) -> None: ...


class TableLoop:
    """Runs one match. All that a screen may do to it is a method without an answer."""

    def __init__(
        self,
        match: Match,
        seed: int,
        narrator: Narrator,
        adviser: Adviser,
        audience: Audience,
        store: Store | None,
        delay: float,
        clock: Clock | None = None,
        journal: MatchLog | None = None,
        past: Past = NOTHING_YET,
    ) -> None:
        """past: what happened before, in a match that is taken up again after the deal."""
        self.match = match
        self.assisted = past.assisted
        """Whether a person was given a hint."""
        self.unrated = past.unrated
        """Whether a move was taken back, or the match played on from another one."""
        self._seed = seed
        self._narrator = narrator
        self._audience = audience
        self._store = store
        self._clock = clock or Clock()
        self._pace = Pace(delay, self._clock)
        self._journal = journal
        self._past = past
        self._telling = Telling(match.state, narrator)
        self._keyboard = NOBODY
        self._learners = LearnersOfTable(match.players, store, self._clock)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="agent")
        self._choice: asyncio.Future[int] | None = None
        self._queue: list[int] = []
        self._thoughts = Thoughts()
        self._hints = Hints(adviser, self._hinted)
        self._shown_at = -FRAME
        self._frame = FRAME
        self._taken_over = list(past.taken_over)

    @property
    def delay(self) -> float:
        """Seconds between the actions of agents."""
        return self._pace.delay

    @property
    def actions(self) -> list[int]:
        """Every action of the match since the deal."""
        return self._telling.actions

    @property
    def actors(self) -> list[int]:
        """Whose the actions were."""
        return self._telling.actors

    @property
    def past(self) -> Past:
        """What happened so far."""
        return Past(tuple(self.actions), self.assisted, self.unrated, tuple(self._taken_over))

    # What a screen asks for

    def choose(self, *actions: int) -> None:
        """A person's choice; further actions are taken when the same seat is asked again.

        A choice that comes when nobody is asked any more, such as a key pressed twice, is
        let go without a word.
        """
        if self._choice is None or self._choice.done():
            return
        if actions[0] not in self.match.state.legal():
            view = self.match.state.view(self._telling.looks_from)
            self._audience.notice(self._narrator.why_not(view, actions[0]))
        else:
            self._queue = list(actions[1:])
            self._choice.set_result(actions[0])

    def hint(self) -> None:
        """Ask the strongest agent about the question a person has to answer."""
        if self._choice is not None and not self._choice.done():
            state = self.match.state
            self._hints.ask(state.view(state.turn), state.legal(), len(self.actions))
            self.show()

    def _hinted(self, problem: str) -> None:
        """A hint has come, or why there is none."""
        if problem:
            self._audience.notice(problem)
        else:
            self.assisted = True
            self._write_marks()
        self.show()

    def go_on(self) -> None:
        """The end of a hand has been read."""
        if self._telling.ending is not None:
            self._pace.skip()

    def pause(self) -> None:
        """Pause, or go on after a pause."""
        self._pace.pause()
        self.show()

    def hold(self, held: bool) -> None:
        """Stand still while another screen covers the table."""
        self._pace.hold(held)

    def step(self) -> None:
        """One action while paused; pauses a running table."""
        self._pace.step()
        self.show()

    def hurry(self) -> None:
        """No delay until the end of this hand."""
        self._pace.hurry()
        self.show()

    def change_speed(self, faster: bool) -> None:
        """To the next shorter or longer delay."""
        self._pace.change_speed(faster)
        self.show()

    def look(self) -> None:
        """All hands open, then from one seat after the other."""
        self._telling.look()
        self.show()

    def show(self) -> None:
        """Tell the screen how things stand."""
        self._shown_at = self._clock.now()
        self._audience.show(self.moment())

    def moment(self) -> Moment:
        asking = self._choice is not None and not self._choice.done()
        thoughts = self._known_thoughts()
        return replace(
            self._telling.moment(),
            asked=self.match.state.turn if asking else NOBODY,
            legal=tuple(self.match.state.legal()) if asking else (),
            paused=self._pace.paused,
            delay=self._pace.delay,
            lessons=self._learners.lessons(),
            thoughts=tuple(thoughts),
            withheld=self._thoughts.secret(thoughts),
            advising=self._hints.thinking,
            advice=self._hints.thought,
            assisted=self.assisted,
            unrated=self.unrated,
        )

    def _known_thoughts(self) -> list[Thought]:
        state = self.match.state
        open_hands = self._telling.open or not self._narrator.hides_hands
        return self._thoughts.known(
            played=len(self.actions),
            finished=state.hand_no if state.turn == OVER else state.hand_no - 1,
            shoulder=None if open_hands else self._telling.looks_from,
        )

    # The match

    async def catch_up(self) -> None:
        """Go through what happened before: told, but neither shown nor learned from again."""
        await self._in_thread(self._replay)

    async def run(self) -> None:
        """Play the match to its end."""
        state = self.match.state
        self._say_notices()
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
            self._hints.drop()

    async def _seat_person(self, seat: int) -> None:
        """Hand the keyboard over where persons must not see each other's cards."""
        hidden = len(self._telling.persons) > 1 and self._narrator.hides_hands
        self._telling.looks_from = seat
        if hidden and seat != self._keyboard:
            await self._audience.cover(seat)
        self._keyboard = seat

    async def _seat_next_person(self) -> None:
        """All persons may read the end of a hand together; the next deal is for one of them."""
        self._keyboard = NOBODY
        if len(self._telling.persons) > 1 and self._narrator.hides_hands:
            state = self.match.state
            following = [(seat - state.turn) % state.seats for seat in self._telling.persons]
            await self._seat_person(self._telling.persons[following.index(min(following))])

    async def _let_act(self, seat: int) -> int:
        since = self._clock.now()
        if since - self._shown_at >= self._frame:
            await self._show_and_rest()
        thought = await self._think(seat)
        await self._pace.linger(since, 1.0)
        await self._pace.gate()
        if len(thought.legal) > 1:
            self._thoughts.add(thought)
        return thought.decision.action

    async def _show_and_rest(self) -> None:
        self.show()
        await asyncio.sleep(_PAINTING)
        self._frame = max(FRAME, _SHARE * (self._clock.now() - self._shown_at))

    async def _think(self, seat: int) -> Thought:
        """The agent's decision; an agent that fails is replaced for the rest of the match."""
        try:
            thought = await self._in_thread(self._weigh)
            if thought.decision.action in thought.legal:
                return thought
            problem = "chose what the rules forbid"
        except ProgramError as error:
            problem = f"could not decide ({str(error).rstrip('.')})"
        except Exception:
            problem = "could not decide"
        self._replace(seat, problem)
        return await self._in_thread(self._weigh)

    def _weigh(self) -> Thought:
        """What the agent whose turn it is thinks."""
        state = self.match.state
        agent = self.match.players[state.turn]
        view, legal = state.view(state.turn), tuple(state.legal())
        decision = self.match.decide()
        situation = agent.describe(view) if agent is not None else ""
        name = agent.name if agent is not None else ""
        return Thought(len(self.actions), name, view, legal, decision, situation)

    def _replace(self, seat: int, problem: str) -> None:
        players = list(self.match.players)
        players[seat] = RandomPlayer()
        self.match = Match(
            self.match.state, players, self._seed, record=True, played=len(self.actions)
        )
        self._taken_over.append(seat)
        if self._journal is not None:
            self._journal.taken_over(seat)
        seating = self._narrator.seating
        self._audience.notice(
            f"{seating.names[seat]} ({seating.players[seat]}) {problem}; "
            "random plays on in that seat."
        )

    async def _take(self, seat: int, action: int) -> None:
        """Apply an action, tell it, and let the end of a hand be read."""
        before = self._telling.views()
        label = self.match.state.label(action)
        failed: list[int] = []
        events = self.match.step(action, failed.append)
        hand_over = any(event.kind == "hand" for event in events)
        self._write_down(seat, label, flush=hand_over or seat in self._telling.persons)
        ending = self._telling.tell(seat, action, events, before)
        for learner in failed:
            self._replace(learner, "could not learn")
        if ending is not None:
            await self._end_hand(ending)
        elif self._pace.unhurried:
            self.show()
        await self._save_if_due()

    def _replay(self) -> None:
        telling, match = self._telling, self.match
        for action in self._past.actions:
            seat = match.state.turn
            if seat in telling.persons:
                telling.looks_from = seat
            before = telling.views()
            telling.tell(seat, action, match.replay(action), before)
            telling.put_away()

    def _write_down(self, seat: int, label: str, flush: bool) -> None:
        if self._journal is not None:
            self._write_marks()
            self._journal.action(seat, label, flush)
            self._say_notices()

    def _write_marks(self) -> None:
        if self._journal is not None:
            self._journal.mark(self.assisted, self.unrated)

    async def _end_hand(self, ending: Ending) -> None:
        """Show the finished hand until it has been read; the end of a match stays."""
        pace = self._pace
        pace.hurried = pace.skipped = False
        if self._telling.persons or pace.delay or ending.match_over:
            self.show()
        if ending.match_over:
            return
        if self._telling.persons:
            await pace.until_skipped()
        else:
            await pace.linger(self._clock.now(), _READING)
            if not pace.skipped:
                await pace.gate()
        self._telling.put_away()
        pace.skipped = False
        await self._seat_next_person()
        if self._telling.persons or pace.delay:
            self.show()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # Saving

    async def save(self) -> None:
        """Write down what the learners of this table have learned."""
        await self._in_thread(self._learners.save)
        self._say_notices()

    async def _save_if_due(self) -> None:
        if self._learners.due():
            await self._in_thread(self._learners.save_due)
            self._say_notices()

    def _say_notices(self) -> None:
        for source in (self._store, self._journal):
            while source is not None and source.notices:
                self._audience.notice(source.notices.pop(0))

    async def thoughts_ended(self) -> None:
        """After `leave`: until no agent is thinking any more, so that all can be seated again."""
        await asyncio.to_thread(self._thread.shutdown)

    async def leave(self) -> None:
        """Drop an unfinished match and save. To be called once `run` has been stopped."""
        await self._in_thread(self._learners.forget_match)
        await self.save()
        self._hints.close()
        self._thread.shutdown(wait=False)
