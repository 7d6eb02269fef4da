"""Search for Notty: what the network expects of each action, and every way to go out in this turn.

Hands are open, so only drawn cards are random. The network that comes with the program knows from
self-play how matches end. What it cannot see exactly is the rest of this turn, which is searched.
"""

from functools import cache
from random import Random
from typing import Final

from agents.agent import Decision, Scale
from agents.learners.neural import NeuralLearner
from agents.learners.rewards import HandRewards
from agents.notty.encoding import notty_encoding
from agents.notty.foresight import foreseen
from agents.notty.rules import (
    ESTIMATE,
    Hand,
    HardNotty,
    Scores,
    hand_of,
    is_last_turn,
    left_over,
    size_of,
    with_card,
    without,
)
from agents.search.agent import Budget, SearchAgent
from agents.storage.store import StoreError, load_shipped
from engine.cards import cards_in
from engine.compiling import mypyc_attr
from engine.game import View
from engine.games.notty import (
    DISCARD,
    DRAW,
    DREW,
    EXCHANGE,
    EXCHANGED,
    GROUP,
    GROUP_MASKS,
    HAND_LIMIT,
    MOST_DRAWN,
    PASS,
    STEAL,
    STOLE,
    NottyView,
)

IN_REACH: Final = 2
"""With more cards left over, going out in this turn is not considered."""

LEAST: Final = 0.001
"""No chance that is estimated is smaller, or nearer to 1."""


@cache
def shipped_network() -> NeuralLearner:
    """The network that comes with the program. Raises StoreError if its file is damaged."""
    network = NeuralLearner(notty_encoding(), HandRewards(), learning=False)
    if not load_shipped(network):
        raise StoreError(
            "The network of Notty that comes with Kibitz is missing; install it again."
        )
    return network


def chance_of(points: float, players: int) -> float:
    """The chance to win if a match, whose only hand is worth a point to the winner, brings so many
    points more than the others get on average."""
    rewards = HandRewards()
    won, lost = [
        rewards.of_hand([share] + [(1 - share) / (players - 1)] * (players - 1), 0)
        + rewards.of_match(share)
        for share in (1.0, 0.0)
    ]
    chance = (points * rewards.point - lost) / (won - lost)
    return min(max(chance, LEAST), 1 - LEAST)


@mypyc_attr(native_class=False)
class SearchNotty(SearchAgent):
    """Looks for a way to go out in this turn, and asks the network about everything else."""

    name = "search"

    def __init__(self, budget: Budget | None = None) -> None:
        """budget: the number of cards tried for each draw and each theft."""
        self.budget = budget or Budget(worlds=5)
        self._rules = HardNotty()

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, NottyView):
            raise TypeError("This agent plays Notty only.")
        hand = hand_of(view.hands[view.seat])
        if self._leaves_to_rules(view, hand):
            return self._rules.act(view, legal, rng)
        action, chances, out = self._weigh(view, hand, legal)
        reason = ""
        if out[action]:
            reason = f"You go out in this turn about {100 * out[action]:.0f} % of the time."
        decision = Decision(action, chances, ESTIMATE, scale=Scale.CHANCE, reason=reason)
        return foreseen(self, view, decision)

    def choose(self, view: View, legal: list[int], rng: Random) -> int:
        if not isinstance(view, NottyView):
            raise TypeError("This agent plays Notty only.")
        hand = hand_of(view.hands[view.seat])
        if self._leaves_to_rules(view, hand):
            return self._rules.choose(view, legal, rng)
        return self._weigh(view, hand, legal)[0]

    def _leaves_to_rules(self, view: NottyView, hand: Hand) -> bool:
        """True if it can win now, and in the last turn."""
        return is_last_turn(view) or not (view.exchanging or left_over(hand))

    def _weigh(self, view: NottyView, hand: Hand, legal: list[int]) -> tuple[int, Scores, Scores]:
        """The preferred action, the chance to win with each, and to go out in this turn."""
        rng = luck_of(view)
        # The theft of a last card would make its owner win.
        sensible = [
            action
            for action in legal
            if not is_theft(action) or len(view.hands[action - STEAL]) > 1
        ]
        points = shipped_network().act(view, sensible, rng).scores
        chances = {move: chance_of(points[move], len(view.hands)) for move in sensible}
        out: Scores = dict.fromkeys(sensible, 0.0)
        if left_over(hand) - view.exchanging <= IN_REACH:
            out = GoingOut(view, self.budget.worlds, rng).chances(hand, sensible)
        for move in sensible:
            chances[move] = max(chances[move], out[move])
        return max(chances, key=chances.__getitem__), chances, out


def luck_of(view: NottyView) -> Random:
    """Random numbers for estimates: the same ones for the same position, so that its chance does
    not depend on whether it is reached or foreseen."""
    return Random(f"{view.turns}/{view.hands}/{view.drew}/{view.stole}/{view.exchanged}")


def is_theft(action: int) -> bool:
    return STEAL <= action < EXCHANGE


class GoingOut:
    """The chance to go out before the turn ends."""

    def __init__(self, view: NottyView, tries: int, rng: Random) -> None:
        self._seats = [
            seat for seat, cards in enumerate(view.hands) if seat != view.seat and len(cards) > 1
        ]
        self._hands = view.hands
        self._kinds = [card for card, count in enumerate(view.deck) if count]
        self._counts = view.deck
        self._deck = [card for card, count in enumerate(view.deck) for _ in range(count)]
        self._free = (
            (0 if view.drew else DREW)
            | (0 if view.stole or not self._seats else STOLE)
            | (0 if view.exchanged else EXCHANGED)
        )
        self._tries = tries
        self._rng = rng
        self._left: dict[Hand, int] = {}

    def chances(self, hand: Hand, actions: list[int]) -> Scores:
        """The chance to go out with each action."""
        return {action: self._after(hand, action) for action in actions}

    def _after(self, hand: Hand, action: int) -> float:
        if action >= GROUP:
            return self._out(without(hand, GROUP_MASKS[action - GROUP]), self._free)
        if action >= DISCARD:
            return self._out(without(hand, 1 << action - DISCARD), self._free)
        if action == PASS:
            return 0.0
        if action == EXCHANGE:
            return self._exchange(hand, self._free & ~EXCHANGED)
        if action >= STEAL:
            return self._steal(hand, action - STEAL, self._free & ~STOLE)
        return self._draw(hand, action - DRAW + 1, self._free & ~DREW)

    def _out(self, hand: Hand, free: int) -> float:
        """The chance with the best of the actions not used yet in this turn."""
        left = self._left_over(hand)
        if not left:
            return 1.0
        if not free or left > IN_REACH:
            return 0.0
        room = HAND_LIMIT - size_of(hand)
        best = 0.0
        if free & EXCHANGED:
            # Only an exchange as the first action is searched further, to save time.
            best = self._exchange(hand, 0)
        if free & STOLE and room:
            best = max([best, *[self._steal(hand, seat, free & ~STOLE) for seat in self._seats]])
        if free & DREW:
            for count in range(1, min(MOST_DRAWN, room) + 1):
                best = max(best, self._draw(hand, count, free & ~DREW))
        return best

    def _exchange(self, hand: Hand, free: int) -> float:
        """The mean over all cards of the deck, with the best discard for each."""
        out = 0.0
        for card in self._kinds:
            drawn = with_card(hand, card)
            left = self._left_over(drawn)
            if left == 1:
                chance = 1.0
            elif left <= 1 + IN_REACH and (not left or free):
                chance = self._discard(drawn, free)
            else:
                chance = 0.0
            out += self._counts[card] * chance
        return out / len(self._deck)

    def _discard(self, hand: Hand, free: int) -> float:
        rests = [without(hand, 1 << card) for card in cards_in(hand[0])]
        fewest = min([self._left_over(rest) for rest in rests])
        if not fewest:
            return 1.0
        # Only one of the rests with the fewest cards left over is tried, to save time.
        return next(self._out(rest, free) for rest in rests if self._left_over(rest) == fewest)

    def _steal(self, hand: Hand, victim: int, free: int) -> float:
        cards = self._hands[victim]
        if len(cards) > self._tries:
            cards = tuple(self._rng.sample(cards, self._tries))
        return sum([self._out(with_card(hand, card), free) for card in cards], 0.0) / len(cards)

    def _draw(self, hand: Hand, count: int, free: int) -> float:
        out = 0.0
        for _ in range(self._tries):
            drawn = hand
            for card in self._rng.sample(self._deck, count):
                drawn = with_card(drawn, card)
            out += self._out(drawn, free)
        return out / self._tries

    def _left_over(self, hand: Hand) -> int:
        left = self._left.get(hand)
        if left is None:
            left = self._left[hand] = left_over(hand)
        return left
