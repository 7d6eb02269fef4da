"""The progress of a run of the Lab, with buttons to pause, stop, keep or discard it."""

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, ProgressBar, Static

from app.lab.laboratory import summary
from app.lab.run import Phase, Run

RUN_ACTIONS: Final = {
    "pause": (Phase.WORKING, Phase.PAUSED),
    "stop": (Phase.PREPARING, Phase.WORKING, Phase.PAUSED, Phase.STOPPING),
    "keep": (Phase.ASKING,),
    "throw_away": (Phase.ASKING,),
}
"""The actions of the Lab on a run, with the phases in which they are possible."""


class RunBar(Vertical):
    """A progress bar, a line or two of text, and a button for each action."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._phase: Phase | None = None

    def compose(self) -> ComposeResult:
        yield ProgressBar(id="bar", show_eta=False)
        yield Static(id="summary")
        with Horizontal(id="orders"):
            yield Button("p Pause", compact=True, id="pause")
            yield Button("s Stop", compact=True, id="stop")
            yield Button("k Keep", compact=True, variant="primary", id="keep")
            yield Button("d Discard", compact=True, id="throw_away")

    def show(self, run: Run | None) -> bool:
        """Draw the run. Returns whether the possible actions changed."""
        self.display = run is not None
        if run is None:
            return False
        changed = run.phase is not self._phase
        bar = self.query_one(ProgressBar)
        bar.update(total=run.progress.total, progress=run.progress.done)
        self.query_one("#summary", Static).update(summary(run), layout=changed)
        if changed:
            self._phase = run.phase
            bar.display = run.phase not in (Phase.OVER, Phase.ASKING)
            self.query_one("#orders").display = run.busy
            for name, phases in RUN_ACTIONS.items():
                self.query_one(f"#{name}").display = run.phase in phases
            pause = "Go on" if run.phase is Phase.PAUSED else "Pause"
            self.query_one("#pause", Button).label = f"p {pause}"
            stop = "Skip measuring" if run.phase is Phase.STOPPING else "Stop"
            self.query_one("#stop", Button).label = f"s {stop}"
        return changed
