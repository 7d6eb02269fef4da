"""The app: opens screens and owns what outlives them.

Only what the first screen shows is imported here. Other screens and everything that reads the disk
are imported on first use. `_get_ready` imports what is likely next, once the first screen is
painted.
"""

import asyncio
import gc
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING

from textual import on, work
from textual._context import active_message_pump
from textual.app import SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from app.home.locations import Locations
from app.ui.departure import Departure
from app.ui.guide_app import GuideApp
from app.ui.rated_app import RatedApp
from app.ui.replay_app import ReplayApp
from app.ui.screens.asking import Palette
from app.ui.screens.home import HomeScreen
from app.ui.screens.requests import (
    GoHome,
    OpenExplorer,
    OpenHistory,
    OpenLab,
    OpenReview,
    OpenStage,
    OpenStats,
    OpenSummary,
    OpenTable,
    OpenWaiting,
    PlayOn,
    ResumeMatch,
)

if TYPE_CHECKING:
    from textual.message import Message

    from app.lab.laboratory import JobReported, Laboratory
    from app.lab.run import Run
    from app.match.pace import Clock
    from app.match.past import Past
    from app.match.seating import TablePlan
    from app.records.journal import Recorded
    from app.records.journal_file import Journal

_NEEDS_TABLE = ("place(", "move(")
"""Actions that make no sense in the command palette, because they need the table in view."""

_SYSTEM = {
    "Theme": "Change the colours",
    "Quit": "Save and close Kibitz",
    "Keys": "Show or hide the keys of this screen",
    "Screenshot": "Save a picture of this screen as SVG",
}
"""Textual's own commands that make sense here, in our words."""

_SETTLED = 0.5
"""Seconds until the first screen has been painted and the machine is idle."""


class KibitzApp(ReplayApp, RatedApp, GuideApp):
    TITLE = "Kibitz"
    CSS_PATH = ["app.tcss", "screens/home.tcss"]
    BINDINGS = [Binding("ctrl+q", "quit", "Quit", show=False, priority=True, id="app.quit")]

    def __init__(
        self,
        locations: Locations,
        plan: "TablePlan | None" = None,
        ascii_only: bool = False,
        delay: float | None = None,
        clock: "Clock | None" = None,
        replay: "Recorded | None" = None,
        stage: tuple[str, str] | None = None,
        first: "Message | None" = None,
        coach_now: bool = False,
    ) -> None:
        """
        plan     a table to open immediately
        ascii_only, delay
                 override the settings for this run
        clock    replaces real time in match loops, for tests
        replay   a match to replay immediately
        stage    a game and a learner to watch learning immediately
        first    the request for another screen to open immediately
        coach_now
                 whether the coach examines the replayed match, if there is no report on it
        """
        super().__init__(locations, ascii_only, delay)
        self._replay = replay
        self._coach_now = coach_now
        self._laboratory: Laboratory | None = None
        self._stage = stage
        self._first = first
        self._plan = plan
        self._clock = clock

    @property
    def laboratory(self) -> "Laboratory":
        """Created on first use."""
        if self._laboratory is None:
            from app.lab.laboratory import Laboratory

            self._laboratory = Laboratory(
                self._locations, self._store, self._history, self.post_message
            )
        return self._laboratory

    def close_laboratory(self) -> None:
        """Stop its running job, the learner on the stage and the coaches, if any."""
        if self._laboratory is not None:
            self._laboratory.end()
        self.end_all_stages()
        self.end_coaches()
        self.end_par()

    def save_results(self) -> None:
        """Try once more to save the results of matches that could not be saved."""
        if "_keeper" in self.__dict__:
            self._keeper.save_rest()

    @property
    def _run(self) -> "Run | None":
        return self._laboratory.run if self._laboratory is not None else None

    def get_default_screen(self) -> HomeScreen:
        """Home's styles are part of the app's: styles of a pushed screen would make Textual parse
        all styles again before the first paint."""
        return HomeScreen(
            lambda: self.delay,
            lambda: self._history,
            lambda: self._keeper,
            lambda: self.ascii_only,
            self.count_due,
        )

    def on_mount(self) -> None:
        if not self.is_headless:
            Departure(self, self._quit, self.close_laboratory).watch()
            self.set_timer(_SETTLED, self._get_ready)
        if self._plan is not None:
            self.post_message(OpenTable(self._plan))
        elif self._replay is not None:
            self.call_later(self._show_replay, self._replay, self._coach_now)
        elif self._stage is not None:
            self.post_message(OpenStage(*self._stage, fresh=True))
        elif self._first is not None:
            self.post_message(self._first)

    def _get_ready(self) -> None:
        """Import what a table needs, in a thread, after the first screen is painted.

        These objects live until the end, so the garbage collector need not look at them.
        """

        def load() -> None:
            try:
                for module in (
                    "agents.learners.tabular",
                    "app.ui.screens.play",
                    "app.ui.screens.watch",
                ):
                    import_module(module)
            finally:
                gc.freeze()
                gc.enable()

        self.run_worker(load, thread=True, exit_on_error=False)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The commands behind the screen's keys, then Textual's own."""
        offered: set[str] = set()
        for active in screen.active_bindings.values():
            binding = active.binding
            needs_table = binding.action.startswith(_NEEDS_TABLE)
            if binding.id and binding.description and not needs_table and active.node is screen:
                if binding.id in offered:
                    continue
                offered.add(binding.id)
                key = self.get_key_display(binding)
                yield SystemCommand(
                    binding.tooltip or binding.description,
                    f"Key {key}",
                    lambda action=binding.action: self._run_on(screen, action),
                )
        for command in super().get_system_commands(screen):
            if command.title in _SYSTEM:
                yield command._replace(help=_SYSTEM[command.title])

    async def _run_on(self, screen: Screen[object], action: str) -> None:
        """Run an action unless the screen has been left."""
        if screen is self.screen:
            await screen.run_action(action)

    def action_command_palette(self) -> None:
        """Open the palette without Textual's fixed id: the last one may still be closing."""
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette())

    def pop_screen(self) -> AwaitComplete:
        """Close the screen that asked for it, once: a second click must not close another screen.
        Its workers are cancelled first."""
        asking = active_message_pump.get()
        within = asking.ancestors_with_self if isinstance(asking, DOMNode) else [self]
        if len(self.screen_stack) == 1 or not (asking is self or self.screen in within):
            return AwaitComplete()
        self.workers.cancel_node(self.screen)
        return super().pop_screen()

    @on(OpenTable)
    async def _open_table(self, event: OpenTable) -> None:
        if not (event.offers_guide and await self.offer_guide(event.plan)):
            await self._seat(event.plan)

    async def seat(self, plan: "TablePlan") -> None:
        await self._seat(plan)

    async def _seat(
        self, plan: "TablePlan", journal: "Journal | None" = None, past: "Past | None" = None
    ) -> None:
        from agents.registry import check_name
        from app.match.automatic import Automatic
        from app.match.dealing import first_seat
        from app.match.past import NOTHING_YET
        from app.match.seating import PERSON
        from app.ui.screens.play import PlayScreen
        from app.ui.screens.watch import WatchScreen
        from app.ui.tables import table_class

        plan = await self.with_matched(plan)
        try:
            for name in set(plan.seats) - {PERSON}:
                check_name(plan.game, name, self._store)
        except ValueError as error:
            if journal is not None:
                journal.close()
            self.notify(str(error), severity="warning", markup=False)
            return
        first = first_seat(plan, table_class(plan.game).rotates_start)
        if journal is not None and journal.setup.first != first:
            journal.close()
            self.notify(
                "That match was started by another seat, so it cannot be resumed at this table."
            )
            return
        await self._back_to_home()
        chosen = plan.teaching == "always" or self.settings.teaching == "always"
        if not plan.watched:
            plan = await asyncio.to_thread(self.decide_teaching, plan)
        kind = WatchScreen if plan.watched else PlayScreen
        table = kind(
            plan,
            self._store,
            self.ascii_only,
            self._clock,
            self._keeper,
            journal,
            past or NOTHING_YET,
        )
        settings = self.settings
        table.confirms_leaving = settings.confirm_leaving
        table.automatic = Automatic(settings.play_only_card, settings.claim_decided)
        if isinstance(table, PlayScreen) and self.coached:
            table.new_coach = self.new_coach
        if isinstance(table, PlayScreen) and self.settings.tips:
            from app.ui.screens.tips import SeenTips, TipGiver

            seen = SeenTips(self._locations.tips)
            table.tips = await asyncio.to_thread(TipGiver, plan.game, seen)
        await self.push_screen(table)
        self.cover_if_too_small(self.size)
        if plan.teaches and past is None:
            self.tell_about_teaching(plan, chosen)
        if plan.daily:
            self.run_worker(self.want_par_of(plan), exit_on_error=False)

    @on(OpenWaiting)
    async def _open_waiting(self) -> None:
        from app.ui.screens.waiting import WaitingScreen

        await self.push_screen(WaitingScreen(self._keeper))

    @on(ResumeMatch)
    async def _resume(self, event: ResumeMatch) -> None:
        from app.records.journal import JournalError

        try:
            recorded, journal = await asyncio.to_thread(self._keeper.resume, event.journal)
        except JournalError as error:
            self.notify(str(error), markup=False)
        else:
            await self._resume_at(recorded, journal)

    async def _resume_at(self, recorded: "Recorded", journal: "Journal") -> None:
        """A journal may come from anyone, so the programs it names are started only if the person
        agrees."""
        from dataclasses import replace

        from agents.protocols.program import is_program
        from app.home.visitor import is_visitor

        plan = recorded.setup.plan(self.delay)
        programs = sorted({name for name in plan.seats if is_program(name)})
        if not programs:
            await self._seat(plan, journal, recorded.past)
            return
        if is_visitor():
            await asyncio.to_thread(journal.close)
            self.notify("A program plays in this match, so you can only replay it.")
            return
        from agents.plain_text import sentence
        from app.ui.screens.question import Answer, Question

        async def answered(answer: str | None) -> None:
            if answer == "start":
                await self._seat(replace(plan, programs=True), journal, recorded.past)
            else:
                await asyncio.to_thread(journal.close)

        named = sentence(" and ".join(programs), 200)
        question = f"This match starts a program on your machine: {named}. Start it?"
        await self.push_screen(Question(question, [Answer("start", "s", "Start it")]), answered)

    @on(PlayOn)
    async def _play_on(self, event: PlayOn) -> None:
        """A journal may come from anyone, so the programs it names are never started."""
        from agents.protocols.program import is_program

        if any(map(is_program, event.setup.players)):
            self.notify("A program plays in this match, so you can only replay it.")
            return
        begin = self._keeper.begin_from
        journal = await asyncio.to_thread(begin, event.setup, event.past)
        await self._seat(journal.setup.plan(self.delay), journal, event.past)

    @on(OpenReview)
    async def _open_review(self, event: OpenReview) -> None:
        from app.ui.screens.review import ReviewScreen

        await self.push_screen(
            ReviewScreen(event.plan, event.seed, event.actions, event.hand_no, self.ascii_only)
        )

    @on(OpenSummary)
    async def _open_summary(self, event: OpenSummary) -> None:
        from app.ui.screens.summary import SummaryScreen

        summary = SummaryScreen(event.plan, event.seed, event.actions, self.ascii_only, event.coach)
        summary.history = self._history
        await self.push_screen(summary)

    @on(OpenHistory)
    async def _open_history(self) -> None:
        from app.ui.screens.history import HistoryScreen

        await self._show_alone(HistoryScreen(self._history))

    @on(OpenStats)
    async def _open_stats(self) -> None:
        from app.ui.screens.stats import StatsScreen

        await self._show_alone(StatsScreen(self._history, self.ascii_only))

    async def _show_alone(self, screen: Screen[None]) -> None:
        """History and Stats replace each other, so that Back leaves both."""
        from app.ui.screens.history import HistoryScreen
        from app.ui.screens.stats import StatsScreen

        if isinstance(self.screen, (HistoryScreen, StatsScreen)):
            await self.pop_screen()
        await self.push_screen(screen)

    @on(OpenExplorer)
    async def _open_explorer(self, event: OpenExplorer) -> None:
        from app.ui.screens.explorer import ExplorerScreen

        await self.push_screen(
            ExplorerScreen(
                event.game,
                event.agent,
                self._store,
                event.thoughts,
                event.situation,
                event.move,
            )
        )

    @on(OpenLab)
    async def _open_lab(self, event: OpenLab) -> None:
        from app.ui.screens.lab import LabScreen

        await self.push_screen(LabScreen(self.laboratory, event.game, self.ascii_only))

    def on_job_reported(self, event: "JobReported") -> None:
        sentence = self.laboratory.take(event.run, event.report)
        if sentence:
            self.notify(sentence, markup=False)

    @on(GoHome)
    async def _back_to_home(self) -> None:
        """Close every screen above Home. Tables are saved."""
        await self._leave_tables()
        while len(self.screen_stack) > 1:
            await self.pop_screen()

    async def _leave_tables(self) -> None:
        above_home = self.screen_stack[1:]
        if not above_home:
            return
        from app.ui.screens.table import TableScreen

        for screen in above_home:
            if isinstance(screen, TableScreen):
                await screen.leave()

    async def _on_exit_app(self) -> None:
        """Save the tables whenever the app ends, also when a browser tab is closed."""
        await self._leave_tables()

    async def action_quit(self) -> None:
        run = self._run
        if run is not None and run.unsaved:
            from app.lab.laboratory import summary
            from app.ui.screens.question import Answer, Question

            answers = [Answer("keep", "k", "Keep"), Answer("lose", "d", "Discard")]
            question = f"{summary(run)}\n\nKeep what it has learned before you go?"
            self.push_screen(Question(question, answers), self._quit_lab)
        else:
            await self._quit()

    def _quit_lab(self, answer: str | None) -> None:
        if answer is not None:
            self._finish_run(answer == "keep")

    @work
    async def _finish_run(self, keep: bool) -> None:
        run = self._run
        if not keep:
            self.laboratory.end(discard=True)
        elif run is not None and run.busy:
            run.keep()
            self.notify("Keeping what was learned…")
            await run.over.wait()
        await self._quit()

    async def _quit(self) -> None:
        await self._leave_tables()
        self.exit()

    def on_unmount(self) -> None:
        self.close_laboratory()
