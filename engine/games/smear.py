"""Smear: two teams of two bet on low, high, jack and game."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.cards import SUIT_NAMES, cards_in, french, mask_of
from engine.chance import draw, shuffled
from engine.fields import (
    CardSet,
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
from engine.hidden import Hidden
from engine.tricks import NO_SUIT, TrumpLookup, follow_voids, shown_voids

PACK: Final = french(("2", "3", "4", "5", "9", "10", "J", "Q", "K", "A"))
MASKS: Final = PACK.masks
CARDS: Final = 40
RANKS: Final = 10
TEN, JACK, QUEEN, KING, ACE = range(5, 10)
ALL_CARDS: Final = (1 << CARDS) - 1
SEATS: Final = 4
HAND_SIZE: Final = 6
DEALT: Final = SEATS * HAND_SIZE
UNDEALT: Final = CARDS - DEALT
TARGET: Final = 11
MOST_HANDS: Final = 200
"""The match ends here, or players who bet blindly and sink ever deeper would never finish."""
MIN_BET: Final = 2
MAX_BET: Final = 4
REVOKE_PENALTY: Final = 4

# Actions: a card's own number plays it; BET plus the amount bets it.
PASS: Final = CARDS
BET: Final = 39
TRUMP: Final = 44
NUM_ACTIONS: Final = 48

OPEN_BETS: Final = [
    [PASS, *range(BET + max(bet + 1, MIN_BET), BET + MAX_BET + 1)] for bet in range(MAX_BET + 1)
]
"""For each bet so far (0: none) the actions that pass or bet more."""
FORCED_BET: Final = [BET + MIN_BET]
"""All that is left to a dealer when nobody has bet."""
NEXT_SEAT: Final = (1, 2, 3, 0)

LABELS: Final = tuple(
    [f"play {code}" for code in PACK.codes]
    + ["pass"]
    + [f"bet {amount}" for amount in range(MIN_BET, MAX_BET + 1)]
    + [f"trump {name}" for name in SUIT_NAMES]
)
ACTIONS: Final = {label.lower(): action for action, label in enumerate(LABELS)}

# Phases of a hand.
BETTING: Final = 0
NAMING: Final = 1
PLAYING: Final = 2
FINISHED: Final = 3
PHASES: Final = ("bet", "name trump", "play", "over")

NOBODY: Final = -1
NOT_YET: Final = -1
"""The bet of a seat that has not had its turn; a pass is 0."""
TEAMS: Final = ((0, 2), (1, 3))
FIRST_PLAY: Final = SEATS + 1
"""Where the history of a hand has its first card, after the bets and the naming of trump."""

# Columns of a hand without such cards, bets or voids.
NO_CARDS: Final = [NOBODY] * SEATS
NO_BETS: Final = [NOT_YET] * SEATS
NO_VOIDS: Final = [0] * SEATS

GAME_POINTS: Final = (0, 0, 0, 0, 0, 10, 1, 2, 3, 4)
"""For each rank what a card counts towards the point for game."""


def _all_of(rank: int) -> int:
    return mask_of(range(rank, CARDS, RANKS))


_TENS: Final = _all_of(TEN)
_JACKS: Final = _all_of(JACK)
_QUEENS: Final = _all_of(QUEEN)
_KINGS: Final = _all_of(KING)
_ACES: Final = _all_of(ACE)


def game_points(cards: int) -> int:
    """What a mask of cards counts towards the point for game."""
    return (
        10 * (cards & _TENS).bit_count()
        + 4 * (cards & _ACES).bit_count()
        + 3 * (cards & _KINGS).bit_count()
        + 2 * (cards & _QUEENS).bit_count()
        + (cards & _JACKS).bit_count()
    )


def _trump_lookup(trump: int) -> TrumpLookup:
    return TrumpLookup(PACK, trump, lambda card: card // RANKS, lambda card: card % RANKS)


TRUMP_LOOKUPS: Final = tuple([_trump_lookup(trump) for trump in range(4)])
"""For each trump suit: who follows what, and which card beats which."""
SUITS: Final = tuple(TRUMP_LOOKUPS[0].follow)
"""The cards of each suit."""


@dataclass(frozen=True)
class SmearOptions(Options):
    revoke: str = option(
        "forbid",
        "a card that breaks the follow rule: not possible, or costs four points",
        choices=("forbid", "penalty"),
    )


@dataclass(slots=True)
class HandResult:
    """How a hand was scored; for each point the side that got it, or `NOBODY`. Not to be changed.

    game_points   what each side took in towards game
    points        what each side's score changed by
    note          `made`, `set` or `revoke`
    revoker       the seat that broke the follow rule; then no point was counted
    """

    bettor: int
    bet: int
    trump: int
    low: int
    high: int
    jack: int
    game: int
    game_points: tuple[int, int]
    points: tuple[int, int]
    note: str
    revoker: int = NOBODY


@dataclass(slots=True)
class SmearView(View):
    """What a seat knows: masks of cards, `NOBODY` and `NO_SUIT` for what is not settled."""

    phase: int = field(metadata=holds(OneOf(PHASES)))
    dealer: int = field(metadata=holds(Seat()))
    bet: int = field(metadata=holds(Number(MAX_BET)))
    """The highest bet so far, 0 without one."""
    bettor: int = field(metadata=holds(Seat()))
    trump: int = field(metadata=holds(OneOf(SUIT_NAMES)))
    hand: int = field(init=False, metadata=holds(CardSet(PACK)))
    follows: int = field(init=False, metadata=holds(CardSet(PACK)))
    """The cards of the hand that keep to the follow rule in this trick."""
    hand_sizes: tuple[int, ...] = field(init=False, metadata=holds(PerSeat(Number(HAND_SIZE))))
    trick: tuple[Played, ...] = field(init=False, metadata=holds(Trick(PACK)))
    winner: int = field(init=False, metadata=holds(Seat()))
    """The seat that is winning the trick so far."""
    last_trick: tuple[Played, ...] = field(metadata=holds(Trick(PACK)))
    last_winner: int = field(metadata=holds(Seat()))
    """`NOBODY` before the first trick, and after a revoke ended the trick."""
    taken: tuple[int, ...] = field(metadata=holds(PerSide(CardSet(PACK))))
    """The cards each side took in."""
    played: int = field(init=False, metadata=holds(CardSet(PACK)))
    last_points: tuple[int, ...] = field(metadata=holds(PerSide(Number(MAX_BET, low=-MAX_BET))))
    last_hand: HandResult | None
    hidden: Hidden | None = field(default=None, init=False, compare=False, repr=False)
    known: "SmearState | None" = field(default=None, init=False, compare=False, repr=False)
    found_voids: tuple[int, ...] = field(default=(), init=False, compare=False, repr=False)

    @classmethod
    def also_shown(cls) -> dict[str, Kind]:
        return {
            "scores": PerSide(Number(TARGET - 1 + MAX_BET, low=-MAX_BET * MOST_HANDS)),
            "bets": PerSeat(Number(MAX_BET)),
            "voids": PerSeat(CardSet(PACK)),
        }

    @property
    def bets(self) -> tuple[int, ...]:
        """For each seat its bet, 0 for a pass, `NOT_YET` before its turn."""
        bets = [NOT_YET] * SEATS
        for seat, action in self.history[:SEATS]:
            bets[seat] = 0 if action == PASS else action - BET
        return tuple(bets)

    @property
    def voids(self) -> tuple[int, ...]:
        """For each seat a mask of the cards it has shown not to hold; none after the match,
        whose last card may have been a revoke."""
        if not self.found_voids:
            if self.phase == PLAYING:
                lookup, trump = TRUMP_LOOKUPS[self.trump], SUITS[self.trump]
                self.found_voids = shown_voids(self.history, SEATS, SEATS, lookup, trump)
            else:
                self.found_voids = (0,) * SEATS
        return self.found_voids

    def revokes(self, action: int) -> bool:
        """Whether playing that card would break the follow rule."""
        return action < CARDS and bool((self.hand & ~self.follows) >> action & 1)

    def label(self, action: int) -> str:
        return LABELS[action]

    def sample(self, rng: Random) -> "SmearState":
        if self.hidden is None or self.known is None:
            self.hidden, self.known = self._find_hidden(), self._known_state()
        places = [mask_of(cards) if cards else 0 for cards in self.hidden.deal(rng)]
        state = self.known.clone()
        state.seed = rng.getrandbits(63)
        state.hands = places[:SEATS]
        state.hands[self.seat] = self.hand
        state.undealt = places[SEATS]
        return state

    def _known_state(self) -> "SmearState":
        """The state as this seat knows it, without the hidden cards."""
        state = SmearState(0, **SHARED.named(self))
        state.history = list(self.history)
        state.points = (self.scores[0], self.scores[1])
        state.resume_trick(self.trick, self.winner)
        if self.turn == OVER:
            state.winners = state.decided()
        return state

    def _find_hidden(self) -> Hidden:
        """The unseen cards: in the others' hands, or never dealt."""
        room = [*self.hand_sizes, UNDEALT]
        room[self.seat] = 0
        anywhere = mask_of([place for place, cards in enumerate(room) if cards])
        allowed: dict[int, int] = {}
        for card in cards_in(ALL_CARDS & ~self.hand & ~self.played):
            places = anywhere
            for seat in range(SEATS):
                if self.voids[seat] >> card & 1:
                    places &= ~(1 << seat)
            allowed[card] = places
        return Hidden(allowed, room)


SHARED: Final = SharedFields(SmearView)


@dataclass(slots=True, eq=False, repr=False)
class SmearState(State):
    """A match of Smear. Hands and piles are masks of cards.

    follow   the cards that follow the lead
    honest   the cards that keep to the follow rule: those and trump
    voids    per seat the cards it has shown not to hold, from the first `voids_seen` cards played;
             brought up to date only for `numbers`
    """

    options: SmearOptions = field(kw_only=True)
    forbids_revoke: bool = True
    points: tuple[int, int] = (0, 0)
    phase: int = BETTING
    dealer: int = 0
    hands: list[int] = field(default_factory=list)
    undealt: int = 0
    bet: int = 0
    bettor: int = NOBODY
    trump: int = NO_SUIT
    taken: tuple[int, int] = (0, 0)
    trick_cards: int = 0
    in_trick: int = 0
    winner: int = NOBODY
    best: int = 0
    follow: int = ALL_CARDS
    honest: int = ALL_CARDS
    strength: list[int] = field(default_factory=list)
    last_trick: tuple[Played, ...] = ()
    last_winner: int = NOBODY
    last_hand: HandResult | None = None
    voids: list[int] = field(default_factory=lambda: [0] * SEATS, compare=False)
    voids_seen: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        State.__post_init__(self)
        self.forbids_revoke = self.options.revoke == "forbid"

    # Dealing

    def deal(self, order: list[int]) -> None:
        """Deal a hand: six each from the dealer's left; the rest stays unseen.

        order   the pack from the top, each card as a mask
        """
        hands = []
        for first in range(0, SEATS * HAND_SIZE, HAND_SIZE):
            one, two, three, four, five, six = order[first : first + HAND_SIZE]
            hands.append(one | two | three | four | five | six)
        # The first hand is for the dealer's left.
        self.hands = hands[-1 - self.dealer :] + hands[: -1 - self.dealer]
        self.undealt = ALL_CARDS ^ sum(hands)
        self.phase = BETTING
        self.bet = 0
        self.bettor = NOBODY
        self.trump = NO_SUIT
        self.taken = (0, 0)
        self.trick_cards = 0
        self.in_trick = 0
        self.follow = self.honest = ALL_CARDS
        self.voids_seen = 0
        self.history = []
        self.turn = (self.dealer + 1) % SEATS
        if self.events is not None:
            self.events.append(Event("deal", self.dealer))

    # Acting

    def legal(self) -> list[int]:
        phase = self.phase
        if phase == PLAYING:
            hand = self.hands[self.turn]
            if self.forbids_revoke and hand & self.follow:
                hand &= self.honest
            return cards_in(hand)
        if phase == BETTING:
            return self._open_bets().copy()
        if phase == NAMING:
            return [TRUMP, TRUMP + 1, TRUMP + 2, TRUMP + 3]
        return []

    def _open_bets(self) -> list[int]:
        """The actions of the seat to act while bets are made."""
        bet = self.bet
        return OPEN_BETS[bet] if bet or self.turn != self.dealer else FORCED_BET

    def _following(self, hand: int) -> int:
        """The cards of a hand that keep to the follow rule."""
        return hand & self.honest if hand & self.follow else hand

    def apply(self, action: int) -> None:
        if self.phase != PLAYING:
            self._before_play(action)
            return
        seat = self.turn
        hands = self.hands
        hand = hands[seat]
        card = MASKS[action] if 0 <= action < CARDS else 0
        if not hand & card:
            raise IllegalAction(self._why_not(action))
        in_trick = self.in_trick
        if in_trick:
            if not card & self.honest and hand & self.follow:
                if self.forbids_revoke:
                    raise IllegalAction(self._why_not(action))
                self._revoke(action)
                return
            strength = self.strength[action]
            if strength > self.best:
                self.best = strength
                self.winner = seat
        else:
            self.follow, self.strength, self.best = TRUMP_LOOKUPS[self.trump].leads[action]
            self.honest = self.follow | SUITS[self.trump]
            self.winner = seat
        hands[seat] = hand ^ card
        self.trick_cards |= card
        self.history.append((seat, action))
        if in_trick < SEATS - 1:
            self.in_trick = in_trick + 1
            self.turn = NEXT_SEAT[seat]
            return
        winner = self.winner
        even, odd = self.taken
        cards = self.trick_cards
        self.taken = (even, odd | cards) if winner & 1 else (even | cards, odd)
        self.trick_cards = 0
        self.last_trick = tuple(self.history[-SEATS:])
        self.last_winner = winner
        self.in_trick = 0
        self.follow = self.honest = ALL_CARDS
        self.turn = winner
        if self.events is not None:
            played = tuple([card for _, card in self.last_trick])
            self.events.append(Event("trick", winner, cards=played))
        if not hands[winner]:
            self._score_hand()

    def _before_play(self, action: int) -> None:
        """Bets and the name of trump."""
        seat = self.turn
        if self.phase == NAMING:
            if not TRUMP <= action < NUM_ACTIONS:
                raise IllegalAction(self._why_not(action))
            self.history.append((seat, action))
            self.trump = action - TRUMP
            self.phase = PLAYING
            return
        if self.phase == FINISHED or action not in self._open_bets():
            raise IllegalAction(self._why_not(action))
        self.history.append((seat, action))
        if action != PASS:
            self.bet = action - BET
            self.bettor = seat
        if seat == self.dealer:
            self.phase = NAMING
            self.turn = self.bettor
        else:
            self.turn = NEXT_SEAT[seat]

    def _revoke(self, card: int) -> None:
        """The follow rule was broken: the penalty, and nobody scores for the hand."""
        seat = self.turn
        self.hands[seat] ^= 1 << card
        self.trick_cards |= 1 << card
        self.history.append((seat, card))
        self.in_trick += 1
        self.last_trick = tuple(self.history[-self.in_trick :])
        self.last_winner = NOBODY
        if self.events is not None:
            self.events.append(Event("revoke", seat, cards=(card,)))
        points = (-REVOKE_PENALTY, 0) if seat % 2 == 0 else (0, -REVOKE_PENALTY)
        taken = (game_points(self.taken[0]), game_points(self.taken[1]))
        self._finish_hand(
            HandResult(
                self.bettor, self.bet, self.trump,
                NOBODY, NOBODY, NOBODY, NOBODY, taken, points, "revoke", seat,
            )
        )  # fmt: skip

    def _score_hand(self) -> None:
        low = high = jack = game = NOBODY
        trumps = SUITS[self.trump] & (self.taken[0] | self.taken[1])
        if trumps:
            lowest = (trumps & -trumps).bit_length() - 1
            highest = trumps.bit_length() - 1
            for seat, action in self.history:
                if action == lowest:
                    low = seat % 2
                if action == highest:
                    high = seat % 2
        jack_of_trump = 1 << (self.trump * RANKS + JACK)
        if trumps & jack_of_trump:
            jack = 0 if self.taken[0] & jack_of_trump else 1
        taken = (game_points(self.taken[0]), game_points(self.taken[1]))
        if taken[0] != taken[1]:
            game = 0 if taken[0] > taken[1] else 1
        points = [0, 0]
        for side in (low, high, jack, game):
            if side != NOBODY:
                points[side] += 1
        betting_side = self.bettor % 2
        note = "made"
        if points[betting_side] < self.bet:
            points[betting_side] = -self.bet
            note = "set"
        self._finish_hand(
            HandResult(
                self.bettor, self.bet, self.trump,
                low, high, jack, game, taken, (points[0], points[1]), note,
            )
        )  # fmt: skip

    def _finish_hand(self, result: HandResult) -> None:
        """Enter the points; end the match, or pass the deal on."""
        points = result.points
        self.last_hand = result
        self.last_points = points
        self.points = (self.points[0] + points[0], self.points[1] + points[1])
        if self.events is not None:
            self.events.append(Event("hand", self.bettor, points=points, note=result.note))
        winners = self.decided()
        if winners:
            self.phase = FINISHED
            self.turn = OVER
            self.winners = winners
            if self.events is not None:
                shares = [1 / len(winners) if side in winners else 0.0 for side in (0, 1)]
                self.events.append(Event("match", points=tuple(shares)))
            return
        self.hand_no += 1
        self.dealer = (self.dealer + 1) % SEATS
        if self.deals_on:
            order = shuffled(self.seed, self.tick, MASKS, DEALT)
            self.tick += 1
            self.deal(order)

    def decided(self) -> tuple[int, ...]:
        """The side that has won the match, both after a draw, none while it goes on."""
        betting_side = self.bettor % 2
        for side in (betting_side, 1 - betting_side):
            if self.points[side] >= TARGET:
                return (side,)
        if self.hand_no < MOST_HANDS:
            return ()
        best = max(self.points)
        return tuple([side for side in (0, 1) if self.points[side] == best])

    def _why_not(self, action: int) -> str:
        if self.turn == OVER:
            return "The match is over."
        if not 0 <= action < NUM_ACTIONS:
            return f"There is no action {action}; actions go from 0 to {NUM_ACTIONS - 1}."
        if action < CARDS:
            if self.phase != PLAYING:
                return "No card may be played yet: trump has not been named."
            if not self.hands[self.turn] >> action & 1:
                return f"{PACK.codes[action]} is not in this hand."
            led = SUIT_NAMES[self.history[-self.in_trick][1] // RANKS]
            if self.follow == self.honest:
                return f"Trump was led: play one of your {led}."
            trump = SUIT_NAMES[self.trump]
            return f"{led.capitalize()} were led: play one of your {led}, or trump with {trump}."
        if self.phase == BETTING and action == PASS:
            return f"Nobody has bet: the dealer is screwed and has to bet {MIN_BET}."
        if self.phase == BETTING and action < TRUMP:
            if self.bet:
                return f"A bet has to be higher than the {self.bet} bet so far."
            return f"Nobody has bet: the dealer is screwed and bets exactly {MIN_BET}."
        if self.phase == BETTING:
            return "Trump is named after the betting."
        return f"'{LABELS[action]}' is not possible now."

    # Looking

    def scores(self) -> list[int]:
        return list(self.points)

    def label(self, action: int) -> str:
        return LABELS[action]

    def parse(self, text: str) -> int:
        action = ACTIONS.get(" ".join(text.lower().split()))
        if action is None:
            legal = ", ".join([LABELS[action] for action in self.legal()])
            raise ValueError(f"{text!r} is not an action of Smear; now possible: {legal}.")
        return action

    def view(self, seat: int) -> SmearView:
        trick = tuple(self.history[-self.in_trick :]) if self.in_trick else ()
        view = SmearView(*SHARED.values(self))
        view.seat = seat
        view.scores = self.points
        view.history = tuple(self.history)
        view.hand = self.hands[seat]
        view.follows = self._following(view.hand)
        view.hand_sizes = tuple([hand.bit_count() for hand in self.hands])
        view.trick = trick
        view.winner = self.winner if trick else NOBODY
        view.played = self.taken[0] | self.taken[1] | self.trick_cards
        return view

    def numbers(self, seat: int) -> list[int]:
        hands, history, in_trick = self.hands, self.history, self.in_trick
        trick = NO_CARDS.copy()
        if in_trick:
            for who, card in history[-in_trick:]:
                trick[who] = card
        last_trick = NO_CARDS.copy()
        for who, card in self.last_trick:
            last_trick[who] = card
        bets = NO_BETS.copy()
        for who, action in history[:SEATS]:
            bets[who] = 0 if action == PASS else action - BET
        voids = self._shown_voids() if self.phase == PLAYING else NO_VOIDS
        if self.phase == PLAYING:
            # Compiled, this is faster than counting the bits of the hands.
            left = HAND_SIZE - (len(history) - FIRST_PLAY) // SEATS
            sizes = [left if card == NOBODY else left - 1 for card in trick]
        else:
            sizes = [each.bit_count() for each in hands]
        hand = hands[seat]
        ours, theirs = self.taken
        points, score = self.last_points, self.points
        return [
            self.turn,
            self.phase,
            self.dealer,
            self.bet,
            self.bettor,
            self.trump,
            hand,
            self._following(hand),
            *sizes,
            *trick,
            self.winner if in_trick else NOBODY,
            *last_trick,
            self.last_winner,
            ours,
            theirs,
            ours | theirs | self.trick_cards,
            points[0],
            points[1],
            score[0],
            score[1],
            *bets,
            *voids,
        ]

    def _shown_voids(self) -> list[int]:
        seen, played = self.voids_seen, len(self.history) - FIRST_PLAY
        if not seen:
            self.voids = NO_VOIDS.copy()
        if played > seen:
            lookup, trump = TRUMP_LOOKUPS[self.trump], SUITS[self.trump]
            follow_voids(self.voids, self.history, FIRST_PLAY, seen, SEATS, lookup, trump)
            self.voids_seen = played
        return self.voids

    def resume_trick(self, trick: Sequence[Played], winner: int) -> None:
        """Set what follows from the cards on the table (for a sampled state)."""
        if trick:
            self.in_trick = len(trick)
            self.trick_cards = mask_of([card for _, card in trick])
            self.follow, self.strength, _ = TRUMP_LOOKUPS[self.trump].leads[trick[0][1]]
            self.honest = self.follow | SUITS[self.trump]
            self.best = max([self.strength[card] for _, card in trick])
            self.winner = winner

    def clone(self) -> "SmearState":
        copy = copy_match(self, SmearState.__new__(SmearState))
        copy.options = self.options
        copy.forbids_revoke = self.forbids_revoke
        copy.points = self.points
        copy.phase = self.phase
        copy.dealer = self.dealer
        copy.hands = self.hands[:]
        copy.undealt = self.undealt
        copy.bet = self.bet
        copy.bettor = self.bettor
        copy.trump = self.trump
        copy.taken = self.taken
        copy.trick_cards = self.trick_cards
        copy.in_trick = self.in_trick
        copy.winner = self.winner
        copy.best = self.best
        copy.follow = self.follow
        copy.honest = self.honest
        copy.strength = self.strength
        copy.last_trick = self.last_trick
        copy.last_winner = self.last_winner
        copy.last_hand = self.last_hand
        copy.voids = []
        copy.voids_seen = 0
        return copy


NEW_MATCHES: Final = {
    revoke: SmearState(0, TEAMS, options=SmearOptions(revoke=revoke))
    for revoke in ("forbid", "penalty")
}
"""For each way to treat a revoke a match before its first deal, to be cloned."""


class Smear(Game):
    name = "smear"
    title = "Smear"
    options = SmearOptions
    num_actions = NUM_ACTIONS
    players = (SEATS,)
    longest_history = SEATS + 1 + DEALT

    def new(
        self,
        seed: int = 0,
        deck: Sequence[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> SmearState:
        chosen: SmearOptions = self.make_options(options)
        self.check_first(first, SEATS)
        state = NEW_MATCHES[chosen.revoke].clone()
        state.seed = seed
        state.dealer = draw(seed, 0, SEATS) if first is None else first
        if deck is None:
            order = shuffled(seed, 1, MASKS, DEALT)
        else:
            order = [1 << card for card in PACK.stack(deck, shuffled(seed, 1, PACK.cards))]
        state.tick = 2
        state.deal(order)
        return state


GAME: Final = Smear()
