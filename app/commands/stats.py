"""`kibitz stats`: your results."""

import json
import sys
from typing import TYPE_CHECKING

import typer

from app.commands.common import Home, Json
from app.home.locations import locate

if TYPE_CHECKING:
    from app.records.personal_record import GameRecord, Tally


def stats(context: typer.Context, as_json: Json = False, home: Home = None) -> None:
    """Show your wins in each game and against each agent, and your streaks. Matches with hints
    and unrated matches (with moves taken back, or continued from a replay) are separate."""
    from app.records.history import History
    from app.records.personal_record import records

    history = History(locate(home or context.obj).history)
    found = records(history.matches())
    for notice in history.notices:
        print(notice, file=sys.stderr)
    if as_json:
        print(json.dumps({"games": [record.as_dict() for record in found]}, indent=2))
    else:
        print(record_table(found))


def record_table(found: "list[GameRecord]") -> str:
    """The record as a text table."""
    played = [record for record in found if record.played]
    if not played:
        return "No match has been finished yet: play one with kibitz play GAME."
    lines = [f"{'':<24}{'matches':>8}{'won':>6}{'drawn':>7}{'win rate':>10}  95 % interval"]
    for record in played:
        lines.append(_line(record.title, record.rated))
        lines += [_line(f"  against {name}", tally) for name, tally in record.opponents.items()]
        for kind, tally in (("with hints", record.assisted), ("unrated", record.unrated)):
            if tally.matches:
                lines.append(_line(f"  {kind}", tally))
        if record.streaks:
            lines.append(f"  {record.streaks.words()}")
    return "\n".join(lines)


def _line(name: str, tally: "Tally") -> str:
    line = f"{name:<24}{tally.matches:>8}{tally.wins:>6}{tally.draws:>7}"
    if not tally.matches:
        return line
    low, high = tally.interval
    return f"{line}{tally.rate:>10.1%}  {low:.1%} – {high:.1%}"
