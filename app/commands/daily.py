"""`kibitz daily`: the deal of the day, par, and a line to share."""

import json
from datetime import UTC, date, datetime
from typing import Annotated, Any

import typer

from app.commands import completion
from app.commands.common import Ascii, Home, Json
from app.home.locations import Locations, locate
from app.home.output import say
from app.ui.launch import open_app


def daily(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Only this game.", autocompletion=completion.games),
    ] = None,
    share: Annotated[
        bool, typer.Option("--share", help="Print today's results, without the cards.")
    ] = False,
    as_json: Json = False,
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Show your week of daily deals. Everyone gets the same cards in the same seat, with hard in
    all others. Par is the mean of what several agents score there. The cards follow from the date,
    so they are no secret. kibitz play GAME --daily plays."""
    from app.match.seating import find_game

    locations = locate(home or context.obj)
    chosen = find_game(game).name if game else ""
    if share or as_json:
        results = _results(locations, chosen, datetime.now(UTC).date(), ascii_only)
        if as_json:
            say(json.dumps({"week": results}, indent=2))
        else:
            say("\n".join([each["line"] for each in results if each["today"]]) or _nothing(chosen))
        return
    from app.ui.screens.requests import OpenDaily

    raise typer.Exit(open_app(locations, ascii_only, first=OpenDaily(chosen)))


def _nothing(game: str) -> str:
    return f"Nothing to share yet: play today's deal with kibitz play {game or 'GAME'} --daily."


def _results(
    locations: Locations, game: str, today: date, ascii_only: bool
) -> list[dict[str, Any]]:
    """The results of the last seven days; computes par where it is missing."""
    from agents.program_digest import program_digest
    from app.lab.par_process import keep_par
    from app.records.history import History
    from app.records.practice_book import PracticeBook
    from app.study.daily import daily_results, days_in_a_row, mean_of, share_line, week_of
    from app.ui.tables import table_class

    book = PracticeBook(locations.history)
    results = daily_results(History(locations.history).matches())
    found = []
    program = program_digest()
    for (name, day), result in sorted(results.items(), key=lambda each: (each[0][1], each[0][0])):
        if day not in week_of(today) or game not in ("", name):
            continue
        if (name, day) not in book.par(program):
            rotates = table_class(name).rotates_start
            keep_par(locations.history, name, day, program, rotates)
        par = book.par(program).get((name, day))
        found.append(
            {
                "game": name,
                "day": day.isoformat(),
                "today": day == today,
                "outcome": result.outcome,
                "margin": result.margin,
                "assisted": result.assisted,
                "par": mean_of(par) if par else None,
                "agents": dict(par.margins) if par else None,
                "line": share_line(result, par, days_in_a_row(results, name, today), ascii_only),
            }
        )
    return found
