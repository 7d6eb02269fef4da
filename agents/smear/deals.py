"""Many deals of one hand of Smear side by side, by the engine's rules.

A row of every array stands for a deal. All deals are at the same place of the hand: what
differs is who holds what, who acts and what has been done.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

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


PER_DEAL: Final = (
    "hands", "dealt", "turn", "bet", "bettor", "trump", "led", "best", "winner",
    "on_table", "played", "taken", "voids",
)  # fmt: skip
"""What differs from deal to deal; all else they have in common."""


def count(masks: Ints) -> Ints:
    """How many cards each mask has."""
    return np.bitwise_count(masks).astype(np.int64)


def game_points(masks: Ints) -> Ints:
    """What each mask of cards counts towards the point for game."""
    total = np.zeros(masks.shape, np.int64)
    for cards, rank in GAME_CARDS.items():
        total += GAME_POINTS[rank] * count(masks & cards)
    return total


class Deals:
    """Deals of one hand, somewhere between the first bet and the last card.

    hands     what each seat still holds
    dealt     what each side was dealt, which it plays by the end
    turn      who acts
    bets      how many seats have bet or passed; 4 once trump is to be named
    in_trick  how many cards lie on the table
    """

    def __init__(self, hands: Ints, dealer: int, scores: tuple[int, ...]) -> None:
        """Hands as they were dealt, one row for each deal, before the first bet."""
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

    def pick(self, rows: Ints) -> "Deals":
        """These deals, each as often as it is named."""
        picked = object.__new__(Deals)
        picked.__dict__.update(self.__dict__)
        picked.size = len(rows)
        picked.rows = np.arange(len(rows))
        for name in PER_DEAL:
            setattr(picked, name, getattr(self, name)[rows])
        return picked

    @property
    def over(self) -> bool:
        return not self.held

    # Acting

    def choices(self) -> Ints:
        """For each deal the actions to choose from, in a row; some may not be legal."""
        if self.bets < SEATS:
            actions = np.array([PASS, *[BET + bet for bet in BETS]])
        elif not self.named:
            actions = np.array([TRUMP, TRUMP + 1, TRUMP + 2, TRUMP + 3])
        else:
            return self.cards()
        return np.broadcast_to(actions, (self.size, len(actions)))

    def apply(self, actions: Ints) -> None:
        """One action in each deal."""
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
        """What the hand brings each side, once it is over."""
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
        """What whose turn it is holds."""
        return np.asarray(self.hands[self.rows, self.turn])

    def cards(self) -> Ints:
        """The same card by card, ascending."""
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
