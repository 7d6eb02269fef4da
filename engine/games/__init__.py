"""The rules of each game: one game, one file."""

from importlib import import_module
from typing import Final

from engine.game import Game, State
from engine.manifest import GAME_ROWS, VARIANTS, GameRow
from engine.records import from_text


def load(row: GameRow) -> Game:
    """Import the rules of a game."""
    module, _, attribute = row.rules_path.partition(":")
    game: Game = getattr(import_module(module), attribute)
    return game


class Games(dict[str, Game]):
    """The games by name. Variants are found by their names but not listed."""

    def __missing__(self, name: str) -> Game:
        return _VARIANTS[name]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in _VARIANTS


_VARIANTS: Final[dict[str, Game]] = {name: load(row) for name, row in VARIANTS.items()}
GAMES: Final[Games] = Games({name: load(row) for name, row in GAME_ROWS.items()})


def deserialize(text: str) -> State:
    """The state that `State.serialize` wrote, of any game. Raises ValueError."""
    name, _, _ = from_text(text)
    for game in (*GAMES.values(), *_VARIANTS.values()):
        if type(game.new(0, None, None)).__name__ == name:
            return game.deserialize(text)
    raise ValueError("This state belongs to a game that is not on offer.")


def register(row: GameRow) -> None:
    """Offer a game that is not part of the manifest, until the program ends."""
    GAMES[row.name] = load(row)
    GAME_ROWS[row.name] = row


def unregister(name: str) -> None:
    del GAMES[name], GAME_ROWS[name]
