"""Features and moves of the Fodinha learners: the expected wins of a hand, the wins still needed,
and the cards that are likely to take the trick."""

from collections.abc import Sequence
from typing import Final

from agents.fodinha.rules import Trick, blind_chance, unseen_by_strength, win_chances
from agents.learners.features import Abstraction, Feature, Layout, Situation, among, bucket
from engine.compiling import mypyc_attr
from engine.games.fodinha import (
    APPROVE,
    CALL,
    CALLING,
    NO_CALL,
    RANKS,
    REJECT,
    STRENGTH,
    TURNING,
    FodinhaView,
)

_MOVES: Final = (
    "approve the power card",
    "call what the hand promises",
    "take the trick with the lowest likely winner",
    "throw off the highest likely loser",
    "try the highest doubtful card",
    "try the lowest doubtful card",
    "throw off the lowest likely loser",
    "take the trick with the highest likely winner",
    "play hidden",
    "call one less",
    "call one more",
    "reject the power card",
    "call far less",
    "call far more",
)
(
    _APPROVE,
    _CALL_PROMISE,
    _WIN_LOW,
    _LOSE_HIGH,
    _TRY_HIGH,
    _TRY_LOW,
    _LOSE_LOW,
    _WIN_HIGH,
    _PLAY_HIDDEN,
    _CALL_LESS,
    _CALL_MORE,
    _REJECT,
    _CALL_FAR_LESS,
    _CALL_FAR_MORE,
) = range(len(_MOVES))

_TURNING, _CALLING, _CALLING_BLIND, _PLAYING_BLIND, _LEADING, _FOLLOWING = range(6)

_LIKELY: Final = 0.7
"""The lowest chance of a likely winner."""
_UNLIKELY: Final = 0.15
"""The highest chance of a likely loser."""

_MOST: Final = 3
"""The largest number of missing or surplus wins that is distinguished."""

_SPARE_LIMITS: Final[tuple[float, ...]] = (-1.0, -0.35, 0.35, 1.0)
_CHANCE_LIMITS: Final[tuple[float, ...]] = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)

_power_cards = Feature(
    "power cards",
    ("no power card face up", "one power card face up", "several power cards face up"),
)
_cards = Feature(
    "cards",
    ("one card", "two cards", "three cards", "four cards", "five or six cards", "seven or more"),
)
_promise = Feature(
    "promise",
    (
        "the hand promises no win",
        "the hand promises one win",
        "the hand promises two wins",
        "the hand promises three wins",
        "the hand promises four wins or more",
    ),
)
_rounding = Feature("rounding", ("or rather less", "", "or rather more"))
_heard = Feature(
    "heard",
    ("nobody has called", "others call little", "others call their share", "others call a lot"),
)
_last = Feature("last", ("", "I deal and call last"))
_chance = Feature(
    "chance",
    (
        "my card can hardly win",
        "my card wins one time in six",
        "my card wins one time in three",
        "my card wins not quite every other time",
        "my card wins a bit more than every other time",
        "my card wins two times in three",
        "my card wins five times in six",
        "my card wins almost surely",
    ),
)
_zeros = Feature("zeros", ("", "one calls no win", "several call no win"))
_ones = Feature("ones", ("", "one calls a win", "several call a win"))
_called = Feature("called", ("I called no win", "I called a win"))
_need = Feature(
    "need",
    (
        "three wins or more too many",
        "two wins too many",
        "one win too many",
        "no win needed",
        "one win needed",
        "two wins needed",
        "three wins or more needed",
    ),
)
_spare = Feature(
    "spare",
    (
        "the hand is far too weak",
        "the hand is a little weak",
        "the hand is just right",
        "the hand is a little strong",
        "the hand is far too strong",
    ),
)
_left = Feature("left", ("last card", "two cards", "three cards", "four or more cards"))
_behind = Feature("behind", ("last to play", "one still to play", "several still to play"))
_winner = Feature("winner", ("", "a likely winner", "several likely winners"))
_loser = Feature("loser", ("", "a likely loser", "several likely losers"))
_carry = Feature("carry", ("", "the trick counts double or more"))
_wanted = Feature("wanted", ("others want little", "others want the rest", "others want a lot"))


class _HandOdds:
    """The odds of the cards in hand.

    chances   for each card the chance that it takes this trick
    need      wins missing from the call; negative if there are too many
    spare     expected wins of the whole hand minus the needed ones
    """

    __slots__ = ("chances", "need", "spare", "strength")

    def __init__(self, view: FodinhaView) -> None:
        self.strength = STRENGTH[view.power]
        unseen = unseen_by_strength(view)
        to_come = view.out_in.count(0) - 1 - len(view.trick)
        trick = Trick([self.strength[card] for _, card in view.trick], view.rules.pairs)
        now = win_chances(unseen, trick, to_come)
        self.chances = {card: now[self.strength[card]] for card in view.hand}
        self.need = view.calls[view.seat] - view.wins[view.seat]
        only_this_trick = len(view.hand) == 1
        expected = sum(self.chances.values()) if only_this_trick else _expected_wins(view, unseen)
        self.spare = expected - self.need


@mypyc_attr(native_class=False)
class FodinhaAbstraction(Abstraction[FodinhaView]):
    """Calls depend on the expected wins, plays on whether the hand can keep the call."""

    game = "fodinha"
    version = 1
    layouts = (
        Layout("choosing the power card", (_power_cards,)),
        Layout(
            "calling",
            (_cards, _promise, _rounding, _heard, _last),
            outline=("cards", "promise", "rounding"),
        ),
        Layout("calling blind", (_chance, _zeros, _ones)),
        Layout("playing blind", (_called, _chance, _zeros, _ones)),
        Layout(
            "leading",
            (_need, _spare, _left, _winner, _loser, _carry, _wanted),
            outline=("need", "spare", "winner", "loser"),
        ),
        Layout(
            "following",
            (_need, _spare, _left, _behind, _winner, _loser, _carry),
            outline=("need", "behind", "winner", "loser"),
        ),
    )
    move_names = _MOVES

    def situation(self, view: FodinhaView) -> Situation:
        if view.phase == TURNING:
            shown = [card % RANKS for card in view.turned].count(view.power)
            return (_TURNING, min(shown, 2))
        if view.blind:
            return _blind_situation(view)
        if view.phase == CALLING:
            return _calling_situation(view)
        return _playing_situation(view)

    def moves(self, view: FodinhaView, legal: Sequence[int]) -> dict[int, int]:
        if view.phase == TURNING:
            return among({APPROVE: _APPROVE, REJECT: _REJECT}, legal)
        if view.phase == CALLING:
            unseen = unseen_by_strength(view)
            expected = blind_chance(view, unseen) if view.blind else _expected_wins(view, unseen)
            return _call_moves(int(expected + 0.5), legal)
        if view.blind:
            return dict.fromkeys(legal, _PLAY_HIDDEN)
        return among(_card_moves(_HandOdds(view)), legal)


def _expected_wins(view: FodinhaView, unseen: Sequence[int]) -> float:
    """The expected wins of the cards in hand, each in a trick of its own."""
    chances = win_chances(unseen, Trick((), view.rules.pairs), view.out_in.count(0) - 1)
    strength = STRENGTH[view.power]
    return sum([chances[strength[card]] for card in view.hand])


# Calling


def _calling_situation(view: FodinhaView) -> Situation:
    expected = _expected_wins(view, unseen_by_strength(view))
    nearest = int(expected + 0.5)
    callers = [call for call in view.calls if call != NO_CALL]
    others = view.out_in.count(0) - 1
    heard = 0
    if callers:
        share = (view.size - expected) * len(callers) / others
        heard = 1 + bucket(sum(callers) - share, (-0.5, 0.5))
    return (
        _CALLING, bucket(view.size, (2, 3, 4, 5, 7)), min(nearest, 4),
        bucket(expected - nearest, (-0.17, 0.17)), heard, int(view.dealer == view.seat),
    )  # fmt: skip


def _call_moves(expected: int, legal: Sequence[int]) -> dict[int, int]:
    """The move of each call, the calls nearest to the expected wins first."""
    moves = {}
    for action in sorted(legal, key=lambda action: abs(action - CALL - expected)):
        off = action - CALL - expected
        if off == 0:
            moves[action] = _CALL_PROMISE
        elif off < 0:
            moves[action] = _CALL_LESS if off == -1 else _CALL_FAR_LESS
        else:
            moves[action] = _CALL_MORE if off == 1 else _CALL_FAR_MORE
    return moves


# A blind round


def _blind_situation(view: FodinhaView) -> Situation:
    """The calls are features because the callers have seen this seat's card."""
    calls = [call for seat, call in enumerate(view.calls) if seat != view.seat]
    chance = bucket(blind_chance(view, unseen_by_strength(view)), _CHANCE_LIMITS)
    heard = (min(calls.count(0), 2), min(calls.count(1), 2))
    if view.phase == CALLING:
        return (_CALLING_BLIND, chance, *heard)
    return (_PLAYING_BLIND, view.calls[view.seat], chance, *heard)


# Playing


def _playing_situation(view: FodinhaView) -> Situation:
    odds = _HandOdds(view)
    need = min(max(odds.need, -_MOST), _MOST) + _MOST
    spare = bucket(odds.spare, _SPARE_LIMITS)
    left = min(len(view.hand), 4) - 1
    winners = sum([chance >= _LIKELY for chance in odds.chances.values()])
    losers = sum([chance <= _UNLIKELY for chance in odds.chances.values()])
    means = (min(winners, 2), min(losers, 2))
    carry = int(view.carry > 0)
    if not view.trick:
        wanted = bucket(_wanted_by_others(view) - (len(view.hand) - max(odds.need, 0)), (0, 1))
        return (_LEADING, need, spare, left, *means, carry, wanted)
    to_come = view.out_in.count(0) - 1 - len(view.trick)
    return (_FOLLOWING, need, spare, left, min(to_come, 2), *means, carry)


def _wanted_by_others(view: FodinhaView) -> int:
    """The wins that the other players still need."""
    missing = [max(call - won, 0) for call, won in zip(view.calls, view.wins, strict=True)]
    return sum(missing) - missing[view.seat]


def _card_moves(odds: _HandOdds) -> dict[int, int]:
    strength, chances = odds.strength, odds.chances
    rising = sorted(chances, key=strength.__getitem__)
    winners = [card for card in rising if chances[card] >= _LIKELY]
    losers = [card for card in rising if chances[card] <= _UNLIKELY]
    doubtful = [card for card in rising if _UNLIKELY < chances[card] < _LIKELY]
    return {
        **dict.fromkeys(winners[:1], _WIN_LOW),
        **dict.fromkeys(winners[:0:-1], _WIN_HIGH),
        **dict.fromkeys(losers[-1:], _LOSE_HIGH),
        **dict.fromkeys(losers[:-1], _LOSE_LOW),
        **dict.fromkeys(doubtful[-1:], _TRY_HIGH),
        **dict.fromkeys(doubtful[:-1], _TRY_LOW),
    }
