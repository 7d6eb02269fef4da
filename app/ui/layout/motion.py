"""What moves on the felt between two pictures: cards that are played, turned or swept away.

Pure functions: from two scenes to the flights of cards, and from a flight to a place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

from app.ui.layout.boxes import Box
from app.ui.layout.faces import Face
from app.ui.layout.felt_layout import FeltPlan
from app.ui.layout.pictures import Laid
from app.ui.layout.trick_layout import direction

SECONDS: Final = 0.24
PICTURES: Final = 8
"""How many pictures are drawn of a motion: one for every two that Textual would draw."""
_MIDDLE: Final = ("centre", "row")
"""Places of cards that nobody played: they are turned over where they lie."""

Corner = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Scene:
    """The felt at rest.

    width, height   of the felt; the hand at the bottom is below it
    """

    plan: FeltPlan
    laid: Sequence[Laid]
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Flight:
    """A card on its way.

    start, end     the upper left corners at which it begins and ends
    first, last    the part of the motion in which it moves, between 0 and 1
    """

    laid: Laid
    start: Corner
    end: Corner
    first: float = 0.0
    last: float = 1.0

    def at(self, progress: float) -> Corner:
        share = min(max((progress - self.first) / (self.last - self.first), 0.0), 1.0)
        x, y = [
            round(begin + share * (end - begin))
            for begin, end in zip(self.start, self.end, strict=True)
        ]
        return x, y

    def visible(self, progress: float) -> bool:
        return self.first <= progress < self.last


@dataclass(frozen=True, slots=True)
class Motion:
    """All that moves between two scenes.

    played   flights of cards from players to the middle, by their number in the new scene
    swept    flights of the last trick to its winner
    turned   the numbers of cards that are turned over
    """

    played: dict[int, Flight]
    swept: tuple[Flight, ...]
    turned: frozenset[int]

    def __bool__(self) -> bool:
        return bool(self.played or self.swept or self.turned)


def motion_between(before: Scene, now: Scene) -> Motion:
    """What moves. Nothing does if the window changed or if the whole table is another one."""
    old = {each.place: each for each in before.laid if each.face is not None}
    kept = {(each.place, each.face) for each in now.laid}
    gone = [number for number, each in enumerate(before.laid) if _went(each, kept)]
    winner = next((number for number in gone if before.laid[number].bright), None)
    came = [
        number
        for number, each in enumerate(now.laid)
        if each.face is not None and not each.back and _is_new(each, old)
    ]
    played = [number for number in came if now.laid[number].place not in _MIDDLE]
    swept: tuple[Flight, ...] = ()
    if winner is not None:
        target = _origin(before, winner)
        last = 0.5 if played else 1.0
        swept = tuple(
            [
                Flight(before.laid[number], _corner(before, number), target, last=last)
                for number in gone
            ]
        )
    first = 0.5 if swept else 0.0
    return Motion(
        {
            number: Flight(now.laid[number], _origin(now, number), _corner(now, number), first)
            for number in played
        },
        swept,
        frozenset([number for number in came if number not in played]),
    )


def _went(each: Laid, kept: set[tuple[str, Face | None]]) -> bool:
    if each.face is None or each.back or each.place in _MIDDLE:
        return False
    return (each.place, each.face) not in kept


def _is_new(each: Laid, old: dict[str, Laid]) -> bool:
    earlier = old.get(each.place)
    return earlier is None or earlier.face != each.face


def _corner(scene: Scene, number: int) -> Corner:
    box = scene.plan.laid[number]
    return box.x, box.y


def _origin(scene: Scene, number: int) -> Corner:
    """Where the card of a player comes from: the hand at the bottom, or the seat that sits in the
    direction of its place."""
    box, place = scene.plan.laid[number], scene.laid[number].place
    if place == "bottom" or not scene.plan.seats:
        return box.x, scene.height
    towards = direction(place)
    seat = max(
        [spot.box for spot in scene.plan.seats], key=lambda seat: _along(scene, seat, towards)
    )
    return seat.x + (seat.width - box.width) // 2, seat.y + (seat.height - box.height) // 2


def _along(scene: Scene, seat: Box, towards: tuple[float, float]) -> float:
    """How well the way from the middle of the felt to a seat agrees with a direction: 1 if they
    are the same."""
    x = (seat.x + seat.width / 2) / scene.width * 2 - 1
    y = (seat.y + seat.height / 2) / scene.height * 2 - 1
    return (x * towards[0] + y * towards[1]) / max(hypot(x, y), 0.01)
