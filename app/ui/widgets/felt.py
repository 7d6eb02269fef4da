"""The felt: the players around the table, the trick, badges and the score."""

from collections.abc import Sequence
from dataclasses import replace

from textual.content import Content
from textual.reactive import reactive

from app.ui.layout.boxes import Box
from app.ui.layout.card_art import (
    COMPACT,
    CardSize,
    CardState,
    Row,
    back_rows,
    band,
    card_rows,
    place_rows,
)
from app.ui.layout.felt_layout import BadgeNeeds, FeltPlan, SeatNeeds, SeatSpot, arrange
from app.ui.layout.motion import PICTURES, SECONDS, Flight, Motion, Scene, motion_between
from app.ui.layout.pictures import Badge, Laid, SeatPicture, Tally
from app.ui.widgets.canvas import Canvas
from app.ui.widgets.drawn import Drawn, pieces_of
from app.ui.widgets.plates import (
    draw_badge,
    draw_plate,
    draw_tally,
    fits_whole,
    least_width,
    picture_sizes,
    plate_width,
    tally_sizes,
)
from app.ui.widgets.wrapping import cut, evenly

_LEAST_SHARE = 4
"""In a low window the texts take at most one row in so many."""

_LOW = 20
_CROWD = 4
"""With so many other players all plates show the level, or none."""

_TALLY_FROM = 17
"""From this height on the score lies on the felt if there is room."""


class Felt(Drawn):
    """Draws what `arrange` has placed, and moves cards from one picture to the next."""

    progress: reactive[float] = reactive(1.0, repaint=False)
    """How much of the motion is done, from 0 to 1."""

    def __init__(self, ascii_only: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self.ascii_only = ascii_only
        self.pictures: Sequence[SeatPicture] = ()
        self.laid: Sequence[Laid] = ()
        self.badges: Sequence[Badge] = ()
        self.tallies: Sequence[Tally] = ()
        self.lines: Sequence[Content | str] = ()
        self._motion: Motion | None = None
        self._scores: dict[str, int] = {}
        """The score of each side before the motion."""

    def show(
        self,
        pictures: Sequence[SeatPicture],
        laid: Sequence[Laid],
        badges: Sequence[Badge] = (),
        tallies: Sequence[Tally] = (),
        lines: Sequence[Content | str] = (),
        moving: bool = False,
    ) -> None:
        """Show these pictures.

        lines    text under the cards; the last lines are kept when room is short
        moving   whether cards move to their new places
        """
        now = (pictures, laid, badges, tallies, lines)
        if now == (self.pictures, self.laid, self.badges, self.tallies, self.lines):
            return
        before = self._scene() if moving and self.pictures and self.size.area else None
        scores = {each.name: each.score for each in self.tallies}
        self.pictures, self.laid, self.badges, self.tallies, self.lines = now
        self.finish()
        if before is not None:
            self._begin(motion_between(before, self._scene()), scores)
        self.repaint()

    # Motion

    def _scene(self) -> Scene:
        return Scene(self.plan()[0], self.laid, *self.size)

    def _begin(self, motion: Motion, scores: dict[str, int]) -> None:
        counted = any(scores.get(each.name, each.score) != each.score for each in self.tallies)
        if motion or counted:
            self._motion, self._scores = motion, scores
            self.set_reactive(Felt.progress, 0.0)
            self.animate("progress", 1.0, duration=SECONDS, easing="in_out_cubic")

    @property
    def moving(self) -> bool:
        """True while cards move."""
        return self._motion is not None

    def finish(self) -> None:
        """Complete a running motion at once."""
        if self._motion is not None:
            self._motion, self._scores = None, {}
            self.repaint()

    def watch_progress(self, before: float, progress: float) -> None:
        """Draw so many pictures of a motion, which leaves time for keys in a large window."""
        if self._motion is not None:
            if progress >= 1:
                self.finish()
            elif int(before * PICTURES) != int(progress * PICTURES):
                self.repaint()

    def _counted(self) -> list[Tally]:
        """The scores on their way to the new ones."""
        return [
            replace(each, score=round(old + self.progress * (each.score - old)))
            for each in self.tallies
            for old in [self._scores.get(each.name, each.score)]
        ]

    def _draw_flights(self, canvas: Canvas, plan: FeltPlan, motion: Motion) -> None:
        for flight in (*motion.swept, *motion.played.values()):
            if flight.visible(self.progress):
                self._draw_flight(canvas, plan, flight)

    def _draw_flight(self, canvas: Canvas, plan: FeltPlan, flight: Flight) -> None:
        if flight.laid.face is not None:
            state = CardState(trump=flight.laid.trump, label=flight.laid.label)
            rows = card_rows(flight.laid.face, plan.size, state, self.ascii_only)
            canvas.put_rows(*flight.at(self.progress), rows)

    def on_resize(self) -> None:
        """Complete a motion: it was planned for another size."""
        self.finish()

    # Drawing

    def plan(self) -> tuple[FeltPlan, list[Content]]:
        """Where everything lies, and the rows of text at the bottom."""
        width, height = self.size
        lines = self._fitting(width, height)
        plan = plan_felt(
            width,
            height,
            self.pictures,
            self.laid,
            self.badges,
            self.tallies,
            len(lines),
            self.ascii_only,
        )
        return plan, lines

    def draw(self) -> list[Row]:
        canvas = Canvas(*self.size)
        if not self.size.area:
            return canvas.rows()
        plan, lines = self.plan()
        whole = self.shows_levels(plan.seats)
        for spot, picture in zip(plan.seats, self.pictures, strict=True):
            self._draw_seat(canvas, spot, picture, whole)
        motion = self._motion
        for number, (box, laid) in enumerate(zip(plan.laid, self.laid, strict=True)):
            if motion is not None and number in motion.played:
                laid = replace(laid, face=None, bright=False, struck=False, fresh=False)
            elif motion is not None and number in motion.turned and self.progress < 0.5:
                canvas.put_rows(box.x, box.y, back_rows(plan.size, False, self.ascii_only))
                continue
            self._draw_laid(canvas, box, laid, plan.size, plan.captioned[number].width)
        for box, badge in zip(plan.badges, self.badges, strict=True):
            draw_badge(canvas, box, badge, self.ascii_only)
        if plan.tally is not None:
            draw_tally(canvas, plan.tally, self._counted())
        if motion is not None:
            self._draw_flights(canvas, plan, motion)
        rows = canvas.rows()[: self.size.height - len(lines)]
        return rows + [pieces_of(line.center(self.size.width)) for line in lines]

    def shows_levels(self, spots: Sequence[SeatSpot]) -> bool:
        """Whether plates show the levels of the players where they fit."""
        plates = zip(spots, self.pictures, strict=True)
        return len(spots) < _CROWD or all(
            fits_whole(picture, spot.plate.width) for spot, picture in plates
        )

    def _fitting(self, width: int, height: int) -> list[Content]:
        """The last texts that fit; a text is shown whole or not at all."""
        contents = [Content(line) if isinstance(line, str) else line for line in self.lines]
        texts = [evenly(content, width - 2) for content in contents]
        room = height // 3 if height > _LOW else height // _LEAST_SHARE
        rows: list[Content] = []
        for text in reversed(texts):
            if len(text) + len(rows) > room:
                break
            rows = [*text, *rows]
        return rows

    def _draw_seat(self, canvas: Canvas, spot: SeatSpot, picture: SeatPicture, whole: bool) -> None:
        draw_plate(canvas, spot.plate, picture, whole)
        overlap = _overlaps(spot)
        for number, (x, y) in enumerate(spot.cards):
            covers = overlap and x != spot.cards[0][0]
            last = number + 1 == len(spot.cards) or spot.cards[number + 1][1] != y
            if number < len(picture.cards):
                state = CardState(covers=covers, covered=overlap and not last)
                rows = card_rows(picture.cards[number], spot.size, state, self.ascii_only)
            else:
                rows = back_rows(spot.size, covers, self.ascii_only)
            canvas.put_rows(x, y, rows)

    def _draw_laid(
        self, canvas: Canvas, box: Box, laid: Laid, size: CardSize, columns: int
    ) -> None:
        """columns: the room for the caption"""
        state = CardState(
            winning=laid.bright,
            cancelled=laid.struck,
            fresh=laid.fresh,
            trump=laid.trump,
            label=laid.label,
        )
        if laid.face is None:
            rows = place_rows(size, self.ascii_only)
        elif laid.back:
            rows = back_rows(size, False, self.ascii_only)
        else:
            rows = card_rows(laid.face, size, state, self.ascii_only)
        canvas.put_rows(box.x, box.y, rows)
        if laid.back and laid.face is not None:
            canvas.put_centred(
                box.x + box.width // 2,
                box.y + box.height // 2,
                f"{laid.face.rank:^3}" if size == COMPACT else f" {laid.face.rank} ",
                "bold $card-back-ink on $card-back",
            )
        self._draw_caption(canvas, box, laid, state, columns)

    def _draw_caption(
        self, canvas: Canvas, box: Box, laid: Laid, state: CardState, columns: int
    ) -> None:
        _, style = band(state, box.width, self.ascii_only)
        caption = shortened(_caption(laid), columns)
        if state.winning:
            caption = f"{caption:^{box.width}}"
        elif not state.cancelled:
            style = "bold $felt-ink" if state.fresh else "$felt-muted"
        canvas.put_centred(box.x + box.width // 2, box.bottom, caption, style)


def plan_felt(
    width: int,
    height: int,
    pictures: Sequence[SeatPicture],
    laid: Sequence[Laid],
    badges: Sequence[Badge] = (),
    tallies: Sequence[Tally] = (),
    lines: int = 0,
    ascii_only: bool = False,
) -> FeltPlan:
    """Where everything lies on a felt of this size. lines: rows of text at the bottom."""
    return arrange(
        width,
        height,
        tuple([_seat_needs(picture) for picture in pictures]),
        tuple([(each.place, len(_caption(each))) for each in laid]),
        tuple([_badge_needs(badge, ascii_only) for badge in badges]),
        tally_sizes(tallies, ascii_only) if height >= _TALLY_FROM else (),
        lines,
    )


def _caption(laid: Laid) -> str:
    """The text below a card, with a sign if the card takes the trick or counts for nothing."""
    if laid.bright:
        return f"★ {laid.caption}"
    return f"×{laid.caption}" if laid.struck else laid.caption


def _overlaps(spot: SeatSpot) -> bool:
    """Whether the cards of a seat lie on each other."""
    if len(spot.cards) < 2:
        return False
    return 0 < spot.cards[1][0] - spot.cards[0][0] < spot.size.width


def _seat_needs(picture: SeatPicture) -> SeatNeeds:
    cards = len(picture.cards) + picture.backs
    widths = plate_width(picture), plate_width(picture, 1), least_width(picture)
    return SeatNeeds(*widths, cards, bool(picture.cards))


def _badge_needs(badge: Badge, ascii_only: bool) -> BadgeNeeds:
    text = max(len(badge.title), len(badge.words) + 2)
    return BadgeNeeds(text, badge.face is not None, () if ascii_only else picture_sizes(badge))


def shortened(caption: str, room: int) -> str:
    """A caption without its last words (a name stays), without the sign of a card that counts for
    nothing (it is struck through), and cut if that is not enough."""
    short = caption
    while len(short) > room and " " in short:
        short = short.rsplit(maxsplit=1)[0]
    if short != caption:
        short = short.removesuffix(" takes").removesuffix(" take")
    return cut(short.removeprefix("×") if len(short) > room else short, room)
