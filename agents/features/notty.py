"""Notty as a learner sees it: how many cards no group takes, and how close others are."""

from collections.abc import Sequence
from typing import Final

from agents.features import Abstraction, Feature, Layout, Situation, bucket
from agents.rules.notty import Hand, covered, hand_of, run_gains, size_of, without
from engine.cards import cards_in
from engine.notty import (
    COLOURS,
    DISCARD,
    DRAW,
    EXCHANGE,
    GROUP,
    GROUP_MASKS,
    GROUPS,
    NUMBERS,
    PASS,
    ROW,
    STEAL,
    NottyView,
)

_MOVES: Final = (
    "discard a group on the way out",
    "exchange",
    "discard the most isolated card",
    "pass",
    "draw 1",
    "draw 2",
    "draw 3",
    "steal from the largest hand",
    "steal from another hand",
    "discard the largest group",
    "discard another group",
    "discard another card",
    "steal a player's last card",
)
(
    _GO_OUT,
    _EXCHANGE,
    _DISCARD_ISOLATED,
    _PASS,
    _DRAW,
    _,
    _,
    _STEAL_LARGEST,
    _STEAL_OTHER,
    _GROUP_LARGEST,
    _GROUP_OTHER,
    _DISCARD_OTHER,
    _STEAL_LAST,
) = range(len(_MOVES))

_WORTH: Final = (90.0, 50.0, 30.0, 15.0, 5.0, 0.0)
_DOUBTS: Final = (0.0, 0.0, 0.0, 0.5, 5.0, 5.0, 5.0, 5.0, 5.0, 8.0, 8.0, 5.0, 200.0)

_COLUMN: Final = sum([1 << (colour * NUMBERS) for colour in range(COLOURS)])

_cards = Feature(
    "cards", ("up to 3 cards", "4 or 5 cards", "6 to 8 cards", "9 to 12 cards", "13 cards or more")
)
_left_over = Feature(
    "left over",
    ("all in groups", "1 left over", "2 left over", "3 left over", "4 left over", "5 or more left over"),
)
_groups = Feature("groups", ("no group", "a group in hand"))
_near = Feature(
    "near groups",
    (
        "hardly a card helps",
        "one card in twenty helps",
        "one card in ten helps",
        "one card in six helps",
        "one card in four helps",
    ),
)
_rival = Feature(
    "rival",
    (
        "a rival holds one card",
        "a rival is one card from going out",
        "a rival is two cards from going out",
        "no rival close",
    ),
)
_deck = Feature("deck", ("deck low", "deck medium", "deck high"))
_drew = Feature("drew", ("", "has drawn"))
_stole = Feature("stole", ("", "has stolen"))
_exchanged = Feature("exchanged", ("", "has exchanged"))
_closing = Feature("closing", ("", "last turn"))


class NottyAbstraction(Abstraction[NottyView]):
    game = "notty"
    version = 1
    layouts = (
        Layout(
            "turn",
            (
                _cards, _left_over, _groups, _near, _rival, _deck,
                _drew, _stole, _exchanged, _closing,
            ),  # fmt: skip
        ),
        Layout("exchanging", (_cards, _left_over)),
    )
    move_names = _MOVES

    def situation(self, view: NottyView) -> Situation:
        hand = hand_of(view.hands[view.seat])
        size = size_of(hand)
        left = size - covered(hand)
        if view.exchanging:
            return (1, bucket(size, (4, 6, 9, 13)), min(left, 5))
        return (
            0,
            bucket(size, (4, 6, 9, 13)),
            min(left, 5),
            int(left < size),
            bucket(_helpful(hand, view.deck) / sum(view.deck), (0.03, 0.08, 0.14, 0.22)),
            _closest_rival(view),
            bucket(sum(view.deck), (30, 60)),
            int(view.drew),
            int(view.stole),
            int(view.exchanged),
            int(view.turns + len(view.hands) >= view.options.turn_limit),
        )

    def prior(self, situation: Situation) -> list[float]:
        left = situation[2]
        return [_WORTH[left] - doubt for doubt in _DOUBTS]

    def moves(self, view: NottyView, legal: Sequence[int]) -> dict[int, int]:
        hand = hand_of(view.hands[view.seat])
        if view.exchanging:
            ordered = sorted(legal, key=lambda action: _loss(hand, action - DISCARD, view.deck))
            return {
                action: _DISCARD_OTHER if place else _DISCARD_ISOLATED
                for place, action in enumerate(ordered)
            }
        moves: dict[int, int] = {}
        for action in legal:
            if action < STEAL:
                moves[action] = _DRAW + action - DRAW
            elif action == EXCHANGE:
                moves[action] = _EXCHANGE
            elif action == PASS:
                moves[action] = _PASS
        moves.update(_steals(view, [action for action in legal if STEAL <= action < EXCHANGE]))
        moves.update(_group_moves(hand, [action for action in legal if action >= GROUP]))
        return moves


def _steals(view: NottyView, steals: Sequence[int]) -> dict[int, int]:
    sizes = {action: len(view.hands[action - STEAL]) for action in steals}
    ordered = sorted(steals, key=lambda action: -sizes[action])
    return {
        action: _STEAL_LAST if sizes[action] == 1 else _STEAL_OTHER if place else _STEAL_LARGEST
        for place, action in enumerate(ordered)
    }


def _group_moves(hand: Hand, groups: Sequence[int]) -> dict[int, int]:
    """Groups by what they leave: the fewest cards that no group takes, then the fewest cards."""
    if not groups:
        return {}
    rest = {action: without(hand, GROUP_MASKS[action - GROUP]) for action in groups}
    left = {action: size_of(rest[action]) - covered(rest[action]) for action in groups}
    if not min(left.values()):
        ways_out = [action for action in groups if not left[action]]
        others = [action for action in groups if left[action]]
        return {**dict.fromkeys(ways_out, _GO_OUT), **dict.fromkeys(others, _GROUP_OTHER)}
    ordered = sorted(groups, key=lambda action: (-len(GROUPS[action - GROUP]), left[action]))
    return {
        action: _GROUP_OTHER if place else _GROUP_LARGEST for place, action in enumerate(ordered)
    }


def _loss(hand: Hand, card: int, deck: Sequence[int]) -> tuple[int, int]:
    """What a hand is without a card: cards that no group takes, and minus the cards of
    the deck that a group would take."""
    rest = without(hand, 1 << card)
    return size_of(rest) - covered(rest), -_helpful(rest, deck)


def _helpful(hand: Hand, deck: Sequence[int]) -> int:
    """About how many cards of the deck would make a group or a larger one."""
    ones, twos = hand
    helpful = 0
    for colour in range(COLOURS):
        shift = colour * NUMBERS
        for number, gain in enumerate(run_gains(ones >> shift & ROW, twos >> shift & ROW)):
            if gain:
                helpful += deck[shift + number]
    for number in range(NUMBERS):
        column = ones >> number & _COLUMN
        if column.bit_count() >= 3:
            missing = (column ^ _COLUMN) << number
            helpful += sum([deck[card] for card in cards_in(missing)])
    return helpful


def _closest_rival(view: NottyView) -> int:
    closest = 3
    for seat, cards in enumerate(view.hands):
        if seat == view.seat:
            continue
        if len(cards) == 1:
            return 0
        left = len(cards) - covered(hand_of(cards))
        closest = min(closest, max(left, 1))
    return closest
