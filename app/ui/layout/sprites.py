"""Pictures in parts of cells: suits in four dots a cell, courts in two dots of several inks.

Many fonts leave a line free at the top of block characters. Cells of one colour are therefore
blanks on that ground, and the upper half of a cell is always its ground.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import hypot
from typing import Final

Cells = tuple[tuple[tuple[str, str, str], ...], ...]
"""Rows of cells: a character, the name of its ink and the name of its ground."""

INK, GROUND = "#", "."
_INVERSE: Final = {"▀": "▄", "▛": "▗", "▜": "▖"}
"""Block characters that fill the top of the cell, and those that leave free what they fill."""

_QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By the sum of 1 for the dot in the upper left corner, 2 upper right, 4 lower left and 8."""


def _heart(x: float, y: float) -> bool:
    lobes = hypot((abs(x) - 0.5) / 0.56, (y + 0.42) / 0.62) < 1
    return lobes or (y > -0.35 and abs(x) * 1.18 < 1.02 - (y + 0.3) * 0.78)


def _spade(x: float, y: float) -> bool:
    stem = y > 0.3 and abs(x) < 0.1 + 0.3 * max(0.0, y - 0.45)
    return stem or _heart(x, -(y + 0.12) * 1.14)


def _diamond(x: float, y: float) -> bool:
    return abs(x) * 1.15 + abs(y) < 1.02


def _club(x: float, y: float) -> bool:
    top = hypot(x / 0.48, (y + 0.5) / 0.52) < 1
    side = hypot((abs(x) - 0.54) / 0.48, (y - 0.2) / 0.52) < 1
    stem = y > -0.2 and abs(x) < 0.1 + 0.3 * max(0.0, y - 0.5)
    return top or side or stem


def _coin(x: float, y: float) -> bool:
    far = hypot(x, y)
    return far < 0.36 or 0.62 < far < 1.04


def _cup(x: float, y: float) -> bool:
    bowl = y < 0.2 and abs(x) < 0.86 * max(0.0, 1 - ((y + 1) / 1.2) ** 3) ** 0.5
    return bowl or (y > 0.1 and abs(x) < (0.18 if y < 0.66 else 0.62))


def _sword(x: float, y: float) -> bool:
    if y < 0.3:
        return abs(x) < min(0.2, 0.04 + (y + 1.05) * 0.6)
    if y < 0.55:
        return abs(x) < 0.8
    return abs(x) < (0.16 if y < 0.82 else 0.34)


def _club_of_wood(x: float, y: float) -> bool:
    """A stick, thick above, with the stump of a twig on each side."""
    stick = abs(x) < 0.5 - 0.17 * (y + 1) and hypot(x / 0.5, (y + 0.6) / 0.42) < max(1, 9 * (y + 1))
    twigs = -0.7 < y < -0.4 and 0 < x < 0.8 or -0.15 < y < 0.15 and -0.7 < x < 0
    return stick or twigs


_SHAPES: Final[dict[str, Callable[[float, float], bool]]] = {
    "♠": _spade,
    "♥": _heart,
    "♦": _diamond,
    "♣": _club,
    "◉": _coin,
    "⚱": _cup,
    "†": _sword,
    "╽": _club_of_wood,
}
"""Whether a point belongs to the sign; both coordinates go from -1 to 1, downwards."""

_PIPS: Final = {
    "♠": ("..##..", ".####.", "######", "..##.."),
    "♥": (".#..#.", "######", ".####.", "..##.."),
    "♦": ("..##..", ".####.", ".####.", "..##.."),
    "♣": ("..##..", "######", "##..##", "..##.."),
    "◉": (".####.", "##..##", "##..##", ".####."),
    "⚱": ("######", ".####.", "..##..", ".####."),
    "†": ("..##..", "..##..", "######", "..##.."),
    "╽": (".###..", ".####.", "..###.", "...##."),
}
"""The dots of a sign in three columns and two rows, too few for a formula."""

_DRAWN: Final = {
    ("♣", 5, 3): (
        "...####...", "...####...", ".##.##.##.", "##########", ".##.##.##.", "...####...",
    ),
    ("♣", 7, 4): (
        "....######....", "....######....", ".....####.....", ".####.##.####.",
        "##############", "##############", ".####.##.####.", ".....####.....",
    ),
}  # fmt: skip
"""The dots of signs in sizes at which their formulas make poor pictures."""

PIP: Final = (3, 2)
"""Columns and rows of a drawn pip."""

_SMALL_COURTS: Final = {
    "crown": """
        .o..o..o.
        .oo.o.oo.
        .ooooooo.
        .ksssssk.
        .ksksksk.
        .ksssssk.
        .kkkrkkk.
        ..kkkkk..
        .##kkk##.
        ##o#k#o##
        ###o#o###
        ####o####""",
    "coronet": """
        ....o....
        ..o.o.o..
        ..ooooo..
        .kkssskk.
        .ksksksk.
        .ksssssk.
        .kssrssk.
        .kkssskk.
        kk##s##kk
        .###o###.
        .##o#o##.
        ####o####""",
    "cap": """
        ......oo.
        ..####o..
        .#######.
        .ooooooo.
        ..kssskk.
        .ksksksk.
        .ksssssk.
        ..ssrss..
        ...sss...
        .##ooo##.
        .###o###.
        ####o####""",
    "horse": """
        ...#.#...
        ..#####..
        .##s####.
        .########
        #########
        ##..#####
        .....####
        ....#####
        ...######
        ..ooooooo
        .########
        #########""",
}
_COURTS: Final = {
    "crown": """
        ..o..o..o..
        ..oo.o.oo..
        ..ooooooo..
        ..o#o#o#o..
        .kkssssskk.
        .ksssssssk.
        .ksksssksk.
        .ksssssssk.
        .kskkkkksk.
        .kkkrrrkkk.
        ..kkkkkkk..
        .##kkkkk##.
        ###okkko###
        ####oko####
        #####o#####
        ###########""",
    "coronet": """
        .....o.....
        ..o.ooo.o..
        ..ooooooo..
        ..o#o#o#o..
        .kkkssskkk.
        .kkssssskk.
        .ksksssksk.
        .ksssssssk.
        .kssrrrssk.
        .kkssssskk.
        kkkkssskkkk
        kk##sss##kk
        k###o#o###k
        .####o####.
        .###o#o###.
        #####o#####""",
    "cap": """
        .......ooo.
        ..#####oo..
        .#######o..
        ###########
        .ooooooooo.
        ..ksssssk..
        .kkskskskk.
        .kkssssskk.
        ..sssssss..
        ..ssrrrss..
        ...sssss...
        ....sss....
        .##ooooo##.
        ###o###o###
        ####o#o####
        #####o#####""",
    "horse": """
        ....#..#...
        ...######..
        ..########.
        .###s#####.
        .##########
        ###########
        ####.######
        ##...######
        .....######
        ....#######
        ...########
        ..#########
        ..ooooooooo
        .##########
        .##########
        ###########""",
}
"""Dots: `#` the ink of the suit, `k` black, `o` gold, `r` red, `s` the paper of a face, `.` the ground."""


@lru_cache(128)
def sign_cells(sign: str, columns: int, rows: int) -> tuple[str, ...]:
    """A sign as rows of characters that are drawn in its ink."""
    if (columns, rows) == PIP:
        return _in_quadrants(_PIPS[sign])
    if (sign, columns, rows) in _DRAWN:
        return _in_quadrants(_DRAWN[sign, columns, rows])
    shape = _SHAPES[sign]
    wide, high = 2 * columns, 2 * rows
    dots = [
        "".join(
            INK if shape((2 * x + 1) / wide - 1, (2 * y + 1) / high - 1) else GROUND
            for x in range(wide)
        )
        for y in range(high)
    ]
    return _in_quadrants(dots)


def block_cell(character: str, ink: str, ground: str) -> tuple[str, str]:
    """The character and style that show a block character without a seam at its top."""
    if character == "█":
        return " ", f"on {ink}"
    inverse = _INVERSE.get(character)
    if inverse is not None:
        return inverse, f"{ground} on {ink}"
    return character, f"{ink} on {ground}"


def has_shape(sign: str) -> bool:
    return sign in _SHAPES


def _in_quadrants(dots: Sequence[str]) -> tuple[str, ...]:
    rows = []
    for upper, lower in zip(dots[::2], dots[1::2], strict=True):
        cells = []
        for x in range(0, len(upper), 2):
            four = upper[x] + upper[x + 1] + lower[x] + lower[x + 1]
            cells.append(_QUADRANTS[sum([1 << at for at, dot in enumerate(four) if dot == INK])])
        rows.append("".join(cells))
    return tuple(rows)


@lru_cache(16)
def court_cells(name: str, small: bool) -> Cells:
    """A court picture: for each cell a character and the dots it stands for. The cells of the
    large ones are 11 by 8, of the small ones 9 by 6."""
    dots = (_SMALL_COURTS if small else _COURTS)[name].lower().split()
    return tuple(
        [
            tuple(
                [
                    (" ", upper, upper) if upper == lower else ("▄", lower, upper)
                    for upper, lower in zip(above, below, strict=True)
                ]
            )
            for above, below in zip(dots[::2], dots[1::2], strict=True)
        ]
    )
