"""The forms of the Lab. Every field has a default."""

from collections.abc import Sequence
from enum import StrEnum
from os import cpu_count
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from agents.names import COLON, generation_name, own_name
from agents.registry import AgentSpec, generations, known_agents
from agents.storage.store import Store
from agents.training.course import POOL, SELF, Course
from app.lab.jobs import Evaluation, Tournament, Training
from app.lab.named import trained_as
from app.lab.parameters import Parameter, changes_meaning, parameters
from app.ui.screens.asking import Asking
from app.ui.widgets.agent_cycle import AgentCycle
from app.ui.widgets.cycle import Cycle, Values
from app.ui.widgets.form import Field, row, value_of
from app.ui.widgets.keys import Keys
from app.ui.widgets.learner_rows import start_rows
from app.ui.widgets.scroll import Scroll
from engine import GAMES

T = TypeVar("T")

_MORE: Final = "More …"
_LESS: Final = "Less"
_WORKERS_HELP: Final = (
    "How many processes play in parallel. More are faster, up to the number of cores."
)

NOBODY_ELSE: Final = "nobody else"
_LONG_WAIT: Final = "search"
"""Takes seconds for a match, so it joins an arena only on request."""


class LabForm(Asking[T | None], Generic[T]):
    """A form. Enter starts the job from any field."""

    CSS_PATH = "lab_forms.tcss"
    AUTO_FOCUS = "Cycle, Input"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (40, "-tall")]
    BINDINGS = [
        Binding("enter", "start", "Start", key_display="Enter", id="form.start"),
        Binding("up", "app.focus_previous", "Row", key_display="↑↓", id="form.up"),
        Binding("down", "app.focus_next", show=False, id="form.down"),
        Binding("f2", "more", "More", key_display="F2", id="form.more"),
        Binding("escape", "back", "Back", key_display="Esc", id="form.back"),
    ]

    def __init__(self, title: str, start: str, long: bool = False) -> None:
        """long: True if the form may fill the screen and scroll."""
        super().__init__(classes="-long" if long else "")
        self._title = title
        self._start = start

    def compose(self) -> ComposeResult:
        with Vertical(id="box") as box:
            box.border_title = self._title
            with Scroll(id="form"):
                yield from self.rows()
                if rare := self.rare_rows():
                    yield Vertical(*rare, id="rare")
            yield Static(id="help")
            yield Static(id="error")
            with Horizontal(id="buttons"):
                yield Button(self._start, variant="primary", compact=True, id="start")
                if rare:
                    yield Button(_MORE, compact=True, id="more")
                yield Button("Back", compact=True, id="back")
        yield Keys()

    def rows(self) -> Sequence[Widget]:
        raise NotImplementedError

    def rare_rows(self) -> Sequence[Widget]:
        """Rows that *More* shows."""
        return []

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "more" or bool(self.query("#rare"))

    @on(Button.Pressed, "#more")
    def action_more(self) -> None:
        """Show or hide the rows that are rarely needed."""
        shown = not self.has_class("-more")
        self.set_class(shown, "-more", "-long")
        self.query_one("#more", Button).label = _LESS if shown else _MORE
        if shown:
            self.query("#rare Cycle, #rare Input").first().focus()

    def answer(self) -> T:
        """The job described by the form. Raises ValueError with a sentence."""
        raise NotImplementedError

    def text(self, id: str) -> str:
        return value_of(self.query_one(f"#{id}"))

    def number(self, id: str, what: str) -> int:
        """A whole number, at least 1."""
        text = self.text(id)
        if not text.isdecimal() or int(text) < 1:
            raise ValueError(f"{what}: give a whole number, 1 or more.")
        return int(text)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.query_one("#help", Static).update(str(event.widget.tooltip or ""))

    @on(Input.Submitted)
    def action_start(self) -> None:
        try:
            answer = self.answer()
        except ValueError as error:
            self.query_one("#error", Static).update(Content(str(error)))
        else:
            self.dismiss(answer)

    @on(Button.Pressed, "#start")
    def _start_pressed(self) -> None:
        self.action_start()

    @on(Button.Pressed, "#back")
    def action_back(self) -> None:
        self.dismiss(None)


class TrainForm(LabForm[Training]):
    def __init__(
        self,
        game: str,
        spec: AgentSpec,
        seed: int,
        store: Store,
        known: Sequence[Parameter] | None = None,
    ) -> None:
        """known: the parameters of the learner; None for those of its kind."""
        super().__init__(f"Train · {spec.title} · {GAMES[game].title}", "Train")
        self._game = game
        self._spec = spec
        self._seed = seed
        self._store = store
        self._parameters = parameters(game, spec.name) if known is None else known

    def rows(self) -> Sequence[Widget]:
        return [
            row(
                "Plays against",
                AgentCycle(self._game, self._store, self._rivals(), SELF, "first"),
                "The agent on the other sides. Only the learner itself learns.",
            ),
            row(
                "Matches",
                Field("5000", compact=True, type="integer", id="games"),
                "It trains for this many matches. You can stop earlier and keep what it learned.",
            ),
            _workers_row(),
            *start_rows(self._game, self._spec, self._store),
        ]

    def rare_rows(self) -> Sequence[Widget]:
        return [
            row(
                "and in turn",
                AgentCycle(
                    self._game,
                    self._store,
                    [(NOBODY_ELSE, "nobody else"), *self._rivals()],
                    NOBODY_ELSE,
                    "second",
                ),
                "A second opponent. The two take turns from match to match.",
            ),
            row(
                "Measure",
                Field("8", compact=True, type="integer", id="points"),
                "How often it is measured on the way. Each time is a point of the curve.",
            ),
            row(
                "with matches",
                Field("100", compact=True, type="integer", id="measured"),
                "Each measurement plays this many matches against each of Random, Easy and Hard.",
            ),
            row(
                "Seed",
                Field(str(self._seed), compact=True, type="integer", id="seed"),
                "The same seed and the same settings give the same training.",
            ),
            *parameter_rows(self._parameters),
        ]

    def _rivals(self) -> Values:
        return [
            (SELF, "itself"),
            (POOL, "its earlier selves"),
            *[(name, spec.title) for name, spec in known_agents(self._game, self._store).items()],
        ]

    def answer(self) -> Training:
        opponents = [self.text("first"), self.text("second")]
        if NOBODY_ELSE in opponents:
            opponents.remove(NOBODY_ELSE)
        settings, rewards = parameter_values(self, self._parameters, only_changed=True)
        agent, start = trained_as(
            self._game,
            self._spec.name,
            self.text("name"),
            self.text("start-from"),
            self._store,
            changes_meaning(self._game, self._spec.name, self._parameters, settings, rewards),
        )
        if agent != self._spec.name:
            settings, rewards = parameter_values(self, self._parameters, only_changed=False)
        course = Course(
            self._game,
            agent,
            self.number("games", "Matches"),
            int(self.text("seed") or 0),
            opponents=tuple(opponents),
            settings=settings,
            rewards=rewards,
        )
        return Training(
            course,
            self.number("workers", "Workers"),
            self.number("points", "Measure"),
            self.number("measured", "With matches"),
            start,
        )


class EvaluateForm(LabForm[Evaluation]):
    def __init__(self, game: str, spec: AgentSpec, store: Store) -> None:
        super().__init__(f"Evaluate · {spec.title} · {GAMES[game].title}", "Evaluate")
        self._game = game
        self._spec = spec
        self._store = store

    def rows(self) -> Sequence[Widget]:
        rivals: Values = [
            (name, spec.title)
            for name, spec in known_agents(self._game, self._store).items()
            if name != self._spec.name or spec.learns
        ]
        against = AgentCycle(self._game, self._store, rivals, "hard", "against")
        return [
            *([self._generation_row()] if self._spec.learns else []),
            row("Against", against, "The agent on all other sides."),
            row(
                "Matches",
                Field("200", compact=True, type="integer", id="games"),
                "They play this many matches. Every deal is played from every side.",
            ),
            _workers_row(),
        ]

    def _generation_row(self) -> Widget:
        name = self._spec.name
        values: Values = [
            (name, "as it is now"),
            *[
                (generation_name(name, matches), f"after {matches:,} matches")
                for matches in generations(self._game, name, self._store)
            ],
        ]
        help = "The learner as it is now, or as it was earlier in its training."
        return row("Generation", Cycle(values, name, id="agent"), help)

    def answer(self) -> Evaluation:
        agent = self.text("agent") if self._spec.learns else self._spec.name
        if agent == self.text("against"):
            raise ValueError("An agent does not meet itself; choose another generation of it.")
        return Evaluation(
            self._game,
            agent,
            self.text("against"),
            self.number("games", "Matches"),
            workers=self.number("workers", "Workers"),
        )


class ArenaForm(LabForm[Tournament]):
    def __init__(self, game: str, store: Store) -> None:
        super().__init__(f"Arena · {GAMES[game].title}", "Let them meet", long=True)
        self._game = game
        self._store = store

    def rows(self) -> Sequence[Widget]:
        values = [("in", "takes part"), ("out", "looks on")]
        of_learners = [*values, ("all", "takes part with its generations")]
        return [
            row(
                "Matches",
                Field("20", compact=True, type="integer", id="games"),
                "Each pair of agents plays this many matches.",
            ),
            _workers_row(),
            *[
                row(
                    spec.title,
                    Cycle(
                        of_learners if spec.learns else values,
                        "out" if name == _LONG_WAIT or own_name(name) else "in",
                        id=_agent_id(name),
                    ),
                    f"{spec.title} {spec.summary}.",
                )
                for name, spec in known_agents(self._game, self._store).items()
            ],
        ]

    def answer(self) -> Tournament:
        chosen = []
        for name in known_agents(self._game, self._store):
            part = self.text(_agent_id(name))
            if part == "all":
                earlier = generations(self._game, name, self._store)
                chosen += [generation_name(name, matches) for matches in earlier]
            if part != "out":
                chosen.append(name)
        if len(chosen) < 2:
            raise ValueError("Choose at least two agents for an arena.")
        return Tournament(
            self._game,
            tuple(chosen),
            self.number("games", "Matches"),
            workers=self.number("workers", "Workers"),
        )


class Part(StrEnum):
    """What can be exported."""

    VALUES = "values"
    CURVE = "curve"


class ExportAnswer(NamedTuple):
    folder: Path
    part: Part


class ExportForm(LabForm[ExportAnswer]):
    def __init__(self, game: str, spec: AgentSpec, folder: Path, parts: Sequence[Part]) -> None:
        """parts: what this agent has"""
        super().__init__(f"Export · {spec.title} · {GAMES[game].title}", "Export")
        self._folder = folder
        self._parts = parts

    def rows(self) -> Sequence[Widget]:
        titles = {Part.VALUES: "what it knows", Part.CURVE: "its learning curve and runs"}
        parts: Values = [(part.value, titles[part]) for part in self._parts]
        about = (
            "What it knows: situations, moves, values and visits as SQLite and CSV. Curve and "
            "runs: CSV, JSON and a picture (SVG)."
        )
        return [
            row("Export", Cycle(parts, self._parts[0].value, id="part"), about),
            row(
                "Into folder",
                Field(str(self._folder), compact=True, id="folder"),
                "The files are named after the game and the agent. Earlier exports are replaced.",
            ),
        ]

    def answer(self) -> ExportAnswer:
        text = self.text("folder")
        if not text:
            raise ValueError("Enter the folder for the files.")
        try:
            folder = Path(text).expanduser().absolute()
        except RuntimeError as error:
            raise ValueError("There is no such home directory; name the folder in full.") from error
        return ExportAnswer(folder, Part(self.text("part")))


def _agent_id(name: str) -> str:
    """The id of an agent's row, in which a colon is not allowed."""
    return f"agent-{name.replace(COLON, '--')}"


def _workers_row() -> Widget:
    counts: Values = [(str(count), str(count)) for count in range(1, (cpu_count() or 1) + 1)]
    return row(
        "Workers",
        Cycle(counts, "1", id="workers"),
        _WORKERS_HELP,
    )


def _parameter_id(parameter: Parameter) -> str:
    return f"{'reward' if parameter.reward else 'setting'}-{parameter.name}"


def parameter_rows(known: Sequence[Parameter]) -> list[Widget]:
    """A row for each setting and reward of a learner."""
    return [_parameter_row(parameter) for parameter in known]


def _parameter_row(parameter: Parameter) -> Widget:
    title = f"Reward: {parameter.title.lower()}" if parameter.reward else parameter.title
    return row(
        title,
        Field(f"{parameter.value:g}", compact=True, id=_parameter_id(parameter)),
        parameter.help,
    )


def parameter_values(
    form: LabForm[Any], known: Sequence[Parameter], only_changed: bool
) -> tuple[dict[str, float], dict[str, float]]:
    """The settings and the rewards in a form: those that were changed, or all of them.

    Raises ValueError with a sentence.
    """
    values: tuple[dict[str, float], dict[str, float]] = {}, {}
    for parameter in known:
        value = _entered(form, parameter)
        same = f"{value:g}" == f"{parameter.value:g}"
        if not (same and only_changed):
            values[parameter.reward][parameter.name] = parameter.value if same else value
    return values


def _entered(form: LabForm[Any], parameter: Parameter) -> float:
    try:
        value = float(form.text(_parameter_id(parameter)))
    except ValueError as error:
        raise ValueError(
            f"{parameter.title}: give a number, such as {parameter.value:g}."
        ) from error
    if problem := parameter.problem_with(value):
        raise ValueError(f"{problem}.")
    return value
