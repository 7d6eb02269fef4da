"""Truco Uruguayo for two: three cards each, a muestra, bids on the round, and flor."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from engine.cards import SPANISH_SUITS, spanish
from engine.chance import draw, shuffled, top_cards
from engine.fields import (
    Card,
    Flag,
    Kind,
    Number,
    OneOf,
    PerSeat,
    PerSide,
    Plays,
    Seat,
    Several,
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
    State,
    View,
    copy_match,
    option,
    pairs,
)

PACK: Final = spanish()
CARDS: Final = 40
RANKS: Final = 10
HAND: Final = 3
DEALT: Final = 2 * HAND + 1
NUMBERS: Final = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
REY: Final = 12
SIDES: Final = ((0,), (1,))
NOBODY: Final = -1
"""Who took a tied trick, who made no raise yet, who has won an open round."""
NO_CARD: Final = -1
"""The card led while none is."""

# Actions. 0 to 2 play the card at that place of the hand.
RAISE: Final = 3
ACCEPT: Final = 4
REJECT: Final = 5
FLOR: Final = 6
NUM_ACTIONS: Final = 7
PLAYED: Final = 7
"""A place says nothing once the hand has closed up, so a history records a play as
PLAYED + card; such a number has a label but cannot be applied."""

PAIRS: Final = pairs(2, PLAYED + CARDS)

WORDS: Final = {RAISE: "raise", ACCEPT: "accept", REJECT: "reject", FLOR: "flor"}
ACTIONS: Final = {word: action for action, word in WORDS.items()}

# Phases. On a turn a card is played, perhaps after a bid; a bid opens a phase of its own
# that ends by giving the turn back to the seat that still has to play (`to_play`).
PLAYING: Final = 0
ANSWERING_TRUCO: Final = 1
FINISHED: Final = 2
PHASES: Final = ("play", "answer a bid", "over")

BID_NAMES: Final = {2: "truco", 3: "retruco", 4: "vale 4"}
"""The truco bids by what they make the round worth; refused, it is worth one less."""
HIGHEST_STAKE: Final = 4

# What became of a seat's flor in a finished round.
NOT_CALLED: Final = 0
REAL: Final = 1
FALSE: Final = 2
UNSETTLED: Final = 3
FLOR_POINTS: Final = 3
MOST_POINTS: Final = 2 * FLOR_POINTS + HIGHEST_STAKE
"""The most points one player can get from one round."""
_NO_FLORS: Final = (NOT_CALLED, NOT_CALLED)

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


def _in_order(one: int, two: int, three: int, muestra: int) -> list[int]:
    """Three cards as a hand; so few are sorted by hand in a third of the time."""
    places = _PLACES[muestra]
    first, second, third = places[one], places[two], places[three]
    if first < second:
        if second < third:
            return [one, two, three]
        return [one, three, two] if first < third else [three, one, two]
    if first < third:
        return [two, one, three]
    return [two, three, one] if second < third else [three, two, one]


_PLAIN_WEIGHTS: Final = (1, 4, 16, 64)
"""Three cards weigh so that their sum tells how many there are of each suit, and of piezas."""
_PIEZA_WEIGHT: Final = 256

_WEIGHTS: Final = [
    [
        _PLAIN_WEIGHTS[card // RANKS] if row[card] < LOWEST_PIEZA else _PIEZA_WEIGHT
        for card in range(CARDS)
    ]
    for row in VALUES
]

_FLORS: Final = frozenset(
    [3 * suit for suit in _PLAIN_WEIGHTS]
    + [2 * suit + _PIEZA_WEIGHT for suit in _PLAIN_WEIGHTS]
    + [suit + 2 * _PIEZA_WEIGHT for suit in _PLAIN_WEIGHTS]
    + [3 * _PIEZA_WEIGHT]
)
"""The weights of a flor: three of a suit, a pieza with two of a suit, two piezas or three."""


def has_flor(cards: Sequence[int], muestra: int) -> bool:
    """Whether three cards make a flor under this muestra."""
    weights = _WEIGHTS[muestra]
    one, two, three = cards
    return weights[one] + weights[two] + weights[three] in _FLORS


def round_winner(results: Sequence[int], mano: int) -> int:
    """Who has won a round whose tricks went so far to these seats; NOBODY: still open."""
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


_AFTER_TWO: Final = [
    [round_winner((first, second), 0) for second in (0, 1, NOBODY)] for first in (0, 1, NOBODY)
]
"""Who has won a round by who took its two first tricks, whoever is mano; NOBODY, -1, stands
last of three."""


FLOR_UNCALLED: Final = 1
MAY_RAISE: Final = 2
EVERYTHING: Final = 3
"""Bits of what a seat is free to do besides playing a card or answering a bid."""


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
"""The legal actions by phase, cards in hand and what the seat is free to do."""


def _plays_in(history: Sequence[Played]) -> list[Played]:
    """The cards played among the actions of a round, each with who played it."""
    return [PAIRS[seat][action - PLAYED] for seat, action in history if action >= PLAYED]


def _in_tricks(plays: Sequence[Played]) -> tuple[tuple[Played, ...], ...]:
    return tuple([tuple(plays[at : at + 2]) for at in range(0, len(plays), 2)])


class Score(NamedTuple):
    """One step of the scoring of a round: what for (`flor`, `false flor`, `round`), to whom."""

    reason: str
    seat: int
    points: int


_ROUND_SCORES: Final = tuple(
    [[(Score("round", seat, stake),) for stake in range(HIGHEST_STAKE + 1)] for seat in (0, 1)]
)
"""For each winner and stake the one step that scores the round itself."""

_FLOR_SCORES: Final = (
    (Score("flor", 0, FLOR_POINTS), Score("flor", 1, FLOR_POINTS)),
    (Score("false flor", 1, FLOR_POINTS), Score("false flor", 0, FLOR_POINTS)),
)
"""For real and for false flors, by who called: the step that scores it."""


class RoundSummary(NamedTuple):
    """A finished round, all of it public.

    note    `tricks`, or `rejected` when a refused bid ended it
    stake   what the round itself was worth
    flors   per seat NOT_CALLED, REAL, FALSE, or UNSETTLED: the match was over before
    steps   the points in the order they were added; none are added after the match is won
    """

    winner: int
    note: str
    stake: int
    mano: int
    muestra: int
    plays: tuple[Played, ...]
    results: tuple[int, ...]
    flors: tuple[int, int]
    steps: tuple[Score, ...]

    def tricks(self) -> tuple[tuple[Played, ...], ...]:
        """The cards of each trick in the order played."""
        return _in_tricks(self.plays)


_Ended = tuple[
    int,
    str,
    int,
    int,
    int,
    list[Played],
    list[int],
    tuple[int, int],
    tuple[Score, ...],
]
"""What a RoundSummary is made of, with the history of the round for its plays."""


@dataclass(frozen=True)
class TrucoOptions(Options):
    target: int = option(40, "points that win the match", low=1)

    @property
    def highest_score(self) -> int:
        """The highest score a match can end with."""
        return self.target - 1 + HIGHEST_STAKE


@dataclass(slots=True)
class TrucoView(View):
    """What a seat knows; NOBODY for what is not settled."""

    phase: int = field(metadata=holds(OneOf(PHASES)))
    mano: int = field(metadata=holds(Seat()))
    muestra: int = field(metadata=holds(Card(PACK)))
    hand: tuple[int, ...] = field(metadata=holds(Several(Card(PACK), HAND)))
    """Sorted by strength, then suit: action 0 plays the first card, and so on."""
    hand_sizes: tuple[int, ...] = field(metadata=holds(PerSeat(Number(HAND))))
    tricks: tuple[tuple[Played, ...], ...] = field(metadata=holds(Several(Plays(PACK), HAND)))
    """The cards of each trick in the order played; the last may be unfinished."""
    results: tuple[int, ...] = field(metadata=holds(Several(Seat(), HAND)))
    """Who took each finished trick."""
    stake: int = field(metadata=holds(Number(HIGHEST_STAKE, low=1)))
    """What the round is worth by what has been accepted."""
    bid: int = field(metadata=holds(Number(HIGHEST_STAKE)))
    """What the round would be worth by the bid that waits for an answer; 0: none does."""
    raiser: int = field(metadata=holds(Seat()))
    """Who made the last raise."""
    to_play: int = field(metadata=holds(Seat()))
    """Who plays the next card, once any bid has been answered."""
    flor_called: tuple[bool, ...] = field(metadata=holds(PerSeat(Flag())))
    flor_open: bool = field(metadata=holds(Flag()))
    """This seat could still call a flor on a turn of its own."""
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
        """The cards this seat has not seen: the other's hand and the undealt ones."""
        seen = {*self.hand, self.muestra, *self.played_by(0), *self.played_by(1)}
        return [card for card in range(CARDS) if card not in seen]

    def sample(self, rng: Random) -> "TrucoState":
        other = 1 - self.seat
        assert isinstance(self.options, TrucoOptions)
        state = TrucoState(rng.getrandbits(63), self.options)
        state.turn = self.turn
        state.hand_no = self.hand_no
        state.history = list(self.history)
        state.last_points = self.last_points
        state.points = list(self.scores)
        state.phase = self.phase
        if self.phase == FINISHED:
            state.winners = (0 if self.scores[0] >= self.target() else 1,)
        state.mano = self.mano
        state.muestra = self.muestra
        if self.tricks and len(self.tricks) > len(self.results):
            state.led = self.tricks[-1][0][1]
        state.results = list(self.results)
        state.stake = self.stake
        state.bid = self.bid
        state.raiser = self.raiser
        state.to_play = self.to_play
        state.ended = self.last_round
        state.hands[self.seat] = list(self.hand)
        state.hands[other] = self._deal_other(rng)
        for seat in (0, 1):
            if self.flor_called[seat]:
                cards = state.hands[seat] + self.played_by(seat)
                state.flors[seat] = REAL if has_flor(cards, self.muestra) else FALSE
        state.find_free()
        return state

    def _deal_other(self, rng: Random) -> list[int]:
        """The other's cards at random. A call proves nothing while the round runs; only
        after the last round of a match it is known whether the flor was real."""
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


class TrucoState(State):
    """A match of Truco. Hands are sorted lists; a flor is judged when it is called."""

    __slots__ = (
        "bid",
        "ended",
        "flors",
        "free",
        "hands",
        "led",
        "mano",
        "muestra",
        "options",
        "phase",
        "points",
        "raiser",
        "results",
        "stake",
        "to_play",
    )

    def __init__(self, seed: int, options: TrucoOptions) -> None:
        super().__init__(seed, SIDES)
        self.options: TrucoOptions = options
        self.points: list[int] = [0, 0]
        self.phase: int = PLAYING
        self.mano: int = 0
        self.muestra: int = 0
        self.hands: list[list[int]] = [[], []]
        self.led: int = NO_CARD
        self.results: list[int] = []
        self.stake: int = 1
        self.bid: int = 0
        self.raiser: int = NOBODY
        self.to_play: int = 0
        self.flors: list[int] = [NOT_CALLED, NOT_CALLED]
        self.free: list[int] = [EVERYTHING, EVERYTHING]
        self.ended: _Ended | RoundSummary | None = None

    @property
    def plays(self) -> list[Played]:
        """The cards played this round, each with who played it."""
        return _plays_in(self.history)

    @property
    def last_round(self) -> RoundSummary | None:
        """The last finished round; it is put into words for those who look only, and once."""
        ended = self.ended
        if ended is None or isinstance(ended, RoundSummary):
            return ended
        winner, note, stake, mano, muestra, history, results, flors, steps = ended
        plays = tuple(_plays_in(history))
        self.ended = summary = RoundSummary(
            winner, note, stake, mano, muestra, plays, tuple(results), flors, steps
        )
        return summary

    # Dealing

    def deal(self, order: list[int]) -> None:
        """Deal a round: three cards to the mano, three to the other, the muestra."""
        mano = self.mano
        one, two, three, four, five, six, muestra = order[:DEALT]
        self.muestra = muestra
        self.hands[mano] = _in_order(one, two, three, muestra)
        self.hands[1 - mano] = _in_order(four, five, six, muestra)
        self.phase = PLAYING
        self.led = NO_CARD
        self.results = []
        self.stake = 1
        self.bid = 0
        self.raiser = NOBODY
        self.flors = [NOT_CALLED, NOT_CALLED]
        self.free = [EVERYTHING, EVERYTHING]
        self.history = []
        self.turn = self.to_play = mano
        if self.events is not None:
            self.events.append(Event("deal", mano, cards=(muestra,)))

    # Acting

    def legal(self) -> list[int]:
        seat = self.turn
        return _ALLOWED[self.phase][len(self.hands[seat])][self.free[seat]].copy()

    def apply(self, action: int) -> None:
        seat, phase = self.turn, self.phase
        if phase == PLAYING:
            if 0 <= action < RAISE:
                try:
                    card = self.hands[seat].pop(action)
                except IndexError:
                    raise IllegalAction(self._why_not(action)) from None
                self.history.append(PAIRS[seat][PLAYED + card])
                if self.led == NO_CARD:
                    self.led = card
                    self.turn = self.to_play = 1 - seat
                else:
                    self._end_trick(seat, card)
                return
        elif phase == ANSWERING_TRUCO:
            if action == ACCEPT:
                self.history.append(PAIRS[seat][ACCEPT])
                self.stake = self.bid
                self.bid = 0
                self.phase = PLAYING
                self.turn = self.to_play
                return
            if action == REJECT:
                self.history.append(PAIRS[seat][REJECT])
                self._score_round(1 - seat, "rejected")
                return
        if action == RAISE and self.free[seat] & MAY_RAISE:
            # A bid, or a higher one that answers a bid and accepts it.
            self.history.append(PAIRS[seat][RAISE])
            if phase == ANSWERING_TRUCO:
                self.stake = self.bid
            self.bid = bid = self.stake + 1
            self.raiser = seat
            self.turn = other = 1 - seat
            self.phase = ANSWERING_TRUCO
            free = self.free
            free[seat] &= FLOR_UNCALLED
            if bid < HIGHEST_STAKE:
                free[other] |= MAY_RAISE
        elif action == FLOR and self._flor_open(seat):
            self.history.append(PAIRS[seat][FLOR])
            self.flors[seat] = REAL if has_flor(self.hands[seat], self.muestra) else FALSE
            self.free[seat] ^= FLOR_UNCALLED
        else:
            raise IllegalAction(self._why_not(action))

    def _flor_open(self, seat: int) -> bool:
        return len(self.hands[seat]) == HAND and self.free[seat] & FLOR_UNCALLED != 0

    def find_free(self) -> None:
        """What each seat is free to do, from the bids and the flors called so far."""
        if self.phase == FINISHED:
            self.free = [0, 0]
            return
        for seat in (0, 1):
            free = 0 if self.flors[seat] else FLOR_UNCALLED
            if self.raiser != seat and (self.bid or self.stake) < HIGHEST_STAKE:
                free += MAY_RAISE
            self.free[seat] = free

    def _end_trick(self, seat: int, card: int) -> None:
        """The seat's card has answered the one led."""
        led, values = self.led, VALUES[self.muestra]
        self.led = NO_CARD
        difference = values[led] - values[card]
        leader = 1 - seat
        winner = leader if difference > 0 else seat if difference < 0 else NOBODY
        results = self.results
        results.append(winner)
        if self.events is not None:
            self.events.append(Event("trick", winner, cards=(led, card)))
        self.turn = self.to_play = seat if difference < 0 else leader
        tricks = len(results)
        if tricks > 1:
            if tricks == 2:
                decided = _AFTER_TWO[results[0]][winner]
            else:
                decided = round_winner(results, self.mano)
            if decided != NOBODY:
                self._score_round(decided, "tricks")

    # Scoring

    def _score_round(self, winner: int, note: str) -> None:
        """Mano's flor, the other's flor, the round, until somebody has won the match."""
        mano, stake, points, flors = self.mano, self.stake, self.points, self.flors
        target = self.options.target
        if flors[0] or flors[1]:
            mine, yours = points
            settled, steps = self._score_flors()
            if points[0] < target and points[1] < target:
                steps += _ROUND_SCORES[winner][stake]
                points[winner] += stake
            self.last_points = (points[0] - mine, points[1] - yours)
        else:
            settled, steps = _NO_FLORS, _ROUND_SCORES[winner][stake]
            points[winner] += stake
            self.last_points = (0, stake) if winner else (stake, 0)
        self.ended = (
            winner,
            note,
            stake,
            mano,
            self.muestra,
            self.history,
            self.results,
            settled,
            steps,
        )
        if self.events is not None:
            self.events.append(Event("hand", winner, points=self.last_points, note=note))
        if points[0] >= target or points[1] >= target:
            self._finish_match()
            return
        self.hand_no += 1
        self.mano = 1 - mano
        if self.deals_on:
            order = top_cards(self.seed, self.tick, CARDS, DEALT)
            self.tick += 1
            self.deal(order)

    def _score_flors(self) -> tuple[tuple[int, int], tuple[Score, ...]]:
        """Add the flors' points; what is known of each seat's flor from now on, and the steps."""
        settled = [NOT_CALLED, NOT_CALLED]
        steps: list[Score] = []
        points, target = self.points, self.options.target
        for caller in (self.mano, 1 - self.mano):
            flor = self.flors[caller]
            if flor == NOT_CALLED:
                continue
            if points[0] >= target or points[1] >= target:
                settled[caller] = UNSETTLED
                continue
            settled[caller] = flor
            step = _FLOR_SCORES[flor - REAL][caller]
            steps.append(step)
            points[step.seat] += FLOR_POINTS
            if self.events is not None:
                note = "real" if flor == REAL else "false"
                self.events.append(Event("flor", caller, note=note))
        return (settled[0], settled[1]), tuple(steps)

    def _finish_match(self) -> None:
        self.phase = FINISHED
        self.free = [0, 0]
        self.turn = OVER
        self.winners = (0 if self.points[0] > self.points[1] else 1,)
        if self.events is not None:
            shares = (1.0, 0.0) if self.winners == (0,) else (0.0, 1.0)
            self.events.append(Event("match", points=shares))

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
        view = TrucoView(
            self.options,
            self.sides,
            self.hand_no,
            self.turn,
            self.phase,
            self.mano,
            self.muestra,
            tuple(self.hands[seat]),
            (len(self.hands[0]), len(self.hands[1])),
            _in_tricks(self.plays),
            tuple(self.results),
            self.stake,
            self.bid,
            self.raiser,
            self.to_play,
            (self.flors[0] != NOT_CALLED, self.flors[1] != NOT_CALLED),
            self._flor_open(seat),
            self.last_points,
            self.last_round,
        )
        view.seat = seat
        view.scores = tuple(self.points)
        view.history = tuple(self.history)
        return view

    def clone(self) -> "TrucoState":
        copy = copy_match(self, TrucoState(self.seed, self.options))
        copy.points = self.points[:]
        copy.phase = self.phase
        copy.mano = self.mano
        copy.muestra = self.muestra
        copy.hands = [self.hands[0][:], self.hands[1][:]]
        copy.led = self.led
        copy.results = self.results[:]
        copy.stake = self.stake
        copy.bid = self.bid
        copy.raiser = self.raiser
        copy.to_play = self.to_play
        copy.flors = self.flors[:]
        copy.free = self.free[:]
        copy.ended = self.ended
        return copy


class Truco(Game):
    name = "truco"
    title = "Truco Uruguayo"
    options = TrucoOptions
    num_actions = NUM_ACTIONS
    players = (2,)

    def new(
        self,
        seed: int = 0,
        deck: Sequence[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> TrucoState:
        chosen: TrucoOptions = self.make_options(options)
        self.check_first(first, len(SIDES))
        state = TrucoState(seed, chosen)
        state.mano = draw(seed, 0, state.seats) if first is None else first
        state.tick = 2
        if deck is None:
            state.deal(top_cards(seed, 1, CARDS, DEALT))
        else:
            state.deal(PACK.stack(deck, shuffled(seed, 1, CARDS)))
        return state


GAME: Final = Truco()
