"""`kibitz practice`: exercises from your matches and from those of agents."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from app.commands import completion
from app.commands.common import Ascii, Home, Json, Replace
from app.home.locations import Locations, locate
from app.home.output import say
from app.ui.launch import open_app

if TYPE_CHECKING:
    from app.study.practice import Practice

_EXPORT: Final = "export"
_IMPORT: Final = "import"


def practice(
    context: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="Only this game. Or: export or import, with a FILE.",
            autocompletion=completion.games,
        ),
    ] = None,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="For export or import.")] = (
        None
    ),
    as_json: Json = False,
    mine: Annotated[
        bool,
        typer.Option("--mine", help="import: the file is yours, so take over its answers too."),
    ] = False,
    replace: Replace = False,
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Practise single decisions at the table. Costly moves of your matches come back as exercises,
    besides positions from agents' matches in which one move is clearly best. An exercise comes
    back after 1, 2, 4, 8, 16, 32 and 64 days; a wrong answer starts again with one day."""
    locations = locate(home or context.obj)
    if what in (_EXPORT, _IMPORT):
        if file is None:
            raise ValueError(f"kibitz practice {what} needs a file; name it.")
        say(
            _export(locations, file, replace) if what == _EXPORT else _import(locations, file, mine)
        )
        return
    if file is not None:
        raise ValueError(f"{what} takes no file; write export or import before {file}.")
    game = _game(what)
    if as_json:
        say(json.dumps(_report(locations, game), indent=2))
        return
    from app.ui.screens.requests import OpenPractice

    raise typer.Exit(open_app(locations, ascii_only, first=OpenPractice(game)))


def _game(name: str | None) -> str:
    from app.match.seating import find_game

    return find_game(name).name if name else ""


def _export(locations: Locations, file: Path, replace: bool) -> str:
    from app.records.practice_book import PracticeBook
    from app.study.practice_file import export_practice

    return export_practice(PracticeBook(locations.history), file, replace)


def _import(locations: Locations, file: Path, mine: bool) -> str:
    from app.records.practice_book import PracticeBook
    from app.study.practice_file import import_practice

    locations.prepare()
    today = datetime.now(UTC).date()
    return import_practice(PracticeBook(locations.history), file, mine, today).words()


def _report(locations: Locations, game: str) -> dict[str, Any]:
    """The state of practice; of all games if `game` is empty."""
    from app.records.history import History
    from app.records.practice_book import PracticeBook
    from app.study.collection import all_exercises, collect
    from app.study.practice import Practice

    book = PracticeBook(locations.history)
    collect(book, History(locations.history), locations.games)
    today = datetime.now(UTC).date()
    found = Practice(all_exercises(book), book.answers(), today)
    names = [game] if game else sorted({each.game for each in found.exercises})
    following = found.following()
    return {
        "day": today.isoformat(),
        "streak": found.streak,
        "answered_today": found.answered_today,
        "next_day": following.isoformat() if following is not None else None,
        "games": [_of_game(found, name) for name in names],
    }


def _of_game(found: "Practice", game: str) -> dict[str, Any]:
    grades = [each.grade for each in found.answers if each.game == game]
    return {
        "game": game,
        "exercises": sum(each.game == game for each in found.exercises),
        "due": len(found.due(game)),
        "new": len(found.fresh(game)),
        "answers": {grade: grades.count(grade) for grade in ("right", "nearly", "wrong")},
    }
