"""Search for Fodinha: hundreds of possible deals, called and played out together.

A round only changes lives. Their value is the chance to be the last one alive, so a rival's lives
count too, most of all if the rival has few.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

import numpy as np

from agents.agent import Decision, Scale
from agents.fodinha.batched_hard import play_out, scored_moves
from agents.fodinha.deals import Deals, Floats, Ints
from agents.fodinha.rules import STRENGTHS, HardFodinha
from agents.search.agent import Budget, SearchAgent
from agents.search.batches import Beliefs, Comparison, likelihood
from engine.game import View
from engine.games.fodinha import CALL, CARDS, DECKS, SEATS, STRENGTH, TURNING, FodinhaView

CANDIDATES: Final = 16
"""Deals sampled for each one that is tried, if other seats have acted."""
SHARP: Final = 80.0
"""The exponent's factor: how much less likely an action gets for each life less by `hard`."""
SLIPS: Final = 0.05
"""The share of actions that are taken at random."""
CAUTION: Final = 0.3
"""By how many standard errors an action has to be better than the choice of the rule player."""
LIVES_POWER: Final = np.minimum(1 + 0.375 * np.arange(SEATS + 1), 2.5)
"""The chance to win the match is proportional to this power of the lives, by the number of players
alive. Fitted to 7,000 matches between `hard` players."""


LAST_LIVES: Final = 0.7
"""How much strengths count when hardly any lives are left, compared to the start of a match. Fitted
to the hints of 1,356 matches at the default table."""


class FodinhaSearch(SearchAgent):
    """Tries every call and every card in deals that fit the other seats' calls and cards.

    `hard` plays them out in all seats. It also decides about the power card and in blind rounds,
    because there is nothing to play out.
    """

    name = "search"

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget or Budget(worlds=300)
        self._rules = HardFodinha()

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, FodinhaView):
            raise TypeError("This agent plays Fodinha only.")
        if len(legal) == 1 or view.phase == TURNING or view.blind:
            return self._rules.act(view, legal, rng)
        moves = tried(view, legal)
        meaning = "estimated chance to be the last one alive"
        if len(moves) == 1:
            return Decision(legal[0], {}, meaning, scale=Scale.CHANCE)
        worlds = likely_deals(view, self.budget.worlds, rng)
        compared = Comparison(worlds, moves, partial(played_out, view))
        rules = self._rules.act(view, legal, rng)
        choice = compared.choice(move_of(view, rules.action), CAUTION)
        scores = {action: compared.scores[move_of(view, action)] for action in legal}
        if choice == move_of(view, rules.action):
            return replace(rules, scores=scores, meaning=meaning, scale=Scale.CHANCE)
        action = next(action for action in legal if move_of(view, action) == choice)
        return Decision(action, scores, meaning, scale=Scale.CHANCE)


def move_of(view: FodinhaView, action: int) -> int:
    """The call, or the strength of the card."""
    return action - CALL if action >= CALL else STRENGTH[view.power][action]


def tried(view: FodinhaView, legal: list[int]) -> list[int]:
    return sorted({move_of(view, action) for action in legal})


def order_of(view: FodinhaView) -> list[int]:
    """The living seats in the order of their calls."""
    seats = len(view.out_in)
    clockwise = [(view.dealer + 1 + place) % seats for place in range(seats)]
    return [seat for seat in clockwise if not view.out_in[seat]]


def played_out(view: FodinhaView, worlds: Deals, moves: list[int]) -> Floats:
    """The value of each move in each world if `hard` plays all seats."""
    tries = worlds.pick(np.repeat(worlds.rows, len(moves)))
    tries.apply(np.tile(np.array(moves), worlds.size))
    play_out(tries)
    order = order_of(view)
    lives = np.array([view.scores[seat] for seat in order]) - tries.lost()
    return last_one_alive(lives, order.index(view.seat)).reshape(worlds.size, len(moves))


def last_one_alive(lives: Ints, player: int) -> Floats:
    """The chance of a player to win the match after a round, one for each row of lives."""
    shares = lives_shares(lives)
    return np.asarray(shares[:, player] / shares.sum(axis=1))


def lives_shares(lives: Ints) -> Floats:
    """Numbers in proportion to the chances of players with these lives."""
    none = (lives <= 0).all(axis=1, keepdims=True)
    best = (lives == lives.max(axis=1, keepdims=True)).astype(np.int64)
    left = np.where(none, best, np.maximum(lives, 0))
    return np.asarray(left ** LIVES_POWER[(left > 0).sum(axis=1)][:, None])


def odds_by_score(view: FodinhaView, strengths: Sequence[float]) -> float:
    """The seat's chance to win the match by the lives alone. See `agents.roster.GameAgents`."""
    order = order_of(view)
    if view.seat not in order:
        return 0.0
    lives = np.array([view.scores[seat] for seat in order])
    weight = LAST_LIVES + (1 - LAST_LIVES) * float(lives.mean()) / view.rules.lives
    shares = lives_shares(lives[np.newaxis])[0]
    shares = shares * np.exp(weight * np.array([strengths[seat] for seat in order]))
    return float(shares[order.index(view.seat)] / shares.sum())


def likely_deals(view: FodinhaView, wanted: int, rng: Random) -> Deals:
    """Deals that fit what is known, sampled by the likelihood of the other seats' actions."""
    order = order_of(view)
    strength = STRENGTH[view.power]
    in_play = np.zeros(STRENGTHS, np.int64)
    for card in DECKS[view.rules.range]:
        in_play[strength[card]] += card not in view.turned
    actions = [(seat, action) for seat, action in view.history if action < CARDS or action >= CALL]
    others_moved = any(seat != view.seat for seat, _ in actions)
    size = CANDIDATES * wanted if others_moved else wanted
    chance = np.random.default_rng(rng.getrandbits(64))
    unseen = np.array([strength[card] for card in view.unseen()])
    drawn = unseen[chance.random((size, len(unseen))).argsort(axis=1)]
    hands = np.empty((size, len(order), view.size), np.int64)
    start = 0
    for player, seat in enumerate(order):
        shown = [strength[card] for who, card in actions if who == seat and card < CARDS]
        hands[:, player, : len(shown)] = shown
        if seat == view.seat:
            hands[:, player, len(shown) :] = [strength[card] for card in view.hand]
        else:
            end = start + view.hand_sizes[seat]
            hands[:, player, len(shown) :] = drawn[:, start:end]
            start = end
    deals = Deals(np.sort(hands, axis=2), in_play, view.rules.pairs)
    beliefs = Beliefs(deals, wanted, rng)
    for seat, action in actions:
        move = move_of(view, action)
        if seat != view.seat:
            moves, scores = scored_moves(beliefs.deals)
            beliefs.weigh(likelihood(scores.T, (moves == move).T, SHARP, SLIPS))
        beliefs.deals.apply(np.full(beliefs.deals.size, move))
    return beliefs.worlds()


def fodinha_search(budget: Budget | None = None) -> FodinhaSearch:
    return FodinhaSearch(budget)
