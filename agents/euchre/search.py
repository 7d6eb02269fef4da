"""Search for Euchre: the chance to win the match, and beliefs about the other hands."""

from collections.abc import Sequence
from functools import cache, partial
from random import Random
from typing import Final

import numpy as np

from agents.agent import Decision
from agents.euchre.batched_hard import play_out, scored_cards
from agents.euchre.deals import Deals, Floats
from agents.euchre.rules import HardEuchre
from agents.search.agent import BeliefModel, Budget, SearchPlayer
from agents.search.batches import Beliefs, Comparison, likelihood
from agents.search.match_odds import HandEnds, MatchOdds, uneven_odds
from engine.cards import cards_in
from engine.compiling import mypyc_attr
from engine.game import HIDDEN, OVER, State, View
from engine.games.euchre import (
    DISCARD,
    MOST_POINTS,
    PLAYING,
    SOLOIST,
    TARGET,
    TRICKS,
    EuchreState,
    EuchreView,
)

ENDS_OF_THREE: Final[tuple[HandEnds, ...]] = (
    {(0, 1): 0.476, (0, 2): 0.03, (0, 4): 0.01, (1, 0): 0.033, (2, 0): 0.441, (4, 0): 0.01},
    {(0, 1): 0.586, (0, 2): 0.314, (0, 4): 0.012, (2, 0): 0.088},
    {(0, 2): 0.567, (1, 0): 0.357, (2, 0): 0.074, (4, 0): 0.002},
)
"""For each dealer: how often hands between `hard` players end with these points for soloist and
pair."""

ENDS_OF_FOUR: Final[tuple[HandEnds, ...]] = (
    {(0, 1): 0.16, (0, 2): 0.13, (0, 4): 0.01, (1, 0): 0.52, (2, 0): 0.14, (4, 0): 0.04},
    {(1, 0): 0.16, (2, 0): 0.13, (4, 0): 0.01, (0, 1): 0.52, (0, 2): 0.14, (0, 4): 0.04},
)
"""The same with four players, by the dealer's side."""

EXACT: Final = 3
"""With at most this many cards in hand the rest is also solved with open cards."""
TRUST: Final = 0.5
"""The weight of the solution with open cards, against playing out with `hard`."""
WORLDS_OF_PLAY: Final = 2
"""Cards are tried in this many times as many worlds as bids are."""
CANDIDATES_OF_PLAY: Final = 4
"""Deals sampled for each one in which cards are tried."""
CAUTION: Final = 0.5
"""By how many standard errors a card has to be better than the choice of the rule player."""


@cache
def match_odds(seats: int, edge: float = 0.0) -> MatchOdds:
    """edge: the strength of side 0 minus that of side 1"""
    return uneven_odds(ENDS_OF_THREE if seats == 3 else ENDS_OF_FOUR, TARGET, edge=edge)


def odds_by_score(view: EuchreView, strengths: Sequence[float]) -> float:
    """The seat's chance to win the match by the score alone. See `agents.roster.GameAgents`."""
    seats = sum(map(len, view.sides))
    dealer = view.dealer if seats == 3 else view.dealer % 2
    chance = match_odds(seats, strengths[0] - strengths[1]).chance(view.scores, dealer)
    return chance if view.seat in view.sides[0] else 1 - chance


def chance_to_win(seat: int, after: State) -> float:
    """The seat's chance to win the match once the hand is over."""
    assert isinstance(after, EuchreState)
    ours = after.side_of[seat]
    if after.turn == OVER:
        return float(ours in after.winners)
    dealer = after.dealer if after.seats == 3 else after.dealer % 2
    chance = match_odds(after.seats).chance(after.points, dealer)
    return chance if ours == 0 else 1 - chance


@mypyc_attr(native_class=False)
class EuchreBeliefs(BeliefModel):
    def start_of_hand(self, world: State) -> State:
        assert isinstance(world, EuchreState)
        start = world.clone()
        dealt = [hand | pile for hand, pile in zip(world.hands, world.discards, strict=True)]
        for seat, action in world.history:
            if action < DISCARD:
                dealt[seat] |= 1 << action
        if world.ordered_up:
            dealt[world.dealer] &= ~(1 << world.up_card)
        if world.dummy_taken:
            dealt[SOLOIST] &= ~world.dummy
        order = []
        for place in range(1, world.seats + 1):
            order += cards_in(dealt[(world.dealer + place) % world.seats])
        order += [*cards_in(world.dummy), world.up_card, *cards_in(world.kitty)]
        start.deal([1 << card for card in order])
        return start

    def unseen_move(self, view: View, past: State, at: int, rng: Random) -> int:
        """A discard. It is no card that was played later, and preferably one of a suit that the
        seat turned out not to hold."""
        assert isinstance(view, EuchreView)
        seat = past.turn
        kept = {action for who, action in view.history[at:] if who == seat}
        legal = [action for action in past.legal() if action - DISCARD not in kept]
        not_held = [action for action in legal if view.voids[seat] >> (action - DISCARD) & 1]
        return self.model.act(past.view(seat), not_held or legal, rng).action

    def start_of_play(self, view: View, world: State, rng: Random) -> tuple[EuchreState, float]:
        """The world when the first card is led, and the likelihood of the others' bids in it."""
        past = self.start_of_hand(world)
        assert isinstance(past, EuchreState)
        likely = 1.0
        for at, (seat, action) in enumerate(view.history):
            if past.phase == PLAYING:
                break
            if action == HIDDEN:
                action = self.unseen_move(view, past, at, rng)
            elif seat != view.seat:
                likely *= self.likelihood(past, action, rng)
            past.apply(action)
        return past, likely


@mypyc_attr(native_class=False)
class EuchreSearch(SearchPlayer):
    """Bids and discards world by world. Cards are tried in hundreds of worlds at once, in which
    `hard` plays all seats; the last tricks are also solved with open cards."""

    def is_endgame(self, state: State) -> bool:
        assert isinstance(state, EuchreState)
        return state.phase == PLAYING and state.hands[state.turn].bit_count() <= EXACT

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, EuchreView)
        if view.phase != PLAYING or len(legal) == 1:
            return super().act(view, legal, rng)
        worlds = self.likely_deals(view, rng)
        compared = Comparison(worlds, legal, partial(self.attempt, view, worths_of_tricks(view)))
        usual = self.rollout.act(view, legal, rng).action
        action = compared.choice(usual, CAUTION)
        return Decision(action, compared.scores, self.meaning, scale=self.scale)

    def likely_deals(self, view: EuchreView, rng: Random) -> Deals:
        """Deals that fit what is known, drawn by the likelihood of the others' bids and cards."""
        model, wanted = self.beliefs, WORLDS_OF_PLAY * self.budget.worlds
        assert isinstance(model, EuchreBeliefs)
        drawn = [
            model.start_of_play(view, view.sample(rng), rng)
            for _ in range(CANDIDATES_OF_PLAY * wanted)
        ]
        beliefs = Beliefs(Deals([start for start, _ in drawn]), wanted, rng)
        beliefs.weigh(np.array([likely for _, likely in drawn]))
        first = len(drawn[0][0].history)
        for seat, card in view.history[first:]:
            deals = beliefs.deals
            if seat != view.seat:
                cards = deals.cards()
                beliefs.weigh(
                    likelihood(scored_cards(deals, cards), cards == card, model.sharp, model.slips)
                )
            beliefs.deals.apply(np.full(beliefs.deals.size, card))
        return beliefs.worlds()

    def attempt(self, view: EuchreView, worths: Floats, worlds: Deals, moves: list[int]) -> Floats:
        """The value of each card in each world.

        worths   the value of each number of tricks for the seat's side
        """
        ours = view.seat not in view.sides[0]
        tries = worlds.pick(np.repeat(worlds.rows, len(moves)))
        tries.apply(np.tile(np.array(moves), worlds.size))
        solution: Floats | None = None
        if tries.held <= EXACT:
            solution = solved(tries, int(ours), worths)
        play_out(tries)
        values = worths[tries.tricks[:, int(ours)]]
        if solution is not None:
            values = TRUST * solution + (1 - TRUST) * values
        return values.reshape(worlds.size, len(moves))


def worths_of_tricks(view: EuchreView) -> Floats:
    """The seat's chance to win the match after this hand, by the tricks of its side."""
    ours = int(view.seat not in view.sides[0])
    makers = int(view.maker not in view.sides[0])
    seats = view.seats
    dealer = (view.dealer + 1) % seats
    worths = []
    for tricks in range(TRICKS + 1):
        taken = tricks if ours == makers else TRICKS - tricks
        scores = list(view.scores)
        if taken < 3:
            scores[1 - makers] += 2
        elif taken < TRICKS:
            scores[makers] += 1
        else:
            scores[makers] += MOST_POINTS if view.alone else 2
        if max(scores) >= TARGET:
            worths.append(float(scores[ours] >= TARGET))
            continue
        chance = match_odds(seats).chance(scores, dealer if seats == 3 else dealer % 2)
        worths.append(1 - chance if ours else chance)
    return np.array(worths)


def solved(deals: Deals, ours: int, worths: Floats) -> Floats:
    """The value of each deal if both sides know all cards and play their best."""
    if deals.over:
        return np.asarray(worths[deals.tricks[:, ours]])
    cards = deals.cards()
    legal = (deals.legal()[:, None] >> cards & 1) == 1
    after = deals.pick(np.nonzero(legal)[0])
    after.apply(cards[legal])
    found = solved(after, ours, worths)
    best = np.full(cards.shape, -1.0)
    worst = np.full(cards.shape, 2.0)
    best[legal] = worst[legal] = found
    our_choice = deals.sides[deals.turn] == ours
    return np.asarray(np.where(our_choice, best.max(axis=1), worst.min(axis=1)))


def euchre_search(budget: Budget | None = None) -> SearchPlayer:
    hard = HardEuchre()
    return EuchreSearch(
        hard,
        chance_to_win,
        budget or Budget(worlds=80),
        "chance to win the match",
        EuchreBeliefs(hard, sharp=60.0, slips=0.05),
    )
