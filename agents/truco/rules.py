"""Rule players for Truco: `easy` looks at its own cards, `hard` considers every hand that the
opponent may hold."""

from dataclasses import replace
from functools import cache
from itertools import combinations
from math import exp
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent, Decision, Scale
from agents.truco.odds import (
    ME,
    THEM,
    Chances,
    Hands,
    PointValue,
    Stage,
    side_of,
    stage,
    strengths,
)
from engine.game import View
from engine.games.truco import (
    ACCEPT,
    ANSWERING_TRUCO,
    FLOR,
    FLOR_POINTS,
    HAND,
    HIGHEST_STAKE,
    LOWEST_PIEZA,
    NOBODY,
    NUM_VALUES,
    PLAYED,
    RAISE,
    RANKS,
    REJECT,
    VALUES,
    TrucoView,
    has_flor,
)

APPEAL: Final = "how good it looks with these cards, from 0 to 1"
NERVE: Final = 0.45
"""How good the cards must look, from 0 to 1, for `easy` to accept a bid."""
RAISE_NERVE: Final = 0.65
RAISE_BACK_NERVE: Final = 0.8
BEST_VALUE: Final = NUM_VALUES - 1


class EasyTruco(Agent):
    """Leads its best card, takes a trick as cheaply as possible, bids if its cards look good."""

    name = "easy"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, TrucoView)
        if FLOR in legal and has_flor(view.hand, view.muestra):
            return Decision(FLOR, {FLOR: 1.0}, APPEAL)
        looks = self._looks(view)
        if view.phase == ANSWERING_TRUCO:
            scores = {ACCEPT: looks, REJECT: NERVE, RAISE: 2 * looks - RAISE_BACK_NERVE}
        else:
            cards = [place for place in range(len(view.hand)) if place in legal]
            scores = dict.fromkeys(cards, 0.0)
            if cards:
                scores[self._card(view, cards)] = RAISE_NERVE
            scores[RAISE] = looks
        scores = {action: score for action, score in scores.items() if action in legal}
        action = max(scores, key=scores.__getitem__) if scores else legal[0]
        return Decision(action, scores, APPEAL)

    def _looks(self, view: TrucoView) -> float:
        """The mean value of the two best cards among the hand and the card played last."""
        values = VALUES[view.muestra]
        own = [values[card] for card in (*view.played_by(view.seat)[-1:], *view.hand)]
        return sum(sorted(own)[-2:]) / (2 * BEST_VALUE)

    def _card(self, view: TrucoView, places: list[int]) -> int:
        """The card to play, of those at these places of the hand."""
        if not view.tricks or len(view.tricks[-1]) == 2:
            return places[-1]
        values = VALUES[view.muestra]
        led = values[view.tricks[-1][0][1]]
        winning = [place for place in places if values[view.hand[place]] > led]
        return winning[0] if winning else places[0]


BLUFFING: Final = 0.15
STEEP: Final = 0.05


class Frequency:
    """How often a good player does something, as a function of the strength of the hand.

    bluff    with the weakest hands, below a strength of BLUFFING
    seldom   in between
    often    with hands well above the strength `enough`; `width` is the width of the transition
    """

    def __init__(
        self, bluff: float, seldom: float, often: float, enough: float, width: float
    ) -> None:
        self.bluff, self.seldom, self.often = bluff, seldom, often
        self.enough, self.width = enough, width

    def __call__(self, strength: Chances) -> Chances:
        weak = 1 / (1 + np.exp((strength - BLUFFING) / STEEP))
        strong = 1 / (1 + np.exp((self.enough - strength) / self.width))
        rate = self.seldom + (self.bluff - self.seldom) * weak
        return np.asarray(rate + (self.often - self.seldom) * strong)


# By the number of cards still held, from none to three. Strong hands wait: a raise with the last
# card has the most information, and after a raise only the opponent may raise.
RAISES: Final = (
    Frequency(0.01, 0.01, 0.01, 0.50, 0.10),
    Frequency(0.27, 0.01, 0.98, 0.85, 0.03),
    Frequency(0.19, 0.05, 0.75, 0.95, 0.06),
    Frequency(0.16, 0.04, 0.42, 0.84, 0.08),
)
CALLS: Final = (
    Frequency(0.01, 0.01, 0.75, 0.27, 0.03),
    Frequency(0.18, 0.30, 0.98, 0.60, 0.07),
    Frequency(0.04, 0.05, 0.96, 0.31, 0.07),
    Frequency(0.04, 0.03, 0.96, 0.43, 0.07),
)
"""How often a bid is accepted or raised back."""
RAISES_BACK: Final = (
    Frequency(0.01, 0.01, 0.02, 0.90, 0.05),
    Frequency(0.03, 0.02, 0.70, 0.97, 0.02),
    Frequency(0.22, 0.06, 0.50, 0.79, 0.03),
    Frequency(0.30, 0.05, 0.52, 0.86, 0.08),
)
"""The share of raises among the bids that are not rejected."""

# Likelihood of a hand that contradicts an action of its holder, relative to one that does not.
FALSE_FLOR: Final = 0.03
SILENT_FLOR: Final = 0.1
ODD_CARD: Final = 0.1


class Progress:
    """The tricks of a round while its history is replayed."""

    def __init__(self, mano: int) -> None:
        self.mano = mano
        self.results: list[int] = []
        self.led: tuple[int, int] | None = None
        """The seat and the value of the card to beat."""

    def play(self, seat: int, value: int) -> None:
        if self.led is None:
            self.led = (seat, value)
            return
        leader, led = self.led
        self.results.append(leader if led > value else seat if led < value else NOBODY)
        self.led = None

    def stage_for(self, seat: int) -> Stage:
        return stage(side_of(self.mano, seat), self._results_for(seat), self.led is not None)

    def strengths_for(self, seat: int) -> Chances:
        leader, led = self.led or (NOBODY, 0)
        mano, owner = side_of(self.mano, seat), side_of(leader, seat)
        return strengths(mano, self._results_for(seat), led, owner)

    def _results_for(self, seat: int) -> tuple[int, ...]:
        return tuple([side_of(winner, seat) for winner in self.results])


@cache
def _ways_to_choose(size: int, count: int) -> Hands:
    ways = list(combinations(range(count), size))
    return np.array(ways, dtype=np.intp).reshape(len(ways), size).T


class OpponentHands:
    """The hands the opponent may hold, and their probabilities given the opponent's actions.

    progress  the tricks so far
    hands     the values of the cards still held
    weights   the probabilities of these hands
    flor      the chance that the opponent was dealt a flor
    """

    def __init__(self, view: TrucoView) -> None:
        self.other = 1 - view.seat
        self.progress = Progress(view.mano)
        self._values = VALUES[view.muestra]
        self._missing = view.target() - view.scores[view.seat]
        self._out = 0
        played = view.played_by(self.other)
        unseen = np.array(view.unseen(), dtype=np.intp)
        held = unseen[_ways_to_choose(view.hand_sizes[self.other], len(unseen))]
        count = held.shape[1]
        dealt = np.concatenate([np.repeat([played], count, axis=0).T.astype(np.intp), held])
        self._dealt: Hands = np.array(self._values)[dealt]
        """All three cards: first the played ones in order."""
        self.hands: Hands = self._dealt[len(played) :]
        self._likely = np.ones(count)
        self._follow(view)
        flors = self._flors(dealt)
        if view.flor_called[self.other]:
            self._likely[~flors] *= FALSE_FLOR
        elif played:
            self._likely[flors] *= SILENT_FLOR
        self.weights: Chances = self._likely / self._likely.sum()
        self.flor = float(self.weights[flors].sum())

    def strengths(self) -> Chances:
        """The strength of each hand for its holder, at this point of the replayed round."""
        chances = self.progress.strengths_for(self.other)[tuple(self._dealt[self._out :])]
        return np.broadcast_to(chances, self._likely.shape)

    def desperate(self, stake: int) -> bool:
        """True if losing the round loses the match for the opponent. Then a bid costs nothing and
        says nothing about the hand."""
        return self._missing <= stake

    def _flors(self, dealt: Hands) -> NDArray[np.bool_]:
        piezas = self._dealt >= LOWEST_PIEZA
        first, second, third = dealt // RANKS
        count = piezas.sum(axis=0)
        one_suit = (first == second) & (second == third)
        others_match = np.where(
            piezas[0], second == third, np.where(piezas[1], first == third, first == second)
        )
        return np.asarray((count > 1) | one_suit | ((count == 1) & others_match))

    def _follow(self, view: TrucoView) -> None:
        """Update the likelihood of each hand with every bid, answer and card of the opponent."""
        stake, raiser, pending = 1, NOBODY, False
        for seat, action in view.history:
            theirs = seat == self.other
            informative = theirs and not self.desperate(stake)
            cards = HAND - self._out
            if action == RAISE:
                if informative:
                    frequency = RAISES_BACK[cards] if pending else RAISES[cards]
                    self._likely *= frequency(self.strengths())
                stake += pending
                raiser, pending = seat, True
            elif action == ACCEPT:
                if informative:
                    seen = self.strengths()
                    self._likely *= CALLS[cards](seen) * (1 - RAISES_BACK[cards](seen))
                stake += 1
                pending = False
            elif action >= PLAYED:
                value = self._values[action - PLAYED]
                if informative and raiser != seat and stake < HIGHEST_STAKE:
                    self._likely *= 1 - RAISES[cards](self.strengths())
                if theirs:
                    self._out += 1
                    if self.progress.led is not None:
                        self._fit_answer(self.progress.led[1], value)
                self.progress.play(seat, value)

    def _fit_answer(self, led: int, value: int) -> None:
        """A good answer takes the trick as cheaply as possible or throws the weakest card."""
        kept = self._dealt[self._out :]
        cheaper = (kept > led) & (kept < value)
        odd = cheaper if value > led else (kept > led) | (kept < value)
        self._likely[odd.any(axis=0)] *= ODD_CARD


class ExpectedPoints:
    """The expected points of each choice over all hands that the opponent may hold."""

    def __init__(self, view: TrucoView) -> None:
        seat = view.seat
        values = VALUES[view.muestra]
        self._opponent = opponent = OpponentHands(view)
        self._their_cards = view.hand_sizes[1 - seat]
        own_flor = view.flor_called[seat] and has_flor(
            [*view.hand, *view.played_by(seat)], view.muestra
        )
        self.value = PointValue(view, own_flor, opponent.flor)
        mine: list[int | Hands] = [values[card] for card in view.hand]
        self.strength = opponent.progress.strengths_for(seat)[tuple(mine)]
        """The strength of the own hand, before the opponent's bids are considered."""
        theirs = opponent.hands
        if opponent.progress.led is not None:
            leader, led = opponent.progress.led
            if leader == seat:
                mine.insert(0, led)
            else:
                theirs = np.concatenate([np.full((1, theirs.shape[1]), led), theirs])
        self._wins = opponent.progress.stage_for(seat).wins(mine, theirs).astype(np.float64)

    def cards(self, stake: int) -> dict[int, float]:
        """For each card the expected points if there are no more raises."""
        up, down = self.value(ME, stake), self.value(THEM, stake)
        chances = self._wins @ self._opponent.weights
        return {place: float(down + chance * (up - down)) for place, chance in enumerate(chances)}

    def accepting(self, stake: int) -> float:
        return self._best_card(self._opponent.weights, stake)

    def raising(self, stake: int) -> float:
        """The expected points of a raise over this stake, which may be rejected, accepted or raised
        back."""
        bid = stake + 1
        if self._opponent.desperate(stake):
            return self.accepting(bid)
        weights = self._opponent.weights
        seen = self._opponent.strengths()
        calls = weights * CALLS[self._their_cards](seen)
        points = (1 - float(calls.sum())) * self.value(ME, stake)
        if bid < HIGHEST_STAKE:
            back = calls * RAISES_BACK[self._their_cards](seen)
            give_up = float(back.sum()) * self.value(THEM, bid)
            points += max(give_up, self._best_card(back, bid + 1))
            calls = calls - back
        return points + self._best_card(calls, bid)

    def wins(self) -> float:
        """The chance to win the round with the best card, if nobody gives up."""
        return float((self._wins @ self._opponent.weights).max())

    def _best_card(self, weights: Chances, stake: int) -> float:
        """The expected points of the best card over hands whose weights need not add up to one."""
        won = float((self._wins @ weights).max())
        lost = float(weights.sum()) - won
        return won * self.value(ME, stake) + lost * self.value(THEM, stake)


TEMPERATURE: Final = 0.25
"""The points that make a choice e times as likely as its usual frequency."""


MATCH: Final = "chance to win the match"
PROBABLE: Final = 0.6
"""With a higher chance to win the round, the own cards are called the better ones."""


class Weighed(NamedTuple):
    """The choices of `hard`.

    points        the expected points of each choice, weighted by the score
    frequencies   how often it makes those that it considers, before the points adjust them
    expected      how they were computed
    """

    points: dict[int, float]
    frequencies: dict[int, float]
    expected: ExpectedPoints

    def decision(self, action: int) -> Decision:
        """The decision for an action, with chances instead of points."""
        value = self.expected.value
        chances = {choice: value.chance(points) for choice, points in self.points.items()}
        wins = self.expected.wins()
        which = "better" if wins > PROBABLE else "worse" if wins < 1 - PROBABLE else ""
        reason = f"Your cards are probably the {which} ones." if which else "It is a close fight."
        return Decision(action, chances, MATCH, scale=Scale.CHANCE, reason=reason)


def weigh(view: TrucoView, legal: list[int]) -> Weighed:
    expected = ExpectedPoints(view)
    cards = len(view.hand)
    if view.phase == ANSWERING_TRUCO:
        points = {
            ACCEPT: expected.accepting(view.bid),
            REJECT: expected.value(THEM, view.stake),
        }
        calls = float(CALLS[cards](expected.strength))
        frequencies = {ACCEPT: calls, REJECT: 1 - calls}
        if RAISE in legal:
            points[RAISE] = expected.raising(view.bid)
            frequencies[RAISE] = calls * float(RAISES_BACK[cards](expected.strength))
            frequencies[ACCEPT] -= frequencies[RAISE]
        frequencies = {
            action: frequency for action, frequency in frequencies.items() if action in legal
        }
    else:
        points = expected.cards(view.stake)
        places = [place for place in points if place in legal]
        frequencies = {}
        if places:
            frequencies[max(places, key=lambda place: (points[place], -place))] = 1.0
        if RAISE in legal:
            points[RAISE] = expected.raising(view.stake)
            raises = float(RAISES[cards](expected.strength))
            frequencies = dict.fromkeys(frequencies, 1.0 - raises) | {RAISE: raises}
    points = {action: score for action, score in points.items() if action in legal}
    if FLOR in legal and points:
        _weigh_flor(view, points)
    return Weighed(points, frequencies, expected)


def _weigh_flor(view: TrucoView, points: dict[int, float]) -> None:
    """Add what calling a flor is worth: its points, which the other side gets if it is false. A
    real one can also be called after a raise or an answer; a card or the end of the round loses
    it."""
    best = max(points.values())
    if has_flor(view.hand, view.muestra):
        points[FLOR] = best + FLOR_POINTS
        for action in {RAISE, ACCEPT} & points.keys():
            points[action] += FLOR_POINTS
    else:
        points[FLOR] = best - FLOR_POINTS


class HardTruco(Agent):
    """Plays the card that wins most often against the hands the opponent may hold.

    It bids with fixed frequencies, adjusted by the expected points of each choice. The
    frequencies keep bluffs and strong hands in balance where the points make no difference.
    """

    name = "hard"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, TrucoView)
        weighed = weigh(view, legal)
        if FLOR in legal and has_flor(view.hand, view.muestra):
            return call_flor(weighed)
        points, frequencies, expected = weighed
        if not frequencies:
            return weighed.decision(legal[0])
        top = max([points[action] for action in frequencies])
        if expected.value.fatal(view.stake):
            return weighed.decision(max(frequencies, key=points.__getitem__))
        weights = [
            frequency * exp((points[action] - top) / TEMPERATURE)
            for action, frequency in frequencies.items()
        ]
        return weighed.decision(rng.choices(list(frequencies), weights)[0])


def call_flor(weighed: Weighed) -> Decision:
    """The decision to call a real flor."""
    return replace(weighed.decision(FLOR), reason="A flor that is not called earns nothing.")
