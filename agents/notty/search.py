"""Notty by look-ahead: the chance to go out in this very turn, in any order of its actions.

Hands are open, so only cards to come are chance. While going out is far off, the race of
the rule player says how the table stands, and a theft comes first: it costs a rival more
than the odd card costs us, for an exchange throws that out again.
"""

from random import Random
from typing import Final

from agents.agent import Decision, Scale
from agents.notty.rules import (
    ESTIMATE,
    Hand,
    HardNotty,
    Outlook,
    Race,
    Scores,
    decide,
    hand_of,
    left_over,
    size_of,
    with_card,
    without,
)
from agents.search.agent import Budget, SearchAgent
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
"""With more cards left over than this, going out in this turn is not looked into."""

TRUST: Final = 0.5
"""How far the race's chances can be trusted: hands are torn apart too often for more."""

SETBACK: Final = 1.15
"""By this factor each card left over lengthens the way out: thefts undo what is tidied up."""

THEFT: Final = 0.125
"""What a theft is worth beyond the race: it breaks up a rival's groups for good."""

THEFT_LATER: Final = 0.11
"""The same after an action that leaves the theft for later in the turn."""


@mypyc_attr(native_class=False)
class SearchNotty(SearchAgent):
    """Steals whenever it may, and looks for the way to be out in this turn."""

    name = "search"

    def __init__(self, budget: Budget | None = None) -> None:
        """budget: how many cards are tried for each draw and each theft."""
        self.budget = budget or Budget(worlds=5)
        self._rules = HardNotty()

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, NottyView):
            raise TypeError("This player knows Notty only.")
        hand = hand_of(view.hands[view.seat])
        left = left_over(hand)
        wins_now = not left and not view.exchanging
        if wins_now or view.turns + len(view.hands) >= view.turn_limit():
            return self._rules.act(view, legal, rng)
        in_reach = left - view.exchanging <= IN_REACH
        scores = tempered(WaryRace(view, hand).weigh(legal, rng), 1 / len(view.hands))
        may_steal = any(is_theft(action) for action in scores)
        room = HAND_LIMIT - size_of(hand)
        for action in scores:
            if is_theft(action):
                scores[action] += THEFT
            elif in_reach and may_steal and can_steal_after(action, room):
                scores[action] += THEFT_LATER
        if in_reach:
            scores = GoingOut(view, self.budget.worlds, rng).weigh(hand, scores)
        return decide(scores, legal, ESTIMATE, Scale.CHANCE)


class WaryOutlook(Outlook):
    """Expects setbacks: the more cards are left over, the more of them before all are gone."""

    __slots__ = ()

    def _turns(self, left: int, helps: list[int]) -> float:
        return float(super()._turns(left, helps) * SETBACK**left)


class WaryRace(Race):
    """The race as it goes when hands are stolen from."""

    __slots__ = ()

    def __init__(self, view: NottyView, hand: Hand) -> None:
        super().__init__(view, hand)
        self._outlook = WaryOutlook(view.deck)
        self._rivals = [self._outlook.prospect(hand_of(view.hands[seat])) for seat in self._seats]


def tempered(race: Scores, fair: float) -> Scores:
    """The race's chances, drawn towards everybody's fair share."""
    return {action: fair + TRUST * (chance - fair) for action, chance in race.items()}


def is_theft(action: int) -> bool:
    return STEAL <= action < EXCHANGE


def can_steal_after(action: int, room: int) -> bool:
    """Whether a theft that may be done now may still be done after another action.

    room   how many cards more the hand may hold
    """
    if action < STEAL:
        return action - DRAW + 1 < room
    return action == EXCHANGE or action > PASS


class GoingOut:
    """The chance to empty the hand before the turn ends."""

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

    def weigh(self, hand: Hand, race: Scores) -> Scores:
        """The race's chances, and the chance to be out before the race goes on."""
        scores: Scores = {}
        for action, chance in race.items():
            out = self._after(hand, action)
            scores[action] = out + (1.0 - out) * chance
        return scores

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
        """By the best of the actions that are still free."""
        left = self._left_over(hand)
        if not left:
            return 1.0
        if not free or left > IN_REACH:
            return 0.0
        room = HAND_LIMIT - size_of(hand)
        best = 0.0
        if free & EXCHANGED:
            # Only an exchange that comes first is followed up: time does not allow for more.
            best = self._exchange(hand, 0)
        if free & STOLE and room:
            best = max([best, *[self._steal(hand, seat, free & ~STOLE) for seat in self._seats]])
        if free & DREW:
            for count in range(1, min(MOST_DRAWN, room) + 1):
                best = max(best, self._draw(hand, count, free & ~DREW))
        return best

    def _exchange(self, hand: Hand, free: int) -> float:
        """Every card of the deck may come, and the best card to lose goes."""
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
        # Of the rests with the fewest left over, one stands for all: to try each takes long.
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
