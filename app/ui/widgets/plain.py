"""Fits the screen to terminals without Unicode or with few colours."""

from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from agents.plain_text import safe_text

_PLAIN = Style(bold=False)
_REPLACEMENTS = {
    ord(character): replacement
    for characters, replacement in (
        ("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝", "+"),
        ("─━═╌╸╺–—−", "-"),
        ("│┃║▊▎▌▐▏▕", "|"),
        ("▒░█▓▚▮", "#"),
        ("·•●▪◆■★✦", "*"),
        ("○▯", "."),
        ("☻♟", "@"),
        ("╱", "/"),
        ("…", "."),
        ("“”", '"'),
        ("‘’", "'"),
        ("←‹◀", "<"),
        ("→›▶▸", ">"),
        ("↑▲⌃", "^"),
        ("↓▼", "v"),
        ("♠", "S"),
        ("♥", "H"),
        ("♦", "D"),
        ("♣", "C"),
        ("ε", "e"),
        ("×", "x"),
        ("⏎", "E"),
        ("▔", "-"),
        ("▁▂", "_"),
        ("▃▄▅", "="),
        ("▆▇", "#"),
    )
    for character in characters
}


@lru_cache(4096)
def plain(text: str) -> str:
    """The text in ASCII, with the same width."""
    if text.isascii():
        return text
    text = text.translate(_REPLACEMENTS)
    return "".join(c if c.isascii() else " " * cell_len(c) for c in text)


class PlainFilter(LineFilter):
    """Turns every line of the screen into ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(plain(text), style, control) if text else Segment(text, style, control)
            for text, style, control in segments
        ]


class SafeFilter(LineFilter):
    """Replaces escape codes and other controls in every text of the screen: names and messages
    may come from files and other programs."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment
            if segment.control or segment.text.isprintable()
            else Segment(safe_text(segment.text), segment.style)
            for segment in segments
        ]


class NoBoldBlack(LineFilter):
    """Makes bold black text plain: terminals with sixteen colours show it as grey."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, _without_bold_black(style), control) for text, style, control in segments
        ]


@lru_cache(4096)
def _without_bold_black(style: Style | None) -> Style | None:
    if style is None or not style.bold or style.color is None:
        return style
    return style + _PLAIN if style.color.triplet == (0, 0, 0) else style
