"""Rule players for Notty: how many turns each hand needs, and who goes out first."""

from functools import cache, lru_cache
from random import Random
from typing import Final, NamedTuple

from agents.agent import Agent, Decision, Scale
from agents.notty.foresight import calibrated, foreseen
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
"""Added to the chance that an exchange helps, for the effect of draws and thefts."""


class Prospect(NamedTuple):
    """How far a hand is from going out.

    left    the fewest cards that remain after discarding groups
    turns   estimated turns until they are gone
    """

    left: int
    turns: float


def hand_of(cards: tuple[int, ...]) -> Hand:
    ones = twos = 0
    for card in cards:
        bit = 1 << card
        twos |= ones & bit
        ones |= bit
    return ones, twos


def with_card(hand: Hand, card: int) -> Hand:
    ones, twos = hand
    bit = 1 << card
    return (ones, twos | bit) if ones & bit else (ones | bit, twos)


def without(hand: Hand, mask: int) -> Hand:
    """The hand without one card of each kind in the mask."""
    ones, twos = hand
    doubled = twos & mask
    return ones ^ mask ^ doubled, twos ^ doubled


def size_of(hand: Hand) -> int:
    return hand[0].bit_count() + hand[1].bit_count()


@cache
def in_runs(ones: int, twos: int) -> int:
    """The most cards of one colour in disjoint runs. The masks have nine bits, one per number."""
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
    """For each number: how many more cards of the colour fit into runs if it is added."""
    now = in_runs(ones, twos)
    return tuple([in_runs(*with_card((ones, twos), number)) - now for number in range(NUMBERS)])


def ways_to_take_sets(hand: Hand) -> list[tuple[int, Hand]]:
    """Every way to take disjoint sets out of a hand, including none: cards taken, hand left."""
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
    """The fewest cards that can remain after discarding groups; 0 if the hand can go out."""
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
    """Estimates the prospects of hands for one deck, each once. Changes of the deck within a turn
    are ignored."""

    __slots__ = ("_cards", "_deck", "_prospects", "_rows")

    def __init__(self, deck: tuple[int, ...]) -> None:
        self._deck = deck
        self._cards = sum(deck)
        self._rows: dict[tuple[int, int, int], tuple[int, int, int, int]] = {}
        self._prospects: dict[Hand, Prospect] = {}

    def prospect(self, hand: Hand) -> Prospect:
        found = self._prospects.get(hand)
        if found is None:
            found = self._prospects[hand] = self._estimate(hand)
        return found

    def _estimate(self, hand: Hand) -> Prospect:
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
        """For the cards of one colour: the cards in runs, and the number of cards in the deck that
        would bring one, two, or at least three more into runs."""
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
        """The number of cards in the deck of this number and of a colour missing from the hand."""
        return sum(
            [self._deck[card] for card in range(number, KINDS, NUMBERS) if not hand[0] >> card & 1]
        )

    def _set_gain(self, hand: Hand, rest: Hand, number: int, in_runs_now: int) -> int:
        """How many more cards fit into groups with a missing colour of a number.

        rest   the hand without its best sets
        """
        column = rest[0] & COLUMN << number
        size = column.bit_count()
        if size + 1 >= SMALLEST_SET:
            return size + 1 + taken_by_runs(without(rest, column)) - in_runs_now
        return int((hand[0] & COLUMN << number).bit_count() == SMALLEST_SET)

    def _turns(self, left: int, helps: list[int]) -> float:
        """Estimated turns with one exchange per turn, until no card is left over.

        Cards that lengthen a group help until the end. Cards that connect several left-over cards
        help less when fewer are left.
        """
        lengthen = helps[1] / self._cards + LUCK
        join = (min(left, 2) * helps[2] + min(left, 3) * helps[3]) / self._cards
        return sum([1 / (lengthen + join * now / left) for now in range(1, left + 1)], 0.0)


@lru_cache(maxsize=4)
def outlook_of(deck: tuple[int, ...]) -> Outlook:
    """The outlook for a deck. Beginners pass often, and the deck and most hands stay the same."""
    return Outlook(deck)


def win_chance(mine: Prospect, rivals: list[Prospect], at_turn: bool) -> float:
    """The chance to go out first, if every turn of a player is equally likely to be the last.

    at_turn  True if we can still act before the rivals
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
    """Discards the largest group, exchanges the most isolated card, never steals."""

    name = "easy"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, NottyView):
            raise TypeError("This agent plays Notty only.")
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
        return Decision(rng.choice(choices), scores, "points for a tidy hand")


def company(card: int, cards: tuple[int, ...]) -> int:
    """How many other cards of the hand could be in a group with this one."""
    colour, number = divmod(card, NUMBERS)
    return sum(
        [
            abs(other - card) in (1, 2) if other // NUMBERS == colour else other % NUMBERS == number
            for other in cards
        ]
    )


@mypyc_attr(native_class=False)
class HardNotty(Agent):
    """Compares its own turns to go with those of the rivals after each action."""

    name = "hard"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, NottyView):
            raise TypeError("This agent plays Notty only.")
        decision = self._decide(view, legal, rng)
        if decision.meaning == ESTIMATE:
            for action, chance in decision.scores.items():
                decision.scores[action] = calibrated(chance, len(view.hands))
        return foreseen(self, view, decision)

    def choose(self, view: View, legal: list[int], rng: Random) -> int:
        if not isinstance(view, NottyView):
            raise TypeError("This agent plays Notty only.")
        return self._decide(view, legal, rng).action

    def _decide(self, view: NottyView, legal: list[int], rng: Random) -> Decision:
        hand = hand_of(view.hands[view.seat])
        if not view.exchanging and not left_over(hand):
            winning = groups_that_go_out(hand, legal)
            if winning:
                return decide(winning, legal, "chance to win", Scale.CHANCE)
        if is_last_turn(view):
            last = score_last_turn(view, hand, legal)
            if last:
                return decide(last, legal, "minus the cards left at the end")
        scores = with_enough_cards(Race(view, hand).scores(legal, rng), size_of(hand))
        return decide(scores, legal, ESTIMATE, Scale.CHANCE)


def is_last_turn(view: NottyView) -> bool:
    """True if this seat has no further turn before the turn limit."""
    return view.turns + len(view.hands) >= view.turn_limit()


def decide(scores: Scores, legal: list[int], meaning: str, scale: Scale = Scale.VALUE) -> Decision:
    """The action with the highest score; the first legal one if none has a score."""
    action = max(scores, key=scores.__getitem__) if scores else legal[0]
    return Decision(action, scores, meaning, scale=scale)


def groups_that_go_out(hand: Hand, legal: list[int]) -> Scores:
    """The groups after which the rest of the hand can go out too."""
    return {
        action: 1.0
        for action in legal
        if action >= GROUP and not left_over(without(hand, GROUP_MASKS[action - GROUP]))
    }


def score_last_turn(view: NottyView, hand: Hand, legal: list[int]) -> Scores:
    """In the last turn before the turn limit: keep as few cards as possible."""
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


def with_enough_cards(scores: Scores, size: int) -> Scores:
    """The scores without actions that leave a hand of this size too small for a group, if a draw
    can bring enough cards. Such a hand cannot go out by exchanging one card for another."""
    draws = [action for action in scores if action < STEAL]
    enough = [action for action in draws if size + action - DRAW + 1 >= SHORTEST_RUN]
    if size >= SHORTEST_RUN or not enough:
        return scores
    too_few = {PASS, EXCHANGE, *draws} - set(enough)
    return {action: score for action, score in scores.items() if action not in too_few}


class Race:
    """The chances of all players to go out first, at one decision."""

    __slots__ = ("_deck", "_hand", "_outlook", "_rivals", "_seats", "_to_come", "_view")

    def __init__(self, view: NottyView, hand: Hand) -> None:
        seats = len(view.hands)
        self._view = view
        self._hand = hand
        self._outlook = outlook_of(view.deck)
        self._seats = [(view.seat + step) % seats for step in range(1, seats)]
        self._rivals = [self._outlook.prospect(hand_of(view.hands[seat])) for seat in self._seats]
        self._to_come = not view.exchanged
        self._deck = [card for card, count in enumerate(view.deck) for _ in range(count)]

    def scores(self, legal: list[int], rng: Random) -> Scores:
        """Scores all actions except the theft of a last card, which would make its owner win."""
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
        """Scores of drawing one, two and three cards, by the same sampled cards."""
        most = min(MOST_DRAWN, HAND_LIMIT - size_of(self._hand))
        scores: Scores = {DRAW + more: 0.0 for more in range(most)}
        for _ in range(SAMPLED_DRAWS):
            hand = self._hand
            for more, card in enumerate(rng.sample(self._deck, most)):
                hand = with_card(hand, card)
                scores[DRAW + more] += self._chance(hand) / SAMPLED_DRAWS
        return scores

    def _steal(self, victim: int) -> float:
        """The mean over all cards of the victim."""
        cards = self._view.hands[victim]
        place = self._seats.index(victim)
        chance = 0.0
        for card in cards:
            mine = self._outlook.prospect(with_card(self._hand, card))
            rivals = self._rivals.copy()
            rivals[place] = self._outlook.prospect(without(hand_of(cards), 1 << card))
            chance += win_chance(mine, rivals, self._to_come or not mine.left)
        return chance / len(cards)
