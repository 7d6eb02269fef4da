"""Notty by hand-written rules: how far a hand is from being all groups, and who gets there first."""

from functools import cache
from random import Random
from typing import Final

from agents.agent import Agent, Decision
from engine.cards import cards_in
from engine.game import View
from engine.notty import (
    COLOURS,
    DISCARD,
    DRAW,
    EXCHANGE,
    GROUP,
    GROUP_MASKS,
    GROUPS,
    HAND_LIMIT,
    NUMBERS,
    PASS,
    ROW,
    SHORTEST_RUN,
    STEAL,
    NottyView,
    groups_in,
)

Hand = tuple[int, int]
"""The masks of the kinds held at least once, and twice."""

FIRST_SET: Final = GROUP + next(g for g, cards in enumerate(GROUPS) if cards[1] - cards[0] > 1)


def hand_of(cards: tuple[int, ...]) -> Hand:
    hand = (0, 0)
    for card in cards:
        hand = with_card(hand, card)
    return hand


def with_card(hand: Hand, card: int) -> Hand:
    ones, twos = hand
    bit = 1 << card
    return (ones, twos | bit) if ones & bit else (ones | bit, twos)


def without(hand: Hand, mask: int) -> Hand:
    """The hand less one card of each kind in the mask."""
    ones, twos = hand
    doubled = twos & mask
    return ones ^ mask ^ doubled, twos ^ doubled


def size_of(hand: Hand) -> int:
    return hand[0].bit_count() + hand[1].bit_count()


@cache
def in_runs(ones: int, twos: int) -> int:
    """How many cards of one colour disjoint runs can take: masks of nine numbers."""
    if not ones:
        return 0
    lowest = ones & -ones
    best = in_runs(*without((ones, twos), lowest))
    run = lowest | lowest << 1
    length = 2
    while ones & (following := lowest << length):
        run |= following
        length += 1
        if length >= SHORTEST_RUN and ones & run == run:
            best = max(best, length + in_runs(*without((ones, twos), run)))
    return best


@cache
def run_gains(ones: int, twos: int) -> tuple[int, ...]:
    """How many more cards of a colour runs can take with one more card, per number."""
    now = in_runs(ones, twos)
    return tuple([in_runs(*with_card((ones, twos), number)) - now for number in range(NUMBERS)])


def ways_to_take_sets(hand: Hand) -> list[tuple[int, Hand]]:
    """Every way to take disjoint sets out of a hand, none included: cards taken, hand left."""
    ways = [(0, hand)]
    for action in groups_in(hand[0]):
        if action >= FIRST_SET:
            mask = GROUP_MASKS[action - GROUP]
            size = len(GROUPS[action - GROUP])
            more = ways
            while more := [
                (taken + size, without(rest, mask))
                for taken, rest in more
                if rest[0] & mask == mask
            ]:
                ways = ways + more
    return ways


def covered(hand: Hand) -> int:
    """The most cards of a hand that disjoint groups can take."""
    best = 0
    for taken, (ones, twos) in ways_to_take_sets(hand):
        for shift in ROW_SHIFTS:
            taken += in_runs(ones >> shift & ROW, twos >> shift & ROW)
        best = max(best, taken)
    return best


def in_three_colours(ones: int) -> int:
    """The numbers held in three colours or more: one card from a set, or past it."""
    red, green, yellow, blue, black = [ones >> shift & ROW for shift in ROW_SHIFTS]
    odd = red ^ green ^ yellow
    pair = red & green | yellow & (red | green)
    more = odd & blue | black & (odd | blue)
    return pair & more | (pair | more) & (odd ^ blue ^ black)


class Outlook:
    def __init__(self, deck):
        self.deck = deck
        self.cards = sum(deck)
        self.rows = {}

    def row(self, colour, ones, twos):
        key = (colour, ones, twos)
        known = self.rows.get(key)
        if known is None:
            helps = [0, 0, 0, 0]
            for number, gain in enumerate(run_gains(ones, twos)):
                if gain:
                    helps[min(gain, 3)] += self.deck[colour * NUMBERS + number]
            known = (in_runs(ones, twos), helps[1], helps[2], helps[3])
            self.rows[key] = known
        return known

    def prospect(self, hand):
        now = -1
        for taken, rest in ways_to_take_sets(hand):
            ones, twos = rest
            total = taken
            one = two = three = 0
            for colour, shift in enumerate(ROW_SHIFTS):
                c, o, t, h = self.row(colour, ones >> shift & ROW, twos >> shift & ROW)
                total += c
                one += o
                two += t
                three += h
            if total > now:
                now, best, helps = total, (taken, rest), (one, two, three)
        one, two, three = helps
        left = size_of(hand) - now
        if not left:
            return 0, 0.0
        near = in_three_colours(hand[0])
        if near:
            taken, rest = best
            for number in cards_in(near):
                missing = 0
                for card in range(number, 45, 9):
                    if not hand[0] >> card & 1:
                        missing += self.deck[card]
                if missing:
                    column = rest[0] & COLUMN << number
                    size = column.bit_count()
                    if size >= 3:
                        ones, twos = without(rest, column)
                        gain = taken + size + 1 - now
                        for shift in ROW_SHIFTS:
                            gain += in_runs(ones >> shift & ROW, twos >> shift & ROW)
                    else:
                        gain = (hand[0] & COLUMN << number).bit_count() - 3
                    if gain == 1:
                        one += missing
                    elif gain == 2:
                        two += missing
                    elif gain >= 3:
                        three += missing
        return left, TURNS(
            left, size_of(hand), one / self.cards, two / self.cards, three / self.cards
        )


def old_turns(left, n, p1, p2, p3):
    a = max(p1, FLOOR)
    b = p2 * min(left, 2) + p3 * min(left, 3)
    step = b / left
    turns = 0.0
    for _ in range(left):
        a += step
        turns += 1 / a
    return turns


TURNS = old_turns
RIVAL = None


COLUMN: Final = sum([1 << colour * NUMBERS for colour in range(COLOURS)])
FLOOR = 0.04
G = 1.0
ROW_SHIFTS: Final = tuple(range(0, COLOURS * NUMBERS, NUMBERS))


def win_chance(mine, others, first) -> float:
    """The chance to be out before the others, taking every turn as equally likely the last."""
    if first and not mine[0]:
        return 1.0
    a = 1 / max(mine[1], 1.0)
    survive = 1.0
    for left, turns in others:
        survive *= 1 - 1 / max(turns, 1.0) if left else 0.0
    return a / (1 - (1 - a) * survive) * (1.0 if first else survive)


class HardNotty(Agent):
    name = "hard"
    samples = 12

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, NottyView)
        hand = hand_of(view.hands[view.seat])
        if view.exchanging:
            return self._discard(view, hand, legal)
        size = size_of(hand)
        deck = view.deck
        look = Outlook(deck)
        mine = look.prospect(hand)
        if not mine[0]:
            scores = {}
            for action in legal:
                if action >= GROUP:
                    rest = without(hand, GROUP_MASKS[action - GROUP])
                    if covered(rest) == size_of(rest):
                        scores[action] = 1.0
            return Decision(max(scores, key=scores.__getitem__), scores, "chance to win")
        seats = len(view.hands)
        others = [(view.seat + step) % seats for step in range(1, seats)]
        rivals = {seat: RIVAL or look.prospect(hand_of(view.hands[seat])) for seat in others}
        last = view.turns + seats > view.options.turn_limit - 0
        fresh = not view.exchanged
        if last:
            scores = {}
            for action in legal:
                if action == EXCHANGE:
                    scores[action] = -mine[0] + 1.0
                elif action == PASS:
                    scores[action] = -size
                elif action >= GROUP:
                    rest = without(hand, GROUP_MASKS[action - GROUP])
                    scores[action] = -(size_of(rest) - covered(rest))
            return Decision(max(scores, key=scores.__getitem__), scores, "minus cards at the end")
        lst = [rivals[s] for s in others]
        scores = {}
        stay = win_chance(mine, lst, fresh)
        if fresh:
            scores[EXCHANGE] = stay
        else:
            scores[PASS] = stay
        cards = [k for k, c in enumerate(deck) for _ in range(c)]
        most = 0
        if not view.drew:
            most = min(3, HAND_LIMIT - size)
            tot = [0.0] * most
            for _ in range(self.samples if most else 0):
                h = hand
                for k, c in enumerate(rng.sample(cards, most)):
                    h = with_card(h, c)
                    p = look.prospect(h)
                    tot[k] += win_chance(p, lst, fresh or not p[0])
            for k in range(most):
                scores[DRAW + k] = tot[k] / self.samples
        for action in legal:
            if STEAL <= action < EXCHANGE:
                v = action - STEAL
                if len(view.hands[v]) == 1:
                    scores[action] = 0.0
                    continue
                tot2 = 0.0
                vh = view.hands[v]
                for c in vh:
                    p = look.prospect(with_card(hand, c))
                    q = look.prospect(without(hand_of(vh), 1 << c))
                    l2 = [q if s == v else rivals[s] for s in others]
                    tot2 += win_chance(p, l2, fresh or not p[0])
                scores[action] = tot2 / len(vh)
            elif action >= GROUP and size >= self.dump:
                scores[action] = win_chance(
                    look.prospect(without(hand, GROUP_MASKS[action - GROUP])), lst, fresh
                )
        best = max(scores, key=scores.__getitem__)
        return Decision(best, scores, "estimated chance to win")

    dump = 15

    def _discard(self, view: NottyView, hand: Hand, legal: list[int]) -> Decision:
        scores = {}
        look = Outlook(view.deck)
        for action in legal:
            scores[action] = -look.prospect(without(hand, 1 << action - DISCARD))[1]
        return Decision(max(scores, key=scores.__getitem__), scores, "minus turns")
