"""`kibitz replay`: steps through a recorded match."""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.commands.common import Ascii, Home, Json
from app.home.locations import Locations, locate
from app.home.output import say
from app.ui.launch import open_app

if TYPE_CHECKING:
    from app.records.journal import Recorded

_STANDARD_INPUT = "-"


def replay(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A journal; - reads it from standard input.")
    ],
    as_json: Json = False,
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Step through a recorded match."""
    locations = locate(home or context.obj)
    recorded = find(file, locations)
    if as_json:
        say(json.dumps(summary(recorded), indent=2))
        return
    if file == _STANDARD_INPUT:
        keys_from_terminal()
    raise typer.Exit(open_app(locations, ascii_only, replay=recorded))


def find(file: str, locations: Locations) -> "Recorded":
    """Read the journal with this path, or with this name in the home folder."""
    from agents.storage.bounded import Unsuitable, read_stream
    from app.records.journal import LARGEST, JournalError, parse_journal, read_journal

    if file == _STANDARD_INPUT:
        if sys.stdin.isatty():
            raise ValueError(
                "Standard input is empty; give a journal, as in kibitz replay - < FILE."
            )
        try:
            data = read_stream(sys.stdin.fileno(), LARGEST)
        except Unsuitable as unsuitable:
            raise JournalError(
                f"Standard input cannot be read: {unsuitable.strerror}."
            ) from unsuitable
        return parse_journal(data, "standard input")
    path = Path(file)
    from app.records.scorekeeper import find_journal

    kept = find_journal(locations.games, path.name)
    return read_journal(kept if not path.exists() and kept.exists() else path)


def keys_from_terminal() -> None:
    """Connect standard input to the keyboard, after a journal was read from it."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError as error:
        raise ValueError("There is no terminal to show the match on; try --json.") from error
    os.dup2(terminal, sys.stdin.fileno())
    os.close(terminal)


def summary(recorded: "Recorded") -> dict[str, Any]:
    """A match as `kibitz replay --json` prints it."""
    setup, past, state = recorded.setup, recorded.past, recorded.state
    over = recorded.over
    results = state.returns() if over else None
    side_of = {seat: side for side, seats in enumerate(state.sides) for seat in seats}
    return {
        "game": setup.game,
        "options": dict(setup.options),
        "seed": setup.seed,
        "daily": setup.daily or None,
        "started": setup.started,
        "finished": recorded.finished or None,
        "seats": [
            {
                "name": name,
                "player": player,
                "side": side_of[seat],
                "result": results[seat] if results is not None else None,
            }
            for seat, (name, player) in enumerate(zip(setup.names, setup.players, strict=True))
        ],
        "scores": state.scores(),
        "hands": state.hand_no,
        "over": over,
        "assisted": past.assisted,
        "unrated": past.unrated,
        "actions": [{"seat": seat, "do": label} for seat, label in recorded.labels()],
    }
