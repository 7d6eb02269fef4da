"""Two small tables: the same deal, played by generation 0 and by the current learner."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from textual.content import Content
from textual.widget import Widget

from app.ui.layout.card_art import COMPACT, card_rows
from app.ui.layout.faces import Face
from app.ui.widgets.canvas import Canvas

_BESIDE: Final = 66
"""From this width on the tables are side by side."""

_CARDS_FROM: Final = 14
"""From this height of a table on, the hand is drawn as cards."""

_LONG: Final = 40
"""Hands with so many moves go faster."""

_DIFFERS: Final = "◆"


class Move(NamedTuple):
    """A move of a hand.

    who      its player in a few letters
    text     its words, if it is not a card
    own      whether the learner made it
    differs  whether the other learner decided differently here
    """

    who: str
    text: str
    face: Face | None
    own: bool
    differs: bool


class Story(NamedTuple):
    """A hand, line by line.

    title    who plays
    hand     the cards of the learner at the beginning
    lines    bids, then tricks: the moves and a remark at the end
    result   in words, and whether it is good (1), bad (-1) or neither
    """

    title: str
    hand: Sequence[Face]
    lines: Sequence[tuple[Sequence[Move], str]]
    result: str
    mood: int

    @property
    def length(self) -> int:
        return sum([len(moves) for moves, _ in self.lines])


class ThenAndNow(Widget):
    """Shows both stories up to the same number of moves."""

    def __init__(self, ascii_only: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self._ascii = ascii_only
        self._stories: tuple[Story, Story] | None = None
        self._tally = ""
        self._step = 0

    @property
    def running(self) -> bool:
        """Whether there are moves to come."""
        return self._stories is not None and self._step <= self._longest

    @property
    def _longest(self) -> int:
        return max([story.length for story in self._stories or ()], default=0)

    def show(self, then: Story, now: Story, tally: str) -> None:
        """Begin with a new deal. tally: the results of all deals so far."""
        self._stories, self._tally, self._step = (then, now), tally, 0
        self.refresh()

    def advance(self) -> None:
        """Show the next move, or the next few of a long hand."""
        self._step += 1 + self._longest // _LONG
        self.refresh()

    def finish(self) -> None:
        """Show the whole hand."""
        self._step = self._longest + 1
        self.refresh()

    def render(self) -> Content:
        if self._stories is None:
            return Content.styled(
                "The same deal twice: as it plays now, and as it played before its first match.",
                "dim",
            )
        canvas = Canvas(*self.size)
        width, height = self.size
        if width >= _BESIDE:
            half = width // 2 - 1
            for x, story in zip((0, half + 2), self._stories, strict=True):
                self._draw(canvas, x, 0, half, height - 1, story)
        else:
            half = (height - 1) // 2
            for y, story in zip((0, half), self._stories, strict=True):
                self._draw(canvas, 0, y, width, half, story)
        canvas.put(0, height - 1, self._tally[:width], "$text-muted")
        return canvas.content()

    def _draw(self, canvas: Canvas, x: int, y: int, width: int, height: int, story: Story) -> None:
        over = self._step > story.length
        canvas.put(x, y, f" {story.title} ", "bold $text on $primary")
        if over:
            style = {1: "bold $text-success", -1: "bold $text-error"}.get(story.mood, "bold")
            at = max(len(story.title) + 4, width - len(story.result) - 1)
            canvas.put(x + at, y, story.result, style)
        row, bottom = y + 1, y + height
        step = COMPACT.width + 1
        if height >= _CARDS_FROM and len(story.hand) * step <= width and not self._ascii:
            for number, face in enumerate(story.hand):
                canvas.put_rows(x + number * step, row, card_rows(face, COMPACT))
            row += COMPACT.height
        else:
            at = x + 1
            for face in story.hand:
                chip = face.chip(self._ascii)
                canvas.put(at, row, f" {chip} ", f"{face.style} on $panel")
                at += len(chip) + 3
            row += 1
        left = self._step
        lines: list[tuple[Sequence[Move], str]] = []
        for moves, remark in story.lines:
            if left <= 0:
                break
            lines.append((moves[:left], remark if left >= len(moves) else ""))
            left -= len(moves)
        drawn = [each for line in lines for each in _wrapped(line, width, self._ascii)]
        for parts in drawn[max(0, len(drawn) - (bottom - row)) :]:
            at = x
            for text, style in parts:
                canvas.put(at, row, text[: max(0, x + width - at)], style)
                at += len(text)
            row += 1


def _wrapped(
    line: tuple[Sequence[Move], str], width: int, ascii_only: bool
) -> list[list[tuple[str, str]]]:
    """The rows of a line: pairs of text and style."""
    moves, remark = line
    rows: list[list[tuple[str, str]]] = [[]]
    used = 0
    pieces = [_pieces(move, ascii_only) for move in moves]
    if remark:
        pieces.append([(f"{remark}", "dim")])
    for piece in pieces:
        length = sum([len(text) for text, _ in piece])
        if used and used + length > width:
            rows.append([])
            used = 0
        rows[-1] += piece
        used += length
    return rows


def _pieces(move: Move, ascii_only: bool) -> list[tuple[str, str]]:
    words = move.face.chip(ascii_only) if move.face else move.text
    ink = move.face.style if move.face else ("bold" if move.own else "")
    mark = _DIFFERS if move.differs else " "
    if not move.own:
        return [(f" {move.who} ", "dim"), (f"{words:<3}", move.face.colour if move.face else "dim")]
    ground = "on $accent 40%" if move.differs else "on $panel"
    return [
        (mark, "bold $text-accent"),
        (f"{move.who} ", "bold"),
        (f"{words:<3}", f"{ink} {ground}"),
    ]
