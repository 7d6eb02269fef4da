"""Watch agents play, match after match."""

from textual.binding import Binding

from agents.storage.store import Store
from app.lab.verdict import percentages
from app.match.loop import TableLoop
from app.match.pace import Clock
from app.match.past import NOTHING_YET, Past
from app.match.seating import TablePlan
from app.match.series import RECORDED_MATCHES, Series
from app.records.journal_file import Journal
from app.records.scorekeeper import Scorekeeper
from app.ui.layout.pictures import Choice
from app.ui.layout.wording import counted
from app.ui.screens.table import TableScreen
from app.ui.screens.table_keys import (
    AFTER_MATCH,
    BACK_KEY,
    EXPLORE,
    LAST_TRICK,
    LEARNING,
    LEAVE,
    LOG,
    NEW,
    PAGE,
    RULES,
    SCORES,
    SLOWER,
    SUMMARY_KEY,
    TAKE_KEY,
    TURN,
    WHY,
    place_bindings,
)
from app.ui.widgets.panel import SERIES, TABS
from app.ui.widgets.series_plot import SeriesPlot, Standing
from app.ui.widgets.status import Status


class WatchScreen(TableScreen):
    """After a match the next one follows, with the same players."""

    tabs = {**TABS, SERIES: "Series"}
    BINDINGS = [
        Binding("space,p", "pause", "Pause", key_display="Space", id="watch.pause"),
        Binding("full_stop", "step", "Step", key_display=".", id="watch.step"),
        Binding("plus,equals_sign", "speed(True)", "Speed", key_display="+-", id="table.faster"),
        SLOWER,
        Binding("f", "hurry", "Fast", id="watch.hurry"),
        Binding("v", "look", "Hands", id="watch.look"),
        LEAVE,
        WHY,
        Binding("m", "panel('series')", "Matches", id="watch.series"),
        EXPLORE,
        *TURN,
        *PAGE,
        SCORES,
        LEARNING,
        LOG,
        RULES,
        LAST_TRICK,
        NEW,
        *AFTER_MATCH,
        *place_bindings(show=False),
    ]

    def __init__(
        self,
        plan: TablePlan,
        store: Store,
        ascii_only: bool,
        clock: Clock | None = None,
        keeper: Scorekeeper | None = None,
        journal: Journal | None = None,
        past: Past = NOTHING_YET,
    ) -> None:
        super().__init__(plan, store, ascii_only, clock, keeper, journal, past)
        self.series = Series(plan.matches)
        self._sides: tuple[tuple[int, ...], ...] = ()
        self._counted: TableLoop | None = None
        """The match that was counted last. Saving its result takes a moment, and until then a
        match that is over is not yet counted."""

    # The series

    async def play_matches(self) -> None:
        """Play match after match until the limit, if there is one."""
        loop = await self.play_match()
        while self._count(loop):
            await loop.show_result()
            await self.clear_table(loop)
            loop = await self.play_match(loop)

    def _count(self, loop: TableLoop) -> bool:
        """Add a finished match to the series. Return whether another one follows."""
        self._counted = loop
        if loop.past.taken_over:
            self.notice("The series ends here, since an agent failed. This match does not count.")
        else:
            self._sides = loop.match.state.sides
            self.series.add(loop.match.state)
            if self.series.matches == RECORDED_MATCHES:
                self.notice(
                    f"{RECORDED_MATCHES:,} matches are in History. Later ones of this series "
                    "are not recorded."
                )
        self.draw()
        return self._continues

    @property
    def _continues(self) -> bool:
        """Whether another match follows. After a failure of an agent none does, since it would
        not be between the same players."""
        loop = self.loop
        if loop is not None and loop.past.taken_over:
            return False
        uncounted = self.is_over and loop is not self._counted
        return not self.series.over_with(int(uncounted))

    @property
    def recorded(self) -> bool:
        return self.series.recorded

    def choices(self) -> list[Choice]:
        if self.is_over and self._continues:
            return [
                Choice("Next match", command="go_on", key=TAKE_KEY),
                Choice("Summary", command="summary", key=SUMMARY_KEY),
                Choice("Home", command="home", key=BACK_KEY),
            ]
        return super().choices()

    # Drawing

    def draw(self) -> None:
        super().draw()
        if self.moment is not None and self.whole:
            heading, standings = self._heading(), self._standings()
            for plot in self.query(SeriesPlot):
                plot.show(heading, standings)
            self.query_one(Status).show_note(self._running_score())

    def _heading(self) -> str:
        played, limit = self.series.matches, self.series.limit
        if limit is not None:
            return f"{played:,} of {counted(limit, 'match', 'matches')} played"
        return f"{counted(played, 'match', 'matches')} played"

    def _standings(self) -> list[Standing]:
        series, names = self.series, self.seating
        return [
            Standing(
                " + ".join([names.title(seat) for seat in side]),
                f"{series.wins(at):,.10g}  {percentages(series.rate(at), *series.interval(at))}",
                [round(100 * rate) for rate in series.rates(at)],
            )
            for at, side in enumerate(self._sides)
        ]

    def _running_score(self) -> str:
        """The wins of each side, for the line below the status."""
        if not self.series.matches:
            return ""
        wins = [
            f"{self.table.side_name(side)} {self.series.wins(at):,.10g}"
            for at, side in enumerate(self._sides)
        ]
        return f"{self._heading()}: {' · '.join(wins)}"

    # Keys

    def action_step(self) -> None:
        if self.loop is not None:
            self.loop.step()

    def action_hurry(self) -> None:
        if self.loop is not None:
            self.loop.hurry()

    def action_look(self) -> None:
        self.remarked = ""
        if self.loop is not None:
            self.loop.change_viewpoint()
            self.tell_viewpoint()
