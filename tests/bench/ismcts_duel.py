"""Euchre for four against OpenSpiel's ISMCTS: points a hand, each deal played both ways.

    python -m tests.bench.ismcts_duel [--agent search] [--simulations 10000] [--deals 200]

Both play on OpenSpiel's rules, in which the dealer never discards the up-card. Every hand starts
at 0 : 0. OpenSpiel's bot has the same information as ours and searches in C++.
"""

import argparse
from math import sqrt
from random import Random
from statistics import mean, pstdev
from typing import Any

import pyspiel

from agents.agent import Agent
from agents.registry import make
from engine.games.euchre import CARDS
from tests.engine.test_euchre_open_spiel import comparable, dealt_alike

EXPLORATION = 2.0
Z95 = 1.96


def bot(simulations: int, seed: int) -> Any:
    return pyspiel.ISMCTSBot(
        seed,
        pyspiel.RandomRolloutEvaluator(1, seed),
        EXPLORATION,
        simulations,
        -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        False,
        False,
    )


def points(agent: Agent, rival: Any, deck: list[int], dealer: int, side: int, rng: Random) -> float:
    """The points by which our side is ahead after the hand."""
    ours, theirs = dealt_alike(deck, dealer)
    while not theirs.is_terminal():
        moves = comparable(ours)
        if len(moves) == 1:
            (choice,) = moves
        elif ours.turn % 2 == side:
            legal = sorted(moves.values())
            action = agent.act(ours.view(ours.turn), legal, rng).action
            choice = next(number for number, move in moves.items() if move == action)
        else:
            choice = rival.step(theirs)
        ours.apply(moves[choice])
        theirs.apply_action(choice)
    return float(theirs.returns()[side])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--agent", default="search")
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    agent, rival = make("euchre", given.agent), bot(given.simulations, given.seed)
    results: list[float] = []
    for deal in range(given.deals):
        rng = Random(f"ISMCTS/{given.seed}/{deal}")
        deck = rng.sample(range(CARDS), CARDS)
        both = [points(agent, rival, deck, deal % 4, side, rng) for side in (0, 1)]
        results.append(mean(both))
        if (deal + 1) % 20 == 0 or deal + 1 == given.deals:
            half = Z95 * pstdev(results) / sqrt(len(results))
            print(
                f"{given.agent} against ISMCTS with {given.simulations:,} simulations: "
                f"{mean(results):+.3f} ± {half:.3f} points a hand, {len(results)} deals both ways",
                flush=True,
            )


if __name__ == "__main__":
    main()
