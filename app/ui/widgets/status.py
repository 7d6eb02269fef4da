"""The two status lines at the top of a table."""

import re
from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

_BETWEEN_FACTS = re.compile(r" · |(?<=\S)   ")
_GAP = 2
"""The least number of blanks beside a middle part that is not empty."""


class Status(Widget):
    """Each line has a part on the left, one in the middle and one on the right."""

    Line = tuple[Content, Content, Content]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lines: Sequence[Status.Line] = ()
        self.score = Content("")
        self.note = ""

    def show(self, lines: Sequence["Status.Line"], score: Content) -> None:
        """score: a longer form of the middle of the first line, for windows with room for it."""
        if (lines, score) != (self.lines, self.score):
            self.lines, self.score = lines, score
            self.refresh()

    def show_note(self, note: str) -> None:
        """Show a sentence in the last line, on the right or, if it is long, alone."""
        if note != self.note:
            self.note = note
            self.refresh()

    def render(self) -> Content:
        width = self.size.width
        lines = list(self.lines)
        if lines and self.score:
            left, _, right = lines[0]
            beside = max(len(left), len(right)) + _GAP
            if len(self.score) + 2 * beside <= width:
                lines[0] = (left, self.score, right)
        if lines and self.note:
            facts, _, _ = lines[-1]
            note, nothing = Content.styled(f"{self.note} ", "bold $text-accent"), Content("")
            fits = len(facts) + len(note) + _GAP <= width
            lines[-1] = (
                (facts, nothing, note) if fits else (Content.assemble(" ", note), nothing, nothing)
            )
        return Content("\n").join([spread(line, width) for line in lines])


def spread(line: Status.Line, width: int) -> Content:
    """The parts spread over the width. If they do not fit, the right part is dropped, then the
    last words of the left one."""
    left, middle, right = line
    gap = _GAP if len(middle) else 1
    if len(left) + len(middle) + len(right) + 2 * gap > width:
        right = Content("")
        left = _shortened(left, width - len(middle) - gap)
    before = max(gap, (width - len(middle)) // 2 - len(left)) if len(middle) else 0
    after = max(gap, width - len(left) - before - len(middle) - len(right))
    spread = Content.assemble(left, " " * before, middle, " " * after, right)
    return spread.rstrip().truncate(width, ellipsis=True)


def _shortened(facts: Content, room: int) -> Content:
    """The facts without the last ones if there is no room for all."""
    ends = [gap.start() for gap in _BETWEEN_FACTS.finditer(facts.plain)]
    fitting = [end for end in (*ends, len(facts)) if end <= room]
    return facts[: max(fitting)] if fitting else facts
