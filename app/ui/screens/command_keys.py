"""The commands whose keys a person can change, and keys that would do two things."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from textual.app import App
from textual.binding import Binding

from app.ui.screens.home import HomeScreen
from app.ui.screens.play import PlayScreen
from app.ui.screens.watch import WatchScreen
from app.ui.tables import table_class
from engine.manifest import GAME_ROWS

HOME: Final = "Home"
TABLES: Final = "All tables"
WATCHING: Final = "Watching"


class Command(NamedTuple):
    """A command of a screen or game.

    name    the id of its binding, which the settings file uses
    what    what it does, in words
    where   the screen or game that has it
    keys    its usual keys
    """

    name: str
    what: str
    where: str
    keys: tuple[str, ...]


class Conflict(NamedTuple):
    """A key of two commands at the same place."""

    where: str
    key: str
    first: Command
    second: Command


def commands() -> list[Command]:
    """Every command with a changeable key. Cards are left out: their keys are found by the table,
    which leaves out keys in use."""
    home = _of(HOME, HomeScreen.BINDINGS)
    tables = _of(TABLES, PlayScreen.BINDINGS)
    listed = [*home, *tables]
    shared = {each.name for each in tables}
    for game, row in GAME_ROWS.items():
        listed += [
            each for each in _of(row.title, table_class(game).bindings) if each.name not in shared
        ]
    watching = _of(WATCHING, WatchScreen.BINDINGS)
    return [*listed, *[each for each in watching if each.name not in shared]]


def conflicts(chosen: Mapping[str, str]) -> list[Conflict]:
    """The keys that would do two things, because of the keys that a person has chosen.

    chosen   keys by the name of their command; several keys are separated by commas
    """
    keymap = App._normalize_keymap(dict(chosen))
    found = []
    for where, together in _places():
        used: dict[str, Command] = {}
        for command in together:
            keys = keymap.get(command.name, ",".join(command.keys)).split(",")
            for key in dict.fromkeys(keys):
                other = used.setdefault(key, command)
                if other is not command and {other.name, command.name} & keymap.keys():
                    found.append(Conflict(where, key, other, command))
    return found


def _places() -> Iterator[tuple[str, list[Command]]]:
    """The commands that are available at the same time."""
    yield HOME, _of(HOME, HomeScreen.BINDINGS, hidden=True)
    for game, row in GAME_ROWS.items():
        own = _of(row.title, table_class(game).bindings, hidden=True)
        replaced = {each.name for each in own}
        others = _of(TABLES, PlayScreen.BINDINGS, hidden=True)
        yield row.title, [*own, *[each for each in others if each.name not in replaced]]
    yield WATCHING, _of(WATCHING, WatchScreen.BINDINGS, hidden=True)


def _of(where: str, bindings: Iterable[object], hidden: bool = False) -> list[Command]:
    """hidden: also those without a description"""
    found: dict[str, Command] = {}
    for binding in Binding.make_bindings(bindings):  # type: ignore[arg-type]
        if not binding.id or binding.action.startswith("place("):
            continue
        if binding.description or hidden:
            before = found.get(binding.id)
            keys = (*before.keys, binding.key) if before else (binding.key,)
            what = binding.tooltip or binding.description or binding.id
            found[binding.id] = Command(binding.id, what, where, keys)
    return list(found.values())
