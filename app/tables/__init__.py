"""The tables: one for each game that can be played on a screen."""

from typing import Any

from app.tables.base import Table
from app.tables.euchre import EuchreTable
from app.tables.notty import NottyTable

TABLES: dict[str, type[Table[Any]]] = {"euchre": EuchreTable, "notty": NottyTable}
