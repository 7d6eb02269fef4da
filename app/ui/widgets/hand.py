"""The hand at the bottom of the table."""

from collections.abc import Sequence

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive

from app.ui.layout.boxes import Box
from app.ui.layout.card_art import (
    NORMAL,
    CardSize,
    CardState,
    Row,
    back_rows,
    band,
    card_rows,
    fan_steps,
)
from app.ui.layout.felt_layout import hand_size
from app.ui.layout.motion import SECONDS
from app.ui.layout.pictures import HeldCard, SeatPicture
from app.ui.widgets.canvas import Canvas
from app.ui.widgets.drawn import Drawn
from app.ui.widgets.plates import draw_plate, plate_width

NO_CARD = -1
_PLATE_ROWS = 2
_ROOMY = 21
"""From this height of the table on, a plate above the cards has a row of its own."""


class Hand(Drawn):
    """Cards side by side, or overlapping like a fan if they are many, with their keys. Chosen and
    marked cards are raised."""

    dealt: reactive[float] = reactive(1.0, repaint=False)
    """The share of the cards that have been dealt, while a hand is dealt."""

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
        self.keys: Sequence[str] = ()
        self.cursor = NO_CARD
        self.marked: frozenset[int] = frozenset()
        self.seat: SeatPicture | None = None
        self._over = False
        self._dealing = False
        self._drawn: tuple[object, ...] = ()

    def show(
        self,
        cards: Sequence[HeldCard],
        asked: bool,
        keys: Sequence[str],
        cursor: int = NO_CARD,
        marked: frozenset[int] = frozenset(),
        seat: SeatPicture | None = None,
        moving: bool = False,
        over: bool = False,
    ) -> None:
        """Show these cards.

        asked            whether the person has to choose a card
        keys             the key of each card; empty if none can be typed
        cursor, marked   places in the hand, counted from 0
        seat             whose hand it is, for the name plate beside the cards
        moving           whether a new hand is dealt card by card
        over             whether no card follows, so that an empty hand needs no room
        """
        now = (cards, asked, keys, cursor, marked, seat)
        if (*now, over) == self._drawn:
            return
        before = self._height(self.size.width)
        held = {card.card for card in self.cards}
        is_new = len(cards) > 1 and held.isdisjoint([card.card for card in cards])
        self._drawn = (*now, over)
        self._over = over
        self.finish()
        if moving and is_new:
            self._dealing = True
            self.set_reactive(Hand.dealt, 0.0)
            self.animate("dealt", 1.0, duration=SECONDS, easing="linear")
        self.cards, self.asked, self.keys, self.cursor, self.marked, self.seat = now
        if self._height(self.size.width) != before:
            self.refresh(layout=True)
        self.repaint()

    @property
    def moving(self) -> bool:
        """True while the hand is dealt."""
        return self._dealing

    def finish(self) -> None:
        """Complete a running deal at once."""
        if self._dealing:
            self._dealing = False
            self.repaint()

    def watch_dealt(self, dealt: float) -> None:
        if self._dealing:
            if dealt >= 1:
                self.finish()
            else:
                self.repaint()

    def place_at(self, x: int, y: int) -> int:
        """The place of the card drawn there, or NO_CARD. Of overlapping cards the last one."""
        for place in reversed(range(len(self.cards))):
            box = self._box(place)
            raised = place == self.cursor or place in self.marked
            if box.x <= x < box.right and box.y - raised <= y < box.bottom:
                return place
        return NO_CARD

    def middle_of(self, place: int) -> tuple[int, int]:
        """A point on the visible part of that card, where a mouse can click."""
        box, step = self._box(place), self._step
        return box.x + min(step, box.width) // 2, box.y + box.height // 2

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._height(width)

    # Layout

    def _table_height(self) -> int:
        """Rows of the whole table, of which the hand is a part."""
        return self.app.size.height - 3

    def _form(self, width: int) -> tuple[CardSize, int]:
        return hand_size(width - 2, self._table_height(), len(self.cards))

    def _height(self, width: int) -> int:
        if not self.cards and self.seat is None:
            return 1
        if not self.cards and self._over:
            return _PLATE_ROWS + 1
        size, rows = self._form(width)
        return size.height * rows + 1 + self._plate_above(width)

    @property
    def _step(self) -> int:
        size, rows = self._form(self.size.width)
        return fan_steps(-(-len(self.cards) // rows), size, self.size.width - 2)

    def _fan_width(self, width: int) -> int:
        size, rows = self._form(width)
        per_row = -(-len(self.cards) // rows)
        step = fan_steps(per_row, size, width - 2)
        return size.width + max(0, per_row - 1) * step if per_row else 0

    def _plate_beside(self, width: int) -> bool:
        return self._plate_room + self._fan_width(width) < width

    def _plate_above(self, width: int) -> int:
        """The row of a plate above the cards. In a low window, and above large cards, which would
        cost the trick its size, it shares the row of raised cards."""
        above = self.seat is not None and not self._plate_beside(width)
        small = self._form(width)[0].height <= NORMAL.height
        return int(above and small and self._table_height() >= _ROOMY)

    @property
    def _plate_room(self) -> int:
        """Columns for a name plate left of the cards."""
        return plate_width(self.seat) + 4 if self.seat is not None else 0

    def _left(self, width: int) -> int:
        """The column of the first card. The cards are centred as far as the plate allows."""
        least = self._plate_room if self._plate_beside(width) else 0
        return max(least, (width - self._fan_width(width)) // 2)

    def _box(self, place: int) -> Box:
        """Where a card lies that is not raised."""
        width = self.size.width
        size, rows = self._form(width)
        per_row = max(1, -(-len(self.cards) // rows))
        row, column = divmod(place, per_row)
        left = self._left(width)
        top = 1 + self._plate_above(width) + row * size.height
        return Box(left + column * self._step, top, *size)

    # Drawing

    def draw(self) -> list[Row]:
        width, height = self.size
        canvas = Canvas(width, height)
        self._draw_plate(canvas)
        size, rows = self._form(width)
        step, per_row = self._step, max(1, -(-len(self.cards) // rows))
        shown = round(self.dealt * len(self.cards)) if self._dealing else len(self.cards)
        for place, card in enumerate(self.cards[:shown]):
            box = self._box(place)
            state = self._state(place, step - size.width, per_row)
            y = box.y - state.raised
            if card.back:
                canvas.put_rows(box.x, y, back_rows(size, state.covers, self.ascii_only))
                if state.key:
                    style = "bold $key-ink on $key"
                    canvas.put(box.x, y + size.height - 1, f" {state.key} ", style)
            else:
                canvas.put_rows(box.x, y, card_rows(card.face, size, state, self.ascii_only))
            text, style = band(state, size.width, self.ascii_only)
            canvas.put(box.x, y + size.height, text, style)
        return canvas.rows()

    def _state(self, place: int, gap: int, per_row: int) -> CardState:
        card = self.cards[place]
        last = place + 1 == len(self.cards) or (place + 1) % per_row == 0
        return CardState(
            chosen=place == self.cursor,
            marked=place in self.marked,
            illegal=self.asked and not card.offered,
            offered=self.asked and card.offered,
            trump=card.trump,
            key=self.keys[place] if place < len(self.keys) else "",
            label=card.label,
            covers=gap <= 0 and place % per_row > 0,
            covered=gap < 0 and not last,
        )

    def _draw_plate(self, canvas: Canvas) -> None:
        """The name plate left of the cards, or else above them, in the row of raised cards."""
        if self.seat is None:
            return
        if not self._plate_beside(canvas.width):
            wide = min(canvas.width - 2, plate_width(self.seat, rows=1))
            draw_plate(canvas, Box(1, 0, wide, 1), self.seat)
            return
        wide = plate_width(self.seat)
        left = self._left(canvas.width)
        x = max(1, min(left - wide - 3, left // 2 - wide // 2 + 2))
        draw_plate(canvas, Box(x, max(1, canvas.height - 3), wide, _PLATE_ROWS), self.seat)

    def on_click(self, event: events.Click) -> None:
        place = self.place_at(event.x, event.y)
        if place != NO_CARD:
            self.post_message(self.Picked(place, event.button == 3 or event.ctrl))
