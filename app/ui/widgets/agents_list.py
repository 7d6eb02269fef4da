"""The agents of a game, one row each, with their statistics and win rates."""

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import DataTable

from app.lab.roster import Member
from app.lab.shipped_standings import RIVALS
from app.lab.verdict import percentages

_NARROW_NAME, _SHORT_NAME = 12, 18
"""Widths of the name column in a narrow window, and at most in one of 80 columns."""


class AgentsList(DataTable[str | Text]):
    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, cursor_type="row", zebra_stripes=True)
        self.members: Sequence[Member] = ()
        self._wide = False
        self._drawn: dict[str, dict[str, str | Text]] = {}
        """The cells of each agent."""

    @property
    def member(self) -> Member | None:
        """The agent under the cursor."""
        return self.members[self.cursor_row] if 0 <= self.cursor_row < len(self.members) else None

    def show(self, members: Sequence[Member], chosen: str, narrow: bool, wide: bool) -> None:
        """Show these agents, with the columns that fit and the cursor on the chosen one."""
        self.members = members
        self._wide = wide
        self.clear(columns=True)
        self._drawn = {}
        columns = _columns(narrow, wide)
        for name, heading in columns.items():
            longest = max([len(member.title) + 2 for member in members], default=0)
            width = _NARROW_NAME if narrow else min(_SHORT_NAME, longest)
            self.add_column(
                heading, width=width if name == "agent" and not wide else None, key=name
            )
        for member in members:
            cells = _cells(member, wide)
            self._drawn[member.agent] = {name: cells[name] for name in columns}
            self.add_row(*[cells[name] for name in columns], key=member.agent)
        at = [at for at, member in enumerate(members) if member.agent == chosen]
        self.move_cursor(row=at[0] if at else 0)

    def update_member(self, member: Member) -> None:
        """Draw the cells of an agent that have changed."""
        drawn = self._drawn.get(member.agent, {})
        for name, cell in _cells(member, self._wide).items():
            if name in drawn and drawn[name] != cell:
                drawn[name] = cell
                self.update_cell(member.agent, name, cell, update_width=True)


def _columns(narrow: bool, wide: bool) -> dict[str, str]:
    """The headings of the columns that fit, by name."""
    against = "" if narrow else "Against "
    columns = {
        "agent": "Agent",
        "level": "Level",
        "matches": "Matches",
        "knows": "Knows",
        "curiosity": "Curiosity (ε)" if wide else "ε",
        **{rival: f"{against}{rival.title()}" for rival in RIVALS},
    }
    left_out = {"level", "knows"} if narrow else set() if wide else {"level", "curiosity"}
    return {name: heading for name, heading in columns.items() if name not in left_out}


def _cells(member: Member, wide: bool) -> dict[str, str | Text]:
    stats = member.stats
    matches = knows = curiosity = "–"
    if stats is not None:
        matches, knows = f"{member.matches:,}", f"{_short(stats.table_size)} {stats.size_unit}"
        curiosity = f"{stats.epsilon:.2f}"
    unknown = "not measured yet" if wide else "not yet"
    return {
        "agent": Text(
            f"▸ {member.title}" if member.training else member.title,
            style="bold" if member.training else "",
            no_wrap=True,
            overflow="ellipsis",
        ),
        "level": member.level,
        "matches": Text(matches, justify="right"),
        "knows": Text(knows, justify="right"),
        "curiosity": Text(curiosity, justify="right"),
        **{
            rival: percentages(*member.standings[rival][:3])
            if rival in member.standings
            else "–"
            if rival == member.agent
            else unknown
            for rival in RIVALS
        },
    }


def _short(number: int) -> str:
    """Such as `4,212` and `583 k`."""
    return f"{number:,}" if number < 10_000 else f"{number / 1000:,.0f} k"
