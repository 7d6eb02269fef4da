"""A toy game for learners: whether to wait, walk or run at a crossing."""

from collections.abc import Sequence

from agents.learners.features import Abstraction, Feature, Layout, Situation
from agents.learners.rewards import Reward, Rewards
from engine.game import Event, View

RED, GREEN = 0, 1
QUIET, BUSY = 0, 1
WAIT, WALK, STROLL, RUN = 0, 10, 11, 20
EVERYTHING = (WAIT, WALK, STROLL, RUN)
SIDES = ((0,), (1, 2))
MATCH_WON = Event("match", points=(1.0, 0.0))


class Crossing(View):
    """A view without the fields of a real game, except for the seat."""

    def __init__(self, seat: int, light: int, road: int) -> None:
        self.seat = seat
        self.light = light
        self.road = road


class Looks(Abstraction[Crossing]):
    """Strolling counts as walking. A situation has four terms: a constant, the light, the road,
    and both together."""

    game = "crossing"
    version = 1
    layouts = (
        Layout("at home", ()),
        Layout("crossing", (Feature("light", ("red", "green")), Feature("road", ("", "busy")))),
    )
    move_names = ("wait", "walk", "run")

    def situation(self, view: Crossing) -> Situation:
        return (1, view.light, view.road)

    def moves(self, view: Crossing, legal: Sequence[int]) -> dict[int, int]:
        known = {WAIT: 0, WALK: 1, STROLL: 1, RUN: 2}
        return {action: known[action] for action in legal}


class Points(Rewards):
    """A trick pays its points, a hand 20."""

    def of_event(self, event: Event, seat: int, sides: object) -> Reward | None:
        if event.kind == "trick":
            return Reward(event.points[0], "a trick")
        return Reward(20, "the hand") if event.kind == "hand" else None


CROSSINGS = [Crossing(0, light, road) for light in (RED, GREEN) for road in (QUIET, BUSY)]
