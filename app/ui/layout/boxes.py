"""Rectangles of cells."""

from collections.abc import Sequence
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    def touches(self, other: "Box", across: int = 1, down: int = 0) -> bool:
        """Whether there are fewer than so many columns and rows between the boxes."""
        return (
            self.x < other.right + across
            and other.x < self.right + across
            and self.y < other.bottom + down
            and other.y < self.bottom + down
        )

    def moved(self, x: int, y: int) -> "Box":
        return Box(self.x + x, self.y + y, self.width, self.height)


def collide(boxes: Sequence[Box], across: int = 1, down: int = 0) -> bool:
    return any(
        box.touches(other, across, down)
        for number, box in enumerate(boxes)
        for other in boxes[number + 1 :]
    )
