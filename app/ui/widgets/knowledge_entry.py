"""A learner's values for one situation: every move with a bar, its value and its visits."""

from textual.content import Content

from agents.agent import Scale
from app.study.knowledge import Entry, Knowledge
from app.ui.widgets.why import bar_from_zero, number_words

_NUMBERS_WIDTH = 20
_LONGEST_BAR = 30
_ROOM_FOR_ONE_LINE = 70
"""From this many columns on, a move, its bar and its numbers share a line."""

Part = str | tuple[str, str]


def entry_text(knowledge: Knowledge, entry: Entry, width: int) -> Content:
    """The text about an entry, `width` columns wide."""
    parts: list[Part] = [(f"{entry.words}\n", "bold")]
    if entry.made:
        parts.append((f"{knowledge.agent} moved here: {entry.made}\n", "$text-accent"))
    if not entry.seen:
        parts.append(("It has not learned about this yet; these are its initial values.\n", "dim"))
    parts += _bars(knowledge, entry, width)
    return Content.assemble(*parts)


def _bars(knowledge: Knowledge, entry: Entry, width: int) -> list[Part]:
    """One bar for each move; its length is the absolute value."""
    values, visits = entry.known
    names = {move: knowledge.move_names[move] for move in entry.moves}
    one_line = width >= _ROOM_FOR_ONE_LINE
    longest = max([len(name) for name in names.values()], default=0)
    room = width - _NUMBERS_WIDTH - (longest + 1 if one_line else 0)
    room = max(1, min(room, _LONGEST_BAR))
    largest = max([abs(values[move]) for move in entry.moves], default=0.0) or 1.0
    parts: list[Part] = []
    for place, move in enumerate(entry.moves):
        bar, style_of_loss = bar_from_zero(values[move], largest, room)
        style = "" if place else "bold"
        before = f"{names[move]:<{longest}} " if one_line else f"{names[move]}\n"
        times = f"{int(visits[move]):,}×" if visits[move] else "never"
        parts += [
            (before, style),
            (f"{bar:<{room}}", style_of_loss or "$success"),
            (f" {number_words(values[move], Scale.VALUE):>9}", style),
            (f" {times:>9}\n", "dim"),
        ]
    return parts
