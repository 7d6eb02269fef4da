"""A table at which a person plays."""

from collections.abc import Callable
from dataclasses import replace

from textual.app import ComposeResult
from textual.binding import Binding

from agents.storage.store import Store
from app.match.dealing import initial_state
from app.match.loop import TableLoop
from app.match.moment import NOBODY, Moment
from app.match.pace import Clock
from app.match.past import NOTHING_YET, Past
from app.match.seating import TablePlan
from app.records.journal import MatchSetup, labels_of
from app.records.journal_file import Journal
from app.records.scorekeeper import Scorekeeper
from app.records.times import in_iso, utc_now
from app.study.coach import Coach
from app.study.examination import Findings, reports
from app.ui.layout.pictures import Choice
from app.ui.screens.board import question_of
from app.ui.screens.marking import MarkingScreen
from app.ui.screens.question import Answer, Question
from app.ui.screens.requests import OpenReview
from app.ui.screens.second_thoughts import SecondThoughts
from app.ui.screens.table_keys import (
    AFTER_MATCH,
    EXPLORE,
    FASTER,
    LAST_TRICK,
    LEARNING,
    LEAVE,
    LOG,
    NEW,
    PAGE,
    REVIEW,
    RULES,
    SCORES,
    SLOWER,
    TURN,
    WHY,
    place_bindings,
)
from app.ui.screens.tips import TipGiver
from app.ui.widgets.status import Status


class PlayScreen(MarkingScreen):
    BINDINGS = [
        *place_bindings(show=True),
        LEAVE,
        Binding("question_mark", "hint", "Hint", key_display="?", id="play.hint"),
        WHY,
        EXPLORE,
        *TURN,
        *PAGE,
        REVIEW,
        LAST_TRICK,
        SCORES,
        Binding("u", "undo", "Undo", id="play.undo"),
        RULES,
        Binding("U,ctrl+r", "redo", "Redo", show=False, id="play.redo"),
        LOG,
        LEARNING,
        FASTER,
        SLOWER,
        NEW,
        *AFTER_MATCH,
        Binding("space", "mark", "Mark", show=False, id="play.mark"),
        Binding("P", "pause", "Pause", show=False, id="play.pause"),
    ]

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
        super().__init__(plan, store, ascii_only, clock, keeper, journal, past)
        self.second_thoughts: SecondThoughts | None = None
        if plan.teaches:
            self.second_thoughts = SecondThoughts(self.table, self.remark, self.set_timer)
        self.tips: TipGiver | None = None
        """Tips for newcomers; None if they are switched off."""
        self.new_coach: Callable[[MatchSetup], Coach] | None = None
        """Makes the coach; None if it is switched off."""
        self._redo: list[Past] = []
        """Positions that redo can return to, the nearest last."""

    def compose(self) -> ComposeResult:
        self._bindings = self.bindings_with(self.app._keymap)
        yield from super().compose()

    # The coach

    def _coach(self) -> None:
        """Let the coach follow the match."""
        if self.loop is None or self._deal is None or self.new_coach is None:
            return
        if self.coach is None:
            self.coach = self.new_coach(MatchSetup.of(self.plan, self._deal.seed, self._deal.first))
        self.coach.follow(tuple(self.loop.actions))

    def finish_coaching(self, loop: TableLoop) -> None:
        coach, keeper, journal = self.coach, self._keeper, self._journal
        if coach is None or keeper is None or journal is None:
            return
        actions, finished, name = tuple(loop.actions), in_iso(utc_now()), journal.path.name

        def save(findings: Findings) -> None:
            for report in reports(coach.setup, actions, findings, name, finished):
                keeper.keep_report(report)

        coach.finish(actions, save)

    # Tips and teaching

    def show(self, moment: Moment) -> None:
        before = self.moment
        super().show(moment)
        self._coach()
        asked = moment.asked != NOBODY or moment.ending is not None
        new = before is None or question_of(before) != question_of(moment)
        if asked and new:
            self._give_tip(moment)
        if self.second_thoughts is not None and self.loop is not None:
            if new:
                self.second_thoughts.next_question()
            else:
                self.second_thoughts.weighed(self.loop)

    def take_actions(self, loop: TableLoop, actions: tuple[int, ...]) -> None:
        if self.second_thoughts is None:
            super().take_actions(loop, actions)
        else:
            self.second_thoughts.answer(loop, actions)

    def on_key(self) -> None:
        """A key ends the wait for the judgement of a move."""
        if self.second_thoughts is not None:
            self.second_thoughts.skip()

    def action_take(self) -> None:
        """Enter also plays a costly move that the table asked about."""
        again = self.second_thoughts.nudged if self.second_thoughts is not None else ()
        if again and self.remarked and self.cursor == -1 and self.loop is not None:
            self.take_actions(self.loop, again)
        else:
            super().action_take()

    def _give_tip(self, moment: Moment) -> None:
        """Show the tip below the status line until the next question."""
        if self.tips is None or not self.whole:
            return
        tip = self.tips.next_for(moment, self._cards_offered(self.cards()))
        self.query_one(Status).show_note(f"Tip: {tip}" if tip else "")
        if tip:
            self.run_worker(self.tips.remember, thread=True, exit_on_error=False)

    # Looking back

    def _reviews(self) -> list[Choice]:
        return [self.review_choice()]

    def action_hint(self) -> None:
        """Ask the strongest agent for a hint."""
        if self.loop is None or self.moment is None or self.moment.asked == NOBODY:
            self.remark("There is a hint only when it is your turn.")
        else:
            self.remarked = ""
            self.cursor = -1
            self.wants_hint = True
            self.loop.hint()

    def action_review(self) -> None:
        """Review your moves of the last finished hand."""
        if self.loop is None or self._deal is None or not (self.moment and self.moment.results):
            self.remark(f"You can review your moves when the {self.table.hand_word} is over.")
            return
        hand_no = self.moment.results[-1].number
        self.post_message(OpenReview(self.plan, self._deal.seed, tuple(self.loop.actions), hand_no))

    async def action_undo(self) -> None:
        """Go back to your last decision. If another person at this keyboard has moved since, that
        person is asked first."""
        loop = self.loop
        if loop is None:
            return
        if self.is_over:
            self.remark("The match is over, so no move can be taken back.")
            return
        own = [number for number, seat in enumerate(loop.actors) if seat in self.plan.persons]
        if not own:
            self.remark("You have no move to take back.")
            return
        owner, number = loop.actors[own[-1]], self._start_of_choice(loop, own[-1])
        if len(self.plan.persons) > 1 and self.moment and self.moment.asked != owner:
            self._ask_owner(owner, number)
        else:
            await self._go_back(number)

    def _start_of_choice(self, loop: TableLoop, number: int) -> int:
        """The number of the first of the actions that were taken together with this one."""
        if self._deal is None:
            return number
        state = initial_state(self.plan, self._deal.seed, self.table.rotates_start)
        several = []
        for action in loop.actions[:number]:
            several.append(self.table.takes_together(state.view(state.turn)) > 1)
            state.apply(action)
        while number and several[number - 1] and loop.actors[number - 1] == loop.actors[number]:
            number -= 1
        return number

    def _ask_owner(self, owner: int, number: int) -> None:
        """Ask the other person before taking back that person's move. The question hides the cards
        and passes the keyboard on, so no other prompt follows."""
        name, count = self.seating.names[owner], len(self.loop.actions) if self.loop else 0

        async def go_back(answer: str | None) -> None:
            if answer and self.loop is not None and len(self.loop.actions) == count:
                self.loop.keyboard = owner
                await self._go_back(number)

        self.app.push_screen(
            Question(
                f"{name}: may your last move be taken back?",
                [Answer("yes", "y", "Take it back")],
                hides=self.table.hides_hands,
                back="No",
            ),
            go_back,
        )

    async def _go_back(self, number: int) -> None:
        """Go back to the decision with that number. The match is unrated from then on."""
        loop = self.loop
        if loop is None:
            return
        now = replace(loop.past, unrated=True)
        self._redo = [*self._ahead(now.actions), now]
        if self._journal is not None:
            self._journal.undo(number)
        await self.go_to(replace(now, actions=now.actions[:number]))

    async def action_redo(self) -> None:
        """Repeat a move that was taken back."""
        loop = self.loop
        if loop is None or self._deal is None:
            return
        ahead = self._ahead(loop.past.actions)
        if not ahead:
            self.remark("There is no move to repeat.")
            return
        past = ahead.pop()
        self._redo = ahead
        state = initial_state(self.plan, self._deal.seed, self.table.rotates_start)
        if self._journal is not None:
            for seat, label in labels_of(state, past.actions)[len(loop.actions) :]:
                self._journal.action(seat, label, flush=True)
        await self.go_to(past)

    def _ahead(self, actions: tuple[int, ...]) -> list[Past]:
        """Positions that redo can return to, the nearest last. A different move clears them."""
        played = len(actions)
        return [
            past
            for past in self._redo
            if len(past.actions) > played and past.actions[:played] == actions
        ]

    def action_back(self) -> None:
        """Ask for confirmation before leaving an unfinished match."""
        over = self.moment is None or self.is_over
        question = "Leave this match? Press Esc once more; it can be resumed from Home."
        if over or self.panel_opened or self.remarked == question or not self.confirms_leaving:
            super().action_back()
        else:
            self.remark(question)
