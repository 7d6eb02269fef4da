"""High Card, a complete game in under two hundred lines. `high_card.md` has its rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from engine.cards import french
from engine.chance import draw, shuffled
from engine.fields import NONE, CardSet, Kind, Number, PerSeat, PerSide, Plays, Seat, holds
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

PACK = french(("10", "J", "Q", "K", "A"))
SIDES = ((0,), (1,))
HAND = 5


@dataclass(frozen=True)
class HighCardOptions(Options):
    target: int = option(3, "points that win the match", low=1, high=100)


@dataclass
class HighCardView(View):
    """What a seat knows. Lines, observations and learners read the kinds of these fields."""

    trick: tuple[Played, ...] = field(metadata=holds(Plays(PACK)))
    last_trick: tuple[Played, ...] = field(metadata=holds(Plays(PACK)))
    last_winner: int = field(metadata=holds(Seat()))
    tricks: tuple[int, ...] = field(metadata=holds(PerSide(Number(HAND))))
    played: tuple[int, ...] = field(metadata=holds(CardSet(PACK)))
    hand: tuple[int, ...] = field(init=False, metadata=holds(CardSet(PACK)))
    hand_sizes: tuple[int, ...] = field(init=False, metadata=holds(PerSeat(Number(HAND))))

    @classmethod
    def also_shown(cls) -> dict[str, Kind]:
        return {"scores": PerSide(Number("target"))}

    def label(self, action: int) -> str:
        return f"play {PACK.codes[action]}"

    def sample(self, rng: Random) -> "HighCardState":
        """Deal the other hand from the cards this seat has not seen."""
        unseen = [card for card in range(len(PACK)) if card not in self.hand + self.played]
        other = 1 - self.seat
        state = HighCardState(rng.getrandbits(63), **SHARED.named(self))
        state.history, state.points = list(self.history), list(self.scores)
        state.hands = [[], []]
        state.hands[self.seat] = list(self.hand)
        state.hands[other] = sorted(rng.sample(unseen, self.hand_sizes[other]))
        state.winners = state.decided()
        return state


SHARED = SharedFields(HighCardView)


@dataclass(eq=False, repr=False)
class HighCardState(State):
    """A match. Hands are sorted lists of cards."""

    options: HighCardOptions = field(kw_only=True)
    hands: list[list[int]] = field(default_factory=list)
    trick: tuple[Played, ...] = ()
    last_trick: tuple[Played, ...] = ()
    last_winner: int = NONE
    tricks: tuple[int, ...] = (0, 0)
    played: tuple[int, ...] = ()
    points: list[int] = field(default_factory=lambda: [0, 0])

    def deal(self, order: Sequence[int], leader: int) -> None:
        self.hands = [sorted(order[:HAND]), sorted(order[HAND : 2 * HAND])]
        self.history, self.played, self.tricks, self.turn = [], (), (0, 0), leader
        self.last_trick, self.last_winner = (), NONE
        if self.events is not None:
            self.events.append(Event("deal", 1 - leader))

    def legal(self) -> list[int]:
        return [] if self.turn == OVER else self.hands[self.turn][:]

    def apply(self, action: int) -> None:
        if action not in self.legal():
            raise IllegalAction("That card is not in this hand.")
        self.hands[self.turn].remove(action)
        self.history.append((self.turn, action))
        self.played += (action,)
        self.trick += ((self.turn, action),)
        self.turn = 1 - self.turn
        if len(self.trick) == 2:
            self._take_trick()

    def _take_trick(self) -> None:
        """The higher rank takes it; of equal ranks, the card that was led."""
        (leader, led), (other, answer) = self.trick
        winner = other if PACK.rank(answer) > PACK.rank(led) else leader
        self.tricks = tuple([won + (seat == winner) for seat, won in enumerate(self.tricks)])
        self.last_trick, self.last_winner = self.trick, winner
        self.trick, self.turn = (), winner
        if self.events is not None:
            self.events.append(Event("trick", winner, cards=(led, answer)))
        if not self.hands[winner]:
            self._end_hand(int(self.tricks[1] > self.tricks[0]))

    def _end_hand(self, winner: int) -> None:
        """Most tricks score a point. The winner of the hand leads the next."""
        self.points[winner] += 1
        self.last_points = (0, 1) if winner else (1, 0)
        self.winners = self.decided()
        if self.events is not None:
            self.events.append(Event("hand", winner, points=self.last_points))
        if self.winners:
            self.turn = OVER
            if self.events is not None:
                self.events.append(Event("match", winner, points=tuple(self.returns())))
            return
        self.hand_no += 1
        if self.deals_on:
            self.tick += 1
            self.deal(shuffled(self.seed, self.tick, PACK.cards), winner)

    def decided(self) -> tuple[int, ...]:
        """The side that has won the match, if any."""
        target = self.options.target
        return tuple([side for side, points in enumerate(self.points) if points == target])

    def view(self, seat: int) -> HighCardView:
        view = HighCardView(*SHARED.values(self))
        view.seat = seat
        view.scores = tuple(self.points)
        view.history = tuple(self.history)
        view.hand = tuple(self.hands[seat])
        view.hand_sizes = (len(self.hands[0]), len(self.hands[1]))
        return view

    def clone(self) -> "HighCardState":
        copy = copy_match(self, HighCardState.__new__(HighCardState))
        copy.options = self.options
        copy.hands = [hand[:] for hand in self.hands]
        copy.trick, copy.last_trick, copy.last_winner = (
            self.trick, self.last_trick, self.last_winner,
        )  # fmt: skip
        copy.tricks, copy.played, copy.points = self.tricks, self.played, self.points[:]
        return copy

    def scores(self) -> list[int]:
        return self.points[:]

    def label(self, action: int) -> str:
        return f"play {PACK.codes[action]}"

    def parse(self, text: str) -> int:
        words = text.split()
        if len(words) != 2 or words[0].lower() != "play":
            raise ValueError(f"{text!r} is not an action here; write play and a card.")
        return PACK.card(words[1])


class HighCard(Game):
    name = "high_card"
    title = "High Card"
    options = HighCardOptions
    num_actions = len(PACK)
    players = (2,)

    def new(
        self,
        seed: int = 0,
        deck: Sequence[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> HighCardState:
        """first: the seat that leads the first trick."""
        self.check_first(first, 2)
        state = HighCardState(seed, SIDES, options=self.make_options(options))
        state.tick = 1
        order = shuffled(seed, state.tick, PACK.cards)
        leader = draw(seed, 0, 2) if first is None else first
        state.deal(order if deck is None else PACK.stack(deck, order), leader)
        return state


GAME = HighCard()
