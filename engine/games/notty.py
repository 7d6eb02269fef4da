"""Notty: open hands, runs and sets. The first player without cards wins."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.cards import NOTTY_COLOURS, cards_in, mask_of, notty, nth_card
from engine.chance import AT_ONCE, FRACTION, fractions, shuffled
from engine.fields import CardCounts, CardSet, Flag, Kind, Number, PerSeat, PerSide, holds
from engine.game import (
    OVER,
    Event,
    Game,
    IllegalAction,
    Options,
    OptionValue,
    Played,
    SharedFields,
    State,
    View,
    copy_match,
    option,
)
from engine.records import DERIVED

PACK: Final = notty()
MASKS: Final = PACK.masks
KINDS: Final = len(PACK.codes)
ALL_KINDS: Final = (1 << KINDS) - 1
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
"""The nine numbers of one colour. The mask of a hand consists of five such rows."""


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

GROUP_MASKS: Final[tuple[int, ...]] = tuple([mask_of(cards) for cards in GROUPS])

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
"""For each action the mask of the kinds it discards as a group."""

# Bits of `spent`, which tells how the current turn has been used. The last two are the highest,
# so that one comparison finds an ordinary turn.
DREW: Final = 1
STOLE: Final = 2
EXCHANGED: Final = 4
EXCHANGING: Final = 8
"""An exchange has drawn its card and has not yet discarded one."""
ENDED: Final = 16
"""The match is over."""

SIDES: Final[tuple[tuple[tuple[int, ...], ...], ...]] = (
    (),
    (),
    ((0,), (1,)),
    ((0,), (1,), (2,)),
)


# Lookups for speed. Finding the legal actions takes most of the time of random play. The actions
# that do not depend on the cards are listed in advance (without that, play is 30 % slower). The
# groups of every hand are kept and updated when a card comes or goes, by its row and its column
# alone (16 %).


def _opening(seats: int, seat: int, spent: int, room: int) -> list[int]:
    """The legal actions other than groups for a seat with room for that many more cards."""
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
"""The legal actions other than groups by number of players, seat, `spent` and cards in hand."""


def _runs_in_rows() -> list[list[tuple[int, ...]]]:
    runs = list(enumerate(GROUP_MASKS[: len(_RUNS[0])], GROUP))
    red = [[action for action, run in runs if row & run == run] for row in range(ROW + 1)]
    steps = [colour * len(_RUNS[0]) for colour in range(COLOURS)]
    return [[tuple([action + step for action in row]) for row in red] for step in steps]


_RUNS_IN: Final = _runs_in_rows()
"""For each colour and the numbers held of it, as nine bits, the actions that discard a run."""

_DISCARDS_IN: Final = [
    [
        tuple([DISCARD + colour * NUMBERS + number for number in cards_in(row)])
        for row in range(ROW + 1)
    ]
    for colour in range(COLOURS)
]
"""For each colour and the numbers held of it the actions that discard one of them."""

_COLUMN_OF: Final = [mask_of(range(card % NUMBERS, KINDS, NUMBERS)) for card in range(KINDS)]
"""For each card the mask of the kinds with its number."""


def _sets_in_columns() -> dict[int, tuple[int, ...]]:
    sets = list(enumerate(GROUP_MASKS[FIRST_SET - GROUP :], FIRST_SET))
    return {
        held: tuple([action for action, each in sets if held & each == each]) for _, held in sets
    }


_SETS_IN: Final = _sets_in_columns()
"""For the kinds held of one number, at least four, the actions that discard a set."""


def groups_in(ones: int) -> list[int]:
    """The actions that discard a group, ascending, for the kinds held at least once."""
    groups: list[int] = []
    missing = missing_twice = 0
    for colour in range(COLOURS):
        row = ones >> colour * NUMBERS & ROW
        groups += _RUNS_IN[colour][row]
        missing_twice |= missing & ~row
        missing |= ~row
    for number in cards_in(ROW & ~missing_twice):
        groups += _SETS_IN[ones & _COLUMN_OF[number]]
    return groups


@dataclass(frozen=True)
class NottyOptions(Options):
    players: int = option(2, "how many play", choices=(2, 3))
    turn_limit: int = option(300, "turns in total after which the fewest cards win", low=1)


@dataclass(slots=True)
class NottyView(View):
    """The whole table. Only the order of the deck is hidden.

    hands    per seat the kinds held, ascending, twice if both copies
    deck     how many of each kind are in the deck
    drew, stole, exchanged
             the allowances that the current turn has used
    exchanging
             an exchange has drawn its card and must discard one
    turns    turns passed so far
    history  the last turn of every other seat and the current turn
    """

    hands: tuple[tuple[int, ...], ...] = field(init=False, metadata=holds(PerSeat(CardSet(PACK))))
    deck: tuple[int, ...] = field(init=False, metadata=holds(CardCounts(PACK)))
    drew: bool = field(init=False, metadata=holds(Flag()))
    stole: bool = field(init=False, metadata=holds(Flag()))
    exchanged: bool = field(init=False, metadata=holds(Flag()))
    exchanging: bool = field(init=False, metadata=holds(Flag()))
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
        state = NottyState(rng.getrandbits(63), **SHARED.named(self))
        state.spent = (
            (DREW if self.drew else 0)
            | (STOLE if self.stole else 0)
            | (EXCHANGED if self.exchanged else 0)
            | (EXCHANGING if self.exchanging else 0)
        )
        state.recall_turns(self.history)
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


SHARED: Final = SharedFields(NottyView)


@dataclass(slots=True, eq=False, repr=False)
class NottyState(State):
    """A match of Notty.

    ones, twos  per seat the masks of the kinds held at least once, and twice
    sizes       per seat the cards in hand
    groups      per seat the actions that discard a group
    deck        the kinds in the deck; their order means nothing unless `stacked`
    stacked     whether draws come from the end of `deck`: until a card goes back into it
    chances     the coming random numbers
    spent       bits DREW, STOLE, EXCHANGED, EXCHANGING of the turn, ENDED after the last
    turns       turns passed so far
    history     the actions of the current turn
    last_turns  per seat the actions of its last turn
    openings    the legal actions other than groups for this number of players
    """

    options: NottyOptions = field(kw_only=True)
    next_seat: list[int] = field(init=False)
    openings: list[list[list[list[int]]]] = field(init=False, metadata=DERIVED)
    ones: list[int] = field(init=False)
    twos: list[int] = field(init=False)
    sizes: list[int] = field(init=False)
    groups: list[list[int]] = field(init=False)
    deck: list[int] = field(default_factory=list)
    stacked: bool = True
    chances: list[int] = field(default_factory=list)
    spent: int = 0
    turns: int = 0
    last_turns: list[list[Played]] = field(init=False)

    def __post_init__(self) -> None:
        State.__post_init__(self)
        self.next_seat = [*range(1, self.seats), 0]
        self.openings = _OPENINGS[self.seats]
        self.ones = [0] * self.seats
        self.twos = [0] * self.seats
        self.sizes = [0] * self.seats
        self.groups = [[]] * self.seats
        self.last_turns = [[]] * self.seats

    # Acting

    def legal(self) -> list[int]:
        seat, spent = self.turn, self.spent
        if spent < EXCHANGING:
            return self.openings[seat][spent][self.sizes[seat]] + self.groups[seat]
        if spent >= ENDED:
            return []
        ones = self.ones[seat]
        red, green, yellow, blue, black = _DISCARDS_IN
        return [
            *red[ones & ROW],
            *green[ones >> 9 & ROW],
            *yellow[ones >> 18 & ROW],
            *blue[ones >> 27 & ROW],
            *black[ones >> 36],
        ]

    def apply(self, action: int) -> None:
        if self.spent >= EXCHANGING:
            self._discard(action)
        elif action == PASS:
            self._pass()
        elif action >= GROUP:
            self._discard_group(action)
        elif action < STEAL or action == EXCHANGE:
            self._draw(action)
        else:
            self._steal(action)

    def _pass(self) -> None:
        """End the turn."""
        seat = self.turn
        self.history.append((seat, PASS))
        self.spent = 0
        self.turns += 1
        if self.turns >= self.options.turn_limit:
            self._finish("turn limit")
            return
        self.last_turns[seat] = self.history
        self.history = []
        self.turn = seat = self.next_seat[seat]
        if self.events is not None:
            self.events.append(Event("turn", seat))

    def _draw(self, action: int) -> None:
        """Draw one to three cards, or the card of an exchange. The deck cannot run out: three
        full hands leave thirty cards."""
        seat, spent = self.turn, self.spent
        if action == EXCHANGE:
            if spent & EXCHANGED:
                raise self._refusal(action)
            count = 1
            self.spent = spent | EXCHANGED | EXCHANGING
        else:
            count = action - DRAW + 1
            if count < 1 or spent & DREW or self.sizes[seat] + count > HAND_LIMIT:
                raise self._refusal(action)
            self.spent = spent | DREW
        self.history.append((seat, action))
        deck = self.deck
        drawn: list[int] | None = None if self.events is None else []
        while count:
            count -= 1
            if self.stacked:
                card = deck.pop()
            else:
                chances = self.chances or self._more_chances()
                place = chances.pop() * len(deck) >> FRACTION
                card, last = deck[place], deck.pop()
                if card != last:  # Otherwise the place is the last, or need not change.
                    deck[place] = last
            self.receive(seat, card)
            if drawn is not None:
                drawn.append(card)
        if drawn is not None and self.events is not None:
            note = "exchange" if action == EXCHANGE else ""
            self.events.append(Event("draw", seat, cards=tuple(drawn), note=note))

    def _discard(self, action: int) -> None:
        """Discard the card that an exchange owes."""
        seat, card = self.turn, action - DISCARD
        bit = MASKS[card] if 0 <= card < KINDS else 0
        if self.spent >= ENDED or not self.ones[seat] & bit:
            raise self._refusal(action)
        self.history.append((seat, action))
        self.spent -= EXCHANGING
        self._lose(seat, card)
        self.deck.append(card)
        self.stacked = False
        if self.events is not None:
            self.events.append(Event("discard", seat, cards=(card,)))

    def _steal(self, action: int) -> None:
        """Take a random card of another seat. Places count one card of each kind first, then
        the second copies."""
        seat, victim = self.turn, action - STEAL
        sizes = self.sizes
        barred = self.spent & STOLE or sizes[seat] >= HAND_LIMIT
        if barred or victim == seat or victim >= self.seats:
            raise self._refusal(action)
        self.history.append((seat, action))
        self.spent |= STOLE
        ones = self.ones[victim]
        kinds = ones.bit_count()
        chances = self.chances or self._more_chances()
        place = chances.pop() * sizes[victim] >> FRACTION
        if place < kinds:
            card = nth_card(ones, place)
        else:
            card = nth_card(self.twos[victim], place - kinds)
        self._lose(victim, card)
        self.receive(seat, card)
        if self.events is not None:
            self.events.append(Event("steal", seat, other=victim, cards=(card,)))
        if not sizes[victim]:
            self._finish("out")

    def _discard_group(self, action: int) -> None:
        """Put the cards of a group back into the deck, which is reshuffled."""
        seat = self.turn
        mask = _KINDS_OF[action] if action < NUM_ACTIONS else 0
        if not mask or self.ones[seat] & mask != mask:
            raise self._refusal(action)
        self.history.append((seat, action))
        cards = GROUPS[action - GROUP]
        doubled = self.twos[seat] & mask
        if doubled:
            self.twos[seat] ^= doubled
        gone = mask ^ doubled
        self.ones[seat] ^= gone
        self._break_groups(seat, gone)
        self.sizes[seat] -= len(cards)
        self.deck += cards
        self.stacked = False
        if self.events is not None:
            self.events.append(Event("group", seat, cards=cards))
        if not self.sizes[seat]:
            self._finish("out")

    def receive(self, seat: int, card: int) -> None:
        """Add a card to a hand. Any new group is in its row or its column."""
        self.sizes[seat] += 1
        bit, ones = MASKS[card], self.ones[seat]
        if ones & bit:
            self.twos[seat] |= bit
            return
        self.ones[seat] = ones = ones | bit
        colour = card // NUMBERS
        found = _RUNS_IN[colour][ones >> colour * NUMBERS & ROW]
        column = ones & _COLUMN_OF[card]
        if column.bit_count() >= SMALLEST_SET:
            found = found + _SETS_IN[column]
        if found:
            groups = self.groups[seat]
            self.groups[seat] = sorted({*groups, *found}) if groups else list(found)

    def _lose(self, seat: int, card: int) -> None:
        """Remove a card from a hand."""
        self.sizes[seat] -= 1
        bit = MASKS[card]
        if self.twos[seat] & bit:
            self.twos[seat] ^= bit
        else:
            self.ones[seat] ^= bit
            if self.groups[seat]:
                self._break_groups(seat, bit)

    def _break_groups(self, seat: int, gone: int) -> None:
        """Drop the groups of a hand that need a kind it no longer holds."""
        groups = self.groups[seat]
        self.groups[seat] = [action for action in groups if not _KINDS_OF[action] & gone]

    def _more_chances(self) -> list[int]:
        """The coming random numbers, fractions of one in FRACTION bits."""
        self.chances = fractions(self.seed, self.tick)
        self.tick += 1
        return self.chances

    def fewest_cards(self) -> tuple[int, ...]:
        """The seats with the fewest cards, which have won once the match is over."""
        fewest = min(self.sizes)
        return tuple([seat for seat, size in enumerate(self.sizes) if size == fewest])

    def _finish(self, note: str) -> None:
        self.turn = OVER
        self.spent |= ENDED
        self.winners = self.fewest_cards()
        if self.events is not None:
            shares = tuple(self.returns())
            self.events.append(Event("hand", points=shares, note=note))
            self.events.append(Event("match", points=shares, note=note))

    def _refusal(self, action: int) -> IllegalAction:
        """The error that explains to a player why the action is not possible now."""
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
            return IllegalAction(f"There is no player at seat {action - STEAL}.")
        return IllegalAction(f"With {HAND_LIMIT} cards in hand you cannot steal.")

    # Looking

    def view(self, seat: int) -> NottyView:
        hands = []
        deck = [PACK.copies] * KINDS
        for ones, twos in zip(self.ones, self.twos, strict=True):
            hand = sorted(cards_in(ones) + cards_in(twos))
            for card in hand:
                deck[card] -= 1
            hands.append(tuple(hand))
        spent = self.spent
        view = NottyView(*SHARED.values(self))
        view.seat = seat
        view.scores = tuple(self.scores())
        view.history = self._recent_turns()
        view.hands = tuple(hands)
        view.deck = tuple(deck)
        view.drew = spent & DREW != 0
        view.stole = spent & STOLE != 0
        view.exchanged = spent & EXCHANGED != 0
        view.exchanging = spent & EXCHANGING != 0
        return view

    def numbers(self, seat: int) -> list[int]:
        ones, twos, spent = self.ones, self.twos, self.spent
        held = held_twice = 0
        hands: list[int] = []
        for other, once in enumerate(ones):
            twice = twos[other]
            hands.append(once)
            hands.append(twice)
            held_twice |= twice | held & once
            held |= once
        return [
            self.turn,
            *hands,
            ALL_KINDS & ~held_twice,
            ALL_KINDS & ~held,
            int(spent & DREW != 0),
            int(spent & STOLE != 0),
            int(spent & EXCHANGED != 0),
            int(spent & EXCHANGING != 0),
            self.turns,
            *[-size for size in self.sizes],
            ones[seat],
            twos[seat],
        ]

    def _recent_turns(self) -> tuple[Played, ...]:
        """The last turn of every other seat, then the current turn."""
        current = self.turn if self.turn != OVER else self.history[-1][0]
        others = [(current + step) % self.seats for step in range(1, self.seats)]
        return (*[each for seat in others for each in self.last_turns[seat]], *self.history)

    def recall_turns(self, history: Sequence[Played]) -> None:
        """Take over the recent turns of a view. `turn` must be set."""
        current = self.turn if self.turn != OVER else history[-1][0]
        self.last_turns = [
            [each for each in history if each[0] == seat != current] for seat in range(self.seats)
        ]
        self.history = [each for each in history if each[0] == current]

    def clone(self) -> "NottyState":
        copy = copy_match(self, NottyState.__new__(NottyState))
        copy.options = self.options
        copy.openings = self.openings
        copy.next_seat = self.next_seat
        copy.ones = self.ones[:]
        copy.twos = self.twos[:]
        copy.sizes = self.sizes[:]
        copy.groups = self.groups[:]
        copy.deck = self.deck[:]
        copy.stacked = self.stacked
        copy.chances = self.chances[:]
        copy.spent = self.spent
        copy.turns = self.turns
        copy.last_turns = self.last_turns[:]
        return copy

    def with_chance(self, seed: int) -> "NottyState":
        copy = self.clone()
        copy.seed = seed
        copy.chances = []
        return copy

    def chance_used(self) -> int:
        return self.tick * AT_ONCE - len(self.chances)

    def scores(self) -> list[int]:
        """Minus the cards in each hand."""
        return [-size for size in self.sizes]

    def hand_returns(self) -> list[float]:
        """A match of Notty is one hand; its points are the shares of the win."""
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
        """A new match. A deck is dealt four at a time, clockwise from the starting seat, and
        then drawn from until a card goes back into it. By default seat 0 starts."""
        checked: NottyOptions = self.make_options(options)
        self.check_first(first, checked.players)
        state = NottyState(seed, SIDES[checked.players], options=checked)
        state.stacked = deck is not None
        order = shuffled(seed, 0, PACK.cards, 0 if state.stacked else DEAL * checked.players)
        state.tick = 1
        state.deck = (order if deck is None else PACK.stack(deck, order))[::-1]
        state.turn = first or 0
        for place in range(checked.players):
            for _ in range(DEAL):
                state.receive((state.turn + place) % checked.players, state.deck.pop())
        return state


GAME: Final = Notty()
