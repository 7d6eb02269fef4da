"""Euchre as a learner sees it: suits by their strength, cards by what they can do."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from agents.features import Abstraction, Feature, Layout, Situation, bucket
from agents.rewards import side_of
from engine.cards import cards_in
from engine.euchre import (
    ALL_CARDS,
    ALONE,
    CALL,
    CALLING,
    CARDS,
    DISCARD,
    GOING_ALONE,
    NOBODY,
    ORDER_UP,
    ORDERING,
    PASS,
    PLAYING,
    RANKS,
    SOLOIST,
    TARGET,
    TRICKS,
    TRUMP_TABLES,
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

# Tricks that a card may be expected to take, as a trump and as a plain card.
_TRUMP_WORTH: Final = {0: 0.35, 1: 0.4, 2: 0.5, 3: 0.6, 4: 0.8, 5: 0.95, 6: 1.0}
_PLAIN_WORTH: Final = {0: 0.0, 1: 0.0, 2: 0.02, 3: 0.05, 4: 0.15, 5: 0.5}
_LEVELS: Final = (0.5, 0.9, 1.3, 1.6, 1.9, 2.2, 2.5, 2.8, 3.2, 3.6, 4.0)


def _worths(trump: int) -> tuple[float, ...]:
    tables = TRUMP_TABLES[trump]
    worths = []
    for card in range(CARDS):
        suit = tables.suit_of[card]
        strength = tables.strength[suit][card]
        worths.append(_TRUMP_WORTH[strength - 100] if suit == trump else _PLAIN_WORTH[strength - 1])
    return tuple(worths)


def _higher(trump: int) -> tuple[int, ...]:
    tables = TRUMP_TABLES[trump]
    masks = []
    for card in range(CARDS):
        suit = tables.suit_of[card]
        row = tables.strength[suit]
        followers = cards_in(tables.follow[suit])
        masks.append(sum([1 << other for other in followers if row[other] > row[card]]))
    return tuple(masks)


_WORTH: Final = tuple([_worths(trump) for trump in range(4)])
_HIGHER: Final = tuple([_higher(trump) for trump in range(4)])
"""For each trump suit and card: the cards of the same suit that beat it."""
_PLAIN_SUITS: Final = tuple(
    [[TRUMP_TABLES[trump].follow[suit] for suit in range(4) if suit != trump] for trump in range(4)]
)
"""For each trump suit the cards of the other three."""

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
_theirs = Feature("their tricks", ("they none", "they one", "they two", "they enough"))
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


class EuchreAbstraction(Abstraction[EuchreView]):
    """Bids hang on the tricks a hand promises; plays on who holds the trick and what is left."""

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
        phase = view.phase
        if phase == PLAYING:
            return self._following(view) if view.trick else self._leading(view)
        role = _role_of(view)
        if phase == ORDERING:
            suit = view.up_card // RANKS
            promise = _promise(view, suit)
            others = max([_promise(view, each) for each in range(4) if each != suit])
            elsewhere = 2 if others > promise + 0.3 else 1 if others > promise - 0.3 else 0
            return (
                0, role, _dealer_of(view), bucket(promise, _LEVELS), elsewhere,
                _threat(view, (suit,)), _score_of(view),
            )  # fmt: skip
        if phase == CALLING:
            suits = [suit for suit in range(4) if suit != view.up_card // RANKS]
            promise = max([_promise(view, suit) for suit in suits])
            threat = _threat(view, suits)
            level = bucket(promise, _LEVELS)
            return (1, role, _dealer_of(view), level, threat, _score_of(view))
        if phase == GOING_ALONE:
            alone = bucket(_tricks_of(view.hand, view.trump), _LEVELS)
            together = bucket(_promise(view, view.trump), _LEVELS)
            return (2, role, alone, together, _score_of(view))
        several = int(view.hand.bit_count() > TRICKS + 1)
        trumps = view.hand & TRUMP_TABLES[view.trump].follow[view.trump]
        return (3, role, several, min(trumps.bit_count(), 3), int(_lone_cards(view) != 0))

    def moves(self, view: EuchreView, legal: Sequence[int]) -> dict[int, int]:
        phase = view.phase
        if phase == PLAYING:
            return self._follows(view, legal) if view.trick else self._leads(view, legal)
        if phase == ORDERING:
            return {PASS: _PASS, ORDER_UP: _ORDER_UP}
        if phase == CALLING:
            suits = [action - CALL for action in legal if action != PASS]
            suits.sort(key=lambda suit: -_promise(view, suit))
            calls = {CALL + suit: _CALL_FIRST + place for place, suit in enumerate(suits)}
            return {PASS: _PASS, **calls} if PASS in legal else calls
        if phase == GOING_ALONE:
            return {action: _ALONE if action == ALONE else _WITH_PARTNER for action in legal}
        return self._discards(view)

    def _discards(self, view: EuchreView) -> dict[int, int]:
        worth = _WORTH[view.trump]
        follow = TRUMP_TABLES[view.trump].follow
        suit_of = TRUMP_TABLES[view.trump].suit_of
        hand = view.hand
        weakest_first = sorted(
            cards_in(hand),
            key=lambda card: (worth[card], (hand & follow[suit_of[card]]).bit_count(), card),
        )
        lone = _lone_cards(view)
        moves = {}
        for place, card in enumerate(weakest_first):
            move = _DISCARD_LAST if lone >> card & 1 else _DISCARD_OTHER
            moves[DISCARD + card] = move if place else _DISCARD_WEAKEST
        return moves

    # Playing

    def _leading(self, view: EuchreView) -> Situation:
        trump = view.trump
        all_trumps = TRUMP_TABLES[trump].follow[trump]
        unseen = _unseen(view)
        higher = _HIGHER[trump]
        bosses = 0
        for card in cards_in(view.hand):
            if not higher[card] & unseen:
                bosses |= 1 << card
        trumps = view.hand & all_trumps
        return (
            4, *_progress(view),
            min(trumps.bit_count(), 3), int(bosses & all_trumps != 0),
            bucket((unseen & all_trumps).bit_count(), (1, 3)), int(bosses & ~all_trumps != 0),
        )  # fmt: skip

    def _leads(self, view: EuchreView, legal: Sequence[int]) -> dict[int, int]:
        """Low cards first, short suits before long ones; the highest trump before others."""
        trump = view.trump
        tables = TRUMP_TABLES[trump]
        unseen = _unseen(view)
        higher = _HIGHER[trump]
        hand = view.hand
        order = sorted(
            legal,
            key=lambda card: (
                (hand & tables.follow[tables.suit_of[card]]).bit_count(),
                tables.strength[tables.suit_of[card]][card],
            ),
        )
        moves = {}
        for card in order:
            suit = tables.suit_of[card]
            boss = not higher[card] & unseen
            if suit == trump:
                moves[card] = _LEAD_BOSS_TRUMP if boss else _LEAD_TRUMP
            elif boss:
                moves[card] = _LEAD_BOSS
            else:
                moves[card] = _LEAD_LOW if tables.strength[suit][card] < 4 else _LEAD_HIGH
        return moves

    def _following(self, view: EuchreView) -> Situation:
        trump = view.trump
        tables = TRUMP_TABLES[trump]
        led = tables.suit_of[view.trick[0][1]]
        strength = tables.strength[led]
        hand = view.hand
        following = hand & tables.follow[led]
        best_card = max([card for _, card in view.trick], key=strength.__getitem__)
        top = max(cards_in(following or hand), key=strength.__getitem__)
        unseen = _unseen(view)
        means = 0
        if strength[top] > strength[best_card]:
            if not following:
                means = 3
            elif led == trump:
                means = 4
            else:
                means = 1 if _HIGHER[trump][top] & unseen else 2
        side = view.sides[side_of(view.seat, view.sides)]
        holder = 0
        if view.winner in side:
            in_suit = tables.suit_of[best_card]
            sure = not _HIGHER[trump][best_card] & unseen and in_suit in (led, trump)
            holder = 2 if sure else 1
        trumps = (hand & tables.follow[trump]).bit_count()
        making, ours, theirs = _progress(view)
        behind = _behind_me(view, side)
        return (5, making, ours, theirs, holder, behind, means, trumps if trumps < 3 else 3)

    def _follows(self, view: EuchreView, legal: Sequence[int]) -> dict[int, int]:
        """Cheap cards first among winners and among losers."""
        trump = view.trump
        tables = TRUMP_TABLES[trump]
        led = tables.suit_of[view.trick[0][1]]
        strength = tables.strength[led]
        best = max([strength[card] for _, card in view.trick])
        trumping = led != trump
        worth = _WORTH[trump]
        hand = view.hand
        if hand & tables.follow[led]:
            order = sorted(legal, key=strength.__getitem__)
        else:
            order = sorted(
                legal,
                key=lambda card: (
                    strength[card],
                    worth[card],
                    (hand & tables.follow[tables.suit_of[card]]).bit_count(),
                ),
            )
        losers = [card for card in order if strength[card] <= best]
        winners = [card for card in order if strength[card] > best]
        moves = {}
        for place, card in enumerate(losers):
            if place:
                moves[card] = _LOSE_OTHER
            else:
                moves[card] = _DUCK if tables.suit_of[card] == led else _THROW_OFF
        for place, card in enumerate(winners):
            if trumping and tables.suit_of[card] == trump:
                moves[card] = _TRUMP_HIGH if place else _TRUMP_LOW
            else:
                moves[card] = _WIN_HIGH if place else _WIN_LOW
        return moves


@lru_cache(maxsize=1024)
def _tricks_of(cards: int, trump: int) -> float:
    """The tricks five cards may be expected to take; the best five if there are more.

    A seat asks for the same cards several times in a hand: for each bid, and to rank its bids.
    """
    worths = sorted(map(_WORTH[trump].__getitem__, cards_in(cards)))
    tricks = sum(worths[-TRICKS:])
    if cards & TRUMP_TABLES[trump].follow[trump]:
        one, two, three = _PLAIN_SUITS[trump]
        tricks += 0.15 * ((not cards & one) + (not cards & two) + (not cards & three))
    return tricks


def _promise(view: EuchreView, trump: int) -> float:
    """The tricks this seat may expect if it makes that suit trump."""
    cards = view.hand
    if view.phase == ORDERING and trump == view.up_card // RANKS and view.dealer == view.seat:
        cards |= 1 << view.up_card
    if _role_of(view) == 0:
        cards |= view.dummy
    return _tricks_of(cards, trump)


def _role_of(view: EuchreView) -> int:
    if len(view.hand_sizes) == 4:
        return 2
    return 0 if view.seat == SOLOIST else 1


def _dealer_of(view: EuchreView) -> int:
    if view.dealer == view.seat:
        return 0
    together = any(view.dealer in side and view.seat in side for side in view.sides)
    return 1 if together else 2


def _threat(view: EuchreView, suits: Sequence[int]) -> int:
    """How much the dummy would bring the soloist, for those who play against it."""
    if _role_of(view) != 1:
        return 0
    return bucket(max([_tricks_of(view.dummy, suit) for suit in suits]), (1.0, 1.8))


def _score_of(view: EuchreView) -> int:
    ours = side_of(view.seat, view.sides)
    close = TARGET - 2
    return int(view.scores[ours] >= close) + 2 * int(view.scores[1 - ours] >= close)


def _lone_cards(view: EuchreView) -> int:
    """Plain cards that are the only one of their suit and no ace."""
    trump = view.trump
    lone = 0
    for suit in range(4):
        cards = view.hand & TRUMP_TABLES[trump].follow[suit]
        if suit != trump and cards.bit_count() == 1:
            lone |= cards & ~(1 << (suit * RANKS + RANKS - 1))
    return lone


def _unseen(view: EuchreView) -> int:
    """Cards that another seat may hold."""
    seen = view.hand | view.played | view.own_discards
    if not view.ordered_up:
        seen |= 1 << view.up_card
    if not view.dummy_taken:
        seen |= view.dummy
    return ALL_CARDS & ~seen


def _progress(view: EuchreView) -> tuple[int, int, int]:
    """Who made trump, our tricks, their tricks."""
    ours = side_of(view.seat, view.sides)
    if view.maker == view.seat:
        making = 3 if view.alone else 0
    elif view.maker in view.sides[ours]:
        making = 1
    else:
        making = 4 if view.alone else 2
    return making, min(view.tricks[ours], 3), min(view.tricks[1 - ours], 3)


def _behind_me(view: EuchreView, side: Sequence[int]) -> int:
    seats = len(view.hand_sizes)
    if len(view.trick) + 1 + (view.sits_out != NOBODY) == seats:
        return 0
    played = [seat for seat, _ in view.trick]
    behind = 0
    for seat in range(seats):
        if seat in (view.seat, view.sits_out) or seat in played:
            continue
        if seat not in side:
            return 2
        behind = 1
    return behind
