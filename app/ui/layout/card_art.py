"""Draws cards: faces, backs and empty places, as rows of styled text.

Pure functions. A card is drawn with full cells of its own ground, so that no font shows seams at
its edges; `sprites` has the pictures on it. Every state has a sign besides its colour:

chosen      raised, with an arrow on the band below
marked      raised, with a row of plus signs on the band below
illegal     on dimmed paper, with a cross before its key
trump       a star in the upper right corner
winning     a band with a star below
cancelled   on dimmed paper, struck out, with crosses below
fresh       just played: a thin line on the band below
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from app.ui.layout.faces import Face
from app.ui.layout.sprites import (
    EMPTY,
    Blocks,
    block_cell,
    court_cells,
    digit_rows,
    has_shape,
    sign_cells,
)

Row = tuple[tuple[str, str], ...]
"""Pieces of text with their styles, from left to right."""


class CardSize(NamedTuple):
    """Columns and rows of a card."""

    width: int
    height: int


CHIP: Final = CardSize(4, 1)
COMPACT: Final = CardSize(5, 3)
NORMAL: Final = CardSize(7, 5)
LARGE: Final = CardSize(11, 8)
HUGE: Final = CardSize(15, 11)
SIZES: Final = (HUGE, LARGE, NORMAL, COMPACT)
"""From the largest to the smallest. A chip is for other players' cards in a crowded window."""

NARROWEST_STEPS: Final = {CHIP: 3, COMPACT: 3, NORMAL: 3, LARGE: 5, HUGE: 5}
"""The least part of a card that stays visible under the next one of a fan, in columns. The whole
index is in that part."""


@dataclass(frozen=True, slots=True)
class CardState:
    """How a card lies on the table or in the hand.

    illegal   it cannot be chosen now
    offered   its key can be pressed now
    key       printed on the card
    label     a word about the card, such as `left bower`
    covers    whether it lies on the card to the left, as in a fan
    covered   whether the card to the right lies on it
    """

    chosen: bool = False
    marked: bool = False
    illegal: bool = False
    offered: bool = False
    trump: bool = False
    winning: bool = False
    cancelled: bool = False
    fresh: bool = False
    key: str = ""
    label: str = ""
    covers: bool = False
    covered: bool = False

    @property
    def raised(self) -> bool:
        return self.chosen or self.marked


PLAIN: Final = CardState()

_TRUMP_SIGN: Final = "✦"
_EDGE: Final = "▏"
_LATTICE: Final = "╳"
_CROSS: Final = "×"
_COURT_SIGNS: Final = {"crown": "♚", "coronet": "♛", "cap": "♟", "horse": "♞"}
_PIPS: Final = {
    1: ("", "", "c", "", ""),
    2: ("c", "", "", "", "c"),
    3: ("c", "", "c", "", "c"),
    4: ("lr", "", "", "", "lr"),
    5: ("lr", "", "c", "", "lr"),
    6: ("lr", "", "lr", "", "lr"),
    7: ("lr", "c", "lr", "", "lr"),
    8: ("lr", "c", "lr", "c", "lr"),
    9: ("lr", "lr", "c", "lr", "lr"),
    10: ("lr", "lcr", "", "lcr", "lr"),
}
"""For each number, the pips of five rows: on the left, in the centre, on the right."""

_PIP_COLUMNS: Final = {
    LARGE: {"l": 3, "c": 5, "r": 7},
    HUGE: {"l": 3, "c": 7, "r": 11},
}
_COURTS: Final = {
    "K": "crown", "Q": "coronet", "J": "cap", "12": "crown", "11": "horse", "10": "cap",
}  # fmt: skip
_ACES: Final = {LARGE: (7, 5), HUGE: (11, 8)}
"""Columns and rows of the sign on an ace."""


@lru_cache(4096)
def card_rows(
    face: Face, size: CardSize, state: CardState = PLAIN, ascii_only: bool = False
) -> tuple[Row, ...]:
    """The rows of a card that lies face up."""
    return _Drawing(face, size, state, ascii_only).rows()


@lru_cache(64)
def back_rows(size: CardSize, covers: bool = False, ascii_only: bool = False) -> tuple[Row, ...]:
    """The rows of a card that lies face down: a lattice with an edge of paper."""
    width, height = size
    ground = "$card-back-ink on $card-back"
    if size == CHIP:
        return ((("##" if ascii_only else "▚▚", ground),),)
    if ascii_only:
        edge = ("|" if covers else " ", "$felt on $card-back" if covers else ground)
        return tuple([(edge, ("#" * (width - 2), ground), (" ", ground))] * height)
    side = (" ", "on $paper-shade")
    half = "▄" * (width - 2)
    top = (side, (half, "$card-back on $paper-shade"), side)
    bottom = (side, (half, "$paper-shade on $card-back"), side)
    inside = (side, (_LATTICE * (width - 2), ground), side)
    return (top, *[inside] * (height - 2), bottom)


@lru_cache(64)
def place_rows(size: CardSize, ascii_only: bool = False) -> tuple[Row, ...]:
    """The rows of an empty place, where a card is to come."""
    width, height = size
    style = "$felt-line"
    if size == CHIP:
        return ((("[  ]" if ascii_only else "╶──╴", style),),)
    across, down = "╌", "┆"
    corners = "╭╮╰╯"
    if ascii_only:
        across, down, corners = "-", ":", "...."
    top = corners[0] + across * (width - 2) + corners[1]
    bottom = corners[2] + across * (width - 2) + corners[3]
    middle = down + " " * (width - 2) + down
    return tuple([((line, style),) for line in (top, *[middle] * (height - 2), bottom)])


@lru_cache(256)
def band(state: CardState, width: int, ascii_only: bool = False) -> tuple[str, str]:
    """The text and style of the band below a card; empty without a state that has one."""
    signs = (
        (
            state.chosen and state.marked,
            f"{'▲':+^{width}}",
            f"{'^':+^{width}}",
            "bold $mark-ink on $mark",
        ),
        (state.chosen, "▲", "^", "bold $win-ink on $win"),
        (state.marked, "+" * width, "+" * width, "bold $mark-ink on $mark"),
        (state.cancelled, "× ×", "x x", "$felt-muted"),
        (state.winning, "★", "*", "bold $win-ink on $win"),
        (state.fresh, "▔" * width, "-" * width, "$win"),
    )
    for holds, sign, plain_sign, style in signs:
        if holds:
            return f"{plain_sign if ascii_only else sign:^{width}}", style
    return "", ""


class _Drawing:
    """One card while it is drawn."""

    def __init__(self, face: Face, size: CardSize, state: CardState, ascii_only: bool) -> None:
        self.face, self.size, self.state, self.ascii_only = face, size, state, ascii_only
        self.dim = state.illegal or state.cancelled
        if self.dim:
            self.ground, self.ink = "$paper-dim", f"$dim-{face.hue}"
        elif face.ground:
            self.ground, self.ink = f"${face.ground}", f"${face.ground}-ink"
        else:
            self.ground, self.ink = "$paper", f"$paper-{face.hue}"
        self.cells = [[(" ", f"on {self.ground}")] * size.width for _ in range(size.height)]

    def rows(self) -> tuple[Row, ...]:
        if self.size == CHIP:
            return self._chip()
        if self.ascii_only:
            self._frame()
        if not self.state.covered:
            self._middle()
        self._index()
        self._signs()
        return tuple([runs_of(row) for row in self.cells])

    @property
    def sign(self) -> str:
        return self.face.letter if self.ascii_only else self.face.symbol or self.face.sign

    def put(self, x: int, y: int, text: str, style: str) -> None:
        for at, character in enumerate(text, x):
            self.cells[y][at] = (character, style)

    def _style(self, words: str = "bold") -> str:
        struck = "strike " if self.state.cancelled else ""
        return f"{words} {struck}{self.ink} on {self.ground}"

    def _chip(self) -> tuple[Row, ...]:
        """`K♥` with a blank on each side as far as there is room."""
        face = self.face
        text = f"{self.sign}{face.rank}" if face.sign_first else f"{face.rank}{self.sign}"
        if self.ascii_only:
            text = face.code
        return (((f"{text:^3} ", self._style()),),)

    def _frame(self) -> None:
        width, height = self.size
        style = f"{self.ink} on {self.ground}"
        self.put(0, 0, f".{'-' * (width - 2)}.", style)
        self.put(0, height - 1, f"'{'-' * (width - 2)}'", style)
        for row in range(1, height - 1):
            self.put(0, row, "|", style)
            self.put(width - 1, row, "|", style)

    def _index(self) -> None:
        """Rank and sign in the upper left corner, and turned in the lower right one."""
        face, (width, height) = self.face, self.size
        style = self._style()
        if self.state.covers:
            edge = "|" if self.ascii_only else _EDGE
            for row in range(height):
                self.put(0, row, edge, f"$paper-muted on {self.ground}")
        if self.ascii_only and self.state.covered:
            self.put(1, 0, f"{face.rank:<2}", style)
            self.put(1, 1, face.letter, style)
        elif self.ascii_only:
            self.put(1, 1, face.code, style)
            if height > COMPACT.height:
                self.put(width - 1 - len(face.code), height - 2, face.code, style)
        elif height >= LARGE.height:
            index, turned = f"{face.rank}{self.sign}", f"{self.sign}{face.rank}"
            if face.sign_first:
                index = turned
            self.put(1, 0, index, style)
            self.put(width - 1 - len(turned), height - 1, turned, style)
        else:
            self.put(1, 0, face.rank, style)
            self.put(1, 1, self.sign, style)
            if height == NORMAL.height:
                self.put(width - 1 - len(face.rank), height - 1, face.rank, style)

    def _middle(self) -> None:
        """The pips or the court picture of a large card, one sign on a normal one."""
        height, rank = self.size.height, self.face.rank
        court = _COURTS.get(rank, "") if self.face.symbol or not rank.isdecimal() else ""
        if height == COMPACT.height:
            return
        if height == NORMAL.height:
            if not self.ascii_only:
                sign = rank if self.face.ground else _COURT_SIGNS.get(court, self.sign)
                self.put(3, 2, sign, self._style("bold" if self.face.ground else ""))
        elif self.ascii_only:
            self.put(self.size.width // 2, height // 2, self.sign, self._style())
        elif court:
            self._court(court)
        elif self.face.ground:
            self._number(rank)
        elif rank in ("A", "1") and has_shape(self.sign):
            columns, rows = _ACES[self.size]
            self._sign((self.size.width - columns) // 2, (height - rows) // 2, columns, rows)
        else:
            self._pips(int(rank) if rank.isdecimal() and int(rank) in _PIPS else 1)

    def _pips(self, number: int) -> None:
        step = 2 if self.size == HUGE else 1
        for line, columns in enumerate(_PIPS[number]):
            for column in columns:
                x = _PIP_COLUMNS[self.size][column]
                self.put(x, 1 + line * step, self.sign, self._style("bold"))

    def _sign(self, x: int, y: int, columns: int, rows: int) -> None:
        """The sign of the suit, drawn in quarters of cells."""
        self._fine(x, y, sign_cells(self.sign, columns, rows))

    def _fine(self, x: int, y: int, blocks: Blocks) -> None:
        """Parts of cells in the ink of the card."""
        for row, line in enumerate(blocks, y):
            for at, block in enumerate(line, x):
                if block != EMPTY:
                    self.put(at, row, *block_cell(block, self.ink, self.ground))

    def _court(self, picture: str) -> None:
        """A portrait on a shaded panel."""
        dots = {
            "#": self.ink,
            "k": "$dim-black" if self.dim else "$paper-ink",
            "o": self.ink if self.dim else "$court-gold",
            "r": self.ink if self.dim else "$paper-hearts",
            "s": self.ground,
            ".": "$dim-shade" if self.dim else "$paper-shade",
        }
        cells = court_cells(picture, small=self.size == LARGE)
        left = (self.size.width - len(cells[0])) // 2
        for row, line in enumerate(cells, 1):
            for column, (character, upper, lower) in enumerate(line, left):
                self.put(column, row, character, f"{dots[upper]} on {dots[lower]}")

    def _number(self, rank: str) -> None:
        """A number of one digit in large dots."""
        large = self.size == HUGE
        columns, halves = (3, 3) if large else (2, 2)
        rows = digit_rows(rank[:1], columns, halves)
        left = (self.size.width - len(rows[0])) // 2
        self._fine(left, 1, rows)

    def _signs(self) -> None:
        state = self.state
        right = self.size.width - 1 - int(self.ascii_only)
        if state.trump:
            sign = "*" if self.ascii_only else _TRUMP_SIGN
            self.put(right, 0, sign, self._style())
        if state.label:
            self._label(right)
        if state.key:
            self._key()

    def _label(self, right: int) -> None:
        """The label as long as it fits, else its first word or letter: on large cards beside the
        index, where no key and no picture is. A frame leaves less room, and the code is elsewhere.
        """
        height, words = self.size.height, self.state.label
        row, left = {COMPACT: 1, NORMAL: 3, LARGE: 7, HUGE: 9}[self.size] - self.ascii_only, 1
        if height >= LARGE.height and not self.ascii_only:
            row, left = 0, len(self.face.rank) + 3
        if len(words) > right - left + self.ascii_only:
            words = words.split()[0]
        if height == COMPACT.height:
            words, left = words[0].upper(), right - self.ascii_only
        muted = "dim-black" if self.dim else "paper-muted"
        self.put(left, row, words, f"italic ${muted} on {self.ground}")

    def _key(self) -> None:
        """The key on the last row: as a key cap if it can be pressed now."""
        state, bottom = self.state, self.size.height - 1
        if state.offered:
            cap = "$key on $key-ink" if self.face.ground else "$key-ink on $key"
            self.put(0, bottom, f" {state.key} ", f"bold {cap}")
        elif state.illegal:
            cross = "x" if self.ascii_only else _CROSS
            self.put(0, bottom, f"{cross}{state.key} ", f"$dim-black on {self.ground}")
        else:
            muted = "$paper-muted" if not self.face.ground else self.ink
            self.put(0, bottom, f" {state.key} ", f"{muted} on {self.ground}")


def runs_of(cells: Sequence[tuple[str, str]]) -> Row:
    """A row of characters, joined where they have the same style."""
    runs = []
    text, style = "", cells[0][1] if cells else ""
    for character, its_style in cells:
        if its_style != style:
            runs.append((text, style))
            text, style = "", its_style
        text += character
    return (*runs, (text, style))


def fan_steps(count: int, size: CardSize, room: int, gap: int = 1) -> int:
    """Columns from one card of a hand to the next: apart if there is room, else overlapping."""
    if count < 2:
        return size.width + gap
    step = (room - size.width) // (count - 1)
    return max(NARROWEST_STEPS[size], min(size.width + gap, step))
