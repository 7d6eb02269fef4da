"""The stage: a new learner that knows nothing learns to play, and one sees how."""

from dataclasses import replace
from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from agents.learners.tabular import TabularLearner
from agents.names import own_name
from agents.registry import create, title_of
from agents.storage.store import Store
from app.lab.parameters import Parameter, parameters
from app.lab.stage.beginning import course_of
from app.lab.stage.feed import Feed, Phase
from app.lab.stage.reports import (
    Comparison,
    Discovery,
    Expectations,
    Measured,
    Purpose,
    Report,
    TableMind,
    Vitals,
)
from app.lab.verdict import percentages
from app.ui.screens.learners import ForkForm, NameForm
from app.ui.screens.question import Answer, Question
from app.ui.screens.requests import EndStage, OpenStage, SwitchStage
from app.ui.screens.stage_form import StageForm
from app.ui.screens.stage_telling import Teller
from app.ui.widgets.curve import COLOURS
from app.ui.widgets.expectation_plots import ExpectationPlots
from app.ui.widgets.experience_curve import ExperienceCurve
from app.ui.widgets.keys import Keys
from app.ui.widgets.mind_map import MindMap
from app.ui.widgets.part_tabs import PartTabs
from app.ui.widgets.stage_parts import Discoveries, EngineRoom
from app.ui.widgets.then_and_now import ThenAndNow
from engine import GAMES

_PARTS: Final = {
    "learning": "Curve",
    "tables": "Then and now",
    "found": "Found out",
    "engine": "Engine room",
    "mind": "Mind",
}
_TITLES: Final = {
    "tables": "Then and now: the same deal, against Hard",
    "found": "Found out",
    "engine": "Engine room",
    "mind": "What it thinks",
}
_MOVE_SECONDS: Final = 0.3
"""Seconds between two moves of then and now."""

_REST: Final = 10
"""Moves for which a finished deal stays."""

_MIND_KEYS: Final = ("kind", "across", "down")


class StageScreen(Screen[None]):
    """Shows a feed, which outlives the screen."""

    CSS_PATH = "stage.tcss"
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide"), (170, "-huge")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high")]
    BINDINGS: ClassVar = [
        Binding("p", "pause", "Pause", id="stage.pause"),
        Binding("s", "stop", "Stop", id="stage.stop"),
        Binding("k", "save", "Save", id="stage.save"),
        Binding("g", "play", "Play it", id="stage.play"),
        Binding("w", "watch", "Watch it", id="stage.watch"),
        Binding("f", "fork", "Fork", id="stage.fork"),
        Binding("n", "another", "New", id="stage.another"),
        Binding("o", "other", "Other", id="stage.other"),
        Binding("escape", "back", "Back", key_display="Esc", id="stage.back"),
        Binding("right,l,tab", "turn(1)", "Part", key_display="←→", id="stage.next"),
        Binding("left,h,shift+tab", "turn(-1)", show=False, id="stage.previous"),
        Binding("m", "kind", "Situations", id="stage.kind"),
        Binding("x", "across", "Across", id="stage.across"),
        Binding("y", "down", "Down", id="stage.down"),
        *[
            Binding(str(number), f"part({number - 1})", show=False, id=f"stage.part-{number}")
            for number in range(1, len(_PARTS) + 1)
        ],
    ]

    def __init__(self, feed: Feed, ascii_only: bool, store: Store, others: int = 0) -> None:
        """store: has named learners; others: learners that wait behind this one."""
        super().__init__()
        self.feed = feed
        self._ascii = ascii_only
        self._store = store
        self._others = others
        subject = feed.subject
        self._teller = Teller(subject.game, subject.agent, ascii_only)
        learner = create(subject.game, subject.agent)
        self._abstraction = learner.abstraction if isinstance(learner, TabularLearner) else None
        self._title = f"{GAMES[subject.game].title} · {title_of(subject.game, subject.agent)}"
        self._active = 0
        self._rest = 0
        self._shown: Comparison | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="head"):
            yield Static("Watch it learn", id="title")
            yield Static(id="subject")
            yield Static(id="progress")
        yield PartTabs(list(_PARTS.values()), id="tabs")
        with Container(id="parts"):
            with Vertical(id="learning", classes="part"):
                yield Static(id="rates")
                yield ExperienceCurve(self._ascii or self.app.no_color, id="curve")
                yield Static("matches of training", id="axis")
            yield self._part("tables", ThenAndNow(self._ascii, id="deals"))
            yield self._part("found", Discoveries(id="discoveries"))
            yield self._part("engine", EngineRoom(id="vitals"))
            picture = (
                ExpectationPlots(id="plots") if self._abstraction is None else MindMap(id="map")
            )
            yield self._part("mind", picture)
        yield Keys(palette=False)

    def _part(self, name: str, widget: Widget) -> Vertical:
        part = Vertical(widget, id=name, classes="part")
        part.border_title = _TITLES[name]
        return part

    def on_mount(self) -> None:
        self.query_one("#learning").border_title = "Learning curve"
        self.set_interval(_MOVE_SECONDS, self.move_on)
        self.action_part(0)
        self._show_all()

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self._show_all()

    # Reports

    def show(self, report: Report) -> None:
        """Draw what a report has changed, if the screen can be seen."""
        if not self.is_current or not self.is_mounted:
            return
        if isinstance(report, Measured):
            self._show_curve()
        elif isinstance(report, Vitals):
            self._show_engine()
        elif isinstance(report, Discovery):
            self._show_found()
        elif isinstance(report, TableMind | Expectations):
            self._show_mind()
        elif isinstance(report, Comparison) and self._shown is None:
            self._show_deal()
        self._show_head()

    def _show_all(self) -> None:
        for draw in (
            self._show_head,
            self._show_curve,
            self._show_engine,
            self._show_found,
            self._show_mind,
        ):
            draw()
        if self._shown is None:
            self._show_deal()
        self.refresh_bindings()

    def _show_head(self) -> None:
        feed, record = self.feed, self.feed.record
        continued = bool(own_name(feed.subject.agent))
        words = {
            Phase.STARTING: "continues" if continued else "a new learner that knows nothing",
            Phase.LEARNING: f"learns on for {record.seconds:,.0f} s"
            if continued
            else f"knew nothing {record.seconds:,.0f} s ago",
            Phase.PAUSED: f"paused after {record.seconds:,.0f} s",
            Phase.STOPPED: f"stopped after {record.seconds:,.0f} s",
            Phase.FAILED: "ended unexpectedly",
        }[feed.phase]
        # No new layout for each report: it would draw the whole screen again.
        subject = self.query_one("#subject", Static)
        told = f"{self._title}, {words}"
        fits = len(told) <= (subject.content_size.width or len(told))
        subject.update(told if fits else self._title, layout=False)
        rate = record.vitals[-1].matches_per_second if record.vitals else 0.0
        speed = f"   {rate:,.0f}/s" if feed.phase is Phase.LEARNING and rate else ""
        text = f"{record.matches:,} matches{speed}"
        progress = self.query_one("#progress", Static)
        if len(text) > progress.size.width:
            progress.styles.width = len(text)
        progress.update(text, layout=False)

    def _show_curve(self) -> None:
        record = self.feed.record
        self.query_one(ExperienceCurve).show(record.points)
        parts: list[str | tuple[str, str]] = []
        for rival in reversed(COLOURS):
            point = record.latest(rival)
            if point is not None:
                weight = "bold " if rival == "hard" else ""
                colour = "#{:02x}{:02x}{:02x}".format(*COLOURS[rival])
                rate = f"{point.win_rate:.0%}".replace("%", " %")
                if rival == "hard":
                    rate = percentages(point.win_rate, point.low, point.high)
                parts += [("● ", colour), (f"{rival.title()} ", weight), (f"{rate}   ", weight)]
        empty = Content.styled("How often it wins: the first point is on its way.", "dim")
        rates = self.query_one("#rates", Static)
        heading = Content.assemble("won against  ", *parts) if parts else empty
        if parts and len(heading.rstrip()) > (rates.content_size.width or len(heading)):
            heading = Content.assemble(*parts)
        rates.update(heading, layout=False)

    def _show_engine(self) -> None:
        table = self._abstraction is not None
        self.query_one(EngineRoom).show(self.feed.record, table)

    def _show_found(self) -> None:
        record = self.feed.record
        sentences = [
            self._teller.sentence(each, record.positions) for each in reversed(record.discoveries)
        ]
        self.query_one(Discoveries).show(sentences)

    def _show_mind(self) -> None:
        record = self.feed.record
        if self._abstraction is None:
            self.query_one(ExpectationPlots).show(self._teller.followed(record))
        elif record.minds:
            self.query_one(MindMap).show(self._abstraction, record.minds)

    def _show_deal(self) -> None:
        """Begin with the newest comparison."""
        record = self.feed.record
        if record.comparison is None or record.comparison is self._shown:
            return
        self._shown, self._rest = record.comparison, 0
        deals = self.query_one(ThenAndNow)
        deals.show(*self._teller.stories(record.comparison), self._teller.tally(record))
        if self.app.animation_level == "none":
            deals.finish()

    def move_on(self) -> None:
        """The next move of then and now, or the next deal."""
        if not self.is_current:
            return
        deals = self.query_one(ThenAndNow)
        if deals.running:
            deals.advance()
            return
        self._rest += 1
        if self._rest > _REST:
            self._show_deal()

    # Parts

    @property
    def _one_by_one(self) -> bool:
        """Whether the window has room for one part only."""
        return self.has_class("-narrow") or self.has_class("-low")

    def action_part(self, at: int) -> None:
        self._active = at
        self.query_one(PartTabs).show(at)
        for number, name in enumerate(_PARTS):
            self.query_one(f"#{name}").set_class(number == at, "-active")

    def action_turn(self, step: int) -> None:
        self.action_part((self._active + step) % len(_PARTS))

    @on(PartTabs.Picked)
    def _picked(self, event: PartTabs.Picked) -> None:
        self.action_part(event.at)

    def on_resize(self) -> None:
        self.call_after_refresh(self.refresh_bindings)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        feed = self.feed
        if action in ("pause", "stop"):
            return feed.phase not in (Phase.STOPPED, Phase.FAILED)
        if action in ("save", "play", "watch", "fork"):
            return feed.alive
        if action == "other":
            return bool(self._others)
        if action in _MIND_KEYS:
            return self._abstraction is not None
        if action == "turn":
            return self._one_by_one
        return True

    # Orders

    def action_pause(self) -> None:
        self.feed.pause()
        self._show_head()

    def action_stop(self) -> None:
        self.feed.stop()
        self._show_head()
        self.refresh_bindings()

    def action_save(self) -> None:
        """Ask for a name and save the learner under it."""

        def answered(name: str | None) -> None:
            if name is not None:
                self.feed.save_as(name)

        subject = self.feed.subject
        form = NameForm(
            f"Save under a name · {self._title}",
            "Save",
            subject.game,
            subject.agent,
            self._store,
            own_name(self.feed.name),
        )
        self.app.push_screen(form, answered)

    @work(thread=True, exclusive=True, group="fork")
    def action_fork(self) -> None:
        """Read the settings in a thread, since the file of a named learner may be large."""
        subject, name = self.feed.subject, self.feed.name or self.feed.subject.agent
        known = parameters(subject.game, name, self._store)
        if not own_name(name):
            settings = course_of(subject).settings
            known = [replace(each, value=settings.get(each.name, each.value)) for each in known]
        self.app.call_from_thread(self._ask_for_fork, known)

    def _ask_for_fork(self, known: list[Parameter]) -> None:
        def answered(answer: tuple[str, dict[str, float], dict[str, float]] | None) -> None:
            if answer is not None:
                self.feed.fork(*answer)

        subject = self.feed.subject
        self.app.push_screen(ForkForm(subject.game, subject.agent, self._store, known), answered)

    def action_other(self) -> None:
        self.post_message(SwitchStage())

    def action_play(self) -> None:
        self.feed.save(Purpose.PLAY)

    def action_watch(self) -> None:
        self.feed.save(Purpose.WATCH)

    def action_kind(self) -> None:
        self.query_one(MindMap).next_kind()

    def action_across(self) -> None:
        self.query_one(MindMap).next_across()

    def action_down(self) -> None:
        self.query_one(MindMap).next_down()

    def action_another(self) -> None:
        def answered(chosen: tuple[str, str] | None) -> None:
            if chosen is not None:
                self.post_message(OpenStage(*chosen, fresh=True))

        subject = self.feed.subject
        self.app.push_screen(StageForm(subject.game, subject.agent, self._store), answered)

    def action_back(self) -> None:
        """Leave, after asking what becomes of a learner that is not saved."""
        feed = self.feed
        if not feed.alive or feed.saved == feed.record.matches or not feed.record.matches:
            self._end()
            return

        def answered(answer: str | None) -> None:
            if answer == "end":
                self._end()
            elif answer == "on":
                self.dismiss()

        learning = feed.phase in (Phase.LEARNING, Phase.STARTING)
        text = "Let it learn on" if learning else "Leave it"
        sentence = (
            f"Leave {self._title}? In the background it can go on, and Watch it learn brings you "
            "back. If you end it, only saved values remain."
        )
        answers = [Answer("on", "b", text), Answer("end", "e", "End it")]
        self.app.push_screen(Question(sentence, answers), answered)

    def _end(self) -> None:
        self.post_message(EndStage())
        self.dismiss()
