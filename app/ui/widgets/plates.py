"""Name plates, badges and the score, drawn on a canvas."""

from collections.abc import Sequence
from typing import Final

from app.ui.layout.boxes import Box
from app.ui.layout.card_art import CHIP, SIZES, card_rows
from app.ui.layout.felt_layout import LEAST_PICTURE
from app.ui.layout.pictures import Badge, Pips, SeatPicture, Tally
from app.ui.layout.sprites import (
    EMPTY,
    SIGN_COLUMNS,
    Blocks,
    block_cell,
    large_number,
    picture_of,
)
from app.ui.layout.wording import minus
from app.ui.widgets.canvas import Canvas
from app.ui.widgets.wrapping import cut

_DEALER: Final = " D "
_FILLED: Final = "●"
_EMPTY: Final = "○"
_LIFE: Final = "♥"
_MOST_PIPS: Final = 8
_FIVE: Final = 5
_PEG, _HOLE = "●", "·"
_STICK: Final = "┃"
_FIFTH: Final = "╱"
_BIG_DIGITS_ROWS: Final = 3


def plate_width(picture: SeatPicture, rows: int = 2) -> int:
    """The columns that a whole name plate takes."""
    first = len(_head(picture)) + 2 + len(_DEALER) * picture.dealer
    if rows == 1:
        return first + _length(_counts(picture))
    note = len(picture.note) + 2 if picture.note else 0
    counts = _length(_counts(picture))
    return max(first, counts + note + bool(counts), 9)


def least_width(picture: SeatPicture) -> int:
    """The columns of a name plate with only the name and the dealer's button."""
    return len(_name(picture)) + (1 + len(_DEALER) if picture.dealer else 2)


def fits_whole(picture: SeatPicture, width: int) -> bool:
    """Whether a plate of this width shows the level of the player beside the name."""
    return len(_head(picture)) < width - len(_DEALER) * picture.dealer


def draw_plate(canvas: Canvas, box: Box, picture: SeatPicture, whole: bool = True) -> None:
    """The name with the dealer's button; below it the counts and the bubble. A note that does not
    fit is left out.

    whole   whether to show the level of the player where it fits
    """
    lit = picture.active
    ground = "$plate-lit" if lit else "$plate"
    ink = "$plate-lit-ink" if lit else "$plate-muted" if picture.out else "$plate-ink"
    canvas.fill(box.x, box.y, box.width, box.height, f"on {ground}")
    room = box.width - len(_DEALER) * picture.dealer
    if picture.dealer:
        canvas.put(box.x + room, box.y, _DEALER, "bold $paper-ink on $paper")
    struck = "strike " if picture.out else "bold "
    mark = "▸" if lit else " "
    heads = (_head(picture), f"{picture.sign} {_name(picture)}", _name(picture))[not whole :]
    head = next((head for head in heads if len(head) < room), cut(_name(picture), room - 1))
    canvas.put(box.x, box.y, f"{mark}{head}", f"{struck}{ink} on {ground}")
    counts = _counts(picture)
    if _length(counts) > box.width - 1:
        counts = _counts(picture, most=0)
    if box.height == 1:
        if len(head) + 2 + _length(counts) <= room:
            _put_counts(canvas, box.x + room - _length(counts), box.y, counts, ground, lit)
        return
    _put_counts(canvas, box.x + 1, box.y + 1, counts, ground, lit)
    left = box.width - _length(counts) - bool(counts)
    fitting = [note for note in (picture.note, picture.brief) if 0 < len(note) <= left - 2]
    for note in fitting[:1]:
        canvas.put(box.right - len(note) - 2, box.y + 1, f" {note} ", "$paper-ink on $paper-shade")


def _head(picture: SeatPicture) -> str:
    return f"{picture.sign} {picture.title}".strip()


def _name(picture: SeatPicture) -> str:
    return picture.title.split(" · ")[0]


def _counts(picture: SeatPicture, most: int = _MOST_PIPS) -> list[tuple[str, str]]:
    """Lives and tricks as pieces of text with the names of their inks; as numbers if there are
    more than `most`."""
    parts = []
    if picture.lives is not None and not picture.out:
        few = picture.lives <= min(5, most)
        lives = _LIFE * picture.lives if few else f"{picture.lives}{_LIFE}"
        parts.append((f"{lives} ", "life"))
    if picture.tricks is not None:
        parts.append((f"{pips(picture.tricks, most)} ", "pips"))
    return parts


def pips(marks: Pips, most: int = _MOST_PIPS) -> str:
    """`●●○`: filled marks, then those to come."""
    if max(marks.filled, marks.total) > most:
        return f"{marks.filled}/{marks.total}" if marks.total else str(marks.filled)
    return _FILLED * marks.filled + _EMPTY * (marks.total - marks.filled)


def _length(parts: Sequence[tuple[str, str]]) -> int:
    return sum([len(text) for text, _ in parts])


def _put_counts(
    canvas: Canvas, x: int, y: int, parts: Sequence[tuple[str, str]], ground: str, lit: bool
) -> None:
    for text, kind in parts:
        ink = "$plate-lit-ink" if lit else "$life" if kind == "life" else "$plate-ink"
        canvas.put(x, y, text, f"{ink} on {ground}")
        x += len(text)


def draw_badge(canvas: Canvas, box: Box, badge: Badge, ascii_only: bool) -> None:
    """A plate with a large sign, or a card with its title below."""
    if badge.face is not None and box.height > 1:
        size = next(size for size in SIZES if size.height == box.height - 1)
        x = box.x + (box.width - size.width) // 2
        canvas.put_rows(x, box.y, card_rows(badge.face, size, ascii_only=ascii_only))
        canvas.put_centred(box.x + box.width // 2, box.bottom - 1, badge.title, "$felt-muted")
        return
    canvas.fill(box.x, box.y, box.width, box.height, "on $plate")
    if box.height == 1:
        canvas.put(box.x + 1, box.y, badge.title, "$plate-muted on $plate")
        at = box.x + 2 + len(badge.title)
        if badge.face is not None:
            canvas.put_rows(at, box.y, card_rows(badge.face, CHIP, ascii_only=ascii_only))
        else:
            words = f"{badge.sign} {badge.words}".strip()
            canvas.put(at, box.y, cut(words, box.right - at), f"{badge.style} on $plate")
        return
    picture = picture_of(badge.sign, box.height - 2) if box.height >= LEAST_PICTURE else None
    if picture is not None:
        _draw_picture(canvas, box, badge, picture)
        return
    texts = [badge.sign, badge.words]
    if box.height == 2:
        texts = [" ".join(texts).strip()]
    rows = [(badge.title.upper(), "$plate-muted"), *[(text, badge.style) for text in texts]]
    for y, (text, ink) in enumerate(rows, box.y):
        canvas.put(box.x + (box.width - len(text)) // 2, y, text, f"{ink} on $plate")


def picture_sizes(badge: Badge) -> tuple[tuple[int, int], ...]:
    """Columns and rows of the pictures of the sign on a badge, the largest first."""
    pictures = {rows: picture_of(badge.sign, rows) for rows in sorted(SIGN_COLUMNS, reverse=True)}
    sizes = [(len(found[0]), len(found)) for found in pictures.values() if found is not None]
    return tuple(dict.fromkeys(sizes))


def _draw_picture(canvas: Canvas, box: Box, badge: Badge, picture: Blocks) -> None:
    """The picture of the sign between the title and the words."""
    words = badge.style.split()
    ink = words[-1] if words and words[-1].startswith("$") else "$plate-ink"
    left = box.x + (box.width - len(picture[0])) // 2
    _put_blocks(canvas, left, box.y + 1, picture, ink)
    rows = ((box.y, badge.title.upper(), "$plate-muted"), (box.bottom - 1, badge.words, ink))
    for y, text, style in rows:
        canvas.put(box.x + (box.width - len(text)) // 2, y, text, f"bold {style} on $plate")


def _put_blocks(canvas: Canvas, x: int, y: int, blocks: Blocks, ink: str) -> None:
    for row, line in enumerate(blocks, y):
        for at, block in enumerate(line, x):
            if block != EMPTY:
                canvas.put(at, row, *block_cell(block, ink, "$plate"))


def tally_sizes(tallies: Sequence[Tally], ascii_only: bool) -> tuple[tuple[int, int], ...]:
    """The columns and rows that the score on the felt may have, the best first: with large digits
    and marks, with large digits alone, beside the names or below them, and with small digits."""
    if not tallies:
        return ()
    sides = len(tallies)
    name = max([len(each.name) for each in tallies])
    longest = max([name, *[len(marks(each)) for each in tallies]])
    digits = 4 * max([2, *[len(str(each.score)) for each in tallies]]) - 1
    heights = (4 * sides - 1, _BIG_DIGITS_ROWS * sides)
    large = [(words + digits + 4, rows) for words in (longest, name) for rows in heights]
    large.append((max(name, digits) + 2, 4 * sides))
    return (*([] if ascii_only else dict.fromkeys(large)), (longest + 6, 2 * sides))


def draw_tally(canvas: Canvas, box: Box, tallies: Sequence[Tally]) -> None:
    """The score in one of the sizes of `tally_sizes`."""
    rows = (box.height + 1) // len(tallies)
    canvas.fill(box.x, box.y, box.width, box.height, "on $plate")
    best = max(each.score for each in tallies)
    for y, each in zip(range(box.y, box.bottom + 1, rows), tallies, strict=False):
        ahead = each.score == best and any(other.score < best for other in tallies)
        ink = "$plate-lit" if ahead else "$plate-ink"
        number, low = str(each.score), int(box.height == 4 * len(tallies))
        blocks = large_number(number) if rows >= _BIG_DIGITS_ROWS else None
        wide = len(blocks[0]) if blocks else len(minus(number))
        left = box.right - wide - 1
        canvas.put(box.x + 1, y, each.name, "bold $plate-ink on $plate")
        if blocks is None or len(marks(each)) + wide + 3 <= box.width:
            canvas.put(box.x + 1, y + 1, marks(each), "$plate-muted on $plate")
        if blocks is not None:
            _put_blocks(canvas, left, y + low, blocks, ink)
        else:
            canvas.put(left, y + low, minus(number), f"bold {ink} on $plate")


def marks(tally: Tally) -> str:
    """The score as pegs or match sticks; empty if there are too many."""
    score, target = max(0, tally.score), tally.target
    if tally.kind == "sticks":
        half = -(-target // 2)
        if target > 40:
            return ""
        if score > half:
            return f"buenas {_sticks(score - half, target - half)}"
        return f"malas {_sticks(score, half)}"
    if tally.kind == "pegs" and target <= 20:
        row = _PEG * min(score, target) + _HOLE * max(0, target - score)
        return " ".join([row[at : at + _FIVE] for at in range(0, len(row), _FIVE)])
    return ""


def _sticks(score: int, room: int) -> str:
    """`┃┃┃┃╱ ┃┃·`: bundles of five matches, and a dot for each one to come."""
    row = []
    for at in range(room):
        fifth = at % _FIVE == _FIVE - 1
        row.append((_FIFTH if fifth else _STICK) if at < score else "·")
    text = "".join(row)
    return " ".join([text[at : at + _FIVE] for at in range(0, len(text), _FIVE)])
