"""High Card, a sixth game in a hundred lines: five cards each, the higher card takes the
trick, who takes more tricks gets a point, and the first to three points wins."""

from dataclasses import dataclass, field
from random import Random

from engine.cards import french
from engine.chance import draw, shuffled
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
    target: int = option(3, "points that win the match", low=1)


@dataclass(slots=True)
class HighCardView(View):
    trick: tuple[Played, ...]
    tricks: tuple[int, ...]
    hand: tuple[int, ...] = field(init=False)

    def label(self, action: int) -> str:
        return f"play {PACK.codes[action]}"

    def sample(self, rng: Random) -> "HighCardState":
        """Deal the other hand from the cards this seat has not seen."""
        seen = {*self.hand, *[card for _, card in self.history]}
        unseen = [card for card in range(len(PACK)) if card not in seen]
        other = 1 - self.seat
        held = HAND - len([seat for seat, _ in self.history if seat == other])
        state = HighCardState(rng.getrandbits(63), **SHARED.named(self))
        state.tick = 2 + self.hand_no
        state.history, state.points = list(self.history), list(self.scores)
        state.hands = [[], []]
        state.hands[self.seat] = list(self.hand)
        state.hands[other] = sorted(rng.sample(unseen, held))
        return state


SHARED = SharedFields(HighCardView)


@dataclass(slots=True, eq=False, repr=False)
class HighCardState(State):
    options: HighCardOptions = field(kw_only=True)
    hands: list[list[int]] = field(default_factory=list)
    trick: tuple[Played, ...] = ()
    tricks: tuple[int, ...] = (0, 0)
    points: list[int] = field(default_factory=lambda: [0, 0])

    def deal(self, order: list[int], leader: int) -> None:
        self.hands = [sorted(order[:HAND]), sorted(order[HAND : 2 * HAND])]
        self.history, self.trick, self.tricks, self.turn = [], (), (0, 0), leader

    def legal(self) -> list[int]:
        return [] if self.turn == OVER else self.hands[self.turn][:]

    def apply(self, action: int) -> None:
        if action not in self.legal():
            raise IllegalAction("That card is not in this hand.")
        self.hands[self.turn].remove(action)
        self.history.append((self.turn, action))
        self.trick += ((self.turn, action),)
        self.turn = 1 - self.turn
        if len(self.trick) == 2:
            self._take_trick()

    def _take_trick(self) -> None:
        """The higher rank takes it, the first of equals."""
        (first, led), (second, answered) = self.trick
        winner = second if PACK.rank(answered) > PACK.rank(led) else first
        first_has, second_has = self.tricks
        self.tricks = (first_has, second_has + 1) if winner else (first_has + 1, second_has)
        self.trick, self.turn = (), winner
        if not self.hands[winner]:
            self._count(int(self.tricks[1] > self.tricks[0]))

    def _count(self, winner: int) -> None:
        self.points[winner] += 1
        self.last_points = (0, 1) if winner else (1, 0)
        if self.events is not None:
            self.events.append(Event("hand", winner, points=self.last_points))
        if self.points[winner] >= self.options.target:
            self.turn, self.winners = OVER, (winner,)
            return
        self.hand_no += 1
        self.tick += 1
        self.deal(shuffled(self.seed, self.tick, len(PACK)), winner)

    def view(self, seat: int) -> HighCardView:
        view = HighCardView(*SHARED.values(self))
        view.seat = seat
        view.scores = tuple(self.points)
        view.history = tuple(self.history)
        view.hand = tuple(self.hands[seat])
        return view

    def clone(self) -> "HighCardState":
        copy = copy_match(self, HighCardState.__new__(HighCardState))
        copy.options = self.options
        copy.hands = [hand[:] for hand in self.hands]
        copy.trick, copy.tricks, copy.points = self.trick, self.tricks, self.points[:]
        return copy

    def scores(self) -> list[int]:
        return self.points[:]

    def label(self, action: int) -> str:
        return f"play {PACK.codes[action]}"

    def parse(self, text: str) -> int:
        words = text.split()
        if len(words) != 2 or words[0].lower() != "play":
            raise ValueError(f"{text!r} is no action here; write play and a card.")
        return PACK.card(words[1])


class HighCard(Game):
    name = "highcard"
    title = "High Card"
    options = HighCardOptions
    num_actions = len(PACK)
    players = (2,)

    def new(
        self,
        seed: int = 0,
        deck: list[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> HighCardState:
        self.check_first(first, 2)
        state = HighCardState(seed, SIDES, options=self.make_options(options))
        state.tick = 3
        order = shuffled(seed, state.tick, len(PACK))
        leader = draw(seed, 0, 2) if first is None else first
        state.deal(order if deck is None else PACK.stack(deck, order), leader)
        return state
