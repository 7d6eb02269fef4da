"""The tables: one file for each game that can be played on a screen."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.manifest import GAME_ROWS

if TYPE_CHECKING:
    from app.ui.tables.base import Table


def table_class(game: str) -> "type[Table[Any]]":
    """The table of a game, imported on first use."""
    module, _, attribute = GAME_ROWS[game].table_path.partition(":")
    table: type[Table[Any]] = getattr(import_module(module), attribute)
    return table
