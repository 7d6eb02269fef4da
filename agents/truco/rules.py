"""Truco by rules: `easy` looks at its own cards, `hard` weighs every hand the other may hold."""

from functools import cache
from itertools import combinations
from math import exp
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent, Decision
from agents.truco.odds import (
    ME,
    THEM,
    Chances,
    Hands,
    Stage,
    Worth,
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

APPEAL: Final = "how much it appeals, from 0 to 1, going by the own cards"
NERVE: Final = 0.45
"""How good the cards have to look, from 0 to 1, for `easy` to accept a bid."""
RAISE_NERVE: Final = 0.65
RAISE_BACK_NERVE: Final = 0.8
BEST_VALUE: Final = NUM_VALUES - 1


class EasyTruco(Agent):
    """Leads its best card, takes a trick as cheaply as it can, bids when its cards look good."""

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
        """The mean value of the two best cards of the hand and the one played last."""
        values = VALUES[view.muestra]
        own = [values[card] for card in (*view.played_by(view.seat)[-1:], *view.hand)]
        return sum(sorted(own)[-2:]) / (2 * BEST_VALUE)

    def _card(self, view: TrucoView, places: list[int]) -> int:
        """Which card to play, of those at these places of the hand."""
        if not view.tricks or len(view.tricks[-1]) == 2:
            return places[-1]
        values = VALUES[view.muestra]
        led = values[view.tricks[-1][0][1]]
        winning = [place for place in places if values[view.hand[place]] > led]
        return winning[0] if winning else places[0]


BLUFFING: Final = 0.15
STEEP: Final = 0.05


class Habit:
    """How often a sound player does something, by the strength of the hand.

    bluff    with the weakest hands, below a strength of BLUFFING
    seldom   in between
    often    with hands well above the strength `enough`; `width` says how gradually
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


# By the cards still held, none to three. Strong hands wait: who raises with the last card
# knows most, and who has raised leaves the next raise to the other.
RAISES: Final = (
    Habit(0.01, 0.01, 0.01, 0.50, 0.10),
    Habit(0.27, 0.01, 0.98, 0.85, 0.03),
    Habit(0.19, 0.05, 0.75, 0.95, 0.06),
    Habit(0.16, 0.04, 0.42, 0.84, 0.08),
)
CALLS: Final = (
    Habit(0.01, 0.01, 0.75, 0.27, 0.03),
    Habit(0.18, 0.30, 0.98, 0.60, 0.07),
    Habit(0.04, 0.05, 0.96, 0.31, 0.07),
    Habit(0.04, 0.03, 0.96, 0.43, 0.07),
)
"""Accepts a bid or raises back."""
RAISES_BACK: Final = (
    Habit(0.01, 0.01, 0.02, 0.90, 0.05),
    Habit(0.03, 0.02, 0.70, 0.97, 0.02),
    Habit(0.22, 0.06, 0.50, 0.79, 0.03),
    Habit(0.30, 0.05, 0.52, 0.86, 0.08),
)
"""Of the times a bid is not rejected."""

# How likely a hand is that does not fit what its holder did, against one that does.
FALSE_FLOR: Final = 0.03
SILENT_FLOR: Final = 0.1
ODD_CARD: Final = 0.1


class Table:
    """The cards on the table while a round is followed."""

    def __init__(self, mano: int) -> None:
        self.mano = mano
        self.results: list[int] = []
        self.led: tuple[int, int] | None = None
        """The seat and the value of a card that waits for its answer."""

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


class Reading:
    """The hands the other player may hold, and how likely what was done makes each.

    table     the table as it is now
    hands     the values of the cards still held
    weights   the probabilities of these hands
    flor      the chance that the other was dealt a flor
    """

    def __init__(self, view: TrucoView) -> None:
        self.other = 1 - view.seat
        self.table = Table(view.mano)
        self._values = VALUES[view.muestra]
        self._missing = view.target() - view.scores[view.seat]
        self._out = 0
        played = view.played_by(self.other)
        unseen = np.array(view.unseen(), dtype=np.intp)
        held = unseen[_ways_to_choose(view.hand_sizes[self.other], len(unseen))]
        count = held.shape[1]
        dealt = np.concatenate([np.repeat([played], count, axis=0).T.astype(np.intp), held])
        self._dealt: Hands = np.array(self._values)[dealt]
        """All three cards, the played ones first and in order."""
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
        """How strong each hand looks to its holder, as far as the round was followed."""
        chances = self.table.strengths_for(self.other)[tuple(self._dealt[self._out :])]
        return np.broadcast_to(chances, self._likely.shape)

    def desperate(self, stake: int) -> bool:
        """The round decides the match against the other: any bid costs nothing, says nothing."""
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
        """Weigh every bid, answer and card of the other by how well it fits each hand."""
        stake, raiser, pending = 1, NOBODY, False
        for seat, action in view.history:
            theirs = seat == self.other
            telling = theirs and not self.desperate(stake)
            cards = HAND - self._out
            if action == RAISE:
                if telling:
                    habit = RAISES_BACK[cards] if pending else RAISES[cards]
                    self._likely *= habit(self.strengths())
                stake += pending
                raiser, pending = seat, True
            elif action == ACCEPT:
                if telling:
                    seen = self.strengths()
                    self._likely *= CALLS[cards](seen) * (1 - RAISES_BACK[cards](seen))
                stake += 1
                pending = False
            elif action >= PLAYED:
                value = self._values[action - PLAYED]
                if telling and raiser != seat and stake < HIGHEST_STAKE:
                    self._likely *= 1 - RAISES[cards](self.strengths())
                if theirs:
                    self._out += 1
                    if self.table.led is not None:
                        self._fit_answer(self.table.led[1], value)
                self.table.play(seat, value)

    def _fit_answer(self, led: int, value: int) -> None:
        """A sound answer takes the trick as cheaply as it can or throws the weakest card."""
        kept = self._dealt[self._out :]
        cheaper = (kept > led) & (kept < value)
        odd = cheaper if value > led else (kept > led) | (kept < value)
        self._likely[odd.any(axis=0)] *= ODD_CARD


class Weighing:
    """What each choice is expected to bring, over all hands the other may hold."""

    def __init__(self, view: TrucoView) -> None:
        seat = view.seat
        values = VALUES[view.muestra]
        self._reading = reading = Reading(view)
        self._their_cards = view.hand_sizes[1 - seat]
        own_flor = view.flor_called[seat] and has_flor(
            [*view.hand, *view.played_by(seat)], view.muestra
        )
        self.worth = Worth(view, own_flor, reading.flor)
        mine: list[int | Hands] = [values[card] for card in view.hand]
        self.strength = reading.table.strengths_for(seat)[tuple(mine)]
        """How strong the own hand is before anything is read from the other's bids."""
        theirs = reading.hands
        if reading.table.led is not None:
            leader, led = reading.table.led
            if leader == seat:
                mine.insert(0, led)
            else:
                theirs = np.concatenate([np.full((1, theirs.shape[1]), led), theirs])
        self._wins = reading.table.stage_for(seat).wins(mine, theirs).astype(np.float64)

    def cards(self, stake: int) -> dict[int, float]:
        """For each card the points expected if nobody raises any more."""
        up, down = self.worth(ME, stake), self.worth(THEM, stake)
        chances = self._wins @ self._reading.weights
        return {place: float(down + chance * (up - down)) for place, chance in enumerate(chances)}

    def accepting(self, stake: int) -> float:
        return self._best_card(self._reading.weights, stake)

    def raising(self, stake: int) -> float:
        """The points expected from a raise over this stake: refused, accepted or raised back."""
        bid = stake + 1
        if self._reading.desperate(stake):
            return self.accepting(bid)
        weights = self._reading.weights
        seen = self._reading.strengths()
        calls = weights * CALLS[self._their_cards](seen)
        points = (1 - float(calls.sum())) * self.worth(ME, stake)
        if bid < HIGHEST_STAKE:
            back = calls * RAISES_BACK[self._their_cards](seen)
            give_up = float(back.sum()) * self.worth(THEM, bid)
            points += max(give_up, self._best_card(back, bid + 1))
            calls = calls - back
        return points + self._best_card(calls, bid)

    def _best_card(self, weights: Chances, stake: int) -> float:
        """What the best card brings over hands whose weights need not add up to one."""
        won = float((self._wins @ weights).max())
        lost = float(weights.sum()) - won
        return won * self.worth(ME, stake) + lost * self.worth(THEM, stake)


POINTS: Final = "expected points of this round, as they count at this score"
TEMPER: Final = 0.25
"""The points that make a choice e times as likely as habit has it."""


class HardTruco(Agent):
    """Plays the card that wins most often against what the other seems to hold.

    It bids by habit, bent by the points each choice promises: habit keeps bluffs and
    strong hands in balance where the points leave it open.
    """

    name = "hard"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, TrucoView)
        if FLOR in legal and has_flor(view.hand, view.muestra):
            return Decision(FLOR, {FLOR: float(FLOR_POINTS)}, "points of the flor")
        weighing = Weighing(view)
        cards = len(view.hand)
        if view.phase == ANSWERING_TRUCO:
            scores = {
                ACCEPT: weighing.accepting(view.bid),
                REJECT: weighing.worth(THEM, view.stake),
            }
            calls = float(CALLS[cards](weighing.strength))
            habits = {ACCEPT: calls, REJECT: 1 - calls}
            if RAISE in legal:
                scores[RAISE] = weighing.raising(view.bid)
                habits[RAISE] = calls * float(RAISES_BACK[cards](weighing.strength))
                habits[ACCEPT] -= habits[RAISE]
            habits = {action: habit for action, habit in habits.items() if action in legal}
        else:
            scores = weighing.cards(view.stake)
            places = [place for place in scores if place in legal]
            habits = {}
            if places:
                habits[max(places, key=lambda place: (scores[place], -place))] = 1.0
            if RAISE in legal:
                scores[RAISE] = weighing.raising(view.stake)
                raises = float(RAISES[cards](weighing.strength))
                habits = dict.fromkeys(habits, 1.0 - raises) | {RAISE: raises}
        scores = {action: score for action, score in scores.items() if action in legal}
        if not habits:
            return Decision(legal[0], scores, POINTS)
        top = max([scores[action] for action in habits])
        if weighing.worth.fatal(view.stake):
            return Decision(max(habits, key=scores.__getitem__), scores, POINTS)
        weights = [habit * exp((scores[action] - top) / TEMPER) for action, habit in habits.items()]
        return Decision(rng.choices(list(habits), weights)[0], scores, POINTS)
