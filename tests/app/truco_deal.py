"""Fixed deals of Truco for the tests of its table."""

from app.match.seating import TablePlan, plan_table
from engine.games.truco import GAME as TRUCO
from engine.games.truco import TrucoState

# Three cards for you, who are mano, three for North, the muestra.
DECK = "12O 7E 4C  12E 3C 1B  5C"
FLORS = "4O 5O 6O  4E 5E 6E  7C"


def truco(*seats: str, target: int = 40) -> TablePlan:
    return plan_table("truco", seats or ("you", "random"), {"target": target}, 0.0, seed=3)


def state_after(*labels: str, deck: str = DECK, target: int = 40) -> TrucoState:
    """The match after these actions, with the events of the last one."""
    state = TRUCO.new(seed=1, deck=deck.split(), first=0, target=target)
    state.record_events()
    for label in labels:
        state.take_events()
        state.apply(state.parse(label))
    return state
