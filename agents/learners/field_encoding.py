"""The encoding of any game, derived from the declared kinds of its view fields.

Seats are counted from the seat of the view, and its own side comes first, so one network plays
every seat. A game may add a `Relabelling` of its cards, because many deals differ only in the
names of suits. It may also leave out fields and add some that follow from the others.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from agents.learners.encoding import Encoding, Floats, Integers, Reading, seen_by_one
from agents.learners.relabelling import Relabelling, card_bits
from agents.learners.view_encoding import limit
from engine import GAMES, fields
from engine.cards import NOTTY_COLOUR_NAMES, SPANISH_SUIT_NAMES, SUIT_NAMES, Pack
from engine.fields import Kind
from engine.game import Options, View

Sides = tuple[tuple[int, ...], ...]

_MOST_VALUES: Final = 20
"""A number with up to so many values has an input for each. Of others only so many values, next
to 0 or, where values may be negative, next to the limit, have their own; one more input is the
share of the limit."""

_MOST_SHARE: Final = 4
"""Scores far below zero, which only bad players have, would otherwise drown all other inputs."""

_SUITS: Final = (SUIT_NAMES, SPANISH_SUIT_NAMES, NOTTY_COLOUR_NAMES)

Extra = tuple[Kind, Callable[[Any], Any]]
"""A field that follows from the others: its kind and how to work it out from the view."""


class ActionFacts(ABC):
    """Facts about the actions of a decision that follow from the view and the rules.

    sizes   for each fact the number of its values
    """

    sizes: ClassVar[tuple[int, ...]]

    @abstractmethod
    def of(self, view: Any, legal: Sequence[int]) -> list[tuple[int, ...]]:
        """For each legal action the value of each fact."""


class _Place(NamedTuple):
    """A column of codes, from 0, that becomes one of several inputs."""

    column: int
    values: int
    is_suit: bool = False


class FieldEncoding(Encoding):
    """Walks the declared fields of a view.

    names   of the fields it shows
    """

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        leave_out: Sequence[str] = (),
        extras: Mapping[str, Extra] | None = None,
        relabelling: Relabelling | None = None,
        facts: ActionFacts | None = None,
        by_players: bool = False,
        maker: "Callable[[], FieldEncoding] | None" = None,
        version: int = 1,
    ) -> None:
        """seats: the number of seats with columns of their own; seats further on share the
        last one. leave_out: fields that are not shown. extras: fields to add, by name.
        facts: more facts about actions. by_players: each number of players has a network of its
        own. maker: the function that
        makes this encoding, if any of these differ from their defaults."""
        self.game = game
        self.version = version
        self._maker = maker
        rules = GAMES[game]
        view = rules.new().view(0)
        extras = extras or {}
        kinds = {
            name: kind for name, kind in type(view).kinds().items() if name not in leave_out
        } | {name: kind for name, (kind, _) in extras.items()}
        self.names = list(kinds)
        self._kinds = kinds
        self._extras = {name: work_out for name, (_, work_out) in extras.items()}
        self._relabelling = relabelling
        self._room = _Room(
            view.options,
            seats or max(rules.players),
            _card_actions(view, rules.new(seed=1).view(0), rules.num_actions),
            _pack_in(list(kinds.values())),
            frozenset(
                [
                    name
                    for name, kind in kinds.items()
                    if name not in extras and _has_masks(kind, getattr(view, name))
                ]
            ),
        )
        plan = self._plan(view.sides, 0)
        self.columns = len(plan.expressions)
        self._masks = np.array(plan.masks, dtype=np.intp)
        self._cards = len(self._room.pack.codes) if self._room.pack else 0
        card_places = relabelling.size if relabelling else self._cards
        self._card_inputs = len(self._masks) * card_places
        starts = np.cumsum([self._card_inputs, *[place.values for place in plan.places]])
        self._starts = starts[:-1]
        self._places = np.array([place.column for place in plan.places], dtype=np.intp)
        self._suits = [at for at, place in enumerate(plan.places) if place.is_suit]
        self._most = np.array([place.values - 1 for place in plan.places], dtype=np.int64)
        self._shares = np.array([column for column, _ in plan.shares], dtype=np.intp)
        self._limits = np.array([size for _, size in plan.shares], dtype=np.float32)
        self._first_share = int(starts[-1])
        self.size = self._first_share + len(plan.shares)
        self._facts = facts
        names = relabelling.move_count if relabelling else rules.num_actions
        self.moves = (names, *(facts.sizes if facts else ()))
        self._function = lru_cache(maxsize=64)(self._make_function)
        self._players = rules.players if by_players else ()
        self.networks = len(self._players) or 1
        self.most_seats = self._room.seats

    def network(self, view: View) -> int:
        return self._players.index(view.seats) if self._players else 0

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled by the way it was made: compiled expressions cannot be pickled."""
        return (self._maker, ()) if self._maker else (FieldEncoding, (self.game,))

    def _plan(self, sides: Sides, seat: int) -> "_Plan":
        plan = _Plan(self._room, sides, seat)
        for number, (name, kind) in enumerate(self._kinds.items()):
            if name in self._extras:
                plan.names[f"extra_{number}"] = self._extras[name]
                plan.add(name, kind, f"extra_{number}(v)")
            else:
                plan.add(name, kind, f"v.{name}")
        return plan

    def _make_function(self, sides: Sides, seat: int) -> Callable[[Any, int], list[int]]:
        return self._plan(sides, seat).function()

    def row(self, view: View, number: int) -> list[int]:
        return self._function(view.sides, view.seat)(view, number)

    def hidden(self) -> "FieldEncoding | None":
        own = seen_by_one(self.game)
        shown = own.intersection(self.names) or own
        if not shown:
            return None
        kinds = type(GAMES[self.game].new().view(0)).kinds()
        return FieldEncoding(
            self.game,
            seats=self._room.seats,
            leave_out=[name for name in kinds if name not in shown],
            relabelling=self._relabelling,
        )

    def read(self, view: View, legal: Sequence[int]) -> Reading:
        relabelling = self._relabelling
        function = self._function(view.sides, view.seat)
        numbers = relabelling.numbers(view, legal) if relabelling else []
        if numbers:
            assert relabelling is not None
            different = list(dict.fromkeys(numbers))
            row = function(view, 0)
            rows = [[number, *row[1:]] for number in different]
            places = [different.index(number) for number in numbers]
            moves = [
                relabelling.moves[number][action]
                for number, action in zip(numbers, legal, strict=True)
            ]
        else:
            number = relabelling.number(view) if relabelling else 0
            rows = [function(view, number)]
            places = [0] * len(legal)
            names = relabelling.moves[number] if relabelling else None
            moves = [names[action] for action in legal] if names else list(legal)
        if self._facts is None:
            return Reading(rows, places, [(move,) for move in moves])
        facts = self._facts.of(view, legal)
        return Reading(
            rows, places, [(move, *each) for move, each in zip(moves, facts, strict=True)]
        )

    def expand(self, codes: Integers) -> Floats:
        rows = len(codes)
        inputs: Floats = np.zeros((rows, self.size), dtype=np.float32)
        if self._card_inputs:
            masks = codes[:, self._masks]
            if self._relabelling is None:
                cards = card_bits(masks, self._cards)
            else:
                cards = self._relabelling.of_masks(masks, codes[:, _NUMBER])
            inputs[:, : self._card_inputs] = cards.reshape(rows, -1)
        values = codes[:, self._places]
        if self._relabelling is not None and self._relabelling.suits is not None:
            for at in self._suits:
                values[:, at] = self._relabelling.suits[codes[:, _NUMBER], values[:, at]]
        np.clip(values, 0, self._most, out=values)
        inputs[np.arange(rows)[:, None], self._starts + values] = 1
        if len(self._shares):
            shares = codes[:, self._shares] / self._limits
            inputs[:, self._first_share :] = np.clip(shares, -_MOST_SHARE, _MOST_SHARE)
        return inputs

    def fingerprint(self) -> str:
        return f"{super().fingerprint()} | {', '.join(self.names)}"


_NUMBER: Final = 0
"""The column of the relabelling."""


class _Room(NamedTuple):
    """What the rows of a game have room for, whatever the options of a match.

    options  the default ones
    seats    the number of seats with columns of their own
    plays    for each action that plays a card its mask
    pack     of the cards in the view, if any
    masks    whether sets of cards are masks and not sequences
    """

    options: Options
    seats: int
    plays: dict[int, int]
    pack: Pack | None
    masks: frozenset[str]


class _Plan:
    """Gives each field its columns, one after the other, with an expression for each.

    An expression reads its number from the view `v`. Joined, they are the source of one
    function, which is three times as fast as a function for each field.

    masks    columns with sets of cards
    places   columns of which each value becomes an input
    shares   columns that become an input divided by a limit
    names    the objects that the expressions refer to
    """

    def __init__(self, room: _Room, sides: Sides, seat: int) -> None:
        self.masks: list[int] = []
        self.places: list[_Place] = []
        self.shares: list[tuple[int, float]] = []
        self.expressions = ["number"]
        self._room = room
        seats = sum([len(side) for side in sides])
        # Seats are alike unless their sides differ in size.
        uneven = len(sides[0]) != len(sides[-1])
        self._place(str(seat + 1) if uneven else "0", room.seats + 1)
        own_side = next(number for number, side in enumerate(sides) if seat in side)
        self._seats = _in_slots([(seat + step) % seats for step in range(seats)], room.seats)
        self._sides = _in_slots(
            [(own_side + step) % len(sides) for step in range(len(sides))], room.seats
        )
        slots = [0] * (seats + 1)
        for slot, members in enumerate(self._seats):
            for each in members:
                slots[each] = slot
        cards = len(room.pack.codes) if room.pack else 0
        self.names: dict[str, Any] = {
            # The last entry is for -1: nobody, or no card.
            "SEATS": [*[slot + 1 for slot in slots[:-1]], 0],
            "BITS": [*[1 << card for card in range(cards)], 0],
            "SLOTS": slots,
            "PLAYS": room.plays,
            "mask": _mask,
            "copies": _copies,
            "count_masks": _count_masks,
            "plays": _plays,
            "actions": _actions,
        }

    def _mask(self, expression: str) -> None:
        self.masks.append(len(self.expressions))
        self.expressions.append(expression)

    def _place(self, expression: str, values: int, is_suit: bool = False) -> None:
        self.places.append(_Place(len(self.expressions), values, is_suit))
        self.expressions.append(expression)

    def _several_masks(self, expression: str, count: int) -> None:
        """An expression for so many masks at once."""
        start = len(self.expressions)
        self.masks += range(start, start + count)
        self.expressions += [f"*{expression}", *[""] * (count - 1)]

    def add(self, name: str, kind: Kind, value: str) -> None:
        """Add a field. value: the expression of its value."""
        room = self._room
        match kind:
            case fields.Flag():
                self._place(value, 2)
            case fields.Count():
                self._place(f"{value} != 0", 2)
            case fields.Number():
                self._add_number(kind, value)
            case fields.OneOf():
                is_suit = kind.names in _SUITS
                self._place(f"{value} + 1", len(kind.names) + 1, is_suit)
            case fields.Seat():
                self._place(f"SEATS[{value}]", room.seats + 1)
            case fields.Card():
                self._mask(f"BITS[{value}]")
            case fields.CardSet():
                if name in room.masks:
                    self._mask(value)
                elif kind.pack.copies == 1:
                    self._mask(f"mask({value})")
                else:
                    self._several_masks(f"copies({value}, {kind.pack.copies})", kind.pack.copies)
            case fields.CardCounts():
                self._several_masks(f"count_masks({value}, {kind.pack.copies})", kind.pack.copies)
            case fields.Plays():
                self._several_masks(f"plays({value}, SLOTS, {room.seats}, BITS)", room.seats + 1)
            case fields.Actions():
                if room.plays:
                    self._several_masks(f"actions({value}, SLOTS, {room.seats}, PLAYS)", room.seats)
            case fields.PerSeat():
                self._add_slots(name, kind.each, value, self._seats)
            case fields.PerSide():
                self._add_slots(name, kind.each, value, self._sides)
            case fields.Several():
                self._add_several(name, kind, value)
            case _:
                raise TypeError(f"A view with {type(kind).__name__} cannot be encoded as numbers.")

    def _add_number(self, kind: fields.Number, value: str) -> None:
        options = self._room.options
        high = getattr(options, kind.high) if isinstance(kind.high, str) else kind.high
        values = high - kind.low + 1
        first = kind.low
        if values > _MOST_VALUES and kind.low < 0:
            first = high - _MOST_VALUES + 1
        if values > _MOST_VALUES:
            self.shares.append((len(self.expressions), max(1.0, limit(kind, options))))
        self._place(f"{value} + {1 - first}", min(values, _MOST_VALUES) + 1)

    def _add_slots(self, name: str, kind: Kind, value: str, slots: Sequence[Sequence[int]]) -> None:
        """The value of each slot. If several share one, their sets of cards are joined, and of
        other values the nearest counts."""
        for slot, members in enumerate(slots):
            first = len(self.expressions)
            local = f"({_local(name)} := {value})" if slot == 0 else _local(name)
            at = [f"{local if number == 0 else _local(name)}[{each}]"
                  for number, each in enumerate(members)]  # fmt: skip
            if not at:
                self.add(name, kind, "0")
                self.expressions[first:] = ["0"] * (len(self.expressions) - first)
            elif len(at) > 1 and isinstance(kind, fields.CardSet):
                whole = " | " if name in self._room.masks else " + "
                self.add(name, kind, f"({whole.join(at)})")
            else:
                self.add(name, kind, at[0])

    def _add_several(self, name: str, kind: fields.Several, value: str) -> None:
        """Values in order. Missing ones are 0 throughout."""
        for at in range(kind.most):
            first = len(self.expressions)
            local = f"({_local(name)} := {value})" if at == 0 else _local(name)
            self.add(name, kind.each, f"{_local(name)}[{at}]")
            added = [each for each in self.expressions[first:] if each]
            count = len(self.expressions) - first
            self.expressions[first:] = [
                f"*([{', '.join(added)}] if len({local}) > {at} else {[0] * count})",
                *[""] * (count - 1),
            ]

    def function(self) -> Callable[[Any, int], list[int]]:
        """A function of the view and the number of the relabelling."""
        source = ", ".join([each for each in self.expressions if each])
        made: Callable[[Any, int], list[int]] = eval(
            f"lambda v, number: [{source}]", dict(self.names)
        )
        return made


def _local(name: str) -> str:
    return f"x_{name.replace(' ', '_')}"


def _in_slots(order: Sequence[int], room: int) -> list[list[int]]:
    """For each slot the numbers that share it; empty if there are fewer of them."""
    slots: list[list[int]] = [[each] for each in order[:room]]
    slots[-1] += order[room:]
    return slots + [[]] * (room - len(slots))


def _mask(cards: Sequence[int]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def _copies(cards: Sequence[int], copies: int) -> list[int]:
    """A mask of all cards, then of those that are there a second time, and so on."""
    masks = [0] * copies
    for card in cards:
        bit = 1 << card
        for copy in range(copies):
            if not masks[copy] & bit:
                masks[copy] |= bit
                break
    return masks


def _count_masks(counts: Sequence[int], copies: int) -> list[int]:
    """The same for the number of each card."""
    masks = [0] * copies
    for card, count in enumerate(counts):
        for copy in range(count):
            masks[copy] |= 1 << card
    return masks


def _plays(
    plays: Sequence[tuple[int, int]], slots: Sequence[int], room: int, bits: Sequence[int]
) -> list[int]:
    """For each slot the cards it played, then the card that was led. Cards face down count
    nowhere."""
    masks = [0] * (room + 1)
    if plays:
        most = len(bits) - 1
        for seat, card in plays:
            if card < most:
                masks[slots[seat]] |= bits[card]
        masks[room] = bits[min(plays[0][1], most)]
    return masks


def _actions(
    actions: Sequence[tuple[int, int]], slots: Sequence[int], room: int, plays: Mapping[int, int]
) -> list[int]:
    """For each slot the cards it played in this hand."""
    masks = [0] * room
    for seat, action in actions:
        if action in plays:
            masks[slots[seat]] |= plays[action]
    return masks


def _pack_in(kinds: Sequence[Kind]) -> Pack | None:
    """The pack of the cards in a view. No game here has two."""
    for kind in kinds:
        if isinstance(kind, fields.Card | fields.CardSet | fields.CardCounts | fields.Plays):
            return kind.pack
        if isinstance(kind, fields.PerSeat | fields.PerSide | fields.Several):
            pack = _pack_in([kind.each])
            if pack is not None:
                return pack
    return None


def _card_actions(view: View, other: View, actions: int) -> dict[int, int]:
    """The mask of the card that an action always plays, for each such action.

    other   a view of another deal. Labels that depend on the deal differ there
    """
    pack = _pack_in(list(type(view).kinds().values()))
    if pack is None:
        return {}
    words = {f"play {code}": 1 << card for card, code in enumerate(pack.codes)}
    labels = {action: view.label(action) for action in range(actions)}
    return {
        action: words[label]
        for action, label in labels.items()
        if label in words and other.label(action) == label
    }


def _has_masks(kind: Kind, value: Any) -> bool:
    """Whether a field of card sets holds masks."""
    while isinstance(kind, fields.PerSeat | fields.PerSide):
        kind, value = kind.each, value[0]
    return isinstance(kind, fields.CardSet) and isinstance(value, int)
