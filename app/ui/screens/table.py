"""A table with a running match: passes keys and clicks to its loop and keeps the result."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from textual import events, on, work
from textual.binding import BindingsMap
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from agents.storage.store import Store
from app.match.automatic import NOTHING_AUTOMATIC
from app.match.dealing import Deal, deal, deal_resumed, make_players
from app.match.loop import TableLoop
from app.match.moment import NOBODY, Thought
from app.match.pace import Clock
from app.match.past import NOTHING_YET, Past
from app.match.seating import TablePlan
from app.records.journal_file import Journal
from app.records.scorekeeper import Scorekeeper
from app.study.advice import Adviser
from app.study.coach import Coach
from app.study.knowledge import readable
from app.ui.layout.pictures import Choice, HeldCard
from app.ui.screens.board import Board
from app.ui.screens.cover import Cover
from app.ui.screens.requests import OpenExplorer, OpenRules, OpenSummary
from app.ui.screens.table_keys import AGAIN_KEY, DAILY_KEY, WATCH_KEY, with_card_keys
from app.ui.tables.base import is_picked_by
from app.ui.widgets.choices import Choices
from app.ui.widgets.hand import Hand
from engine.game import OVER


class TableScreen(Board):
    """Subclasses list their keys, the most important first, since a narrow window cannot show
    all of them."""

    confirms_leaving = True

    def __init__(
        self,
        plan: TablePlan,
        store: Store,
        ascii_only: bool,
        clock: Clock | None = None,
        keeper: Scorekeeper | None = None,
        journal: Journal | None = None,
        past: Past = NOTHING_YET,
    ) -> None:
        """
        keeper    saves the match and its result
        journal   of a resumed match; past: its actions so far
        """
        super().__init__(plan, ascii_only)
        self.loop: TableLoop | None = None
        self._store = store
        self._clock = clock
        self._keeper = keeper
        self._journal = journal
        self._past = past
        self._kept: asyncio.Future[None] | None = None
        self._deal: Deal | None = None
        self._worker: Worker[None] | None = None
        self.automatic = NOTHING_AUTOMATIC
        """Moves that are made for persons."""
        self._went_back = False
        """Whether a move was taken back or repeated."""
        self._keyboard = NOBODY
        """The person who had the keyboard then."""
        self.coach: Coach | None = None
        """Examines the match while a person plays it, if that is wanted."""
        self._warned: int | None = None
        """The action that the person was last warned about."""

    @property
    def seed(self) -> int | None:
        return self._deal.seed if self._deal else self.plan.seed

    # The match

    def on_mount(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._worker = self._play()

    @work(exit_on_error=False)
    async def _play(self) -> None:
        """Play until there is no next match, from the deal or from where it was left."""
        try:
            await self.play_matches()
        except Exception as error:
            self.notice(f"This match stopped with an error ({error}); press n for a new one.")

    async def play_matches(self) -> None:
        await self.play_match()

    async def play_match(self, previous: TableLoop | None = None) -> TableLoop:
        """Run one match to its end and keep its result. previous: the match before."""
        self._deal = await asyncio.to_thread(self._deal_cards)
        if self._journal is None and self.recorded and self._keeper is not None:
            self._journal = self._keeper.begin(self.plan, self._deal.seed, self._deal.first)
        loop = TableLoop(
            self._deal.match,
            self._deal.seed,
            self.table,
            Adviser(self.plan.game, self._deal.seed, self.plan.seats),
            self,
            self._store,
            self.plan.delay,
            self._clock,
            self._journal,
            self._past,
            self.automatic,
            self.plan.teaches,
        )
        loop.asks_next, loop.keyboard = self._went_back, self._keyboard
        if previous is not None:
            loop.continue_series(previous)
            loop.hold(not self.is_current)
        await loop.replay_past()
        self.loop = loop
        await loop.run()
        await self._keep_result(loop)
        return loop

    @property
    def recorded(self) -> bool:
        """Whether the next match is recorded."""
        return True

    async def clear_table(self, loop: TableLoop) -> None:
        """Close a finished match and plan the next one of the series.

        Nothing is awaited between the changes, so `leave` finds either the finished match or
        none.
        """
        await loop.leave()
        journal = self._journal
        self.loop = self._journal = self._kept = None
        self._past = NOTHING_YET
        self.plan = self.plan.following()
        if journal is not None:
            await asyncio.to_thread(journal.close)

    def _deal_cards(self) -> Deal:
        plan, rotates = self.plan, self.table.rotates_start
        if self._past is NOTHING_YET:
            players = self._deal.match.players if self._deal else None
            return deal(plan, self._store, rotates, players)
        players = self._deal.match.players if self._deal else make_players(plan, self._store)
        seed = self._deal.seed if self._deal else plan.seed or 0
        return deal_resumed(plan, seed, rotates, self._past, players)

    async def _keep_result(self, loop: TableLoop) -> None:
        """Save the result once, even if the table is left meanwhile."""
        keeper, journal = self._keeper, self._journal
        if keeper is None or journal is None:
            return
        if self._kept is None:
            work = asyncio.to_thread(keeper.finish, journal, loop.match.state, loop.past)
            self._kept = asyncio.ensure_future(work)
        await asyncio.shield(self._kept)
        self.finish_coaching(loop)
        for source in (keeper, journal):
            while source.notices:
                self.notice(source.notices.pop(0))

    def finish_coaching(self, loop: TableLoop) -> None:
        """The result of the match has been saved."""

    async def leave(self) -> None:
        """Stop the match and save it, together with what was learned."""
        await self._stop()
        if self.coach is not None:
            self.coach.release()
        if self._journal is not None:
            await asyncio.to_thread(self._journal.close)

    async def _stop(self) -> None:
        if self._worker is not None:
            self._worker.cancel()
            with suppress(WorkerCancelled, WorkerFailed):
                await self._worker.wait()
        if self.loop is not None:
            loop, self.loop = self.loop, None
            if loop.match.state.turn == OVER:
                await self._keep_result(loop)
            await loop.leave()

    async def go_to(self, past: Past) -> None:
        """Restart the match from another of its positions, with the same players."""
        loop = self.loop
        await self._stop()
        if loop is not None:
            self._keyboard = loop.keyboard
            self.plan = replace(self.plan, delay=loop.delay)
            await loop.agents_finished()
        self._past = past
        self._went_back = True
        self._begin()

    async def cover(self, seat: int) -> None:
        cover, uncovered = Cover(self.seating.names[seat]), asyncio.Event()
        self.app.push_screen(cover, lambda _: uncovered.set())
        if self.loop is not None:
            self.loop.show()
        try:
            await uncovered.wait()
        except asyncio.CancelledError:
            self.app.call_later(cover.dismiss)
            raise

    # What can be chosen

    def bindings_with(self, keymap: Mapping[str, str]) -> BindingsMap:
        """The keys of the screen, of the game and of the cards. keymap: keys the person chose."""
        own = {binding.id: binding for binding in self.table.bindings}
        others = []
        for _, binding in self._bindings:
            if binding.id not in own:
                others.append(binding)
            elif binding.show:
                # A key that takes the place of a shown one is shown there.
                others.append(own[binding.id])
        first = [binding for binding in self.table.bindings if binding not in others]
        return with_card_keys([*first, *others], keymap)

    def _pick(self, number: int) -> None:
        """Choose the card or choice with that index, cards first."""
        cards, choices = self.cards(), self.choices()
        if not self._cards_offered(cards):
            cards = []
        if number < len(cards):
            self._pick_card(number)
        elif number - len(cards) < len(choices):
            self._pick_choice(choices[number - len(cards)])
        else:
            self._nothing_there(number + 1)

    def _nothing_there(self, number: int) -> None:
        if self.moment is not None and self.moment.asked == NOBODY:
            self.remark(self._why_nothing_is_asked())
        else:
            wanted = str(number % 10) if number <= 10 else "such card"
            self.remark(f"There is no {wanted} to choose.")

    def _why_nothing_is_asked(self) -> str:
        ending = self.moment.ending if self.moment is not None else None
        if self.is_over:
            return "The match is over: choose below what to do next."
        if self.plan.watched:
            return "You are watching this match."
        if ending is None:
            return "It is not your turn yet."
        return f"This {self.table.hand_word} is over: Enter starts the next one."

    def _pick_card(self, place: int) -> None:
        if self.moment is None or self.loop is None:
            return
        card = self.cards()[place]
        if card.marks:
            self.toggle_mark(place)
        elif card.action is not None:
            self._choose(card.action)
        else:
            self.remark(self._why_not(card))

    def _why_not(self, card: HeldCard) -> str:
        """Explain why a card cannot be chosen."""
        if self.moment is None or self.moment.asked == NOBODY:
            return self._why_nothing_is_asked()
        return self.table.why_not_card(self.moment.view, card.card)

    def _pick_choice(self, choice: Choice) -> None:
        if choice.barred:
            self.remark(choice.barred)
        elif choice.action is None:
            self.call_later(self.run_action, choice.command)
        else:
            self._choose(choice.action)

    def _choose(self, *actions: int) -> None:
        """Take actions. After a warning the same action must be chosen again."""
        if self.moment is None or self.loop is None:
            return
        warning = self.table.warning(self.moment.view, actions[0])
        if warning and (self._warned, self.remarked) != (actions[0], warning):
            self._warned = actions[0]
            self.remark(warning)
        elif warning:
            self.loop.choose(*actions)
        else:
            self.take_actions(self.loop, actions)

    def take_actions(self, loop: TableLoop, actions: tuple[int, ...]) -> None:
        """Play a person's answer."""
        loop.choose(*actions)

    @on(Hand.Picked)
    def _card_clicked(self, event: Hand.Picked) -> None:
        if event.place >= len(self.cards()):
            return  # The hand has changed since the click.
        if event.mark:
            self.toggle_mark(event.place)
        else:
            self._pick_card(event.place)

    @on(Choices.Picked)
    def _choice_clicked(self, event: Choices.Picked) -> None:
        choices = self.choices()
        if event.index < len(choices):
            self._pick_choice(choices[event.index])

    def toggle_mark(self, place: int) -> None:
        """Mark a card, if the person is asked for cards."""
        cards = self.cards()
        if place >= len(cards):
            return
        if cards[place].offered:
            self.mark(self.marked ^ {place})
        else:
            self.remark(self._why_not(cards[place]))

    def mark(self, places: frozenset[int]) -> None:
        self.marked = places
        self.remarked = ""
        self.wants_hint = False
        self.draw()

    # Keys

    def action_place(self, number: int) -> None:
        """If choices have their own keys, numbers are for cards; a choice with a digit uses it."""
        choices = self.choices()
        if any(choice.digit is not None for choice in choices):
            picked = [each for each in choices if is_picked_by(each, number)]
            if picked:
                self._pick_choice(picked[0])
            else:
                self._nothing_there(number)
        elif not any(choice.key for choice in choices):
            self._pick(number - 1)
        elif number <= len(self.cards()):
            self._pick_card(number - 1)
        else:
            self._nothing_there(number)

    def action_choice(self, key: str) -> None:
        """Take the choice with that key."""
        chosen = [choice for choice in self.choices() if choice.key == key]
        if chosen:
            self._pick_choice(chosen[0])
        elif self.moment is not None and self.moment.asked == NOBODY:
            self.remark(self._why_nothing_is_asked())
        else:
            self.remark(self.table.why_not_key(self.moment.view, key) if self.moment else "")

    def action_move(self, step: int) -> None:
        cards, choices = self.cards(), self.choices()
        count = len(choices) + (len(cards) if self._cards_offered(cards) else 0)
        if count:
            if self.cursor == -1:
                self.cursor = 0 if step > 0 else count - 1
            else:
                self.cursor = (self.cursor + step) % count
            self.remarked = ""
            self.wants_hint = False
            self.draw()

    def action_take(self) -> None:
        moment = self.moment
        if moment is None or self.loop is None:
            return
        cards = self.cards()
        if self.wants_hint and moment.advice is not None and moment.asked != NOBODY:
            self._accept_hint(moment.advice)
        elif self.marked and self.cursor < len(cards):
            self._take_or_mark(cards)
        elif self.cursor >= 0:
            self._pick(self.cursor)
        elif moment.ending is not None:
            self._pick(0)
        elif moment.advice is not None and moment.asked != NOBODY:
            self._accept_hint(moment.advice)
        elif moment.asked != NOBODY:
            self.remark("Choose with a number or letter, or with ← → and then Enter.")

    def _take_or_mark(self, cards: list[HeldCard]) -> None:
        """Take the marked cards. If they are not complete yet, mark the one under the cursor."""
        moment, at = self.moment, self.cursor
        more = at >= 0 and at not in self.marked and cards[at].marks
        if more and moment and not self.table.actions_for_marked(moment, self.marked_cards()):
            self.toggle_mark(at)
        else:
            self.action_take_marked()

    def _accept_hint(self, hint: Thought) -> None:
        """Take the recommended move. If a remark hides the hint, show the hint again instead."""
        action = hint.decision.action
        if not self.remarked or self._warned == action:
            self._choose(action, *hint.following)
        else:
            self.remark("")

    def action_take_marked(self) -> None:
        if self.moment is None or self.loop is None:
            return
        cards = self.marked_cards()
        actions = self.table.actions_for_marked(self.moment, cards)
        if actions:
            self._choose(*actions)
        else:
            self.remark(
                self.table.about_marked(self.moment, cards)
                or "These cards cannot be taken together; Space takes a mark back."
            )

    def action_go_on(self) -> None:
        if self.loop is not None:
            self.loop.acknowledge()

    def action_last_trick(self) -> None:
        if self.moment is not None:
            self.remark(self.table.last_trick(self.moment.view))

    async def action_explore(self) -> None:
        """Open the explorer at the positions of this table's learners. While the tab about
        learning is visible, open it at the situation of the marked update."""
        lesson = self.marked_lesson
        if self.learning_shown and lesson is not None and lesson.situation and self.moment:
            if self.loop is not None:
                await self.loop.save()
            name = self.plan.seats[self.moment.learners[0].seats[0]]
            self.post_message(
                OpenExplorer(self.plan.game, name, situation=lesson.situation, move=lesson.move)
            )
            return
        thoughts = self.moment.thoughts if self.moment else ()
        moved = [thought.agent for thought in reversed(thoughts)]
        known = readable(self.plan.game, self._store)
        agent = next((name for name in (*moved, *self.plan.seats) if name in known), None)
        if agent is None:
            self.remark("No agent at this table has values to show.")
        else:
            self.post_message(OpenExplorer(self.plan.game, agent, thoughts))

    def action_rules(self) -> None:
        self.post_message(OpenRules(self.plan.game))

    def action_speed(self, faster: bool) -> None:
        if self.loop is not None:
            self.loop.change_speed(faster)

    def action_pause(self) -> None:
        if self.loop is not None:
            self.loop.pause()

    def action_summary(self) -> None:
        """Open the summary, once the match is over."""
        if self.loop is None or self._deal is None or not self.is_over:
            self.remark("The summary opens when the match is over.")
        else:
            actions = tuple(self.loop.actions)
            self.post_message(OpenSummary(self.plan, self._deal.seed, actions, self.coach))

    def action_back(self) -> None:
        if self.panel_opened:
            self.close_panel()
        else:
            self.action_home()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "choice" and parameters[0] in (AGAIN_KEY, WATCH_KEY):
            return self.is_over
        if action == "choice" and parameters[0] == DAILY_KEY:
            return self.is_over and bool(self.plan.daily)
        return action != "last_trick" or self.table.has_tricks

    # Other screens on top

    def on_screen_suspend(self, event: events.ScreenSuspend) -> None:
        if self.loop is not None:
            self.loop.hold(True)

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        if self.loop is not None:
            self.loop.hold(self.held)

    @property
    def held(self) -> bool:
        """Whether the match waits although this screen is on top."""
        return False
