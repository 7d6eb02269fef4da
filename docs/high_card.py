"""High Card, a sixth game in a hundred lines: five cards each, the higher card takes the
trick, who takes more tricks gets a point, and the first to three points wins."""

from dataclasses import dataclass
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
    hand: tuple[int, ...]
    trick: tuple[Played, ...]
    tricks: tuple[int, ...]

    def label(self, action: int) -> str:
        return f"play {PACK.codes[action]}"

    def sample(self, rng: Random) -> "HighCardState":
        """Deal the other hand from the cards this seat has not seen."""
        seen = {*self.hand, *[card for _, card in self.history]}
        unseen = [card for card in range(len(PACK)) if card not in seen]
        other = 1 - self.seat
        held = HAND - len([seat for seat, _ in self.history if seat == other])
        state = HighCardState(rng.getrandbits(63), self.options)
        state.turn, state.hand_no, state.tick = self.turn, self.hand_no, 2 + self.hand_no
        state.history, state.trick = list(self.history), list(self.trick)
        state.points, state.tricks = list(self.scores), list(self.tricks)
        state.hands[self.seat] = list(self.hand)
        state.hands[other] = sorted(rng.sample(unseen, held))
        return state


class HighCardState(State):
    __slots__ = ("hands", "options", "points", "trick", "tricks")

    def __init__(self, seed: int, options: Options) -> None:
        super().__init__(seed, SIDES)
        self.options = options
        self.hands: list[list[int]] = [[], []]
        self.trick: list[Played] = []
        self.tricks = [0, 0]
        self.points = [0, 0]

    def deal(self, order: list[int], leader: int) -> None:
        self.hands = [sorted(order[:HAND]), sorted(order[HAND : 2 * HAND])]
        self.history, self.trick, self.tricks, self.turn = [], [], [0, 0], leader

    def legal(self) -> list[int]:
        return [] if self.turn == OVER else self.hands[self.turn][:]

    def apply(self, action: int) -> None:
        if action not in self.legal():
            raise IllegalAction("That card is not in this hand.")
        self.hands[self.turn].remove(action)
        self.history.append((self.turn, action))
        self.trick.append((self.turn, action))
        self.turn = 1 - self.turn
        if len(self.trick) == 2:
            self._take_trick()

    def _take_trick(self) -> None:
        """The higher rank takes it, the first of equals."""
        (first, led), (second, answered) = self.trick
        winner = second if PACK.rank(answered) > PACK.rank(led) else first
        self.tricks[winner] += 1
        self.trick, self.turn = [], winner
        if not self.hands[winner]:
            self._count(int(self.tricks[1] > self.tricks[0]))

    def _count(self, winner: int) -> None:
        self.points[winner] += 1
        self.last_points = [int(side == winner) for side in range(2)]
        if self.events is not None:
            self.events.append(Event("hand", winner, points=(*map(float, self.last_points),)))
        if self.points[winner] >= self.options.as_dict()["target"]:
            self.turn, self.winners = OVER, (winner,)
            return
        self.hand_no += 1
        self.tick += 1
        self.deal(shuffled(self.seed, self.tick, len(PACK)), winner)

    def view(self, seat: int) -> HighCardView:
        return HighCardView(
            self.options, seat, self.turn, self.hand_no, tuple(self.points), SIDES,
            tuple(self.history), tuple(self.hands[seat]), tuple(self.trick), tuple(self.tricks),
        )  # fmt: skip

    def clone(self) -> "HighCardState":
        copy = copy_match(self, HighCardState(self.seed, self.options))
        copy.hands = [hand[:] for hand in self.hands]
        copy.trick, copy.tricks, copy.points = self.trick[:], self.tricks[:], self.points[:]
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
        state = HighCardState(seed, self.make_options(options))
        state.tick = 3
        order = shuffled(seed, state.tick, len(PACK))
        leader = draw(seed, 0, 2) if first is None else first
        state.deal(order if deck is None else PACK.stack(deck, order), leader)
        return state
