"""The games as the first screen offers them, before any of their rules are loaded."""

from typing import Final, NamedTuple


class Tile(NamedTuple):
    """name, title: as the game itself has them."""

    name: str
    title: str
    summary: str


TILES: Final = (
    Tile(
        "euchre",
        "Euchre",
        "You and an open dummy hand against two partners, to ten.",
    ),
    Tile(
        "smear",
        "Smear",
        "Two teams bet on low, high, jack and game, first to eleven.",
    ),
    Tile(
        "truco",
        "Truco Uruguayo",
        "Three cards, a muestra, and the nerve to raise; first to forty.",
    ),
    Tile(
        "fodinha",
        "Fodinha",
        "Call your wins and hit them exactly to stay alive.",
    ),
    Tile(
        "notty",
        "Notty",
        "Open hands, runs and sets: draw, steal, exchange, and be the first without cards.",
    ),
)
