"""The features of the original Euchre program: every card by name."""

from collections.abc import Sequence
from typing import Final

from agents.learners.features import Abstraction, Feature, Layout, Situation
from engine.cards import SUIT_NAMES, cards_in
from engine.game import Played
from engine.games.euchre import (
    ALONE,
    CALL,
    CARDS,
    DISCARD,
    JACK,
    ORDER_UP,
    ORDERING,
    PACK,
    PASS,
    PLAYING,
    RANKS,
    TARGET,
    TRICKS,
    TRUMP_LOOKUPS,
    WITH_PARTNER,
    EuchreView,
    left_bower,
)
from engine.tricks import NO_SUIT

_ELSEWHERE, _IN_HAND, _ON_TABLE, _PLAYED = range(4)
_SEATS: Final = ("me", "first to my left", "second to my left", "third to my left")
_NOBODY: Final = len(_SEATS)
_NO_SUIT: Final = len(SUIT_NAMES)


def _who(what: str) -> Feature:
    return Feature(what, (*[f"{what} {seat}" for seat in _SEATS], ""))


def _suit(what: str) -> Feature:
    return Feature(what, (*[f"{what} {name}" for name in SUIT_NAMES], ""))


def _number(what: str, most: int) -> Feature:
    return Feature(what, tuple([f"{what} {count}" for count in range(most + 1)]))


_HIGHEST_SCORE: Final = TARGET + 3
_PASSES: Final = 8

_FEATURES: Final = (
    Feature(
        "phase",
        (
            "ordering up",
            "calling",
            "the dealer discards",
            "going alone",
            "discarding for the dummy",
            "playing",
        ),
    ),
    _suit("trump"),
    _who("dealer"),
    _who("maker"),
    Feature("up-card", tuple([f"up-card {code}" for code in PACK.codes])),
    Feature("turned down", ("", "turned down")),
    _number("passes", _PASSES),
    _suit("led"),
    _number("our score", _HIGHEST_SCORE),
    _number("their score", _HIGHEST_SCORE),
    _number("our tricks", TRICKS),
    _number("their tricks", TRICKS),
    Feature("alone", ("", "the maker is alone")),
    _number("trumps", 7),
    _number("bowers", 2),
    _number("aces", 4),
    _number("voids", 4),
    *[
        Feature(code, ("", f"{code} in hand", f"{code} on the table", f"{code} gone"))
        for code in PACK.codes
    ],
)

_MOVES: Final = (
    "pass",
    "with partner",
    "order up",
    *[f"call {name}" for name in SUIT_NAMES],
    "alone",
    "discard a card",
    *[f"play {code}" for code in PACK.codes],
)
_BIDS: Final = {
    PASS: 0,
    WITH_PARTNER: 1,
    ORDER_UP: 2,
    **{CALL + suit: 3 + suit for suit in range(4)},
    ALONE: 7,
}
_DISCARD: Final = 8
_PLAY: Final = 9


class EuchreCards(Abstraction[EuchreView]):
    """All open cards by name, so that no situation comes up twice. The original program did
    not learn discards."""

    game = "euchre"
    version = 1
    layouts = (Layout("turn", _FEATURES),)
    move_names = _MOVES

    def situation(self, view: EuchreView) -> Situation:
        seats = len(view.hand_sizes)

        def who(seat: int) -> int:
            return (seat - view.seat) % seats if seat >= 0 else _NOBODY

        ours = next(number for number, side in enumerate(view.sides) if view.seat in side)
        trump = view.trump if view.trump != NO_SUIT else view.up_card // RANKS
        led = TRUMP_LOOKUPS[trump].suit_of[view.trick[0][1]] if view.trick else _NO_SUIT
        passes = sum([action == PASS for _, action in view.history])
        return (
            0, view.phase, view.trump if view.trump != NO_SUIT else _NO_SUIT,
            who(view.dealer), who(view.maker),
            view.up_card, int(view.phase != ORDERING and not view.ordered_up), min(passes, _PASSES),
            led, min(view.scores[ours], _HIGHEST_SCORE), min(view.scores[1 - ours], _HIGHEST_SCORE),
            view.tricks[ours], view.tricks[1 - ours], int(view.alone),
            *_strength(view.hand, trump), *_whereabouts(view.hand, view.played, view.trick),
        )  # fmt: skip

    def moves(self, view: EuchreView, legal: Sequence[int]) -> dict[int, int]:
        if view.phase == PLAYING:
            return {card: _PLAY + card for card in legal}
        if DISCARD <= legal[0] < DISCARD + CARDS:
            return dict.fromkeys(legal, _DISCARD)
        return {action: _BIDS[action] for action in legal}


def while_bidding(
    phase: int, hand: int, up_card: int, dealer: int, passes: int, score: int, theirs: int
) -> Situation:
    """A situation before trump is made, from the data of another program.

    dealer   relative to the seat to act
    theirs   the other side's score
    """
    return (
        0, phase, _NO_SUIT, dealer, _NOBODY, up_card, int(phase != ORDERING), min(passes, _PASSES),
        _NO_SUIT, min(score, _HIGHEST_SCORE), min(theirs, _HIGHEST_SCORE), 0, 0, 0,
        *_strength(hand, up_card // RANKS), *_whereabouts(hand, 0, ()),
    )  # fmt: skip


def _strength(hand: int, trump: int) -> tuple[int, int, int, int]:
    """The numbers of trumps, bowers, aces and voids in a hand."""
    tables = TRUMP_LOOKUPS[trump]
    bowers = 1 << trump * RANKS + JACK | 1 << left_bower(trump)
    aces = sum([1 << suit * RANKS + RANKS - 1 for suit in range(4)])
    voids = sum([not hand & follow for follow in tables.follow[:4]])
    trumps = min((hand & tables.follow[trump]).bit_count(), 7)
    return trumps, (hand & bowers).bit_count(), (hand & aces).bit_count(), voids


def _whereabouts(hand: int, played: int, trick: Sequence[Played]) -> list[int]:
    places = [_ELSEWHERE] * CARDS
    for pile, place in ((hand, _IN_HAND), (played, _PLAYED)):
        for card in cards_in(pile):
            places[card] = place
    for _, card in trick:
        places[card] = _ON_TABLE
    return places
