"""The commands whose keys a person can change, and which keys they cannot have."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from textual.app import App
from textual.binding import Binding
from textual.keys import Keys, format_key, key_to_character

from app.ui.layout.wording import listed
from app.ui.screens.home import HomeScreen
from app.ui.screens.play import PlayScreen
from app.ui.screens.watch import WatchScreen
from app.ui.tables import table_class
from engine.manifest import GAME_ROWS, VARIANTS, GameRow, base_game

HOME: Final = "Home"
TABLES: Final = "All tables"
WATCHING: Final = "Watching"
_FIXED: Final = ("enter", "tab", "shift+tab", "ctrl+q", "ctrl+c", "ctrl+p")
"""Keys that no command may take over."""
_SPECIAL_KEYS: Final = frozenset([key.value for key in Keys])
_ROWS: Final[Mapping[str, GameRow]] = {
    name: row
    for game in GAME_ROWS
    for name, row in {game: GAME_ROWS[game], **VARIANTS}.items()
    if base_game(name) == game
}
"""Every game, followed by its variants."""


class Command(NamedTuple):
    """A command of a screen or game.

    name    the id of its binding, which the settings file uses
    what    what it does, in words
    where   the screen or the games that have it
    keys    its usual keys
    """

    name: str
    what: str
    where: str
    keys: tuple[str, ...]


class Refusal(NamedTuple):
    """A chosen key that a command cannot have. why: as in `why_not`."""

    why: str
    command: Command

    def __str__(self) -> str:
        """A sentence without its full stop."""
        usual = [format_key(key) for key in self.command.keys]
        kept = f"keeps {listed(usual)}" if usual else "keeps its usual key"
        return f"{self.why}, so {self.command.what!r} {kept}"


class Conflict(NamedTuple):
    """A key of two commands at the same place."""

    where: str
    key: str
    first: Command
    second: Command


def commands() -> list[Command]:
    """Every command with a changeable key, in the order of Settings. Cards are left out: their
    keys are found by the table, which leaves out keys in use."""
    home = _of(HOME, HomeScreen.BINDINGS)
    tables = _of(TABLES, PlayScreen.BINDINGS)
    shared = {each.name for each in tables}
    games: dict[str, list[Command]] = {}
    for game, row in _ROWS.items():
        for each in _of(row.title, table_class(game).bindings):
            if each.name not in shared:
                games.setdefault(each.name, []).append(each)
    own = [same[0]._replace(where=listed([each.where for each in same])) for same in games.values()]
    where = list(dict.fromkeys([each.where for each in own]))
    own.sort(key=lambda each: where.index(each.where))
    watching = _of(WATCHING, WatchScreen.BINDINGS)
    return [*home, *tables, *own, *[each for each in watching if each.name not in shared]]


def checked(chosen: Mapping[str, str]) -> tuple[dict[str, str], list[Refusal]]:
    """The chosen keys that can be used, and the others. Of two that clash, the later one is
    refused.

    chosen   keys by the name of their command; several keys are separated by commas
    """
    known = {each.name: each for _, together in _places() for each in together}
    accepted, refused = dict(chosen), []
    while True:
        clashes = conflicts(accepted)
        for name in reversed(accepted):
            if why := _why_not(name, accepted[name], known.get(name), clashes):
                refused.append(Refusal(why, known.get(name, Command(name, name, "", ()))))
                del accepted[name]
                break
        else:
            return accepted, refused


def why_not(name: str, chosen: Mapping[str, str]) -> str:
    """Why a command cannot have the keys chosen for it, or its usual ones if none are, as a clause
    such as `k is the key for 'Trick' (All tables)`. Empty if it can."""
    known = {each.name: each for _, together in _places() for each in together}
    return _why_not(name, chosen.get(name, ""), known.get(name), conflicts(chosen))


def _why_not(name: str, keys: str, command: Command | None, clashes: "Sequence[Conflict]") -> str:
    """keys: empty for the usual ones"""
    usual = command.keys if command else ()
    keys = keys or ",".join(usual)
    for key in App._normalize_keymap({name: keys})[name].split(","):
        if key in _FIXED and key not in usual:
            return f"{format_key(key)} is used on every screen"
        plain = key.rpartition("+")[2] or key
        if key not in _SPECIAL_KEYS and plain not in _SPECIAL_KEYS and not key_to_character(plain):
            return f"{key!r} is not a key"
    mine = [each for each in clashes if name in (each.first.name, each.second.name)]
    if not mine:
        return ""
    key = mine[0].key
    other = mine[0].second if mine[0].first.name == name else mine[0].first
    both = {name, other.name}
    same = [each for each in mine if {each.first.name, each.second.name} == both]
    where = list(dict.fromkeys([each.where for each in same if each.key == key]))
    return f"{format_key(key)} is the key for {other.what!r} ({_together(where)})"


def _together(where: Sequence[str]) -> str:
    """Places in words."""
    tables = [row.title for row in _ROWS.values()]
    if set(tables) <= set(where):
        where = [TABLES, *[each for each in where if each not in tables and each != WATCHING]]
    return ", ".join(where)


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
    for game, row in _ROWS.items():
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
