"""The tables: one for each game that can be played on a screen."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.tables.base import Table


class _Tables(Mapping[str, "type[Table[Any]]"]):
    """The table of each game, imported when somebody sits down at it."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def __getitem__(self, game: str) -> "type[Table[Any]]":
        table: type[Table[Any]] = getattr(import_module(f"app.tables.{game}"), self._names[game])
        return table

    def __contains__(self, game: object) -> bool:
        return game in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


TABLES = _Tables(
    {
        "euchre": "EuchreTable",
        "fodinha": "FodinhaTable",
        "notty": "NottyTable",
        "smear": "SmearTable",
        "truco": "TrucoTable",
    }
)
