"""Search for Smear: hundreds of possible deals, bet and played out together."""

from collections.abc import Sequence
from functools import cache, partial
from random import Random
from typing import Final

import numpy as np

from agents.agent import Decision, Scale
from agents.search.agent import Budget, SearchAgent
from agents.search.batches import Beliefs, Comparison, likelihood
from agents.search.endgame import solve
from agents.search.match_odds import HandEnds, MatchOdds, uneven_odds
from agents.smear.batched_hard import play_out, scored_actions
from agents.smear.deals import Deals, Floats, Ints
from agents.smear.rules import HardSmear, honest, unseen_cards
from engine.cards import cards_in
from engine.game import OVER, State, View
from engine.games.smear import CARDS, HAND_SIZE, PLAYING, SEATS, TARGET, SmearState, SmearView

DEALER_ENDS: Final[HandEnds] = {
    (-4, 1): 0.005, (-3, 1): 0.027, (-3, 2): 0.073, (-3, 3): 0.013, (0, 3): 0.064,
    (0, 4): 0.117, (1, -4): 0.005, (1, -3): 0.015, (1, 2): 0.047, (1, 3): 0.159,
    (2, -3): 0.036, (2, -2): 0.031, (2, 2): 0.073, (3, -3): 0.005, (3, -2): 0.032,
    (3, 0): 0.058, (3, 1): 0.126, (4, -2): 0.005, (4, 0): 0.100,
}  # fmt: skip
"""How often hands between `hard` players end with these points for the dealer's side and the
other side."""
LOWEST: Final = -20

CANDIDATES: Final = 8
"""Deals sampled for each one that is tried, if other seats have acted."""
SHARP: Final = 60.0
"""The exponent's factor: how much less likely an action gets for each point less by `hard`."""
SLIPS: Final = 0.1
"""The share of actions that are taken at random."""
CAUTION: Final = 0.3
"""By how many standard errors an action has to be better than the choice of the rule player."""
EXACT: Final = 2
"""With at most this many cards in hand the rest is also solved."""
SOLVED: Final = 150
"""At most this many worlds are solved, because solving is slower than playing out."""
TRUST: Final = 0.25
"""The weight of the solution with open cards, against playing out with `hard`."""
MORE_SHUFFLES: Final = 8
"""If too few deals fit, this many times as many are shuffled before sampling one by one."""


@cache
def match_odds(edge: float = 0.0) -> MatchOdds:
    """edge: the strength of side 0 minus that of side 1"""
    others = {(gain, loss): share for (loss, gain), share in DEALER_ENDS.items()}
    return uneven_odds((DEALER_ENDS, others), TARGET, LOWEST, edge)


def odds_by_score(view: SmearView, strengths: Sequence[float]) -> float:
    """The seat's chance to win the match by the score alone. See `agents.roster.GameAgents`."""
    left = view.hand.bit_count() / HAND_SIZE
    odds = match_odds(strengths[0] - strengths[1])
    chance = odds.chance_during(view.scores, view.dealer % 2, left)
    return chance if view.seat % 2 == 0 else 1 - chance


def chance_to_win(seat: int, after: State) -> float:
    """The seat's chance to win the match after the hand."""
    assert isinstance(after, SmearState)
    if after.turn == OVER:
        return after.returns()[seat]
    chance = match_odds().chance(after.points, after.dealer % 2)
    return chance if seat % 2 == 0 else 1 - chance


def chances_to_win(seats: int | Ints, deals: Deals) -> Floats:
    """The same for many finished deals."""
    points = deals.points() + np.array(deals.scores)
    bettors = deals.bettor % 2
    bettors_are_there = points[deals.rows, bettors] >= TARGET
    winner = np.where(bettors_are_there, bettors, 1 - bettors)
    goes_on = match_odds().chances(points, (deals.dealer + 1) % 2)
    first = np.where((points >= TARGET).any(axis=1), winner == 0, goes_on)
    return np.where(np.asarray(seats) % 2 == 0, first, 1 - first)


class SmearSearch(SearchAgent):
    """Tries every bet and every card in deals that fit the other seats' bets and cards.

    `hard` plays them out in all seats. The last tricks are also solved with open cards.
    """

    name = "search"

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget or Budget(worlds=800)
        self._rules = HardSmear()

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, SmearView):
            raise TypeError("This agent plays Smear only.")
        meaning = "chance to win the match"
        moves = honest(view, legal)
        if len(moves) == 1:
            return Decision(moves[0], {}, meaning, scale=Scale.CHANCE)
        if view.revokes(moves[0]):
            scores = self._after_revokes(view, moves, rng)
            best_revoke = max(scores, key=scores.__getitem__)
            return Decision(best_revoke, scores, meaning, scale=Scale.CHANCE)
        wanted, attempt = self.budget.worlds, played_out
        if view.phase == PLAYING and view.hand.bit_count() <= EXACT:
            wanted, attempt = min(wanted, SOLVED), solved_and_played_out
        compared = Comparison(likely_deals(view, wanted, rng), moves, partial(attempt, view))
        scores = compared.scores
        if self.thorough:
            scores.update(self._after_revokes(view, legal, rng))
        usual = self._rules.act(view, legal, rng).action
        action = compared.choice(usual, CAUTION)
        return Decision(action, scores, meaning, scale=Scale.CHANCE)

    def _after_revokes(self, view: SmearView, legal: list[int], rng: Random) -> dict[int, float]:
        """A revoke ends the hand immediately, so that one world is enough to score it."""
        worth = {}
        for action in legal:
            if view.revokes(action):
                world = view.sample(rng)
                world.apply(action)
                worth[action] = chance_to_win(view.seat, world)
        return worth


def played_out(view: SmearView, worlds: Deals, moves: list[int]) -> Floats:
    """The chance to win for each action in each world if `hard` plays all seats."""
    tries = worlds.pick(np.repeat(worlds.rows, len(moves)))
    tries.apply(np.tile(np.array(moves), worlds.size))
    play_out(tries)
    return chances_to_win(view.seat, tries).reshape(worlds.size, len(moves))


def solved_and_played_out(view: SmearView, worlds: Deals, moves: list[int]) -> Floats:
    solution = solved(view, worlds, moves)
    return TRUST * solution + (1 - TRUST) * played_out(view, worlds, moves)


def solved(view: SmearView, worlds: Deals, moves: list[int]) -> Floats:
    """The chance to win for each action in each world if all seats play with open cards."""
    any_world = view.sample(Random(0))
    known: dict[tuple[int, ...], list[float]] = {}
    worths = []
    for row in worlds.hands.tolist():
        hands = tuple(row)
        if hands not in known:
            known[hands] = []
            for move in moves:
                after = any_world.clone()
                after.hands = list(hands)
                after.apply(move)
                known[hands].append(solve(after, view.seat, chance_to_win))
        worths.append(known[hands])
    return np.array(worths)


def likely_deals(view: SmearView, wanted: int, rng: Random) -> Deals:
    """Deals that fit what is known, sampled by the likelihood of the other seats' actions."""
    others_moved = any(seat != view.seat for seat, _ in view.history)
    size = CANDIDATES * wanted if others_moved else wanted
    played = [0] * SEATS
    for seat, action in view.history:
        if action < CARDS:
            played[seat] |= 1 << action
    deals = Deals(deal_hidden(view, size, rng) | np.array(played), view.dealer, view.scores)
    beliefs = Beliefs(deals, wanted, rng)
    for seat, action in view.history:
        if seat != view.seat:
            choices, scores = scored_actions(beliefs.deals)
            beliefs.weigh(likelihood(scores, choices == action, SHARP, SLIPS))
        beliefs.deals.apply(np.full(beliefs.deals.size, action))
    return beliefs.worlds()


def deal_hidden(view: SmearView, size: int, rng: Random) -> Ints:
    """Possible current hands: shuffled, and kept if they respect the known voids. If that fits too
    rarely, the rest is sampled one by one."""
    unseen = np.array(cards_in(unseen_cards(view)))
    chance = np.random.default_rng(rng.getrandbits(64))
    found = np.empty((0, SEATS), np.int64)
    for shuffles in (size, MORE_SHUFFLES * size):
        order = unseen[chance.random((shuffles, len(unseen))).argsort(axis=1)]
        bits = np.left_shift(1, order)
        hands = np.empty((shuffles, SEATS), np.int64)
        start = 0
        for seat in range(SEATS):
            if seat == view.seat:
                hands[:, seat] = view.hand
            else:
                end = start + view.hand_sizes[seat]
                hands[:, seat] = bits[:, start:end].sum(axis=1)
                start = end
        fits = ((hands & np.array(view.voids)) == 0).all(axis=1)
        found = np.concatenate([found, hands[fits]])[:size]
        if len(found) == size:
            return found
    rest = [view.sample(rng).hands for _ in range(size - len(found))]
    return np.concatenate([found, np.array(rest, np.int64)])


def smear_search(budget: Budget | None = None) -> SmearSearch:
    return SmearSearch(budget)
