"""The features of the original Fodinha program: cards by name for `q`, counts for `linear`."""

from collections.abc import Sequence
from typing import Final

from agents.fodinha.rules import STRENGTHS
from agents.learners.features import Abstraction, Feature, Layout, Situation, among, bucket
from engine.games.fodinha import (
    APPROVE,
    CALL,
    CALLING,
    LABELS,
    LARGEST_ROUND,
    NO_CALL,
    PLAY_HIDDEN,
    RANKS,
    REJECT,
    STRENGTH,
    TURNING,
    FodinhaView,
)

_OTHERS: Final = 9
_CARD_WORDS: Final = (
    *[f"rank {rank}" for rank in range(1, 14)],
    *[f"power card of {suit}" for suit in ("diamonds", "clubs", "hearts", "spades")],
)
_players = Feature("players", tuple([f"{count} players" for count in range(11)]))
_after = Feature("after", tuple([f"{count} after me" for count in range(_OTHERS + 1)]))
_calls_before = tuple(
    [
        Feature(f"call {place}", ("", *[f"called {call}" for call in range(LARGEST_ROUND + 1)]))
        for place in range(1, _OTHERS + 1)
    ]
)
_cards_before = tuple(
    [
        Feature(f"card {place}", ("", *[f"played {card}" for card in _CARD_WORDS]))
        for place in range(1, _OTHERS + 1)
    ]
)
_held = tuple(
    [Feature(card, ("", *[f"{count} of {card}" for count in range(1, 5)])) for card in _CARD_WORDS]
)
_MOVES: Final = (
    "approve the power card",
    "reject the power card",
    "play hidden",
    *LABELS[CALL:],
    *[f"play {card}" for card in _CARD_WORDS],
)
_FIRST_CALL: Final = 3
_PLAY: Final = _FIRST_CALL + LARGEST_ROUND + 1
_OTHER_MOVES: Final = {APPROVE: 0, REJECT: 1, PLAY_HIDDEN: 2}


class FodinhaCards(Abstraction[FodinhaView]):
    """The number of players, the calls or cards before this seat, the cards in hand, and the
    number of players after it. It leaves out the own call and the wins so far."""

    game = "fodinha"
    version = 1
    layouts = (
        Layout("choosing the power card", (_players,)),
        Layout("calling", (_players, _after, *_calls_before, *_held)),
        Layout("playing", (_players, _after, *_cards_before, *_held)),
    )
    move_names = _MOVES

    def situation(self, view: FodinhaView) -> Situation:
        alive = view.out_in.count(0)
        if view.phase == TURNING:
            return (0, alive)
        strength = STRENGTH[view.power]
        held = [0] * STRENGTHS
        for card in view.hand:
            held[strength[card]] += 1
        if view.phase == CALLING:
            before = [action - CALL for _, action in view.history if action >= CALL]
        else:
            before = [strength[card] for _, card in view.trick]
        gaps = [0] * (_OTHERS - len(before))
        layout = 1 if view.phase == CALLING else 2
        after = alive - 1 - len(before)
        return (layout, alive, after, *[each + 1 for each in before], *gaps, *held)

    def moves(self, view: FodinhaView, legal: Sequence[int]) -> dict[int, int]:
        strength = STRENGTH[view.power]
        moves = {}
        for action in legal:
            if action in _OTHER_MOVES:
                moves[action] = _OTHER_MOVES[action]
            elif action >= CALL:
                moves[action] = _FIRST_CALL + action - CALL
            else:
                moves[action] = _PLAY + strength[action]
        return moves


# Counts of the hand


def _count(what: str, most: int) -> Feature:
    return Feature(what, tuple([f"{what} {count}" for count in range(most + 1)]))


_HIGH: Final = 7
"""The lowest strength of a high card. Power cards are counted separately."""

_size = Feature(
    "size",
    ("one card", "two cards", "three cards", "four cards", "five or six cards", "seven or more"),
)
_powers = _count("power cards", 4)
_highs = _count("high cards", 4)
_lows = _count("low cards", 4)
_said = Feature("said", ("little called", "about their share called", "a lot called"))
_some_after = _count("players after me", 3)
_missing = Feature("missing", ("wins too many", "call kept", "one win missing", "more missing"))
_beaten = Feature("beaten", ("nothing to beat", "can beat the table", "cannot beat the table"))

_COUNT_MOVES: Final = (
    "approve the power card",
    "lowest card that takes the trick so far",
    "highest card that does not",
    "lowest card that does not",
    "highest card that takes the trick so far",
    "play hidden",
    "call 0",
    "call 1",
    "call 2",
    "call 3",
    "call more",
    "reject the power card",
)
(
    _APPROVE,
    _TAKE_LOW,
    _LOSE_HIGH,
    _LOSE_LOW,
    _TAKE_HIGH,
    _HIDDEN,
    _CALL_0,
    _,
    _,
    _,
    _CALL_MORE,
    _REJECT,
) = range(len(_COUNT_MOVES))


class FodinhaCounts(Abstraction[FodinhaView]):
    """A few counts, for a linear learner. The exact counts of the original program are not known;
    these are similar."""

    game = "fodinha"
    version = 1
    layouts = (
        Layout("choosing the power card", (_players,)),
        Layout("calling", (_players, _some_after, _size, _powers, _highs, _lows, _said)),
        Layout("playing", (_players, _some_after, _size, _powers, _highs, _missing, _beaten)),
    )
    move_names = _COUNT_MOVES

    def situation(self, view: FodinhaView) -> Situation:
        alive = view.out_in.count(0)
        if view.phase == TURNING:
            return (0, alive)
        strengths = [STRENGTH[view.power][card] for card in view.hand]
        powers = sum([strength >= RANKS for strength in strengths])
        highs = sum([_HIGH <= strength < RANKS for strength in strengths])
        lows = len(strengths) - powers - highs
        size = bucket(len(view.hand), (2, 3, 4, 5, 7))
        hand = (size, min(powers, 4), min(highs, 4))
        if view.phase == CALLING:
            calls = [call for call in view.calls if call != NO_CALL]
            share = view.size * len(calls) / alive
            said = bucket(sum(calls) - share, (-0.5, 0.5)) if calls else 1
            return (1, alive, min(alive - 1 - len(calls), 3), *hand, min(lows, 4), said)
        missing = view.calls[view.seat] - view.wins[view.seat]
        beaten = 0
        if view.trick:
            beaten = 1 if any(strength > _to_beat(view) for strength in strengths) else 2
        after = min(alive - 1 - len(view.trick), 3)
        return (2, alive, after, *hand, min(max(missing, -1), 2) + 1, beaten)

    def moves(self, view: FodinhaView, legal: Sequence[int]) -> dict[int, int]:
        if view.phase == TURNING:
            return among({APPROVE: _APPROVE, REJECT: _REJECT}, legal)
        if view.phase == CALLING:
            return {action: min(_CALL_0 + action - CALL, _CALL_MORE) for action in legal}
        if legal == [PLAY_HIDDEN]:
            return {PLAY_HIDDEN: _HIDDEN}
        strength = STRENGTH[view.power]
        rising = sorted(legal, key=strength.__getitem__)
        to_beat = _to_beat(view)
        takers = [card for card in rising if strength[card] > to_beat]
        losers = [card for card in rising if strength[card] <= to_beat]
        return {
            **dict.fromkeys(takers[:1], _TAKE_LOW),
            **dict.fromkeys(takers[:0:-1], _TAKE_HIGH),
            **dict.fromkeys(losers[-1:], _LOSE_HIGH),
            **dict.fromkeys(losers[:-1], _LOSE_LOW),
        }


def _to_beat(view: FodinhaView) -> int:
    """The highest strength in the trick, cancelled or not; -1 before the first card."""
    strength = STRENGTH[view.power]
    return max([strength[card] for _, card in view.trick], default=-1)
