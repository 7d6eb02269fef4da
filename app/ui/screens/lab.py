"""The Lab: how well agents play, how they learned, and training, evaluation and arena."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, DataTable, Static

from agents.names import own_name
from agents.registry import AgentSpec, spec_of
from agents.training_log import CurvePoint
from app.lab.checkpoints import Interrupted
from app.lab.jobs import Discarded, Job, Kept, Learned, Ranked, Report, Training
from app.lab.laboratory import ONE_AT_A_TIME, Laboratory
from app.lab.notices import Failed
from app.lab.parameters import parameters
from app.lab.roster import Curve, Member
from app.match.dealing import fresh_seed
from app.match.seating import every_game
from app.study.knowledge import can_read
from app.ui.screens.desk import Desk
from app.ui.screens.file_desk import FileDesk
from app.ui.screens.lab_forms import ArenaForm, EvaluateForm, TrainForm
from app.ui.screens.ladder import LadderScreen
from app.ui.screens.learners import LearnerDesk
from app.ui.screens.question import Answer, Question
from app.ui.screens.requests import OpenExplorer, OpenStage
from app.ui.widgets.agents_list import AgentsList
from app.ui.widgets.curve import BANDS, COLOURS, LearningCurve
from app.ui.widgets.cycle import Cycle
from app.ui.widgets.keys import Keys
from app.ui.widgets.run_bar import RUN_ACTIONS, RunBar
from engine import GAMES

_LEARNERS_ONLY: Final = ("train", "reset", "export", "explore")


class LabScreen(Screen[None]):
    """Shows the laboratory. A running job continues when the screen is closed."""

    CSS_PATH = "lab.tcss"
    AUTO_FOCUS = "DataTable"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (78, "-normal"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]
    BINDINGS: ClassVar = [
        Binding("left,h", "game(-1)", show=False, priority=True, id="lab.previous"),
        Binding("right,l", "game(1)", show=False, priority=True, id="lab.next"),
        Binding("t", "train", "Train", id="lab.train"),
        Binding("e", "evaluate", "Evaluate", id="lab.evaluate"),
        Binding("a", "arena", "Arena", id="lab.arena"),
        Binding("w", "watch_learn", "Learn", tooltip="Watch it learn", id="lab.watch"),
        Binding("q", "explore", "Explore", tooltip="Explore what it knows", id="lab.explore"),
        Binding("x", "export", "Export", id="lab.export"),
        Binding("z", "reset", "Reset", tooltip="Reset to the shipped state", id="lab.reset"),
        Binding("escape", "back", "Back", key_display="Esc", id="lab.back"),
        Binding("n", "names", "Names", tooltip="Rename, copy, delete …", id="lab.names"),
        Binding("c", "pin", "Compare", tooltip="Compare with another curve", id="lab.pin"),
        Binding("o", "run", "Runs", tooltip="Show the curve of an earlier run", id="lab.run"),
        Binding("m", "ladder", "Ladder", id="lab.ladder"),
        Binding("p", "pause", "Pause", show=False, id="lab.pause"),
        Binding("s", "stop", "Stop", show=False, id="lab.stop"),
        Binding("k", "keep", "Keep", show=False, id="lab.keep"),
        Binding("d", "throw_away", "Discard", show=False, id="lab.throw-away"),
    ]

    def __init__(self, laboratory: Laboratory, game: str, plain: bool) -> None:
        """plain: True if only ASCII characters can be shown."""
        super().__init__()
        self._laboratory = laboratory
        self._game = game
        self._plain = plain
        self._agent = "q"
        self._curves: dict[tuple[str, str], list[Curve]] = {}
        self._shown_run = 0
        """The place of the drawn curve in the list of the chosen agent."""
        self._pinned: tuple[str, tuple[CurvePoint, ...]] | None = None
        """The name and the points of a curve to compare with."""
        self._heading = Content()
        self._learner_chosen = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="head"):
            yield Static("Lab", id="title")
            yield Cycle([(game.name, game.title) for game in every_game()], self._game, id="game")
            yield Static(id="legend")
        yield AgentsList(id="agents")
        yield Static(id="about")
        with Vertical(id="learning"):
            yield Static(id="curves")
            yield LearningCurve(self._plain or self.app.no_color, id="curve")
        yield RunBar(id="run")
        with Vertical(id="keys"):
            yield Keys(palette=False)
            yield Keys(palette=False, row=1)

    def on_mount(self) -> None:
        self.query_one("#game").can_focus = False
        self._laboratory.onlooker = self._look_on
        self.show_run()
        self._load()
        self._find_interrupted()

    def on_unmount(self) -> None:
        self._laboratory.onlooker = None

    # The agents

    @property
    def _can_show(self) -> bool:
        """True while its child widgets are mounted. They are removed one by one."""
        parts = (AgentsList, "#about", LearningCurve)
        return all(self.query_one_optional(part) is not None for part in parts)

    @property
    def _table(self) -> AgentsList:
        return self.query_one(AgentsList)

    @property
    def member(self) -> Member | None:
        """The agent under the cursor; None while the screen opens or closes."""
        table = self.query_one_optional(AgentsList)
        return table.member if table is not None else None

    def _spec(self) -> AgentSpec | None:
        member = self.member
        return spec_of(self._game, member.agent) if member else None

    def _load_afresh(self) -> None:
        """Read the agents again after something changed."""
        self._curves.clear()
        self._shown_run = 0
        self._load()

    @work(thread=True, exclusive=True, group="members")
    def _load(self) -> None:
        """Read the agents' files in a thread, since they may be large."""
        game = self._game
        members, complaints = self._laboratory.members(game)
        self.app.call_from_thread(self._show_members, game, members, complaints)

    def _show_members(self, game: str, members: Sequence[Member], complaints: list[str]) -> None:
        if game != self._game or not self._can_show:
            return
        narrow, wide = self.has_class("-narrow"), self.has_class("-wide")
        self._table.show(members, self._agent, narrow, wide)
        curiosity = "ε: share of random moves · " if "curiosity" in self._table.columns else ""
        sides = len(GAMES[game].new(seed=0).sides)
        equal = f" · an equal player wins {100 / sides:.0f} %" if sides > 2 else ""
        legend = f"{curiosity}(95 % interval){equal}"
        self.query_one("#legend", Static).update(legend, layout=False)
        self._show_live()
        self._show_chosen()
        self.refresh_bindings()
        for sentence in complaints:
            self.notify(sentence, severity="warning", markup=False)

    @on(DataTable.RowHighlighted)
    def _show_chosen(self) -> None:
        member = self.member
        spec = self._spec()
        if member is None or spec is None or not self._can_show:
            return
        if self._agent != member.agent:
            self._shown_run = 0
        self._agent = member.agent
        self.query_one("#about", Static).update(f"{spec.title} {spec.summary}.", layout=False)
        if self._learner_chosen != (member.stats is not None):
            self._learner_chosen = member.stats is not None
            self.refresh_bindings()
        if self._chosen_key() in self._curves:
            self._draw_curve()
        else:
            self._load_curve(*self._chosen_key())

    @work(thread=True, exclusive=True, group="curve")
    def _load_curve(self, game: str, agent: str) -> None:
        curves = self._laboratory.roster.curves(game, agent)
        self.app.call_from_thread(self._show_curve, game, agent, curves)

    def _show_curve(self, game: str, agent: str, curves: list[Curve]) -> None:
        self._curves[game, agent] = curves
        if self._can_show and (game, agent) == self._chosen_key():
            self._draw_curve()

    def _chosen_key(self) -> tuple[str, str]:
        return self._game, self.member.agent if self.member else ""

    @property
    def _curve(self) -> Curve:
        """The drawn curve: the whole one of the chosen agent, or that of one of its runs."""
        curves = self._curves.get(self._chosen_key(), [Curve()])
        return curves[self._shown_run % len(curves)]

    def _drawn_points(self) -> list[CurvePoint]:
        """The measurements of the drawn curve, and those of the current run."""
        curve = self._curve
        fresh = self._fresh_points(curve.games) if curve.run is None else []
        return [*curve.points, *fresh]

    def _draw_curve(self) -> None:
        spec = self._spec()
        points = self._drawn_points()
        pinned = self._pinned[1] if self._pinned is not None else ()
        self.query_one(LearningCurve).show(points, pinned)
        if spec is None:
            return
        if points:
            heading = self._legend(self._curve_name(spec), points)
        elif self.member is not None and self.member.stats is not None:
            heading = Content(f"No curve yet: train {spec.title} to see how it learns.")
        else:
            heading = Content(f"{spec.title} does not learn.")
        if self._pinned is not None:
            heading = Content.assemble(heading, f"  ◆ {self._pinned[0]}")
        if heading != self._heading:
            self._heading = heading
            self.query_one("#curves", Static).update(heading, layout=False)

    def _curve_name(self, spec: AgentSpec) -> str:
        """`Q`, `Q, discarded run of 2026-11-18`."""
        run = self._curve.run
        if run is not None:
            return f"{spec.title}, {'kept' if run.kept else 'discarded'} run of {run.started[:10]}"
        current = self._laboratory.run
        discarded = current is not None and isinstance(current.result, Discarded)
        return f"{spec.title}{' with the discarded run' * (discarded and self._has_fresh())}"

    def _legend(self, name: str, points: Sequence[CurvePoint]) -> Content:
        measured = {point.against for point in points}
        rivals = [rival for rival in COLOURS if rival in measured]
        return Content.assemble(
            f"{name}: won {'after so many matches ' if self.has_class('-wide') else ''}against ",
            *[(f"• {rival.title()}  ", _style(rival)) for rival in rivals],
            *[("  ", f"on {BANDS[rival]}") for rival in rivals],
            " 95 % interval",
        )

    def _has_fresh(self) -> bool:
        """Whether the current run has trained the chosen agent, and its curve lacks the run."""
        run = self._laboratory.run
        if run is None or not isinstance(run.job, Training):
            return False
        if (run.job.game, run.job.course.agent) != self._chosen_key():
            return False
        return not isinstance(run.result, Kept)

    def _fresh_points(self, before: int) -> list[CurvePoint]:
        """The measurements of the current run after so many matches of training. They stay when
        what was learned is discarded."""
        run = self._laboratory.run
        if run is None or not self._has_fresh():
            return []
        return [replace(each, games=before + each.games) for each in run.points]

    def action_run(self) -> None:
        """Draw the whole curve, or that of an earlier run."""
        curves = self._curves.get(self._chosen_key(), [])
        if len(curves) < 2:
            self.notify("There are no measured runs of this agent yet; train it to make one.")
            return
        self._shown_run = (self._shown_run + 1) % len(curves)
        self._draw_curve()

    def action_pin(self) -> None:
        """Keep the drawn curve to compare others with it, or remove it again."""
        spec = self._spec()
        points = tuple(self._drawn_points())
        if self._pinned is not None:
            self._pinned = None
        elif spec is None or not points:
            self.notify("There is no curve to compare with here; choose a learner that has one.")
        else:
            name = self._curve_name(spec)
            self._pinned = (name, points)
            self.notify(f"{name} stays as ◆. Choose another agent or run to compare.")
        self._draw_curve()

    def action_game(self, step: int) -> None:
        self.query_one(Cycle).action_turn(step)

    @on(Cycle.Changed)
    def _game_changed(self) -> None:
        self._game = self.query_one(Cycle).value
        self._pinned = None
        self._table.show((), self._agent, narrow=False, wide=False)
        self.refresh_bindings()
        self._load()

    def on_resize(self) -> None:
        if self._table.members:
            self.call_after_refresh(self._show_members, self._game, self._table.members, [])

    # The run

    def show_run(self) -> None:
        """Draw the state of the current run."""
        run = self._laboratory.run
        if self.query_one(RunBar).show(run):
            self.refresh_bindings()
        self._show_live()
        self._draw_curve()

    def _show_live(self) -> None:
        """Draw the row of the agent in training as it is now."""
        run = self._laboratory.run
        if run is None or not run.busy or not isinstance(run.job, Training):
            return
        for member in self._table.members:
            if (run.job.game, run.job.course.agent) == (self._game, member.agent):
                self._table.update_member(member.while_training(run.progress, run.points))

    def _look_on(self, report: Report) -> bool:
        """Handle a report. Results change the list of agents as well."""
        run = self._laboratory.run
        self.show_run()
        if run is not None and not run.busy:
            self._load_afresh()
        if isinstance(report, Ranked) and self.is_current and run is not None:
            self.app.push_screen(LadderScreen(run.job.game, report))
        if isinstance(report, Learned):
            self.query_one("#keep").focus()
        if isinstance(report, Failed):
            self._find_interrupted()
        return self.is_current

    # Interrupted trainings

    @work(thread=True, exclusive=True, group="interrupted")
    def _find_interrupted(self) -> None:
        """Ask about trainings that a crash interrupted, one after the other."""
        self.app.call_from_thread(self._ask_about, self._laboratory.interrupted())

    def _ask_about(self, trainings: Sequence[Interrupted]) -> None:
        if not trainings or not self.is_current:
            return
        training, *others = trainings

        def answered(answer: str | None) -> None:
            if answer is not None:
                settle = self._laboratory.keep if answer == "keep" else self._laboratory.discard
                Desk(self.app, self._laboratory, self._load_afresh).run(lambda: settle(training))
            self._ask_about(others)

        answers = [Answer("keep", "k", "Keep"), Answer("lose", "d", "Discard")]
        self.app.push_screen(Question(training.question, answers), answered)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        run = self._laboratory.run
        if action in RUN_ACTIONS:
            return run is not None and run.phase in RUN_ACTIONS[action]
        if action == "ladder":
            return self._game in self._laboratory.ladders
        if action in _LEARNERS_ONLY:
            if action == "reset" and own_name(self._agent):
                return False  # It has no shipped state.
            return self.member is not None and self.member.stats is not None
        return True

    @on(Button.Pressed)
    async def _order_pressed(self, event: Button.Pressed) -> None:
        await self.run_action(event.button.id or "")
        self._table.focus()

    def action_pause(self) -> None:
        if self._laboratory.run:
            self._laboratory.run.pause()
        self.show_run()

    def action_stop(self) -> None:
        if self._laboratory.run:
            self._laboratory.run.stop()
        self.show_run()

    def action_keep(self) -> None:
        if self._laboratory.run:
            self._laboratory.run.keep()
        self.show_run()

    def action_throw_away(self) -> None:
        if self._laboratory.run:
            self._laboratory.run.discard()
        self.show_run()

    def _start(self, job: Job | None) -> None:
        if job is None:
            return
        try:
            self._laboratory.start(job)
        except ValueError as error:
            self.notify(str(error), severity="warning", markup=False)
        else:
            if isinstance(job, Training) and job.course.agent != self._agent:
                self._agent = job.course.agent
                self._load()
        self.show_run()

    def _ask(self, form: TrainForm | EvaluateForm | ArenaForm) -> None:
        if self._laboratory.busy:
            self.notify(ONE_AT_A_TIME)
        else:
            self.app.push_screen(form, self._start)

    def action_train(self) -> None:
        spec = self._spec()
        if spec is None:
            return
        if own_name(spec.name):
            self._read_and_train(self._game, spec)
        else:
            self._ask(TrainForm(self._game, spec, fresh_seed(), self._laboratory.store))

    @work(thread=True, exclusive=True, group="train")
    def _read_and_train(self, game: str, spec: AgentSpec) -> None:
        """Read the settings of a named learner in a thread, since its file may be large."""
        store = self._laboratory.store
        known = parameters(game, spec.name, store)
        form = TrainForm(game, spec, fresh_seed(), store, known)
        self.app.call_from_thread(self._ask, form)

    def action_names(self) -> None:
        """Rename, copy, delete, export or import a learner."""
        LearnerDesk(self.app, self._laboratory, self._load_afresh).open(self._game, self._agent)

    def action_evaluate(self) -> None:
        if spec := self._spec():
            self._ask(EvaluateForm(self._game, spec, self._laboratory.store))

    def action_arena(self) -> None:
        self._ask(ArenaForm(self._game, self._laboratory.store))

    def action_explore(self) -> None:
        spec = self._spec()
        if spec is not None and not can_read(spec):
            self.notify(f"{spec.title} keeps what it knows in numbers that have no words.")
        else:
            self.post_message(OpenExplorer(*self._chosen_key()))

    def action_watch_learn(self) -> None:
        """A new learner of the chosen kind; a network if the chosen agent does not learn."""
        learns = self.member is not None and self.member.stats is not None
        agent = self._agent if learns else "neural"
        self.post_message(OpenStage(self._game, agent))

    def action_ladder(self) -> None:
        self.app.push_screen(LadderScreen(self._game, self._laboratory.ladders[self._game]))

    # Files

    def action_reset(self) -> None:
        if spec := self._spec():
            self._file_desk.ask_reset(self._game, spec)

    def action_export(self) -> None:
        if spec := self._spec():
            curves = self._curves.get(self._chosen_key(), [])
            self._file_desk.ask_export(self._game, spec, curves)

    @property
    def _file_desk(self) -> FileDesk:
        return FileDesk(self.app, self._laboratory, self._load_afresh)

    def action_back(self) -> None:
        self.app.pop_screen()


def _style(rival: str) -> str:
    return "rgb({},{},{})".format(*COLOURS[rival])
