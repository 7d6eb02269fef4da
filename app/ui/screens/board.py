"""The picture of a table: draws the latest moment and keeps what is chosen and marked."""

from collections.abc import Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from agents.agent import Lesson
from app.match.dealing import is_secret, short_seed
from app.match.moment import NOBODY, Moment, Thought
from app.match.seating import Seating, TablePlan
from app.ui.layout.pictures import Choice, HeldCard, Tally
from app.ui.layout.wording import minus
from app.ui.screens.post_match import PostMatchActions
from app.ui.screens.table_keys import TAKE_KEY, place_keys
from app.ui.tables import table_class
from app.ui.tables.base import Table
from app.ui.tables.reminders import reminder_text
from app.ui.widgets.choices import NO_CHOICE, Choices
from app.ui.widgets.felt import Felt
from app.ui.widgets.hand import NO_CARD, Hand
from app.ui.widgets.keys import Keys
from app.ui.widgets.learning import learning_text
from app.ui.widgets.panel import LEARNING, TABS, Panel
from app.ui.widgets.plates import marks
from app.ui.widgets.prompt import Prompt
from app.ui.widgets.status import Status
from app.ui.widgets.why import hint_sentence, step_thought, why_text
from app.ui.widgets.wrapping import by_sentence
from engine import GAMES
from engine.manifest import base_game


class Board(PostMatchActions):
    """The table of any game as a picture, with the chosen and marked cards."""

    CSS_PATH = "table.tcss"
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (76, "-narrow"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]
    plays = True
    """True if cards can be chosen on this screen."""
    tabs: Mapping[str, str] = TABS
    """The tabs of the side panel."""

    def __init__(self, plan: TablePlan, ascii_only: bool) -> None:
        super().__init__()
        self.plan = plan
        self.seating = Seating.of(plan)
        self.table: Table[Any] = table_class(plan.game)(GAMES[plan.game], self.seating)
        self.moment: Moment | None = None
        self.cursor = -1
        """Index of the chosen card or choice, cards first; -1 for none."""
        self.marked: frozenset[int] = frozenset()
        """Indexes of the marked cards of the hand."""
        self.remarked = ""
        """A sentence shown in place of the prompt until the next question."""
        self.wants_hint = False
        """Whether the hint is shown rather than what is said about marked cards."""
        self._ascii_only = ascii_only
        self._turned_to: int | None = None
        """Number of the decision that is explained; None for the latest."""
        self._lesson_back = 0
        """How many updates the marked one is before the latest."""

    def compose(self) -> ComposeResult:
        yield Status(id="status")
        with Horizontal(id="body"):
            with Vertical(id="table"):
                yield Felt(self._ascii_only, id="felt")
                yield Prompt("Dealing …", id="prompt")
                yield Choices(id="choices")
                yield Hand(self._ascii_only, id="hand")
            yield Panel(self.tabs, self._ascii_only or self.app.no_color, id="panel")
        yield Keys(palette=False)

    @property
    def seed(self) -> int | None:
        """The seed of the match; None until it is known."""
        return self.plan.seed

    @property
    def is_over(self) -> bool:
        """True while the end of the match is shown."""
        ending = self.moment.ending if self.moment is not None else None
        return ending is not None and ending.match_over

    # Drawing

    @property
    def whole(self) -> bool:
        """True while its child widgets are mounted."""
        return self.is_mounted and self.display and self.is_attached

    def show(self, moment: Moment) -> None:
        before, self.moment = self.moment, moment
        if before is None or question_of(before) != question_of(moment):
            self.cursor = -1
            self.marked = frozenset()
            self.remarked = ""
            self.wants_hint = False
        self.draw()

    def notice(self, sentence: str) -> None:
        self.notify(sentence, timeout=8, markup=False)

    def draw(self) -> None:
        """Redraw everything from the moment, the chosen card and the marks."""
        moment, table = self.moment, self.table
        if moment is None or not self.whole:
            return
        cards, choices = self.cards(), self.choices()
        numbered = len(cards) if self._cards_offered(cards) else 0
        self.query_one(Status).show(self._status(moment), score_of(table.tallies(moment)))
        self.query_one(Felt).show(
            table.seats(moment),
            table.felt(moment),
            table.badges(moment),
            table.tallies(moment),
            table.felt_lines(moment),
            moving=self.moves_cards(moment),
        )
        self._draw_prompt(moment)
        at_card = self.cursor if self.cursor < numbered else NO_CARD
        at_choice = self.cursor - numbered if self.cursor >= numbered else NO_CHOICE
        self.query_one(Choices).show(choices, numbered + 1, at_choice, self.key_names(choices))
        typed = numbered > 0 or (self.plays and bool(self.plan.persons) and not choices)
        self.query_one(Hand).show(
            cards,
            numbered > 0,
            self.card_keys[: len(cards)] if typed else (),
            at_card,
            self.marked,
            table.own_plate(moment),
            moving=self.moves_cards(moment),
            over=moment.ending is not None,
        )
        self.query_one(Panel).show(
            {
                "why": lambda: self._why(moment),
                "coach": lambda: self.coach_text(moment),
                LEARNING: lambda: self._learning(moment),
                "log": lambda: Content("\n".join(moment.log)),
                "scores": lambda: table.score_sheet(moment),
            }
        )

    def moves_cards(self, moment: Moment) -> bool:
        """Whether cards move: not without a delay, in plain text, or if animations are off."""
        level = self.app.animation_level
        return moment.delay > 0 and not self._ascii_only and level != "none"

    def on_key(self) -> None:
        """A key completes a running motion at once."""
        self.query_one(Felt).finish()
        self.query_one(Hand).finish()

    @property
    def _panel_room(self) -> int:
        return self.query_one(Panel).room.width

    def _why(self, moment: Moment) -> Content:
        """The explanation, then the reminders of the game."""
        why = why_text(self.table, moment, self._turned_to, self._panel_room)
        reminders = self.table.reminders(moment.view)
        return Content("\n\n").join([why, reminder_text(reminders)]) if reminders else why

    def coach_text(self, moment: Moment) -> Content:
        """What the coach says about a match that is replayed."""
        return Content("")

    def _learning(self, moment: Moment) -> Content:
        room = self.query_one(Panel).room
        return learning_text(self.plan.game, moment.learners, self.seating, room, self._lesson_back)

    def _draw_prompt(self, moment: Moment) -> None:
        prompt = self.query_one(Prompt)
        about = self._hint() if self.wants_hint else self._about_marked() or self._about_chosen()
        said = self.remarked or about or self._hint()
        prompt.set_class(bool(self.remarked), "-remark")
        prompt.set_class(moment.ending is not None, "-ending")
        prompt.set_class(moment.asked != NOBODY, "-asked")
        prompt.show(said or self._prompt(moment))

    def _status(self, moment: Moment) -> list[Status.Line]:
        table, nothing = self.table, Content("")
        facts = Content("   ").join(
            [Content(fact) if isinstance(fact, str) else fact for fact in table.facts(moment.view)]
        )
        seed = f"seed {short_seed(self.seed)}"
        if self.plan.daily:
            seed = f"daily deal {self.plan.daily}"
        elif self.plan.persons and is_secret(self.seed) and not self.is_over:
            seed = ""
        return [
            (
                self._title(moment),
                Content.styled(table.score_line(moment.view), "bold"),
                Content.styled(f"{self._pace(moment)} ", "dim"),
            ),
            (Content.assemble(" ", facts), nothing, Content.styled(f"{seed} ", "dim")),
        ]

    def _title(self, moment: Moment) -> Content:
        """The game in its accent colour, then the number of the hand and remarks."""
        game, _, rest = self.table.title_line(moment.view).partition(" · ")
        accent = f"accent-{base_game(self.plan.game)}"
        style = f"bold ${accent}" if accent in self.app.theme_variables else "bold"
        return Content.assemble(" ", (game, style), f" · {rest}{_remarks(moment)}")

    def _prompt(self, moment: Moment) -> str:
        return self.table.prompt(moment)

    def _pace(self, moment: Moment) -> str:
        return f"{'paused, ' * moment.paused}delay {moment.delay:g} s"

    def remark(self, sentence: str) -> None:
        """Show a sentence in place of the prompt until the next question."""
        self.remarked = sentence
        self.draw()

    def tell_viewpoint(self) -> None:
        """A sentence that says whose cards are visible; empty if the picture shows it."""
        moment = self.moment
        if moment is None or moment.ending is not None:
            return
        name = self.seating.names[moment.view.seat]
        place = "your place" if name == "You" else name
        self.remark("All hands are open." if moment.views else f"Seen from {place}.")

    # What can be chosen

    @property
    def card_keys(self) -> Sequence[str]:
        """The keys of the cards of a hand, in order."""
        return place_keys(self._bindings, self.app._keymap)

    def cards(self) -> list[HeldCard]:
        """The hand; empty when two people with hidden cards read the end of a hand together."""
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
            summary = Choice("Summary", command="summary", key=TAKE_KEY)
            return [summary, *self.ways_on(self._reviews())]
        next_hand = Choice(f"Next {self.table.hand_word}", command="go_on", key=TAKE_KEY)
        return [next_hand, *self._reviews()] if self.plan.persons else []

    def _reviews(self) -> list[Choice]:
        """Choices that look back on a finished hand."""
        return []

    @staticmethod
    def _cards_offered(cards: list[HeldCard]) -> bool:
        return any(card.offered for card in cards)

    def marked_cards(self) -> list[int]:
        cards = self.cards()
        return [cards[place].card for place in sorted(self.marked)]

    # Sentences

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
        advice = self.moment.advice
        if advice is not None:
            hint = hint_sentence(self.table, advice)
            if advice.following:
                hint = self.table.hint_for_several(advice.view, _actions(advice))
            return self._with_key(hint)
        return "Search is thinking about your move …" if self.moment.advising else ""

    def _with_key(self, hint: str) -> str:
        """The hint with the key that accepts it, if that takes no other line."""
        width = self.query_one(Prompt).size.width
        longer = f"{hint} (Enter)"
        fits = len(by_sentence(longer, width)) == len(by_sentence(hint, width))
        return longer if fits else hint

    # The side panel

    @property
    def panel_opened(self) -> bool:
        """True while the panel takes space from the table."""
        return self.has_class("-panel") and not self.has_class("-wide")

    @property
    def learning_shown(self) -> bool:
        """True while the tab about learning is visible."""
        panel = self.query_one(Panel)
        return panel.display and panel.active == LEARNING

    @property
    def marked_lesson(self) -> Lesson | None:
        """The marked update of the first learner at the table."""
        learners = self.moment.learners if self.moment is not None else ()
        lessons = learners[0].lessons if learners else ()
        return lessons[-1 - min(self._lesson_back, len(lessons) - 1)] if lessons else None

    def close_panel(self) -> None:
        self.remove_class("-panel")

    def action_panel(self, tab: str) -> None:
        """Show a tab. If the panel takes space from the table, the same key closes it."""
        panel = self.query_one(Panel)
        if self.has_class("-wide"):
            panel.open(tab)
        elif self.panel_opened and panel.active == tab:
            self.close_panel()
        else:
            self.add_class("-panel")
            panel.open(tab)

    def action_turn(self, step: int) -> None:
        """Explain an earlier or later move, or mark an earlier or later update."""
        if self.moment is not None and self.learning_shown:
            lessons = self.moment.learners[0].lessons if self.moment.learners else ()
            self._lesson_back = min(max(0, self._lesson_back - step), max(0, len(lessons) - 1))
            self.draw()
        elif self.moment is not None:
            self._turned_to = step_thought(self.moment, self._turned_to, step)
            self.draw()

    def action_page(self, step: int) -> None:
        self.query_one(Panel).page(step)


def score_of(tallies: Sequence[Tally]) -> Content:
    """`You ●●●·· 3 : 4 ●●●●· West` for two sides; empty for more and without marks. Matches that
    are still to come are left out."""
    if len(tallies) != 2 or not all(map(marks, tallies)):
        return Content("")
    first, second = tallies
    return Content.assemble(
        (f"{first.name} ", "bold"),
        (_marks_so_far(first), "$accent"),
        (minus(f" {first.score} : {second.score} "), "bold"),
        (_marks_so_far(second), "$accent"),
        (f" {second.name}", "bold"),
    )


def _marks_so_far(tally: Tally) -> str:
    """The marks of a side; without the matches that are still to come, which are many."""
    return marks(tally).rstrip(" ·") if tally.kind == "sticks" else marks(tally)


def _remarks(moment: Moment) -> str:
    """What concerns the rating. Teaching implies that a match is unrated."""
    kind = " · teaching" if moment.teaching else " · unrated" * moment.unrated
    return kind + " · assisted" * moment.assisted


def _actions(thought: Thought) -> tuple[int, ...]:
    return thought.decision.action, *thought.following


def question_of(moment: Moment) -> tuple[object, ...]:
    """Distinguishes one question to a person from the next."""
    return moment.asked, moment.legal, moment.ending, moment.view.hand_no, moment.view.history
