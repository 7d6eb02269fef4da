"""A Q-table: what was learned about each situation. Compiled where that is possible.

A situation may have an outline, see `agents.learners.features`. Outlines have rows as well.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from agents.learners.features import Situation
from agents.learners.row import NO_ROW, Row
from agents.learners.settings import LearningSettings
from agents.learners.steps import Outcome

Places = Sequence[int] | None
"""Where a situation holds the features of its outline; None for a layout without outlines."""


class QTable:
    """The rows of all situations met and of their outlines.

    rows          by situation
    changed       the rows changed since the last delta
    saved_visits  of the rows updated since the last save, their visits then
    """

    def __init__(self, outlines: Sequence[Places]) -> None:
        """outlines: where the situations of each layout hold their outlines."""
        self._outlines: list[Places] = list(outlines)
        self.rows: dict[Situation, Row] = {}
        self.changed: dict[Situation, Row] = {}
        self.saved_visits: dict[Situation, dict[int, int]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        rows = [(situation, row.pack()) for situation, row in self.rows.items()]
        return _rebuilt, (self._outlines, rows, list(self.changed), self.saved_visits)

    def outline(self, situation: Situation) -> Situation | None:
        """The outline of a situation; None if its layout has none, and for outlines."""
        outlines = self._outlines
        layout = situation[0]
        places = outlines[layout] if layout < len(outlines) else None
        if places is None:
            return None
        return (len(outlines) + layout, *[situation[place] for place in places])

    def estimate(self, situation: Situation) -> tuple[Row, int]:
        """What is known about a situation, and its visits. One that was never met has the row of
        its outline, and is as familiar as all situations with the same outline."""
        row = self.rows.get(situation)
        if row is None:
            outlined = self.outline(situation)
            row = NO_ROW if outlined is None else self.rows.get(outlined, NO_ROW)
        outline = row.outline
        return row, row.total if outline is None else outline.total

    def row(self, situation: Situation) -> Row:
        """The row of a situation; a new one if there is none."""
        row = self.rows.get(situation)
        if row is None:
            outline = self.outline(situation)
            row = Row(None if outline is None else self.row(outline))
            self.rows[situation] = row
        return row

    def learn(
        self, outcomes: Sequence[Outcome], settings: LearningSettings
    ) -> list[tuple[float, float]]:
        """Move the value of each step towards its outcome. Returns the error and the change of
        each."""
        changes = []
        changed = self.changed
        for step, outcome in outcomes:
            situation = step.situation
            row = changed.get(situation)
            if row is None:
                row = self.mark_changed(situation)
            changes.append(row.learn(step.move, outcome, settings))
        return changes

    def mark_changed(self, situation: Situation) -> Row:
        """Return the row of a situation, marked as changed; a new one if there is none."""
        outline = self.outline(situation)
        if outline is not None and outline not in self.changed:
            self.mark_changed(outline)
        row = self.changed[situation] = self.row(situation)
        if situation not in self.saved_visits:
            self.saved_visits[situation] = dict(row.visits)
        return row

    def clear(self) -> None:
        self.rows = {}
        self.mark_saved()

    def drop(self, least: int) -> None:
        """Forget the situations with fewer visits. All others count as changed."""
        rows = {situation: row for situation, row in self.rows.items() if row.total >= least}
        self.rows = rows
        self.changed = dict(rows)
        self.saved_visits = {each: seen for each, seen in self.saved_visits.items() if each in rows}

    def mark_saved(self) -> None:
        self.saved_visits = {}
        self.changed = {}

    def updates(self) -> dict[Situation, tuple[bytes, dict[int, int]]]:
        """Unsaved rows, each with its visits since the last save."""
        rows = self.rows
        new = {}
        for situation, saved in self.saved_visits.items():
            row = rows[situation]
            added = {move: visits - saved.get(move, 0) for move, visits in row.visits.items()}
            new[situation] = (row.pack(), {move: more for move, more in added.items() if more})
        return new

    def merge(self, updates: Mapping[Situation, tuple[bytes, Mapping[int, int]]]) -> None:
        """Merge another table's updates, weighted by the visits of both."""
        for situation, (packed, added) in updates.items():
            self.mark_changed(situation).merge(Row().update_from(packed), added)

    def take_delta(self) -> dict[Situation, bytes]:
        """The rows changed since the last call. Unsaved rows stay unsaved."""
        delta = {situation: row.pack() for situation, row in self.changed.items()}
        self.changed = {}
        return delta

    def apply_delta(self, delta: Mapping[Situation, bytes]) -> None:
        """Apply another table's delta. Everything counts as saved."""
        for situation, packed in delta.items():
            self.row(situation).update_from(packed)
        self.mark_saved()


def _rebuilt(
    outlines: Sequence[Places],
    rows: Sequence[tuple[Situation, bytes]],
    changed: Sequence[Situation],
    saved_visits: dict[Situation, dict[int, int]],
) -> QTable:
    table = QTable(outlines)
    for situation, packed in rows:
        table.row(situation).update_from(packed)
    table.changed = {situation: table.rows[situation] for situation in changed}
    table.saved_visits = saved_visits
    return table
