"""The rules of the games, and nothing else."""

from engine.euchre import EUCHRE
from engine.game import Game
from engine.notty import NOTTY

GAMES: dict[str, Game] = {game.name: game for game in (EUCHRE, NOTTY)}
