"""The rules of the games, and nothing else."""

from engine.euchre import EUCHRE
from engine.fodinha import FODINHA
from engine.game import Event, Game, IllegalAction, Options, State, View
from engine.notty import NOTTY
from engine.smear import SMEAR
from engine.truco import TRUCO

__all__ = ["GAMES", "Event", "Game", "IllegalAction", "Options", "State", "View"]

GAMES: dict[str, Game] = {game.name: game for game in (EUCHRE, SMEAR, TRUCO, FODINHA, NOTTY)}
