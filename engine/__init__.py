"""The rules of the games, and nothing else."""

from typing import Final

from engine.euchre import EUCHRE
from engine.fodinha import FODINHA
from engine.game import Event, Game, IllegalAction, Options, State, View
from engine.notty import NOTTY
from engine.smear import SMEAR
from engine.truco import TRUCO

__all__ = ["COMPILED", "GAMES", "Event", "Game", "IllegalAction", "Options", "State", "View"]

COMPILED: Final = not __file__.endswith(".py")
"""Whether the rules run as compiled code; they are the same either way."""

GAMES: dict[str, Game] = {game.name: game for game in (EUCHRE, SMEAR, TRUCO, FODINHA, NOTTY)}
