"""The summary of a match: score by hand, turning point, your best and worst moves."""

import asyncio
from collections.abc import Sequence
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widgets import DataTable, Static

from agents.agent import Scale
from app.match.dealing import initial_state
from app.match.seating import Seating, TablePlan
from app.records.history import History
from app.records.personal_rating import rating_words
from app.study.advice import Adviser
from app.study.review import Answer, Verdict, answers_of, best_of, worst_of
from app.study.summary import Stage, stages_of, turning_point
from app.ui.layout.pictures import Choice
from app.ui.layout.wording import minus
from app.ui.screens.judging import JudgingScreen
from app.ui.screens.post_match import PostMatchActions
from app.ui.screens.requests import OpenReview
from app.ui.screens.table_keys import AGAIN_KEY, NEW, REVIEW, WATCH_KEY
from app.ui.tables import table_class
from app.ui.tables.base import Table
from app.ui.widgets.choices import Choices
from app.ui.widgets.keys import Keys
from app.ui.widgets.rows import Column, Rows
from app.ui.widgets.score_curve import ScoreCurve, colour_of
from app.ui.widgets.scroll import Scroll
from app.ui.widgets.why import cost_words
from engine import GAMES

Part = str | tuple[str, str]


class SummaryScreen(PostMatchActions, JudgingScreen):
    """Shows the result immediately and adds the strongest agent's verdicts as they arrive."""

    CSS_PATH = ["common.tcss", "summary.tcss"]
    AUTO_FOCUS = "Rows"
    home_key = "summary.home"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-normal"), (34, "-tall")]
    BINDINGS = [
        Binding("d", "again", "Deal again", show=False, id=AGAIN_KEY),
        NEW,
        Binding("W", "watch", "Watch this table", show=False, id=WATCH_KEY),
        REVIEW,
        Binding("h", "home", "Home", show=False, id="summary.home"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc", id="summary.back"),
    ]

    def __init__(
        self, plan: TablePlan, seed: int, actions: Sequence[int], ascii_only: bool
    ) -> None:
        super().__init__(Adviser(plan.game, seed, plan.seats))
        self.plan = plan
        self.stages: list[Stage] = []
        self.turned = 0
        """Index of the stage at which the match turned."""
        self.history: History | None = None
        """Has the person's rating; None for a match that is not in it."""
        self._rating = ""
        self._seed = seed
        self._actions = actions
        self._ascii_only = ascii_only
        self._table: Table[Any] = table_class(plan.game)(GAMES[plan.game], Seating.of(plan))

    def compose(self) -> ComposeResult:
        with Horizontal(id="head", classes="heading"):
            yield Static(f"Summary · {self._table.game.title}", id="title")
            yield Static("Looking back …", id="result")
        with Container(id="summary"):
            with Vertical(id="course"):
                yield Static(id="legend")
                yield ScoreCurve(self._ascii_only or self.app.no_color, id="scores")
            yield Rows(id="stages")
            with Scroll(id="words", can_focus=False):
                yield Static(id="highlights")
        yield Choices(id="choices")
        yield Keys(palette=False)

    def on_mount(self) -> None:
        choices = self._choices()
        self.query_one(Choices).show(choices, 1, keys=self.key_names(choices))
        self.run_worker(self._look_back())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action not in ("watch", "review") or bool(self.plan.persons)

    async def _look_back(self) -> None:
        self.stages, self.answers = await asyncio.to_thread(self._recall)
        self.turned = turning_point(self.stages)
        self._draw_course()
        self.draw()
        self.begin_judging()

    def _recall(self) -> tuple[list[Stage], list[Answer]]:
        if self.history is not None and len(self.plan.persons) == 1:
            self._rating = rating_words(self.history, self.plan.game, self._seed)
        rotates = self._table.rotates_start
        stages = stages_of(
            self._table, initial_state(self.plan, self._seed, rotates), self._actions
        )
        state = initial_state(self.plan, self._seed, rotates)
        return stages, answers_of(state, self._actions, None, self.plan.persons)

    # Drawing

    def _draw_course(self) -> None:
        word, stages = self._table.stage_word, self.stages
        self.query_one("#result", Static).update(Content(self._result()))
        self.query_one("#legend", Static).update(self._legend())
        courses = list(zip(*[stage.standing for stage in stages], strict=True))
        self.query_one(ScoreCurve).show(courses, self.turned)
        wide = max([len(_scores(stage)) for stage in stages])
        self.query_one(Rows).fill(
            (
                Column(word.capitalize(), 6, right=True),
                Column(self._table.standing_word, max(wide, len(self._table.standing_word))),
                Column("What happened"),
            ),
            [
                (
                    f"{'▸ ' if at == self.turned else ''}{stage.number}",
                    _scores(stage),
                    stage.sentence,
                )
                for at, stage in enumerate(stages[1:], 1)
            ],
            max(0, self.turned - 1),
        )

    def _result(self) -> str:
        """Say who won after how many hands."""
        last = self.stages[-1]
        sides = self._sides()
        best = max(last.chances)
        winners = [name for name, share in zip(sides, last.chances, strict=True) if share == best]
        count = len(self.stages) - 1
        plural = "" if count == 1 else "s"
        how = f"after {count} {self._table.stage_word}{plural}"
        if len(winners) > 1:
            return f"{' and '.join(winners)} share the win {how}: {_scores(last)}."
        plays_alone = winners[0] != "You" and "+" not in winners[0]
        return f"{winners[0]} {'wins' if plays_alone else 'win'} {how}: {_scores(last)}."

    def _sides(self) -> list[str]:
        state = initial_state(self.plan, self._seed, self._table.rotates_start)
        return [self._table.side_name(side) for side in state.sides]

    def _legend(self) -> Content:
        parts: list[Part] = []
        for at, name in enumerate(self._sides()):
            parts += [("•", colour_of(at)), f" {name}  "]
        parts.append((self._rating, "bold"))
        return Content.assemble(*parts)

    def draw(self) -> None:
        """The text about the chosen hand and the person's moves."""
        if self.stages:
            parts = [*self._about_stage(), *self._about_moves()]
            self.query_one("#highlights", Static).update(Content.assemble(*parts))

    def _about_stage(self) -> list[Part]:
        at = self.query_one(Rows).cursor_row + 1
        if not 0 < at < len(self.stages):
            return []
        stage, before = self.stages[at], self.stages[at - 1]
        title = f"{self._table.stage_word.capitalize()} {stage.number}"
        if at == self.turned:
            title = f"Turning point · {title.lower()}"
        return [
            (f"{title}", "bold $text-accent"),
            f"  {_scores(before)} → {_scores(stage)}\n",
            f"{stage.sentence}\n",
        ]

    def _about_moves(self) -> list[Part]:
        if not self.plan.persons:
            return []
        if self.problem:
            return [("\nYour moves\n", "bold"), self.problem]
        best, worst = best_of(self.verdicts), worst_of(self.verdicts)
        gap = "\n" if self.has_class("-wide") else ""
        parts: list[Part] = [gap]
        if best is not None:
            parts += [("Best move", "bold $text-success"), f"  {self._praise(best)}\n{gap}"]
        if worst is not None:
            parts += [("Worst move", "bold $text-error"), f"  {self._blame(worst)}\n{gap}"]
        return [*parts, (self._progress(), "$text-muted")]

    def _progress(self) -> str:
        count = len(self.answers)
        if not count:
            return "There was nothing for you to decide in this match."
        agent = self._adviser.agent.capitalize()
        if not self.complete:
            return f"{agent} is judging your moves: {len(self.verdicts)} of {count} …"
        good = sum(verdict.cost == 0 for verdict in self.verdicts)
        return f"{agent} finds {good} of your {count} moves as good as the best ones."

    def _praise(self, verdict: Verdict) -> str:
        assert verdict.rejected is not None
        measure = verdict.measure
        more = _amount(verdict.lead, measure.scale)
        other = self._move(verdict, verdict.rejected).removeprefix("play ")
        usual = ", which many would choose" if verdict.rejected == verdict.usual else ""
        return f"{self._made(verdict)}, {more} better than {other}{usual} ({measure.meaning})."

    def _blame(self, verdict: Verdict) -> str:
        measure = verdict.measure
        cost = _amount(verdict.cost or 0.0, measure.scale)
        better = self._move(verdict, verdict.thought.decision.action).removeprefix("play ")
        return f"{self._made(verdict)}; {better} was {cost} better ({measure.meaning})."

    def _made(self, verdict: Verdict) -> str:
        """`hand 3: play 9♠`, with the name if several people play."""
        view, table = verdict.answer.view, self._table
        who = f"{table.seating.names[view.seat]}, " if len(self.plan.persons) > 1 else ""
        move = self._move(verdict, verdict.answer.action)
        return f"{who}{table.stage_word} {table.stage(view)}: {move}"

    def _move(self, verdict: Verdict, action: int) -> str:
        return self._table.move_words(verdict.answer.view, action)

    @on(DataTable.RowHighlighted)
    def _highlighted(self) -> None:
        self.draw()

    # Choices

    def _choices(self) -> list[Choice]:
        return self.ways_on([self.review_choice()] if self.plan.persons else [])

    @on(Choices.Picked)
    async def _picked(self, event: Choices.Picked) -> None:
        await self.run_action(self._choices()[event.index].command)

    @on(DataTable.RowSelected)
    def action_review(self) -> None:
        """Review your moves of the chosen hand."""
        if not self.plan.persons or not self.stages:
            return
        hand_no = 1 if self._table.one_hand else self.query_one(Rows).cursor_row + 1
        self.post_message(OpenReview(self.plan, self._seed, self._actions, hand_no))


def _amount(cost: float, scale: Scale) -> str:
    """`10 percentage points`, `2.5 percentage points` or `0.75`."""
    return cost_words(cost, scale).replace(".0 ", " ").removesuffix(".00")


def _scores(stage: Stage) -> str:
    return minus(" : ".join(map(str, stage.standing)))
