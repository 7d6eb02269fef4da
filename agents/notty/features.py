"""Features and moves of the Notty learners: how many cards each hand has left over."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from agents.learners.features import Abstraction, Feature, Layout, Situation, bucket
from agents.notty.rules import (
    ROW_SHIFTS,
    Hand,
    hand_of,
    in_runs,
    in_three_colours,
    is_last_turn,
    left_over,
    run_gains,
    size_of,
    without,
)
from engine.cards import cards_in
from engine.games.notty import (
    DISCARD,
    DRAW,
    EXCHANGE,
    FIRST_SET,
    GROUP,
    GROUP_MASKS,
    KINDS,
    NUMBERS,
    PASS,
    ROW,
    STEAL,
    NottyView,
    groups_in,
)

_MOVES: Final = (
    "discard a group on the way out",
    "discard a group that leaves as many over",
    "discard a group that leaves more over",
    "exchange",
    "discard what keeps the most chances",
    "discard another card of no group",
    "break up a group",
    "pass",
    "draw 1",
    "draw 2",
    "draw 3",
    "steal from the largest hand",
    "steal from another hand",
    "steal a player's last card",
)
(
    _GO_OUT,
    _GROUP_FREE,
    _GROUP_COSTLY,
    _EXCHANGE,
    _DISCARD_BEST,
    _DISCARD_LOOSE,
    _DISCARD_USED,
    _PASS,
    _DRAW,
    _,
    _,
    _STEAL_LARGEST,
    _STEAL_OTHER,
    _STEAL_LAST,
) = range(len(_MOVES))

_MOST_LEFT: Final = 6
_MOST_LEFT_TO_RIVAL: Final = 3
_CHANCES: Final = (0.05, 0.15, 0.25, 0.4)
_HANDS: Final = (5, 9, 14, 18, 20)
_SIZES: Final = (5, 10, 15)


def _size_of(name: str, words: str) -> Feature:
    return Feature(name, tuple([f"{words} {size}" for size in ("0-4", "5-9", "10-14", "15-20")]))


def _left(name: str, words: str, most: int) -> Feature:
    counts = [f"{words} {count} over" for count in range(1, most)]
    return Feature(name, (f"{words} none over", *counts, f"{words} {most} or more over"))


_left_over = _left("left over", "has", _MOST_LEFT)
_size = Feature(
    "size", tuple([f"hand of {size}" for size in ("0-4", "5-8", "9-13", "14-17", "18-19", "20")])
)
_chances = Feature(
    "chances",
    tuple([f"{share} % of the deck helps" for share in ("0-5", "5-15", "15-25", "25-40", "40-")]),
)
_groups = Feature("groups", ("no group", "a group in hand"))
_rival = _left("rival", "a rival has", _MOST_LEFT_TO_RIVAL)
_deck = Feature("deck", ("deck low", "deck medium", "deck high"))
_drew = Feature("drew", ("", "has drawn"))
_stole = Feature("stole", ("", "has stolen"))
_exchanged = Feature("exchanged", ("", "has exchanged"))
_closing = Feature("closing", ("", "last turn"))


_TURN, _EXCHANGING = range(2)


class NottyAbstraction(Abstraction[NottyView]):
    game = "notty"
    version = 3
    layouts: tuple[Layout, ...] = (
        Layout(
            "turn",
            (_left_over, _size, _chances, _rival, _drew, _stole, _exchanged, _closing),
        ),
        Layout("exchanging", (_left_over, _size, _rival)),
    )
    move_names = _MOVES

    def situation(self, view: NottyView) -> Situation:
        hand = hand_of(view.hands[view.seat])
        left = min(left_over(hand), _MOST_LEFT)
        size = bucket(len(view.hands[view.seat]), _HANDS)
        rivals = [cards for seat, cards in enumerate(view.hands) if seat != view.seat]
        rival = min(_MOST_LEFT_TO_RIVAL, *[left_over(hand_of(cards)) for cards in rivals])
        if view.exchanging:
            return (_EXCHANGING, left, size, rival)
        return (
            _TURN,
            left,
            size,
            bucket(useful_cards(hand, view.deck) / sum(view.deck), _CHANCES),
            rival,
            int(view.drew),
            int(view.stole),
            int(view.exchanged),
            int(is_last_turn(view)),
        )

    def moves(self, view: NottyView, legal: Sequence[int]) -> dict[int, int]:
        hand = hand_of(view.hands[view.seat])
        if view.exchanging:
            return _discards(view, legal, hand)
        moves: dict[int, int] = {}
        left = -1
        for action in legal:
            if action >= GROUP:
                left = left_over(hand) if left < 0 else left
                rest = left_over(without(hand, GROUP_MASKS[action - GROUP]))
                moves[action] = (
                    _GO_OUT if not rest else _GROUP_FREE if rest == left else _GROUP_COSTLY
                )
            elif action == EXCHANGE:
                moves[action] = _EXCHANGE
            elif action == PASS:
                moves[action] = _PASS
            elif action < STEAL:
                moves[action] = _DRAW + action - DRAW
        moves.update(_steals(view, [action for action in legal if STEAL <= action < EXCHANGE]))
        return moves


def _steals(view: NottyView, steals: Sequence[int]) -> dict[int, int]:
    sizes = {action: len(view.hands[action - STEAL]) for action in steals}
    ordered = sorted(steals, key=lambda action: -sizes[action])
    return {
        action: _STEAL_LAST if sizes[action] == 1 else _STEAL_OTHER if place else _STEAL_LARGEST
        for place, action in enumerate(ordered)
    }


@cache
def _useful(ones: int, twos: int) -> tuple[int, ...]:
    """The numbers that bring more cards of a colour into runs."""
    return tuple([number for number, gain in enumerate(run_gains(ones, twos)) if gain > 0])


def _useful_in_row(hand: Hand, shift: int, deck: Sequence[int]) -> int:
    numbers = _useful(hand[0] >> shift & ROW, hand[1] >> shift & ROW)
    return sum([deck[shift + number] for number in numbers])


def useful_cards(hand: Hand, deck: Sequence[int]) -> int:
    """How many cards of the deck would bring more of the hand into groups. A card that helps a
    run and a set may count twice."""
    useful = sum([_useful_in_row(hand, shift, deck) for shift in ROW_SHIFTS])
    for number in cards_in(in_three_colours(hand[0])):
        missing = [deck[card] for card in range(number, KINDS, NUMBERS) if not hand[0] >> card & 1]
        useful += sum(missing)
    return useful


def _discards(view: NottyView, legal: Sequence[int], hand: Hand) -> dict[int, int]:
    """Which discards leave the fewest cards over, and of these the most cards that help."""
    rests = {action: without(hand, 1 << action - DISCARD) for action in legal}
    left = left_after(hand, rests)
    fewest = min(left.values())
    chances = {
        action: useful_cards(rest, view.deck)
        for action, rest in rests.items()
        if left[action] == fewest
    }
    most = max(chances.values())
    return {
        action: _DISCARD_USED
        if action not in chances
        else _DISCARD_BEST
        if chances[action] == most
        else _DISCARD_LOOSE
        for action in legal
    }


def left_after(hand: Hand, rests: dict[int, Hand]) -> dict[int, int]:
    """The cards left over after each discard. Without sets only one colour changes."""
    if any(action >= FIRST_SET for action in groups_in(hand[0])):
        return {action: left_over(rest) for action, rest in rests.items()}
    ones, twos = hand
    used = [in_runs(ones >> shift & ROW, twos >> shift & ROW) for shift in ROW_SHIFTS]
    others = size_of(hand) - 1 - sum(used)
    left = {}
    for action, (ones, twos) in rests.items():
        colour = (action - DISCARD) // NUMBERS
        shift = ROW_SHIFTS[colour]
        left[action] = others + used[colour] - in_runs(ones >> shift & ROW, twos >> shift & ROW)
    return left


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
