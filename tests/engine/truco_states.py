"""States of Truco for the tests of its rules, and words to act in them."""

from engine.games.truco import (
    GAME as TRUCO,
)
from engine.games.truco import (
    TrucoState,
)

# Weakest first; what stands on one line ties.
PLAIN_ORDER = (
    "4O 4C 4E 4B",
    "5O 5C 5E 5B",
    "6O 6C 6E 6B",
    "7C 7B",
    "10O 10C 10E 10B",
    "11O 11C 11E 11B",
    "12O 12C 12E 12B",
    "1O 1C",
    "2O 2C 2E 2B",
    "3O 3C 3E 3B",
    "7O",
    "7E",
    "1B",
    "1E",
)
PIEZAS = {"10": 14, "11": 15, "5": 16, "4": 17, "2": 18}


def deal(mano: str, other: str, muestra: str, first: int = 0, **options: int) -> TrucoState:
    """A match whose first round deals these cards; seat `first` is mano."""
    deck = [*mano.split(), *other.split(), muestra]
    return TRUCO.new(seed=1, deck=deck, first=first, **options)


def play(state: TrucoState, *texts: str) -> TrucoState:
    for text in texts:
        state.apply(state.parse(text))
    return state


def words(state: TrucoState) -> list[str]:
    return [state.label(action) for action in state.legal()]


def at_scores(state: TrucoState, *points: int) -> TrucoState:
    state.points = list(points)
    return state


# Mano wins with two threes against fours and fives; nobody has a flor.
STRONG, WEAK, MUESTRA = "3O 3C 4E", "4O 5C 6B", "7B"
