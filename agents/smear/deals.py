"""Many deals of one hand of Smear, played in parallel with numpy by the rules of the engine.

Each row of an array is a deal. All deals are at the same point of the hand. They differ in the
cards, in the seat to act and in the actions taken.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.search.batches import Batch
from agents.smear.rules import ACES, BEATEN_BY, JACKS, KINGS, QUEENS, TENS
from engine.games.smear import (
    ACE,
    BET,
    CARDS,
    GAME_POINTS,
    HAND_SIZE,
    JACK,
    KING,
    MAX_BET,
    MIN_BET,
    PASS,
    QUEEN,
    RANKS,
    SEATS,
    SUITS,
    TEN,
    TRUMP,
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BETS: Final = range(MIN_BET, MAX_BET + 1)

SUIT_MASKS: Final = np.array(SUITS, np.int64)
SUIT_OF: Final = np.arange(CARDS) // RANKS
BEATEN: Final = np.array(BEATEN_BY, np.int64)
"""For each trump, led suit and card: the cards that beat it."""
GAME_CARDS: Final = {TENS: TEN, JACKS: JACK, QUEENS: QUEEN, KINGS: KING, ACES: ACE}


def count(masks: Ints) -> Ints:
    """The number of cards in each mask."""
    return np.bitwise_count(masks).astype(np.int64)


def game_points(masks: Ints) -> Ints:
    """The game points of the cards in each mask."""
    total = np.zeros(masks.shape, np.int64)
    for cards, rank in GAME_CARDS.items():
        total += GAME_POINTS[rank] * count(masks & cards)
    return total


class Deals(Batch):
    """Deals of one hand, at any point between the first bet and the last card.

    hands     the cards in each hand
    dealt     all cards dealt to each side
    turn      the seat to act
    bets      the number of seats that have bet or passed; 4 once trump is to be named
    in_trick  the number of cards in the trick
    """

    per_deal = (
        "hands", "dealt", "turn", "bet", "bettor", "trump", "led", "best", "winner",
        "on_table", "played", "taken", "voids",
    )  # fmt: skip

    def __init__(self, hands: Ints, dealer: int, scores: tuple[int, ...]) -> None:
        """hands: the dealt hands before the first bet, one row for each deal."""
        size = len(hands)
        self.size = size
        self.rows = np.arange(size)
        self.dealer = dealer
        self.scores = scores
        self.hands = hands.copy()
        self.dealt = np.stack([hands[:, 0] | hands[:, 2], hands[:, 1] | hands[:, 3]], axis=1)
        self.turn = np.full(size, (dealer + 1) % SEATS)
        self.bets = 0
        self.named = False
        self.bet = np.zeros(size, np.int64)
        self.bettor = np.full(size, -1)
        self.trump = np.zeros(size, np.int64)
        self.held = HAND_SIZE
        self.in_trick = 0
        self.led = np.zeros(size, np.int64)
        self.best = np.zeros(size, np.int64)
        self.winner = np.zeros(size, np.int64)
        self.on_table = np.zeros(size, np.int64)
        self.played = np.zeros(size, np.int64)
        self.taken = np.zeros((size, 2), np.int64)
        self.voids = np.zeros((size, SEATS), np.int64)

    @property
    def over(self) -> bool:
        return not self.held

    # Acting

    def choices(self) -> Ints:
        """For each deal a row of actions; some of them may be illegal."""
        if self.bets < SEATS:
            actions = np.array([PASS, *[BET + bet for bet in BETS]])
        elif not self.named:
            actions = np.array([TRUMP, TRUMP + 1, TRUMP + 2, TRUMP + 3])
        else:
            return self.cards()
        return np.broadcast_to(actions, (self.size, len(actions)))

    def apply(self, actions: Ints) -> None:
        """Apply one action in each deal."""
        if self.named:
            self._play(actions)
        elif self.bets < SEATS:
            bet = actions > PASS
            self.bet = np.where(bet, actions - BET, self.bet)
            self.bettor = np.where(bet, self.turn, self.bettor)
            self.bets += 1
            self.turn = (self.turn + 1) % SEATS if self.bets < SEATS else self.bettor
        else:
            self.trump = actions - TRUMP
            self.named = True

    def _play(self, cards: Ints) -> None:
        rows, turn = self.rows, self.turn
        bits = np.left_shift(1, cards)
        if self.in_trick:
            follow = SUIT_MASKS[self.led]
            astray = (bits & (follow | SUIT_MASKS[self.trump])) == 0
            self.voids[rows, turn] |= np.where(astray, follow, 0)
            beats = (BEATEN[self.trump, self.led, self.best] & bits) != 0
            self.best = np.where(beats, cards, self.best)
            self.winner = np.where(beats, turn, self.winner)
            self.on_table = self.on_table | bits
        else:
            self.led, self.best = SUIT_OF[cards], cards
            self.winner, self.on_table = turn, bits
        self.hands[rows, turn] ^= bits
        self.played = self.played | bits
        self.in_trick += 1
        if self.in_trick < SEATS:
            self.turn = (turn + 1) % SEATS
            return
        self.taken[rows, self.winner % 2] |= self.on_table
        self.turn = self.winner
        self.in_trick = 0
        self.held -= 1

    # Scoring

    def points(self) -> Ints:
        """The points of each side after the hand."""
        rows = self.rows
        trumps = SUIT_MASKS[self.trump] & (self.dealt[:, 0] | self.dealt[:, 1])
        lowest = trumps & -trumps
        highest = _top(trumps)
        jack = np.left_shift(1, self.trump * RANKS + JACK) & trumps
        game = game_points(self.taken)
        points = np.zeros((self.size, 2), np.int64)
        for side in (0, 1):
            dealt, taken = self.dealt[:, side], self.taken[:, side]
            points[:, side] = (
                ((dealt & lowest) != 0).astype(np.int64)
                + ((dealt & highest) != 0)
                + ((taken & jack) != 0)
                + (game[:, side] > game[:, 1 - side])
            )
        betting = self.bettor % 2
        made = points[rows, betting]
        points[rows, betting] = np.where(made < self.bet, -self.bet, made)
        return points

    # Looking

    def hand(self) -> Ints:
        """The hand of the seat to act."""
        return np.asarray(self.hands[self.rows, self.turn])

    def cards(self) -> Ints:
        """The cards of the seat to act, in ascending order."""
        hand = self.hand()
        columns = []
        for _ in range(self.held):
            low = hand & -hand
            columns.append(count(low - 1))
            hand = hand ^ low
        return np.stack(columns, axis=1)


def _top(masks: Ints) -> Ints:
    """The highest card of each mask."""
    for shift in (1, 2, 4, 8, 16, 32):
        masks = masks | masks >> shift
    return masks ^ masks >> 1
