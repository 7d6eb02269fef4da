"""Makes the exercises that come with the program, from matches of agents.

A simple player sits in a seat, strong players in the others. A decision becomes an exercise if
the strongest agent, with a larger budget, finds that the simple player's move costs a lot, and that
every move is either about as good as the best one or clearly worse. A strong player must also make
one of the good moves: search finds bluffs that work only against the players it imagines.

    python -m app.study.exercise_maker euchre --wanted 40

The same arguments give the same file.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from agents.agent import Scale
from agents.registry import make
from agents.seeds import Purpose, match_seed
from agents.storage.files import write_atomic
from app.home.output import say
from app.match.moment import Thought
from app.match.seating import PERSON, Seating, plan_table, rated_players
from app.records.journal import MatchSetup
from app.study.advice import Adviser
from app.study.exercises import NEARLY, RIGHT, Exercise, Solution, Source
from app.study.shipped import FOLDER, SUFFIX
from engine import GAMES
from engine.game import OVER, State

SIMPLE: Final = "easy"
STRONG: Final = "hard"
LEAST_COST: Final = 0.03
"""The chance to win that the simple player's move gives away at least."""

LARGER: Final = 4
"""How many times the budget at the table the strongest agent has."""

LONGEST: Final = 90
"""Actions before a decision, so that the files stay small."""

_PER_MATCH: Final = 2
_PER_KIND: Final = 0.5
"""The largest part of the exercises in which the moves start with the same words, such as `bet`
for `pass`."""

_PATIENCE: Final = 150
"""Matches after which exercises of any kind are taken."""


@dataclass(slots=True)
class Recipe:
    """What is looked for in the matches of a game."""

    game: str
    seed: int
    wanted: int
    least_cost: float = LEAST_COST


def exercises(recipe: Recipe) -> Iterator[Exercise]:
    """Exercises without end. Each match has its own seed."""
    kinds: Counter[str] = Counter()
    number = 0
    while True:
        taken = 0
        for exercise in _in_match(recipe, match_seed(Purpose.TRAINING, recipe.seed, number)):
            kind = _kind(exercise)
            if number >= _PATIENCE or kinds[kind] < _PER_KIND * recipe.wanted:
                kinds[kind] += 1
                yield exercise
                taken += 1
            if taken == _PER_MATCH:
                break
        number += 1


def _kind(exercise: Exercise) -> str:
    """What the decision is about: a card for a card or another one, or a bid."""
    best = exercise.solution.best if exercise.solution is not None else ""
    return " ".join([each.split()[0] for each in (best, exercise.played)])


def _in_match(recipe: Recipe, seed: int) -> Iterator[Exercise]:
    game = GAMES[recipe.game]
    plan = plan_table(recipe.game)
    players = (PERSON, *[STRONG] * (len(plan.seats) - 1))
    plan = replace(plan, seats=players)
    options = game.make_options(plan.options).as_dict()
    setup = MatchSetup(
        recipe.game,
        options,
        seed,
        None,
        players,
        Seating.of(plan).names,
        started="2026-01-01T00:00:00+00:00",
    )
    judge = Judge(recipe.game, seed, players)
    simple, strong = make(recipe.game, SIMPLE), make(recipe.game, STRONG)
    state = setup.deal()
    before: list[str] = []
    while state.turn != OVER and len(before) <= LONGEST:
        seat, legal = state.turn, state.legal()
        view = state.view(seat)
        agent = simple if seat == 0 else strong
        action = agent.act(view, legal, Random(f"{seed}/{len(before)}")).action
        if seat == 0 and len(legal) > 1 and not _one_of_several(state, action):
            usual = strong.act(view, legal, Random(f"{seed}/{len(before)}/strong")).action
            thought = None
            if usual != action:
                thought = judge.thought(state, action, len(before), recipe.least_cost)
            if thought is not None and _is_right(thought, usual):
                played = state.label(action)
                solution = Solution.of(thought)
                yield Exercise(setup, tuple(before), played, Source.AGENTS, solution)
        before.append(state.label(action))
        state.apply(action)


def _one_of_several(state: State, action: int) -> bool:
    """Whether further actions of the same seat belong to the choice, such as other discards."""
    after = state.clone()
    after.apply(action)
    return after.turn == state.turn and set(after.legal()) == set(state.legal()) - {action}


class Judge:
    """Finds costly moves: cheap questions first, the expensive one last."""

    def __init__(self, game: str, seed: int, players: Sequence[str]) -> None:
        self._game, self._seed = game, seed
        self._quick = Adviser(game, seed, rated_players(players))
        self._thorough = Adviser(game, seed + 1, rated_players(players), LARGER)

    def thought(self, state: State, action: int, number: int, least: float) -> Thought | None:
        """What the strongest agent thinks, if the move is a clear mistake."""
        view, legal = state.view(state.turn), state.legal()
        first = self._quick.weigh(view, legal, number)
        if not _is_mistake(first, action, least / 2):
            return None
        second = self._thorough.weigh(view, legal, number)
        if first.decision.action != second.decision.action and not _is_right(
            second, first.decision.action
        ):
            return None
        return second if _is_mistake(second, action, least) and _is_clear(second) else None


def _costs(thought: Thought) -> dict[int, float]:
    worth = thought.worth or thought.decision
    if worth.scale is Scale.VALUE or len(worth.scores) < len(thought.legal):
        return {}
    best = worth.scores[thought.decision.action]
    return {move: best - value for move, value in worth.scores.items()}


def _is_mistake(thought: Thought, action: int, least: float) -> bool:
    shares = thought.decision.scores if thought.decision.scale is Scale.FREQUENCY else {}
    return _costs(thought).get(action, 0.0) >= least and shares.get(action, 0.0) == 0


def _is_right(thought: Thought, action: int) -> bool:
    return _costs(thought).get(action, 1.0) <= RIGHT


def _is_clear(thought: Thought) -> bool:
    """Whether every move is either right or wrong, and none is better than the best one."""
    costs = _costs(thought).values()
    middle = (RIGHT + NEARLY) / 2
    return all(-RIGHT / 2 <= cost <= RIGHT / 2 or cost >= middle for cost in costs)


def write(path: Path, found: Sequence[Exercise]) -> None:
    lines = [json.dumps(each.as_dict(), separators=(",", ":"), sort_keys=True) for each in found]
    write_atomic(path, ("\n".join(lines) + "\n").encode(), private=False)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=[*GAMES, "truco_full"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wanted", type=int, default=40)
    parser.add_argument("--least-cost", type=float, default=LEAST_COST)
    given = parser.parse_args(arguments)
    recipe = Recipe(given.game, given.seed, given.wanted, given.least_cost)
    path = FOLDER / f"{given.game}{SUFFIX}"
    found: list[Exercise] = []
    for exercise in exercises(recipe):
        found.append(exercise)
        say(f"{len(found)} of {given.wanted}", file=sys.stderr)
        if len(found) == given.wanted:
            break
    Random(recipe.seed).shuffle(found)  # Exercises of one match should not follow each other.
    write(path, found)


if __name__ == "__main__":
    main()
