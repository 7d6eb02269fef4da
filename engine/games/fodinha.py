"""Fodinha: Oh Hell with lives. Say how many tricks you will win; every one off costs a life.

A hand of the contract is a round here: a power card, the calls and `size` tricks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.cards import french
from engine.chance import draw, shuffled
from engine.fields import (
    CardSet,
    Count,
    Flag,
    Kind,
    Number,
    OneOf,
    PerSeat,
    PerSide,
    Plays,
    Seat,
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

RANK_NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PACK: Final = french(RANK_NAMES)
CARDS: Final = 52
RANKS: Final = 13
LARGEST_ROUND: Final = 25
"""Two players, thirteen ranks, one try."""

# Actions: a card's own number plays it.
PLAY_HIDDEN: Final = CARDS
APPROVE: Final = 53
REJECT: Final = 54
CALL: Final = 55
NUM_ACTIONS: Final = CALL + LARGEST_ROUND + 1

SEATS: Final = 10
"""The seats of the largest table."""

PAIRS: Final = pairs(SEATS, NUM_ACTIONS)

LABELS: Final = tuple(
    [f"play {code}" for code in PACK.codes]
    + ["play hidden", "approve", "reject"]
    + [f"call {wins}" for wins in range(LARGEST_ROUND + 1)]
)
ACTIONS: Final = {label.lower(): action for action, label in enumerate(LABELS)}

# Phases of a round.
TURNING: Final = 0
CALLING: Final = 1
PLAYING: Final = 2
FINISHED: Final = 3
PHASES: Final = ("approve or reject the power card", "call", "play", "over")

NOBODY: Final = -1
NO_CALL: Final = -1

POWER_SUITS: Final = (3, 2, 0, 1)
"""For each suit its place among power cards: spades > hearts > clubs > diamonds."""


def _strengths(power: int) -> list[int]:
    """The strength of each card: its rank, above all ranks for the power cards.

    Two cards of one strength cancel; power cards differ in strength, so they never do.
    """
    return [
        RANKS + POWER_SUITS[card // RANKS] if card % RANKS == power else card % RANKS
        for card in range(CARDS)
    ]


STRENGTH: Final = tuple([_strengths(power) for power in range(RANKS)])
"""For each power rank the strength of each card."""

CALLS: Final = tuple([list(range(CALL, CALL + size + 1)) for size in range(LARGEST_ROUND + 1)])
"""For each round size all calls."""

# What a state may have as `allowed`, besides the hands and what is left to the dealer to call.
TO_TURN: Final = [[APPROVE, REJECT]] * SEATS
TO_CALL: Final = tuple([[calls] * SEATS for calls in CALLS])
TO_PLAY_HIDDEN: Final = [[PLAY_HIDDEN]] * SEATS
TO_REST: Final[list[list[int]]] = [[]] * SEATS

DECKS: Final = tuple(
    [[card for card in range(CARDS) if card % RANKS < ranks] for ranks in range(RANKS + 1)]
)
"""For each number of ranks in use the cards in play."""

PACKS: Final = tuple([bytes(deck) for deck in DECKS])
"""The decks as `shuffled` takes them."""

POWERS: Final = tuple(
    [[(card % RANKS + 1) % max(ranks, 1) for card in range(CARDS)] for ranks in range(RANKS + 1)]
)
"""For each number of ranks in use the power rank by the card turned: the next one."""

SIDES: Final = tuple([tuple([(seat,) for seat in range(seats)]) for seats in range(SEATS + 1)])
"""For each number of players their sides: everybody for themselves."""

RINGS: Final = tuple([[*range(1, seats), 0] for seats in range(SEATS + 1)])
"""For each number of players who follows whom while everybody is alive."""


def cancelled(trick: Sequence[Played], power: int, pairs: bool) -> tuple[int, ...]:
    """The cards of a trick that are void so far.

    pairs   equal cards cancel two by two as they fall; otherwise all equal cards do
    """
    strength = STRENGTH[power]
    groups: dict[int, list[int]] = {}
    for _, card in trick:
        groups.setdefault(strength[card], []).append(card)
    void: list[int] = []
    for cards in groups.values():
        if pairs:
            void += cards[: len(cards) // 2 * 2]
        elif len(cards) > 1:
            void += cards
    return tuple(void)


def stand_or_void(strengths: Sequence[int], pairs: bool) -> tuple[int, int]:
    """Masks of the strengths that stand among cards of a trick, and of those that are void
    for the rest of it."""
    standing = void = 0
    for strength in strengths:
        bit = 1 << strength
        if pairs:
            standing ^= bit
        else:
            void |= standing & bit
            standing |= bit
    return standing & ~void, void


def winner_of(trick: Sequence[Played], power: int, pairs: bool) -> int:
    """Who played the highest card that stands; NOBODY if every card is cancelled."""
    strength = STRENGTH[power]
    best = winner = NOBODY
    tied = NOBODY
    for seat, card in trick:
        own = strength[card]
        if own > best:
            best = own
            winner = seat
        elif own == best:
            tied = best
    if tied != best:
        return winner
    strengths = [strength[card] for _, card in trick]
    standing, _ = stand_or_void(strengths, pairs)
    if not standing:
        return NOBODY
    best = standing.bit_length() - 1
    strengths.reverse()
    return trick[-1 - strengths.index(best)][0]


@dataclass(frozen=True)
class FodinhaOptions(Options):
    players: int = option(4, "seats at the table", low=2, high=SEATS)
    range: int = option(10, "ranks in use, from the ace up", low=1, high=RANKS)
    lives: int = option(5, "lives of each player at the start", low=1)
    tries: int = option(3, "cards the dealer may turn for the power card", low=1)
    cancel: str = option("all", "equal cards cancel: all, or pairs", choices=("all", "pairs"))
    blind_one: bool = option(True, "with one card each, see every card but your own")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.players + self.tries > 4 * self.range:
            raise ValueError(
                f"{self.players} players and {self.tries} tries need more cards than the "
                f"{4 * self.range} of {self.range} ranks; raise range or lower players or tries."
            )

    @property
    def pairs(self) -> bool:
        return self.cancel == "pairs"

    def cap(self, alive: int) -> int:
        """The largest round for that many players."""
        return (4 * self.range - self.tries) // alive


@dataclass(slots=True)
class FodinhaView(View):
    """What a seat knows. Nobody sees a card before the power rank is settled; a player who
    is out sees only what lies on the table."""

    phase: int = field(metadata=holds(OneOf(PHASES)))
    dealer: int = field(metadata=holds(Seat()))
    size: int = field(metadata=holds(Number(LARGEST_ROUND, low=1)))
    """Cards each in this round."""
    rising: bool = field(metadata=holds(Flag()))
    """Rounds are growing."""
    blind: bool = field(metadata=holds(Flag()))
    """A one-card round in which this seat sees every card but its own."""
    hand: tuple[int, ...] = field(metadata=holds(CardSet(PACK)))
    hands: tuple[tuple[int, ...], ...] = field(metadata=holds(PerSeat(CardSet(PACK))))
    """The hands as this seat sees them: empty where it does not."""
    hand_sizes: tuple[int, ...] = field(metadata=holds(PerSeat(Number(LARGEST_ROUND))))
    turned: tuple[int, ...] = field(metadata=holds(CardSet(PACK)))
    power: int = field(metadata=holds(OneOf(RANK_NAMES)))
    """The power rank; while the dealer decides, the candidate."""
    calls: tuple[int, ...] = field(metadata=holds(PerSeat(Number(LARGEST_ROUND))))
    wins: tuple[int, ...] = field(metadata=holds(PerSeat(Number(LARGEST_ROUND))))
    carry: int = field(metadata=holds(Number(LARGEST_ROUND)))
    """Wins that cancelled tricks add to this one."""
    leader: int = field(metadata=holds(Seat()))
    trick: tuple[Played, ...] = field(metadata=holds(Plays(PACK)))
    out_in: tuple[int, ...] = field(metadata=holds(PerSeat(Count())))
    """The round in which each seat went out; 0 for those alive."""
    last_trick: tuple[Played, ...] = field(metadata=holds(Plays(PACK)))
    last_winner: int = field(metadata=holds(Seat()))
    last_power: int = field(metadata=holds(OneOf(RANK_NAMES)))
    """The power rank when the last trick was played."""
    last_calls: tuple[int, ...] = field(metadata=holds(PerSeat(Number(LARGEST_ROUND))))
    last_wins: tuple[int, ...] = field(metadata=holds(PerSeat(Number(LARGEST_ROUND))))
    last_points: tuple[int, ...] = field(metadata=holds(PerSeat(Number(0, low=-LARGEST_ROUND))))
    """The last round: its calls, its wins and minus the lives lost."""

    @classmethod
    def also_shown(cls) -> dict[str, Kind]:
        return {
            "scores": PerSide(Number("lives", low=-LARGEST_ROUND)),
            "played": Plays(PACK),
        }

    @property
    def played(self) -> tuple[Played, ...]:
        """The cards played in this round."""
        return tuple([play for play in self.history if 0 <= play[1] < CARDS])

    @property
    def rules(self) -> FodinhaOptions:
        """The options as what they are in this game."""
        assert isinstance(self.options, FodinhaOptions)
        return self.options

    @property
    def alive(self) -> tuple[bool, ...]:
        return tuple([not out for out in self.out_in])

    def label(self, action: int) -> str:
        return LABELS[action]

    def cancelled(self) -> tuple[int, ...]:
        """The cards on the table that are void so far."""
        return cancelled(self.trick, self.power, self.rules.pairs)

    def last_cancelled(self) -> tuple[int, ...]:
        """The cards that were void in the last trick."""
        return cancelled(self.last_trick, self.last_power, self.rules.pairs)

    def unseen(self) -> list[int]:
        """The cards in play that this seat has not seen in this round, ascending."""
        seen = set(self.turned)
        for hand in self.hands:
            seen.update(hand)
        for _, action in self.history:
            seen.add(action)
        return [card for card in DECKS[self.rules.range] if card not in seen]

    def sample(self, rng: Random) -> "FodinhaState":
        unseen = self.unseen()
        keys = {card: rng.random() for card in unseen}
        unseen.sort(key=keys.__getitem__)
        state = FodinhaState(rng.getrandbits(63), self.rules)
        at = 0
        for seat, size in enumerate(self.hand_sizes):
            known = self.hands[seat]
            if known:
                state.hands[seat] = list(known)
            else:
                state.hands[seat] = sorted(unseen[at : at + size])
                at += size
        state.stock = [*self.turned, *unseen[at:]]
        state.turned = len(self.turned)
        state.turn = self.turn
        state.hand_no = self.hand_no
        state.history = list(self.history)
        state.lives = list(self.scores)
        state.out_in = list(self.out_in)
        state.seat_the_living()
        if self.turn == OVER:
            state.winners = tuple([seat for seat, out in enumerate(self.out_in) if not out])
        state.phase = self.phase
        state.dealer = self.dealer
        state.size = self.size
        state.rising = self.rising
        state.blind = self.size == 1 and state.options.blind_one
        state.power = self.power
        state.calls = list(self.calls)
        state.wins = list(self.wins)
        state.carry = self.carry
        state.leader = self.leader
        state.last_trick = list(self.last_trick)
        state.last_winner = self.last_winner
        state.last_power = self.last_power
        state.last_calls = list(self.last_calls)
        state.last_wins = list(self.last_wins)
        state.last_points = self.last_points
        state.find_allowed()
        return state


class FodinhaState(State):
    """A match of Fodinha. Hands are ascending lists of cards; a side is one seat.

    allowed   for each seat what it may do on its turn; when it plays a card it sees, this is
              its hand itself
    sighted   whether the turn is to play a card that one sees
    """

    __slots__ = (
        "alive",
        "allowed",
        "blind",
        "calls",
        "carry",
        "dealer",
        "hands",
        "last_calls",
        "last_power",
        "last_trick",
        "last_winner",
        "last_wins",
        "leader",
        "lives",
        "next_seat",
        "options",
        "out_in",
        "pairs",
        "phase",
        "players",
        "power",
        "rising",
        "sighted",
        "size",
        "stock",
        "turned",
        "wins",
    )

    def __init__(self, seed: int, options: FodinhaOptions) -> None:
        super().__init__(seed, SIDES[options.players])
        seats = options.players
        self.options: FodinhaOptions = options
        self.pairs: bool = options.pairs
        self.lives: list[int] = [options.lives] * seats
        self.out_in: list[int] = [0] * seats
        self.alive: list[int] = list(range(seats))
        self.players: int = seats
        self.next_seat: list[int] = RINGS[seats]
        self.phase: int = TURNING
        self.dealer: int = 0
        self.size: int = 1
        self.rising: bool = True
        self.blind: bool = False
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.allowed: list[list[int]] = TO_REST
        self.sighted: bool = False
        self.stock: list[int] = []
        self.turned: int = 0
        self.power: int = 0
        self.calls: list[int] = [NO_CALL] * seats
        self.wins: list[int] = [0] * seats
        self.carry: int = 0
        self.leader: int = 0
        self.last_trick: list[Played] = []
        self.last_winner: int = NOBODY
        self.last_power: int = 0
        self.last_calls: list[int] = [NO_CALL] * seats
        self.last_wins: list[int] = [0] * seats

    @property
    def in_trick(self) -> int:
        """How many cards lie on the table: so many the hands lack of being of one size."""
        return -sum(map(len, self.hands)) % self.players

    # Dealing

    def seat_the_living(self) -> None:
        """Count the players alive and link every seat to the next of them clockwise."""
        alive = [seat for seat in range(self.seats) if not self.out_in[seat]]
        following = [alive[0]] * self.seats
        later = alive[0]
        for seat in range(self.seats - 1, -1, -1):
            following[seat] = later
            if not self.out_in[seat]:
                later = seat
        self.next_seat = following
        self.alive = alive
        self.players = len(alive)

    def deal(self, order: list[int]) -> None:
        """Deal a round: a block of cards each from the dealer's left, then the stock."""
        size, dealer, next_seat = self.size, self.dealer, self.next_seat
        seats, hands = self.seats, self.hands
        dealt = size * self.players
        seat = dealer
        for at in range(0, dealt, size):
            seat = next_seat[seat]
            hands[seat] = hand = order[at : at + size]
            hand.sort()
        self.stock = order[dealt:]
        self.turned = 0
        self.blind = size == 1 and self.options.blind_one
        self.calls = [NO_CALL] * seats
        self.wins = [0] * seats
        self.carry = 0
        self.history = []
        self.phase = TURNING
        self.allowed = TO_TURN
        self.sighted = False
        self.turn = dealer
        self.leader = next_seat[dealer]
        if self.events is not None:
            self.events.append(Event("deal", dealer))
        self._turn_card()

    def _turn_card(self) -> None:
        """The rank above the turned card is the candidate; the last of the tries is forced."""
        turned, options = self.turned, self.options
        card = self.stock[turned]
        self.turned = turned = turned + 1
        self.power = POWERS[options.range][card]
        if self.events is not None:
            self.events.append(Event("power", self.dealer, cards=(card,)))
        if turned == options.tries:
            self._start_calls()

    def _start_calls(self) -> None:
        self.phase = CALLING
        self.allowed = TO_CALL[self.size]
        self.turn = self.leader

    def _bar_a_call(self) -> None:
        """The dealer may not make the call with which all would add up to the round size."""
        # Who is out and the dealer count for nothing: they have not called.
        not_yet = 1 + self.seats - self.players
        barred = self.size - sum(self.calls) + NO_CALL * not_yet
        if barred >= 0:
            calls = CALLS[self.size]
            self.allowed = [calls[:barred] + calls[barred + 1 :]] * self.seats

    def _start_play(self) -> None:
        self.phase = PLAYING
        self.sighted = not self.blind
        self.allowed = TO_PLAY_HIDDEN if self.blind else self.hands

    def find_allowed(self) -> None:
        """What is allowed, from the phase and the calls so far."""
        if self.phase == PLAYING:
            self._start_play()
        elif self.phase == CALLING:
            self.allowed = TO_CALL[self.size]
            if self.turn == self.dealer:
                self._bar_a_call()
        elif self.phase == TURNING:
            self.allowed = TO_TURN

    # Acting

    def legal(self) -> list[int]:
        return self.allowed[self.turn].copy()

    def apply(self, action: int) -> None:
        seat = self.turn
        if self.sighted:
            hand = self.allowed[seat]
            try:
                hand.remove(action)
            except ValueError:
                raise IllegalAction(self._why_not(action)) from None
        elif action not in self.allowed[seat]:
            raise IllegalAction(self._why_not(action))
        elif action == PLAY_HIDDEN:
            hand = self.hands[seat]
            action = hand.pop()
        else:
            self.history.append(PAIRS[seat][action])
            if action >= CALL:
                self.calls[seat] = action - CALL
                self.turn = caller = self.next_seat[seat]
                if caller == self.dealer:
                    self._bar_a_call()
                elif seat == self.dealer:
                    self._start_play()
            elif action == APPROVE:
                self._start_calls()
            else:
                self._turn_card()
            return
        self.history.append(PAIRS[seat][action])
        self.turn = follower = self.next_seat[seat]
        if follower != self.leader:
            return
        power = self.power
        trick = self.history[-self.players :]
        winner = winner_of(trick, power, self.pairs)
        if winner == NOBODY:
            self.carry += 1
        else:
            self.turn = self.leader = winner
            self.wins[winner] += 1 + self.carry
            self.carry = 0
        self.last_trick = trick
        self.last_power = power
        self.last_winner = winner
        if self.events is not None:
            cards = tuple([card for _, card in trick])
            note = "cancelled" if winner == NOBODY else ""
            self.events.append(Event("trick", winner, cards=cards, note=note))
        if not hand:
            self._score_round()

    def _score_round(self) -> None:
        lives, calls, wins = self.lives, self.calls, self.wins
        points = [0] * self.seats
        somebody_falls = False
        for seat in self.alive:
            off = calls[seat] - wins[seat]
            if off:
                if off > 0:
                    off = -off
                points[seat] = off
                lives[seat] = left = lives[seat] + off
                if left <= 0:
                    somebody_falls = True
        self.last_points = tuple(points)
        self.last_calls = calls
        self.last_wins = wins
        if self.events is not None:
            self.events.append(Event("hand", points=tuple(points)))
        if somebody_falls:
            self._put_out()
            if self.turn == OVER:
                return
        self._next_size()
        self.hand_no += 1
        self.dealer = self.next_seat[self.dealer]
        if self.deals_on:
            pack = PACKS[self.options.range]
            order = shuffled(self.seed, self.tick, len(pack), pack)
            self.tick += 1
            self.deal(order)

    def _put_out(self) -> None:
        """Who has no life left is out; of the last the best stay, and if they tie, play on."""
        lives, alive = self.lives, self.alive
        survivors = [seat for seat in alive if lives[seat] > 0]
        if not survivors:
            most = max([lives[seat] for seat in alive])
            survivors = [seat for seat in alive if lives[seat] == most]
            if len(survivors) > 1:
                for seat in survivors:
                    lives[seat] = 1
        if len(survivors) < len(alive):
            for seat in alive:
                if seat not in survivors:
                    self.out_in[seat] = self.hand_no
                    if self.events is not None:
                        self.events.append(Event("out", seat))
            self.seat_the_living()
        if len(survivors) == 1:
            self.phase = FINISHED
            self.allowed = TO_REST
            self.sighted = False
            self.turn = OVER
            self.winners = (survivors[0],)
            if self.events is not None:
                self.events.append(Event("match", points=tuple(self.returns())))

    def _next_size(self) -> None:
        """Up to the cap, down to one, up again; the cap grows as players go out."""
        cap = self.options.cap(self.players)
        if self.rising:
            self.rising = self.size < cap
        elif self.size == 1:
            self.rising = True
        self.size = min(self.size + 1, cap) if self.rising else max(self.size - 1, 1)

    def _why_not(self, action: int) -> str:
        if self.turn == OVER:
            return "The match is over."
        if not 0 <= action < NUM_ACTIONS:
            return f"There is no action {action}; actions go from 0 to {NUM_ACTIONS - 1}."
        if self.phase == TURNING:
            return "The dealer approves or rejects the power card first."
        if action in (APPROVE, REJECT):
            return "The power card is settled for this round."
        if self.phase == CALLING:
            if action < CALL:
                return "No card may be played before everybody has called."
            if action > CALL + self.size:
                return f"This round has only {self.size} to win."
            call = action - CALL
            return f"The dealer may not call {call}: the calls would add up to {self.size}."
        if action >= CALL:
            return "The calls have been made."
        if self.blind:
            return "You do not see your card in this round: play it hidden."
        if action == PLAY_HIDDEN:
            return "Cards are played hidden only in a blind one-card round."
        return f"{PACK.codes[action]} is not in this hand."

    # Looking

    def scores(self) -> list[int]:
        return self.lives[:]

    def places(self) -> list[float]:
        """The place of each seat, 1.0 for the winner; who ties shares the mean place.

        Who went out later is better, then who has more lives. Before the end: as it stands.
        """
        standing = [
            (out or self.hand_no + 1, lives)
            for out, lives in zip(self.out_in, self.lives, strict=True)
        ]
        places = []
        for own in standing:
            better = sum([other > own for other in standing])
            places.append(1 + better + (standing.count(own) - 1) / 2)
        return places

    def label(self, action: int) -> str:
        return LABELS[action]

    def parse(self, text: str) -> int:
        action = ACTIONS.get(" ".join(text.lower().split()))
        if action is None:
            legal = ", ".join([LABELS[action] for action in self.legal()])
            raise ValueError(f"{text!r} is not an action of Fodinha; now possible: {legal}.")
        return action

    def view(self, seat: int) -> FodinhaView:
        seats, in_trick = range(self.seats), self.in_trick
        hands: list[tuple[int, ...]] = [() for _ in seats]
        blind = self.blind and not self.out_in[seat]
        if self.phase != TURNING and not self.out_in[seat]:
            if blind:
                hands = [tuple(self.hands[other]) if other != seat else () for other in seats]
            else:
                hands[seat] = tuple(self.hands[seat])
        view = FodinhaView(
            self.options,
            self.sides,
            self.hand_no,
            self.turn,
            self.phase,
            self.dealer,
            self.size,
            self.rising,
            blind,
            hands[seat],
            tuple(hands),
            tuple([len(hand) for hand in self.hands]),
            tuple(self.stock[: self.turned]),
            self.power,
            tuple(self.calls),
            tuple(self.wins),
            self.carry,
            self.leader,
            tuple(self.history[-in_trick:]) if in_trick else (),
            tuple(self.out_in),
            tuple(self.last_trick),
            self.last_winner,
            self.last_power,
            tuple(self.last_calls),
            tuple(self.last_wins),
            self.last_points,
        )
        view.seat = seat
        view.scores = tuple(self.lives)
        view.history = tuple(self.history)
        return view

    def clone(self) -> "FodinhaState":
        copy = copy_match(self, FodinhaState(self.seed, self.options))
        copy.lives = self.lives[:]
        copy.out_in = self.out_in[:]
        copy.alive = self.alive
        copy.players = self.players
        copy.next_seat = self.next_seat
        copy.phase = self.phase
        copy.dealer = self.dealer
        copy.size = self.size
        copy.rising = self.rising
        copy.blind = self.blind
        copy.hands = [hand[:] for hand in self.hands]
        copy.allowed = copy.hands if self.sighted else self.allowed
        copy.sighted = self.sighted
        copy.stock = self.stock
        copy.turned = self.turned
        copy.power = self.power
        copy.calls = self.calls[:]
        copy.wins = self.wins[:]
        copy.carry = self.carry
        copy.leader = self.leader
        copy.last_trick = self.last_trick
        copy.last_winner = self.last_winner
        copy.last_power = self.last_power
        copy.last_calls = self.last_calls
        copy.last_wins = self.last_wins
        return copy


class Fodinha(Game):
    name = "fodinha"
    title = "Fodinha"
    options = FodinhaOptions
    num_actions = NUM_ACTIONS
    players = tuple(range(2, 11))

    def new(
        self,
        seed: int = 0,
        deck: Sequence[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> FodinhaState:
        chosen: FodinhaOptions = self.make_options(options)
        self.check_first(first, chosen.players)
        state = FodinhaState(seed, chosen)
        state.dealer = draw(seed, 0, state.seats) if first is None else first
        pack = PACKS[chosen.range]
        order = shuffled(seed, 1, len(pack), pack)
        state.tick = 2
        if deck is not None:
            order = PACK.stack(deck, order)
            for card in order[: len(deck)]:
                if card % RANKS >= chosen.range:
                    top = RANK_NAMES[chosen.range - 1]
                    raise ValueError(f"{PACK.codes[card]} is not in play: ranks go up to {top}.")
        state.deal(order)
        return state


GAME: Final = Fodinha()
