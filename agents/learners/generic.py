"""How learners see a game that has no features of its own.

Everything here is derived from what the game declares: the kinds of its view fields, its
actions and their labels.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from agents.learners.features import Abstraction, Feature, Layout, Situation, bucket
from agents.learners.view_encoding import limit
from engine import GAMES, fields
from engine.cards import Pack, cards_in
from engine.fields import NONE, Kind
from engine.game import View

_EXACT: Final = 8
"""A number up to this limit is a feature unchanged; a larger one is divided into levels."""
_LEVELS: Final = ("none of", "little", "some", "much", "all of")
_MOST_PLAYS: Final = 3


Look = Callable[[Any, View], int]
"""The value of a feature, given the value of a field and its view."""


class Aspect(NamedTuple):
    """One feature of a field."""

    feature: Feature
    look: Look


class GenericAbstraction(Abstraction[View]):
    """For values by situation: a few coarse features of every field. Each action is a move.

    Of cards only ranks count, and of a set of cards only the highest rank. Scores and other
    numbers per seat or side count by comparison with the best of the others. For other values
    per seat only the own one counts.
    """

    version = 1

    def __init__(self, game: str) -> None:
        self.game = game
        rules = GAMES[game]
        kinds = type(rules.new().view(0)).kinds()
        # The seat to act is always the one that looks.
        self._aspects = [
            (name, aspect)
            for name, kind in kinds.items()
            if name != "turn"
            for aspect in _aspects(name.replace("_", " "), kind, max(rules.players))
        ]
        features = tuple([aspect.feature for _, aspect in self._aspects])
        self.layouts = (Layout("any decision", features),)
        self.move_names = _action_names(game)

    def __reduce__(self) -> tuple[object, ...]:
        return GenericAbstraction, (self.game,)

    def situation(self, view: View) -> Situation:
        return (0, *[aspect.look(getattr(view, name), view) for name, aspect in self._aspects])

    def moves(self, view: View, legal: Sequence[int]) -> dict[int, int]:
        return {action: action for action in legal}


@cache
def _action_names(game: str) -> tuple[str, ...]:
    """The labels of all actions. An action whose label depends on the deal gets a number."""
    rules = GAMES[game]
    views = [rules.new(seed).view(0) for seed in range(4)]
    names = []
    for action in range(rules.num_actions):
        labels = {_label(view, action) for view in views}
        names.append(labels.pop() if len(labels) == 1 else "")
    return tuple([name or f"action {action}" for action, name in enumerate(names)])


def _label(view: View, action: int) -> str:
    try:
        return view.label(action)
    except (LookupError, ValueError):
        return ""


def _aspects(name: str, kind: Kind, seats: int) -> list[Aspect]:
    """The features of a field; none for a kind without a useful one."""
    match kind:
        case fields.Flag() | fields.Count():
            return [Aspect(Feature(name, ("", name)), lambda value, view: int(value > 0))]
        case fields.OneOf():
            words = ("", *[f"{name} {each}" for each in kind.names])
            return [Aspect(Feature(name, words), lambda index, view: index + 1)]
        case fields.Number():
            return [_number(name, kind)]
        case fields.Seat():
            return [_seat(name, seats)]
        case fields.Card():
            return [_rank(name, kind.pack)]
        case fields.CardSet():
            return [_highest(name, kind.pack, _cards)]
        case fields.Plays():
            return _plays(name, kind.pack)
        case fields.PerSeat() | fields.PerSide():
            by_seat = isinstance(kind, fields.PerSeat)
            if isinstance(kind.each, (fields.Number, fields.Count)):
                return [_comparison(name, by_seat)]
            return [_of_own(aspect, by_seat) for aspect in _aspects(name, kind.each, seats)]
        case fields.Several():
            if isinstance(kind.each, fields.Card):
                return [_highest(name, kind.each.pack, _cards)]
            return [_of_last(aspect) for aspect in _aspects(name, kind.each, seats)]
    return []


def _number(name: str, kind: fields.Number) -> Aspect:
    low, high = kind.low, kind.high
    if isinstance(high, int) and low >= 0 and high <= _EXACT:
        words = ("", *[f"{name} {number}" for number in range(high + 1)])
        return Aspect(Feature(name, words), lambda value, view: min(value, high) + 1)

    def level(value: float, view: View) -> int:
        return bucket(value / limit(kind, view.options), (1e-9, 1 / 3, 2 / 3, 1))

    return Aspect(Feature(name, tuple([f"{each} {name}" for each in _LEVELS])), level)


def _seat(name: str, seats: int) -> Aspect:
    around = [f"{name} {step} to the left" for step in range(1, seats)]

    def place(seat: int, view: View) -> int:
        if seat == NONE:
            return 0
        return 1 + (seat - view.seat) % sum([len(side) for side in view.sides])

    return Aspect(Feature(name, ("", f"{name} here", *around)), place)


def _cards(cards: int | Sequence[int]) -> Sequence[int]:
    return cards_in(cards) if isinstance(cards, int) else cards


def _rank(name: str, pack: Pack) -> Aspect:
    words = ("", *[f"{name} {rank}" for rank in _rank_names(pack)])
    ranks = pack.ranks
    return Aspect(Feature(name, words), lambda card, view: 0 if card == NONE else card % ranks + 1)


def _highest(name: str, pack: Pack, cards_of: Callable[[Any], Sequence[int]]) -> Aspect:
    """The highest rank among some cards. Cards face down do not count."""
    ranks, count = pack.ranks, len(pack.codes)
    words = ("", *[f"{name} up to {rank}" for rank in _rank_names(pack)])

    def highest(value: Any, view: View) -> int:
        return max([card % ranks for card in cards_of(value) if card < count], default=-1) + 1

    return Aspect(Feature(f"highest of {name}", words), highest)


def _rank_names(pack: Pack) -> list[str]:
    """The characters that all codes of a rank share: `10` of `10S` and `10H`, `5` of `R5`
    and `G5`."""
    names = []
    for rank in range(pack.ranks):
        codes = pack.codes[rank :: pack.ranks]
        shared = [letter for letter in codes[0] if all(letter in code for code in codes)]
        names.append("".join(shared))
    return names


def _plays(name: str, pack: Pack) -> list[Aspect]:
    words = ("", *[f"{count} in {name}" for count in range(1, _MOST_PLAYS)])
    words = (*words, f"{_MOST_PLAYS} or more in {name}")
    return [
        Aspect(Feature(f"size of {name}", words), lambda plays, view: min(len(plays), _MOST_PLAYS)),
        _highest(name, pack, lambda plays: [card for _, card in plays]),
    ]


def _comparison(name: str, by_seat: bool) -> Aspect:
    words = (f"behind in {name}", "", f"ahead in {name}")

    def compare(values: Sequence[float], view: View) -> int:
        own = _own_place(view, by_seat)
        others = max([value for at, value in enumerate(values) if at != own], default=values[own])
        return 1 + (values[own] > others) - (values[own] < others)

    return Aspect(Feature(name, words), compare)


def _own_place(view: View, by_seat: bool) -> int:
    if by_seat:
        return view.seat
    return next(number for number, side in enumerate(view.sides) if view.seat in side)


def _of_own(aspect: Aspect, by_seat: bool) -> Aspect:
    """The same feature of the value that belongs to the own seat or side."""
    look = aspect.look
    return Aspect(
        aspect.feature, lambda values, view: look(values[_own_place(view, by_seat)], view)
    )


def _of_last(aspect: Aspect) -> Aspect:
    """The same feature of the last of several values."""
    look = aspect.look
    return Aspect(aspect.feature, lambda values, view: look(values[-1], view) if values else 0)
