"""The rules of the games of Kibitz, and nothing else.

Importing the package loads no game: Home reads `engine.manifest` before any rules are needed.
The names below are imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.game import Event as Event
    from engine.game import Game as Game
    from engine.game import IllegalAction as IllegalAction
    from engine.game import Options as Options
    from engine.game import State as State
    from engine.game import View as View
    from engine.games import GAMES as GAMES
    from engine.games import deserialize as deserialize

    COMPILED: bool
    """True if the rules run as compiled code. They are the same either way."""

_OF_GAMES = ("GAMES", "deserialize")
__all__ = [
    "COMPILED",
    "GAMES",
    "Event",
    "Game",
    "IllegalAction",
    "Options",
    "State",
    "View",
    "deserialize",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    contract = import_module("engine.game")
    if name == "COMPILED":
        return not str(contract.__file__).endswith(".py")
    return getattr(import_module("engine.games") if name in _OF_GAMES else contract, name)
