"""The contract: what every game is to everybody who plays, learns or watches it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any, ClassVar, Final, TypeVar

from engine.compiling import mypyc_attr
from engine.fields import Actions, Kind, Seat, holds
from engine.limits import limits, outside
from engine.records import (
    from_plain,
    from_text,
    hashable,
    kept,
    rebuilt_by_init,
    rebuilt_state,
    rebuilt_view,
    to_text,
)
from engine.view_numbers import numbers_of

OVER: Final = -1
"""The `turn` of a state whose match is over."""

HIDDEN: Final = -1
"""An action in a view's history that its seat was not shown."""

OptionValue = int | str | bool


@mypyc_attr(native_class=False)
class IllegalAction(ValueError):
    """The action may not be taken now. The state is as it was before."""


def option(
    default: OptionValue,
    help: str,
    choices: Sequence[OptionValue] = (),
    low: int | None = None,
    high: int | None = None,
) -> Any:
    """A field of an options type: its default, one line of help and its limits."""
    return field(default=default, metadata=limits(help, choices, low, high))


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True)
class Options:
    """How a match is played. Values outside their limits raise ValueError."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not each.default:
                self.check(each.name, value, each.default, each.metadata)

    @staticmethod
    def check(name: str, value: object, default: object, limits: Mapping[str, Any]) -> None:
        """Raise ValueError for a value of another type than the default or outside the limits."""
        if type(value) is type(default) or limits["choices"]:
            problem = outside(name, value, limits)
        elif isinstance(default, bool):
            problem = f"{name} is {value!r}; choose on or off"
        else:
            problem = f"{name} is {value!r}; it takes a whole number"
        if problem:
            raise ValueError(f"Option {problem}.")

    def as_dict(self) -> dict[str, OptionValue]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuilt_by_init, (type(self), self.as_dict())


_WORDS_FOR_BOOL: Final = {
    "on": True, "yes": True, "true": True, "1": True,
    "off": False, "no": False, "false": False, "0": False,
}  # fmt: skip


@dataclass(slots=True)
class Event:
    """Something that happened at the table and that every seat may know. Nobody changes it:
    to have that enforced would double what it costs to make one.

    kind    `deal`, `turned down`, `trick`, `draw`, `steal`, `hand`, `match`, …
    seat    who it happened to: dealer, winner of the trick, who drew (-1: nobody)
    other   the other seat concerned, if any
    cards   the cards it is about
    points  for `hand` and `match`: points or shares per side
    note    a word that tells variants apart, such as `march` or `euchred`
    """

    kind: str
    seat: int = -1
    other: int = -1
    cards: tuple[int, ...] = ()
    points: tuple[float, ...] = ()
    note: str = ""


Played = tuple[int, int]
"""A seat and its card, or a seat and its action."""


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(slots=True)
class View:
    """All that one seat may know, and nothing else. Equal views compare equal.

    Every game adds its own fields to these. A field marked `init=False` is not a copy of the
    state's field of that name (see `SharedFields`).

    seat      the seat whose view this is
    seats     how many seats there are
    turn      seat to act, OVER when the match is over
    scores    per side
    history   the (seat, action) pairs of this hand, with HIDDEN for an action that this
              seat was not shown
    """

    options: Options
    sides: tuple[tuple[int, ...], ...]
    seats: int
    hand_no: int
    turn: int = field(metadata=holds(Seat()))
    seat: int = field(init=False)
    scores: tuple[int, ...] = field(init=False)
    history: tuple[Played, ...] = field(init=False, metadata=holds(Actions()))

    def key(self) -> tuple[Any, ...]:
        """The information state as a hashable value: two views have the same key if and only if
        they are equal. It has everything the seat knows of this hand, of the score and of the end
        of the hand before; earlier hands of the match are left out."""
        return tuple([hashable(value) for value in kept(self).values()])

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuilt_view, (type(self), kept(self))

    @classmethod
    def kinds(cls) -> dict[str, Kind]:
        """What each field or property holds that a player may see, by name."""
        declared = {each.name: each.metadata["kind"] for each in fields(cls) if each.metadata}
        return declared | cls.also_shown()

    @classmethod
    def also_shown(cls) -> dict[str, Kind]:
        """Kinds of fields that the base class leaves open, such as `scores`, and of properties.

        A method, since compiled dataclasses take a class variable for a field.
        """
        return {}

    def sample(self, rng: Random) -> "State":
        """A state this seat could be in: hidden cards dealt at random so that all that
        the seat knows holds, and fresh chance for everything to come."""
        raise NotImplementedError

    def label(self, action: int) -> str:
        """The stable text of an action of this seat."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(slots=True, eq=False, repr=False)
class State:
    """A match in progress. `apply` changes it; nothing else does.

    A game adds its fields in a dataclass, first its `options`; with slots only if it is compiled
    together with this class, since slots would hide the compiled fields. A field is written there,
    with its type and its default, and in `clone`, which fills an object that `__new__` made. `view`
    and `View.sample` copy the fields that state and view have in common through `SharedFields`.

    turn      seat to act, OVER when the match is over
    hand_no   number of the hand, counted from 1
    sides     the seats that play together, side by side
    seats     how many seats there are
    tick      how many random events there were
    events    None, or a list that collects events (see `record_events`)
    deals_on  whether the end of a hand deals the next; look-ahead to the end of a hand
              turns it off and saves the shuffle
    """

    seed: int
    sides: tuple[tuple[int, ...], ...]
    seats: int = 0
    turn: int = 0
    hand_no: int = 1
    tick: int = 0
    history: list[Played] = field(default_factory=list)
    last_points: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    events: list[Event] | None = None
    deals_on: bool = True

    def __post_init__(self) -> None:
        self.seats = sum([len(side) for side in self.sides])
        if not self.last_points:
            self.last_points = (0,) * len(self.sides)

    def legal(self) -> list[int]:
        """The actions of the seat to act, ascending; empty when the match is over."""
        raise NotImplementedError

    def apply(self, action: int) -> None:
        """Take an action for the seat to act. Raises IllegalAction, state untouched."""
        raise NotImplementedError

    def view(self, seat: int) -> View:
        """What that seat may know now."""
        raise NotImplementedError

    def numbers(self, seat: int) -> list[int]:
        """The columns of `view(seat)` (see `engine.view_numbers`). A game may write them itself,
        which is faster than making the view first."""
        return numbers_of(self.view(seat))

    def clone(self) -> "State":
        """An independent copy. It records no events."""
        raise NotImplementedError

    def with_chance(self, seed: int) -> "State":
        """A copy in which everything random from here on follows another seed. The cards dealt
        so far stay. Many such copies sample the outcomes of chance."""
        copy = self.clone()
        copy.seed = seed
        return copy

    def chance_used(self) -> int:
        """How much chance has decided so far: it grows with every random event. An action after
        which it is the same would have had the same outcome under `with_chance`."""
        return self.tick

    def serialize(self) -> str:
        """The whole state, hidden cards included, as one line of JSON for `Game.deserialize`.
        Events that nobody has taken yet are part of it."""
        values = kept(self)
        return to_text(type(self).__name__, values["options"].as_dict(), values)

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuilt_state, (type(self), kept(self))

    def scores(self) -> list[int]:
        """The score of each side now."""
        raise NotImplementedError

    def label(self, action: int) -> str:
        """The stable text of an action."""
        raise NotImplementedError

    def parse(self, text: str) -> int:
        """The action with that label. Raises ValueError for a text that names none."""
        raise NotImplementedError

    def returns(self) -> list[float]:
        """Per seat once the match is over: 1 for a win, 0 for a loss, a share for a draw."""
        shares = [0.0] * self.seats
        for side in self.winners:
            for seat in self.sides[side]:
                shares[seat] = 1.0 / len(self.winners)
        return shares

    def places(self) -> list[float]:
        """Per side once the match is over: 1 for the winner; equals share the mean place."""
        share = [1.0 if side in self.winners else 0.0 for side in range(len(self.sides))]
        order = list(zip(share, self.scores(), strict=True))
        return [
            1 + sum([other > own for other in order]) + (order.count(own) - 1) / 2 for own in order
        ]

    def hand_returns(self) -> list[float]:
        """Per side: the points of the last finished hand."""
        return [float(points) for points in self.last_points]

    def record_events(self) -> None:
        """Collect events from now on, for a screen or a learner; simulations don't."""
        if self.events is None:
            self.events = []

    def take_events(self) -> list[Event]:
        """The events since the last call."""
        if not self.events:
            return []
        events, self.events = self.events, []
        return events


S = TypeVar("S", bound=State)


def copy_match(state: S, copy: S) -> S:
    """Copy the fields that all games have in common to a new object, for `clone`."""
    copy.seed = state.seed
    copy.sides = state.sides
    copy.seats = state.seats
    copy.turn = state.turn
    copy.hand_no = state.hand_no
    copy.tick = state.tick
    copy.history = state.history[:]
    copy.last_points = state.last_points
    copy.winners = state.winners
    copy.events = None
    copy.deals_on = state.deals_on
    return copy


V = TypeVar("V", bound=View)


def begin_view(state: State, view: V, seat: int) -> V:
    """Copy the fields that all views have in common to a new object, for a `State.view` that
    writes out the fields it copies. Compiled, that takes a third of the time that `SharedFields`
    takes."""
    view.sides = state.sides
    view.seats = state.seats
    view.hand_no = state.hand_no
    view.turn = state.turn
    view.seat = seat
    return view


class SharedFields:
    """The fields that a view copies from its state: those not marked `init=False`.

    State and view give them the same name and, where it matters for speed, the same immutable
    type. The other fields of a view depend on the seat or have to be worked out; `State.view`
    sets them one by one.

        view = NewView(*SHARED.values(self))
        view.seat = seat
        view.hand = self.hands[seat]

    and in `View.sample`:

        state = NewState(rng.getrandbits(63), **SHARED.named(self))
    """

    __slots__ = ("_names", "values")

    def __init__(self, view: type[View]) -> None:
        self._names: list[str] = [each.name for each in fields(view) if each.init]
        # Written out, as dataclasses write their methods: `attrgetter` makes a view of Euchre
        # take a quarter longer.
        tuple_of = ", ".join([f"each.{name}" for name in self._names])
        self.values: Callable[[object], tuple[Any, ...]] = eval(f"lambda each: ({tuple_of},)", {})

    def named(self, view: View) -> dict[str, Any]:
        return dict(zip(self._names, self.values(view), strict=True))


def _same_game(kind: Any) -> Any:
    """A game has no data of its own, so any object of its class will do."""
    return kind()


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """A game as it is offered: its name, its options, and how a match begins."""

    name: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[type[Options]]
    num_actions: ClassVar[int]
    players: ClassVar[tuple[int, ...]]
    """The possible numbers of players."""
    longest_history: ClassVar[int] = 64
    """The most entries in the history of a view."""
    history_actions: ClassVar[int] = 0
    """How many different actions a history may hold; 0 for as many as `num_actions`."""

    def new(
        self,
        seed: int = 0,
        deck: Sequence[str] | None = None,
        first: int | None = None,
        **options: OptionValue,
    ) -> State:
        """A new match.

        deck    card codes that fix the first deal; cards left out follow shuffled
        first   the first dealer, mano or starter; drawn from the seed when None
        """
        raise NotImplementedError

    def deserialize(self, text: str) -> State:
        """The state that `State.serialize` wrote. Raises ValueError for any other text."""
        name, options, plain = from_text(text)
        kind: Any = type(self.new(0, None, None))
        if kind.__name__ != name:
            raise ValueError(f"This state is not one of {self.title}.")
        chosen: Options = self.make_options(options)
        try:
            values = {each: from_plain(value, kind.__module__) for each, value in plain.items()}
            state: State = rebuilt_state(kind, {**values, "options": chosen})
        except (TypeError, AttributeError, KeyError) as error:
            raise ValueError(f"Parts of this state are missing or unknown: {error}.") from error
        return state

    def __reduce__(self) -> tuple[Any, ...]:
        return _same_game, (type(self),)

    def make_options(self, values: Mapping[str, object]) -> Any:
        """Checked options of this game, or ValueError with a sentence."""
        try:
            return self.options(**values)
        except TypeError as error:
            raise ValueError(self._why_not_options(values) or str(error)) from error

    def _why_not_options(self, values: Mapping[str, object]) -> str:
        """Why there are no such options: an unknown name, or a type that compiled code refuses
        before the options can check it."""
        known = {each.name: each for each in fields(self.options)}
        for name, value in values.items():
            if name not in known:
                return f"{self.title} has no option {name!r}; it has: {', '.join(known)}."
            try:
                Options.check(name, value, known[name].default, known[name].metadata)
            except ValueError as error:
                return str(error)
        return ""

    def parse_options(self, texts: Mapping[str, str]) -> dict[str, OptionValue]:
        """Option values from words, as a command line or a form has them; checked."""
        defaults = self.options().as_dict()
        values: dict[str, OptionValue] = {}
        for name, text in texts.items():
            default = defaults.get(name)
            if isinstance(default, bool):
                values[name] = _WORDS_FOR_BOOL.get(text.strip().lower(), text)
            elif isinstance(default, int):
                try:
                    values[name] = int(text)
                except ValueError:
                    values[name] = text
            else:
                values[name] = text
        self.make_options(values)
        return values

    def check_first(self, first: int | None, seats: int) -> None:
        if first is not None and not 0 <= first < seats:
            raise ValueError(f"There is no seat {first}; seats go from 0 to {seats - 1}.")
