"""Notty by hand-written rules: how far each hand is from being all groups, and who is out first."""

from functools import cache
from random import Random
from typing import Final, NamedTuple

from agents.agent import Agent, Decision, Scale
from engine.cards import cards_in
from engine.compiling import mypyc_attr
from engine.game import View
from engine.games.notty import (
    DISCARD,
    DRAW,
    EXCHANGE,
    FIRST_SET,
    GROUP,
    GROUP_MASKS,
    GROUPS,
    HAND_LIMIT,
    KINDS,
    MOST_DRAWN,
    NUMBERS,
    PASS,
    ROW,
    SHORTEST_RUN,
    SMALLEST_SET,
    STEAL,
    NottyView,
    groups_in,
)

Hand = tuple[int, int]
"""The masks of the kinds held at least once, and twice."""

Scores = dict[int, float]

ROW_SHIFTS: Final = tuple(range(0, KINDS, NUMBERS))
COLUMN: Final = sum([1 << shift for shift in ROW_SHIFTS])
"""The number 1 in all five colours; shifted, any other number."""

SAMPLED_DRAWS: Final = 12
ESTIMATE: Final = "estimated chance to win"
LUCK: Final = 0.05
"""Added to every chance that an exchange helps: what draws and steals do besides."""


class Prospect(NamedTuple):
    """How a hand stands.

    left    cards that remain when groups take as many as they can
    turns   how many turns its owner needs to be rid of them, by estimate
    """

    left: int
    turns: float


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
    """The most cards of one colour that disjoint runs can take; masks of nine numbers."""
    if not ones:
        return 0
    lowest = ones & -ones
    best = in_runs(*without((ones, twos), lowest))
    run, length = lowest, 1
    while ones & run << 1 & ~run:
        run |= run << 1
        length += 1
        if length >= SHORTEST_RUN:
            best = max(best, length + in_runs(*without((ones, twos), run)))
    return best


@cache
def run_gains(ones: int, twos: int) -> tuple[int, ...]:
    """For each number, how many more cards of a colour runs can take when it is added."""
    now = in_runs(ones, twos)
    return tuple([in_runs(*with_card((ones, twos), number)) - now for number in range(NUMBERS)])


def ways_to_take_sets(hand: Hand) -> list[tuple[int, Hand]]:
    """Every way to take disjoint sets out of a hand, none included: cards taken, hand left."""
    ways = [(0, hand)]
    for action in groups_in(hand[0]):
        if action >= FIRST_SET:
            mask, size = GROUP_MASKS[action - GROUP], len(GROUPS[action - GROUP])
            again = ways
            while again := [
                (taken + size, without(rest, mask))
                for taken, rest in again
                if rest[0] & mask == mask
            ]:
                ways = ways + again
    return ways


def taken_by_runs(hand: Hand) -> int:
    ones, twos = hand
    return sum([in_runs(ones >> shift & ROW, twos >> shift & ROW) for shift in ROW_SHIFTS])


def left_over(hand: Hand) -> int:
    """The fewest cards that can remain after discarding groups; 0 means out."""
    ways = ways_to_take_sets(hand)
    return size_of(hand) - max([taken + taken_by_runs(rest) for taken, rest in ways])


def in_three_colours(ones: int) -> int:
    """The numbers held in at least three colours, where one more card may make a set."""
    red, green, yellow, blue, black = [ones >> shift & ROW for shift in ROW_SHIFTS]
    odd = red ^ green ^ yellow
    pair = red & green | yellow & (red | green)
    more = odd & blue | black & (odd | blue)
    return pair & more | (pair | more) & (odd ^ blue ^ black)


class Outlook:
    """Estimates hands against one deck, whose changes within a turn are too small to matter."""

    __slots__ = ("_cards", "_deck", "_rows")

    def __init__(self, deck: tuple[int, ...]) -> None:
        self._deck = deck
        self._cards = sum(deck)
        self._rows: dict[tuple[int, int, int], tuple[int, int, int, int]] = {}

    def prospect(self, hand: Hand) -> Prospect:
        most = -1
        best, taken_by_sets = hand, 0
        helps = [0, 0, 0, 0]
        for taken, rest in ways_to_take_sets(hand):
            rows = [
                self._row(shift, rest[0] >> shift & ROW, rest[1] >> shift & ROW)
                for shift in ROW_SHIFTS
            ]
            total = taken + sum([row[0] for row in rows])
            if total > most:
                most, best, taken_by_sets = total, rest, taken
                helps = [sum(column) for column in zip(*rows, strict=True)]
        left = size_of(hand) - most
        if not left:
            return Prospect(0, 0.0)
        for number in cards_in(in_three_colours(hand[0])):
            gain = self._set_gain(hand, best, number, most - taken_by_sets)
            if gain > 0:
                helps[min(gain, 3)] += self._missing(hand, number)
        return Prospect(left, self._turns(left, helps))

    def _row(self, shift: int, ones: int, twos: int) -> tuple[int, int, int, int]:
        """For the cards of one colour: those that runs take, and how many cards in the
        deck would let runs take one, two, or three and more besides."""
        key = (shift, ones, twos)
        row = self._rows.get(key)
        if row is None:
            helps = [0, 0, 0, 0]
            for number, gain in enumerate(run_gains(ones, twos)):
                helps[min(gain, 3)] += self._deck[shift + number]
            row = (in_runs(ones, twos), helps[1], helps[2], helps[3])
            self._rows[key] = row
        return row

    def _missing(self, hand: Hand, number: int) -> int:
        """How many cards of a number in colours that the hand lacks are in the deck."""
        return sum(
            [self._deck[card] for card in range(number, KINDS, NUMBERS) if not hand[0] >> card & 1]
        )

    def _set_gain(self, hand: Hand, rest: Hand, number: int, in_runs_now: int) -> int:
        """How many more cards groups take with a missing colour of a number, where `rest`
        is the hand less the sets that are best taken."""
        column = rest[0] & COLUMN << number
        size = column.bit_count()
        if size + 1 >= SMALLEST_SET:
            return size + 1 + taken_by_runs(without(rest, column)) - in_runs_now
        return int((hand[0] & COLUMN << number).bit_count() == SMALLEST_SET)

    def _turns(self, left: int, helps: list[int]) -> float:
        """An exchange a turn throws out one card too many for each that finds its place.

        Cards that lengthen a group help to the end; those that join several left over
        help less and less as these become fewer.
        """
        lengthen = helps[1] / self._cards + LUCK
        join = (min(left, 2) * helps[2] + min(left, 3) * helps[3]) / self._cards
        return sum([1 / (lengthen + join * now / left) for now in range(1, left + 1)], 0.0)


def win_chance(mine: Prospect, rivals: list[Prospect], at_turn: bool) -> float:
    """The chance to be out first, if each turn is as likely to be a player's last as the next.

    at_turn  whether we may still do something before the rivals come
    """
    if at_turn and not mine.left:
        return 1.0
    out = 1 / max(mine.turns, 1.0)
    survive = 1.0
    for rival in rivals:
        survive *= 1 - 1 / max(rival.turns, 1.0)
    chance = out / (1 - (1 - out) * survive)
    return chance if at_turn else chance * survive


@mypyc_attr(native_class=False)
class EasyNotty(Agent):
    """Discards the largest group, exchanges the card that stands most alone, never steals."""

    name = "easy"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, NottyView):
            raise TypeError("This player knows Notty only.")
        cards = view.hands[view.seat]
        scores: Scores = {}
        for action in legal:
            if action >= GROUP:
                scores[action] = float(len(GROUPS[action - GROUP]))
            elif action >= DISCARD:
                scores[action] = -float(company(action - DISCARD, cards))
            elif action == EXCHANGE:
                scores[action] = 1.0
            elif action == PASS:
                scores[action] = 0.0
            elif action < STEAL and len(cards) + action - DRAW + 1 <= SHORTEST_RUN:
                scores[action] = 2.0 + action
        choices = legal
        if scores:
            best = max(scores.values())
            choices = [action for action in legal if scores.get(action) == best]
        return Decision(rng.choice(choices), scores, "points for tidying up the hand")


def company(card: int, cards: tuple[int, ...]) -> int:
    """How many other cards of the hand could stand in a group with this one."""
    colour, number = divmod(card, NUMBERS)
    return sum(
        [
            abs(other - card) in (1, 2) if other // NUMBERS == colour else other % NUMBERS == number
            for other in cards
        ]
    )


@mypyc_attr(native_class=False)
class HardNotty(Agent):
    """Weighs every action by the race it leads to: its own turns to go against the others'."""

    name = "hard"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, NottyView):
            raise TypeError("This player knows Notty only.")
        hand = hand_of(view.hands[view.seat])
        if not view.exchanging and not left_over(hand):
            winning = groups_that_go_out(hand, legal)
            if winning:
                return decide(winning, legal, "chance to win", Scale.CHANCE)
        if view.turns + len(view.hands) >= view.turn_limit():
            last = weigh_last_turn(view, hand, legal)
            if last:
                return decide(last, legal, "minus the cards left at the end")
        return decide(Race(view, hand).weigh(legal, rng), legal, ESTIMATE, Scale.CHANCE)


def decide(scores: Scores, legal: list[int], meaning: str, scale: Scale = Scale.VALUE) -> Decision:
    """The action with the highest score; the first legal one if none has a score."""
    action = max(scores, key=scores.__getitem__) if scores else legal[0]
    return Decision(action, scores, meaning, scale=scale)


def groups_that_go_out(hand: Hand, legal: list[int]) -> Scores:
    """The groups after which groups take all the rest too."""
    return {
        action: 1.0
        for action in legal
        if action >= GROUP and not left_over(without(hand, GROUP_MASKS[action - GROUP]))
    }


def weigh_last_turn(view: NottyView, hand: Hand, legal: list[int]) -> Scores:
    """When we shall not come to play again before the turn limit: be left with few cards."""
    scores: Scores = {PASS: -float(size_of(hand))} if PASS in legal else {}
    for action in legal:
        if action >= GROUP:
            scores[action] = -float(left_over(without(hand, GROUP_MASKS[action - GROUP])))
        elif action >= DISCARD:
            scores[action] = -float(left_over(without(hand, 1 << action - DISCARD)))
        elif action == EXCHANGE:
            left = 0
            for card, count in enumerate(view.deck):
                if count:
                    left += count * max(left_over(with_card(hand, card)) - 1, 0)
            scores[action] = -left / sum(view.deck)
    return scores


class Race:
    """The table at one decision."""

    __slots__ = ("_deck", "_hand", "_outlook", "_rivals", "_seats", "_to_come", "_view")

    def __init__(self, view: NottyView, hand: Hand) -> None:
        seats = len(view.hands)
        self._view = view
        self._hand = hand
        self._outlook = Outlook(view.deck)
        self._seats = [(view.seat + step) % seats for step in range(1, seats)]
        self._rivals = [self._outlook.prospect(hand_of(view.hands[seat])) for seat in self._seats]
        self._to_come = not view.exchanged
        self._deck = [card for card, count in enumerate(view.deck) for _ in range(count)]

    def weigh(self, legal: list[int], rng: Random) -> Scores:
        """All but the theft of a last card, which would make its owner the winner."""
        mine = self._outlook.prospect(self._hand)
        scores: Scores = {}
        for action in legal:
            if action >= GROUP:
                scores[action] = self._chance(without(self._hand, GROUP_MASKS[action - GROUP]))
            elif action >= DISCARD:
                scores[action] = self._chance(without(self._hand, 1 << action - DISCARD))
            elif action == PASS:
                scores[action] = win_chance(mine, self._rivals, False)
            elif action == EXCHANGE:
                scores[action] = win_chance(mine, self._rivals, True)
            elif action >= STEAL and len(self._view.hands[action - STEAL]) > 1:
                scores[action] = self._steal(action - STEAL)
        draws = [action for action in legal if action < STEAL]
        if draws:
            sampled = self._draws(rng)
            scores.update({action: sampled[action] for action in draws})
        return scores

    def _chance(self, hand: Hand) -> float:
        mine = self._outlook.prospect(hand)
        return win_chance(mine, self._rivals, self._to_come or not mine.left)

    def _draws(self, rng: Random) -> Scores:
        """Draws of one, two and three cards, weighed by the same sampled cards."""
        most = min(MOST_DRAWN, HAND_LIMIT - size_of(self._hand))
        scores: Scores = {DRAW + more: 0.0 for more in range(most)}
        for _ in range(SAMPLED_DRAWS):
            hand = self._hand
            for more, card in enumerate(rng.sample(self._deck, most)):
                hand = with_card(hand, card)
                scores[DRAW + more] += self._chance(hand) / SAMPLED_DRAWS
        return scores

    def _steal(self, victim: int) -> float:
        """Every card of the victim is as likely to come."""
        cards = self._view.hands[victim]
        place = self._seats.index(victim)
        chance = 0.0
        for card in cards:
            mine = self._outlook.prospect(with_card(self._hand, card))
            rivals = self._rivals.copy()
            rivals[place] = self._outlook.prospect(without(hand_of(cards), 1 << card))
            chance += win_chance(mine, rivals, self._to_come or not mine.left)
        return chance / len(cards)
