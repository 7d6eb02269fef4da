"""Parts of the stage that are lines of text: discoveries and the engine room."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from textual.content import Content
from textual.widget import Widget

from app.lab.stage.record import StageRecord
from app.ui.widgets.spark import blocks, stretched
from app.ui.widgets.wrapping import cut

_SHARES: Final = (("playing", "$primary"), ("learning", "$success"), ("measuring", "$warning"))

_NAME, _VALUE = 14, 11
"""Widths of the name and the value of a figure."""

_GAP: Final = 1.2


class Sentence(NamedTuple):
    """A discovery in words.

    matches   when it was made, in words
    text      what the learner does where
    change    the value of the move before and after
    """

    matches: str
    text: str
    change: str


class Discoveries(Widget):
    """The latest discoveries, the newest first."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._sentences: Sequence[Sentence] = ()

    def show(self, sentences: Sequence[Sentence]) -> None:
        """sentences: the newest first."""
        if sentences != self._sentences:
            self._sentences = sentences
            self.refresh()

    def render(self) -> Content:
        width, height = self.size
        if not self._sentences:
            return Content.styled(
                "When its favourite move in a situation changes for good, a sentence appears here.",
                "dim",
            )
        lines: list[Content] = []
        for sentence in self._sentences:
            text = Content.assemble(
                (f"{sentence.matches}: ", "$text-accent"),
                sentence.text,
                (f"  {sentence.change}", "$text-success"),
            )
            rows = text.wrap(width)
            if len(lines) + len(rows) > height:
                break
            lines += rows
        return Content("\n").join(lines)


class EngineRoom(Widget):
    """Figures of the training, each with a small plot over time."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._record: StageRecord | None = None
        self._table = False

    def show(self, record: StageRecord, table: bool) -> None:
        """table: whether the learner is a table of situations."""
        self._record, self._table = record, table
        self.refresh()

    def render(self) -> Content:
        width, height = self.size
        record = self._record
        if record is None or not record.vitals:
            return Content.styled("Speed, memory, curiosity and surprise appear here.", "dim")
        vitals, now = record.vitals, record.vitals[-1]
        rows = [
            ("matches/s", f"{now.matches_per_second:,.1f}", [v.matches_per_second for v in vitals]),
            ("updates/s", f"{now.updates_per_second:,.0f}", [v.updates_per_second for v in vitals]),
            ("surprise |TD|", f"{now.error:.3f}", [v.error for v in vitals]),
            ("curiosity ε", f"{now.epsilon:.1%}", [v.epsilon for v in vitals]),
            ("memory", f"{now.memory:,.0f} MB", [v.memory for v in vitals]),
        ]
        if self._table:
            rows.append(
                ("situations", f"{now.situations:,}", [float(v.situations) for v in vitals])
            )
        else:
            rows.append(("weights", f"{now.situations:,}", []))
        lines = [self._shares(record, width)]
        columns = 2 if width >= 64 and height < len(rows) + 1 else 1
        room = width // columns - 2 * (columns - 1)
        high = max(1, (height - 1) // len(rows)) if columns == 1 else 1
        cells = [self._row(*row, room, high) for row in rows]
        per_column = -(-len(cells) // columns)
        for number in range(per_column):
            beside = zip(*cells[number::per_column], strict=True)
            lines += [Content("  ").join(parts) for parts in beside]
        return Content("\n").join(lines[:height])

    def _row(
        self, name: str, text: str, values: Sequence[float], width: int, high: int
    ) -> list[Content]:
        """A figure and its plot, which is so many lines high."""
        room = max(0, width - _NAME - _VALUE)
        low = 0.0 if values and min(values) >= 0 else None
        # High plots leave a gap below the plot above.
        top = max(values) * _GAP if values and high > 1 else None
        plot = blocks(stretched(values, room), room, high, low, top)
        words = [("", "")] * (high - 1) + [(name, text)]
        return [
            Content.assemble(
                (f"{label:<{_NAME}}", "dim"),
                f"{value:>{_VALUE - 2}}  ",
                (f"{line:<{room}}", "$text-primary"),
            )
            for (label, value), line in zip(words, plot, strict=True)
        ]

    def _shares(self, record: StageRecord, width: int) -> Content:
        """The use of computing time as one bar."""
        total = sum(record.shares)
        if not total:
            return Content("")
        words = [
            (f"{name} {share / total:.0%}", colour)
            for (name, colour), share in zip(_SHARES, record.shares, strict=True)
        ]
        texts = [f"■ {text}  " for text, _ in words]
        room = width - sum(map(len, texts)) - 1
        parts: list[tuple[str, str]] = []
        if room >= 10:
            ends = [round(room * sum(record.shares[:at]) / total) for at in range(4)]
            for (_, colour), start, end in zip(words, ends[:3], ends[1:], strict=True):
                parts.append((cut("█" * (end - start), room), colour))
            parts.append((" ", ""))
        parts += [(text, colour) for text, (_, colour) in zip(texts, words, strict=True)]
        return Content.assemble(*parts)
