"""A guided first hand: the real table with a fixed deal, a friend's words and scripted players."""

from collections.abc import Callable, Sequence
from random import Random

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Center
from textual.content import Content

from agents.agent import Agent, Decision
from agents.match import Match
from agents.registry import make
from agents.storage.store import Store
from app.guides.guide import PERSON_SEAT, Guide, Step
from app.match.dealing import Deal
from app.match.loop import TableLoop
from app.match.moment import NOBODY, Moment
from app.match.pace import Clock
from app.match.seating import PERSON, TablePlan, plan_table
from app.ui.layout.pictures import Choice
from app.ui.screens.board import question_of
from app.ui.screens.marking import MarkingScreen
from app.ui.screens.requests import OpenRules, OpenTable
from app.ui.screens.table_keys import (
    BACK_KEY,
    FASTER,
    LAST_TRICK,
    RULES,
    SLOWER,
    TAKE_KEY,
    place_bindings,
)
from app.ui.widgets.guide_box import GuideBox, guide_text
from app.ui.widgets.prompt import Prompt
from app.ui.widgets.status import Status
from engine.game import View

_OTHERS = "hard"
"""Who plays the other seats after a person has left the script."""

_DELAY = 0.7
_FREE = "You go your own way now, and the others play as they like. The guide returns at the end."
_OTHERWISE = "You may do that, but the guide has another idea."


class ScriptedPlayer(Agent):
    """Takes the moves of the script, and those of another agent where the script has none."""

    name = _OTHERS

    def __init__(self, next_label: Callable[[], str], otherwise: Agent) -> None:
        """next_label: the move of the script that is due, empty if there is none"""
        self._next_label = next_label
        self._otherwise = otherwise

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        label = self._next_label()
        for action in legal:
            if view.label(action) == label:
                return Decision(action)
        return self._otherwise.act(view, legal, rng)


def guide_plan(guide: Guide, delay: float = _DELAY) -> TablePlan:
    """The table of a guide."""
    seats = [_OTHERS] * guide.deal().seats
    seats[PERSON_SEAT] = PERSON
    return plan_table(guide.game, seats, guide.options, delay, guide.seed)


class GuideScreen(MarkingScreen):
    """Nothing is recorded here. Esc leaves at any time, without a question."""

    CSS = """
    GuideScreen {
        #prompt, #panel {
            display: none;
        }
        #guide-place {
            height: auto;
            background: $felt;
        }
        #guide {
            height: auto;
            min-height: 6;
            max-height: 11;
            padding: 0 1;
            background: $surface;
            color: $foreground;
            border: round $accent;
            border-title-color: $accent;
            border-title-style: bold;
            border-subtitle-color: $text-muted;
            &.-remark {
                border: round $accent-smear;
            }
        }
        &.-wide #guide {
            width: 92;
            min-height: 8;
            padding: 1 3;
        }
        &.-wide #panel {
            display: none;
        }
    }
    """
    confirms_leaving = False
    BINDINGS = [
        Binding("enter", "take", "Go on", key_display="Enter", id=TAKE_KEY),
        *place_bindings(show=True),
        Binding("escape", "home", "Leave the guide", key_display="Esc", id=BACK_KEY),
        RULES,
        LAST_TRICK,
        FASTER,
        SLOWER,
        Binding("space", "mark", "Mark", show=False, id="play.mark"),
    ]

    def __init__(
        self,
        guide: Guide,
        store: Store,
        ascii_only: bool,
        match_delay: float,
        clock: Clock | None = None,
    ) -> None:
        """match_delay: seconds between the moves of agents in the real match that may follow"""
        super().__init__(guide_plan(guide), store, ascii_only, clock)
        self._match_delay = match_delay
        self.guide = guide
        self.at = 0
        """The number of the current or next step."""
        self.free = False
        """Whether the person has left the script."""
        self._places = guide.places()
        self._labels = guide.labels
        self._other: tuple[int, ...] = ()
        """A move outside the script that leaves it if it is chosen again."""

    def compose(self) -> ComposeResult:
        self._bindings = self.bindings_with(self.app._keymap)
        yield from super().compose()

    def on_mount(self) -> None:
        place = Center(GuideBox(id="guide"), id="guide-place")
        self.query_one("#table").mount(place, before="#choices")

    def _deal_cards(self) -> Deal:
        other = make(self.plan.game, _OTHERS)
        script = ScriptedPlayer(self._next_label, other)
        players = [None if seat == PERSON else script for seat in self.plan.seats]
        seed = self.guide.seed
        return Deal(Match(self.guide.deal(), players, seed, record=True), seed, self.guide.first)

    def _next_label(self) -> str:
        taken = len(self.loop.actions) if self.loop is not None else 0
        return self._labels[taken] if not self.free and taken < len(self._labels) else ""

    # Where the person is in the script

    @property
    def step(self) -> Step | None:
        """The step that is due now."""
        moment, loop = self.moment, self.loop
        if moment is None or loop is None or self.at >= len(self.guide.steps):
            return None
        step = self.guide.steps[self.at]
        if self.free:
            return step if step.end and moment.ending is not None else None
        place = len(loop.actions), moment.ending is not None
        return step if self._places[self.at] == place else None

    @property
    def reading(self) -> bool:
        """Whether Enter turns the page."""
        step = self.step
        return step is not None and not step.you

    @property
    def held(self) -> bool:
        return self.reading

    @property
    def finished(self) -> bool:
        """True from the last text on."""
        return self.reading and self.at == len(self.guide.steps) - 1

    def show(self, moment: Moment) -> None:
        before = self.moment
        super().show(moment)
        if self.loop is not None:
            self.loop.hold(self.reading or not self.is_current)
        if before is None or question_of(before) != question_of(moment):
            self._other = ()
            self._mark_suggestion()
            self.draw()

    def _turn_page(self) -> None:
        """Go on to the next text, or let the others play."""
        if self.finished or self.loop is None:
            return
        self.at += 1
        self._skip_to_end()
        following = self.guide.steps[self.at]
        if self.moment is not None and self.moment.ending is not None and following.next_hand:
            self.loop.acknowledge()
        self.loop.hold(self.reading)
        self._mark_suggestion()
        self.draw()

    def _skip_to_end(self) -> None:
        """After leaving the script only the texts that fit any hand are left."""
        steps = self.guide.steps
        while self.free and self.at < len(steps) - 1 and not steps[self.at].end:
            self.at += 1

    def _mark_suggestion(self) -> None:
        """Choose the suggested move on the table, so that Enter takes it."""
        step, moment = self.step, self.moment
        self.cursor, self.marked = -1, frozenset()
        if step is None or moment is None or not step.you or step.quiet:
            return
        actions = self._actions(step)
        cards, choices = self.cards(), self.choices()
        offset = len(cards) if self._cards_offered(cards) else 0
        for at, choice in enumerate(choices):
            if choice.action is not None and (choice.action,) == actions:
                self.cursor = offset + at
                return
        for at, card in enumerate(cards):
            if card.action is not None and (card.action,) == actions:
                self.cursor = at
                return
        held = [card.card for card in cards]
        for group in self._groups_of(held, actions):
            self.marked = frozenset([held.index(card) for card in group])

    def _groups_of(self, held: Sequence[int], actions: tuple[int, ...]) -> Sequence[Sequence[int]]:
        """The cards that these actions take together."""
        moment = self.moment
        if moment is None:
            return []
        if len(actions) > 1:
            named = [self.table.card_of(moment.view, action) for action in actions]
            return [[card for card in named if card is not None]]
        groups = self.table.groups(moment)
        same = [g for g in groups if tuple(self.table.actions_for_marked(moment, g)) == actions]
        return same[:1]

    def _actions(self, step: Step) -> tuple[int, ...]:
        """The actions of a suggested move."""
        moment = self.moment
        if moment is None or self.loop is None:
            return ()
        state = self.loop.match.state
        return tuple([state.parse(label) for label in step.you])

    # The person's answers

    def take_actions(self, loop: TableLoop, actions: tuple[int, ...]) -> None:
        step = self.step
        if self.free:
            loop.choose(*actions)
        elif step is None or not step.you:
            self.remark("Read on with Enter first; your turn comes right after it.")
        elif sorted(actions) == sorted(self._actions(step)):
            self.at += 1
            loop.choose(*actions)
        elif sorted(actions) == sorted(self._other):
            self.free = True
            self._skip_to_end()
            loop.choose(*actions)
        else:
            self._other = actions
            self.remark(
                f"{step.otherwise or _OTHERWISE} Choose something else, or the same once more to "
                "go your own way."
            )

    def action_take(self) -> None:
        if self.finished:
            self.action_play()
        elif self.reading and self.remarked:
            self.remark("")
        elif self.reading:
            self._turn_page()
        elif self.marked:
            self.action_take_marked()
        elif self.step is not None and self.cursor == -1:
            self.remark("Find it yourself this time, and press its key.")
        else:
            super().action_take()

    def action_play(self) -> None:
        """Play a real match."""
        plan = plan_table(self.plan.game, None, dict(self.guide.options), self._match_delay)
        self.post_message(OpenTable(plan))

    def action_rules(self) -> None:
        self.post_message(OpenRules(self.plan.game))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without the commands of a real match that some games have on keys of their own."""
        hidden = action in ("panel", "explore", "new")
        return False if hidden else super().check_action(action, parameters)

    # Drawing

    def choices(self) -> list[Choice]:
        if self.finished:
            return [
                Choice("Play a real match", command="take", key=TAKE_KEY),
                Choice("Rules", command="rules", key="table.rules"),
                Choice("Home", command="home", key=BACK_KEY),
            ]
        if self.reading:
            return [Choice("Go on", command="take", key=TAKE_KEY)]
        return super().choices()

    def _pace(self, moment: Moment) -> str:
        return "guided hand"

    def _status(self, moment: Moment) -> list[Status.Line]:
        """Without the seed, which says nothing here."""
        first, (facts, middle, _) = super()._status(moment)
        return [first, (facts, middle, Content(""))]

    def _draw_prompt(self, moment: Moment) -> None:
        """The box takes the place of the prompt."""
        step = self.step
        for box in self.query(GuideBox):
            box.set_class(bool(self.remarked), "-remark")
            box.show(self._box_title(), self._box_text(moment, step), self._box_keys(moment, step))
        self.query_one(Prompt).text = self.table.prompt(moment)

    def _box_title(self) -> str:
        count = len(self.guide.steps)
        return f" A first hand of {self.table.game.title.split(',')[0]} · {self.at + 1} of {count} "

    def _box_text(self, moment: Moment, step: Step | None) -> Content:
        faces = {face.code: face for face in self.table.faces}
        if self.remarked:
            before = f"{step.say}\n\n" if step is not None else ""
            remark = guide_text(self.remarked, faces)
            return Content.assemble(guide_text(before, faces), remark.stylize("$accent-smear"))
        said = self._about_marked()
        if said and step is None:
            return Content(said)
        if step is not None and self.free and moment.ending is not None:
            return Content.assemble(f"{moment.ending.sentence}\n\n", guide_text(step.say, faces))
        if step is not None:
            return guide_text(step.say, faces)
        if self.free:
            return Content.assemble(f"{self.table.prompt(moment)}\n", (_FREE, "dim"))
        return Content(moment.log[-1] if moment.log else "")

    def _box_keys(self, moment: Moment, step: Step | None) -> str:
        if self.finished:
            return " Enter plays a real match "
        if self.reading:
            return " Enter goes on · Esc leaves the guide "
        if step is not None and step.you and not step.quiet:
            return " Your turn: Enter or its key takes what is marked "
        if moment.asked != NOBODY:
            return " Your turn "
        return " The others play "
