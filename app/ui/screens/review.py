"""Review: your moves of a hand compared with the best ones, the most costly first."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.content import Content
from textual.widgets import DataTable, Static

from agents.agent import Scale
from app.match.dealing import initial_state
from app.match.moment import Moment
from app.match.seating import Seating, TablePlan
from app.study.advice import Adviser
from app.study.review import RARE, Answer, Verdict, answers_of, by_cost
from app.ui.layout.wording import listed
from app.ui.screens.judging import JudgingScreen
from app.ui.tables import table_class
from app.ui.tables.base import Table
from app.ui.widgets.fan import hand_picture
from app.ui.widgets.keys import Keys
from app.ui.widgets.scroll import Scroll
from app.ui.widgets.why import cost_words, number_words, thought_parts
from engine import GAMES

_DETAIL_WIDTH, _WIDEST_DETAIL = 48, 72
_DETAIL_SHARE = 45
"""Per cent of a wide window for the detail, as in the styles."""
NEVER = 0.005
"""A mixed strategy uses an action with a smaller share practically never."""


class ReviewScreen(JudgingScreen):
    CSS_PATH = ["common.tcss", "review.tcss"]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-high")]
    BINDINGS = [
        Binding("escape,v,q", "dismiss", "Back", key_display="Esc", id="review.back"),
        Binding("down,j", "move(1)", "Choose", key_display="↑↓", priority=True, id="review.down"),
        Binding("up,k", "move(-1)", show=False, priority=True, id="review.up"),
        Binding("pagedown", "scroll(1)", "Scroll", key_display="PgUp PgDn", id="review.scroll"),
        Binding("pageup", "scroll(-1)", show=False, id="review.scroll-back"),
    ]

    def __init__(
        self,
        plan: TablePlan,
        seed: int,
        actions: Sequence[int],
        hand_no: int,
        ascii_only: bool = False,
    ) -> None:
        super().__init__(Adviser(plan.game, seed, plan.seats))
        self._ascii_only = ascii_only
        self._table: Table[Any] = table_class(plan.game)(GAMES[plan.game], Seating.of(plan))
        self._hand_no = hand_no
        self.answers = answers_of(
            initial_state(plan, seed, self._table.rotates_start), actions, hand_no, plan.persons
        )
        self._several = len(plan.persons) > 1
        self._chosen = 0

    def compose(self) -> ComposeResult:
        title = f"Review · {self._table.game.title}"
        if not self._table.one_hand:
            title += f" · {self._table.hand_word} {self._hand_no}"
        yield Static(
            title,
            id="title",
            classes="heading",
        )
        yield Static(id="summary")
        with Container(id="review"):
            yield DataTable[Text](cursor_type="row", id="moves")
            with Scroll(id="detail"):
                yield Static(id="about")
        yield Keys(palette=False)

    def on_mount(self) -> None:
        moves = self.query_one(DataTable)
        moves.can_focus = False
        person = "player" if self._several else "you"
        moves.add_columns("move", "cost", person, self._adviser.agent, "")
        self.draw()
        self.begin_judging()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw_chosen)

    # Drawing

    def draw(self) -> None:
        self.verdicts = by_cost(self.verdicts)
        self.query_one("#summary", Static).update(self._summary())
        moves = self.query_one(DataTable)
        with self.prevent(DataTable.RowHighlighted):
            moves.clear()
            for verdict in self.verdicts:
                moves.add_row(*self._row(verdict))
            moves.move_cursor(row=self._chosen)
        self._draw_chosen()

    def _summary(self) -> str:
        word, count = self._table.hand_word, len(self.answers)
        if self.problem:
            return self.problem
        if not count:
            return f"There was nothing for you to decide in this {word}."
        if not self.complete:
            return f"Search is judging move {len(self.verdicts) + 1} of {count} …"
        good = sum(verdict.cost == 0 for verdict in self.verdicts)
        if good == count:
            return f"All your moves of this {word} are as good as the best ones."
        costs: dict[tuple[str, Scale], float] = {}
        for verdict in self.verdicts:
            if verdict.cost:
                measure = verdict.measure.meaning, verdict.measure.scale
                costs[measure] = costs.get(measure, 0.0) + verdict.cost
        total = [f"{cost_words(cost, scale)} ({what})" for (what, scale), cost in costs.items()]
        told = f"{good or 'None'} of your {count} moves {'are' if good > 1 else 'is'} as good"
        one = count - good == 1
        others = "they" if not good else "the other one" if one else "the others"
        cost = f"{'was' if one else 'were'} not weighed"
        if total:
            cost = f"{'costs' if one else 'together cost'} about {listed(total)}"
        return f"{told} as the best one; {others} {cost}."

    def _row(self, verdict: Verdict) -> list[Text]:
        answer, costly = verdict.answer, bool(verdict.cost)
        words = self._words(verdict, answer.action)
        if self._several:
            words = f"{self._table.seating.names[answer.view.seat]}: {words}"
        best = "the same" if verdict.best else self._words(verdict, verdict.thought.decision.action)
        cells = (str(self._place(answer)), _cost(verdict), words, best, _note(verdict))
        style = "bold" if costly else self.app.theme_variables["text-muted"]
        return [Text(cell, style) for cell in cells]

    def _words(self, verdict: Verdict, action: int) -> str:
        return self._table.move_words(verdict.answer.view, action)

    def _place(self, answer: Answer) -> int:
        return self.answers.index(answer) + 1

    def _draw_chosen(self) -> None:
        about = self.query_one("#about", Static)
        if self._chosen < len(self.verdicts):
            about.update(self._about(self.verdicts[self._chosen]))

    def _about(self, verdict: Verdict) -> Content:
        answer, decision = verdict.answer, verdict.thought.decision
        table, view = self._table, answer.view
        moment = Moment(view=view, asked=view.seat, legal=answer.legal)
        laid = [
            each.caption if each.face.sign == " " else f"{each.face.chip(False)} {each.caption}"
            for each in table.felt(moment)
            if each.face is not None
        ]
        faces = [card.face for card in table.hand(moment)]
        width = _DETAIL_WIDTH
        if self.has_class("-wide"):
            width = min(_WIDEST_DETAIL, self.app.size.width * _DETAIL_SHARE // 100 - 6)
        hand: Content = Content(" ".join([face.chip(False) for face in faces]))
        if self.has_class("-high") and self.has_class("-wide"):
            hand = Content.assemble("\n\n", hand_picture(faces, width, self._ascii_only), "\n")
        marks = {answer.action: "you"}
        marks[decision.action] = "both" if verdict.best else self._adviser.agent
        return Content.assemble(
            (f"Move {self._place(answer)}: ", "bold"),
            f"{table.question(view, answer.legal)}\n",
            ("Hand  ", "$text-muted"),
            hand,
            ("\nTable ", "$text-muted"),
            f"{', '.join(laid) or 'empty'}\n\n",
            *thought_parts(table, verdict.thought, width, marks),
            _loss(verdict),
        )

    # Keys

    def action_move(self, step: int) -> None:
        if self.verdicts:
            self._chosen = (self._chosen + step) % len(self.verdicts)
            self.draw()

    def action_scroll(self, pages: int) -> None:
        detail = self.query_one("#detail", Scroll)
        detail.scroll_relative(y=pages * detail.size.height, animate=False)

    @on(DataTable.RowHighlighted)
    def _clicked(self, event: DataTable.RowHighlighted) -> None:
        self._chosen = max(0, event.cursor_row)
        self._draw_chosen()


def _cost(verdict: Verdict) -> str:
    """The cost for the list, as short as possible."""
    if verdict.cost is None:
        return "?"
    words = cost_words(verdict.cost, verdict.measure.scale)
    return words.replace("percentage points", "pp") if verdict.cost else "–"


def _loss(verdict: Verdict) -> str:
    """What the move cost in words, if the bars show frequencies."""
    if verdict.share is None or not verdict.cost:
        return ""
    lost = cost_words(verdict.cost, verdict.measure.scale)
    return f"\n\nYour move cost about {lost} ({verdict.measure.meaning})."


def _note(verdict: Verdict) -> str:
    """A remark on a move that the agent would not have made."""
    if verdict.best:
        return ""
    if verdict.cost is None:
        return "not weighed"
    if verdict.share is None:
        return "" if verdict.cost else "as good"
    if verdict.share < NEVER:
        return "never done" if verdict.cost else "unusual, but as good"
    often = number_words(verdict.share, Scale.FREQUENCY)
    return f"rare: {often}" if verdict.share < RARE else f"no mistake: {often}"
