"""Network inputs of full Truco: strengths of cards, envido, and what each side did.

Partners share their fields, so one network plays at tables of two, four and six.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, ClassVar, Final

from agents.learners.field_encoding import ActionFacts, Extra, FieldEncoding
from agents.truco.encoding import TrucoStrengths
from engine.fields import CardSet, Number, OneOf, PerSide
from engine.games.truco import HAND, NOBODY, NUM_VALUES, PACK, VALUES
from engine.games.truco_full import (
    ANSWERING_ENVIDO,
    ANSWERING_FLOR,
    ENVIDO,
    HIGHEST_ENVIDO,
    HIGHEST_FLOR,
    NO_FLOR,
    NO_QUIERO,
    NUM_ACTIONS,
    QUIERO,
    RAISE,
    FullView,
)

_CLOSE: Final = 19
"""Points to go up to this number are told apart one by one."""

_SIDES: Final = OneOf(("us", "them"))
_WINNERS: Final = OneOf(("us", "them", "nobody"))
_NOT_YET: Final = -1
_TIED: Final = 2


def _side(view: FullView, seat: int) -> int:
    """0 for the side of the view, 1 for the other one, -1 for nobody."""
    return -1 if seat == NOBODY else (seat ^ view.seat) & 1


def _winner(trick: int) -> Callable[[FullView], int]:
    def winner(view: FullView) -> int:
        if trick >= len(view.results):
            return _NOT_YET
        seat = view.results[trick]
        return _TIED if seat == NOBODY else _side(view, seat)

    return winner


def _cards(trick: int) -> Callable[[FullView], list[list[int]]]:
    def cards(view: FullView) -> list[list[int]]:
        played: list[list[int]] = [[], []]
        if trick < len(view.tricks):
            for seat, card in view.tricks[trick]:
                played[seat & 1].append(card)
        return played

    return cards


def _to_go(view: FullView) -> list[int]:
    return [min(view.target() - score, _CLOSE) for score in view.scores]


def _in_round(view: FullView) -> list[int]:
    """The players of each side who have not left."""
    return [sum([not view.gone[seat] for seat in side]) for side in view.sides]


def _flores(view: FullView) -> list[int]:
    """The flores that each side has announced."""
    return [sum([view.announced[seat] for seat in side]) for side in view.sides]


def _behind(view: FullView) -> int:
    """Opponents who play to this trick after this seat."""
    unfinished = len(view.tricks) > len(view.results)
    played = [seat for seat, _ in view.tricks[-1]] if unfinished else []
    return sum([not view.gone[seat] and seat not in played for seat in view.sides[1 - view.side()]])


def _envido(view: FullView) -> int:
    return view.envido if view.flor == NO_FLOR else -1


def _told(view: FullView) -> int:
    """The highest value told."""
    return max(view.told_values)


def _told_by(view: FullView) -> int:
    told = [seat for seat, value in view.told if value >= 0]
    return _side(view, told[-1]) if told else -1


def _numbers(highest: int) -> OneOf:
    """Each value has an input of its own."""
    return OneOf([str(value) for value in range(highest + 1)])


_LEAD, _PARTNERS, _BEATS, _TIES, _LOSES = range(5)
_STANDINGS: Final = 5
_CALLS: Final = (*range(ENVIDO, RAISE), QUIERO, NO_QUIERO)
_LEVELS: Final = 16


class FullTrucoFacts(ActionFacts):
    """Facts about a card: its strength, how it stands in the trick, and which trick it is. A fact
    about a call for envido or flor, and about an answer to it: the value held. Each is 0 for
    other actions."""

    sizes: ClassVar[tuple[int, ...]] = (
        1 + _STANDINGS * NUM_VALUES,
        1 + _STANDINGS * HAND * HAND * 4,
        1 + len(_CALLS) * _LEVELS,
    )

    def of(self, view: Any, legal: Sequence[int]) -> list[tuple[int, ...]]:
        values = VALUES[view.muestra]
        results = view.results
        number = len(results)
        first = 0
        if results:
            first = 1 + _winner(0)(view)
        led, ours = -1, False
        if len(view.tricks) > number:
            for seat, card in view.tricks[-1]:
                if values[card] > led:
                    led, ours = values[card], _side(view, seat) == 0
        answering = view.phase in (ANSWERING_ENVIDO, ANSWERING_FLOR)
        facts: list[tuple[int, ...]] = []
        for action in legal:
            if action < HAND:
                value = values[view.hand[action]]
                if led < 0:
                    standing = _LEAD
                elif ours:
                    standing = _PARTNERS
                else:
                    standing = _BEATS if value > led else _TIES if value == led else _LOSES
                place = (standing * HAND + action) * HAND + number
                facts.append((1 + standing * NUM_VALUES + value, 1 + place * 4 + first, 0))
            elif action < RAISE or (answering and action in _CALLS):
                level = _level(view.envido, view.flor)
                facts.append((0, 0, 1 + _CALLS.index(action) * _LEVELS + level))
            else:
                facts.append((0, 0, 0))
        return facts


def _level(envido: int, flor: int) -> int:
    """The value held, in as many steps as there are levels."""
    if flor != NO_FLOR:
        return flor * _LEVELS // (HIGHEST_FLOR + 1)
    return envido * _LEVELS // (HIGHEST_ENVIDO + 1)


_SEATS: Final = (2, 4, 6)
_EXTRAS: Final[dict[str, Extra]] = {
    "players": (OneOf([str(seats) for seats in _SEATS]), lambda view: _SEATS.index(view.seats)),
    "mano of": (_SIDES, lambda view: _side(view, view.mano)),
    "raised by": (_SIDES, lambda view: _side(view, view.raiser)),
    "called by": (_SIDES, lambda view: _side(view, view.caller)),
    "told": (_numbers(HIGHEST_FLOR), _told),
    "told by": (_SIDES, _told_by),
    "own envido": (_numbers(HIGHEST_ENVIDO), _envido),
    "own flor": (_numbers(HIGHEST_FLOR), lambda view: view.flor),
    "flores": (PerSide(Number(HAND)), _flores),
    "in the round": (PerSide(Number(HAND)), _in_round),
    "behind": (Number(HAND), _behind),
    "to go": (PerSide(Number(_CLOSE)), _to_go),
    **{f"trick {each + 1}": (PerSide(CardSet(PACK)), _cards(each)) for each in range(HAND)},
    **{f"winner {each + 1}": (_WINNERS, _winner(each)) for each in range(HAND)},
}
_SHOWN: Final = (
    "phase", "hand", "stake", "bid", "envite", "pot", "flor_first", "scores",
)  # fmt: skip


@cache
def full_truco_encoding() -> FieldEncoding:
    return FieldEncoding(
        "truco_full",
        maker=full_truco_encoding,
        seats=2,
        leave_out=[name for name in FullView.kinds() if name not in _SHOWN],
        extras=_EXTRAS,
        relabelling=TrucoStrengths(NUM_ACTIONS),
        facts=FullTrucoFacts(),
    )
