"""The match loop of one table: gets a decision from each seat in turn, waits, and updates the
screen."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from agents.evaluation.strengths import at_table
from agents.match import Match
from agents.protocols.program import ProgramError
from agents.random_player import RandomPlayer
from agents.storage.store import Store
from app.match.audience import Audience, MatchLog
from app.match.automatic import NOTHING_AUTOMATIC, Automatic, is_decided, plays_only
from app.match.hints import Adviser, Hints
from app.match.moment import NOBODY, Ending, Moment, Thought
from app.match.narration import Narration, Narrator
from app.match.pace import Clock, Pace
from app.match.past import NOTHING_YET, Past
from app.match.saving import TableLearners
from app.match.seating import rated_players
from app.match.thoughts import Thoughts
from engine.game import OVER, View

FRAME = 0.1
"""Without a delay the screen is updated at most this often, in seconds."""

_PAINTING = 0.02
"""Seconds that agents wait after each update without a delay, so that the screen can draw. An
agent thinking at the same time would slow the drawing down."""

_SHARE = 4
"""After a slow update, the next one waits this many times as long as the update took."""

_READING = 2.5
"""How many delays the end of a hand stays on the screen of a watched table."""

T = TypeVar("T")


class TableLoop:
    """Runs one match. Screens send commands; none returns a value."""

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
        automatic: Automatic = NOTHING_AUTOMATIC,
        teaching: bool = False,
    ) -> None:
        """
        past        the actions to replay in a match that is resumed
        automatic   moves that are made for persons
        teaching    whether every question to a person is weighed, which makes the match unrated
        """
        self.match = match
        self.assisted = past.assisted
        """Whether a hint was shown."""
        self.unrated = past.unrated or teaching
        """Whether a move was taken back, the match continues another one, or costly moves are
        pointed out."""
        self._teaching = teaching
        self._seed = seed
        self._narrator = narrator
        self._audience = audience
        self._store = store
        self._clock = clock or Clock()
        self._pace = Pace(delay, self._clock)
        self._journal = journal
        self._past = past
        self._narration = Narration(match.state, narrator)
        self.keyboard = NOBODY
        """The person at the keyboard, if several persons share it."""
        self._learners = TableLearners(match.players, store, self._clock)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="agent")
        self._choice: asyncio.Future[int] | None = None
        self._queue: list[int] = []
        self._thoughts = Thoughts()
        self._hints = Hints(adviser, self._hinted)
        self._shown_at = -FRAME
        self._frame = FRAME
        self._taken_over = list(past.taken_over)
        self._automatic = automatic
        self._forced = False
        self._decided_hand = 0
        """The number of the last hand that was found to be decided."""
        self.asks_next = False
        """Whether the next question is asked in any case: after an undo, a move must not be made
        automatically again."""

    @property
    def delay(self) -> float:
        """Seconds between the actions of agents."""
        return self._pace.delay

    @property
    def actions(self) -> list[int]:
        """Every action of the match since the deal."""
        return self._narration.actions

    @property
    def actors(self) -> list[int]:
        """The seat that took each action."""
        return self._narration.actors

    @property
    def past(self) -> Past:
        """The match so far."""
        return Past(tuple(self.actions), self.assisted, self.unrated, tuple(self._taken_over))

    @property
    def asking(self) -> bool:
        """Whether a person has to decide."""
        return self._choice is not None and not self._choice.done()

    @property
    def weighed(self) -> Thought | None:
        """What the strongest agent thinks of the question, while costly moves are pointed out."""
        return self._hints.weighed if self._teaching else None

    @property
    def weighing(self) -> bool:
        """Whether that is being computed."""
        return self._teaching and self._hints.weighing

    # Commands of the screen

    def choose(self, *actions: int) -> None:
        """Take an action for the person who is asked. Further actions are queued for the next
        questions to the same seat.

        Ignored while no person is asked, for example when a key was pressed twice.
        """
        if self._choice is None or self._choice.done():
            return
        if actions[0] not in self.match.state.legal():
            view = self.match.state.view(self._narration.viewpoint)
            self._audience.notice(self._narrator.why_not(view, actions[0]))
        else:
            self._queue = list(actions[1:])
            self._choice.set_result(actions[0])

    def hint(self) -> None:
        """Compute a hint for the person who is asked."""
        if self.asking:
            self._weigh(self._hints.ask)
            self.show()

    def _weigh(self, ask: Callable[[View, list[int], int, int], None]) -> None:
        """Have the question weighed. ask: how, a method of the hints"""
        state = self.match.state
        view = state.view(state.turn)
        count = self._narrator.takes_together(view)
        ask(view, state.legal(), len(self.actions), count)

    def _hinted(self, problem: str) -> None:
        """Show a hint that is ready, or why there is none. Without a hint, tell the screen that
        the question has been weighed."""
        if problem:
            self._audience.notice(problem)
        elif self._hints.thought is not None:
            self.assisted = True
            self._write_marks()
        self.show()

    def acknowledge(self) -> None:
        """Continue after the end of a hand."""
        if self._narration.ending is not None:
            self._pace.skip()

    def pause(self) -> None:
        """Pause, or continue after a pause."""
        self._pace.pause()
        self.show()

    def hold(self, held: bool) -> None:
        """Stop while another screen covers the table."""
        self._pace.hold(held)

    def step(self) -> None:
        """Allow one action while paused; pause otherwise."""
        self._pace.step()
        self.show()

    def hurry(self) -> None:
        """Drop the delay until the end of this hand."""
        self._pace.hurry()
        self.show()

    def change_speed(self, faster: bool) -> None:
        """Change to the next shorter or longer delay."""
        self._pace.change_speed(faster)
        self.show()

    def continue_series(self, previous: "TableLoop") -> None:
        """Take over the speed, the pause and the viewpoint of the match before."""
        self._pace = previous._pace
        self._narration.viewpoint = previous._narration.viewpoint
        self._narration.open_hands = previous._narration.open_hands
        self._learners.continue_series(previous._learners)

    def change_viewpoint(self) -> None:
        """Cycle through all hands open, then each seat in turn."""
        self._narration.change_viewpoint()
        self.show()

    def show(self) -> None:
        """Update the screen."""
        self._shown_at = self._clock.now()
        self._audience.show(self.moment())

    def moment(self) -> Moment:
        asking = self.asking
        thoughts = self._known_thoughts()
        return replace(
            self._narration.moment(),
            asked=self.match.state.turn if asking else NOBODY,
            legal=tuple(self.match.state.legal()) if asking else (),
            paused=self._pace.paused,
            delay=self._pace.delay,
            learners=self._learners.status(self._open_hands),
            thoughts=tuple(thoughts),
            withheld=self._thoughts.has_later_than(thoughts),
            advising=self._hints.thinking,
            advice=self._hints.thought,
            assisted=self.assisted,
            unrated=self.unrated,
            teaching=self._teaching,
            forced=self._forced,
            decided=self._decided_hand == self.match.state.hand_no,
        )

    @property
    def _open_hands(self) -> bool:
        """Whether the viewer sees all hands."""
        return self._narration.open_hands or not self._narrator.hides_hands

    def _known_thoughts(self) -> list[Thought]:
        state = self.match.state
        return self._thoughts.known(
            played=len(self.actions),
            finished=state.hand_no if state.turn == OVER else state.hand_no - 1,
            viewpoint=None if self._open_hands else self._narration.viewpoint,
        )

    # The match

    async def replay_past(self) -> None:
        """Repeat the past actions. Nothing is shown, and learners do not observe them again."""
        await self._in_thread(self._replay)

    async def run(self) -> None:
        """Play the match to its end."""
        state = self.match.state
        self._show_notices()
        if self.keyboard == NOBODY:
            await self._seat_next_person()
        else:
            self._narration.viewpoint = self.keyboard
        self.show()
        while state.turn != OVER:
            seat = state.turn
            if self.match.players[seat] is None:
                action = await self._ask(seat)
            else:
                action = await self._let_agent_act(seat)
            await self._take(seat, action)
        await self.save()
        self.show()

    async def _ask(self, seat: int) -> int:
        if (action := await self._automatic_action()) is not None:
            return action
        await self._seat_person(seat)
        legal = self.match.state.legal()
        if self._queue and self._queue[0] in legal:
            return self._queue.pop(0)
        self._queue.clear()
        self._choice = asyncio.get_running_loop().create_future()
        if self._teaching and len(legal) > 1:
            self._weigh(self._hints.weigh)
        self.show()
        try:
            return await self._choice
        finally:
            self._choice = None
            self._hints.drop()

    async def _automatic_action(self) -> int | None:
        """The move that is made for the person to act, after a delay; None to ask."""
        state, asks_next = self.match.state, self.asks_next
        self.asks_next = False
        if self._queue or asks_next or not plays_only(state):
            return None
        action, *others = state.legal()
        if others or not self._automatic.only_card:
            if not self._automatic.decided:
                return None
            if self._decided_hand != state.hand_no:
                if not await self._in_thread(lambda: is_decided(state)):
                    return None
                self._decided_hand = state.hand_no
        self._forced = not others
        self.show()
        await self._pace.linger(self._clock.now(), 1.0)
        await self._pace.while_paused()
        self._forced = False
        return action

    async def _seat_person(self, seat: int) -> None:
        """Pass the keyboard on, if persons must not see each other's cards."""
        hidden = len(self._narration.persons) > 1 and self._narrator.hides_hands
        self._narration.viewpoint = seat
        if hidden and seat != self.keyboard:
            await self._audience.cover(seat)
        self.keyboard = seat

    async def _seat_next_person(self) -> None:
        """Pass the keyboard to the person who acts first in the new hand.

        Until then, all persons may read the end of the hand before.
        """
        self.keyboard = NOBODY
        if len(self._narration.persons) > 1 and self._narrator.hides_hands:
            state = self.match.state
            following = [(seat - state.turn) % state.seats for seat in self._narration.persons]
            await self._seat_person(self._narration.persons[following.index(min(following))])

    async def _let_agent_act(self, seat: int) -> int:
        since = self._clock.now()
        if since - self._shown_at >= self._frame:
            await self._show_and_wait()
        thought = await self._think(seat)
        await self._pace.linger(since, 1.0)
        await self._pace.while_paused()
        if len(thought.legal) > 1:
            self._thoughts.add(thought)
        return thought.decision.action

    async def _show_and_wait(self) -> None:
        self.show()
        await asyncio.sleep(_PAINTING)
        self._frame = max(FRAME, _SHARE * (self._clock.now() - self._shown_at))

    async def _think(self, seat: int) -> Thought:
        """The agent's decision. An agent that fails is replaced for the rest of the match."""
        try:
            thought = await self._in_thread(self._decide)
            if thought.decision.action in thought.legal:
                return thought
            problem = "chose an illegal action"
        except ProgramError as error:
            problem = f"could not decide ({str(error).rstrip('.')})"
        except Exception:
            problem = "could not decide"
        self._replace(seat, problem)
        return await self._in_thread(self._decide)

    def _decide(self) -> Thought:
        state = self.match.state
        agent = self.match.players[state.turn]
        view, legal = state.view(state.turn), tuple(state.legal())
        narrator = self._narrator
        players = rated_players(narrator.seating.players)
        decision = at_table(narrator.game.name, view, self.match.decide(), players)
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
            "random takes over that seat."
        )

    async def _take(self, seat: int, action: int) -> None:
        """Apply an action, show it, and wait at the end of a hand."""
        before = self._narration.views()
        label = self.match.state.label(action)
        failed: list[int] = []
        events = self.match.step(action, failed.append)
        hand_over = any(event.kind == "hand" for event in events)
        self._write_down(seat, label, flush=hand_over or seat in self._narration.persons)
        if hand_over:
            self._learners.end_hand()
        ending = self._narration.add(seat, action, events, before)
        for learner in failed:
            self._replace(learner, "could not learn")
        if ending is not None:
            await self._end_hand(ending)
        elif self._pace.unhurried:
            self.show()
        await self._save_if_due()

    def _replay(self) -> None:
        narration, match = self._narration, self.match
        for action in self._past.actions:
            seat = match.state.turn
            if seat in narration.persons:
                narration.viewpoint = seat
            before = narration.views()
            narration.add(seat, action, match.replay(action), before)
            narration.dismiss_ending()

    def _write_down(self, seat: int, label: str, flush: bool) -> None:
        if self._journal is not None:
            self._write_marks()
            self._journal.action(seat, label, flush)
            self._show_notices()

    def _write_marks(self) -> None:
        if self._journal is not None:
            self._journal.mark(self.assisted, self.unrated)

    async def _end_hand(self, ending: Ending) -> None:
        """Show the finished hand until it is acknowledged; the end of a match stays."""
        pace = self._pace
        pace.hurried = pace.skipped = False
        if self._narration.persons or pace.delay or ending.match_over:
            self.show()
        if ending.match_over:
            return
        if self._narration.persons:
            await pace.until_skipped()
        else:
            await self._read_ending()
        self._narration.dismiss_ending()
        pace.skipped = False
        await self._seat_next_person()
        if self._narration.persons or pace.delay:
            self.show()

    async def show_result(self) -> None:
        """Show the end of a watched match until the next one may start."""
        await self._read_ending()
        self._pace.skipped = False

    async def _read_ending(self) -> None:
        """Give a spectator time to read; a pause and a covered table take longer."""
        pace = self._pace
        await pace.linger(self._clock.now(), _READING)
        await pace.while_paused()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # Saving

    async def save(self) -> None:
        """Save what the learners of this table have learned."""
        await self._in_thread(self._learners.save)
        self._show_notices()

    async def _save_if_due(self) -> None:
        if self._learners.due():
            await self._in_thread(self._learners.save_due)
            self._show_notices()

    def _show_notices(self) -> None:
        for source in (self._store, self._journal):
            while source is not None and source.notices:
                self._audience.notice(source.notices.pop(0))

    async def agents_finished(self) -> None:
        """Wait until no agent is thinking. Call after `leave`, before the agents play again."""
        await asyncio.to_thread(self._thread.shutdown)

    async def leave(self) -> None:
        """Drop an unfinished match and save. Call after `run` was stopped."""
        await self._in_thread(self._learners.forget_match)
        await self.save()
        self._hints.close()
        self._thread.shutdown(wait=False)
