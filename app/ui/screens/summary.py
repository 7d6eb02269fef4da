"""The summary of a match: score by hand, turning point, skill and luck, best and worst moves."""

import asyncio
from collections.abc import Sequence
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import DataTable, Static
from textual.worker import get_current_worker

from agents.agent import Scale
from app.match.dealing import first_seat, initial_state
from app.match.seating import Seating, TablePlan
from app.records.history import History
from app.records.journal import MatchSetup
from app.records.personal_rating import rating_words
from app.study.advice import Adviser
from app.study.coach import Coach
from app.study.course import Course, chances_of, course_of
from app.study.examination import Examination, Findings
from app.study.luck import Luck
from app.study.review import Answer, Verdict, answers_of, best_of, worst_of
from app.study.skill import skill_of
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
from app.ui.widgets.coach_words import adjusted_words, extremes_words, luck_words, skill_words
from app.ui.widgets.keys import Keys
from app.ui.widgets.rows import Column, Rows
from app.ui.widgets.score_curve import CHANCES, ScoreCurve, colour_of
from app.ui.widgets.scroll import Scroll
from app.ui.widgets.why import cost_words
from engine import GAMES

Part = str | tuple[str, str]
_TOGETHER = 0.1
"""Seconds until new findings are drawn."""


class SummaryScreen(PostMatchActions, JudgingScreen):
    """Shows the result immediately and adds what the coach finds as it arrives."""

    class Heard(Message):
        """There are new findings."""

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
        self,
        plan: TablePlan,
        seed: int,
        actions: Sequence[int],
        ascii_only: bool,
        coach: Coach | None = None,
    ) -> None:
        """coach: that has examined the match; without one it is examined here, in a thread"""
        super().__init__(Adviser(plan.game, seed, plan.seats))
        self.plan = plan
        self.stages: list[Stage] = []
        self.turned = 0
        """Index of the stage at which the match turned."""
        self.history: History | None = None
        """Has the person's rating; None for a match that is not in it."""
        self._rating = ""
        self._seed = seed
        self._actions = tuple(actions)
        self._coach = coach
        self._findings = coach.findings if coach is not None else Findings()
        self._chances: list[float] = []
        """The person's chance to win after each stage."""
        self._luck: list[Luck] = []
        self._rough = 0
        """Moves that have been judged roughly and will be judged again."""
        self._alone = False
        """Whether the match is examined here."""
        self._all_known = False
        self._due = False
        """Whether findings are about to be drawn."""
        self._ascii_only = ascii_only
        self._table: Table[Any] = table_class(plan.game)(GAMES[plan.game], Seating.of(plan))
        first = first_seat(plan, self._table.rotates_start)
        self._setup = MatchSetup.of(plan, seed, first)

    def compose(self) -> ComposeResult:
        with Horizontal(id="head", classes="heading"):
            yield Static(f"Summary · {self._table.game.title}", id="title")
            yield Static("Looking back …", id="result")
        with Container(id="summary"):
            with Vertical(id="course"):
                yield Static(id="legend")
                plain = self._ascii_only or self.app.no_color
                yield ScoreCurve(plain, id="scores")
                if self.plan.persons:
                    yield Static(id="chances-legend")
                    yield ScoreCurve(plain, id="chances", look=CHANCES)
            yield Rows(id="stages")
            with Scroll(id="words", can_focus=False):
                yield Static(id="highlights")
        yield Choices(id="choices")
        yield Keys(palette=False)

    def on_mount(self) -> None:
        choices = self._choices()
        self.query_one(Choices).show(choices, 1, keys=self.key_names(choices))
        self.set_class(bool(self.plan.persons), "-person")
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
        if self.plan.persons:
            self._chances = chances_of(self._setup, stages, self._actions, self._side)
        state = initial_state(self.plan, self._seed, rotates)
        return stages, answers_of(state, self._actions, None, self.plan.persons)

    # The coach

    @property
    def _side(self) -> int:
        """The side of the first person."""
        sides = self._setup.deal().sides
        return next(at for at, seats in enumerate(sides) if self.plan.persons[0] in seats)

    def begin_judging(self) -> None:
        """Show what the coach has found and finds, or examine the match in a thread."""
        if not self.plan.persons:
            return
        coach = self._coach
        if coach is None or coach.problem:
            self._alone = True
            super().begin_judging()
        else:
            coach.listener = self._tell
            self._hear()

    def _tell(self) -> None:
        self.post_message(self.Heard())

    def _judge(self) -> None:
        """Examine the match, in a thread while the screen is open."""
        worker = get_current_worker()
        try:
            examination = Examination(self._setup)
            examination.follow(self._actions)
            while found := examination.step():
                if worker.is_cancelled:
                    return
                self._findings.add(found)
                self._tell()
            self._all_known = True
            if self._coach is not None:
                self._coach.end()
        except Exception as error:
            self.problem = f"The moves cannot be judged ({error})."
        self._tell()

    @on(Heard)
    def _hear(self) -> None:
        """Show new findings soon: several together, since each takes a moment to draw."""
        if not self._due:
            self._due = True
            self.set_timer(_TOGETHER, self._show_findings)

    def _show_findings(self) -> None:
        self._due = False
        coach = self._coach
        if coach is not None and not self._alone:
            self.problem = coach.problem
            self._all_known = coach.complete(self._actions)
        self.verdicts = self._findings.verdicts(self._actions)
        self._rough = self._findings.rough(self._actions)
        self._luck = self._findings.luck(self._actions)
        self._draw_chances()
        self.draw()

    @property
    def luck_known(self) -> bool:
        """Whether the luck of all events is known: it comes before the last verdicts."""
        return bool(self._luck) and (self._all_known or self.complete)

    def _course(self) -> Course:
        return course_of(self.stages, self._chances, self._luck, self._side, self._table.one_hand)

    # Drawing

    def _draw_chances(self) -> None:
        if not self._chances:
            return
        known = bool(self._luck)
        lines = [self._chances, *[self._course().fair] * known]
        courses = [[round(100 * chance) for chance in line] for line in lines]
        curve = self.query_one("#chances", ScoreCurve)
        curve.show(courses, self.turned)
        words = [f" {self._whose()} chance to win (%)  ", " without luck"]
        legend: list[Part] = []
        for line, about in enumerate(words[: len(lines)]):
            legend += [(CHANCES.sign(line, curve.plain), CHANCES.colour(line)), about]
        legend.append((f"  {self._rating}" if self._rating else "", "bold"))
        self.query_one("#chances-legend", Static).update(Content.assemble(*legend))

    def _whose(self) -> str:
        name = self._sides()[self._side]
        return "your" if name == "You" else f"{name}:"

    def _draw_course(self) -> None:
        word, stages = self._table.stage_word, self.stages
        self.query_one("#result", Static).update(Content(self._result()))
        self.query_one("#legend", Static).update(self._legend())
        courses = list(zip(*[stage.standing for stage in stages], strict=True))
        self.query_one("#scores", ScoreCurve).show(courses, self.turned)
        self._draw_chances()
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
        best, worst = best_of(self.verdicts), worst_of(self.verdicts)
        gap = "\n" if self.has_class("-wide") else ""
        parts: list[Part] = [gap, *self._about_skill(gap), *self._about_luck(gap)]
        if best is not None:
            parts += [("Best move", "bold $text-success"), f"  {self._praise(best)}\n{gap}"]
        if worst is not None:
            parts += [("Worst move", "bold $text-error"), f"  {self._blame(worst)}\n{gap}"]
        if self.complete and self.answers and not self._rough and not gap:
            return parts  # A small window has no room to say how many moves were good.
        return [*parts, (self.problem or self._progress(), "$text-muted")]

    def _about_skill(self, gap: str) -> list[Part]:
        """How well each person played."""
        parts: list[Part] = []
        for seat in self.plan.persons:
            own = [each for each in self.verdicts if each.answer.view.seat == seat]
            if own:
                name = f"{self._table.seating.names[seat]}: " * (len(self.plan.persons) > 1)
                words = skill_words(skill_of(self.plan.game, own))
                parts += [("Skill", "bold $text-accent"), f"  {name}{words}\n{gap}"]
        return parts

    def _about_luck(self, gap: str) -> list[Part]:
        if not self.luck_known:
            return []
        course = self._course()
        luck, result = sum(course.luck), self._chances[-1]
        best, worst = course.extremes()
        numbers = [self.stages[at].number for at in (best, worst)]
        extremes = ""
        if best != worst:
            extremes = extremes_words(
                self._table.stage_word, numbers, [course.luck[best], course.luck[worst]]
            )
        words = f"{luck_words(luck)}; {adjusted_words(result, luck)}. {extremes}"
        return [("Luck", "bold $text-accent"), f"  {words}\n{gap}"]

    def _progress(self) -> str:
        count = len(self.answers)
        if not count:
            return "There was nothing for you to decide in this match."
        agent = self._adviser.agent.capitalize()
        if not self.complete:
            return f"{agent} is judging your moves: {len(self.verdicts)} of {count} …"
        if self._rough:
            return f"{agent} takes a closer look: {count - self._rough} of {count} moves …"
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
