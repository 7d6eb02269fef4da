"""Truco Uruguayo with everything: envido, flor, contraflor, mazo; two, four or six in two teams.

Cards, their strengths, the truco bids and the tricks are those of `engine.games.truco`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from engine.chance import draw, shuffled
from engine.fields import (
    Card,
    Flag,
    Kind,
    Number,
    OneOf,
    PerSeat,
    PerSide,
    Seat,
    Several,
    Trick,
    holds,
)
from engine.game import (
    OVER,
    Event,
    Game,
    IllegalAction,
    OptionValue,
    Played,
    SharedFields,
    State,
    View,
    copy_match,
    option,
)
from engine.games.truco import (
    BID_NAMES,
    CARDS,
    FLOR_POINTS,
    FULL,
    HAND,
    HIGHEST_STAKE,
    LOWEST_PIEZA,
    NOBODY,
    NUMBERS,
    PACK,
    RANKS,
    REY,
    VALUES,
    Score,
    TrucoOptions,
    has_flor,
    places_of,
    round_winner,
)

# Actions. 0 to 2 play the card at that place of the hand.
ENVIDO: Final = 3
REAL_ENVIDO: Final = 4
FALTA_ENVIDO: Final = 5
FLOR: Final = 6
CONTRAFLOR: Final = 7
AL_RESTO: Final = 8
RAISE: Final = 9
QUIERO: Final = 10
NO_QUIERO: Final = 11
MAZO: Final = 12
NUM_ACTIONS: Final = 13
PLAYED: Final = 13
"""A history records a play as PLAYED + card, since places change as a hand shrinks."""

WORDS: Final = {
    ENVIDO: "envido",
    REAL_ENVIDO: "real envido",
    FALTA_ENVIDO: "falta envido",
    FLOR: "flor",
    CONTRAFLOR: "contraflor",
    AL_RESTO: "contraflor al resto",
    RAISE: "raise",
    QUIERO: "quiero",
    NO_QUIERO: "no quiero",
    MAZO: "mazo",
}
ACTIONS: Final = {word: action for action, word in WORDS.items()} | dict.fromkeys(
    (*BID_NAMES.values(), "vale cuatro"), RAISE
)
"""Actions by their words. A raise may also be written as what it is: `truco`, `retruco`, …"""

# Phases. After a bid has been answered, the seat that still has to play is asked again.
PLAYING: Final = 0
ANSWERING_ENVIDO: Final = 1
ANSWERING_FLOR: Final = 2
ANSWERING_TRUCO: Final = 3
FINISHED: Final = 4
PHASES: Final = ("play", "answer an envido", "answer a flor", "answer a truco", "over")

# The bets on the cards dealt, called envite: what was called last. OPEN: they can still be called.
CLOSED: Final = 0
OPEN: Final = 1
ENVITE_ENVIDO: Final = 2
ENVITE_REAL: Final = 3
ENVITE_FALTA: Final = 4
ENVITE_FLOR: Final = 5
ENVITE_CONTRAFLOR: Final = 6
ENVITE_AL_RESTO: Final = 7
ENVITES: Final = (
    "closed",
    "open",
    "envido",
    "real envido",
    "falta envido",
    "flor",
    "contraflor",
    "contraflor al resto",
)
_ENVITE_OF: Final = {
    ENVIDO: ENVITE_ENVIDO,
    REAL_ENVIDO: ENVITE_REAL,
    FALTA_ENVIDO: ENVITE_FALTA,
    CONTRAFLOR: ENVITE_CONTRAFLOR,
    AL_RESTO: ENVITE_AL_RESTO,
}
_POINTS: Final = {ENVIDO: 2, REAL_ENVIDO: 3, FALTA_ENVIDO: 0}
"""What each call adds to the pot of the envido."""
_BACK: Final = {ENVITE_ENVIDO: 1, ENVITE_REAL: 2, ENVITE_FALTA: -1}
"""How much less than the pot the caller gets if the call is refused."""

HIGHEST_ENVIDO: Final = 37
HIGHEST_FLOR: Final = 47
SON_BUENAS: Final = -1
"""In place of a value: this player cannot beat what was told."""
NOT_TOLD: Final = -1
NO_FLOR: Final = -1
"""A flor can be worth 0: 10, 11 and 12 of a suit."""

_PIEZA_COUNTS: Final = {2: 30, 4: 29, 5: 28, 11: 27, 10: 27}


def _count(card: int, muestra: int) -> int:
    number = NUMBERS[card % RANKS]
    if VALUES[muestra][card] >= LOWEST_PIEZA:
        return _PIEZA_COUNTS[NUMBERS[muestra % RANKS] if number == REY else number]
    return number if number <= 7 else 0


COUNTS: Final = [[_count(card, muestra) for card in range(CARDS)] for muestra in range(CARDS)]
"""For each muestra what each card counts for envido and flor."""
LOWEST_PIEZA_COUNT: Final = 27
PAIR: Final = 20


def envido_of(cards: Sequence[int], muestra: int) -> int:
    """The envido of three cards. A player who keeps a flor quiet has one too: a second pieza
    then counts nothing."""
    counts = COUNTS[muestra]
    first, second, third = cards
    one, two, three = counts[first], counts[second], counts[third]
    highest = one if one > two else two
    if three > highest:
        highest = three
    if highest >= LOWEST_PIEZA_COUNT:
        rest = [each for each in (one, two, three) if each < LOWEST_PIEZA_COUNT]
        return highest + (max(rest) if rest else 0)
    suit_1, suit_2, suit_3 = first // RANKS, second // RANKS, third // RANKS
    if suit_1 == suit_2:
        if suit_2 == suit_3:
            return PAIR + one + two + three - min(one, two, three)
        return PAIR + one + two
    if suit_1 == suit_3:
        return PAIR + one + three
    if suit_2 == suit_3:
        return PAIR + two + three
    return highest


def flor_of(cards: Sequence[int], muestra: int) -> int:
    """The value of the flor that three cards make; NO_FLOR if they make none."""
    if not has_flor(cards, muestra):
        return NO_FLOR
    counts = sorted([COUNTS[muestra][card] for card in cards])
    if counts[1] >= LOWEST_PIEZA_COUNT:
        return counts[2] + counts[1] % 10 + counts[0] % 10
    return sum(counts)


def proof_of(cards: Sequence[int], muestra: int) -> tuple[int, ...]:
    """The cards that prove an envido or a flor: those that count for it."""
    if has_flor(cards, muestra):
        return tuple(cards)
    value, counts = envido_of(cards, muestra), COUNTS[muestra]
    for card in cards:
        if counts[card] == value:
            return (card,)
    for left_out in range(HAND):
        pair = [card for place, card in enumerate(cards) if place != left_out]
        together = counts[pair[0]] + counts[pair[1]]
        if pair[0] // RANKS == pair[1] // RANKS and together + PAIR == value:
            return tuple(pair)
        if together == value:
            return tuple(pair)
    return tuple(cards)


def tell(seats: int, start: int, values: Sequence[int], mano: int) -> list[Played]:
    """What the players say in turn, from a seat on, to find the highest value: a value, or
    SON_BUENAS. Values below 0 take no part; partners stay silent while their side is ahead.

    The last value told wins. Equal values go to the player nearer to the mano.
    """
    while values[start] < 0:
        start = (start + 1) % seats
    told: list[Played] = [(start, values[start])]
    best = start
    spoken = 1 << start
    beaten = False
    step = 1
    while step < seats:
        seat = (start + step) % seats
        step += 1
        value = values[seat]
        if value < 0 or spoken >> seat & 1 or (seat ^ best) & 1 == 0:
            continue
        ahead = value - values[best]
        if ahead == 0:
            ahead = (best - mano) % seats - (seat - mano) % seats
        if ahead > 0:
            told.append((seat, value))
            best = seat
            spoken |= 1 << seat
            beaten = True
            step = 1
        elif not beaten:
            told.append((seat, SON_BUENAS))
            spoken |= 1 << seat
    return told


class FullSummary(NamedTuple):
    """A finished round. All of it is public.

    winner    the side that won the round; NOBODY if an envite ended the match before
    note      `tricks`, `rejected`, `mazo`, or `match` if an envite ended the match
    stake     the points of the round without envido and flor
    history   its actions
    results   the winner of each trick
    steps     the points in the order in which they were added; `seat` is the player who won them
    told      what was told for envido or flor, in order
    shown     the seat that won an envite by its cards, and the cards that prove it
    """

    winner: int
    note: str
    stake: int
    mano: int
    muestra: int
    history: tuple[Played, ...]
    results: tuple[int, ...]
    steps: tuple[Score, ...]
    told: tuple[Played, ...]
    shown: tuple[tuple[int, tuple[int, ...]], ...]

    @property
    def plays(self) -> tuple[Played, ...]:
        """The cards played, each with its seat."""
        return tuple(_plays_in(self.history))

    def tricks(self, seats: int) -> tuple[tuple[Played, ...], ...]:
        """The cards of each trick in the order played."""
        return _tricks_in(self.history, seats)


def _plays_in(history: Sequence[Played]) -> list[Played]:
    return [(seat, action - PLAYED) for seat, action in history if action >= PLAYED]


def _tricks_in(history: Sequence[Played], seats: int) -> tuple[tuple[Played, ...], ...]:
    """The cards of each trick. A player who left plays no more."""
    tricks: list[tuple[Played, ...]] = []
    trick: list[Played] = []
    acted, out = 0, 0
    for seat, action in history:
        if action >= PLAYED:
            trick.append((seat, action - PLAYED))
        elif action == MAZO:
            out |= 1 << seat
        else:
            continue
        acted |= 1 << seat
        if (acted | out) == (1 << seats) - 1:
            tricks.append(tuple(trick))
            trick, acted = [], 0
    if trick:
        tricks.append(tuple(trick))
    return tuple(tricks)


@dataclass(frozen=True)
class FullOptions(TrucoOptions):
    rules: str = option(FULL, "full: envido, flor, contraflor, mazo, teams", (FULL,))


@dataclass(slots=True)
class FullView(View):
    """What a seat knows."""

    phase: int = field(metadata=holds(OneOf(PHASES)))
    mano: int = field(metadata=holds(Seat()))
    muestra: int = field(metadata=holds(Card(PACK)))
    hand: tuple[int, ...] = field(init=False, metadata=holds(Several(Card(PACK), HAND)))
    """Sorted by strength, then suit: action 0 plays the first card, and so on."""
    hand_sizes: tuple[int, ...] = field(init=False, metadata=holds(PerSeat(Number(HAND))))
    tricks: tuple[tuple[Played, ...], ...] = field(
        init=False, metadata=holds(Several(Trick(PACK), HAND))
    )
    """The cards of each trick in the order played; the last may be unfinished."""
    results: tuple[int, ...] = field(metadata=holds(Several(Seat(), HAND)))
    """The winner of each finished trick."""
    stake: int = field(metadata=holds(Number(HIGHEST_STAKE, low=1)))
    """The points of the round by the truco bids accepted."""
    bid: int = field(metadata=holds(Number(HIGHEST_STAKE)))
    """The stake that the unanswered truco bid proposes, or 0."""
    raiser: int = field(metadata=holds(Seat()))
    """The seat that made the last truco bid."""
    to_play: int = field(metadata=holds(Seat()))
    """The seat that plays the next card, after all bids have been answered."""
    envite: int = field(metadata=holds(OneOf(ENVITES)))
    """The last call for envido or flor."""
    pot: int = field(metadata=holds(Number("highest_pot")))
    """The points called for envido or flor so far, without a falta or a resto."""
    caller: int = field(metadata=holds(Seat()))
    """The seat that made the last call for envido or flor."""
    announced: tuple[bool, ...] = field(init=False, metadata=holds(PerSeat(Flag())))
    """Who has announced a flor."""
    gone: tuple[bool, ...] = field(init=False, metadata=holds(PerSeat(Flag())))
    """Who has left the round."""
    told_values: tuple[int, ...] = field(init=False, metadata=holds(PerSeat(Number(HIGHEST_FLOR))))
    """The envido or flor each seat has told; NOT_TOLD for the others."""
    envido: int = field(init=False, metadata=holds(Number(HIGHEST_ENVIDO)))
    """The envido of the cards this seat was dealt."""
    flor: int = field(init=False, metadata=holds(Number(HIGHEST_FLOR)))
    """The value of this seat's flor, or NO_FLOR."""
    flor_first: bool = field(init=False, metadata=holds(Flag()))
    """A partner of the seat to act has to announce a flor before this side may speak of truco.
    Only the seat to act learns this."""
    last_points: tuple[int, ...] = field(metadata=holds(PerSide(Number("most_points"))))
    out: int
    florless: int
    told: tuple[Played, ...]
    steps: tuple[Score, ...]
    before: tuple[int, ...]
    last_round: FullSummary | None

    @classmethod
    def also_shown(cls) -> dict[str, Kind]:
        return {"scores": PerSide(Number("highest_score"))}

    def label(self, action: int) -> str:
        return _label(action, self.hand, self.bid or self.stake)

    def target(self) -> int:
        """The points that win the match."""
        assert isinstance(self.options, TrucoOptions)
        return self.options.target

    def side(self) -> int:
        """The number of this seat's side."""
        return self.seat & 1

    def played_by(self, seat: int) -> list[int]:
        """The cards a seat has played this round, in order."""
        return [card for trick in self.tricks for who, card in trick if who == seat]

    def unseen(self) -> list[int]:
        """The cards this seat has not seen."""
        seen = {*self.hand, self.muestra}
        for trick in self.tricks:
            for _, card in trick:
                seen.add(card)
        return [card for card in range(CARDS) if card not in seen]

    def falta(self, side: int) -> int:
        """The points of a falta envido, besides the pot, if this side wins it."""
        return falta_points(self.scores, self.target(), side)

    def sample(self, rng: Random) -> "FullState":
        state = FullState(rng.getrandbits(63), **SHARED.named(self))
        state.history = list(self.history)
        state.points = list(self.scores)
        if self.phase == FINISHED:
            state.winners = (0 if self.scores[0] >= self.target() else 1,)
        if len(self.tricks) > len(self.results):
            state.trick = list(self.tricks[-1])
        for seat in range(self.seats):
            if self.announced[seat]:
                state.announced |= 1 << seat
        played = [self.played_by(seat) for seat in range(self.seats)]
        dealing = _Hidden(self, played)
        while True:
            dealing.deal(rng)
            place = places_of(self.muestra).__getitem__
            state.hands = [sorted(hand, key=place) for hand in dealing.hands]
            state.dealt = [(*played[seat], *state.hands[seat]) for seat in range(self.seats)]
            state.find_flores()
            if state.flor_first_for(self.seat) == self.flor_first:
                return state


class _Hidden:
    """The hands that the other seats may hold, given what a seat knows."""

    __slots__ = (
        "_allowed", "_fitting", "_flor", "_muestra", "_played", "_seat", "_sizes", "_unseen",
        "hands",
    )  # fmt: skip

    def __init__(self, view: FullView, played: list[list[int]]) -> None:
        self.hands: list[list[int]] = [[] for _ in played]
        self.hands[view.seat] = list(view.hand)
        self._seat: int = view.seat
        self._muestra: int = view.muestra
        self._played: list[list[int]] = played
        self._sizes: tuple[int, ...] = view.hand_sizes
        self._unseen: list[int] = view.unseen()
        florless = view.florless
        if _silent_partners(view):
            for partner in view.sides[view.seat & 1]:
                florless |= 1 << partner
        self._flor: list[int] = [
            1 if _must_hold_flor(view, seat) else -1 if florless >> seat & 1 else 0
            for seat in range(view.seats)
        ]
        """1: has a flor, -1: has none, 0: unknown."""
        self._allowed: list[frozenset[int]] = [
            _possible_values(view, seat) for seat in range(view.seats)
        ]
        """The values a seat may have after what was told; empty for any."""
        self._fitting: dict[int, list[tuple[int, ...]]] = {}
        """All hands that fit a seat for which few do."""

    def deal(self, rng: Random) -> None:
        """Deal the hidden cards. Every deal that fits is equally likely: each hand is drawn on
        its own from all that fit it, until the hands have no card in common."""
        while True:
            used: set[int] = set()
            count = 0
            for seat in range(len(self.hands)):
                if seat != self._seat:
                    hand = self._draw(seat, rng)
                    self.hands[seat] = hand
                    used.update(hand)
                    count += len(hand)
                    if len(used) < count:
                        break
            if len(used) == count:
                return

    def _draw(self, seat: int, rng: Random) -> list[int]:
        known = self._fitting.get(seat)
        if known is not None:
            return list(known[int(rng.random() * len(known))])
        size, unseen = self._sizes[seat], self._unseen
        if not self._flor[seat] and not self._allowed[seat]:
            return rng.sample(unseen, size)
        for _ in range(_TRIES):
            hand = rng.sample(unseen, size)
            if self._fits(seat, hand):
                return hand
        self._fitting[seat] = [
            hand for hand in combinations(unseen, size) if self._fits(seat, hand)
        ]
        return self._draw(seat, rng)

    def _fits(self, seat: int, hand: Sequence[int]) -> bool:
        flor, allowed, muestra = self._flor[seat], self._allowed[seat], self._muestra
        cards = [*self._played[seat], *hand]
        if flor and has_flor(cards, muestra) != (flor > 0):
            return False
        if not allowed:
            return True
        value = flor_of(cards, muestra) if flor > 0 else envido_of(cards, muestra)
        return value in allowed


_TRIES: Final = 200
"""Hands drawn at random before all that fit are listed."""


def _must_hold_flor(view: FullView, seat: int) -> bool:
    """Whether everybody knows that a seat holds a flor: it announced one or has to answer one."""
    if view.announced[seat]:
        return True
    return view.phase == ANSWERING_FLOR and view.turn == seat


def _silent_partners(view: FullView) -> bool:
    """Whether the seat to act learns from its choices that no partner holds a flor."""
    return (
        view.seat == view.turn
        and not view.flor_first
        and view.options.as_dict()["flor"] == ANNOUNCED
        and (view.envite == OPEN or view.phase == ANSWERING_FLOR)
        and not view.results
    )


def _possible_values(view: FullView, seat: int) -> frozenset[int]:
    """The values with which a seat would have said what it said; empty for any value."""
    told = view.told
    if not told or seat == view.seat or (view.gone[seat] and view.told_values[seat] == NOT_TOLD):
        return frozenset()
    flores = any(view.announced)
    if flores and not view.announced[seat]:
        return frozenset()
    values = [NOT_TOLD] * view.seats
    for who, value in told:
        if value != SON_BUENAS:
            values[who] = value
    said = [each for each in told if each[1] != SON_BUENAS or each[0] == seat]
    if values[seat] != NOT_TOLD:
        return frozenset([values[seat]])
    possible = []
    for value in range(HIGHEST_FLOR + 1):
        values[seat] = value
        if tell(view.seats, told[0][0], values, view.mano) == said:
            possible.append(value)
    return frozenset(possible)


def falta_points(scores: Sequence[int], target: int, side: int) -> int:
    """What a falta envido or a contraflor al resto is worth for a side, besides the pot."""
    leading, half = max(scores), target // 2
    if leading < half:
        return half - scores[side]
    return target - leading


def _label(action: int, hand: Sequence[int], stake: int) -> str:
    if action >= PLAYED:
        return f"play {PACK.codes[action - PLAYED]}"
    if action == RAISE:
        return BID_NAMES.get(stake + 1, "raise")
    if action >= ENVIDO:
        return WORDS[action]
    return f"play {PACK.codes[hand[action]]}" if action < len(hand) else f"play card {action + 1}"


SHARED: Final = SharedFields(FullView)

# Choices of options.
ANNOUNCED: Final = "announced"
ALL_FLORES: Final = "all"
ALONE: Final = "alone"


@dataclass(slots=True, eq=False, repr=False)
class FullState(State):
    """A match of full Truco. Seats with even numbers play against those with odd numbers.

    hands      per seat its cards, sorted by strength, then suit
    dealt      per seat the three cards it was dealt
    trick      the cards of the current trick
    unsung     the seats, as bits, that hold a flor and can still announce it
    announced  the seats that have announced a flor
    florless   the seats that everybody knows to hold no flor
    out        the seats that have left the round
    told       what was told for envido or flor
    steps      the points of this round so far
    before     the score at the start of the round
    """

    options: TrucoOptions = field(kw_only=True)
    points: list[int] = field(default_factory=lambda: [0, 0])
    phase: int = PLAYING
    mano: int = 0
    muestra: int = 0
    hands: list[list[int]] = field(default_factory=list)
    dealt: list[tuple[int, ...]] = field(default_factory=list)
    trick: list[Played] = field(default_factory=list)
    results: tuple[int, ...] = ()
    stake: int = 1
    bid: int = 0
    raiser: int = NOBODY
    to_play: int = 0
    envite: int = OPEN
    pot: int = 0
    caller: int = NOBODY
    unsung: int = 0
    announced: int = 0
    florless: int = 0
    out: int = 0
    told: tuple[Played, ...] = ()
    steps: tuple[Score, ...] = ()
    before: tuple[int, ...] = (0, 0)
    last_round: FullSummary | None = None

    # Dealing

    def deal(self, order: list[int]) -> None:
        """Deal a round: three cards to each seat from the mano on, then the muestra."""
        seats, mano = self.seats, self.mano
        self.muestra = muestra = order[HAND * seats]
        place = places_of(muestra).__getitem__
        hands: list[list[int]] = [[] for _ in range(seats)]
        for number in range(seats):
            hand = order[HAND * number : HAND * number + HAND]
            hand.sort(key=place)
            hands[(mano + number) % seats] = hand
        self.hands = hands
        self.dealt = [tuple(hand) for hand in hands]
        self.phase = PLAYING
        self.trick = []
        self.results = ()
        self.stake = 1
        self.bid = 0
        self.raiser = NOBODY
        self.envite = OPEN
        self.pot = 0
        self.caller = NOBODY
        self.announced = 0
        self.florless = 0
        self.out = 0
        self.told = ()
        self.steps = ()
        self.before = (self.points[0], self.points[1])
        self.history = []
        self.turn = self.to_play = mano
        self.find_flores()
        if self.events is not None:
            self.events.append(Event("deal", mano, cards=(muestra,)))

    def find_flores(self) -> None:
        """Set `unsung` from the cards dealt."""
        unsung = 0
        answering = self.envite == ENVITE_FLOR and self.phase == ANSWERING_FLOR
        if answering or OPEN <= self.envite < ENVITE_FLOR:
            muestra = self.muestra
            for seat, cards in enumerate(self.dealt):
                if has_flor(cards, muestra):
                    unsung |= 1 << seat
            unsung &= ~(self.announced | self.out | self._played_first())
        self.unsung = unsung

    def _played_first(self) -> int:
        """The seats that have played a card, after which a flor cannot be announced."""
        return _mask_of([seat for seat, hand in enumerate(self.hands) if len(hand) < HAND])

    # Choices

    def legal(self) -> list[int]:
        phase = self.phase
        if phase == FINISHED:
            return []
        seat = self.turn
        if phase == ANSWERING_ENVIDO:
            legal = [ENVIDO] if self._may_repeat() else []
            if self.envite == ENVITE_ENVIDO:
                legal.append(REAL_ENVIDO)
            if self.envite != ENVITE_FALTA:
                legal.append(FALTA_ENVIDO)
            if self.unsung >> seat & 1:
                legal.append(FLOR)
            return [*legal, QUIERO, NO_QUIERO]
        if phase == ANSWERING_FLOR:
            if self.envite != ENVITE_FLOR:
                return [QUIERO, NO_QUIERO]
            if self.flor_first_for(seat):
                return [FLOR, CONTRAFLOR, AL_RESTO]
            return [FLOR, CONTRAFLOR, AL_RESTO, NO_QUIERO]
        own = self.unsung >> seat & 1
        due = own != 0 and self.options.flor == ANNOUNCED
        legal = [] if due or phase != PLAYING else list(range(len(self.hands[seat])))
        if self.envite == OPEN and not self.results and len(self.hands[seat]) == HAND:
            if not due and self._before_truco():
                legal += [ENVIDO, REAL_ENVIDO, FALTA_ENVIDO]
            if own:
                legal.append(FLOR)
        free = not due and not self.flor_first_for(seat)
        if free and self._may_raise(seat):
            legal.append(RAISE)
        if phase == PLAYING:
            legal.append(MAZO)
        else:
            if free:
                legal.append(QUIERO)
            legal.append(NO_QUIERO)
        return legal

    def _before_truco(self) -> bool:
        """Whether no truco was called, or the first one is not answered yet."""
        return self.stake == 1 and (self.bid == 0 or self.bid == 2)

    def _may_raise(self, seat: int) -> bool:
        if (self.bid or self.stake) >= HIGHEST_STAKE:
            return False
        return self.raiser == NOBODY or (self.raiser ^ seat) & 1 == 1

    def _may_repeat(self) -> bool:
        """Whether envido may be said again."""
        return self.envite == ENVITE_ENVIDO and self.pot < self.options.envidos

    def flor_first_for(self, seat: int) -> bool:
        """Whether a partner of the seat to act still has to announce a flor."""
        if seat != self.turn or self.options.flor != ANNOUNCED:
            return False
        return self.unsung & _SIDE_BITS[seat & 1] & ~(1 << seat) != 0

    # Acting

    def apply(self, action: int) -> None:
        seat, phase = self.turn, self.phase
        if action not in self.legal():
            raise IllegalAction(self._why_not(action))
        if action < HAND:
            self._play(seat, action)
            return
        self.history.append((seat, action))
        if action <= FALTA_ENVIDO:
            self._call_envido(seat, action)
        elif action == FLOR:
            self._announce(seat)
        elif action in (CONTRAFLOR, AL_RESTO):
            self._call_contraflor(seat, action)
        elif action == RAISE:
            self._raise(seat)
        elif action == MAZO:
            self._leave(seat)
        elif phase == ANSWERING_ENVIDO:
            self._answer_envido(action == QUIERO)
        elif phase == ANSWERING_FLOR:
            self._answer_flor(action == QUIERO)
        elif action == QUIERO:
            self._silent_side(seat)
            self.stake = self.bid
            self.bid = 0
            self._go_on()
        else:
            self._win_round(self.raiser, "rejected")

    def _next_in(self, seat: int, wanted: int) -> int:
        """The first of the wanted seats to the right of a seat; NOBODY if there is none."""
        seats = self.seats
        for step in range(1, seats + 1):
            other = (seat + step) % seats
            if wanted >> other & 1:
                return other
        return NOBODY

    def _in_round(self) -> int:
        return (1 << self.seats) - 1 & ~self.out

    def _other_side(self, seat: int) -> int:
        """The opponents of a seat who are still in the round."""
        return self._in_round() & _SIDE_BITS[1 - (seat & 1)]

    def _go_on(self) -> None:
        """Ask for what is due next: the answer to a truco, or a card."""
        if self.bid:
            self.phase = ANSWERING_TRUCO
            self.turn = self._next_in(self.raiser, self._other_side(self.raiser))
        else:
            self.phase = PLAYING
            self.turn = self.to_play

    def _silent_side(self, seat: int) -> None:
        """Speaking of truco shows that this side has no flor to announce."""
        if self.options.flor == ANNOUNCED:
            self.florless |= self._in_round() & _SIDE_BITS[seat & 1] & ~self.announced

    # Envido

    def _call_envido(self, seat: int, action: int) -> None:
        self.envite = _ENVITE_OF[action]
        self.pot += _POINTS[action]
        self.caller = seat
        if self.options.flor == ANNOUNCED:
            holder = self._next_in(seat, self.unsung)
            if holder != NOBODY:
                # The flor takes the place of the envido.
                self._skip(seat, holder)
                self.history.append((holder, FLOR))
                self._announce(holder)
                return
            self.florless |= self._in_round()
        self.phase = ANSWERING_ENVIDO
        self.turn = self._next_in(seat, self._other_side(seat))

    def _answer_envido(self, accepted: bool) -> None:
        envite, caller = self.envite, self.caller
        if not accepted:
            self._score_envite("envido refused", caller, max(1, self.pot - _BACK[envite]))
            return
        winner = self._tell([envido_of(cards, self.muestra) for cards in self.dealt])
        points = self.pot
        if envite == ENVITE_FALTA:
            points += falta_points(self.points, self.options.target, winner & 1)
        self._score_envite("envido", winner, points)

    def _tell(self, values: list[int]) -> int:
        """Compare the values of the players in the round; return the seat that wins."""
        for seat in range(self.seats):
            if self.out >> seat & 1:
                values[seat] = NOT_TOLD
        start = self.caller if self.envite >= ENVITE_FLOR else self.mano
        told = tell(self.seats, start, values, self.mano)
        self.told = tuple(told)
        best = [seat for seat, value in told if value != SON_BUENAS]
        return best[-1]

    def _score_envite(self, reason: str, seat: int, points: int) -> None:
        self.envite = CLOSED
        self.unsung = 0
        self.pot = 0
        if self.options.flor == ANNOUNCED:
            self.florless |= self._in_round() & ~self.announced
        if self.events is not None:
            sides = (0, points) if seat & 1 else (points, 0)
            self.events.append(Event("envite", seat, points=sides, note=reason))
        if not self._add(reason, seat, points):
            self._go_on()

    def _add(self, reason: str, seat: int, points: int) -> bool:
        """Add points; return whether they end the match."""
        self.steps = (*self.steps, Score(reason, seat, points))
        self.points[seat & 1] += points
        if self.points[seat & 1] < self.options.target:
            return False
        if reason != "round":
            self._end_round(NOBODY, "match")
        return True

    # Flor

    def _skip(self, before: int, holder: int) -> None:
        """The seats between two seats have no flor, since they would have come first."""
        seats = self.seats
        seat = (before + 1) % seats
        while seat != holder:
            if not (self.announced | self.out) >> seat & 1:
                self.florless |= 1 << seat
            seat = (seat + 1) % seats

    def _announce(self, seat: int) -> None:
        """A seat announces its flor, and so do its partners who hold one."""
        if self.envite < ENVITE_FLOR:
            self.pot = 0
            self.envite = ENVITE_FLOR
        own = _SIDE_BITS[seat & 1]
        self._sing(seat)
        others = self.unsung & ~own
        self.caller = seat
        self.florless |= self._in_round() & own & ~self.announced
        if others:
            self.phase = ANSWERING_FLOR
            self.turn = self._next_in(seat, others)
            self._skip_opponents(seat, self.turn)
        else:
            self._compare_flores()

    def _sing(self, seat: int) -> None:
        """Announce the flores of a seat's side, its own first."""
        for step in range(0, self.seats, 2):
            partner = (seat + step) % self.seats
            if self.unsung >> partner & 1:
                self.unsung &= ~(1 << partner)
                self.announced |= 1 << partner
                self.pot += FLOR_POINTS
                if partner != seat:
                    self.history.append((partner, FLOR))
                if self.events is not None:
                    self.events.append(Event("flor", partner))

    def _skip_opponents(self, before: int, holder: int) -> None:
        seats = self.seats
        seat = (before + 1) % seats
        while seat != holder:
            if not self.out >> seat & 1:
                self.florless |= 1 << seat
            seat = (seat + 2) % seats

    def _compare_flores(self) -> None:
        """All flores are announced, and nobody called contraflor."""
        if not (self.announced & _SIDE_BITS[0] and self.announced & _SIDE_BITS[1]):
            self._score_envite("flor", self.caller, self.pot)
            return
        winner = self._tell_flores()
        points = self.pot
        if self.options.flores != ALL_FLORES:
            points = self._flores_of(winner & 1) * FLOR_POINTS
            loser = self._next_in(winner, self.announced & _SIDE_BITS[1 - (winner & 1)])
            other = self._flores_of(loser & 1) * FLOR_POINTS
            if self._add("flor", winner, points):
                return
            self._score_envite("flor", loser, other)
            return
        self._score_envite("flor", winner, points)

    def _flores_of(self, side: int) -> int:
        return (self.announced & _SIDE_BITS[side]).bit_count()

    def _tell_flores(self) -> int:
        muestra = self.muestra
        return self._tell(
            [
                flor_of(cards, muestra) if self.announced >> seat & 1 else NOT_TOLD
                for seat, cards in enumerate(self.dealt)
            ]
        )

    def _call_contraflor(self, seat: int, action: int) -> None:
        self._sing(seat)
        self.florless |= self._in_round() & ~self.announced
        self.envite = _ENVITE_OF[action]
        self.caller = seat
        self.turn = self._next_in(seat, self.announced & _SIDE_BITS[1 - (seat & 1)])

    def _answer_flor(self, accepted: bool) -> None:
        envite, caller = self.envite, self.caller
        if not accepted:
            points = self._flores_of(caller & 1) * FLOR_POINTS
            self._score_envite(
                "flor refused", caller, points if envite == ENVITE_FLOR else points + 1
            )
            return
        winner = self._tell_flores()
        points = self.options.contraflor
        if envite == ENVITE_AL_RESTO:
            points = falta_points(self.points, self.options.target, winner & 1)
            if self.options.resto != ALONE:
                points += self.pot
        self._score_envite("contraflor", winner, points)

    # Truco

    def _raise(self, seat: int) -> None:
        """Make a truco bid, or accept one by a higher bid."""
        self._silent_side(seat)
        self.stake = self.bid or self.stake
        self.bid = self.stake + 1
        self.raiser = seat
        self._go_on()
        if self.envite == OPEN and self.options.flor == ANNOUNCED:
            partners = _SIDE_BITS[self.turn & 1] & ~(1 << self.turn)
            if self.unsung & partners:
                # A flor comes first, and the player who has to answer holds it or not.
                holder = self._next_in(seat, self.unsung & _SIDE_BITS[self.turn & 1])
                self.history.append((holder, FLOR))
                self._announce(holder)
            else:
                self.florless |= self._in_round() & partners & ~self.announced

    # Cards

    def _play(self, seat: int, place: int) -> None:
        card = self.hands[seat].pop(place)
        self.history.append((seat, PLAYED + card))
        self.trick.append((seat, card))
        if not self.results and self.options.flor == ANNOUNCED and self.envite == OPEN:
            self.florless |= 1 << seat & ~self.announced
        self.unsung &= ~(1 << seat)
        self._next_card(seat)

    def _leave(self, seat: int) -> None:
        """A player goes to the mazo. The round ends when a whole side has left."""
        self.out |= 1 << seat
        self.unsung &= ~(1 << seat)
        if self.events is not None:
            self.events.append(Event("mazo", seat))
        if not self._in_round() & _SIDE_BITS[seat & 1]:
            self._win_round(self._next_in(seat, self._other_side(seat)), "mazo")
        else:
            self._next_card(seat)

    def _next_card(self, seat: int) -> None:
        """Ask the next player for a card, or end the trick."""
        wanted = self._in_round() & ~_mask_of([who for who, _ in self.trick])
        if wanted:
            self.turn = self.to_play = self._next_in(seat, wanted)
        else:
            self._end_trick()

    def _end_trick(self) -> None:
        values = VALUES[self.muestra]
        best, leader, tied = -1, NOBODY, False
        for seat, card in self.trick:
            value = values[card]
            if value > best:
                best, leader, tied = value, seat, False
            elif value == best and (seat ^ leader) & 1:
                tied = True
        winner = NOBODY if tied else leader
        self.results = results = (*self.results, winner)
        if self.events is not None:
            cards = tuple([card for _, card in self.trick])
            self.events.append(Event("trick", winner, cards=cards))
        self.trick = []
        if self.envite == OPEN:
            self.envite = CLOSED
            self.unsung = 0
        sides = [NOBODY if each == NOBODY else each & 1 for each in results]
        decided = round_winner(sides, self.mano & 1)
        if decided == NOBODY:
            self.turn = self.to_play = leader
            return
        won = [each for each in results if each != NOBODY and each & 1 == decided]
        self._win_round(won[-1] if won else self.mano, "tricks")

    # Scoring

    def _win_round(self, seat: int, note: str) -> None:
        self._add("round", seat, self.stake)
        self._end_round(seat & 1, note)

    def _end_round(self, winner: int, note: str) -> None:
        points, before = self.points, self.before
        self.last_points = (points[0] - before[0], points[1] - before[1])
        self.last_round = FullSummary(
            winner,
            note,
            self.stake,
            self.mano,
            self.muestra,
            tuple(self.history),
            self.results,
            self.steps,
            self.told,
            self._shown(),
        )
        if self.events is not None:
            seat = self.steps[-1].seat
            self.events.append(Event("hand", seat, points=self.last_points, note=note))
        target = self.options.target
        if points[0] >= target or points[1] >= target:
            self._finish_match()
            return
        self.hand_no += 1
        self.mano = (self.mano + 1) % self.seats
        if self.deals_on:
            order = shuffled(self.seed, self.tick, PACK.cards, HAND * self.seats + 1)
            self.tick += 1
            self.deal(order)

    def _shown(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The winner of an envite proves what it told."""
        told = [seat for seat, value in self.told if value != SON_BUENAS]
        if not told:
            return ()
        return ((told[-1], proof_of(self.dealt[told[-1]], self.muestra)),)

    def _finish_match(self) -> None:
        self.phase = FINISHED
        self.turn = OVER
        self.unsung = 0
        self.winners = (0 if self.points[0] >= self.options.target else 1,)
        if self.events is not None:
            shares = [float(side in self.winners) for side in range(2)]
            self.events.append(Event("match", points=tuple(shares)))

    def _why_not(self, action: int) -> str:
        if self.turn == OVER:
            return "The match is over."
        if not 0 <= action < NUM_ACTIONS:
            return f"There is no action {action}; actions go from 0 to {NUM_ACTIONS - 1}."
        if action < HAND and self.phase == PLAYING and action >= len(self.hands[self.turn]):
            return f"There is no card {action + 1} in this hand of {len(self.hands[self.turn])}."
        legal = ", ".join([self.label(each) for each in self.legal()])
        if self.phase == ANSWERING_TRUCO:
            return f"First answer the {BID_NAMES[self.bid]}; now possible: {legal}."
        if self.phase != PLAYING:
            return f"First answer the {ENVITES[self.envite]}; now possible: {legal}."
        if action < HAND:
            return "First announce your flor."
        return f"{self.label(action).capitalize()} is not possible now; possible: {legal}."

    # Looking

    def scores(self) -> list[int]:
        return self.points[:]

    def label(self, action: int) -> str:
        hand = () if self.turn == OVER else self.hands[self.turn]
        return _label(action, hand, self.bid or self.stake)

    def parse(self, text: str) -> int:
        words = text.lower().split()
        action = ACTIONS.get(" ".join(words))
        if action is not None:
            return action
        if len(words) == 2 and words[0] == "play" and self.turn != OVER:
            card = PACK.card(words[1])
            hand = self.hands[self.turn]
            if card not in hand:
                held = ", ".join([PACK.codes[each] for each in hand])
                raise ValueError(f"{PACK.codes[card]} is not in this hand: {held}.")
            return hand.index(card)
        legal = ", ".join([self.label(action) for action in self.legal()])
        raise ValueError(f"{text!r} is not an action of Truco; now possible: {legal or 'nothing'}.")

    def view(self, seat: int) -> FullView:
        view = FullView(*SHARED.values(self))
        seats = range(self.seats)
        view.seat = seat
        view.scores = tuple(self.points)
        view.history = tuple(self.history)
        view.hand = tuple(self.hands[seat])
        view.hand_sizes = tuple([len(hand) for hand in self.hands])
        view.tricks = _tricks_in(self.history, self.seats)
        view.announced = tuple([self.announced >> each & 1 == 1 for each in seats])
        view.gone = tuple([self.out >> each & 1 == 1 for each in seats])
        told = [NOT_TOLD] * self.seats
        for who, value in self.told:
            told[who] = value
        view.told_values = tuple(told)
        view.envido = envido_of(self.dealt[seat], self.muestra)
        view.flor = flor_of(self.dealt[seat], self.muestra)
        view.flor_first = self.flor_first_for(seat)
        return view

    def clone(self) -> "FullState":
        copy = copy_match(self, FullState.__new__(FullState))
        copy.options = self.options
        copy.points = self.points[:]
        copy.phase = self.phase
        copy.mano = self.mano
        copy.muestra = self.muestra
        copy.hands = [hand[:] for hand in self.hands]
        copy.dealt = self.dealt
        copy.trick = self.trick[:]
        copy.results = self.results
        copy.stake = self.stake
        copy.bid = self.bid
        copy.raiser = self.raiser
        copy.to_play = self.to_play
        copy.envite = self.envite
        copy.pot = self.pot
        copy.caller = self.caller
        copy.unsung = self.unsung
        copy.announced = self.announced
        copy.florless = self.florless
        copy.out = self.out
        copy.told = self.told
        copy.steps = self.steps
        copy.before = self.before
        copy.last_round = self.last_round
        return copy


_SIDE_BITS: Final = (0b010101, 0b101010)
"""The seats of each side, as bits."""


def _mask_of(seats: Sequence[int]) -> int:
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


class FullTruco(Game):
    name = "truco_full"
    title = "Truco Uruguayo, full"
    options = FullOptions
    num_actions = NUM_ACTIONS
    players = (2, 4, 6)
    history_actions = PLAYED + CARDS

    def new(
        self,
        seed: int = 0,
        deck: Sequence[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> FullState:
        chosen: FullOptions = self.make_options(options)
        seats = chosen.players
        self.check_first(first, seats)
        sides = (tuple(range(0, seats, 2)), tuple(range(1, seats, 2)))
        state = FullState(seed, sides, options=chosen)
        state.mano = draw(seed, 0, seats) if first is None else first
        state.tick = 2
        if deck is None:
            state.deal(shuffled(seed, 1, PACK.cards, HAND * seats + 1))
        else:
            state.deal(PACK.stack(deck, shuffled(seed, 1, PACK.cards)))
        return state


GAME: Final = FullTruco()
