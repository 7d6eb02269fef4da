"""The bones of a table: draws moments, reports keys and clicks to the loop."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from agents.store import Store
from app.dealing import Deal, deal, deal_again, seat_players
from app.journal import NOTHING_YET, Past
from app.journal_file import Journal
from app.knowledge import readable
from app.loop import Clock, TableLoop
from app.moment import NOBODY, Moment
from app.requests import GoHome, OpenExplorer, OpenForm, OpenRules, OpenTable
from app.scorekeeper import Scorekeeper
from app.screens.cover import Cover
from app.seating import Seating, TablePlan
from app.tables import TABLES
from app.tables.base import Choice, HeldCard, Table
from app.widgets.choices import NO_CHOICE, Choices
from app.widgets.felt import Felt
from app.widgets.hand import NO_CARD, Hand
from app.widgets.panel import Panel, learning_text
from app.widgets.seats import Seats
from app.widgets.status import Status
from app.widgets.why import hint_sentence, turned, why_text
from engine import GAMES
from engine.game import OVER

_PLACES = "1234567890"


def place_bindings(show: bool) -> list[Binding]:
    """Keys for the numbered cards and choices, and for going through them."""
    numbers = [
        Binding(
            key,
            f"place({number})",
            "Play",
            show=show and number == 1,
            key_display="1-9",
            id=f"table.place-{number}",
        )
        for number, key in enumerate(_PLACES, 1)
    ]
    return [
        *numbers,
        Binding("left,h", "move(-1)", "Move", show, key_display="←→", id="table.previous"),
        Binding("right,l", "move(1)", show=False, id="table.next"),
        Binding("enter", "take", show=False, id="table.take"),
    ]


LEAVE = Binding("escape", "back", "Leave", key_display="Esc", id="table.back")
LAST_TRICK = Binding("k", "last_trick", "Trick", id="table.last-trick")
WHY = Binding("w", "panel('why')", "Why", id="table.why")
TURN = (
    Binding("left_square_bracket", "turn(-1)", "Earlier move", show=False, id="table.earlier"),
    Binding("right_square_bracket", "turn(1)", "Later move", show=False, id="table.later"),
)
"""Through the moves that are explained."""
PAGE = (
    Binding("pagedown", "page(1)", "Panel down", show=False, id="table.panel-down"),
    Binding("pageup", "page(-1)", "Panel up", show=False, id="table.panel-up"),
)
SCORES = Binding("s", "panel('scores')", "Scores", id="table.scores")
RULES = Binding("r", "rules", "Rules", id="table.rules")
LOG = Binding("o", "panel('log')", "Log", id="table.log")
LEARNING = Binding("e", "panel('learning')", "Learning", id="table.learning")
EXPLORE = Binding("x", "explore", "What they know", show=False, id="table.explore")
FASTER = Binding("plus,equals_sign", "speed(True)", "Faster", show=False, id="table.faster")
SLOWER = Binding("minus", "speed(False)", "Slower", show=False, id="table.slower")
NEW = Binding("n", "new", "New table", show=False, id="table.new")


class TableScreen(Screen[None]):
    """A table of any game. What it shows is the last moment it was handed.

    Its kinds say which keys there are, those that must not be cut off from a narrow
    footer first.
    """

    CSS_PATH = "table.tcss"
    confirms_leaving = True
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    plays = True
    """Whether cards can be chosen here."""

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
        keeper    keeps the match and its result
        journal   of a match that is taken up again; past: what happened in it
        """
        super().__init__()
        self.plan = plan
        self.seating = Seating.of(plan)
        self.table: Table[Any] = TABLES[plan.game](GAMES[plan.game], self.seating)
        self.moment: Moment | None = None
        self.loop: TableLoop | None = None
        self.cursor = -1
        """Which card or choice is chosen, counted through both; -1 for none."""
        self.marked: frozenset[int] = frozenset()
        """Places of the hand that are marked."""
        self._store = store
        self._ascii_only = ascii_only
        self._clock = clock
        self._keeper = keeper
        self._journal = journal
        self._past = past
        self._kept: asyncio.Future[None] | None = None
        self._deal: Deal | None = None
        self._worker: Worker[None] | None = None
        self.remarked = ""
        """What is said in place of the prompt, until the next question."""
        self._turned_to: int | None = None
        """The thought that is explained, by its number; None for the latest."""
        self._warned: int | None = None
        """The action a person was warned of last."""

    def compose(self) -> ComposeResult:
        yield Status(id="status")
        with Horizontal(id="body"):
            with Vertical(id="table"):
                yield Seats(self._ascii_only, id="seats")
                yield Felt(self._ascii_only, id="felt")
                yield Static("Dealing …", id="prompt")
                yield Choices(id="choices")
                yield Hand(self._ascii_only, id="hand")
            yield Panel(id="panel")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._worker = self.run_worker(self._play(), exit_on_error=False)

    async def _play(self) -> None:
        """The match, from the deal or from where it was left, to its end."""
        try:
            self._deal = await asyncio.to_thread(self._deal_cards)
            if self._journal is None and self._keeper is not None:
                self._journal = self._keeper.begin(self.plan, self._deal.seed, self._deal.first)
            loop = TableLoop(
                self._deal.match,
                self._deal.seed,
                self.table,
                self,
                self._store,
                self.plan.delay,
                self._clock,
                self._journal,
                self._past,
            )
            await loop.catch_up()
            self.loop = loop
            await loop.run()
            await self._keep_result(loop)
        except Exception as error:
            self.notice(f"This table had to stop ({error}); press n for a new one.")

    def _deal_cards(self) -> Deal:
        plan, rotates = self.plan, self.table.rotates_start
        if self._past is NOTHING_YET:
            return deal(plan, self._store, rotates)
        players = self._deal.match.players if self._deal else seat_players(plan, self._store)
        seed = self._deal.seed if self._deal else plan.seed or 0
        return deal_again(plan, seed, rotates, self._past, players)

    async def _keep_result(self, loop: TableLoop) -> None:
        """Once, even if the table is left meanwhile."""
        keeper, journal = self._keeper, self._journal
        if keeper is None or journal is None:
            return
        if self._kept is None:
            work = asyncio.to_thread(keeper.finish, journal, loop.match.state, loop.past)
            self._kept = asyncio.ensure_future(work)
        await asyncio.shield(self._kept)
        for source in (keeper, journal):
            while source.notices:
                self.notice(source.notices.pop(0))

    async def leave(self) -> None:
        """Stop the match; it is kept, and so is what was learned from it."""
        await self._stop()
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
        """Take the match up again from another point of it; the players stay."""
        loop = self.loop
        await self._stop()
        if loop is not None:
            self.plan = replace(self.plan, delay=loop.delay)
            await loop.thoughts_ended()
        self._past = past
        self._begin()

    # The loop's audience

    def show(self, moment: Moment) -> None:
        before, self.moment = self.moment, moment
        if before is None or _question(before) != _question(moment):
            self.cursor = -1
            self.marked = frozenset()
            self.remarked = ""
        self.draw()

    def notice(self, sentence: str) -> None:
        self.notify(sentence, timeout=8, markup=False)

    async def cover(self, seat: int) -> None:
        uncovered = self.app.push_screen(Cover(self.seating.names[seat]), wait_for_dismiss=True)
        if self.loop is not None:
            self.loop.show()
        await uncovered

    # Drawing

    def draw(self) -> None:
        """Everything, from the moment and from what is chosen and marked."""
        moment, table = self.moment, self.table
        if moment is None or not self.is_mounted:
            return
        cards, choices = self.cards(), self.choices()
        numbered = len(cards) if self._cards_offered(cards) else 0
        self.query_one(Status).show(self._status(moment))
        self.query_one(Seats).show(table.seats(moment))
        self.query_one(Felt).show(table.felt(moment), table.felt_lines(moment))
        prompt = self.query_one("#prompt", Static)
        said = self.remarked or self._about_marked() or self._about_chosen() or self._hint()
        prompt.update(Content(said or self._prompt(moment)))
        prompt.set_class(bool(self.remarked), "-remark")
        prompt.set_class(moment.ending is not None, "-ending")
        prompt.set_class(moment.asked != NOBODY, "-asked")
        at_card = self.cursor if self.cursor < numbered else NO_CARD
        at_choice = self.cursor - numbered if self.cursor >= numbered else NO_CHOICE
        self.query_one(Choices).show(choices, numbered + 1, at_choice, self._key_names(choices))
        self.query_one(Hand).show(
            cards,
            numbered > 0,
            numbered > 0 or (self.plays and bool(self.plan.persons) and not choices),
            at_card,
            self.marked,
            table.hand_caption(moment),
        )
        self.query_one(Panel).show(
            why_text(table, moment, self._turned_to),
            learning_text(moment.lessons, self.seating),
            moment.log,
            table.score_sheet(moment),
        )

    def _status(self, moment: Moment) -> list[Status.Line]:
        table, nothing = self.table, Content("")
        facts = Content("   ").join(
            [Content(fact) if isinstance(fact, str) else fact for fact in table.facts(moment.view)]
        )
        seed = f"seed {self._deal.seed if self._deal else self.plan.seed}"
        if self.plan.daily:
            seed = f"daily deal {self.plan.daily}"
        return [
            (
                Content(f" {table.title_line(moment.view)}{_remarks(moment)}"),
                Content.styled(table.score_line(moment.view), "bold"),
                Content.styled(f"{self._pace(moment)} ", "dim"),
            ),
            (Content.assemble(" ", facts), nothing, Content.styled(f"{seed} ", "dim")),
        ]

    def _prompt(self, moment: Moment) -> str:
        return self.table.prompt(moment)

    def _pace(self, moment: Moment) -> str:
        return "paused" if moment.paused else f"delay {moment.delay:g} s"

    def remark(self, sentence: str) -> None:
        """Say something in place of the prompt, until the next question."""
        self.remarked = sentence
        self.draw()

    # What can be chosen

    def cards(self) -> list[HeldCard]:
        """The hand; none at the end of a hand that persons with hidden cards read together."""
        moment = self.moment
        if moment is None:
            return []
        if moment.ending is not None and len(self.plan.persons) > 1 and self.table.hides_hands:
            return []
        return self.table.hand(moment)

    def choices(self) -> list[Choice]:
        moment = self.moment
        if moment is None:
            return []
        if moment.ending is None:
            return self.table.choices(moment)
        if moment.ending.match_over:
            return [
                Choice("Again", command="again"),
                Choice("New table", command="new"),
                Choice("Home", command="home"),
                *self._reviews(),
            ]
        next_hand = Choice(f"Next {self.table.hand_word}", command="go_on")
        return [next_hand, *self._reviews()] if self.plan.persons else []

    def _reviews(self) -> list[Choice]:
        """What looks back on a finished hand."""
        return []

    @staticmethod
    def _cards_offered(cards: list[HeldCard]) -> bool:
        return any(card.offered for card in cards)

    def _key_names(self, choices: list[Choice]) -> dict[str, str]:
        """How the keys that choices have of their own read, by id."""
        if not any(choice.key for choice in choices):
            return {}
        bindings = [active.binding for active in self.active_bindings.values()]
        return {binding.id: self.app.get_key_display(binding) for binding in bindings if binding.id}

    def marked_cards(self) -> list[int]:
        cards = self.cards()
        return [cards[place].card for place in sorted(self.marked)]

    def _about_marked(self) -> str:
        if self.moment is None or not self.marked:
            return ""
        return self.table.about_marked(self.moment, self.marked_cards())

    def _about_chosen(self) -> str:
        cards = self.cards()
        if self.moment is None or not 0 <= self.cursor < len(cards):
            return ""
        if not self._cards_offered(cards):
            return ""
        return self.table.about_card(self.moment.view, cards[self.cursor].card)

    def _hint(self) -> str:
        if self.moment is None or self.moment.asked == NOBODY:
            return ""
        if self.moment.advice is not None:
            return hint_sentence(self.table, self.moment.advice)
        return "Search is thinking about your move …" if self.moment.advising else ""

    def _pick(self, number: int) -> None:
        """The card or choice with that number, counted from 0 through both."""
        cards, choices = self.cards(), self.choices()
        if not self._cards_offered(cards):
            cards = []
        if number < len(cards):
            self._pick_card(number)
        elif number - len(cards) < len(choices):
            self._pick_choice(choices[number - len(cards)])
        elif self.moment is not None and self.moment.asked == NOBODY:
            self.remark("It is not your turn yet.")

    def _pick_card(self, place: int) -> None:
        if self.moment is None or self.loop is None:
            return
        card = self.cards()[place]
        if card.marks:
            self.toggle_mark(place)
        elif card.action is not None:
            self._choose(card.action)
        elif self.moment.asked == NOBODY:
            self.remark("It is not your turn yet.")
        else:
            self.remark(self.table.why_not_card(self.moment.view, card.card))

    def _pick_choice(self, choice: Choice) -> None:
        if choice.barred:
            self.remark(choice.barred)
        elif choice.action is None:
            self.call_later(self.run_action, choice.command)
        else:
            self._choose(choice.action)

    def _choose(self, *actions: int) -> None:
        """Take actions; one with a warning only when it is chosen again while that is shown."""
        if self.moment is None or self.loop is None:
            return
        warning = self.table.warning(self.moment.view, actions[0])
        if warning and (self._warned, self.remarked) != (actions[0], warning):
            self._warned = actions[0]
            self.remark(warning)
        else:
            self.loop.choose(*actions)

    @on(Hand.Picked)
    def _card_clicked(self, event: Hand.Picked) -> None:
        if event.place >= len(self.cards()):
            return  # The click met a hand that has been played on meanwhile.
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
        """Only a person who is asked for a card can mark some."""
        cards = self.cards()
        if place < len(cards) and cards[place].offered:
            self.mark(self.marked ^ {place})

    def mark(self, places: frozenset[int]) -> None:
        self.marked = places
        self.remarked = ""
        self.draw()

    # Keys

    def action_place(self, number: int) -> None:
        """Where choices have keys of their own, numbers are for cards only; those with
        a digit go by it."""
        by_digit = {choice.digit: choice for choice in self.choices() if choice.digit is not None}
        if by_digit:
            chosen = by_digit.get(number % 10)
            if chosen is not None:
                self._pick_choice(chosen)
            else:
                self.remark(f"There is no {number % 10} to choose.")
        elif not any(choice.key for choice in self.choices()):
            self._pick(number - 1)
        elif number <= len(self.cards()):
            self._pick_card(number - 1)

    def action_choice(self, key: str) -> None:
        """The choice with that key of its own."""
        chosen = [choice for choice in self.choices() if choice.key == key]
        if chosen:
            self._pick_choice(chosen[0])
        elif self.moment is not None and self.moment.asked == NOBODY:
            self.remark("It is not your turn yet.")
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
            self.draw()

    def action_take(self) -> None:
        moment = self.moment
        if moment is None or self.loop is None:
            return
        if self.marked and self.cursor < len(self.cards()):
            self.action_take_marked()
        elif self.cursor >= 0:
            self._pick(self.cursor)
        elif moment.ending is not None:
            self._pick(0)
        elif moment.asked != NOBODY:
            self.remark("Choose with a number or letter, or with ← → and then Enter.")

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
            self.loop.go_on()

    def action_last_trick(self) -> None:
        if self.moment is not None:
            self.remark(self.table.last_trick(self.moment.view))

    def action_panel(self, tab: str) -> None:
        """Turn to a tab; where the panel lies over the table, the same key closes it."""
        panel = self.query_one(Panel)
        if self.has_class("-wide"):
            panel.open(tab)
        elif self.has_class("-panel") and panel.active == tab:
            self.remove_class("-panel")
        else:
            self.add_class("-panel")
            panel.open(tab)

    def action_turn(self, step: int) -> None:
        """To an earlier or later move that is explained."""
        if self.moment is not None:
            self._turned_to = turned(self.moment, self._turned_to, step)
            self.draw()

    def action_explore(self) -> None:
        """What the learners of this table know, first of the positions they had."""
        thoughts = self.moment.thoughts if self.moment else ()
        moved = [thought.agent for thought in reversed(thoughts)]
        known = readable(self.plan.game)
        agent = next((name for name in (*moved, *self.plan.seats) if name in known), None)
        if agent is None:
            self.remark("Nobody at this table has written down what it learned.")
        else:
            self.post_message(OpenExplorer(self.plan.game, agent, thoughts))

    def action_page(self, step: int) -> None:
        self.query_one(Panel).page(step)

    def action_rules(self) -> None:
        self.post_message(OpenRules(self.plan.game))

    def action_speed(self, faster: bool) -> None:
        if self.loop is not None:
            self.loop.change_speed(faster)

    def action_pause(self) -> None:
        if self.loop is not None:
            self.loop.pause()

    def action_again(self) -> None:
        self.post_message(OpenTable(self.plan.again()))

    def action_new(self) -> None:
        self.post_message(OpenForm(self.plan.game))

    def action_home(self) -> None:
        self.post_message(GoHome())

    def action_back(self) -> None:
        if self.has_class("-panel") and self.has_class("-narrow"):
            self.remove_class("-panel")
        else:
            self.action_home()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "last_trick" or self.table.has_tricks

    # Other screens on top

    def on_screen_suspend(self, event: events.ScreenSuspend) -> None:
        if self.loop is not None:
            self.loop.hold(True)

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        if self.loop is not None:
            self.loop.hold(False)


def _remarks(moment: Moment) -> str:
    return " · assisted" * moment.assisted + " · unrated" * moment.unrated


def _question(moment: Moment) -> tuple[object, ...]:
    """What tells one question to a person from the next."""
    return moment.asked, moment.legal, moment.ending, moment.view.hand_no, moment.view.history
