"""A scrolling part of a screen that takes no keys."""

from textual.containers import VerticalScroll


class Scroll(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Scrolls with the focus and the mouse wheel; arrow keys go to the screen."""
