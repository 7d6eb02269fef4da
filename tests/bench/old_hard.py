"""Lets the `hard` of this tree play against the `hard` of an earlier commit, on shared deals.

    python -m tests.bench.old_hard da086ae^ --games 1000 [GAME…]

Every deal is played once with each side for the new player, so that equal players win exactly half.
With more than two sides, the new player has one seat and the old one all others; its fair share is
then one match in four.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from types import ModuleType
from typing import Final

from agents.agent import Agent
from agents.match import Match
from agents.registry import make
from agents.seeds import Purpose, match_seed
from engine import GAMES

CLASSES: Final = {game: f"Hard{game.title()}" for game in GAMES}


def old_player(game: str, commit: str) -> Agent:
    """The `hard` of a commit. Other modules are those of this tree."""
    path = f"agents/{game}/rules.py"
    show = ["git", "show", f"{commit}:{path}"]
    here = Path(__file__).parent
    found = subprocess.run(show, cwd=here, check=False, capture_output=True, text=True)
    if found.returncode:
        sys.exit(f"There is no {path} at {commit}; run this in a clone with its history.")
    module = ModuleType(f"old_{game}_rules")
    sys.modules[module.__name__] = module
    exec(compile(found.stdout, f"{commit}:{path}", "exec"), vars(module))
    player: Agent = getattr(module, CLASSES[game])()
    return player


def compare(game: str, commit: str, games: int, seed: int) -> tuple[float, float, int]:
    """The share of matches that the new player wins, half the width of its 95 % interval, and the
    number of matches. The interval comes from the variation between deals."""
    new, old = make(game, "hard"), old_player(game, commit)
    shares = []
    sides = len(GAMES[game].new(0).sides)
    for deal in range(-(-games // sides)):
        number = match_seed(Purpose.REPORTING, seed, deal)
        won = []
        for own in range(sides):
            state = GAMES[game].new(number)
            players = [old] * state.seats
            for seat in state.sides[own]:
                players[seat] = new
            Match(state, players, number).play_out()
            won.append(state.returns()[state.sides[own][0]])
        shares.append(mean(won))
    return mean(shares), 1.96 * stdev(shares) / len(shares) ** 0.5, sides * len(shares)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("commit")
    parser.add_argument("which", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_intermixed_args(arguments)
    for game in asked.which or GAMES:
        share, half, played = compare(game, asked.commit, asked.games, asked.seed)
        print(
            f"{game}: the new hard wins {share:.1%} of {played} matches "
            f"(95 % interval {share - half:.1%} to {share + half:.1%})",
            flush=True,
        )


if __name__ == "__main__":
    main()
