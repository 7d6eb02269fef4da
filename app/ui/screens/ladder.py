"""The result of an arena: ratings and win rates between each pair."""

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import DataTable, Static

from agents.evaluation.arena import Pairing
from agents.registry import title_of
from app.lab.jobs import Ranked
from app.ui.widgets.keys import Keys
from engine import GAMES


class LadderScreen(ModalScreen[None]):
    """Strongest first. Each row shows how often the agent beat each of the others."""

    CSS = """
    LadderScreen { align: center middle; }
    LadderScreen #box {
        width: auto; max-width: 100%; height: auto; max-height: 100%; margin-bottom: 1;
        border: round $primary; background: $surface; padding: 0 1;
    }
    LadderScreen DataTable { width: auto; max-width: 100%; height: auto; max-height: 16; }
    LadderScreen Static { width: 76; max-width: 100%; color: $text-muted; margin-top: 1; }
    """
    BINDINGS = [Binding("escape,enter,q", "dismiss", "Back", key_display="Esc", id="ladder.back")]

    def __init__(self, game: str, result: Ranked) -> None:
        super().__init__()
        self._game = game
        self._result = result

    def compose(self) -> ComposeResult:
        with Vertical(id="box") as box:
            box.border_title = f"Arena · {GAMES[self._game].title}"
            yield DataTable(cursor_type="row", zebra_stripes=True)
            yield Static(
                "Rating: a cautious estimate of skill. The numbers to the right: wins in 100 "
                "matches against the agent in that place."
            )
        yield Keys()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        names = [each.agent for each in self._result.ladder]
        places = [Text(str(place), justify="right") for place in range(1, len(names) + 1)]
        table.add_columns("", "Agent", "Rating", *places)
        rates = win_rates(self._result.pairings)
        for place, each in enumerate(self._result.ladder, 1):
            row = [
                f"{100 * rates[each.agent, other]:.0f}" if (each.agent, other) in rates else "·"
                for other in names
            ]
            table.add_row(
                str(place),
                title_of(self._game, each.agent),
                *[Text(cell, justify="right") for cell in [f"{each.rating:.1f}", *row]],
            )


def win_rates(pairings: tuple[Pairing, ...]) -> dict[tuple[str, str], float]:
    """Win rate of each ordered pair. With two sides the two rates of a pair add up to 1."""
    rates = {(each.first, each.second): each.win_rate for each in pairings}
    for each in pairings:
        rates.setdefault((each.second, each.first), 1 - each.win_rate)
    return rates
