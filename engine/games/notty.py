"""Notty: open hands, runs and sets, and whoever gets rid of every card wins."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.cards import BIT, BITS_0, NOTTY_COLOURS, cards_in, mask_of, notty, nth_card
from engine.chance import FRACTION, coming, shuffled
from engine.fields import CardCounts, CardSet, Flag, Kind, Number, PerSeat, PerSide, holds
from engine.game import (
    OVER,
    Event,
    Game,
    IllegalAction,
    Options,
    OptionValue,
    Played,
    State,
    View,
    copy_match,
    option,
    pairs,
)

PACK: Final = notty()
KINDS: Final = len(PACK.codes)
COLOURS: Final = len(NOTTY_COLOURS)
NUMBERS: Final = KINDS // COLOURS
DEAL: Final = 4
HAND_LIMIT: Final = 20
MOST_HELD: Final = HAND_LIMIT + 1
"""In an exchange, before its discard."""
MOST_DRAWN: Final = 3
SHORTEST_RUN: Final = 3
SMALLEST_SET: Final = 4

ROW: Final = (1 << NUMBERS) - 1
"""The nine numbers of one colour; a hand's mask is five such rows side by side."""
_THREE_ROWS: Final = (1 << 3 * NUMBERS) - 1
"""Taken apart into three rows and two, a mask goes on in Python's short integers."""


def _all_runs(colour: int) -> list[tuple[int, ...]]:
    first = colour * NUMBERS
    return [
        tuple(range(first + start, first + start + length))
        for start in range(NUMBERS)
        for length in range(SHORTEST_RUN, NUMBERS - start + 1)
    ]


def _all_sets(number: int) -> list[tuple[int, ...]]:
    """The five cards of a number with one left out, or none."""
    column = tuple(range(number, KINDS, NUMBERS))
    return [column[:out] + column[out + 1 :] for out in range(COLOURS)] + [column]


_RUNS: Final = [_all_runs(colour) for colour in range(COLOURS)]
_SETS: Final = [_all_sets(number) for number in range(NUMBERS)]

GROUPS: Final[tuple[tuple[int, ...], ...]] = tuple(
    [run for runs in _RUNS for run in runs] + [each for sets in _SETS for each in sets]
)
"""Every run, colour by colour, then every set, number by number."""

GROUP_MASKS: Final[tuple[int, ...]] = tuple(
    [sum([1 << card for card in cards]) for cards in GROUPS]
)

DRAW: Final = 0
STEAL: Final = DRAW + MOST_DRAWN
EXCHANGE: Final = STEAL + 3
PASS: Final = EXCHANGE + 1
DISCARD: Final = PASS + 1
GROUP: Final = DISCARD + KINDS
FIRST_SET: Final = GROUP + sum([len(runs) for runs in _RUNS])
NUM_ACTIONS: Final = GROUP + len(GROUPS)
"""`draw n` is DRAW + n - 1; `steal s`, `discard c` and `group g` count from their first."""

LABELS: Final[tuple[str, ...]] = tuple(
    [f"draw {count}" for count in range(1, MOST_DRAWN + 1)]
    + [f"steal {seat}" for seat in range(3)]
    + ["exchange", "pass"]
    + [f"discard {code}" for code in PACK.codes]
    + ["group " + " ".join([PACK.codes[card] for card in cards]) for cards in GROUPS]
)
_ACTIONS: Final[dict[str, int]] = {label.lower(): action for action, label in enumerate(LABELS)}

_KINDS_OF: Final = (0,) * GROUP + GROUP_MASKS
"""For each action the kinds it discards as a group."""

DREW: Final = 1
STOLE: Final = 2
EXCHANGED: Final = 4
EXCHANGING: Final = 8
ENDED: Final = 16
"""Bits of `spent`, what this turn's allowances have gone to. EXCHANGING: a discard is owed.
ENDED: the match is over. As these are the highest, one comparison finds the usual turn."""
_EXCHANGE_BEGUN: Final = EXCHANGED + EXCHANGING

PAIRS: Final = pairs(3, NUM_ACTIONS)

_LONG_HISTORY: Final = 16
"""Turns long past are cut off a history not one by one but whenever so many have passed."""

_SIDES: Final[tuple[tuple[tuple[int, ...], ...], ...]] = (
    (),
    (),
    ((0,), (1,)),
    ((0,), (1,), (2,)),
)

_NEXT_SEATS: Final[tuple[list[int], ...]] = ([], [], [1, 0], [1, 2, 0])


def _opening(seats: int, seat: int, spent: int, room: int) -> list[int]:
    actions = [] if spent & DREW else [DRAW + more for more in range(min(room, MOST_DRAWN))]
    if room and not spent & STOLE:
        actions += [STEAL + other for other in range(seats) if other != seat]
    if not spent & EXCHANGED:
        actions.append(EXCHANGE)
    return [*actions, PASS]


_OPENINGS: Final = [
    [
        [
            [_opening(seats, seat, spent, HAND_LIMIT - size) for size in range(HAND_LIMIT + 1)]
            for spent in range(EXCHANGING)
        ]
        for seat in range(seats)
    ]
    for seats in range(4)
]
"""The legal actions but for groups, by seats at the table, seat, `spent` and cards in hand."""


def _red_runs_in_rows() -> list[list[int]]:
    """For the numbers held, as nine bits: their runs. Those whose highest number is new come
    after those of the row without it, so that each row is found from a smaller one."""
    rows: list[list[int]] = [[]]
    for number in range(NUMBERS):
        ending = [run for run in range(len(_RUNS[0])) if _RUNS[0][run][-1] == number]
        for lower in range(1 << number):
            row = lower | 1 << number
            runs = [GROUP + run for run in ending if row & GROUP_MASKS[run] == GROUP_MASKS[run]]
            rows.append(sorted(rows[lower] + runs) if runs else rows[lower])
    return rows


def _further_on(rows: list[list[int]], step: int) -> list[list[int]]:
    """The same of another colour or number, whose actions are that much higher. Equal lists
    are one list, which keeps the table in the processor's cache."""
    kept = {tuple(row): [action + step for action in row] for row in rows}
    return [kept[tuple(row)] for row in rows]


def _first_sets_in_columns() -> list[list[int]]:
    """For the colours in which the first number is held, as five bits: its sets."""
    held = [{colour * NUMBERS for colour in cards_in(column)} for column in range(1 << COLOURS)]
    return [
        [FIRST_SET + each for each, cards in enumerate(_SETS[0]) if column.issuperset(cards)]
        for column in held
    ]


_RUNS_R: Final = _red_runs_in_rows()
_RUNS_G, _RUNS_Y, _RUNS_B, _RUNS_K = [
    _further_on(_RUNS_R, colour * len(_RUNS[0])) for colour in range(1, COLOURS)
]
_DISCARDS_R, _DISCARDS_G, _DISCARDS_Y, _DISCARDS_B, _DISCARDS_K = [
    _further_on(BITS_0[: ROW + 1], DISCARD + colour * NUMBERS) for colour in range(COLOURS)
]
_FIRST_SETS: Final = _first_sets_in_columns()
_SETS_OF: Final = [_further_on(_FIRST_SETS, step * len(_SETS[0])) for step in range(NUMBERS)]
_IN_COLOURS: Final = [sum([1 << 3 * number for number in cards_in(row)]) for row in range(ROW + 1)]
"""For the numbers of a row a one in as many octal digits: summed over the rows, each digit
says in how many colours the number is held."""
_FOUR_COLOURS: Final = 0o444444444


def groups_in(ones: int) -> list[int]:
    """The actions that discard a group, ascending, for the kinds held at least once."""
    low, high = ones & _THREE_ROWS, ones >> 27
    red, green, yellow, blue, black = low & ROW, low >> 9 & ROW, low >> 18, high & ROW, high >> 9
    groups = [
        *_RUNS_R[red],
        *_RUNS_G[green],
        *_RUNS_Y[yellow],
        *_RUNS_B[blue],
        *_RUNS_K[black],
    ]
    colours = (
        _IN_COLOURS[red]
        + _IN_COLOURS[green]
        + _IN_COLOURS[yellow]
        + _IN_COLOURS[blue]
        + _IN_COLOURS[black]
    )
    if colours & _FOUR_COLOURS:
        for number in range(NUMBERS):
            if colours >> 3 * number & 4:
                column = (
                    red >> number & 1
                    | (green >> number & 1) << 1
                    | (yellow >> number & 1) << 2
                    | (blue >> number & 1) << 3
                    | (black >> number & 1) << 4
                )
                groups += _SETS_OF[number][column]
    return groups


def _near(card: int) -> int:
    """The kinds that a group with this card needs some of: up to two numbers away in its
    colour, and its number in the other colours. And the card, so as to find a double."""
    colour, number = divmod(card, NUMBERS)
    beside = [each for each in range(number - 2, number + 3) if 0 <= each < NUMBERS]
    near = [colour * NUMBERS + each for each in beside] + list(range(number, KINDS, NUMBERS))
    return mask_of(near)


def _lonely(card: int) -> frozenset[int]:
    """Those of the kinds near this card with which it is in no group, as masks."""
    colour, number = divmod(card, NUMBERS)
    near = _near(card) ^ BIT[card]
    own_row = near >> colour * NUMBERS & ROW
    rows = [
        row << colour * NUMBERS
        for row in range(ROW + 1)
        if not row & ~own_row and not _RUNS_R[row | 1 << number]
    ]
    columns = [
        mask_of([each * NUMBERS + number for each in cards_in(column)])
        for column in range(1 << COLOURS)
        if not column >> colour & 1 and not _FIRST_SETS[column | 1 << colour]
    ]
    return frozenset([row | column for row in rows for column in columns])


_NEAR: Final = [_near(card) for card in range(KINDS)]
_LONELY: Final = [_lonely(card) for card in range(KINDS)]
"""A card that comes makes new groups only if it is in one: if the part of the hand near it is
none of these. Nor is it one of these if the card is held already."""

_ROW_OF: Final = [ROW << card // NUMBERS * NUMBERS for card in range(KINDS)]
_COLUMN_OF: Final = [mask_of(range(card % NUMBERS, KINDS, NUMBERS)) for card in range(KINDS)]
_RUNS_IN: Final = {
    row << colour * NUMBERS: runs[row]
    for colour, runs in enumerate([_RUNS_R, _RUNS_G, _RUNS_Y, _RUNS_B, _RUNS_K])
    for row in range(ROW + 1)
}
"""For the kinds held of one colour, as a mask: their runs."""
_SETS_IN: Final = {
    mask_of([colour * NUMBERS + number for colour in cards_in(column)]): sets[column]
    for number, sets in enumerate(_SETS_OF)
    for column in range(1 << COLOURS)
}
"""For the kinds held of one number, as a mask: their sets."""


def _groups_with(groups: list[int], ones: int, card: int) -> list[int]:
    """The groups of a hand into which a card has come, from those before it came: new ones
    can only be in its row and its column."""
    found = _RUNS_IN[ones & _ROW_OF[card]] + _SETS_IN[ones & _COLUMN_OF[card]]
    return sorted({*groups, *found}) if groups else found


@dataclass(frozen=True)
class NottyOptions(Options):
    players: int = option(2, "how many play", choices=(2, 3))
    turn_limit: int = option(300, "turns in total after which the fewest cards win", low=1)


@dataclass(slots=True)
class NottyView(View):
    """The whole table: only the order of the deck is hidden.

    hands    per seat the kinds held, ascending, twice if both copies
    deck     how many of each kind are in the deck
    drew, stole, exchanged, exchanging
             which allowances of this turn are used up, and whether a discard is owed
    turns    turns passed so far
    history  the last turn of every other seat and the current turn
    """

    hands: tuple[tuple[int, ...], ...] = field(metadata=holds(PerSeat(CardSet(PACK))))
    deck: tuple[int, ...] = field(metadata=holds(CardCounts(PACK)))
    drew: bool = field(metadata=holds(Flag()))
    stole: bool = field(metadata=holds(Flag()))
    exchanged: bool = field(metadata=holds(Flag()))
    exchanging: bool = field(metadata=holds(Flag()))
    turns: int = field(metadata=holds(Number("turn_limit")))

    @classmethod
    def also_shown(cls) -> dict[str, Kind]:
        return {
            "scores": PerSide(Number(0, low=-MOST_HELD)),
            "hand": CardSet(PACK),
        }

    @property
    def hand(self) -> tuple[int, ...]:
        """The cards of this seat."""
        return self.hands[self.seat]

    def turn_limit(self) -> int:
        """The turns after which the fewest cards win."""
        assert isinstance(self.options, NottyOptions)
        return self.options.turn_limit

    def sample(self, rng: Random) -> "NottyState":
        assert isinstance(self.options, NottyOptions)
        state = NottyState(rng.getrandbits(63), self.options)
        state.turn = self.turn
        state.history = list(self.history)
        state.turns = self.turns
        state.spent = (
            (DREW if self.drew else 0)
            | (STOLE if self.stole else 0)
            | (EXCHANGED if self.exchanged else 0)
            | (EXCHANGING if self.exchanging else 0)
        )
        for seat, hand in enumerate(self.hands):
            for card in hand:
                state.receive(seat, card)
        state.deck = [kind for kind, count in enumerate(self.deck) for _ in range(count)]
        state.stacked = False
        if self.turn == OVER:
            state.spent |= ENDED
            state.winners = state.fewest_cards()
        return state

    def label(self, action: int) -> str:
        return LABELS[action]


class NottyState(State):
    """A match of Notty.

    ones, twos  per seat the masks of the kinds held at least once, and twice
    sizes       per seat the cards in hand
    groups      per seat the actions that discard a group
    deck        the kinds in the deck; their order means nothing unless `stacked`
    stacked     whether draws come from the end of `deck`: until a card goes back into it
    chances     the coming random numbers, the next one last; `tick` counts them in already
    spent       bits DREW, STOLE, EXCHANGED, EXCHANGING of the turn, ENDED after the last
    turns       turns passed so far
    history     the latest turns; `_recent` are those a view tells of
    openings    the table of legal actions but for groups for this many seats
    """

    __slots__ = (
        "chances",
        "deck",
        "groups",
        "next_seat",
        "ones",
        "openings",
        "options",
        "sizes",
        "spent",
        "stacked",
        "turns",
        "twos",
    )

    def __init__(self, seed: int, options: NottyOptions) -> None:
        super().__init__(seed, _SIDES[options.players])
        self.options: NottyOptions = options
        self.openings: list[list[list[list[int]]]] = _OPENINGS[options.players]
        self.next_seat: list[int] = _NEXT_SEATS[options.players]
        self.ones: list[int] = [0] * options.players
        self.twos: list[int] = [0] * options.players
        self.sizes: list[int] = [0] * options.players
        self.groups: list[list[int]] = [[]] * options.players
        self.deck: list[int] = []
        self.stacked: bool = True
        self.chances: list[int] = []
        self.spent: int = 0
        self.turns: int = 0

    def legal(self) -> list[int]:
        seat = self.turn
        spent = self.spent
        if spent >= EXCHANGING:
            if spent >= ENDED:
                return []
            ones = self.ones[seat]
            low, high = ones & _THREE_ROWS, ones >> 27
            return [
                *_DISCARDS_R[low & ROW],
                *_DISCARDS_G[low >> 9 & ROW],
                *_DISCARDS_Y[low >> 18],
                *_DISCARDS_B[high & ROW],
                *_DISCARDS_K[high >> 9],
            ]
        return self.openings[seat][spent][self.sizes[seat]] + self.groups[seat]

    def apply(self, action: int) -> None:
        seat = self.turn
        spent = self.spent
        if spent >= EXCHANGING:
            if spent >= ENDED:
                raise self._refusal(action)
            card = action - DISCARD
            bit = BIT[card] if 0 <= card < KINDS else 0
            ones = self.ones[seat]
            if not ones & bit:
                raise self._refusal(action)
            self.history.append(PAIRS[seat][action])
            self.spent = spent - EXCHANGING
            if self.twos[seat] & bit:
                self.twos[seat] ^= bit
            else:
                self.ones[seat] = ones ^ bit
                if self.groups[seat]:
                    self._break_groups(seat, bit)
            self.sizes[seat] -= 1
            self.deck.append(card)
            self.stacked = False
            if self.events is not None:
                self.events.append(Event("discard", seat, cards=(card,)))
            return
        if action == PASS:
            self.history.append(PAIRS[seat][PASS])
            self.spent = 0
            self.turns = turns = self.turns + 1
            if turns >= self.options.turn_limit:
                self._finish("turn limit")
                return
            self.turn = seat = self.next_seat[seat]
            if not turns % _LONG_HISTORY:
                self.history = self._recent()
            if self.events is not None:
                self.events.append(Event("turn", seat))
            return
        if action >= GROUP:
            self._discard_group(seat, action)
            return
        size = self.sizes[seat]
        if action == EXCHANGE:
            if spent & EXCHANGED:
                raise self._refusal(action)
            count = 1
            self.spent = spent + _EXCHANGE_BEGUN
        elif action < STEAL:
            count = action - DRAW + 1
            if count < 1 or spent & DREW or size + count > HAND_LIMIT:
                raise self._refusal(action)
            self.spent = spent + DREW
        else:
            victim = action - STEAL
            if spent & STOLE or victim == seat or victim >= self.seats or size >= HAND_LIMIT:
                raise self._refusal(action)
            self.history.append(PAIRS[seat][action])
            self.spent = spent + STOLE
            self._steal(seat, victim)
            return
        self.history.append(PAIRS[seat][action])
        # Draws are too many to pay for a call each. The deck cannot run out: three full
        # hands leave thirty cards.
        self.sizes[seat] = size + count
        ones = self.ones[seat]
        deck, chances, stacked = self.deck, self.chances, self.stacked
        cards: list[int] | None = None if self.events is None else []
        while count:
            count -= 1
            if stacked:
                card = deck.pop()
            else:
                if not chances:
                    chances = self._chances()
                place = chances.pop() * len(deck) >> FRACTION
                card = deck[place]
                last = deck.pop()
                if card != last:  # If equal, the place is the last or need not change.
                    deck[place] = last
            bit = BIT[card]
            if ones & _NEAR[card] in _LONELY[card]:
                ones |= bit
            elif ones & bit:
                self.twos[seat] |= bit
            else:
                ones |= bit
                self.groups[seat] = _groups_with(self.groups[seat], ones, card)
            if cards is not None:
                cards.append(card)
        self.ones[seat] = ones
        if cards is not None and self.events is not None:
            note = "exchange" if action == EXCHANGE else ""
            self.events.append(Event("draw", seat, cards=tuple(cards), note=note))

    def view(self, seat: int) -> NottyView:
        hands = []
        deck = [PACK.copies] * KINDS
        for ones, twos in zip(self.ones, self.twos, strict=True):
            hand = cards_in(ones)
            if twos:
                hand = sorted(hand + cards_in(twos))
            for card in hand:
                deck[card] -= 1
            hands.append(tuple(hand))
        spent = self.spent
        view = NottyView(
            options=self.options,
            turn=self.turn,
            hand_no=self.hand_no,
            sides=self.sides,
            hands=tuple(hands),
            deck=tuple(deck),
            drew=spent & DREW != 0,
            stole=spent & STOLE != 0,
            exchanged=spent & EXCHANGED != 0,
            exchanging=spent & EXCHANGING != 0,
            turns=self.turns,
        )
        view.seat = seat
        view.scores = tuple([-size for size in self.sizes])
        view.history = tuple(self._recent())
        return view

    def clone(self) -> "NottyState":
        copy = copy_match(self, NottyState(self.seed, self.options))
        copy.ones = self.ones[:]
        copy.twos = self.twos[:]
        copy.sizes = self.sizes[:]
        copy.groups = self.groups[:]
        copy.deck = self.deck[:]
        copy.stacked = self.stacked
        copy.chances = self.chances[:]
        copy.spent = self.spent
        copy.turns = self.turns
        return copy

    def _recent(self) -> list[Played]:
        """The last turn of every other seat and the current turn."""
        history = self.history
        turns = self.seats
        if self.turn == OVER and history and history[-1][1] == PASS:
            turns += 1  # The turn that reached the limit is the current one still.
        for at in range(len(history), 0, -1):
            if history[at - 1][1] == PASS:
                turns -= 1
                if not turns:
                    return history[at:]
        return history[:]

    def scores(self) -> list[int]:
        """Minus the cards in each hand."""
        return [-size for size in self.sizes]

    def hand_returns(self) -> list[float]:
        """A match of Notty is one hand: its points are the shares of the win."""
        return self.returns()

    def label(self, action: int) -> str:
        return LABELS[action]

    def parse(self, text: str) -> int:
        action = _ACTIONS.get(" ".join(text.lower().split()))
        if action is None:
            raise ValueError(
                f"{text!r} is no action of Notty; write draw 2, steal 1, exchange, "
                "discard R5, group R3 R4 R5 or pass."
            )
        return action

    def receive(self, seat: int, card: int) -> None:
        """A card comes to a seat's hand."""
        bit, ones = BIT[card], self.ones[seat]
        if ones & _NEAR[card] in _LONELY[card]:
            self.ones[seat] = ones | bit
        elif ones & bit:
            self.twos[seat] |= bit
        else:
            self.ones[seat] = ones | bit
            self.groups[seat] = _groups_with(self.groups[seat], ones | bit, card)
        self.sizes[seat] += 1

    def _break_groups(self, seat: int, gone: int) -> None:
        """Of the groups of a hand those are left that need none of the kinds gone."""
        groups = self.groups[seat]
        if len(groups) > 1:
            self.groups[seat] = [action for action in groups if not _KINDS_OF[action] & gone]
        elif _KINDS_OF[groups[0]] & gone:
            self.groups[seat] = []

    def fewest_cards(self) -> tuple[int, ...]:
        """The seats with the fewest cards: an empty hand's owner, or who leads at the limit."""
        fewest = min(self.sizes)
        return tuple([seat for seat, size in enumerate(self.sizes) if size == fewest])

    def _discard_group(self, seat: int, action: int) -> None:
        """The cards go back into the deck, which is reshuffled."""
        if action >= NUM_ACTIONS:
            raise self._refusal(action)
        mask, ones, size = _KINDS_OF[action], self.ones[seat], self.sizes[seat]
        if ones & mask != mask:
            raise self._refusal(action)
        self.history.append(PAIRS[seat][action])
        cards = GROUPS[action - GROUP]
        doubled = self.twos[seat] & mask
        if doubled:
            self.twos[seat] ^= doubled
            mask ^= doubled
        self.ones[seat] = ones ^ mask
        self._break_groups(seat, mask)
        self.sizes[seat] = size = size - len(cards)
        self.deck += cards
        self.stacked = False
        if self.events is not None:
            self.events.append(Event("group", seat, cards=cards))
        if not size:
            self._finish("out")

    def _chances(self) -> list[int]:
        """The coming random numbers, fractions of one in FRACTION bits; the next one last."""
        if not self.chances:
            self.chances = coming(self.seed, self.tick)
            self.tick += len(self.chances)
        return self.chances

    def _steal(self, seat: int, victim: int) -> None:
        """Any of the cards of the victim: one of each kind counts first, then its double."""
        hands, twos, sizes = self.ones, self.twos, self.sizes
        theirs, doubled = hands[victim], twos[victim]
        kinds = theirs.bit_count()
        chances = self.chances or self._chances()
        place = chances.pop() * sizes[victim] >> FRACTION
        card = nth_card(theirs, place) if place < kinds else nth_card(doubled, place - kinds)
        bit = BIT[card]
        if doubled & bit:
            twos[victim] = doubled ^ bit
        else:
            hands[victim] = theirs ^ bit
            if self.groups[victim]:
                self._break_groups(victim, bit)
        sizes[victim] -= 1
        self.receive(seat, card)
        if self.events is not None:
            self.events.append(Event("steal", seat, other=victim, cards=(card,)))
        if not sizes[victim]:
            self._finish("out")

    def _finish(self, note: str) -> None:
        self.turn = OVER
        self.spent |= ENDED
        self.winners = self.fewest_cards()
        if self.events is not None:
            shares = tuple(self.returns())
            self.events.append(Event("hand", points=shares, note=note))
            self.events.append(Event("match", points=shares, note=note))

    def _refusal(self, action: int) -> IllegalAction:
        """Why the action may not be taken now, in words for a player."""
        seat = self.turn
        if seat == OVER:
            return IllegalAction("The match is over.")
        if not 0 <= action < NUM_ACTIONS:
            return IllegalAction(f"Notty has no action {action}.")
        if self.spent & EXCHANGING and not DISCARD <= action < GROUP:
            return IllegalAction("After the exchange's draw comes its discard, nothing else.")
        if action >= GROUP:
            return IllegalAction(f"You do not hold all the cards of {LABELS[action][6:]}.")
        if action >= DISCARD:
            if self.spent & EXCHANGING:
                return IllegalAction(f"You do not hold {PACK.codes[action - DISCARD]}.")
            return IllegalAction("A single card is discarded only in an exchange.")
        if action == EXCHANGE:
            return IllegalAction("You have already exchanged a card this turn.")
        if action < STEAL:
            if self.spent & DREW:
                return IllegalAction("You have already drawn this turn.")
            return IllegalAction(f"A hand holds at most {HAND_LIMIT} cards.")
        if self.spent & STOLE:
            return IllegalAction("You have already stolen this turn.")
        if action - STEAL == seat:
            return IllegalAction("You cannot steal from yourself.")
        if action - STEAL >= self.seats:
            return IllegalAction(f"Nobody sits at seat {action - STEAL}.")
        return IllegalAction(f"With {HAND_LIMIT} cards in hand you cannot steal.")


class Notty(Game):
    name = "notty"
    title = "Notty"
    options = NottyOptions
    num_actions = NUM_ACTIONS
    players = (2, 3)

    def new(
        self,
        seed: int = 0,
        deck: Sequence[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> NottyState:
        """A new match. A deck is dealt four at a time, clockwise from the starting seat,
        and drawn from until a card goes back into it. Seat 0 starts unless `first` says."""
        checked: NottyOptions = self.make_options(options)
        self.check_first(first, checked.players)
        state = NottyState(seed, checked)
        shuffle = [place // PACK.copies for place in shuffled(seed, 0, len(PACK))]
        state.tick = 1
        state.deck = (PACK.stack(deck, shuffle) if deck else shuffle)[::-1]
        state.turn = first or 0
        for place in range(checked.players):
            for _ in range(DEAL):
                state.receive((state.turn + place) % checked.players, state.deck.pop())
        return state


GAME: Final = Notty()
