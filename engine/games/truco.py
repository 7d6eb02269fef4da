"""Truco Uruguayo for two: three cards each, a muestra, bids on the round, and flor."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from random import Random
from typing import Final, NamedTuple

from engine.cards import SPANISH_SUITS, spanish
from engine.chance import draw, shuffled
from engine.fields import (
    NONE,
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
    Options,
    OptionValue,
    Played,
    SharedFields,
    State,
    View,
    copy_match,
    option,
)

PACK: Final = spanish()
CARDS: Final = 40
RANKS: Final = 10
HAND: Final = 3
DEALT: Final = 2 * HAND + 1
NUMBERS: Final = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
REY: Final = 12
SIDES: Final = ((0,), (1,))
NOBODY: Final = NONE
"""In place of a seat: a tied trick, no raise yet, a round still open."""
NO_CARD: Final = NONE
"""In place of the card led, before the lead."""

# Actions. 0 to 2 play the card at that place of the hand.
RAISE: Final = 3
ACCEPT: Final = 4
REJECT: Final = 5
FLOR: Final = 6
NUM_ACTIONS: Final = 7
PLAYED: Final = 7
"""Places change as a hand shrinks, so a history records a play as PLAYED + card. Such a number
has a label but cannot be applied."""

WORDS: Final = {RAISE: "raise", ACCEPT: "accept", REJECT: "reject", FLOR: "flor"}
ACTIONS: Final = {word: action for action, word in WORDS.items()}

# Phases. A turn plays a card, perhaps after a bid. A bid opens a phase of its own; when it has
# been answered, the turn goes back to the seat that still has to play (`to_play`).
PLAYING: Final = 0
ANSWERING_TRUCO: Final = 1
FINISHED: Final = 2
PHASES: Final = ("play", "answer a bid", "over")

BID_NAMES: Final = {2: "truco", 3: "retruco", 4: "vale 4"}
"""The truco bids by the stake they propose. A rejected bid leaves the round worth one less."""
HIGHEST_STAKE: Final = 4

# A seat's flor. UNSETTLED: the match was over before it was counted.
NOT_CALLED: Final = 0
REAL: Final = 1
FALSE: Final = 2
UNSETTLED: Final = 3
FLOR_POINTS: Final = 3
MOST_POINTS: Final = 2 * FLOR_POINTS + HIGHEST_STAKE
"""The most points one player can get from one round."""
NO_FLORS: Final = (NOT_CALLED, NOT_CALLED)
_NO_CARDS: Final = [[NONE] * (HAND - present) for present in range(HAND + 1)]
"""Fills up the columns of so many cards, or results, to those of a full hand."""

_NO_TRICKS: Final = [NONE] * (2 * HAND)
"""The columns of the tricks before the first card."""

_MATAS: Final = {"7O": 10, "7E": 11, "1B": 12, "1E": 13}
_PLAIN: Final = {4: 0, 5: 1, 6: 2, 7: 3, 10: 4, 11: 5, 12: 6, 1: 7, 2: 8, 3: 9}
_PIEZAS: Final = {10: 14, 11: 15, 5: 16, 4: 17, 2: 18}
LOWEST_MATA: Final = 10
LOWEST_PIEZA: Final = 14
NUM_VALUES: Final = 19


def _value(card: int, muestra: int) -> int:
    number = NUMBERS[card % RANKS]
    if card // RANKS == muestra // RANKS:
        shown = NUMBERS[muestra % RANKS]
        pieza = shown if number == REY else number
        if pieza in _PIEZAS:
            return _PIEZAS[pieza]
    return _MATAS.get(PACK.codes[card], _PLAIN[number])


VALUES: Final = [[_value(card, muestra) for card in range(CARDS)] for muestra in range(CARDS)]
"""For each muestra the value of each card, 0 to 18; equal values tie."""

_PLACES: Final = [
    [row[card] * len(SPANISH_SUITS) + card // RANKS for card in range(CARDS)] for row in VALUES
]
"""For each muestra the key that sorts a hand: by strength, then by suit."""


def places_of(muestra: int) -> list[int]:
    """For each card the key that sorts a hand: by strength, then by suit."""
    return _PLACES[muestra]


_PIEZA: Final = len(SPANISH_SUITS)
_SUITS: Final = [
    [_PIEZA if row[card] >= LOWEST_PIEZA else card // RANKS for card in range(CARDS)]
    for row in VALUES
]
"""For each muestra the suit of each card, where the piezas are a suit of their own."""


def has_flor(cards: Sequence[int], muestra: int) -> bool:
    """Whether three cards make a flor: three of a suit, a pieza with two of a suit, or at least
    two piezas. Without the piezas, only one suit is left."""
    suits = _SUITS[muestra]
    one, two, three = cards
    return len({suits[one], suits[two], suits[three], _PIEZA}) <= 2


def round_winner(results: Sequence[int], mano: int) -> int:
    """The winner of a round by the winners of its tricks so far; NOBODY while it is open."""
    if len(results) < 2:
        return NOBODY
    first, second = results[0], results[1]
    if len(results) == 2:
        if first == NOBODY:
            return second
        return NOBODY if second == 1 - first else first
    if results[2] != NOBODY:
        return results[2]
    return mano if first == NOBODY else first


# What a seat may do besides playing a card or answering a bid, as bits.
FLOR_UNCALLED: Final = 1
MAY_RAISE: Final = 2
EVERYTHING: Final = 3


def _allowed(phase: int, cards: int, free: int) -> list[int]:
    if phase == FINISHED:
        return []
    raises = [RAISE] if free & MAY_RAISE else []
    flor = [FLOR] if free & FLOR_UNCALLED and cards == HAND else []
    if phase == ANSWERING_TRUCO:
        return [*raises, ACCEPT, REJECT, *flor]
    return [*range(cards), *raises, *flor]


_ALLOWED: Final = [
    [[_allowed(phase, cards, free) for free in range(4)] for cards in range(HAND + 1)]
    for phase in (PLAYING, ANSWERING_TRUCO, FINISHED)
]
"""The legal actions by phase, cards in hand and bits of `free`. Working them out at every turn
makes random play 18 % slower."""


def _plays_in(history: Sequence[Played]) -> list[Played]:
    """The cards played in a round, each with its seat."""
    return [(seat, action - PLAYED) for seat, action in history if action >= PLAYED]


def _in_tricks(plays: Sequence[Played]) -> tuple[tuple[Played, ...], ...]:
    return tuple([tuple(plays[at : at + 2]) for at in range(0, len(plays), 2)])


class Score(NamedTuple):
    """Points of one seat and their reason: `flor`, `false flor` or `round`."""

    reason: str
    seat: int
    points: int


class RoundSummary(NamedTuple):
    """A finished round. All of it is public.

    note      `tricks`, or `rejected` when a rejected bid ended it
    stake     the points of the round without flors
    history   its actions
    results   the winner of each trick
    flors     per seat NOT_CALLED, REAL, FALSE or UNSETTLED
    counted   whether the stake was added; a flor may have ended the match before
    """

    winner: int
    note: str
    stake: int
    mano: int
    muestra: int
    history: tuple[Played, ...]
    results: tuple[int, ...]
    flors: tuple[int, int]
    counted: bool

    @property
    def plays(self) -> tuple[Played, ...]:
        """The cards played, each with its seat."""
        return tuple(_plays_in(self.history))

    @property
    def steps(self) -> tuple[Score, ...]:
        """The points in the order in which they were added."""
        steps = []
        for caller in (self.mano, 1 - self.mano):
            if self.flors[caller] == REAL:
                steps.append(Score("flor", caller, FLOR_POINTS))
            elif self.flors[caller] == FALSE:
                steps.append(Score("false flor", 1 - caller, FLOR_POINTS))
        if self.counted:
            steps.append(Score("round", self.winner, self.stake))
        return tuple(steps)

    def tricks(self) -> tuple[tuple[Played, ...], ...]:
        """The cards of each trick in the order played."""
        return _in_tricks(self.plays)


SHORT: Final = "short"
FULL: Final = "full"
MOST_PLAYERS: Final = 6


@dataclass(frozen=True)
class TrucoOptions(Options):
    target: int = option(40, "points that win the match", low=1)
    rules: str = option(SHORT, "short: two players, no envido; full: everything", (SHORT, FULL))
    players: int = option(2, "number of players, in two teams (full)", (2, 4, 6))
    envidos: int = option(4, "points at which envido is not repeated (full)", low=1, high=40)
    flor: str = option("announced", "whether a flor must be told (full)", ("announced", "optional"))
    flores: str = option("all", "which flores the higher side scores (full)", ("all", "own"))
    contraflor: int = option(4, "points of an accepted contraflor (full)", (4, 6))
    resto: str = option(
        "alone", "a contraflor al resto counts alone or with the flores (full)", ("alone", "flores")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rules == SHORT:
            for each in fields(self)[2:]:
                if getattr(self, each.name) != each.default:
                    raise ValueError(f"Option {each.name} needs rules=full; choose that as well.")

    @property
    def highest_pot(self) -> int:
        """The most points that can be called for envido or flor, without a falta."""
        return max(MOST_PLAYERS * FLOR_POINTS, self.envidos + 4)

    @property
    def highest_score(self) -> int:
        """The highest score a match can end with."""
        if self.rules == SHORT:
            return self.target - 1 + HIGHEST_STAKE
        return self.target + self.highest_pot

    @property
    def most_points(self) -> int:
        """The most points one side can get from one round."""
        if self.rules == SHORT:
            return MOST_POINTS
        return self.target + self.highest_pot


@dataclass(slots=True)
class TrucoView(View):
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
    """The points of the round by the bids accepted."""
    bid: int = field(metadata=holds(Number(HIGHEST_STAKE)))
    """The stake that the unanswered bid proposes, or 0."""
    raiser: int = field(metadata=holds(Seat()))
    """The seat that made the last raise."""
    to_play: int = field(metadata=holds(Seat()))
    """The seat that plays the next card, after any bid has been answered."""
    flor_called: tuple[bool, ...] = field(init=False, metadata=holds(PerSeat(Flag())))
    flor_open: bool = field(init=False, metadata=holds(Flag()))
    """This seat can still call a flor on a turn of its own."""
    last_points: tuple[int, ...] = field(metadata=holds(PerSide(Number(MOST_POINTS))))
    last_round: RoundSummary | None

    @classmethod
    def also_shown(cls) -> dict[str, Kind]:
        return {"scores": PerSide(Number("highest_score"))}

    def label(self, action: int) -> str:
        return _label(action, self.hand)

    def target(self) -> int:
        """The points that win the match."""
        assert isinstance(self.options, TrucoOptions)
        return self.options.target

    def played_by(self, seat: int) -> list[int]:
        """The cards a seat has played this round, in order."""
        return [card for trick in self.tricks for who, card in trick if who == seat]

    def unseen(self) -> list[int]:
        """The cards this seat has not seen: the other's hand and the undealt cards."""
        seen = {*self.hand, self.muestra, *self.played_by(0), *self.played_by(1)}
        return [card for card in range(CARDS) if card not in seen]

    def sample(self, rng: Random) -> "TrucoState":
        state = TrucoState(rng.getrandbits(63), **SHARED.named(self))
        state.history = list(self.history)
        state.points = list(self.scores)
        if self.phase == FINISHED:
            state.winners = (0 if self.scores[0] >= self.target() else 1,)
        if len(self.tricks) > len(self.results):
            ((_, state.led),) = self.tricks[-1]
        other = self._deal_other(rng)
        hand = list(self.hand)
        state.hands = [other, hand] if self.seat else [hand, other]
        flors = [NOT_CALLED, NOT_CALLED]
        for seat in (0, 1):
            if self.flor_called[seat]:
                cards = state.hands[seat] + self.played_by(seat)
                flors[seat] = REAL if has_flor(cards, self.muestra) else FALSE
        state.flors = (flors[0], flors[1])
        state.find_free()
        return state

    def _deal_other(self, rng: Random) -> list[int]:
        """Random cards for the other seat. A called flor proves nothing during the round. Only
        after the last round of a match is it known whether it was real."""
        other = 1 - self.seat
        unseen, played = self.unseen(), self.played_by(other)
        known = NOT_CALLED
        if self.phase == FINISHED and self.last_round is not None:
            known = self.last_round.flors[other]
        while True:
            cards = rng.sample(unseen, self.hand_sizes[other])
            if known not in (REAL, FALSE) or (
                has_flor(cards + played, self.muestra) == (known == REAL)
            ):
                return sorted(cards, key=_PLACES[self.muestra].__getitem__)


def _label(action: int, hand: Sequence[int]) -> str:
    if action >= PLAYED:
        return f"play {PACK.codes[action - PLAYED]}"
    if action >= RAISE:
        return WORDS[action]
    return f"play {PACK.codes[hand[action]]}" if action < len(hand) else f"play card {action + 1}"


SHARED: Final = SharedFields(TrucoView)


@dataclass(slots=True, eq=False, repr=False)
class TrucoState(State):
    """A match of Truco.

    hands   per seat its cards, sorted by strength, then suit
    led     the card led to the current trick, or NO_CARD
    flors   per seat NOT_CALLED, REAL or FALSE, judged when the flor is called
    free    per seat bits of FLOR_UNCALLED and MAY_RAISE
    """

    options: TrucoOptions = field(kw_only=True)
    points: list[int] = field(default_factory=lambda: [0, 0])
    phase: int = PLAYING
    mano: int = 0
    muestra: int = 0
    hands: list[list[int]] = field(default_factory=lambda: [[], []])
    led: int = NO_CARD
    results: tuple[int, ...] = ()
    stake: int = 1
    bid: int = 0
    raiser: int = NOBODY
    to_play: int = 0
    flors: tuple[int, int] = NO_FLORS
    free: list[int] = field(default_factory=lambda: [EVERYTHING, EVERYTHING])
    last_round: RoundSummary | None = None

    @property
    def plays(self) -> list[Played]:
        """The cards played this round, each with its seat."""
        return _plays_in(self.history)

    # Dealing

    def deal(self, order: list[int]) -> None:
        """Deal a round: three cards to the mano, three to the other, the muestra."""
        mano, self.muestra = self.mano, order[DEALT - 1]
        place = _PLACES[self.muestra].__getitem__
        own, other = order[:HAND], order[HAND : 2 * HAND]
        own.sort(key=place)
        other.sort(key=place)
        self.hands = [other, own] if mano else [own, other]
        self.phase = PLAYING
        self.led = NO_CARD
        self.results = ()
        self.stake = 1
        self.bid = 0
        self.raiser = NOBODY
        self.flors = NO_FLORS
        self.free = [EVERYTHING, EVERYTHING]
        self.history = []
        self.turn = self.to_play = mano
        if self.events is not None:
            self.events.append(Event("deal", mano, cards=(self.muestra,)))

    # Acting

    def legal(self) -> list[int]:
        seat = self.turn
        return _ALLOWED[self.phase][len(self.hands[seat])][self.free[seat]].copy()

    def apply(self, action: int) -> None:
        seat = self.turn
        hand = self.hands[seat]
        if self.phase == PLAYING and 0 <= action < len(hand):
            card = hand.pop(action)
            self.history.append((seat, PLAYED + card))
            if self.led == NO_CARD:
                self.led = card
                self.turn = self.to_play = 1 - seat
            else:
                self._end_trick(seat, card)
        elif action == RAISE and self.free[seat] & MAY_RAISE:
            self._raise(seat)
        elif self.phase == ANSWERING_TRUCO and action == ACCEPT:
            self.history.append((seat, ACCEPT))
            self.stake = self.bid
            self.bid = 0
            self.phase = PLAYING
            self.turn = self.to_play
        elif self.phase == ANSWERING_TRUCO and action == REJECT:
            self.history.append((seat, REJECT))
            self._score_round(1 - seat, "rejected")
        elif action == FLOR and self._flor_open(seat):
            self._call_flor(seat)
        else:
            raise IllegalAction(self._why_not(action))

    def _end_trick(self, seat: int, card: int) -> None:
        """The second card of a trick has been played."""
        led, other = self.led, 1 - seat
        self.led = NO_CARD
        values = VALUES[self.muestra]
        difference = values[led] - values[card]
        winner = other if difference > 0 else seat if difference < 0 else NOBODY
        self.results = results = (*self.results, winner)
        self.turn = self.to_play = seat if winner == seat else other
        if self.events is not None:
            self.events.append(Event("trick", winner, cards=(led, card)))
        decided = round_winner(results, self.mano)
        if decided != NOBODY:
            self._score_round(decided, "tricks")

    def _raise(self, seat: int) -> None:
        """Make a bid, or accept one by a higher bid."""
        self.history.append((seat, RAISE))
        self.stake = stake = self.bid or self.stake
        self.bid = bid = stake + 1
        self.raiser = seat
        self.phase = ANSWERING_TRUCO
        self.turn = other = 1 - seat
        free = self.free
        free[seat] -= MAY_RAISE
        if bid < HIGHEST_STAKE:
            free[other] |= MAY_RAISE

    def _call_flor(self, seat: int) -> None:
        """Call a flor, real or not. The turn stays."""
        self.history.append((seat, FLOR))
        flor = REAL if has_flor(self.hands[seat], self.muestra) else FALSE
        self.flors = (self.flors[0], flor) if seat else (flor, self.flors[1])
        self.free[seat] -= FLOR_UNCALLED

    def _flor_open(self, seat: int) -> bool:
        return len(self.hands[seat]) == HAND and self.free[seat] & FLOR_UNCALLED != 0

    def find_free(self) -> None:
        """Set `free` from the bids and the flors called so far."""
        if self.phase == FINISHED:
            self.free = [0, 0]
            return
        for seat in (0, 1):
            free = 0 if self.flors[seat] else FLOR_UNCALLED
            if self.raiser != seat and (self.bid or self.stake) < HIGHEST_STAKE:
                free |= MAY_RAISE
            self.free[seat] = free

    # Scoring

    def _score_round(self, winner: int, note: str) -> None:
        """Count the mano's flor, the other's flor and the round, until the match is won."""
        mano, stake, points, target = self.mano, self.stake, self.points, self.options.target
        mine, yours = points
        flors = NO_FLORS if self.flors == NO_FLORS else self._score_flors()
        counted = points[0] < target and points[1] < target
        if counted:
            points[winner] += stake
        self.last_points = (points[0] - mine, points[1] - yours)
        self.last_round = RoundSummary(
            winner,
            note,
            stake,
            mano,
            self.muestra,
            tuple(self.history),
            self.results,
            flors,
            counted,
        )
        if self.events is not None:
            self.events.append(Event("hand", winner, points=self.last_points, note=note))
        if points[0] >= target or points[1] >= target:
            self._finish_match()
            return
        self.hand_no += 1
        self.mano = 1 - mano
        if self.deals_on:
            order = shuffled(self.seed, self.tick, PACK.cards, DEALT)
            self.tick += 1
            self.deal(order)

    def _score_flors(self) -> tuple[int, int]:
        """Add the points of the flors; return the result of each seat's flor."""
        settled = [NOT_CALLED, NOT_CALLED]
        points, target = self.points, self.options.target
        for caller in (self.mano, 1 - self.mano):
            flor = self.flors[caller]
            if flor == NOT_CALLED:
                continue
            if points[0] >= target or points[1] >= target:
                settled[caller] = UNSETTLED
                continue
            settled[caller] = flor
            points[caller if flor == REAL else 1 - caller] += FLOR_POINTS
            if self.events is not None:
                note = "real" if flor == REAL else "false"
                self.events.append(Event("flor", caller, note=note))
        return settled[0], settled[1]

    def _finish_match(self) -> None:
        self.phase = FINISHED
        self.free = [0, 0]
        self.turn = OVER
        self.winners = (0 if self.points[0] > self.points[1] else 1,)
        if self.events is not None:
            self.events.append(Event("match", points=tuple(self.returns())))

    def _why_not(self, action: int) -> str:
        if self.turn == OVER:
            return "The match is over."
        if not 0 <= action < NUM_ACTIONS:
            return f"There is no action {action}; actions go from 0 to {NUM_ACTIONS - 1}."
        if action == FLOR:
            if self.flors[self.turn]:
                return "You have called your flor already."
            return "A flor has to be called before your first card."
        if self.phase == ANSWERING_TRUCO:
            if action == RAISE:
                return "Nothing stands above vale 4: accept or reject."
            return f"First answer the {BID_NAMES[self.bid]}: accept, reject or raise."
        if action == RAISE:
            if self.stake == HIGHEST_STAKE:
                return "Nothing stands above vale 4."
            return "You made the last raise; the next one is up to the other player."
        if action in (ACCEPT, REJECT):
            return "There is no bid to answer."
        return f"There is no card {action + 1} in this hand of {len(self.hands[self.turn])}."

    # Looking

    def scores(self) -> list[int]:
        return self.points[:]

    def label(self, action: int) -> str:
        return _label(action, () if self.turn == OVER else self.hands[self.turn])

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

    def view(self, seat: int) -> TrucoView:
        view = TrucoView(*SHARED.values(self))
        view.seat = seat
        view.scores = tuple(self.points)
        view.history = tuple(self.history)
        view.hand = tuple(self.hands[seat])
        view.hand_sizes = (len(self.hands[0]), len(self.hands[1]))
        view.tricks = _in_tricks(self.plays)
        view.flor_called = (self.flors[0] != NOT_CALLED, self.flors[1] != NOT_CALLED)
        view.flor_open = self._flor_open(seat)
        return view

    def numbers(self, seat: int) -> list[int]:
        first, second = self.hands
        hand = second if seat else first
        tricks = _NO_TRICKS.copy()
        at = 0
        for who, action in self.history:
            if action >= PLAYED:
                tricks[at // 2 * 2 + who] = action - PLAYED
                at += 1
        points, score = self.last_points, self.points
        return [
            self.turn,
            self.phase,
            self.mano,
            self.muestra,
            *hand,
            *_NO_CARDS[len(hand)],
            len(first),
            len(second),
            *tricks,
            *self.results,
            *_NO_CARDS[len(self.results)],
            self.stake,
            self.bid,
            self.raiser,
            self.to_play,
            int(self.flors[0] != NOT_CALLED),
            int(self.flors[1] != NOT_CALLED),
            int(self._flor_open(seat)),
            points[0],
            points[1],
            score[0],
            score[1],
        ]

    def clone(self) -> "TrucoState":
        copy = copy_match(self, TrucoState.__new__(TrucoState))
        copy.options = self.options
        copy.points = self.points[:]
        copy.phase = self.phase
        copy.mano = self.mano
        copy.muestra = self.muestra
        copy.hands = [self.hands[0][:], self.hands[1][:]]
        copy.led = self.led
        copy.results = self.results
        copy.stake = self.stake
        copy.bid = self.bid
        copy.raiser = self.raiser
        copy.to_play = self.to_play
        copy.flors = self.flors
        copy.free = self.free[:]
        copy.last_round = self.last_round
        return copy


class Truco(Game):
    name = "truco"
    title = "Truco Uruguayo"
    options = TrucoOptions
    num_actions = NUM_ACTIONS
    players = (2,)
    longest_history = 16
    history_actions = PLAYED + CARDS

    def new(
        self,
        seed: int = 0,
        deck: Sequence[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> State:
        chosen: TrucoOptions = self.make_options(options)
        if chosen.rules == FULL:
            full: Game = import_module("engine.games.truco_full").GAME
            return full.new(seed, deck, first, **options)
        self.check_first(first, len(SIDES))
        state = TrucoState(seed, SIDES, options=chosen)
        state.mano = draw(seed, 0, state.seats) if first is None else first
        state.tick = 2
        if deck is None:
            state.deal(shuffled(seed, 1, PACK.cards, DEALT))
        else:
            state.deal(PACK.stack(deck, shuffled(seed, 1, PACK.cards)))
        return state


GAME: Final = Truco()
