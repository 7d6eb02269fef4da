"""The rules of each game: one game, one file."""

from importlib import import_module
from typing import Final

from engine.game import Game
from engine.manifest import GAME_ROWS, GameRow


def load(row: GameRow) -> Game:
    """Import the rules of a game."""
    module, _, attribute = row.rules_path.partition(":")
    game: Game = getattr(import_module(module), attribute)
    return game


GAMES: Final[dict[str, Game]] = {name: load(row) for name, row in GAME_ROWS.items()}


def register(row: GameRow) -> None:
    """Offer a game that is not part of the manifest, until the program ends."""
    GAMES[row.name] = load(row)
    GAME_ROWS[row.name] = row


def unregister(name: str) -> None:
    del GAMES[name], GAME_ROWS[name]
