"""Features and moves of the Smear learners: the expected points of a hand, and the value of a
trick."""

from collections.abc import Sequence
from typing import Final

from agents.learners.features import Abstraction, Feature, Layout, Situation, among, bucket
from agents.smear.rules import (
    ABOVE,
    BEATEN_BY,
    CLOSE,
    WORTH,
    game_lead,
    points_ahead,
    unseen_cards,
)
from engine.cards import cards_in
from engine.compiling import mypyc_attr
from engine.games.smear import (
    ACE,
    ALL_CARDS,
    BET,
    BETTING,
    JACK,
    MAX_BET,
    MIN_BET,
    NAMING,
    NOT_YET,
    PASS,
    QUEEN,
    RANKS,
    SEATS,
    SUITS,
    TEN,
    TRUMP,
    TRUMP_LOOKUPS,
    SmearView,
    game_points,
)

_MOVES: Final = (
    "name the strongest suit",
    "pass",
    "bet 2",
    "bet 3",
    "bet 4",
    "lead the highest trump",
    "lead a sure winner of a plain suit",
    "win with a ten",
    "win cheaply in suit",
    "trump in low",
    "give partner a ten",
    "duck",
    "lead low in a plain suit",
    "save the jack of trump",
    "give partner game points",
    "throw off the lowest card",
    "lead a high trump",
    "lead a low trump",
    "win high in suit",
    "trump in high",
    "lead a court card of a plain suit",
    "lead a ten",
    "throw off a trump",
    "lead the jack of trump",
    "give them game points",
    "give them a ten",
    "give up the jack of trump",
    "name the second suit",
    "name a weaker suit",
    "break the follow rule",
)
(
    _NAME_FIRST,
    _PASS,
    _BET_2,
    _,
    _,
    _LEAD_BOSS_TRUMP,
    _LEAD_BOSS,
    _WIN_TEN,
    _WIN_LOW,
    _TRUMP_LOW,
    _GIVE_TEN,
    _DUCK,
    _LEAD_LOW,
    _SAVE_JACK,
    _GIVE_POINTS,
    _THROW_OFF,
    _LEAD_HIGH_TRUMP,
    _LEAD_LOW_TRUMP,
    _WIN_HIGH,
    _TRUMP_HIGH,
    _LEAD_COURT,
    _LEAD_TEN,
    _THROW_TRUMP,
    _LEAD_JACK,
    _LOSE_POINTS,
    _LOSE_TEN,
    _LOSE_JACK,
    _NAME_SECOND,
    _NAME_WEAKER,
    _REVOKE,
) = range(len(_MOVES))

_LEVELS: Final[tuple[float, ...]] = (-1.5, -1.0, -0.6, -0.2, 0.2, 0.6, 1.0, 1.5, 2.0, 2.5)
_GAME_LEVELS: Final[tuple[int, ...]] = (-8, 9)
_NEAR: Final = 0.5
"""Suits within this many points count as equally strong."""

_strength = Feature(
    "strength",
    (
        f"best suit more than {-_LEVELS[0]:g} points behind",
        *[f"best suit {low:+.1f} points or more" for low in _LEVELS],
    ),
)
_tops = Feature(
    "tops",
    ("no ace, deuce or jack in it", "one of ace, deuce and jack", "two of ace, deuce and jack",
     "ace, deuce and jack"),
)  # fmt: skip
_auction = Feature(
    "auction",
    ("no bet yet", "partner bet 2", "partner bet 3", "partner bet 4", "opponent bet 2",
     "opponent bet 3", "opponent bet 4"),
)  # fmt: skip
_to_bet = Feature(
    "to bet", ("last to bet", "one still to bet", "two still to bet", "three still to bet")
)
_score = Feature(
    "score", ("", "we are close to winning", "they are close to winning", "both close")
)
_bet = Feature("bet", ("bet 2", "bet 3", "bet 4"))
_second = Feature("second", ("no other suit near", "another suit about as strong"))
STAKES: Final = Feature(
    "stakes",
    tuple(
        [
            f"{whose} bet of {bet} {state}"
            for whose in ("our", "their")
            for bet in range(MIN_BET, MAX_BET + 1)
            for state in ("is made", "is a point short", "is two points short", "is far", "is lost")
        ]
    ),
)
_left = Feature("left", ("last trick", "two or three tricks to go", "four tricks or more to go"))
_game = Feature("game", ("behind in game", "game is open", "ahead in game"))
_jack = Feature(
    "jack", ("", "the jack is out", "I hold the jack", "I hold the jack and nothing beats it")
)
_trumps = Feature("trumps", ("no trump", "one trump", "two trumps", "three trumps or more"))
_boss_trump = Feature("boss trump", ("", "the highest trump among them"))
_boss = Feature("boss", ("", "a sure winner in a plain suit"))
_holder = Feature(
    "holder",
    ("opponent holds the trick", "partner holds the trick", "partner's card is the highest"),
)
_behind = Feature("behind", ("last to play", "one opponent to play", "partner still to play"))
_prize = Feature(
    "prize", ("no game points in it", "some game points in it", "ten game points in it",
              "the jack of trump in it"),
)  # fmt: skip
_means = Feature(
    "means",
    ("cannot win", "can win in suit", "can surely win in suit", "can trump", "can surely trump"),
)
_own_jack = Feature("own jack", ("", "I hold the jack"))


@mypyc_attr(native_class=False)
class SmearAbstraction(Abstraction[SmearView]):
    """Bets depend on the points of the best suit, plays on who takes the jack and the tens."""

    game = "smear"
    version = 1
    layouts: tuple[Layout, ...] = (
        Layout(
            "betting",
            (_strength, _tops, _auction, _to_bet, _score),
            outline=("strength", "auction", "to bet"),
        ),
        Layout("naming trump", (_strength, _second, _bet)),
        Layout(
            "leading",
            (STAKES, _left, _game, _jack, _trumps, _boss_trump, _boss),
            outline=("jack", "trumps", "boss trump", "boss"),
        ),
        Layout(
            "following",
            (STAKES, _game, _holder, _behind, _prize, _means, _own_jack),
            outline=("holder", "behind", "prize", "means", "own jack"),
        ),
    )
    move_names = _MOVES

    def situation(self, view: SmearView) -> Situation:
        if view.phase == BETTING:
            return _betting(view)
        if view.phase == NAMING:
            return _naming(view)
        return _following(view) if view.trick else _leading(view)

    def moves(self, view: SmearView, legal: Sequence[int]) -> dict[int, int]:
        if view.phase == BETTING:
            return {
                action: _PASS if action == PASS else _BET_2 + action - BET - MIN_BET
                for action in legal
            }
        if view.phase == NAMING:
            ranked = (_NAME_FIRST, _NAME_SECOND, _NAME_WEAKER, _NAME_WEAKER)
            suits = strongest_first(view.hand, view.bet)
            names = {TRUMP + suit: move for (suit, _), move in zip(suits, ranked, strict=True)}
            return among(names, legal)
        moves = _follows(view) if view.trick else _leads(view)
        moves.update({card: _REVOKE for card in legal if view.revokes(card)})
        return among(moves, legal)


# Betting and naming trump


def strongest_first(hand: int, bet: int) -> list[tuple[int, float]]:
    """The suits with their expected points ahead at this bet, strongest first."""
    ahead = [(suit, points_ahead(hand, suit)[bet]) for suit in range(4)]
    return sorted(ahead, key=lambda each: -each[1])


def _betting(view: SmearView) -> Situation:
    suit, ahead = strongest_first(view.hand, MIN_BET)[0]
    held = view.hand >> suit * RANKS
    tops = (held & 1) + (held >> JACK & 1) + (held >> ACE & 1)
    auction = 0
    if view.bet:
        together = view.bettor % 2 == view.seat % 2
        auction = view.bet - MIN_BET + (1 if together else 4)
    to_bet = view.bets.count(NOT_YET) - 1
    side = view.seat % 2
    close = int(view.scores[side] >= CLOSE) + 2 * int(view.scores[1 - side] >= CLOSE)
    return (0, bucket(ahead, _LEVELS), tops, auction, to_bet, close)


def _naming(view: SmearView) -> Situation:
    (_, first), (_, second), *_ = strongest_first(view.hand, view.bet)
    return (1, bucket(first, _LEVELS), int(first - second < _NEAR), view.bet - MIN_BET)


# The state of the bet


def safe_points(view: SmearView) -> list[int]:
    """For us and for them: the points that are certain."""
    safe = [0, 0]
    side = view.seat % 2
    trumps = SUITS[view.trump]
    unseen = unseen_cards(view)
    known = trumps & ~unseen
    if known:
        highest = known.bit_length() - 1
        lowest = (known & -known).bit_length() - 1
        below = trumps & (1 << lowest) - 1
        for card, others in ((highest, ABOVE[highest]), (lowest, below)):
            if not others & unseen:
                safe[_played_by(view, card) != side] += 1
    jack = view.trump * RANKS + JACK
    if view.taken[1 - side] >> jack & 1:
        safe[1] += 1
    elif view.taken[side] >> jack & 1 or (view.hand >> jack & 1 and not ABOVE[jack] & unseen):
        safe[0] += 1
    lead = game_lead(view)
    open_points = game_points(ALL_CARDS & ~view.taken[0] & ~view.taken[1])
    if abs(lead) > open_points:
        safe[lead < 0] += 1
    return safe


def _played_by(view: SmearView, card: int) -> int:
    """The side of the seat that played or holds a card that this seat has seen."""
    seats = [seat for seat, action in view.history if action == card]
    return (seats[0] if seats else view.seat) % 2


def stakes_of(view: SmearView) -> int:
    """The index in STAKES: the side and height of the bet and how far it is from being made."""
    ours, theirs = safe_points(view)
    start = 5 * (view.bet - MIN_BET)
    if view.bettor % 2 != view.seat % 2:
        ours, theirs, start = theirs, ours, start + 15
    if ours >= view.bet:
        return start
    if 4 - theirs < view.bet:
        return start + 4
    return start + min(view.bet - ours, 3)


# Leading


def _leading(view: SmearView) -> Situation:
    unseen = unseen_cards(view)
    jack = view.trump * RANKS + JACK
    jack_is = unseen >> jack & 1
    if view.hand >> jack & 1:
        jack_is = 2 if ABOVE[jack] & unseen else 3
    trumps = view.hand & SUITS[view.trump]
    bosses = [card for card in cards_in(view.hand) if not ABOVE[card] & unseen]
    boss_trump = any(trumps >> card & 1 for card in bosses)
    boss = any(not trumps >> card & 1 for card in bosses)
    return (
        2, stakes_of(view), bucket(view.hand.bit_count(), (2, 4)),
        bucket(game_lead(view), _GAME_LEVELS), jack_is,
        min(trumps.bit_count(), 3), int(boss_trump), int(boss),
    )  # fmt: skip


def _leads(view: SmearView) -> dict[int, int]:
    """Low cards first, short suits before long ones."""
    hand, unseen = view.hand, unseen_cards(view)
    order = sorted(
        cards_in(view.follows),
        key=lambda card: ((hand & SUITS[card // RANKS]).bit_count(), card % RANKS),
    )
    moves = {}
    for card in order:
        rank = card % RANKS
        boss = not ABOVE[card] & unseen
        if card // RANKS == view.trump:
            if boss:
                moves[card] = _LEAD_BOSS_TRUMP
            elif rank in (TEN, JACK):
                moves[card] = _LEAD_TEN if rank == TEN else _LEAD_JACK
            else:
                moves[card] = _LEAD_HIGH_TRUMP if rank >= QUEEN else _LEAD_LOW_TRUMP
        elif boss:
            moves[card] = _LEAD_BOSS
        elif rank == TEN:
            moves[card] = _LEAD_TEN
        else:
            moves[card] = _LEAD_COURT if rank > TEN else _LEAD_LOW
    return moves


# Following


class _Trick:
    """A trick to which this seat plays.

    winners   own cards that would take it, weakest first
    losers    own cards that would not, least valuable first
    to_beat   cards that opponents still to play may hold
    """

    __slots__ = ("best", "led", "losers", "to_beat", "to_come", "winners")

    def __init__(self, view: SmearView) -> None:
        self.led = view.trick[0][1] // RANKS
        self.best = dict(view.trick)[view.winner]
        strength = TRUMP_LOOKUPS[view.trump].strength[self.led]
        beaten_by = BEATEN_BY[view.trump][self.led][self.best]
        trumps = SUITS[view.trump]
        self.winners = sorted(cards_in(view.follows & beaten_by), key=strength.__getitem__)
        self.losers = sorted(
            cards_in(view.follows & ~beaten_by),
            key=lambda card: (trumps >> card & 1, WORTH[card], card % RANKS),
        )
        self.to_come = SEATS - 1 - len(view.trick)
        self.to_beat = 0
        for place in range(1, self.to_come + 1, 2):
            self.to_beat |= unseen_cards(view) & ~view.voids[(view.seat + place) % SEATS]

    def safe(self, card: int) -> bool:
        """True if no higher card of its suit can follow."""
        return not ABOVE[card] & self.to_beat


def _following(view: SmearView) -> Situation:
    trick = _Trick(view)
    jack = view.trump * RANKS + JACK
    holder = 0
    if view.winner % 2 == view.seat % 2:
        holder = 2 if trick.safe(trick.best) else 1
    on_table = sum([WORTH[card] for _, card in view.trick])
    prize = 3 if any(card == jack for _, card in view.trick) else bucket(on_table, (1, 10))
    means = 0
    if trick.winners:
        top = trick.winners[-1]
        in_suit = [card for card in trick.winners if card // RANKS == trick.led]
        if in_suit and trick.led != view.trump:
            means = 2 if trick.safe(in_suit[-1]) else 1
        else:
            means = 4 if trick.safe(top) else 3
    return (
        3, stakes_of(view), bucket(game_lead(view), _GAME_LEVELS), holder,
        min(trick.to_come, 2), prize, means, view.hand >> jack & 1,
    )  # fmt: skip


def _follows(view: SmearView) -> dict[int, int]:
    """The move of each card, the cheapest first among equal moves; the highest first to win
    high."""
    trick = _Trick(view)
    ours = view.winner % 2 == view.seat % 2
    moves = {}
    for card in trick.losers:
        moves[card] = _losing_move(view, card, trick.led, ours)
    for kind, low, high in (
        (SUITS[view.trump], _TRUMP_LOW, _TRUMP_HIGH),
        (ALL_CARDS & ~SUITS[view.trump], _WIN_LOW, _WIN_HIGH),
    ):
        winners = [card for card in trick.winners if kind >> card & 1]
        tens = [card for card in winners if card % RANKS == TEN]
        jacks = [card for card in winners if card == view.trump * RANKS + JACK]
        others = [card for card in winners if card not in tens + jacks]
        moves.update(dict.fromkeys(tens, _WIN_TEN))
        moves.update(dict.fromkeys(jacks, _SAVE_JACK))
        moves.update(dict.fromkeys(reversed(others), high))
        moves.update(dict.fromkeys(others[:1], low))
    return moves


def _losing_move(view: SmearView, card: int, led: int, ours: bool) -> int:
    rank = card % RANKS
    if card // RANKS == view.trump and rank != TEN:
        if rank == JACK:
            return _SAVE_JACK if ours else _LOSE_JACK
        return _DUCK if led == view.trump else _THROW_TRUMP
    if rank == TEN:
        return _GIVE_TEN if ours else _LOSE_TEN
    if WORTH[card]:
        return _GIVE_POINTS if ours else _LOSE_POINTS
    return _DUCK if card // RANKS == led else _THROW_OFF
