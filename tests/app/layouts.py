"""Checks of a drawn screen: nothing is cut off, nothing overlaps, all text can be read."""

from collections.abc import Iterator

from textual.color import Color
from textual.filter import DIM_FACTOR
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import DataTable, Input, Static

from app.ui.app import KibitzApp
from app.ui.suit_colours import contrast
from tests.app.driving import strips_of


def overlapping(app: KibitzApp) -> list[str]:
    """Pairs of visible widgets on one screen that share cells and do not contain each other."""
    shown = [
        (widget, region)
        for widget, region in _visible(app)
        if isinstance(widget, Static | DataTable | Input)
    ]
    found = []
    for at, (one, place) in enumerate(shown):
        for other, elsewhere in shown[at + 1 :]:
            nested = one in other.ancestors or other in one.ancestors
            if not nested and place.intersection(elsewhere).area:
                found.append(f"{one} and {other}")
    return found


def clipped(app: KibitzApp) -> list[str]:
    """Texts that need more room than they have, outside of parts that scroll."""
    found = []
    for widget, region in _visible(app):
        if not isinstance(widget, Static) or widget.styles.text_overflow == "ellipsis":
            continue
        if any(parent.show_vertical_scrollbar for parent in widget.ancestors_with_self
               if isinstance(parent, Widget)):  # fmt: skip
            continue
        width = widget.content_region.width
        if not width or not str(widget.render()).strip():
            continue
        needed = widget.get_content_height(app.size, app.size, width)
        if needed > widget.content_region.height or region != widget.region:
            found.append(f"{widget}: {needed} rows in {widget.content_region}")
    return found


def _visible(app: KibitzApp) -> Iterator[tuple[Widget, Region]]:
    """The widgets of the screen with the part of each that is drawn."""
    for widget, (region, clip) in app.screen._compositor.visible_widgets.items():
        drawn = region.intersection(clip)
        if drawn.area and widget is not app.screen:
            yield widget, drawn


def faint(app: KibitzApp, least: float) -> list[str]:
    """Texts with less contrast to their ground than this."""
    found = set()
    for strip in strips_of(app):
        for text, style, _ in strip:
            if not any(character.isalnum() for character in text) or style is None:
                continue
            if style.color is None or style.bgcolor is None:
                continue
            ink, ground = map(Color.from_rich_color, (style.color, style.bgcolor))
            if style.dim:
                ink = ground.blend(ink, DIM_FACTOR)
            if style.reverse:
                ink, ground = ground, ink
            if contrast(ink.hex6.lower(), ground.hex6.lower()) < least:
                found.add(f"{text.strip()!r}: {ink.hex6} on {ground.hex6}")
    return sorted(found)
