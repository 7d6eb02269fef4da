"""The table of High Card. The defaults of `Table` draw everything but one question."""

from collections.abc import Sequence

from app.ui.tables.base import Table
from docs.high_card import PACK, HighCardView


class HighCardTable(Table[HighCardView]):
    pack = PACK

    def question(self, view: HighCardView, legal: Sequence[int]) -> str:
        if not view.trick:
            return "You lead: play any card."
        return f"Beat {self.the(view.trick[0][1])}, or play your lowest card."


TABLE = HighCardTable
