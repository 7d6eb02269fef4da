"""Replays a recorded match at its table, move by move, with what the coach says about it."""

import asyncio
from collections.abc import Callable

from textual import on, work
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from agents.storage.store import Store
from app.match.moment import Moment
from app.records.history_file import HistoryError
from app.records.journal import Recorded
from app.records.match_report import MatchReport
from app.records.replay import Replay
from app.study.commentary import Commentary, new_commentary
from app.study.examination import Examination, Findings
from app.ui.layout.pictures import Choice
from app.ui.screens.requests import PlayOn
from app.ui.screens.table import TableScreen
from app.ui.screens.table_keys import LEAVE, LOG, RULES, SCORES
from app.ui.widgets.coach_words import commentary_text, new_cards_words, remark_words
from app.ui.widgets.panel import TABS, Panel

Keep = Callable[[MatchReport], None]
Read = Callable[[Recorded], Commentary]


class ReplayScreen(TableScreen):
    class Heard(Message):
        """The coach has found something more, or everything."""

    plays = False
    tabs = {name: TABS[name] for name in ("log", "scores")}
    BINDINGS = [
        Binding(
            "right,l,full_stop,space", "step(1)", "Step", key_display="←→", id="replay.forward"
        ),
        Binding("left,h,comma", "step(-1)", "Back", show=False, id="replay.back"),
        Binding("down,j,pagedown", "hand(1)", "Hand", key_display="↑↓", id="replay.next-hand"),
        Binding("up,k,pageup", "hand(-1)", "Hand before", show=False, id="replay.previous-hand"),
        Binding("p", "play_on", "Play on", id="replay.play-on"),
        LEAVE,
        Binding("home,g", "to_start", "Start", key_display="Home", id="replay.start"),
        Binding("end,G", "to_end", "End", key_display="End", id="replay.end"),
        Binding("v", "look", "Hands", id="replay.look"),
        Binding("c", "coach", "Coach", id="replay.coach"),
        Binding("n", "mistake(1)", "Mistakes", key_display="n N", id="replay.next-mistake"),
        Binding("N", "mistake(-1)", "Mistake before", show=False, id="replay.previous-mistake"),
        SCORES,
        LOG,
        RULES,
    ]

    def __init__(
        self,
        recorded: Recorded,
        store: Store,
        ascii_only: bool,
        read: Read = lambda recorded: Commentary(recorded, ()),
        keep: Keep = lambda report: None,
        coach_now: bool = False,
    ) -> None:
        """
        read        the commentary that the history has on a match
        keep        keeps a new report in the history
        coach_now   whether the coach examines the match at once, if there is no report on it
        """
        super().__init__(recorded.setup.plan(0.0), store, ascii_only)
        self._recorded = recorded
        if not self._why_no_coach():
            self.tabs = {"coach": "Coach", **self.tabs}
        self._replay: Replay | None = None
        self._read, self._keep = read, keep
        self._coach_now = coach_now
        self._commentary: Commentary | None = None
        self._findings = Findings()
        self._found = 0
        """What the coach has found so far, if it works here."""
        self._examining = False
        self._trouble = ""
        """Why the coach stopped, or why its report was not kept."""
        self._turning = asyncio.Lock()
        """Steps run one after the other in a thread, because going back starts from the deal."""

    def _begin(self) -> None:
        """Open the match without playing it."""
        self._open()

    @work
    async def _open(self) -> None:
        async with self._turning:
            self._replay = await asyncio.to_thread(Replay, self._recorded, self.table)
            try:
                self._commentary = await asyncio.to_thread(self._read, self._recorded)
            except HistoryError as error:
                self._trouble = str(error)
        self.query_one(Panel).open("coach" if self._reports else "log")
        self.show(self._replay.moment())
        if self._coach_now and not self._reports:
            await self.action_coach()

    async def _turn_to(self, stop: int) -> None:
        replay = self._replay
        if replay is not None:
            async with self._turning:
                await asyncio.to_thread(replay.go_to, stop)
            self.remarked = ""
            self.show(replay.moment())

    # Drawing

    def choices(self) -> list[Choice]:
        return []

    def _prompt(self, moment: Moment) -> str:
        if self._replay is None:
            return super()._prompt(moment)
        said = self._replay.sentence if moment.ending is None else super()._prompt(moment)
        return " ".join([part for part in (said, self._coach_words()) if part])

    def _pace(self, moment: Moment) -> str:
        replay = self._replay
        return f"move {replay.taken} of {replay.count}" if replay is not None else ""

    # The coach

    @property
    def _reports(self) -> list[MatchReport]:
        return self._commentary.reports if self._commentary is not None else []

    def _whose(self) -> str:
        """Of whom luck is told: of the first person."""
        name = self.seating.names[self._reports[0].seat]
        return "your" if name == "You" else f"{name}’s"

    def _coach_words(self) -> str:
        """What the coach says about the last action and the cards that came with it."""
        replay, commentary = self._replay, self._commentary
        if replay is None or commentary is None or not self._reports:
            return ""
        taken, dismissed = replay.stops[replay.at]
        if not taken:
            return new_cards_words(commentary.deal, self._whose())
        remark = commentary.remarks[taken - 1]
        deal_follows = replay.at < replay.last and replay.stops[replay.at + 1] == (taken, True)
        parts = [
            "" if dismissed else remark_words(self.table, remark),
            "" if deal_follows else new_cards_words(remark.luck, self._whose()),
        ]
        return " ".join([part for part in parts if part])

    def coach_text(self, moment: Moment) -> Content:
        if self._reports and self._commentary is not None and self._replay is not None:
            return commentary_text(self.table, self._commentary, self._replay.taken - 1)
        if self._trouble:
            return Content(self._trouble)
        if self._examining:
            return Content(f"The coach examines this match: {self._found} findings so far …")
        return Content(self._why_no_coach() or "There is no report on this match. c makes one.")

    def _why_no_coach(self) -> str:
        if not self.plan.persons:
            return "Only agents play in this match. The coach judges persons."
        if not self._recorded.over:
            return "This match is not over. The coach tells what it found at its end."
        return ""

    async def action_coach(self) -> None:
        """Open what the coach says, or let it examine a match without a report."""
        if why := self._why_no_coach():
            self.remark(why)
            return
        if not self._reports and not self._examining:
            self._examining = True
            self._trouble = ""
            self.run_worker(self._examine, thread=True, exit_on_error=False)
            if self.query_one(Panel).active != "coach" or not self.panel_opened:
                self.action_panel("coach")
        else:
            self.action_panel("coach")
        self.draw()

    def _examine(self) -> None:
        """Examine the match in a thread while the screen is open, and keep the reports."""
        worker = get_current_worker()
        try:
            examination = Examination(self._recorded.setup)
            examination.follow(tuple(self._recorded.past.actions))
            while found := examination.step():
                if worker.is_cancelled:
                    return
                self._findings.add(found)
                self._found += 1
                self.post_message(self.Heard())
            commentary = new_commentary(self._recorded, self._findings)
            self._commentary = commentary
            for report in commentary.reports:
                self._keep(report)
        except HistoryError as error:
            self._trouble = str(error)
        except Exception as error:
            self._trouble = f"The coach had to stop ({error})."
        self._examining = False
        self.post_message(self.Heard())

    @on(Heard)
    def _hear(self) -> None:
        self.draw()

    async def action_mistake(self, step: int) -> None:
        """Go to the next mistake, or to the one before."""
        replay, commentary = self._replay, self._commentary
        if replay is None or commentary is None or not self._reports:
            self.remark(self._why_no_coach() or "There is no report on this match. c makes one.")
            return
        numbers = [each.mistake.number for each in commentary.mistakes if each.mistake is not None]
        now = replay.taken - 1
        ahead = [each for each in numbers if (each > now if step > 0 else each < now)]
        if not ahead:
            where = "after" if step > 0 else "before"
            self.remark(f"There is no mistake {where} this move.")
            return
        number = min(ahead) if step > 0 else max(ahead)
        await self._turn_to(replay.stops.index((number + 1, False)))

    # Keys

    async def action_step(self, step: int) -> None:
        if self._replay is not None:
            await self._turn_to(self._replay.at + step)

    async def action_hand(self, step: int) -> None:
        replay = self._replay
        if replay is not None:
            await self._turn_to(replay.next_hand() if step > 0 else replay.previous_hand())

    async def action_to_start(self) -> None:
        await self._turn_to(0)

    async def action_to_end(self) -> None:
        if self._replay is not None:
            await self._turn_to(self._replay.last)

    async def action_look(self) -> None:
        """Open all hands, if the match is over."""
        replay = self._replay
        if replay is None:
            return
        if self.plan.persons and not self._recorded.over:
            self.remark("This match is not over, so the other hands stay hidden.")
            return
        async with self._turning:
            await asyncio.to_thread(replay.change_viewpoint)
        self.show(replay.moment())
        self.tell_viewpoint()

    def action_play_on(self) -> None:
        """Start an unrated match from this position."""
        replay = self._replay
        if replay is None:
            return
        if self._recorded.over and replay.at == replay.last:
            self.remark("The match is over here. Go back to play on from an earlier move.")
        else:
            self.post_message(PlayOn(self._recorded.setup, replay.past()))

    def action_back(self) -> None:
        if self.panel_opened:
            self.close_panel()
        else:
            self.app.pop_screen()
