"""How far the Truco expert can be exploited: best responses to its strategy.

    python -m agents.truco.response [--hands N]

The command measures two opponents who know the shipped strategy: one distinguishes all cards, the
other only the classes of cards that the strategy distinguishes.
"""

import argparse
from collections import Counter
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

import numpy as np

from agents.truco.cfr import Numbers, Walk, fill
from agents.truco.expert import shipped_policy
from agents.truco.situations import (
    FLOR_ROW,
    ROWS,
    Node,
    Policy,
    Rounds,
    Situation,
    hand_class,
)
from engine.games.truco import CARDS, HAND, NOBODY, NUM_VALUES, VALUES, has_flor

DEALS: Final = 16_000
"""Rounds for each hand, if the responder sees no more than the policy."""
SEEN_ROW: Final = ROWS
"""An extra row of the rounds: what the responder has seen."""
LEARNED_ROW: Final = ROWS + 1
"""Another one: 1 if a response is learned from the round."""
UNLIKELY: Final = 0.1
"""Less likely choices of the policy are sampled, and count as if they had this probability."""


class Response(Walk):
    """One seat, the responder, plays the best response to a policy in the other seat.

    The responder distinguishes its situations by its own cards, every card played and every bid.
    Weights are the probability of the deal and of the policy's choices. In situations unknown to
    the policy, the policy chooses at random.
    """

    def __init__(self, policy: Policy, responder: int) -> None:
        """responder: a seat, or NOBODY if the policy plays against itself."""
        self.policy = policy
        self.responder = responder

    def play(self, node: Node, rounds: list[Rounds], weights: list[Numbers]) -> list[Numbers]:
        for place, each in enumerate(rounds):
            each[SEEN_ROW] = self.seen(each, node.to_play, place)
        return super().play(node, rounds, weights)

    def seen(self, rounds: Rounds, seat: int, place: int) -> Rounds:
        """What the responder has seen once this seat plays its card at a place."""
        card = place if seat == self.responder else rounds[3 * seat + place]
        return np.asarray(rounds[SEEN_ROW] * NUM_VALUES + card)

    def chances(self, node: Node, rounds: Rounds) -> Numbers:
        """How likely the policy makes each choice."""
        chances = self.policy.chances(node, rounds)
        chances[:, ~chances.any(axis=0)] = 1 / len(chances)
        return chances

    def decide(self, node: Node, rounds: Rounds, weights: Numbers) -> Numbers:
        if node.turn() == self.responder:
            return self._respond(node, rounds, weights)
        chances = self.chances(node, rounds)
        after = [weights * chance for chance in chances]
        values = self.choose(node, rounds, after, [np.flatnonzero(each) for each in after])
        return np.asarray((chances * values).sum(axis=0))

    def _respond(self, node: Node, rounds: Rounds, weights: Numbers) -> Numbers:
        flors = rounds[FLOR_ROW] & 1 if node.opening() else rounds[FLOR_ROW]
        _, situations = np.unique(rounds[SEEN_ROW] * 4 + flors, return_inverse=True)
        count = len(node.actions())
        everywhere = [np.arange(rounds.shape[1])] * count
        values = self.choose(node, rounds, [weights] * count, everywhere)
        sign = 1 if self.responder == 0 else -1
        brought = [np.bincount(situations, sign * weights * each) for each in values]
        best = np.argmax(brought, axis=0)[situations]
        return np.asarray(values[best, everywhere[0]])


def rounds_against(own: list[int], seat: int, muestra: int) -> tuple[Rounds, Numbers]:
    """Every hand that the opponent may hold against these cards, and its probability."""
    unseen = [card for card in range(CARDS) if card != muestra and card not in own]
    values = VALUES[muestra]
    hands: Counter[tuple[bool, tuple[int, ...]]] = Counter()
    for cards in combinations(unseen, HAND):
        hands[has_flor(cards, muestra), tuple(sorted([values[card] for card in cards]))] += 1
    rounds = np.zeros((ROWS + 1, len(hands)), dtype=np.intp)
    rounds[3 * seat : 3 * seat + HAND] = [[value] for value in sorted(values[c] for c in own)]
    rounds[3 - 3 * seat : 6 - 3 * seat] = np.array([hand for _, hand in hands]).T
    flors = np.array([flor for flor, _ in hands], dtype=np.intp)
    rounds[FLOR_ROW] = (has_flor(own, muestra) << seat) | (flors << (1 - seat))
    chances = np.array(list(hands.values()), dtype=np.float64)
    return rounds, chances / chances.sum()


def exploitability(policy: Policy, hands: int, seed: int = 0) -> tuple[float, float]:
    """The gain of the best response to a policy, in points per round, and its standard error.

    The responder's hands are sampled. Every hand of the opponent is considered against each of
    them, so that the response is exact. The responder distinguishes all cards and not only their
    classes; a response that sees no more than the policy gains less. The gain is relative to the
    policy itself, whose mean over all hands and both seats is 0.
    """
    rng = Random(seed)
    gains = []
    for number in range(hands):
        seat = number % 2
        *own, muestra = rng.sample(range(CARDS), HAND + 1)
        rounds, chances = rounds_against(own, seat, muestra)
        best, usual = (
            float(chances @ Response(policy, responder).visit(Node(), rounds.copy(), chances))
            for responder in (seat, NOBODY)
        )
        gains.append(abs(best - usual))
    return float(np.mean(gains)), float(np.std(gains) / np.sqrt(hands))


class ClassResponse(Response):
    """A best response that sees no more than the policy: classes of cards and public situations.

    The responder remembers what it saw in earlier situations. It learns its choices from every
    other column and plays them in all, so that the rest shows what they bring in rounds that it
    does not know. Where it has learned nothing it plays like the policy. The unlikely choices of
    the policy are sampled.
    """

    def __init__(self, policy: Policy, responder: int, rng: np.random.Generator) -> None:
        super().__init__(policy, responder)
        self._rng = rng

    def seen(self, rounds: Rounds, seat: int, place: int) -> Rounds:
        before = rounds[SEEN_ROW]
        return np.asarray(before * HAND + place) if seat == self.responder else before

    def decide(self, node: Node, rounds: Rounds, weights: Numbers) -> Numbers:
        if node.turn() == self.responder:
            return self._respond(node, rounds, weights)
        likely = weights * self.chances(node, rounds)
        sampled = self._rng.random(likely.shape) * UNLIKELY < likely
        likely = np.where(likely < UNLIKELY, UNLIKELY * sampled, likely)
        values = self.choose(node, rounds, list(likely), [np.flatnonzero(each) for each in likely])
        return np.asarray((likely * values).sum(axis=0) / weights)

    def _respond(self, node: Node, rounds: Rounds, weights: Numbers) -> Numbers:
        situation = Situation.at(node)
        observed = situation.numbers(rounds, node.opening())
        _, situations = np.unique(
            rounds[SEEN_ROW].astype(np.int64) * situation.size() + observed, return_inverse=True
        )
        remembered = rounds.copy()
        remembered[SEEN_ROW] = situations
        chances = self.chances(node, rounds)
        everywhere = [np.arange(rounds.shape[1])] * len(chances)
        values = self.choose(node, remembered, [weights] * len(chances), everywhere)
        learned = rounds[LEARNED_ROW] * (weights if self.responder == 0 else -weights)
        brought = [np.bincount(situations, learned * each) for each in values]
        best = values[np.argmax(brought, axis=0)[situations], everywhere[0]]
        known = np.bincount(situations, rounds[LEARNED_ROW])[situations] > 0
        return np.asarray(np.where(known, best, (chances * values).sum(axis=0)))


def rounds_alike(own: list[int], seat: int, muestra: int, deals: int, rng: Random) -> Rounds:
    """Random rounds in which the cards of the seat look like these to the policy: they have the
    same classes, and a flor only if these have one. A response is learned from every other one."""
    kind = hand_class([sorted([VALUES[muestra][card] for card in own])])
    flor = has_flor(own, muestra)
    every_hand = np.array(list(combinations(range(CARDS), HAND)))
    alike: list[tuple[list[int], int]] = []
    for shown in range(CARDS):
        hands = every_hand[(every_hand != shown).all(axis=1)]
        same = hand_class(np.sort(np.array(VALUES[shown])[hands])) == kind
        alike += [(hand, shown) for hand in hands[same].tolist() if has_flor(hand, shown) == flor]
    rounds = np.zeros((ROWS + 2, deals), dtype=np.int32)
    for column in range(deals):
        hand, shown = rng.choice(alike)
        drawn = rng.sample(range(CARDS), 2 * HAND + 1)
        other = [card for card in drawn if card != shown and card not in hand][:HAND]
        fill(rounds, column, seat, hand, shown)
        fill(rounds, column, 1 - seat, other, shown)
    rounds[LEARNED_ROW] = np.arange(deals) % 2
    return rounds


class Bounds(NamedTuple):
    """Bounds for a gain in points per round, and the standard error of the upper bound."""

    lower: float
    upper: float
    error: float


def exploitability_in_classes(
    policy: Policy, hands: int, deals: int = DEALS, seed: int = 0
) -> Bounds:
    """The gain of the best response that sees no more than the policy.

    The responder's hands are sampled, and the response for each is learned from half of the deals
    with hands alike. The upper bound is its gain in these deals, to which it is fitted, and the
    lower bound its gain in the other half. The gain is relative to the policy itself.
    """
    rng = Random(seed)
    gains = []
    for number in range(hands):
        seat = number % 2
        *own, muestra = rng.sample(range(CARDS), HAND + 1)
        rounds = rounds_alike(own, seat, muestra, deals, rng)
        sampling = np.random.default_rng([seed, number])
        best, usual = (
            ClassResponse(policy, responder, sampling).visit(Node(), rounds.copy(), np.ones(deals))
            for responder in (seat, NOBODY)
        )
        gain = best - usual if seat == 0 else usual - best
        gains.append((gain[::2].mean(), gain[1::2].mean()))
    lower, upper = np.mean(gains, axis=0)
    return Bounds(float(lower), float(upper), float(np.std(gains, axis=0)[1] / np.sqrt(hands)))


def main() -> None:
    parser = argparse.ArgumentParser(description="How far the Truco expert can be exploited.")
    parser.add_argument("--hands", type=int, default=100, help="hands of the opponent to sample")
    hands = parser.parse_args().hands
    policy = shipped_policy()
    gain, error = exploitability(policy, hands)
    print(f"An opponent who sees every card gains {gain:.3f} ± {1.96 * error:.3f} points a round.")
    lower, upper, error = exploitability_in_classes(policy, hands)
    print(f"One who sees the same classes gains {lower:.3f} to {upper:.3f} ± {1.96 * error:.3f}.")


if __name__ == "__main__":
    main()
