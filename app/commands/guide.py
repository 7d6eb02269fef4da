"""`kibitz guide`: a guided first hand."""

import typer

from app.commands.common import Ascii, GameName, Home, OptionTexts, option_texts
from app.home.locations import locate
from app.ui.launch import open_app


def guide(
    context: typer.Context,
    game: GameName,
    option: OptionTexts = None,
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Learn a game by playing a guided hand, in five minutes."""
    from app.guides.guide import load_guide
    from app.match.seating import find_game
    from app.ui.screens.requests import OpenGuide

    found = load_guide(find_game(game, option_texts(option or [])).name)
    raise typer.Exit(open_app(locate(home or context.obj), ascii_only, first=OpenGuide(found.game)))
