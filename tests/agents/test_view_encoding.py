"""A view as numbers and in words, by the kinds of its fields. The view here has every kind."""

from dataclasses import dataclass, field
from dataclasses import fields as dataclass_fields
from typing import Any

import numpy as np
import pytest

from agents.learners.view_encoding import BatchEncoder, Room, encoder
from agents.protocols.lines import describe
from engine import fields
from engine.cards import Pack
from engine.fields import NONE, Kind, holds
from engine.game import HIDDEN, Options, View, option
from engine.view_numbers import numbers_of

PACK = Pack(["1A", "2A", "1B", "2B"], suits=2)
TWICE = Pack(["X1", "X2"], suits=1, copies=2)


@dataclass(frozen=True)
class SomeOptions(Options):
    target: int = option(20, "points that win", low=1)


@dataclass(slots=True)
class SomeView(View):
    flag: bool = field(metadata=holds(fields.Flag()))
    number: int = field(metadata=holds(fields.Number(4)))
    of_target: int = field(metadata=holds(fields.Number("target", low=-20)))
    below_zero: int = field(metadata=holds(fields.Number(0, low=-10)))
    count: int = field(metadata=holds(fields.Count()))
    one_of: int = field(metadata=holds(fields.OneOf(("red", "green"))))
    someone: int = field(metadata=holds(fields.Seat()))
    card: int = field(metadata=holds(fields.Card(PACK)))
    mask: int = field(metadata=holds(fields.CardSet(PACK)))
    doubles: tuple[int, ...] = field(metadata=holds(fields.CardSet(TWICE)))
    counts: tuple[int, ...] = field(metadata=holds(fields.CardCounts(TWICE)))
    plays: tuple[tuple[int, int], ...] = field(metadata=holds(fields.Plays(PACK)))
    trick: tuple[tuple[int, int], ...] = field(metadata=holds(fields.Trick(PACK)))
    per_seat: tuple[int, ...] = field(metadata=holds(fields.PerSeat(fields.Number(2))))
    several: tuple[int, ...] = field(metadata=holds(fields.Several(fields.Card(PACK), 2)))
    internal: int = 0

    @classmethod
    def also_shown(cls) -> dict[str, Kind]:
        return {"scores": fields.PerSide(fields.Number("target"))}

    def label(self, action: int) -> str:
        return f"do {action}"


def a_view(**changes: Any) -> SomeView:
    values: dict[str, Any] = {
        "options": SomeOptions(),
        "seat": 1,
        "turn": 1,
        "hand_no": 1,
        "scores": (5, 10),
        "sides": ((0, 2), (1, 3)),
        "seats": 4,
        "history": ((0, 7), (1, HIDDEN)),
        "flag": True,
        "number": 3,
        "of_target": -5,
        "below_zero": -5,
        "count": 9,
        "one_of": 1,
        "someone": 0,
        "card": 2,
        "mask": 0b1001,
        "doubles": (1, 1),
        "counts": (0, 1),
        "plays": ((2, 1), (3, len(PACK))),
        "trick": ((2, 3), (0, len(PACK))),
        "per_seat": (0, 1, 2, NONE),
        "several": (3,),
    }
    return build(SomeView, values | changes)


def build(view_class: type[SomeView], values: dict[str, Any]) -> SomeView:
    """A view with these values, also of fields that its constructor does not take."""
    taken = {each.name for each in dataclass_fields(view_class) if each.init}
    view = view_class(**{name: value for name, value in values.items() if name in taken})
    for name, value in values.items():
        setattr(view, name, value)
    return view


NUMBERS = [
    ("turn", [1, 0, 0, 0]),
    ("scores", [0.5, 0.25]),
    ("flag", [1]),
    ("number", [0.75]),
    ("of_target", [-0.25]),
    ("below_zero", [-0.5]),
    ("count", [1]),
    ("one_of", [0, 1]),
    ("someone", [0, 0, 0, 1]),
    ("card", [0, 0, 1, 0]),
    ("mask", [1, 0, 0, 1]),
    ("doubles", [0, 1]),
    ("counts", [0, 0.5]),
    ("plays", [0] * 4 + [0, 1, 0, 0] + [0] * 4 + [0] * 4),
    ("trick", [0] * 4 + [0, 0, 0, 1] + [0] * 4 + [0] * 4),
    ("per_seat", [0.5, 1, -0.5, 0]),
    ("several", [0, 0, 0, 1] + [0] * 4),
]


@pytest.mark.parametrize(("name", "numbers"), NUMBERS)
def test_numbers_of_each_kind(name: str, numbers: list[float]) -> None:
    view = a_view()
    places = encoder(view).places
    assert encoder(view).encode(view)[list(places[name])].tolist() == numbers


def test_history_and_undeclared_fields_are_left_out() -> None:
    assert set(encoder(a_view()).places) == {name for name, _ in NUMBERS}


WORDS = {
    "hand_no": 1,
    "turn": 1,
    "scores": [5, 10],
    "sides": [[0, 2], [1, 3]],
    "options": {"target": 20},
    "history": [[0, "do 7"], [1, "hidden"]],
    "flag": True,
    "number": 3,
    "of_target": -5,
    "below_zero": -5,
    "count": 9,
    "one_of": "green",
    "someone": 0,
    "card": "1B",
    "mask": ["1A", "2B"],
    "doubles": ["X2", "X2"],
    "counts": {"X2": 1},
    "plays": [[2, "2A"], [3, None]],
    "trick": [[2, "2B"], [0, None]],
    "per_seat": [0, 1, 2, None],
    "several": ["2B"],
}


def test_words_of_each_kind() -> None:
    assert describe(a_view()) == WORDS


@pytest.mark.parametrize(
    ("name", "value"), [("one_of", None), ("someone", None), ("card", None), ("of_target", NONE)]
)
def test_none_is_null_unless_it_is_a_possible_number(name: str, value: int | None) -> None:
    assert describe(a_view(**{name: NONE}))[name] == value


@pytest.mark.parametrize("name", ["one_of", "someone", "card"])
def test_none_is_all_zeros(name: str) -> None:
    view = a_view(**{name: NONE})
    places = encoder(view).places
    assert not encoder(view).encode(view)[list(places[name])].any()


def test_a_batch_has_the_rows_of_its_views() -> None:
    views = [a_view(), a_view(flag=False, mask=0, someone=NONE, scores=(0, 3)), a_view(seat=2)]
    encoding = BatchEncoder(SomeView, SomeOptions(), views[0].sides, len(views))
    rows = np.ones((len(views), encoding.size), np.float32)
    columns = np.array([numbers_of(view) for view in views], np.int64)
    encoding.expand(columns, np.array([view.seat for view in views]), rows)
    for view, row in zip(views, rows, strict=True):
        assert row.tolist() == encoder(view).encode(view).tolist()


def test_rows_with_room_have_one_length_for_any_number_of_players() -> None:
    room = Room(seats=4, sides=4)
    two = a_view(sides=((0,), (1,)), per_seat=(1, 2), plays=((0, 1),))
    sizes = {encoder(view, room).size for view in (a_view(), two)}
    assert sizes == {len(encoder(two, room).encode(two))}
    assert encoder(two).size < encoder(two, room).size


def test_every_kind_is_encoded_and_described() -> None:
    """A kind added to `engine.fields` must be added to both walkers, and to this view."""
    declared = [
        kind
        for kind in vars(fields).values()
        if isinstance(kind, type) and issubclass(kind, Kind) and kind is not Kind
    ]
    here = {type(kind) for kind in SomeView.kinds().values()}
    assert set(declared) == here


@dataclass(slots=True)
class UnknownView(SomeView):
    unknown: int = field(default=0, metadata=holds(Kind()))


def test_an_unknown_kind_is_an_error() -> None:
    known = {each.name: getattr(a_view(), each.name) for each in dataclass_fields(SomeView)}
    view = build(UnknownView, known)
    with pytest.raises(TypeError, match="Kind"):
        describe(view)
    with pytest.raises(TypeError, match="Kind"):
        encoder(view)
