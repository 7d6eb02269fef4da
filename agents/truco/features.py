"""Features and moves of the Truco learners: chance to win, tricks, bids and score."""

from collections.abc import Sequence
from typing import Final

from agents.learners.features import Abstraction, Feature, Layout, Situation, among, bucket
from agents.truco.odds import ME, THEM, side_of, strengths
from engine.compiling import mypyc_attr
from engine.games.truco import (
    ACCEPT,
    ANSWERING_TRUCO,
    FLOR,
    HIGHEST_STAKE,
    NOBODY,
    RAISE,
    REJECT,
    VALUES,
    TrucoView,
    has_flor,
)

_MOVES: Final = (
    "call the flor",
    "lead the highest card",
    "win cheaply",
    "tie the trick",
    "throw the weakest card",
    "lead the lowest card",
    "lead the middle card",
    "win high",
    "throw another losing card",
    "accept",
    "reject",
    "raise",
    "raise back",
    "call a false flor",
)
(
    _FLOR,
    _LEAD_HIGH,
    _WIN_LOW,
    _TIE,
    _THROW_WEAKEST,
    _LEAD_LOW,
    _LEAD_MIDDLE,
    _WIN_HIGH,
    _THROW_OTHER,
    _ACCEPT,
    _REJECT,
    _RAISE,
    _RAISE_BACK,
    _FALSE_FLOR,
) = range(len(_MOVES))

_LEADING, _FOLLOWING, _ANSWERING = range(3)

_CHANCE_LIMITS: Final[tuple[float, ...]] = (0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99)
_CARD_LIMITS: Final[tuple[int, ...]] = (6, 8, 10, 14)
"""The lowest value of a rey or ace, of a two or three, of a mata and of a pieza."""

_CARD_WORDS: Final = ("low", "a rey or an ace", "a two or a three", "a mata", "a pieza")

_standing = Feature(
    "standing",
    (
        "first trick as mano",
        "first trick behind the mano",
        "first trick won",
        "first trick lost",
        "first trick tied as mano",
        "first trick tied behind the mano",
        "one trick each and the first is mine",
        "one trick each and the first is theirs",
        "two tricks tied as mano",
        "two tricks tied behind the mano",
    ),
)
_STANDINGS: Final = {
    ((), ME): 0,
    ((), THEM): 1,
    ((ME,), ME): 2,
    ((ME,), THEM): 2,
    ((THEM,), ME): 3,
    ((THEM,), THEM): 3,
    ((NOBODY,), ME): 4,
    ((NOBODY,), THEM): 5,
    ((ME, THEM), ME): 6,
    ((ME, THEM), THEM): 6,
    ((THEM, ME), ME): 7,
    ((THEM, ME), THEM): 7,
    ((NOBODY, NOBODY), ME): 8,
    ((NOBODY, NOBODY), THEM): 9,
}
"""By the winners of the tricks and the mano."""

_chance = Feature(
    "chance",
    (
        "the cards cannot win",
        "the cards hardly win",
        "the cards win one time in seven",
        "the cards win one time in four",
        "the cards win one time in three",
        "the cards win not quite every other time",
        "the cards win a bit more than every other time",
        "the cards win two times in three",
        "the cards win three times in four",
        "the cards win six times in seven",
        "the cards almost surely win",
        "the cards surely win",
    ),
)
_best = Feature("best card", tuple([f"best card {words}" for words in _CARD_WORDS]))
_next = Feature("next card", ("no other card", *[f"next card {words}" for words in _CARD_WORDS]))
_means = Feature(
    "means",
    (
        "cannot take the trick",
        "can tie the trick",
        "one card takes the trick",
        "one card takes the trick and one ties it",
        "several cards take the trick",
    ),
)
_on_table = Feature(
    "table", ("no card on the table", "my card on the table", "their card on the table")
)
_stake = Feature(
    "stake",
    (
        "the round is worth 1",
        "truco by me",
        "truco by them",
        "retruco by me",
        "retruco by them",
        "vale 4 by me",
        "vale 4 by them",
    ),
)
_bid = Feature("bid", ("they bid truco", "they bid retruco", "they bid vale 4"))

_NO_FLOR, _HELD, _MINE, _THEIRS, _BOTH, _BLUFFED = range(6)
_flor = Feature(
    "flor",
    (
        "",
        "I hold a flor",
        "I called my flor",
        "they called a flor",
        "both called a flor",
        "I called a false flor",
    ),
)

_my_need = Feature("my need", ("", "a raise would win me the match", "the round wins me the match"))
_their_need = Feature(
    "their need", ("", "a raise would win them the match", "the round wins them the match")
)


class _Hand:
    """The own cards as values, and the card to beat.

    led      the value of the card to beat, 0 if there is none
    owner    who played it
    """

    __slots__ = ("led", "mano", "owner", "results", "values")

    def __init__(self, view: TrucoView) -> None:
        strength = VALUES[view.muestra]
        self.values = [strength[card] for card in view.hand]
        self.mano = side_of(view.mano, view.seat)
        self.results = tuple([side_of(winner, view.seat) for winner in view.results])
        self.led, self.owner = 0, NOBODY
        if view.tricks and len(view.tricks[-1]) == 1:
            who, card = view.tricks[-1][0]
            self.led, self.owner = strength[card], side_of(who, view.seat)

    def standing(self) -> int:
        return _STANDINGS[self.results, self.mano]

    def chance(self) -> int:
        chances = strengths(self.mano, self.results, self.led, self.owner)
        return bucket(float(chances[tuple(self.values)]), _CHANCE_LIMITS)


@mypyc_attr(native_class=False)
class TrucoAbstraction(Abstraction[TrucoView]):
    """The main feature is the chance to win the round. Cards, bids and the score add to it."""

    game = "truco"
    version = 1
    layouts = (
        Layout(
            "leading",
            (_standing, _chance, _flor, _my_need, _their_need, _stake, _best, _next),
            outline=("standing", "chance", "flor", "stake"),
        ),
        Layout(
            "following",
            (_standing, _chance, _flor, _my_need, _their_need, _stake, _means),
            outline=("standing", "chance", "stake", "means"),
        ),
        Layout(
            "answering",
            (_standing, _chance, _flor, _my_need, _their_need, _bid, _on_table),
            outline=("standing", "chance", "bid"),
        ),
    )
    move_names = _MOVES

    def situation(self, view: TrucoView) -> Situation:
        hand = _Hand(view)
        common = (
            hand.standing(), hand.chance(), _flor_of(view),
            _need(view, view.seat), _need(view, 1 - view.seat),
        )  # fmt: skip
        if view.phase == ANSWERING_TRUCO:
            return (_ANSWERING, *common, view.bid - 2, hand.owner + 1)
        stake = 2 * (view.stake - 1) - (view.raiser == view.seat)
        if hand.owner == NOBODY:
            return (_LEADING, *common, stake, *_shape(hand))
        return (_FOLLOWING, *common, stake, _means_of(hand))

    def moves(self, view: TrucoView, legal: Sequence[int]) -> dict[int, int]:
        if view.phase == ANSWERING_TRUCO:
            moves = {ACCEPT: _ACCEPT, REJECT: _REJECT}
            if RAISE in legal:
                moves[RAISE] = _RAISE_BACK
        else:
            hand = _Hand(view)
            moves = _leads(hand.values) if hand.owner == NOBODY else _answers(hand)
            if RAISE in legal:
                moves[RAISE] = _RAISE
        if FLOR in legal:
            moves[FLOR] = _FLOR if has_flor(view.hand, view.muestra) else _FALSE_FLOR
        return among(moves, legal)


def _flor_of(view: TrucoView) -> int:
    mine, theirs = view.flor_called[view.seat], view.flor_called[1 - view.seat]
    if mine and not has_flor([*view.hand, *view.played_by(view.seat)], view.muestra):
        return _BLUFFED
    if view.flor_open and has_flor(view.hand, view.muestra):
        return _HELD
    if mine:
        return _BOTH if theirs else _MINE
    return _THEIRS if theirs else _NO_FLOR


def _need(view: TrucoView, seat: int) -> int:
    """0, 1 if a raise would win the match for a seat, 2 if this round would."""
    missing = view.target() - view.scores[seat]
    if missing > HIGHEST_STAKE:
        return 0
    return 2 if missing <= view.stake else 1


# Playing a card


def _shape(hand: _Hand) -> tuple[int, int]:
    best = bucket(hand.values[-1], _CARD_LIMITS)
    return best, bucket(hand.values[-2], _CARD_LIMITS) + 1 if len(hand.values) > 1 else 0


def _means_of(hand: _Hand) -> int:
    winners = sum([value > hand.led for value in hand.values])
    ties = hand.led in hand.values
    if winners > 1:
        return 4
    return 2 * winners + ties


def _leads(values: Sequence[int]) -> dict[int, int]:
    moves = {}
    for place in reversed(range(len(values))):
        if values[place] == values[-1]:
            moves[place] = _LEAD_HIGH
        elif values[place] == values[0]:
            moves[place] = _LEAD_LOW
        else:
            moves[place] = _LEAD_MIDDLE
    return moves


def _answers(hand: _Hand) -> dict[int, int]:
    values, led = hand.values, hand.led
    winners = [place for place, value in enumerate(values) if value > led]
    losers = [place for place, value in enumerate(values) if value < led]
    moves = dict.fromkeys(winners[:1], _WIN_LOW)
    moves.update(dict.fromkeys(reversed(winners[1:]), _WIN_HIGH))
    moves.update({place: _TIE for place, value in enumerate(values) if value == led})
    moves.update(dict.fromkeys(losers[:1], _THROW_WEAKEST))
    moves.update(dict.fromkeys(losers[1:], _THROW_OTHER))
    return moves
