"""Coarse features of Smear for tabular learners.

The result of a hand depends so much on luck that a value needs hundreds of visits. With few
situations each of them is met that often.
"""

from typing import Final

from agents.learners.features import Feature, Layout, Situation
from agents.smear.features import SmearAbstraction
from engine.games.smear import MAX_BET, MIN_BET, SmearView

_STATES: Final = 5
"""States of a bet: made, one, two or more points short, lost."""

_cause = Feature(
    "cause",
    tuple(
        [
            f"{whose} bet of {bet} is {state}"
            for whose in ("our", "their")
            for bet in range(MIN_BET, MAX_BET + 1)
            for state in ("open", "settled")
        ]
    ),
)

_BETTING, _NAMING, _LEADING, _FOLLOWING = range(4)


def _kept(layout: Layout, *dropped: str) -> tuple[int, ...]:
    """The indices in a situation of all features except the dropped ones."""
    return tuple(
        [place for place, each in enumerate(layout.features, 1) if each.name not in dropped]
    )


_FINE: Final = SmearAbstraction.layouts
_KEPT: Final = (
    _kept(_FINE[_BETTING], "tops", "score"),
    _kept(_FINE[_NAMING]),
    _kept(_FINE[_LEADING], "stakes", "game"),
    _kept(_FINE[_FOLLOWING], "stakes", "game"),
)


class CoarseSmear(SmearAbstraction):
    """The features of the other learners without the score, the game points and most states of
    the bet."""

    layouts = tuple(
        [
            Layout(
                fine.title,
                (
                    *([_cause] if number in (_LEADING, _FOLLOWING) else []),
                    *[fine.features[place - 1] for place in places],
                ),
            )
            for number, (fine, places) in enumerate(zip(_FINE, _KEPT, strict=True))
        ]
    )

    def situation(self, view: SmearView) -> Situation:
        fine = super().situation(view)
        layout = fine[0]
        rest = [fine[place] for place in _KEPT[layout]]
        if layout in (_BETTING, _NAMING):
            return (layout, *rest)
        return (layout, _cause_of(fine[1]), *rest)


def _cause_of(stakes: int) -> int:
    """The side and height of the bet, and whether it is still open."""
    bet, state = divmod(stakes, _STATES)
    return 2 * bet + int(state in (0, _STATES - 1))
