"""Network inputs for Smear: the strength of each suit for bets, the hand behind each trump, and
all cards seen for plays. Suits are sorted by their role in the hand, not by name."""

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.learners.encoding import Encoding, Floats, Part, Seen
from agents.smear.features import STAKES, stakes_of, strongest_first
from agents.smear.rules import (
    ABOVE,
    WORTH,
    HardSmear,
    chances,
    game_lead,
    honest,
    points_ahead,
    unseen_cards,
)
from engine.cards import cards_in
from engine.games.smear import (
    BET,
    BETTING,
    CARDS,
    HAND_SIZE,
    JACK,
    MAX_BET,
    MIN_BET,
    NAMING,
    NOT_YET,
    PASS,
    RANKS,
    SEATS,
    SUITS,
    TARGET,
    TRUMP,
    SmearView,
)
from engine.tricks import NO_SUIT

_SUIT: Final = (1 << RANKS) - 1

_SCORES: Final = 2 + 2 * 4
_AUCTION: Final = 3 * 5 + 4
_BETTING: Final = CARDS + 2 * 3 + _AUCTION + _SCORES + 4 + 3
_NAMING: Final = CARDS + 3 + 4 + _SCORES + 2
_COMMON: Final = len(STAKES.values) + 2 * SEATS + 2 + HAND_SIZE + 5 + 3 + _SCORES + 2 * RANKS + 6
_GAME: Final = _COMMON + RANKS
_JACK: Final = _GAME + len(STAKES.values)
_CARD: Final = _JACK + len(STAKES.values)
_PLAYING: Final = _CARD + 12


class SmearEncoding(Encoding[SmearView]):
    """The score of `hard` is an input, so that the network learns where `hard` is wrong."""

    game = "smear"
    version = 1
    parts = (Part("betting", _BETTING), Part("naming trump", _NAMING), Part("playing", _PLAYING))

    def __init__(self) -> None:
        self._rules = HardSmear()
        self._no_chance = Random(0)

    def encode(self, view: SmearView, legal: Sequence[int]) -> Seen:
        actions = honest(view, legal)
        if view.phase == BETTING:
            return Seen(0, actions, self._betting(view, actions))
        if view.phase == NAMING:
            return Seen(1, actions, self._naming(view, actions))
        return Seen(2, actions, self._playing(view, actions))

    def _scores_of_hard(self, view: SmearView, actions: list[int]) -> list[float]:
        """The scores of the rule player, which uses no random numbers."""
        scores = self._rules.act(view, actions, self._no_chance).scores
        return [scores[action] for action in actions]

    def _betting(self, view: SmearView, actions: list[int]) -> Floats:
        suits = strongest_first(view.hand, MIN_BET)
        state: list[float] = _bits(
            _in_order(view.hand, [suit for suit, _ in suits]), CARDS
        ).tolist()
        for suit, _ in suits[:2]:
            state += points_ahead(view.hand, suit).values()
        state += _auction(view)
        state += _scores(view)
        ahead = points_ahead(view.hand, suits[0][0])
        scores = self._scores_of_hard(view, actions)
        best = max(scores)
        rows = []
        for action, score in zip(actions, scores, strict=True):
            bet = 0 if action == PASS else action - BET
            rows.append(
                [
                    *state, *_one_of(max(0, bet - 1), 4),
                    score, score - best, ahead[bet] if bet else 0.0,
                ]
            )  # fmt: skip
        return np.array(rows, dtype=np.float32)

    def _naming(self, view: SmearView, actions: list[int]) -> Floats:
        scores = self._scores_of_hard(view, actions)
        best = max(scores)
        state = [*_one_of(view.bet - MIN_BET, 3), *_one_of(_place(view, view.dealer), 4)]
        state += _scores(view)
        rows = []
        for action, score in zip(actions, scores, strict=True):
            order = _named_first(view.hand, action - TRUMP)
            rows.append([*_bits(_in_order(view.hand, order), CARDS), *state, score, score - best])
        return np.array(rows, dtype=np.float32)

    def _playing(self, view: SmearView, actions: list[int]) -> Floats:
        unseen = unseen_cards(view)
        stakes = stakes_of(view)
        weighed = chances(view, actions)
        usual_game = sum([game for _, game, _ in weighed.values()]) / len(actions)
        usual_jack = sum([jack for _, _, jack in weighed.values()]) / len(actions)
        most = max([game + jack for _, game, jack in weighed.values()])
        led = view.trick[0][1] // RANKS if view.trick else NO_SUIT
        on_table = sum([WORTH[card] for _, card in view.trick])
        rows = np.zeros((len(actions), _PLAYING), dtype=np.float32)
        rows[:, :_COMMON] = _common(view, unseen, stakes, on_table)
        for at, (card, (take, game, jack)) in enumerate(weighed.items()):
            row = rows[at]
            suit, rank = divmod(card, RANKS)
            higher = ABOVE[card] & unseen
            row[_COMMON + rank] = 1
            row[_GAME + stakes] = game - usual_game
            row[_JACK + stakes] = jack - usual_jack
            row[_CARD:] = (
                suit == view.trump,
                suit == led,
                take,
                game,
                jack,
                game + jack - most,
                (on_table + WORTH[card]) / 10,
                WORTH[card] / 10,
                not higher,
                higher.bit_count() / 5,
                (view.hand & SUITS[suit]).bit_count() / 3,
                (unseen & SUITS[suit]).bit_count() / 5,
            )
        return rows


def _named_first(hand: int, trump: int) -> list[int]:
    """Trump first, then by the cards held."""
    return sorted(range(4), key=lambda suit: (suit != trump, -(hand >> suit * RANKS & _SUIT)))


def _in_order(cards: int, suits: Sequence[int]) -> int:
    """The same cards with the suits in this order."""
    a, b, c, d = suits
    return (
        cards >> a * RANKS & _SUIT
        | (cards >> b * RANKS & _SUIT) << RANKS
        | (cards >> c * RANKS & _SUIT) << 2 * RANKS
        | (cards >> d * RANKS & _SUIT) << 3 * RANKS
    )


def _bits(mask: int, count: int) -> NDArray[np.uint8]:
    raw = np.frombuffer(mask.to_bytes(count // 8, "little"), dtype=np.uint8)
    return np.unpackbits(raw, bitorder="little")


def _one_of(place: int, count: int) -> list[float]:
    row = [0.0] * count
    row[place] = 1.0
    return row


def _place(view: SmearView, seat: int) -> int:
    """The number of places from this seat to another, to the left."""
    return (seat - view.seat) % SEATS


def _auction(view: SmearView) -> list[float]:
    """The action of each other seat so far, and the number of seats still to bet."""
    row: list[float] = []
    for place in range(1, SEATS):
        bet = view.bets[(view.seat + place) % SEATS]
        row += _one_of(0 if bet == NOT_YET else max(bet, 1), 5)
    return row + _one_of(view.bets.count(NOT_YET) - 1, 4)


def _scores(view: SmearView) -> list[float]:
    row: list[float] = []
    for side in (view.seat % 2, 1 - view.seat % 2):
        score = view.scores[side]
        row += [score / TARGET, *[float(score + more >= TARGET) for more in range(1, MAX_BET + 1)]]
    return row


def _common(view: SmearView, unseen: int, stakes: int, on_table: int) -> list[float]:
    """The inputs that do not depend on the card played."""
    side = view.seat % 2
    row = _one_of(stakes, len(STAKES.values))
    row += _one_of(len(view.trick), SEATS)
    ours = bool(view.trick) and view.winner % 2 == side
    row += [float(ours), float(bool(view.trick) and not ours)]
    row += _one_of(view.hand.bit_count() - 1, HAND_SIZE)
    row += _one_of(_place(view, view.bettor), SEATS)
    jack = view.trump * RANKS + JACK
    places = (view.hand, unseen, view.taken[side], view.taken[1 - side])
    row += [float(cards >> jack & 1) for cards in places]
    row.append(float(any(card == jack for _, card in view.trick)))
    worth = sum([WORTH[card] for card in cards_in(view.hand)])
    row += [game_lead(view) / 10, worth / 10, on_table / 10]
    row += _scores(view)
    for cards in (view.hand, unseen):
        row += [float(cards >> view.trump * RANKS + rank & 1) for rank in range(RANKS)]
    for place in range(1, SEATS):
        void = view.voids[(view.seat + place) % SEATS]
        row.append(float(SUITS[view.trump] & ~void == 0))
        row.append(sum([SUITS[suit] & ~void == 0 for suit in range(4)]) / 2)
    return row
