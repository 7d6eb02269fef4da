"""Features and moves of the Euchre learners: suits by strength, cards by effect."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from agents.euchre.count import BEATEN_BY, unseen_cards
from agents.euchre.lookup import (
    BY_STRENGTH,
    BY_WORTH,
    HIGHER,
    HOLDINGS,
    LENGTH_FIRST,
    LENGTH_LAST,
    MATES,
    OPPONENT,
    PLACES,
    STRENGTH,
    WORTH,
    holdings,
    in_order,
    tricks_in,
)
from agents.learners.features import Abstraction, Feature, Layout, Situation, among, bucket
from engine.cards import cards_in
from engine.compiling import mypyc_attr
from engine.games.euchre import (
    ALONE,
    CALL,
    CALLING,
    DISCARD,
    GOING_ALONE,
    ORDER_UP,
    ORDERING,
    PASS,
    PLAYING,
    RANKS,
    SOLOIST,
    TARGET,
    TRICKS,
    TRUMP_LOOKUPS,
    WITH_PARTNER,
    EuchreView,
)

_MOVES: Final = (
    "pass",
    "with partner",
    "discard the weakest card",
    "lead a sure winner of a plain suit",
    "lead the highest trump",
    "win cheaply",
    "duck",
    "trump in low",
    "throw off the lowest card",
    "order up",
    "call the strongest suit",
    "call the second suit",
    "call the weakest suit",
    "alone",
    "discard the last card of a suit",
    "discard another card",
    "lead low in a plain suit",
    "lead high in a plain suit",
    "lead a low trump",
    "win high",
    "trump in high",
    "play another losing card",
)
(
    _PASS,
    _WITH_PARTNER,
    _DISCARD_WEAKEST,
    _LEAD_BOSS,
    _LEAD_BOSS_TRUMP,
    _WIN_LOW,
    _DUCK,
    _TRUMP_LOW,
    _THROW_OFF,
    _ORDER_UP,
    _CALL_FIRST,
    _,
    _,
    _ALONE,
    _DISCARD_LAST,
    _DISCARD_OTHER,
    _LEAD_LOW,
    _LEAD_HIGH,
    _LEAD_TRUMP,
    _WIN_HIGH,
    _TRUMP_HIGH,
    _LOSE_OTHER,
) = range(len(_MOVES))

_LEVELS: Final[tuple[float, ...]] = (0.5, 0.9, 1.3, 1.6, 1.9, 2.2, 2.5, 2.8, 3.2, 3.6, 4.0)


_LEADS_OF_BEATABLE: Final = tuple(
    [
        [
            _LEAD_TRUMP if suit == trump else _LEAD_LOW if STRENGTH[trump][card] < 4 else _LEAD_HIGH
            for card, suit in enumerate(TRUMP_LOOKUPS[trump].suit_of)
        ]
        for trump in range(4)
    ]
)
"""For each trump suit and card: the move of leading it while a higher card may be out."""

_STRENGTH_WORDS: Final = tuple(
    [f"under {_LEVELS[0]} tricks"]
    + [f"about {low + 0.15:.1f} tricks" for low in _LEVELS[:-1]]
    + [f"{_LEVELS[-1]:.0f} tricks or more"]
)
_strength = Feature("strength", _STRENGTH_WORDS)
_together = Feature("together", tuple([f"{words} together" for words in _STRENGTH_WORDS]))
_role = Feature("role", ("soloist", "against the soloist", "partnership"))
_dealer = Feature("dealer", ("I deal", "partner deals", "opponent deals"))
_elsewhere = Feature("elsewhere", ("other suits weaker", "another as strong", "another stronger"))
_dummy = Feature("dummy", ("", "dummy fair", "dummy strong"))
_score = Feature("score", ("", "we are nearly there", "they are nearly there", "all nearly there"))
_making = Feature(
    "making", ("I made trump", "partner made trump", "defending", "alone", "defending against one")
)
_ours = Feature("our tricks", ("no trick", "one trick", "two tricks", "the hand won"))
_theirs = Feature(
    "their tricks",
    ("none for them", "one for them", "two for them", "they have the tricks they need"),
)
_trumps = Feature("trumps", ("no trump", "one trump", "two trumps", "three trumps or more"))
_boss_trump = Feature("boss trump", ("", "the highest trump among them"))
_trumps_out = Feature("trumps out", ("no trump out", "one or two trumps out", "many trumps out"))
_boss = Feature("boss", ("", "a sure winner in a plain suit"))
_holder = Feature(
    "holder", ("opponent holds the trick", "partner holds it", "partner holds it for sure")
)
_behind = Feature("behind", ("last to play", "partner still to play", "an opponent still to play"))
_means = Feature(
    "means",
    ("cannot win", "can win in suit", "can surely win in suit", "can trump", "can win in trumps"),
)
_discards = Feature("cards to discard", ("one to go", "several to go"))
_lone = Feature("lone card", ("", "a lone plain card"))


(
    _CANNOT_WIN,
    _CAN_WIN,
    _CAN_SURELY_WIN,
    _CAN_TRUMP,
    _CAN_WIN_IN_TRUMPS,
) = range(len(_means.values))

_MAKING_OF: Final[tuple[tuple[int, ...], ...]] = ((0, 1, 2), (3, 1, 4))
"""The value of `making`, by whether the maker is alone and by the relation to the maker."""
_UP_TO_THREE: Final[tuple[int, ...]] = (0, 1, 2, 3, 3, 3, 3, 3)
_FEW_OR_MANY: Final[tuple[int, ...]] = (0, 1, 1, 2, 2, 2, 2, 2)


@mypyc_attr(native_class=False)
class EuchreAbstraction(Abstraction[EuchreView]):
    """Bids depend on the expected tricks, plays on the holder of the trick and the cards left."""

    game = "euchre"
    version = 1
    layouts = (
        Layout("ordering up", (_role, _dealer, _strength, _elsewhere, _dummy, _score)),
        Layout("calling", (_role, _dealer, _strength, _dummy, _score)),
        Layout("going alone", (_role, _strength, _together, _score)),
        Layout("discarding", (_role, _discards, _trumps, _lone)),
        Layout("leading", (_making, _ours, _theirs, _trumps, _boss_trump, _trumps_out, _boss)),
        Layout("following", (_making, _ours, _theirs, _holder, _behind, _means, _trumps)),
    )
    move_names = _MOVES

    def situation(self, view: EuchreView) -> Situation:
        return self.look(view, cards_in(view.hand) if view.phase == PLAYING else ())[0]

    def moves(self, view: EuchreView, legal: Sequence[int]) -> dict[int, int]:
        return self.look(view, legal)[1]

    def look(self, view: EuchreView, legal: Sequence[int]) -> tuple[Situation, dict[int, int]]:
        phase = view.phase
        if phase == PLAYING:
            return self._follow(view, legal) if view.trick else self._lead(view, legal)
        if phase == ORDERING:
            return self._order_up(view, legal)
        if phase == CALLING:
            return self._call(view, legal)
        if phase == GOING_ALONE:
            return self._go_alone(view, legal)
        return self._discard(view, legal)

    # Bidding

    def _order_up(self, view: EuchreView, legal: Sequence[int]) -> tuple[Situation, dict[int, int]]:
        side, who_is, _ = PLACES[view.seats][view.seat]
        suit = view.up_card // RANKS
        tricks_with = _expected_tricks(view)
        tricks = tricks_with[suit]
        others = max(tricks_with[:suit] + tricks_with[suit + 1 :])
        elsewhere = 2 if others > tricks + 0.3 else 1 if others > tricks - 0.3 else 0
        situation = (
            0, _role_of(view), who_is[view.dealer], bucket(tricks, _LEVELS), elsewhere,
            _threat(view, (suit,)), _score_of(view, side),
        )  # fmt: skip
        return situation, among({PASS: _PASS, ORDER_UP: _ORDER_UP}, legal)

    def _call(self, view: EuchreView, legal: Sequence[int]) -> tuple[Situation, dict[int, int]]:
        """The strongest suit first."""
        side, who_is, _ = PLACES[view.seats][view.seat]
        tricks_with = _expected_tricks(view)
        suits = _strongest_first(tricks_with, view.up_card // RANKS)
        situation = (
            1, _role_of(view), who_is[view.dealer], bucket(tricks_with[suits[0]], _LEVELS),
            _threat(view, suits), _score_of(view, side),
        )  # fmt: skip
        calls = [suit for suit in suits if CALL + suit in legal]
        moves = {PASS: _PASS} if PASS in legal else {}
        moves |= {CALL + suit: _CALL_FIRST + place for place, suit in enumerate(calls)}
        return situation, moves

    def _go_alone(self, view: EuchreView, legal: Sequence[int]) -> tuple[Situation, dict[int, int]]:
        alone = bucket(_tricks_of(view.hand)[view.trump], _LEVELS)
        together = bucket(_expected_tricks(view)[view.trump], _LEVELS)
        side = PLACES[view.seats][view.seat].side
        situation = (2, _role_of(view), alone, together, _score_of(view, side))
        return situation, among({ALONE: _ALONE, WITH_PARTNER: _WITH_PARTNER}, legal)

    def _discard(self, view: EuchreView, legal: Sequence[int]) -> tuple[Situation, dict[int, int]]:
        """The weakest card first."""
        trump, hand = view.trump, view.hand
        weakest_first = _weakest_first(hand, trump)
        lone = _lone_cards(view)
        moves = {}
        for place, card in enumerate(weakest_first):
            move = _DISCARD_LAST if lone >> card & 1 else _DISCARD_OTHER
            moves[DISCARD + card] = move if place else _DISCARD_WEAKEST
        several = int(hand.bit_count() > TRICKS + 1)
        trumps = hand & TRUMP_LOOKUPS[trump].follow[trump]
        situation = (3, _role_of(view), several, min(trumps.bit_count(), 3), int(lone != 0))
        return situation, among(moves, legal)

    # Playing

    def _lead(self, view: EuchreView, legal: Sequence[int]) -> tuple[Situation, dict[int, int]]:
        """Low cards first, short suits before long ones; the highest trump before others."""
        trump, hand = view.trump, view.hand
        all_trumps = TRUMP_LOOKUPS[trump].follow[trump]
        unseen = unseen_cards(view)
        higher = HIGHER[trump]
        beatable = _LEADS_OF_BEATABLE[trump]
        moves = {}
        boss_trump = boss = 0
        for card in in_order(legal, hand, trump, BY_STRENGTH[trump], LENGTH_FIRST):
            if higher[card] & unseen:
                moves[card] = beatable[card]
            elif all_trumps >> card & 1:
                moves[card] = _LEAD_BOSS_TRUMP
                boss_trump = 1
            else:
                moves[card] = _LEAD_BOSS
                boss = 1
        side, who_is, _ = PLACES[view.seats][view.seat]
        tricks = view.tricks
        situation = (
            4, _MAKING_OF[view.alone][who_is[view.maker]],
            _UP_TO_THREE[tricks[side]], _UP_TO_THREE[tricks[1 - side]],
            _UP_TO_THREE[(hand & all_trumps).bit_count()], boss_trump,
            _FEW_OR_MANY[(unseen & all_trumps).bit_count()], boss,
        )  # fmt: skip
        return situation, moves

    def _follow(self, view: EuchreView, legal: Sequence[int]) -> tuple[Situation, dict[int, int]]:
        """Cheap cards first among winners and among losers."""
        trump, trick, hand, winner = view.trump, view.trick, view.hand, view.winner
        tables = TRUMP_LOOKUPS[trump]
        best = trick[0][1]
        led = tables.suit_of[best]
        for seat, card in trick:
            if seat == winner:
                best = card
        following = hand & tables.follow[led]
        beating = BEATEN_BY[trump][led][best]
        means, holder = _CANNOT_WIN, 0
        if (following or hand) & beating:
            if not following:
                means = _CAN_TRUMP
            elif led == trump:
                means = _CAN_WIN_IN_TRUMPS
            else:
                # Of a plain suit the last card is the highest.
                top = following.bit_length() - 1
                means = _CAN_WIN if HIGHER[trump][top] & unseen_cards(view) else _CAN_SURELY_WIN
        side, who_is, behind = PLACES[view.seats][view.seat]
        if who_is[winner] != OPPONENT:
            holder = 1 if HIGHER[trump][best] & unseen_cards(view) else 2
        tricks = view.tricks
        situation = (
            5, _MAKING_OF[view.alone][who_is[view.maker]],
            _UP_TO_THREE[tricks[side]], _UP_TO_THREE[tricks[1 - side]],
            holder, behind[view.sits_out][len(trick)], means,
            _UP_TO_THREE[(hand & tables.follow[trump]).bit_count()],
        )  # fmt: skip
        order = legal
        if not following:
            order = in_order(legal, hand, trump, BY_WORTH[trump], LENGTH_LAST)
            losing, winning, another_winning = _THROW_OFF, _TRUMP_LOW, _TRUMP_HIGH
        else:
            if led == trump:
                order = sorted(legal, key=STRENGTH[trump].__getitem__)
            losing, winning, another_winning = _DUCK, _WIN_LOW, _WIN_HIGH
        moves = {}
        for card in order:
            if beating >> card & 1:
                moves[card] = winning
                winning = another_winning
            else:
                moves[card] = losing
                losing = _LOSE_OTHER
        return situation, moves


@lru_cache(maxsize=1024)
def _tricks_of(cards: int) -> tuple[float, ...]:
    """For each trump suit the expected tricks of the best five cards.

    Cached because a seat needs the same cards for each of its bids and to rank them.
    """
    one, two, three, four = holdings(cards)
    return tuple([tricks_in(a[one] + b[two] + c[three] + d[four]) for a, b, c, d in HOLDINGS])


# Outside the class, since mypyc compiles no functions inside methods of such classes.


def _strongest_first(tricks_with: tuple[float, ...], turned_down: int) -> list[int]:
    suits = [suit for suit in range(4) if suit != turned_down]
    suits.sort(key=lambda suit: -tricks_with[suit])
    return suits


def _weakest_first(hand: int, trump: int) -> list[int]:
    worth, mates = WORTH[trump], MATES[trump]
    return sorted(
        cards_in(hand), key=lambda card: (worth[card], (hand & mates[card]).bit_count(), card)
    )


def _expected_tricks(view: EuchreView) -> tuple[float, ...]:
    """For each suit the tricks this seat expects if that suit is trump."""
    cards = view.hand
    if _role_of(view) == 0:
        cards |= view.dummy
    tricks_with = _tricks_of(cards)
    if view.phase == ORDERING and view.dealer == view.seat:
        suit = view.up_card // RANKS
        with_up_card = _tricks_of(cards | 1 << view.up_card)[suit]
        return (*tricks_with[:suit], with_up_card, *tricks_with[suit + 1 :])
    return tricks_with


def _role_of(view: EuchreView) -> int:
    if view.seats == 4:
        return 2
    return 0 if view.seat == SOLOIST else 1


def _threat(view: EuchreView, suits: Sequence[int]) -> int:
    """How strong the dummy is for the soloist; 0 unless this seat plays against it."""
    if _role_of(view) != 1:
        return 0
    return bucket(max([_tricks_of(view.dummy)[suit] for suit in suits]), (1.0, 1.8))


def _score_of(view: EuchreView, side: int) -> int:
    close = TARGET - 2
    return int(view.scores[side] >= close) + 2 * int(view.scores[1 - side] >= close)


def _lone_cards(view: EuchreView) -> int:
    """Plain cards, except aces, that are the only one of their suit."""
    trump = view.trump
    lone = 0
    for suit in range(4):
        cards = view.hand & TRUMP_LOOKUPS[trump].follow[suit]
        if suit != trump and cards.bit_count() == 1:
            lone |= cards & ~(1 << (suit * RANKS + RANKS - 1))
    return lone
