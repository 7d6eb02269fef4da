"""Pictures in parts of cells: suits in four dots a cell, courts in two dots of several inks.

Many fonts leave a line free at the top of block characters. Cells of one colour are therefore
blanks on that ground, and the upper half of a cell is always its ground.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import hypot
from typing import Final

Block = tuple[str, bool]
"""A block character, and whether it is drawn as its inverse, in the ground on the ink."""

Blocks = tuple[tuple[Block, ...], ...]
EMPTY: Final[Block] = (" ", False)

Cells = tuple[tuple[tuple[str, str, str], ...], ...]
"""Rows of cells: a character, the name of its ink and the name of its ground."""

INK, GROUND = "#", "."

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
    rounded = hypot(x / 0.5, (y + 0.6) / 0.42) < max(1, 9 * (y + 1))
    right = -0.7 < y < -0.4 and 0 < x < 0.8
    left = -0.15 < y < 0.15 and -0.7 < x < 0
    return (rounded and abs(x) < 0.5 - 0.17 * (y + 1)) or right or left


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

_DRAWN: Final = {
    ("♠", 5, 3): (
        "....##....", "..######..", "##########", "##########", "....##....", "..######..",
    ),
    ("♠", 7, 4): (
        "......##......", ".....####.....", "...########...", ".############.",
        "##############", ".####.##.####.", "......##......", "....######....",
    ),
    ("♠", 7, 5): (
        "......##......", ".....####.....", "....######....", "...########...",
        "..##########..", "##############", "##############", ".####.##.####.",
        "......##......", "....######....",
    ),
    ("♣", 5, 3): (
        "...####...", "...####...", ".##.##.##.", "##########", ".##.##.##.", "...####...",
    ),
    ("♣", 7, 4): (
        "....######....", "....######....", ".....####.....", ".####.##.####.",
        "##############", "##############", ".####.##.####.", ".....####.....",
    ),
}  # fmt: skip
"""The dots of signs in sizes at which their formulas make poor pictures."""

SIGN_COLUMNS: Final = {3: 5, 4: 7, 5: 7}
"""For the rows of the picture of a suit, its columns."""

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
"""Dots: `#` the ink of the suit, `k` black, `o` gold, `r` red, `s` the paper of a face, `.` the
ground."""


_DOTS: Final = {
    "0": "### #.# #.# #.# ###",
    "1": ".#. ##. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# .## ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# ..# .#. .#.",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
    "A": "### #.# ### #.# #.#",
    "J": "..# ..# ..# #.# ###",
    "Q": "### #.# #.# ### ..#",
    "K": "#.# ##. #.. ##. #.#",
    "-": "... ... ### ... ...",
}
"""The rows of large digits and letters, in dots."""


@lru_cache(128)
def sign_cells(sign: str, columns: int, rows: int) -> Blocks:
    """The picture of a suit."""
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


def block_cell(block: Block, ink: str, ground: str) -> tuple[str, str]:
    """The character and style of a block."""
    character, inverted = block
    if character == "█":
        return " ", f"on {ink}"
    if inverted:
        return _QUADRANTS[15 - _QUADRANTS.index(character)], f"{ground} on {ink}"
    return character, f"{ink} on {ground}"


def has_shape(sign: str) -> bool:
    return sign in _SHAPES


def _in_quadrants(dots: Sequence[str]) -> Blocks:
    """Blocks of two by two dots. Those below an inked dot are inverted, which hides the line that
    fonts leave free at the top."""
    rows = []
    above = GROUND * len(dots[0])
    for upper, lower in zip(dots[::2], dots[1::2], strict=True):
        cells = []
        for x in range(0, len(upper), 2):
            four = upper[x : x + 2] + lower[x : x + 2]
            character = _QUADRANTS[sum([1 << at for at, dot in enumerate(four) if dot == INK])]
            joined = any(upper[at] == above[at] == INK for at in (x, x + 1))
            cells.append((character, joined or upper[x : x + 2] == INK * 2))
        rows.append(tuple(cells))
        above = lower
    return tuple(rows)


@lru_cache(64)
def digit_rows(digit: str, columns: int = 1, halves: int = 1) -> Blocks:
    """A digit or letter of three by five dots.

    columns, halves   the size of a dot in columns and in halves of rows
    """
    dots = [
        "".join([dot * 2 * columns for dot in line])
        for line in _DOTS[digit].split()
        for _ in range(halves)
    ]
    dots += [GROUND * len(dots[0])] * (len(dots) % 2)
    return _in_quadrants(dots)


def large_number(number: str) -> Blocks:
    """A number in digits of three rows with a column between them."""
    digits = [digit_rows(digit) for digit in number]
    rows = []
    for parts in zip(*digits, strict=True):
        row = parts[0]
        for part in parts[1:]:
            row += (EMPTY, *part)
        rows.append(row)
    return tuple(rows)


def picture_of(sign: str, rows: int) -> Blocks | None:
    """A suit, number or letter in so many rows; None without a picture of it."""
    if has_shape(sign):
        return sign_cells(sign, SIGN_COLUMNS[rows], rows)
    if sign and all(character in _DOTS for character in sign):
        return large_number(sign)
    return None


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
