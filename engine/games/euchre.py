"""Euchre: for three with a dummy hand, or for four in two partnerships."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from engine.cards import BITS_0, BITS_12, SUIT_NAMES, cards_in, french, mask_of
from engine.chance import draw, shuffled
from engine.fields import (
    Card,
    CardSet,
    Flag,
    Kind,
    Number,
    OneOf,
    PerSeat,
    PerSide,
    Seat,
    Trick,
    holds,
)
from engine.game import (
    HIDDEN,
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
    begin_view,
    copy_match,
    option,
)
from engine.hidden import Hidden
from engine.tricks import NO_SUIT, TrumpLookup, follow_voids, shown_voids

PACK: Final = french(("9", "10", "J", "Q", "K", "A"))
MASKS: Final = PACK.masks
CARDS: Final = 24
RANKS: Final = 6
JACK: Final = 2
ALL_CARDS: Final = (1 << CARDS) - 1
TARGET: Final = 10
TRICKS: Final = 5
DEALT: Final = 4 * TRICKS + 1
"""Cards of a deal that matter one by one: all but the kitty."""
MOST_POINTS: Final = 4
"""The most points of one hand."""
SAME_COLOUR: Final = (3, 2, 1, 0)
"""For each suit the other suit of its colour."""

# Actions: a card's own number plays it.
DISCARD: Final = CARDS
PASS: Final = 48
ORDER_UP: Final = 49
CALL: Final = 50
ALONE: Final = 54
WITH_PARTNER: Final = 55
NUM_ACTIONS: Final = 56

LABELS: Final = tuple(
    [f"play {code}" for code in PACK.codes]
    + [f"discard {code}" for code in PACK.codes]
    + ["pass", "order up"]
    + [f"call {name}" for name in SUIT_NAMES]
    + ["alone", "with partner"]
)
ACTIONS: Final = {label.lower(): action for action, label in enumerate(LABELS)}

# Phases of a hand.
ORDERING: Final = 0
CALLING: Final = 1
DEALER_DISCARD: Final = 2
GOING_ALONE: Final = 3
DUMMY_DISCARD: Final = 4
PLAYING: Final = 5
FINISHED: Final = 6
PHASES: Final = (
    "order up or pass",
    "call or pass",
    "dealer discards",
    "alone or with partner",
    "discard for the dummy",
    "play",
    "over",
)

NOBODY: Final = -1
SOLOIST: Final = 0
SIDES: Final[dict[int, tuple[tuple[int, ...], ...]]] = {3: ((0,), (1, 2)), 4: ((0, 2), (1, 3))}
SIDE_OF: Final[dict[int, tuple[int, ...]]] = {3: (0, 1, 1), 4: (0, 1, 0, 1)}

_PLAIN_RANKS: Final = (0, 1, 2, 3, 4, 5)
_TRUMP_RANKS: Final = (0, 1, 6, 2, 3, 4)
_LEFT_BOWER_RANK: Final = 5


def left_bower(trump: int) -> int:
    """The jack that belongs to the trump suit though another suit is printed on it."""
    return SAME_COLOUR[trump] * RANKS + JACK


def _trump_lookup(trump: int) -> TrumpLookup:
    left = left_bower(trump)

    def suit_of(card: int) -> int:
        return trump if card == left else card // RANKS

    def rank_of(card: int) -> int:
        if card == left:
            return _LEFT_BOWER_RANK
        ranks = _TRUMP_RANKS if card // RANKS == trump else _PLAIN_RANKS
        return ranks[card % RANKS]

    return TrumpLookup(PACK, trump, suit_of, rank_of)


TRUMP_LOOKUPS: Final = tuple([_trump_lookup(trump) for trump in range(4)])
"""For each trump suit: who follows what, and which card beats which."""


PLAYS: Final[list[list[Any]]] = [[(seat, card) for card in range(CARDS)] for seat in range(4)]
"""For each seat and card what `history` holds for the play, shared by all histories.

Compiled code builds such a pair more slowly than it finds one: 10 % of a hand with the loop in
the engine. `Any` keeps it from taking a pair apart and building another one.
"""


NO_CARDS: Final = [[NOBODY] * seats for seats in range(5)]
"""By the number of seats: the columns of a trick without cards."""


def _next_seats(seats: int, sits_out: int) -> list[int]:
    """For each seat the next one clockwise, passing over the one that sits out."""
    following = [(seat + 1) % seats for seat in range(seats)]
    return [(seat + 1) % seats if seat == sits_out else seat for seat in following]


CHOICES: Final[tuple[list[int], ...]] = (
    [PASS, ORDER_UP], [], [], [ALONE, WITH_PARTNER], [], [], [],
)  # fmt: skip
"""For each phase its actions, if they are always the same."""

CALLS: Final = tuple(
    [[CALL + suit for suit in range(4) if suit != turned_down] for turned_down in range(4)]
)
"""For each suit turned down the calls that are left."""

CALL_OR_PASS: Final = tuple([[PASS, *calls] for calls in CALLS])
"""The same for a seat that may pass."""

NEXT_SEAT: Final = {
    (seats, sits_out): _next_seats(seats, sits_out)
    for seats in (3, 4)
    for sits_out in range(NOBODY, seats)
}


@dataclass(frozen=True)
class EuchreOptions(Options):
    players: int = option(3, "three with a dummy hand, or four in partnerships", choices=(3, 4))


@dataclass(slots=True)
class EuchreView(View):
    """What a seat knows: masks of cards, `NOBODY` and `NO_SUIT` for what is not settled."""

    phase: int = field(metadata=holds(OneOf(PHASES)))
    dealer: int = field(metadata=holds(Seat()))
    up_card: int = field(metadata=holds(Card(PACK)))
    ordered_up: bool = field(metadata=holds(Flag()))
    """The dealer took the up-card into the hand."""
    trump: int = field(metadata=holds(OneOf(SUIT_NAMES)))
    maker: int = field(metadata=holds(Seat()))
    alone: bool = field(metadata=holds(Flag()))
    hand: int = field(init=False, metadata=holds(CardSet(PACK)))
    dummy: int = field(metadata=holds(CardSet(PACK)))
    """The dummy's five cards as they were dealt; 0 with four players."""
    dummy_taken: bool = field(metadata=holds(Flag()))
    """The soloist took the dummy's cards into the hand."""
    sits_out: int = field(metadata=holds(Seat()))
    own_discards: int = field(init=False, metadata=holds(CardSet(PACK)))
    trick: tuple[Played, ...] = field(init=False, metadata=holds(Trick(PACK)))
    winner: int = field(init=False, metadata=holds(Seat()))
    """The seat that is winning the trick so far."""
    previous_trick: tuple[Played, ...]
    """The last trick of the hand before."""
    last_winner: int = field(metadata=holds(Seat()))
    tricks: tuple[int, ...] = field(metadata=holds(PerSide(Number(TRICKS))))
    """Tricks of each side."""
    played: int = field(init=False, metadata=holds(CardSet(PACK)))
    last_points: tuple[int, ...] = field(metadata=holds(PerSide(Number(MOST_POINTS))))
    hidden: Hidden | None = field(default=None, init=False, compare=False, repr=False)
    known: "EuchreState | None" = field(default=None, init=False, compare=False, repr=False)
    found_voids: tuple[int, ...] = field(default=(), init=False, compare=False, repr=False)

    @classmethod
    def also_shown(cls) -> dict[str, Kind]:
        return {
            "scores": PerSide(Number(TARGET - 1 + MOST_POINTS)),
            "hand_sizes": PerSeat(Number(2 * TRICKS)),
            "last_trick": Trick(PACK),
            "voids": PerSeat(CardSet(PACK)),
        }

    @property
    def last_trick(self) -> tuple[Played, ...]:
        """The last complete trick, which may belong to the hand before."""
        if self.phase < PLAYING or self.tricks == (0, 0):
            return self.previous_trick
        end = len(self.history) - len(self.trick)
        return self.history[end - self.trick_size : end]

    @property
    def trick_size(self) -> int:
        return self.seats - (self.sits_out != NOBODY)

    @property
    def voids(self) -> tuple[int, ...]:
        """For each seat a mask of the cards it has shown not to hold."""
        if not self.found_voids:
            lookup = TRUMP_LOOKUPS[self.trump]
            self.found_voids = shown_voids(self.history, self.seats, self.trick_size, lookup, 0)
        return self.found_voids

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        sizes = [TRICKS] * self.seats
        if self.ordered_up:
            sizes[self.dealer] += 1
        if self.dummy_taken:
            sizes[SOLOIST] += TRICKS
        for seat, action in self.history:
            if action < PASS:
                sizes[seat] -= 1
        return tuple(sizes)

    @property
    def discard_sizes(self) -> tuple[int, ...]:
        sizes = [0] * self.seats
        for seat, action in self.history:
            if action == HIDDEN or DISCARD <= action < PASS:
                sizes[seat] += 1
        return tuple(sizes)

    def label(self, action: int) -> str:
        return LABELS[action]

    def sample(self, rng: Random) -> "EuchreState":
        if self.hidden is None or self.known is None:
            self.hidden, self.known = self._find_hidden(), self._known_state()
        places = [mask_of(cards) if cards else 0 for cards in self.hidden.deal(rng)]
        state = self.known.clone()
        state.seed = rng.getrandbits(63)
        seats = state.seats
        state.hands = places[:seats]
        state.hands[self.seat] = self.hand
        state.discards = places[seats : 2 * seats]
        state.discards[SOLOIST] |= places[2 * seats + 1]
        state.discards[self.seat] = self.own_discards
        if self.ordered_up or self.dummy_taken:
            state.history = self._filled_history(state)
        state.aside = ALL_CARDS ^ self.played ^ sum(state.hands)
        return state

    def _known_state(self) -> "EuchreState":
        """The state as this seat knows it, without the hidden cards."""
        state = EuchreState(0, **SHARED.named(self))
        state.history = list(self.history)
        state.points = (self.scores[0], self.scores[1])
        state.winners = tuple([s for s, p in enumerate(self.scores) if p >= TARGET])
        state.resume_trick(self.trick, self.winner)
        return state

    def _find_hidden(self) -> Hidden:
        """The unseen cards and where they may be: hands, face-down discards, the kitty."""
        seats = self.seats
        kitty, before_dummy = 2 * seats, 2 * seats + 1
        room = [*self.hand_sizes, *self.discard_sizes, 3, 0]
        room[self.seat] = room[seats + self.seat] = 0
        if self.dummy_taken and self.ordered_up and self.dealer == SOLOIST != self.seat:
            # The dealer discarded for the up-card before the dummy's cards came in.
            room[seats + SOLOIST] -= 1
            room[before_dummy] = 1
        anywhere = 1 << kitty
        for seat in range(seats):
            if seat != self.seat:
                anywhere |= 1 << seat | 1 << (seats + seat)
        seen = self.hand | self.own_discards | self.played
        taken_up: dict[int, int] = {}
        if self.ordered_up and self.dealer != self.seat:
            taken_up[self.up_card] = self.dealer
        else:
            seen |= 1 << self.up_card
        if self.dummy_taken and self.seat != SOLOIST:
            for card in cards_in(self.dummy):
                taken_up[card] = SOLOIST
        else:
            seen |= self.dummy
        allowed: dict[int, int] = {}
        for card in cards_in(ALL_CARDS & ~seen):
            places = anywhere
            owner = taken_up.get(card, NOBODY)
            if owner != NOBODY:
                places = 1 << owner | 1 << (seats + owner)
            for seat in range(seats):
                if self.voids[seat] >> card & 1:
                    places &= ~(1 << seat)
            if places >> (seats + SOLOIST) & 1 and not self.dummy >> card & 1:
                places |= 1 << before_dummy
            allowed[card] = places
        return Hidden(allowed, room)

    def _filled_history(self, state: "EuchreState") -> list[Played]:
        """The history with the others' face-down discards as the sample has them."""
        piles = [cards_in(pile) for pile in state.discards]
        if self.ordered_up and self.dealer == SOLOIST:
            # The dealer's first discard was made before the dummy's cards came in.
            piles[SOLOIST].sort(key=lambda card: self.dummy >> card & 1)
        filled: list[Played] = []
        for seat, action in self.history:
            if action == HIDDEN:
                filled.append((seat, DISCARD + piles[seat].pop(0)))
            else:
                filled.append((seat, action))
        return filled


SHARED: Final = SharedFields(EuchreView)


@dataclass(slots=True, eq=False, repr=False)
class EuchreState(State):
    """A match of Euchre. Hands and piles are masks of cards.

    follow           the cards that follow the lead: all of them before a card is led, none while
                     trump and discards are not settled yet
    aside            the cards neither in a hand nor played: the kitty, the discards, and the
                     up-card and the dummy until they are taken up
    previous_trick   the last trick of the hand before
    strength, best   how strong each card is in this trick, and the strength of the winner's
    voids            per seat the cards it has shown not to hold, from the first `voids_seen` cards
                     played; brought up to date only for `numbers`
    """

    options: EuchreOptions = field(kw_only=True)
    side_of: tuple[int, ...] = ()
    next_seat: list[int] = field(default_factory=list)
    trick_size: int = 0
    points: tuple[int, int] = (0, 0)
    phase: int = ORDERING
    dealer: int = 0
    hands: list[int] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)
    dummy: int = 0
    dummy_taken: bool = False
    up_card: int = 0
    ordered_up: bool = False
    trump: int = NO_SUIT
    maker: int = NOBODY
    alone: bool = False
    sits_out: int = NOBODY
    aside: int = 0
    tricks: tuple[int, int] = (0, 0)
    in_trick: int = 0
    winner: int = NOBODY
    best: int = 0
    follow: int = 0
    strength: list[int] = field(default_factory=list)
    previous_trick: tuple[Played, ...] = ()
    last_winner: int = NOBODY
    voids: list[int] = field(default_factory=list, compare=False)
    voids_seen: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        State.__post_init__(self)
        self.side_of = SIDE_OF[self.seats]
        self._leave_out(self.sits_out)

    # Dealing

    def deal(self, order: list[int]) -> None:
        """Deal a hand: five each from the dealer's left, the dummy, the up-card, the kitty.

        order   the pack from the top, each card as a mask
        """
        seats, dealer = self.seats, self.dealer
        piles = []
        self.aside = ALL_CARDS
        for top in range(0, 4 * TRICKS, TRICKS):
            one, two, three, four, five = order[top : top + TRICKS]
            pile = one | two | three | four | five
            piles.append(pile)
            self.aside ^= pile
        if seats == 3:
            self.dummy = piles.pop()
            self.aside |= self.dummy
        # The first pile is for the dealer's left.
        self.hands = piles[-1 - dealer :] + piles[: -1 - dealer]
        self.discards = [0] * seats
        self.up_card = order[20].bit_length() - 1
        self.phase = ORDERING
        self.follow = 0
        self.dummy_taken = self.ordered_up = self.alone = False
        self.trump = NO_SUIT
        self.maker = NOBODY
        if self.sits_out != NOBODY:
            self._leave_out(NOBODY)
        self.tricks = (0, 0)
        self.in_trick = 0
        self.voids_seen = 0
        self.history = []
        self.turn = (dealer + 1) % seats
        if self.events is not None:
            self.events.append(Event("deal", dealer, cards=(self.up_card,)))

    # Acting

    def legal(self) -> list[int]:
        follow = self.follow
        if follow:
            hand = self.hands[self.turn]
            hand = hand & follow or hand
            # `cards_in` without the call.
            return BITS_0[hand & 4095] + BITS_12[hand >> 12]
        phase = self.phase
        choices = CHOICES[phase]
        if choices:
            return choices.copy()
        if phase == CALLING:
            calls = CALLS if self.turn == self.dealer else CALL_OR_PASS
            return calls[self.up_card // RANKS].copy()
        if phase == FINISHED:
            return []
        return cards_in(self.hands[self.turn] << DISCARD)

    def apply(self, action: int) -> None:
        follow = self.follow
        if not follow:
            if self.phase == DEALER_DISCARD or self.phase == DUMMY_DISCARD:
                self._discard(action)
            else:
                self._bid(action)
            return
        seat = self.turn
        hands = self.hands
        hand = hands[seat]
        if action < 0 or not (hand & follow or hand) >> action & 1:
            raise IllegalAction(self._why_not(action))
        in_trick = self.in_trick
        if in_trick:
            strength = self.strength[action]
            if strength > self.best:
                self.best = strength
                self.winner = seat
        else:
            self.follow, self.strength, self.best = TRUMP_LOOKUPS[self.trump].leads[action]
            self.winner = seat
        hands[seat] = hand ^ MASKS[action]
        self.history.append(PLAYS[seat][action])
        in_trick += 1
        if in_trick < self.trick_size:
            self.in_trick = in_trick
            self.turn = self.next_seat[seat]
            return
        winner = self.winner
        first, second = self.tricks
        self.tricks = (first, second + 1) if self.side_of[winner] else (first + 1, second)
        self.turn = self.last_winner = winner
        self.in_trick = 0
        self.follow = ALL_CARDS
        if self.events is not None:
            cards = tuple([card for _, card in self.history[-in_trick:]])
            self.events.append(Event("trick", winner, cards=cards))
        if not hands[winner]:
            self._score_hand()

    def _bid(self, action: int) -> None:
        """Pass, make trump or go alone."""
        if action not in (CHOICES[self.phase] or self.legal()):
            raise IllegalAction(self._why_not(action))
        seat = self.turn
        self.history.append((seat, action))
        if action == PASS:
            self.turn = self.next_seat[seat]
            if seat == self.dealer:
                self.phase = CALLING
                if self.events is not None:
                    self.events.append(Event("turned down", seat, cards=(self.up_card,)))
        elif action == ORDER_UP:
            self.trump = self.up_card // RANKS
            self.maker = seat
            self.ordered_up = True
            self.hands[self.dealer] |= 1 << self.up_card
            self.aside ^= 1 << self.up_card
            self.phase = DEALER_DISCARD
            self.turn = self.dealer
        elif action == ALONE:
            self.alone = True
            self._start_play()
        elif action == WITH_PARTNER:
            if self.seats == 3 and seat == SOLOIST:
                self.dummy_taken = True
                self.hands[seat] |= self.dummy
                self.aside ^= self.dummy
                self.phase = DUMMY_DISCARD
            else:
                self._start_play()
        else:
            self.trump = action - CALL
            self.maker = seat
            self.phase = GOING_ALONE

    def _discard(self, action: int) -> None:
        """Lay a card aside for the up-card or for the dummy's cards."""
        seat = self.turn
        card = 1 << action - DISCARD if DISCARD <= action < PASS else 0
        if not self.hands[seat] & card:
            raise IllegalAction(self._why_not(action))
        self.history.append((seat, action))
        self.hands[seat] ^= card
        self.discards[seat] |= card
        self.aside |= card
        if self.phase == DEALER_DISCARD:
            self.phase = GOING_ALONE
            self.turn = self.maker
        elif self.hands[seat].bit_count() == TRICKS:
            self._start_play()

    def _start_play(self) -> None:
        maker, seats = self.maker, self.seats
        leader = self.dealer
        if self.alone:
            leader = maker if seats == 3 else self.dealer
            self._leave_out(self._partner(maker))
        self.phase = PLAYING
        self.follow = ALL_CARDS
        self.turn = self.next_seat[leader]

    def _leave_out(self, sits_out: int) -> None:
        self.sits_out = sits_out
        self.next_seat = NEXT_SEAT[self.seats, sits_out]
        self.trick_size = self.seats - (sits_out != NOBODY)

    def _partner(self, seat: int) -> int:
        if self.seats == 4:
            return (seat + 2) % 4
        return NOBODY if seat == SOLOIST else 3 - seat

    def _score_hand(self) -> None:
        winner = self.side_of[self.maker]
        taken = self.tricks[winner]
        if taken < 3:
            winner = 1 - winner
            worth, note = 2, "euchred"
        elif taken < TRICKS:
            worth, note = 1, "made"
        elif self.alone:
            worth, note = MOST_POINTS, "alone march"
        else:
            worth, note = 2, "march"
        points = (worth, 0) if winner == 0 else (0, worth)
        self.last_points = points
        self.previous_trick = tuple(self.history[-self.trick_size :])
        self.points = (self.points[0] + points[0], self.points[1] + points[1])
        if self.events is not None:
            self.events.append(Event("hand", self.maker, points=points, note=note))
        if self.points[winner] >= TARGET:
            self.phase = FINISHED
            self.follow = 0
            self.turn = OVER
            self.winners = (winner,)
            if self.events is not None:
                shares = (1.0, 0.0) if winner == 0 else (0.0, 1.0)
                self.events.append(Event("match", points=shares))
            return
        self.hand_no += 1
        self.dealer = (self.dealer + 1) % self.seats
        if self.deals_on:
            order = shuffled(self.seed, self.tick, MASKS, DEALT)
            self.tick += 1
            self.deal(order)

    def _why_not(self, action: int) -> str:
        if self.turn == OVER:
            return "The match is over."
        if not 0 <= action < NUM_ACTIONS:
            return f"There is no action {action}; actions go from 0 to {NUM_ACTIONS - 1}."
        if action < DISCARD:
            if self.phase != PLAYING:
                return "No card may be played yet: trump has not been settled."
            if not self.hands[self.turn] >> action & 1:
                return f"{PACK.codes[action]} is not in this hand."
            led = TRUMP_LOOKUPS[self.trump].suit_of[self.history[-self.in_trick][1]]
            return f"{SUIT_NAMES[led].capitalize()} were led and have to be followed."
        if self.phase == CALLING and action == PASS:
            return "The dealer is stuck and has to name a suit."
        if self.phase == CALLING and action == CALL + self.up_card // RANKS:
            return "The suit that was turned down may not be called."
        return f"'{LABELS[action]}' is not possible now."

    # Looking

    @property
    def kitty(self) -> int:
        """The three cards that nobody sees."""
        taken = sum(self.discards) | (0 if self.dummy_taken else self.dummy)
        return self.aside & ~(taken if self.ordered_up else taken | 1 << self.up_card)

    def scores(self) -> list[int]:
        return list(self.points)

    def label(self, action: int) -> str:
        return LABELS[action]

    def parse(self, text: str) -> int:
        action = ACTIONS.get(" ".join(text.lower().split()))
        if action is None:
            legal = ", ".join([LABELS[action] for action in self.legal()])
            raise ValueError(f"{text!r} is not an action of Euchre; now possible: {legal}.")
        return action

    def view(self, seat: int) -> EuchreView:
        history = self.history
        if self.ordered_up and seat != self.dealer and self.phase != DEALER_DISCARD:
            # The first action after that of the maker was the dealer's discard.
            history = history[:]
            history[(self.maker - self.dealer - 1) % self.seats + 1] = (self.dealer, HIDDEN)
        if self.dummy_taken and seat != SOLOIST:
            at = history.index((SOLOIST, WITH_PARTNER)) + 1
            discards = [each for each in history[at:] if each[1] >= DISCARD]
            history = (
                history[:at] + [(SOLOIST, HIDDEN)] * len(discards) + history[at + len(discards) :]
            )
        view = begin_view(self, EuchreView.__new__(EuchreView), seat)
        view.options = self.options
        view.phase = self.phase
        view.dealer = self.dealer
        view.up_card = self.up_card
        view.ordered_up = self.ordered_up
        view.trump = self.trump
        view.maker = self.maker
        view.alone = self.alone
        view.dummy = self.dummy
        view.dummy_taken = self.dummy_taken
        view.sits_out = self.sits_out
        view.previous_trick = self.previous_trick
        view.last_winner = self.last_winner
        view.tricks = self.tricks
        view.last_points = self.last_points
        view.hidden = view.known = None
        view.found_voids = ()
        view.scores = self.points
        view.history = tuple(history)
        view.hand = self.hands[seat]
        view.own_discards = self.discards[seat]
        in_trick = self.in_trick
        view.trick = tuple(self.history[-in_trick:]) if in_trick else ()
        view.winner = self.winner if in_trick else NOBODY
        view.played = ALL_CARDS ^ self.aside ^ sum(self.hands)
        return view

    def numbers(self, seat: int) -> list[int]:
        hands, history, seats = self.hands, self.history, self.seats
        in_trick, phase = self.in_trick, self.phase
        ours, theirs = self.tricks
        start = len(history) - in_trick
        trick = NO_CARDS[seats].copy()
        if in_trick:
            for who, card in history[start:]:
                trick[who] = card
        last_trick = NO_CARDS[seats].copy()
        finished = ours + theirs
        if phase >= PLAYING and finished:
            for who, card in history[start - self.trick_size : start]:
                last_trick[who] = card
        else:
            for who, card in self.previous_trick:
                last_trick[who] = card
        played = finished * self.trick_size + in_trick
        if played != self.voids_seen or not played:
            self._find_voids(played)
        held = 0
        for hand in hands:
            held |= hand
        if phase == PLAYING:
            # Compiled, this is faster than counting the bits of the hands.
            left = TRICKS - finished
            sizes = [left if card == NOBODY else left - 1 for card in trick]
            if self.sits_out != NOBODY:
                sizes[self.sits_out] = TRICKS
        else:
            sizes = [hand.bit_count() for hand in hands]
        points, score = self.last_points, self.points
        return [
            self.turn,
            phase,
            self.dealer,
            self.up_card,
            int(self.ordered_up),
            self.trump,
            self.maker,
            int(self.alone),
            hands[seat],
            self.dummy,
            int(self.dummy_taken),
            self.sits_out,
            self.discards[seat],
            *trick,
            self.winner if in_trick else NOBODY,
            self.last_winner,
            ours,
            theirs,
            ALL_CARDS ^ self.aside ^ held,
            points[0],
            points[1],
            score[0],
            score[1],
            *sizes,
            *last_trick,
            *self.voids,
        ]

    def _find_voids(self, played: int) -> None:
        """Bring `voids` up to date with the cards played in this hand, so many."""
        seen = self.voids_seen
        if not seen:
            self.voids = [0] * self.seats
        if played:
            history, lookup = self.history, TRUMP_LOOKUPS[self.trump]
            first = len(history) - played
            follow_voids(self.voids, history, first, seen, self.trick_size, lookup, 0)
        self.voids_seen = played

    def resume_trick(self, trick: Sequence[Played], winner: int) -> None:
        """Set what follows from the cards on the table (for a sampled state)."""
        if self.phase == PLAYING:
            self.follow = ALL_CARDS
        if trick:
            self.in_trick = len(trick)
            self.follow, self.strength, _ = TRUMP_LOOKUPS[self.trump].leads[trick[0][1]]
            self.best = max([self.strength[card] for _, card in trick])
            self.winner = winner

    def clone(self) -> "EuchreState":
        copy = copy_match(self, EuchreState.__new__(EuchreState))
        copy.options = self.options
        copy.side_of = self.side_of
        copy.points = self.points
        copy.phase = self.phase
        copy.dealer = self.dealer
        copy.hands = self.hands[:]
        copy.discards = self.discards[:]
        copy.dummy = self.dummy
        copy.dummy_taken = self.dummy_taken
        copy.up_card = self.up_card
        copy.ordered_up = self.ordered_up
        copy.trump = self.trump
        copy.maker = self.maker
        copy.alone = self.alone
        copy.sits_out = self.sits_out
        copy.next_seat = self.next_seat
        copy.trick_size = self.trick_size
        copy.tricks = self.tricks
        copy.aside = self.aside
        copy.in_trick = self.in_trick
        copy.winner = self.winner
        copy.best = self.best
        copy.follow = self.follow
        copy.strength = self.strength
        copy.previous_trick = self.previous_trick
        copy.last_winner = self.last_winner
        copy.voids = []
        copy.voids_seen = 0
        return copy


NEW_MATCHES: Final = {
    players: EuchreState(0, sides, options=EuchreOptions(players=players))
    for players, sides in SIDES.items()
}
"""For each number of players a match before its first deal, to be cloned."""


class Euchre(Game):
    name = "euchre"
    title = "Euchre"
    options = EuchreOptions
    num_actions = NUM_ACTIONS
    players = (3, 4)
    longest_history = 35

    def new(
        self,
        seed: int = 0,
        deck: Sequence[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> EuchreState:
        chosen: EuchreOptions = self.make_options(options)
        self.check_first(first, chosen.players)
        state = NEW_MATCHES[chosen.players].clone()
        state.seed = seed
        state.dealer = draw(seed, 0, state.seats) if first is None else first
        if deck is None:
            order = shuffled(seed, 1, MASKS, DEALT)
        else:
            order = [1 << card for card in PACK.stack(deck, shuffled(seed, 1, PACK.cards))]
        state.tick = 2
        state.deal(order)
        return state


GAME: Final = Euchre()
