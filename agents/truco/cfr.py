"""Monte Carlo counterfactual regret minimisation for the Truco expert.

Each walk deals rounds at random and visits every bid and every card of both players. It adds up
the regret of each choice in each situation that a player can distinguish
(`agents.truco.situations`). Choices are made in proportion to their regret, and the expert plays
the average of all its strategies.

The expert meets `hard`, as its frequencies were counted, in a share of the rounds, and in all
others a rival, who learns nothing but to beat the expert. So it takes what `hard` gives away, and
stays hard to exploit.

A walk processes many rounds together: a node of the tree is a public situation, and its rounds
are the columns of an array. Seat 0 is the mano and seat 1 the other player.

    python -m agents.truco.cfr    # ships the strategy of the expert
"""

from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.storage.store import write_shipped
from agents.truco.model import ROUNDS, counted
from agents.truco.situations import (
    FINGERPRINT,
    FLOR_ROW,
    LED_ROW,
    ROWS,
    Node,
    Policy,
    Rounds,
    Situation,
    remember,
)
from engine.games.truco import (
    ACCEPT,
    CARDS,
    HAND,
    NOBODY,
    REJECT,
    VALUES,
    has_flor,
    round_winner,
)

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]

ITERATIONS: Final = 1900
"""Walks for the shipped strategy. With counting `hard` they take ten minutes."""
DEALS: Final = 1600
"""Rounds in a walk."""
MODELLED: Final = 0.1
"""The share of rounds in which the expert meets the model of `hard`."""
OPPONENT_ROW: Final = ROWS
"""An extra row of the rounds: who the expert's opponent is, plus the opponent's seat."""
RIVAL: Final = 0
HARD: Final = 2
"""The opponents."""
IGNORED: Final = 0.002
"""A round is dropped where both players reach the situation with a smaller probability."""


class Regrets:
    """The regrets of one public situation: a row for each choice, a column for each situation of
    the player to act."""

    __slots__ = ("added", "choices", "regrets", "sums")

    def __init__(self, situation: Situation) -> None:
        shape = situation.actions, situation.size()
        self.regrets: Numbers = np.zeros(shape)
        self.added: Numbers = np.zeros(shape)
        self.sums: Numbers = np.zeros(shape)
        self.choices: Numbers = np.full(shape, 1 / situation.actions)

    def update_choices(self) -> None:
        """End a walk: drop negative regret and derive the next choices from the rest."""
        self.regrets += self.added
        np.maximum(self.regrets, 0, out=self.regrets)
        self.added[:] = 0
        total = self.regrets.sum(axis=0)
        np.divide(self.regrets, total, out=self.choices, where=total > 0)
        self.choices[:, total <= 0] = 1 / len(self.choices)


def deal(count: int, rng: Random) -> Rounds:
    """Random rounds from a shuffled pack."""
    rounds = np.zeros((ROWS, count), dtype=np.int16)
    for column in range(count):
        cards = rng.sample(range(CARDS), 2 * HAND + 1)
        fill(rounds, column, 0, cards[:HAND], cards[-1])
        fill(rounds, column, 1, cards[HAND:-1], cards[-1])
    return rounds


def fill(rounds: Rounds, column: int, seat: int, cards: list[int], muestra: int) -> None:
    """Give the seat these cards in one of the rounds."""
    values = VALUES[muestra]
    rounds[3 * seat : 3 * seat + HAND, column] = sorted([values[card] for card in cards])
    rounds[FLOR_ROW, column] |= has_flor(cards, muestra) << seat


def without(rounds: Rounds, seat: int, place: int, cards: int) -> Rounds:
    """The rounds without the seat's card at a place."""
    left = rounds.copy()
    first = 3 * seat
    left[first + place : first + cards - 1] = rounds[first + place + 1 : first + cards]
    return left


class Walk:
    """Visits the tree of a round. Subclasses define what happens at a decision.

    Values are points of the round for the mano, one for each column.
    """

    def decide(self, node: Node, rounds: Rounds, weights: Numbers) -> Numbers:
        """The values of a decision. `weights` has columns like the rounds."""
        raise NotImplementedError

    def visit(self, node: Node, rounds: Rounds, weights: Numbers) -> Numbers:
        if not rounds.shape[1]:
            return np.zeros(0)
        if len(node.actions()) == 1:
            return self.play(node, [rounds], [weights])[0]
        return self.decide(node, rounds, weights)

    def bid(self, node: Node, action: int, rounds: Rounds, weights: Numbers) -> Numbers:
        """Raise or answer."""
        if action == REJECT:
            points = node.stake if node.turn() == 1 else -node.stake
            return np.full(rounds.shape[1], float(points))
        return self.visit(node.accepts() if action == ACCEPT else node.raises(), rounds, weights)

    def play(self, node: Node, rounds: list[Rounds], weights: list[Numbers]) -> list[Numbers]:
        """Play the card at place 0 in the first rounds, at place 1 in the second, and so on."""
        seat, cards = node.to_play, node.cards(node.to_play)
        played = np.concatenate([each[3 * seat + place] for place, each in enumerate(rounds)])
        together = np.concatenate(
            [without(each, seat, place, cards) for place, each in enumerate(rounds)], axis=1
        )
        weighed = np.concatenate(weights, axis=-1)
        if node.leader == NOBODY:
            together[LED_ROW] = played
            values = self.visit(node.leads(), together, weighed)
        else:
            values = self._trick(node, together, weighed, played)
        ends = np.cumsum([each.shape[1] for each in rounds])[:-1]
        return np.split(values, ends)

    def _trick(self, node: Node, rounds: Rounds, weights: Numbers, played: Places) -> Numbers:
        leader, led = node.leader, rounds[LED_ROW].copy()
        remember(rounds, leader, led)
        remember(rounds, 1 - leader, played)
        rounds[LED_ROW] = 0
        values = np.zeros(rounds.shape[1])
        for winner, won in (
            (leader, led > played),
            (1 - leader, led < played),
            (NOBODY, led == played),
        ):
            columns = np.flatnonzero(won)
            after = node.takes(winner)
            decided = round_winner(after.results, 0)
            if decided != NOBODY:
                values[columns] = node.stake if decided == 0 else -node.stake
            else:
                values[columns] = self.visit(after, rounds[:, columns], weights[..., columns])
        return values

    def choose(
        self, node: Node, rounds: Rounds, weights: list[Numbers], keep: list[Places]
    ) -> Numbers:
        """The values of each action, a row for each; 0 in the columns not to keep."""
        actions = node.actions()
        values = np.zeros((len(actions), rounds.shape[1]))
        taken = [rounds[:, columns] for columns in keep]
        weighed = [each[..., columns] for each, columns in zip(weights, keep, strict=True)]
        cards = len([action for action in actions if action < HAND])
        if cards:
            for row, played in enumerate(self.play(node, taken[:cards], weighed[:cards])):
                values[row, keep[row]] = played
        for row in range(cards, len(actions)):
            values[row, keep[row]] = self.bid(node, actions[row], taken[row], weighed[row])
        return values


class Training(Walk):
    """Learns regrets. Weights have two rows: for each seat the probability of its own choices."""

    def __init__(self, seed: int, model: Policy | None = None) -> None:
        """model: the frequencies of `hard`; None to train without them."""
        self.regrets: dict[Situation, Regrets] = {}
        self.rival: dict[Situation, Regrets] = {}
        self.walks = 0
        self._model = model
        self._rng = Random(seed)

    def walk(self, deals: int) -> None:
        self.walks += 1
        rounds = np.concatenate([deal(deals, self._rng), np.zeros((1, deals), dtype=np.int16)])
        for column in range(deals):
            against_hard = self._model is not None and self._rng.random() < MODELLED
            opponent = HARD if against_hard else RIVAL
            rounds[OPPONENT_ROW, column] = opponent | self._rng.randrange(2)
        self.visit(Node(), rounds, np.ones((2, deals)))
        for regrets in [*self.regrets.values(), *self.rival.values()]:
            regrets.update_choices()

    def policy(self) -> Policy:
        """The average of all strategies so far. Later ones have more weight."""
        last = self.walks**2
        return Policy.rounded({each: known.sums / last for each, known in self.regrets.items()})

    def decide(self, node: Node, rounds: Rounds, weights: Numbers) -> Numbers:
        situation = Situation.at(node)
        seat = situation.seat
        numbers = situation.numbers(rounds, node.opening())
        opponents = rounds[OPPONENT_ROW]
        is_opponents = opponents & 1 == seat
        learned = [
            (self._regrets(self.regrets, situation), np.flatnonzero(~is_opponents)),
            (
                self._regrets(self.rival, situation),
                np.flatnonzero(is_opponents & (opponents & HARD == 0)),
            ),
        ]
        choices = np.empty((situation.actions, rounds.shape[1]))
        for regrets, columns in learned:
            choices[:, columns] = regrets.choices[:, numbers[columns]]
        columns = np.flatnonzero(is_opponents & (opponents & HARD != 0))
        if len(columns):
            assert self._model is not None
            chances = self._model.chances(node, rounds[:, columns])
            unknown = ~chances.any(axis=0)
            chances[:, unknown] = learned[1][0].choices[:, numbers[columns[unknown]]]
            choices[:, columns] = chances
        after, keep = [], []
        for choice in choices:
            likely = weights.copy()
            likely[seat] *= choice
            after.append(likely)
            keep.append(np.flatnonzero(likely.max(axis=0) > IGNORED))
        values = self.choose(node, rounds, after, keep)
        mean = (choices * values).sum(axis=0)
        gains = (values - mean) * (weights[1 - seat] if seat == 0 else -weights[1 - seat])
        shares = choices * (weights[seat] * self.walks**2)
        for regrets, columns in learned:
            of_these = numbers[columns]
            for row in range(len(choices)):
                np.add.at(regrets.added[row], of_these, gains[row, columns])
                np.add.at(regrets.sums[row], of_these, shares[row, columns])
        return np.asarray(mean)

    def _regrets(self, known: dict[Situation, Regrets], situation: Situation) -> Regrets:
        regrets = known.get(situation)
        if regrets is None:
            regrets = known[situation] = Regrets(situation)
        return regrets


def train(
    seed: int = 1, iterations: int = ITERATIONS, deals: int = DEALS, modelled: int = ROUNDS
) -> Policy:
    """Learn a strategy from `iterations` walks of `deals` rounds each, after so many rounds of
    `hard` were counted."""
    training = Training(seed, counted(seed, modelled))
    for _ in range(iterations):
        training.walk(deals)
    return training.policy()


def ship(seed: int = 1, iterations: int = ITERATIONS) -> Path:
    """Learn the strategy that is shipped with the program. Returns its file."""
    return write_shipped("truco", "search", train(seed, iterations).dump(), FINGERPRINT)


if __name__ == "__main__":
    print(ship())
