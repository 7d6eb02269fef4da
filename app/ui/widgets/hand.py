"""The hand at the bottom of the table."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from app.ui.layout.pictures import HeldCard
from app.ui.widgets.canvas import CARD_HEIGHT, CARD_WIDTH, Canvas

MOST_CARDS = 12
"""More cards than this are drawn as chips on several lines."""

_CHIP_WIDTH = 9
NO_CARD = -1


class Hand(Widget):
    """Cards side by side with a number in the lower border. Chosen and marked cards are raised."""

    class Picked(Message):
        """A card was clicked; `mark` is set for the right button and for Ctrl."""

        def __init__(self, place: int, mark: bool) -> None:
            super().__init__()
            self.place = place
            self.mark = mark

    def __init__(self, ascii_only: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self.ascii_only = ascii_only
        self.cards: Sequence[HeldCard] = ()
        self.asked = False
        self.numbers = False
        self.cursor = NO_CARD
        self.marked: frozenset[int] = frozenset()
        self.caption = ""
        self._drawn: tuple[object, ...] = ()

    def show(
        self,
        cards: Sequence[HeldCard],
        asked: bool,
        numbers: bool,
        cursor: int = NO_CARD,
        marked: frozenset[int] = frozenset(),
        caption: str = "",
    ) -> None:
        """Show these cards.

        asked            whether the person has to choose a card
        numbers          whether the cards are numbered
        cursor, marked   places in the hand, counted from 0
        caption          text beside the cards
        """
        now = (cards, asked, numbers, cursor, marked, caption)
        if now == self._drawn:
            return
        before = self._height(self.size.width)
        self._drawn = now
        self.cards = cards
        self.asked = asked
        self.numbers = numbers
        self.cursor = cursor
        self.marked = marked
        self.caption = caption
        self.refresh(layout=self._height(self.size.width) != before)

    def place_at(self, x: int, y: int) -> int:
        """The place of the card drawn there, or NO_CARD."""
        for place in range(len(self.cards)):
            left, top, wide, high = self._box(place)
            if left <= x < left + wide and top <= y < top + high:
                return place
        return NO_CARD

    def middle_of(self, place: int) -> tuple[int, int]:
        """A point on that card, where a mouse can click."""
        left, top, wide, high = self._box(place)
        return left + wide // 2, top + high // 2

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._height(width)

    def _height(self, width: int) -> int:
        if self._as_chips(width):
            return -(-len(self.cards) // self._chips_per_line(width)) + bool(self.caption)
        return 3 if self.ascii_only else CARD_HEIGHT + 1

    def render(self) -> Content:
        width = self.size.width
        canvas = Canvas(width, self.size.height)
        self._draw_caption(canvas)
        for place, card in enumerate(self.cards):
            left, top, _, _ = self._box(place)
            frame = self._style(place)
            number = str(place + 1) if self.numbers else ""
            if self._as_chips(width):
                mark = ">" if place == self.cursor else "+" if place in self.marked else " "
                canvas.put(left, top, f"{mark}{number:>2} ", frame or "dim")
                style = frame if frame == "dim" else card.face.style
                canvas.put(left + 4, top, card.face.chip(self.ascii_only), style)
            elif self.ascii_only:
                canvas.put_card(left, top - 1, card.face, True, frame)
                mark = "^" if place == self.cursor else "+" if place in self.marked else ""
                canvas.put_centred(left + CARD_WIDTH // 2, top + 1, f"{number}{mark}", "dim")
            else:
                raised = place == self.cursor or place in self.marked
                canvas.put_card(left, top - raised, card.face, False, frame, number)
        return canvas.content()

    def _draw_caption(self, canvas: Canvas) -> None:
        """Draw the caption beside the cards, or above them if it does not fit there."""
        lines = self.caption.splitlines()
        if not lines or not self.cards:
            return
        left, top, wide, _ = self._box(len(self.cards) - 1)
        beside = left + wide + 1
        if self._as_chips(canvas.width):
            canvas.put(0, 0, ", ".join(lines), "dim")
        elif beside + max(map(len, lines)) > canvas.width:
            canvas.put_centred(canvas.width // 2, 0, ", ".join(lines), "dim")
        else:
            for row, line in enumerate(lines, top + (not self.ascii_only)):
                canvas.put(beside, row, line, "dim")

    def on_click(self, event: events.Click) -> None:
        place = self.place_at(event.x, event.y)
        if place != NO_CARD:
            self.post_message(self.Picked(place, event.button == 3 or event.ctrl))

    def _style(self, place: int) -> str:
        """The style of a card that is dim, chosen or marked; otherwise empty."""
        if place == self.cursor:
            return "bold $accent"
        if place in self.marked:
            return "bold $warning"
        if self.asked and not self.cards[place].offered:
            return "dim"
        return ""

    def _as_chips(self, width: int) -> bool:
        return len(self.cards) > MOST_CARDS or len(self.cards) * CARD_WIDTH > width

    def _chips_per_line(self, width: int) -> int:
        return max(1, width // _CHIP_WIDTH)

    def _box(self, place: int) -> tuple[int, int, int, int]:
        """Left, top, width and height of a card that is not raised."""
        width = self.size.width
        if self._as_chips(width):
            row, column = divmod(place, self._chips_per_line(width))
            return column * _CHIP_WIDTH, row + bool(self.caption), _CHIP_WIDTH, 1
        left = (width - len(self.cards) * CARD_WIDTH) // 2
        high = 1 if self.ascii_only else CARD_HEIGHT
        return left + place * CARD_WIDTH, 1, CARD_WIDTH, high
