"""Features and moves of the Notty learners: how far each hand is from going out."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from agents.learners.features import Abstraction, Feature, Layout, Situation, bucket
from agents.notty.rules import (
    Hand,
    Outlook,
    hand_of,
    is_last_turn,
    outlook_of,
    without,
)
from engine.compiling import mypyc_attr
from engine.games.notty import (
    DISCARD,
    DRAW,
    EXCHANGE,
    GROUP,
    GROUP_MASKS,
    PASS,
    STEAL,
    NottyView,
    groups_in,
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
    "discard the best group",
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
    _GROUP_BEST,
    _GROUP_OTHER,
    _DISCARD_OTHER,
    _STEAL_LAST,
) = range(len(_MOVES))

_REACH: Final[tuple[float, ...]] = (0.5, 8.0, 13.0, 17.0, 20.0, 23.0, 26.0, 30.0, 36.0, 46.0, 70.0)
"""Limits of the turns to go. A hand of unconnected cards is above the last one."""

_NEAR: Final[tuple[float, ...]] = (0.5, 8.0, 13.0, 17.0, 20.0, 23.0, 30.0, 46.0)

_SIZES: Final[tuple[int, ...]] = (5, 10, 15)


def _size_of(name: str, words: str) -> Feature:
    return Feature(name, tuple([f"{words} {size}" for size in ("0-4", "5-9", "10-14", "15-20")]))


_distance = Feature(
    "distance",
    (
        "all in groups",
        *[f"about {round((low + high) / 2)} turns to go" for low, high in pairwise(_REACH)],
        "far from going out",
    ),
)
_groups = Feature("groups", ("no group", "a group in hand"))
_rival = Feature(
    "rival",
    (
        "a rival can go out",
        *[f"a rival needs about {round((low + high) / 2)}" for low, high in pairwise(_NEAR)],
        "no rival is close",
    ),
)
_deck = Feature("deck", ("deck low", "deck medium", "deck high"))
_drew = Feature("drew", ("", "has drawn"))
_stole = Feature("stole", ("", "has stolen"))
_exchanged = Feature("exchanged", ("", "has exchanged"))
_closing = Feature("closing", ("", "last turn"))


_TURN, _EXCHANGING = range(2)
"""The index in a situation of the feature `exchanged`."""


@mypyc_attr(native_class=False)
class NottyAbstraction(Abstraction[NottyView]):
    game = "notty"
    version = 2
    layouts: tuple[Layout, ...] = (
        Layout(
            "turn",
            (_distance, _rival, _groups, _drew, _stole, _exchanged, _closing),
        ),
        Layout("exchanging", (_distance, _rival)),
    )
    move_names = _MOVES

    def situation(self, view: NottyView) -> Situation:
        cards = view.hands[view.seat]
        outlook = outlook_of(view.deck)
        prospect = outlook.prospect(hand_of(cards))
        distance = bucket(prospect.turns, _REACH)
        rival = _closest_rival(view, outlook)
        if view.exchanging:
            return (_EXCHANGING, distance, rival)
        return (
            _TURN,
            distance,
            rival,
            int(prospect.left < len(cards)),
            int(view.drew),
            int(view.stole),
            int(view.exchanged),
            int(is_last_turn(view)),
        )

    def moves(self, view: NottyView, legal: Sequence[int]) -> dict[int, int]:
        hand = hand_of(view.hands[view.seat])
        if view.exchanging:
            ordered = _closest_first(
                view, hand, {action: 1 << action - DISCARD for action in legal}
            )
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
        groups = {action: GROUP_MASKS[action - GROUP] for action in legal if action >= GROUP}
        for place, (action, turns) in enumerate(_closest_first(view, hand, groups).items()):
            moves[action] = _GO_OUT if not turns else _GROUP_OTHER if place else _GROUP_BEST
        return moves


def _steals(view: NottyView, steals: Sequence[int]) -> dict[int, int]:
    sizes = {action: len(view.hands[action - STEAL]) for action in steals}
    ordered = sorted(steals, key=lambda action: -sizes[action])
    return {
        action: _STEAL_LAST if sizes[action] == 1 else _STEAL_OTHER if place else _STEAL_LARGEST
        for place, action in enumerate(ordered)
    }


def _closest_first(view: NottyView, hand: Hand, masks: dict[int, int]) -> dict[int, float]:
    """The turns to go after each discard, fewest first.

    masks   the cards that each action discards
    """
    outlook = outlook_of(view.deck)
    turns = {action: outlook.prospect(without(hand, mask)).turns for action, mask in masks.items()}
    return dict(sorted(turns.items(), key=lambda item: item[1]))


def _closest_rival(view: NottyView, outlook: Outlook) -> int:
    rivals = [cards for seat, cards in enumerate(view.hands) if seat != view.seat]
    return bucket(min([outlook.prospect(hand_of(cards)).turns for cards in rivals]), _NEAR)


@mypyc_attr(native_class=False)
class FourFeatures(NottyAbstraction):
    """A baseline with coarse sizes only and no feature of the turn."""

    layouts = (
        Layout(
            "turn",
            (_size_of("hand", "hand of"), _deck, _groups, _size_of("rivals", "rivals hold about")),
        ),
    )

    def situation(self, view: NottyView) -> Situation:
        sizes = [len(hand) for hand in view.hands]
        mine = sizes.pop(view.seat)
        return (
            0,
            bucket(mine, _SIZES),
            bucket(sum(view.deck), (30, 60)),
            int(bool(groups_in(hand_of(view.hands[view.seat])[0]))),
            bucket(sum(sizes) / len(sizes), _SIZES),
        )
