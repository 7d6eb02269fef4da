"""The features of the original Truco program: the cards in hand."""

from collections.abc import Sequence
from typing import Final

from agents.learners.features import Abstraction, Feature, Layout, Situation
from engine.games.truco import HAND, HIGHEST_STAKE, NUM_VALUES, VALUES, TrucoView

_NO_CARD: Final = NUM_VALUES
_places = tuple(
    [
        Feature(f"{place} card", (*[f"{place} {value}" for value in range(NUM_VALUES)], ""))
        for place in ("first", "second", "third")
    ]
)
_stake = Feature("stake", tuple([f"worth {stake + 1}" for stake in range(HIGHEST_STAKE)]))


class TrucoCards(Abstraction[TrucoView]):
    """The values of the cards in hand and the stake. It leaves out the trick, earlier tricks, the
    mano, the score and an open bid."""

    game = "truco"
    version = 1
    layouts = (Layout("turn", (*_places, _stake)),)
    move_names = (
        "play the first card",
        "play the second card",
        "play the third card",
        "raise",
        "accept",
        "reject",
        "call a flor",
    )

    def situation(self, view: TrucoView) -> Situation:
        values = [VALUES[view.muestra][card] for card in view.hand]
        return (0, *values, *[_NO_CARD] * (HAND - len(values)), view.stake - 1)

    def moves(self, view: TrucoView, legal: Sequence[int]) -> dict[int, int]:
        return {action: action for action in legal}
