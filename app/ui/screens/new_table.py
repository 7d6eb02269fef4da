"""New table: seats, options, delay and seed. Every field has a default."""

from collections.abc import Mapping
from dataclasses import fields, replace

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from agents.evaluation.ratings import ladder
from agents.registry import agents_for, known_agents, spec_of
from agents.storage.store import Store
from app.guides.guide import has_guide
from app.home.settings import TEACHING
from app.match.evenness import evenness
from app.match.pace import SPEEDS
from app.match.seating import (
    MATCHED,
    PERSON,
    TablePlan,
    compass,
    default_seats,
    plan_table,
    seat_count,
    without_persons,
)
from app.records.matched import matched_agent
from app.records.personal_rating import PersonalRating
from app.ui.screens.requests import OpenGuide, OpenTable
from app.ui.widgets.agent_cycle import AgentCycle
from app.ui.widgets.banner import Banner
from app.ui.widgets.cycle import Cycle, Values
from app.ui.widgets.form import Field, row, value_of
from app.ui.widgets.keys import Keys
from app.ui.widgets.scroll import Scroll
from engine.game import Game, OptionValue
from engine.manifest import GAME_ROWS, variant_name


class NewTableScreen(Screen[None]):
    """A form. Enter deals from any field."""

    CSS_PATH = ["common.tcss", "new_table.tcss"]
    AUTO_FOCUS = "Cycle"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-tall")]
    BINDINGS = [
        Binding("enter", "deal", "Deal", key_display="Enter", id="new.deal"),
        Binding("up", "app.focus_previous", "Row", key_display="↑↓", id="new.up"),
        Binding("down", "app.focus_next", show=False, id="new.down"),
        Binding("escape", "back", "Back", key_display="Esc", id="new.back"),
    ]

    def __init__(
        self,
        game: Game,
        delay: float,
        store: Store,
        ascii_only: bool = False,
        teaching: str = "never",
        ratings: Mapping[str, PersonalRating] | None = None,
    ) -> None:
        """
        store      has named learners and the generations of learners
        teaching   when costly moves are pointed out, one of `TEACHING`
        ratings    of the person, by game
        """
        super().__init__()
        self._teaching = teaching
        self._ratings = ratings or {}
        self._ascii_only = ascii_only
        self._game = game
        self._delay = delay
        self._store = store

    def compose(self) -> ComposeResult:
        title = f"New table · {self._game.title}"
        yield Static(title, id="title", classes="heading")
        yield Banner(GAME_ROWS[self._game.name], title, self._ascii_only, id="banner")
        with Scroll(id="form"):
            with Vertical(id="seats", classes="rows"):
                yield from self._seat_rows(seat_count(self._game, {}))
            yield Static(id="evenness")
            with Vertical(id="options", classes="rows"):
                yield from self._option_rows()
            with Vertical(classes="rows"):
                speeds = [(f"{speed:g}", f"{speed:g} s") for speed in SPEEDS]
                delay = Cycle(speeds, f"{self._delay:g}", id="delay")
                yield row("Delay", delay, "Seconds between the moves of agents.")
                teaching = Cycle(list(TEACHING.items()), self._teaching, id="teaching")
                yield row("Teaching", teaching, "Ask again before a costly move. Unrated.")
                seed = Field(placeholder="random", compact=True, type="integer", id="seed")
                yield row("Seed", seed, "The same seed deals the same cards.")
        yield Static(id="help")
        yield Static(id="error")
        with Horizontal(id="buttons"):
            yield Button("Deal", variant="primary", compact=True, id="deal")
            yield Button("Watch", compact=True, id="watch")
            if has_guide(self._game.name):
                yield Button("Guided hand", compact=True, id="guide")
        yield Keys()

    def _seat_rows(self, seats: int) -> list[Widget]:
        values: Values = [
            (PERSON, "A person"),
            (MATCHED, "Matched · an even match"),
            *self._agents(),
        ]
        chosen = default_seats(self._game, seats, watch=False)
        return [
            row(name, AgentCycle(self._game.name, self._store, values, player, f"seat-{seat}"), "")
            for seat, (name, player) in enumerate(zip(compass(seats), chosen, strict=True))
        ]

    def _agents(self) -> Values:
        """The agents with a rating, weakest first, then the others."""
        known = known_agents(self._game.name, self._store)
        rated = ladder(self._game.name)
        order = [*reversed(rated), *[name for name in known if name not in rated]]
        return [
            (
                name,
                f"{known[name].title} · "
                + (f"{rated[name].points:.0f}" if name in rated else known[name].level),
            )
            for name in order
        ]

    def _option_rows(self) -> list[Widget]:
        rows: list[Widget] = []
        for option in fields(self._game.options):
            choices = option.metadata["choices"]
            low, high = option.metadata["low"], option.metadata["high"]
            if low is not None and high is not None:
                choices = range(low, high + 1)
            if isinstance(option.default, bool):
                values = [("on", "on"), ("off", "off")]
                editor: Widget = Cycle(
                    values, "on" if option.default else "off", id=f"option-{option.name}"
                )
            elif choices:
                values = [(str(choice), str(choice)) for choice in choices]
                editor = Cycle(values, str(option.default), id=f"option-{option.name}")
            else:
                editor = Field(
                    str(option.default), compact=True, type="integer", id=f"option-{option.name}"
                )
            name = option.name.replace("_", " ").capitalize()
            help = option.metadata["help"]
            rows.append(row(name, editor, f"{help[0].upper()}{help[1:]}."))
        return rows

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._explain(event.widget)

    def _explain(self, widget: Widget) -> None:
        """Explain a row; for a seat, the agent that would sit there."""
        about = str(widget.tooltip or "")
        if isinstance(widget, Cycle) and (widget.id or "").startswith("seat-"):
            about = "Somebody at this keyboard."
            if widget.value == MATCHED:
                about = self._about_matched()
            elif widget.value != PERSON and (spec := spec_of(self._game.name, widget.value)):
                about = f"{spec.title} {spec.summary}."
        self.query_one("#help", Static).update(about)

    def _about_matched(self) -> str:
        """Say whom a matched seat gets."""
        try:
            agent = self._matched(self._game.parse_options(self._option_texts()))
        except ValueError:
            return ""
        known = agents_for(self._game.name)
        return f"An agent against which you win as often as it does: {known[agent].title}."

    def _matched(self, options: Mapping[str, OptionValue]) -> str:
        plan = TablePlan(self._game.name, tuple(self._seats()), options)
        return matched_agent(plan, self._ratings)

    @on(Cycle.Changed, "#seats Cycle")
    def _seat_changed(self, event: Cycle.Changed) -> None:
        self._explain(event.cycle)
        self._show_evenness()

    def on_mount(self) -> None:
        self._show_evenness()

    def _seats(self) -> list[str]:
        return [cycle.value for cycle in self.query("#seats Cycle").results(Cycle)]

    def _show_evenness(self) -> None:
        """Say how even the table is."""
        try:
            options = self._game.parse_options(self._option_texts())
            seats = self._seats()
            if MATCHED in seats:
                agent = self._matched(options)
                seats = [agent if name == MATCHED else name for name in seats]
            own = self._ratings.get(variant_name(self._game.name, options))
            sentence = evenness(self._game, seats, options, own.now.rating if own else None)
        except ValueError:
            sentence = ""
        self.query_one("#evenness", Static).update(sentence)

    @on(Cycle.Changed, "#options Cycle")
    async def _options_changed(self) -> None:
        """Show as many seats as there are players."""
        seats = self.query_one("#seats")
        try:
            wanted = seat_count(self._game, self._game.parse_options(self._option_texts()))
        except ValueError as error:
            self.query_one("#error", Static).update(Content(str(error)))
            return
        self.query_one("#error", Static).update("")
        if wanted != len(seats.children):
            await seats.remove_children()
            await seats.mount_all(self._seat_rows(wanted))
        self._show_evenness()

    def _option_texts(self) -> dict[str, str]:
        return {
            option.name: value_of(self.query_one(f"#option-{option.name}"))
            for option in fields(self._game.options)
        }

    def _open(self, watch: bool) -> None:
        try:
            options = self._game.parse_options(self._option_texts())
            seats = self._seats()
            if watch:
                seats = without_persons(self._game, seats)
            seed = value_of(self.query_one("#seed"))
            plan = plan_table(
                self._game.name,
                seats,
                options,
                float(value_of(self.query_one("#delay"))),
                int(seed) if seed else None,
                watch,
            )
        except ValueError as error:
            self.query_one("#error", Static).update(Content(str(error)))
        else:
            teaching = value_of(self.query_one("#teaching"))
            self.post_message(OpenTable(plan if watch else replace(plan, teaching=teaching)))

    @on(Input.Submitted)
    def action_deal(self) -> None:
        self._open(watch=False)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "guide":
            self.post_message(OpenGuide(self._guided()))
        else:
            self._open(watch=event.button.id == "watch")

    def _guided(self) -> str:
        """The game, or the variant of it that the options choose, if that has a guide."""
        variant = variant_name(self._game.name, self._option_texts())
        return variant if has_guide(variant) else self._game.name

    def action_back(self) -> None:
        self.app.pop_screen()
