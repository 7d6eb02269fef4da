"""Replays a recorded match at its table, move by move."""

import asyncio

from textual import work
from textual.binding import Binding

from agents.storage.store import Store
from app.match.moment import Moment
from app.records.journal import Recorded
from app.records.replay import Replay
from app.ui.layout.pictures import Choice
from app.ui.screens.requests import PlayOn
from app.ui.screens.table import TableScreen
from app.ui.screens.table_keys import LEAVE, LOG, RULES, SCORES
from app.ui.widgets.panel import TABS, Panel


class ReplayScreen(TableScreen):
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
        SCORES,
        LOG,
        RULES,
    ]

    def __init__(self, recorded: Recorded, store: Store, ascii_only: bool) -> None:
        super().__init__(recorded.setup.plan(0.0), store, ascii_only)
        self._recorded = recorded
        self._replay: Replay | None = None
        self._turning = asyncio.Lock()
        """Steps run one after the other in a thread, because going back starts from the deal."""

    def _begin(self) -> None:
        """Open the match without playing it."""
        self._open()

    @work
    async def _open(self) -> None:
        async with self._turning:
            self._replay = await asyncio.to_thread(Replay, self._recorded, self.table)
        self.query_one(Panel).open("log")
        self.show(self._replay.moment())

    async def _turn_to(self, stop: int) -> None:
        replay = self._replay
        if replay is not None:
            async with self._turning:
                await asyncio.to_thread(replay.go_to, stop)
            self.show(replay.moment())

    # Drawing

    def choices(self) -> list[Choice]:
        return []

    def _prompt(self, moment: Moment) -> str:
        if self._replay is None or moment.ending is not None:
            return super()._prompt(moment)
        return self._replay.sentence

    def _pace(self, moment: Moment) -> str:
        replay = self._replay
        return f"move {replay.taken} of {replay.count}" if replay is not None else ""

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
