"""Fodinha: Oh Hell with lives. Call how many tricks you will win; every trick off costs a life.

A hand of the engine's contract is a round here: a power card, the calls and `size` tricks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.cards import french
from engine.chance import draw, shuffled
from engine.fields import (
    NONE,
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

RANK_NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PACK: Final = french(RANK_NAMES)
MASKS: Final = PACK.masks
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
"""The most players."""

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

NOBODY: Final = NONE
NO_CARDS: Final = [[NOBODY] * seats for seats in range(SEATS + 1)]
NO_MASKS: Final = [[0] * seats for seats in range(SEATS + 1)]
"""By the number of seats: the columns of a trick, or of hands, without cards."""
NO_CALL: Final = NONE

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
TURNS: Final = [APPROVE, REJECT]
HIDDEN_PLAYS: Final = [PLAY_HIDDEN]
NOTHING: Final[list[int]] = []
TURNED_AGAIN: Final = 1 << 48
"""Added to the tick of a random event that draws the cards again that are still to be turned."""

DECKS: Final = tuple(
    [[card for card in range(CARDS) if card % RANKS < ranks] for ranks in range(RANKS + 1)]
)
"""For each number of ranks in use the cards in play."""

SIDES: Final = tuple([tuple([(seat,) for seat in range(seats)]) for seats in range(SEATS + 1)])
"""For each number of players their sides, one per seat."""


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
    """Masks of the strengths that stand in a trick and of those void for the rest of it."""
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
    """The seat of the highest card that stands; NOBODY if every card is cancelled.

    Most tricks have one highest card, and then nothing else matters. Finding it first makes
    random play a tenth faster.
    """
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
    """What a seat knows. Cards are hidden until the power rank is settled. A player who is out
    sees only the cards on the table."""

    phase: int = field(metadata=holds(OneOf(PHASES)))
    dealer: int = field(metadata=holds(Seat()))
    size: int = field(metadata=holds(Number(LARGEST_ROUND, low=1)))
    """Cards each in this round."""
    rising: bool = field(metadata=holds(Flag()))
    """Rounds are growing."""
    blind: bool = field(init=False, metadata=holds(Flag()))
    """A one-card round in which this seat sees every card but its own."""
    hand: tuple[int, ...] = field(init=False, metadata=holds(CardSet(PACK)))
    hands: tuple[tuple[int, ...], ...] = field(init=False, metadata=holds(PerSeat(CardSet(PACK))))
    """The hands this seat sees, empty for the others."""
    hand_sizes: tuple[int, ...] = field(init=False, metadata=holds(PerSeat(Number(LARGEST_ROUND))))
    turned: tuple[int, ...] = field(init=False, metadata=holds(CardSet(PACK)))
    power: int = field(metadata=holds(OneOf(RANK_NAMES)))
    """The power rank; while the dealer decides, the candidate."""
    calls: tuple[int, ...] = field(init=False, metadata=holds(PerSeat(Number(LARGEST_ROUND))))
    wins: tuple[int, ...] = field(init=False, metadata=holds(PerSeat(Number(LARGEST_ROUND))))
    carry: int = field(metadata=holds(Number(LARGEST_ROUND)))
    """Wins that cancelled tricks add to this one."""
    leader: int = field(metadata=holds(Seat()))
    trick: tuple[Played, ...] = field(init=False, metadata=holds(Trick(PACK)))
    out_in: tuple[int, ...] = field(init=False, metadata=holds(PerSeat(Count())))
    """The round in which each seat went out, 0 while it is alive."""
    last_trick: tuple[Played, ...] = field(metadata=holds(Trick(PACK)))
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
        return tuple([play for play in self.history if play[1] < CARDS])

    @property
    def rules(self) -> FodinhaOptions:
        """The options with the type of this game."""
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
        state = FodinhaState(rng.getrandbits(63), **SHARED.named(self))
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
        state.history = list(self.history)
        state.lives = list(self.scores)
        state.out_in = list(self.out_in)
        state.seat_the_living()
        if self.turn == OVER:
            state.winners = tuple(state.alive)
        state.blind = self.size == 1 and self.rules.blind_one
        state.calls = list(self.calls)
        state.wins = list(self.wins)
        state.find_allowed()
        return state


SHARED: Final = SharedFields(FodinhaView)


@dataclass(slots=True, eq=False, repr=False)
class FodinhaState(State):
    """A match of Fodinha.

    lives      per seat; minus what it lost beyond its last life if it is out
    out_in     per seat the round in which it went out, 0 while it is alive
    alive      the seats still in play
    next_seat  for each seat the next one alive, clockwise
    hands      per seat its cards, ascending
    allowed    the legal actions, unless the seat to act plays a card that it sees; working
               them out at every turn makes random play a tenth slower
    stock      the undealt cards, of which `turned` have been turned for the power card
    played     per seat the cards it has played, from the first `played_seen` actions of the round;
               brought up to date only for `numbers`
    """

    options: FodinhaOptions = field(kw_only=True)
    pairs: bool = field(init=False)
    lives: list[int] = field(init=False)
    out_in: list[int] = field(init=False)
    alive: list[int] = field(init=False)
    next_seat: list[int] = field(init=False)
    phase: int = TURNING
    dealer: int = 0
    size: int = 1
    rising: bool = True
    blind: bool = False
    hands: list[list[int]] = field(init=False)
    allowed: list[int] = field(default_factory=list)
    stock: list[int] = field(default_factory=list)
    turned: int = 0
    power: int = 0
    calls: list[int] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)
    carry: int = 0
    leader: int = 0
    last_trick: tuple[Played, ...] = ()
    last_winner: int = NOBODY
    last_power: int = 0
    last_calls: tuple[int, ...] = ()
    last_wins: tuple[int, ...] = ()
    played: list[int] = field(default_factory=list, compare=False)
    played_seen: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        State.__post_init__(self)
        seats = self.seats
        self.pairs = self.options.pairs
        self.lives = [self.options.lives] * seats
        self.out_in = [0] * seats
        self.hands = [[] for _ in range(seats)]
        self.last_calls = self.last_calls or (NO_CALL,) * seats
        self.last_wins = self.last_wins or (0,) * seats
        self.alive = list(range(seats))
        self.next_seat = [*range(1, seats), 0]

    @property
    def in_trick(self) -> int:
        """Cards already in the trick, inferred from hand sizes."""
        return -sum(map(len, self.hands)) % len(self.alive)

    # Dealing

    def seat_the_living(self) -> None:
        """Set `alive` and `next_seat` from `out_in`."""
        alive = [seat for seat in range(self.seats) if not self.out_in[seat]]
        later = [[other for other in alive if other > seat] for seat in range(self.seats)]
        self.next_seat = [following[0] if following else alive[0] for following in later]
        self.alive = alive

    def shuffle(self, tick: int) -> list[int]:
        """The cards in play, of which those that a round needs come first in random order."""
        needed = self.size * len(self.alive) + self.options.tries
        return shuffled(self.seed, tick, DECKS[self.options.range], needed)

    def deal(self, order: list[int]) -> None:
        """Deal a round: each player's cards together, from the dealer's left, then the stock."""
        size, dealer, next_seat = self.size, self.dealer, self.next_seat
        seats, hands = self.seats, self.hands
        dealt = size * len(self.alive)
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
        self.played_seen = 0
        self.phase = TURNING
        self.allowed = TURNS
        self.turn = dealer
        self.leader = next_seat[dealer]
        if self.events is not None:
            self.events.append(Event("deal", dealer))
        self._turn_card()

    def _turn_card(self) -> None:
        """Turn a card: the next rank is the candidate, after the highest the ace. The last of
        the tries is final."""
        card = self.stock[self.turned]
        self.turned += 1
        self.power = (card % RANKS + 1) % self.options.range
        if self.events is not None:
            self.events.append(Event("power", self.dealer, cards=(card,)))
        if self.turned == self.options.tries:
            self._start_calls()

    def _start_calls(self) -> None:
        self.phase = CALLING
        self.allowed = CALLS[self.size]
        self.turn = self.leader

    def _bar_a_call(self) -> None:
        """The dealer may not make the call with which all calls would add up to the size."""
        called = sum([self.calls[seat] for seat in self.alive if seat != self.dealer])
        barred = self.size - called
        if barred >= 0:
            calls = CALLS[self.size]
            self.allowed = calls[:barred] + calls[barred + 1 :]

    def find_allowed(self) -> None:
        """Set `allowed` from the phase and the calls so far."""
        if self.phase == TURNING:
            self.allowed = TURNS
        elif self.phase == CALLING:
            self.allowed = CALLS[self.size]
            if self.turn == self.dealer:
                self._bar_a_call()
        elif self.phase == PLAYING:
            self.allowed = HIDDEN_PLAYS

    # Acting

    def legal(self) -> list[int]:
        if self.phase != PLAYING or self.blind:
            return self.allowed.copy()
        return self.hands[self.turn].copy()

    def apply(self, action: int) -> None:
        if self.phase != PLAYING:
            self._turn_or_call(action)
            return
        seat = self.turn
        hand = self.hands[seat]
        if not self.blind and action in hand:
            hand.remove(action)
        elif self.blind and action == PLAY_HIDDEN:
            action = hand.pop()
        else:
            raise IllegalAction(self._why_not(action))
        self.history.append((seat, action))
        self.turn = follower = self.next_seat[seat]
        if follower == self.leader:
            self._end_trick()
            if not hand:
                self._score_round()

    def _turn_or_call(self, action: int) -> None:
        """Settle the power card or make a call."""
        if action not in self.allowed:
            raise IllegalAction(self._why_not(action))
        seat = self.turn
        self.history.append((seat, action))
        if action == APPROVE:
            self._start_calls()
        elif action == REJECT:
            self._turn_card()
        else:
            self.calls[seat] = action - CALL
            self.turn = caller = self.next_seat[seat]
            if caller == self.dealer:
                self._bar_a_call()
            elif seat == self.dealer:
                self.phase = PLAYING
                self.allowed = HIDDEN_PLAYS

    def _end_trick(self) -> None:
        trick = self.history[-len(self.alive) :]
        winner = winner_of(trick, self.power, self.pairs)
        if winner == NOBODY:
            self.carry += 1
        else:
            self.turn = self.leader = winner
            self.wins[winner] += 1 + self.carry
            self.carry = 0
        self.last_trick = tuple(trick)
        self.last_power = self.power
        self.last_winner = winner
        if self.events is not None:
            cards = tuple([card for _, card in trick])
            note = "cancelled" if winner == NOBODY else ""
            self.events.append(Event("trick", winner, cards=cards, note=note))

    def _score_round(self) -> None:
        """Take a life for every trick above or below the call; deal the next round."""
        calls, wins, lives = self.calls, self.wins, self.lives
        points = [0] * self.seats
        fallen = False
        for seat in self.alive:
            off = abs(calls[seat] - wins[seat])
            if off:
                points[seat] = -off
                lives[seat] -= off
                if lives[seat] <= 0:
                    fallen = True
        self.last_points = tuple(points)
        self.last_calls = tuple(calls)
        self.last_wins = tuple(wins)
        if self.events is not None:
            self.events.append(Event("hand", points=self.last_points))
        if fallen:
            self._put_out()
            if self.turn == OVER:
                return
        self._next_size()
        self.hand_no += 1
        self.dealer = self.next_seat[self.dealer]
        if self.deals_on:
            order = self.shuffle(self.tick)
            self.tick += 1
            self.deal(order)

    def _put_out(self) -> None:
        """Put out the players without lives. If no player has a life left, the best stay in, and
        if several are best, each gets one life."""
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
            self.allowed = NOTHING
            self.turn = OVER
            self.winners = (survivors[0],)
            if self.events is not None:
                self.events.append(Event("match", points=tuple(self.returns())))

    def _next_size(self) -> None:
        """Up to the cap, down to one, up again; the cap grows as players go out."""
        cap = self.options.cap(len(self.alive))
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
        """The place of each seat, 1.0 for the winner; equal seats share the mean place.

        A seat that went out later ranks higher, then one with more lives. Before the end of the
        match this is the ranking so far.
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
        view = FodinhaView(*SHARED.values(self))
        view.seat = seat
        view.scores = tuple(self.lives)
        view.history = tuple(self.history)
        view.blind = blind
        view.hand = hands[seat]
        view.hands = tuple(hands)
        view.hand_sizes = tuple([len(hand) for hand in self.hands])
        view.turned = tuple(self.stock[: self.turned])
        view.calls = tuple(self.calls)
        view.wins = tuple(self.wins)
        view.trick = view.history[-in_trick:] if in_trick else ()
        view.out_in = tuple(self.out_in)
        return view

    def numbers(self, seat: int) -> list[int]:
        seats, history = self.seats, self.history
        alive = not self.out_in[seat]
        blind = self.blind and alive
        hands = NO_MASKS[seats].copy()
        sizes: list[int] = []
        held = 0
        for other, cards in enumerate(self.hands):
            sizes.append(len(cards))
            held += len(cards)
            if other != seat if blind else other == seat:
                mask = 0
                for card in cards:
                    mask |= MASKS[card]
                hands[other] = mask
        if not alive or self.phase == TURNING:
            hands = NO_MASKS[seats].copy()
        in_trick = -held % len(self.alive)
        trick = NO_CARDS[seats].copy()
        if in_trick:
            for who, card in history[-in_trick:]:
                trick[who] = card
        last_trick = NO_CARDS[seats].copy()
        for who, card in self.last_trick:
            last_trick[who] = card
        turned = 0
        for card in self.stock[: self.turned]:
            turned |= MASKS[card]
        if self.played_seen < len(history) or not history:
            self._find_played()
        return [
            self.turn,
            self.phase,
            self.dealer,
            self.size,
            int(self.rising),
            int(blind),
            hands[seat],
            *hands,
            *sizes,
            turned,
            self.power,
            *self.calls,
            *self.wins,
            self.carry,
            self.leader,
            *trick,
            *self.out_in,
            *last_trick,
            self.last_winner,
            self.last_power,
            *self.last_calls,
            *self.last_wins,
            *self.last_points,
            *self.lives,
            *self.played,
        ]

    def with_chance(self, seed: int) -> "FodinhaState":
        """The cards that may still be turned are drawn again, too."""
        copy = self.clone()
        copy.seed = seed
        if copy.phase == TURNING:
            rest = copy.stock[copy.turned :]
            copy.stock[copy.turned :] = shuffled(seed, TURNED_AGAIN | copy.tick, rest)
        return copy

    def chance_used(self) -> int:
        return self.tick * CARDS + self.turned

    def _find_played(self) -> None:
        """Bring `played` up to date."""
        seen = self.played_seen
        if not seen:
            self.played = NO_MASKS[self.seats].copy()
        for who, card in self.history[seen:]:
            if card < CARDS:
                self.played[who] |= MASKS[card]
        self.played_seen = len(self.history)

    def clone(self) -> "FodinhaState":
        copy = copy_match(self, FodinhaState.__new__(FodinhaState))
        copy.options = self.options
        copy.pairs = self.pairs
        copy.lives = self.lives[:]
        copy.out_in = self.out_in[:]
        copy.alive = self.alive
        copy.next_seat = self.next_seat
        copy.phase = self.phase
        copy.dealer = self.dealer
        copy.size = self.size
        copy.rising = self.rising
        copy.blind = self.blind
        copy.hands = [hand[:] for hand in self.hands]
        copy.allowed = self.allowed
        copy.stock = self.stock
        copy.turned = self.turned
        copy.power = self.power
        copy.calls = self.calls[:]
        copy.wins = self.wins[:]
        copy.carry = self.carry
        copy.leader = self.leader
        copy.last_trick = self.last_trick
        copy.played = []
        copy.played_seen = 0
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
    longest_history = CARDS + SEATS + 1

    def new(
        self,
        seed: int = 0,
        deck: Sequence[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> FodinhaState:
        chosen: FodinhaOptions = self.make_options(options)
        self.check_first(first, chosen.players)
        state = FodinhaState(seed, SIDES[chosen.players], options=chosen)
        state.dealer = draw(seed, 0, state.seats) if first is None else first
        state.tick = 2
        if deck is None:
            order = state.shuffle(1)
        else:
            order = PACK.stack(deck, shuffled(seed, 1, DECKS[chosen.range]))
            for card in order[: len(deck)]:
                if card % RANKS >= chosen.range:
                    top = RANK_NAMES[chosen.range - 1]
                    raise ValueError(f"{PACK.codes[card]} is not in play: ranks go up to {top}.")
        state.deal(order)
        return state


GAME: Final = Fodinha()
