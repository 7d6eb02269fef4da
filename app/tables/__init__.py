"""The tables: one for each game that can be played on a screen."""

from typing import Any

from app.tables.base import Table
from app.tables.euchre import EuchreTable
from app.tables.fodinha import FodinhaTable
from app.tables.notty import NottyTable
from app.tables.smear import SmearTable
from app.tables.truco import TrucoTable

TABLES: dict[str, type[Table[Any]]] = {
    "euchre": EuchreTable,
    "fodinha": FodinhaTable,
    "notty": NottyTable,
    "smear": SmearTable,
    "truco": TrucoTable,
}
