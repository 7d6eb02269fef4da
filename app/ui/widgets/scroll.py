"""A part of a screen that scrolls and leaves the keyboard to what is in it."""

from textual.containers import VerticalScroll


class Scroll(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Follows the focus and the mouse wheel; arrow keys go to the screen."""
