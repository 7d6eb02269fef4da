"""Outlines: what a table knows about situations it has hardly met."""

from collections.abc import Sequence

import pytest

from agents.learners.features import Abstraction, Feature, Layout, Situation
from agents.learners.q import QLearner
from agents.learners.q_table import QTable
from agents.learners.rewards import GenericRewards
from agents.learners.settings import FROM_NOTHING, LearningSettings
from agents.learners.steps import Step
from engine.game import View

MEANS = LearningSettings(alpha=1, settle=1, trust=3)
"""Values are means of outcomes, and an outline weighs as much as three visits."""


class Weather(Abstraction[View]):
    game = "weather"
    version = 1
    layouts = (
        Layout(
            "outside",
            (Feature("sky", ("clear", "cloudy")), Feature("wind", ("calm", "windy"))),
            outline=("sky",),
        ),
        Layout("inside", (Feature("light", ("dark", "bright")),)),
    )
    move_names = ("stay", "go", "run")

    def situation(self, view: View) -> Situation:
        raise NotImplementedError

    def moves(self, view: View, legal: Sequence[int]) -> dict[int, int]:
        raise NotImplementedError


CALM, WINDY, INSIDE = (0, 1, 0), (0, 1, 1), (1, 0)
CLOUDY = (2, 1)
STAY, GO, RUN = range(3)


def taught(*lessons: tuple[Situation, int, float]) -> QLearner:
    learner = QLearner(Weather(), GenericRewards(), MEANS)
    for situation, move, outcome in lessons:
        learner._learn([(Step(situation, move, move, 0.0, False), outcome)])
    return learner


def values(learner: QLearner, situation: Situation) -> list[float]:
    known, _ = learner._estimate(situation)
    return [known[move] for move in (STAY, GO, RUN)]


def test_outline_is_a_situation_in_words():
    weather = Weather()
    table = QTable(weather.outlines())
    assert table.outline(CALM) == table.outline(WINDY) == CLOUDY
    assert weather.words(CLOUDY) == "outside, in outline: cloudy"
    assert weather.knows(CLOUDY)
    assert table.outline(CLOUDY) is None
    assert table.outline(INSIDE) is None
    assert not weather.knows((2, 2))
    assert not weather.knows((4, 0))


def test_situation_never_met_has_the_values_of_its_outline():
    learner = taught((CALM, STAY, 8), (CALM, GO, 2))
    assert values(learner, WINDY) == [8, 2, 5]
    assert learner.known(WINDY) == ([8, 2, 5], [0, 0, 0])
    assert values(learner, INSIDE) == [0, 0, 0]


def test_untried_move_differs_from_its_outline_as_much_as_tried_ones():
    learner = taught((CALM, STAY, 8), (CALM, GO, 2), (WINDY, STAY, 0))
    stay, go, _ = values(learner, WINDY)
    assert stay == 4
    assert learner.known(CLOUDY).values[:2] == [4, 2]
    assert go == 2 + (stay - 4)


def test_outline_counts_as_much_as_its_own_visits_at_most():
    learner = taught((CALM, STAY, 8), (WINDY, STAY, 0))
    assert values(learner, WINDY)[STAY] == 4
    learner = taught(*[(CALM, STAY, 8)] * 10, (WINDY, STAY, 0))
    assert values(learner, WINDY)[STAY] == 6


def test_situations_of_a_familiar_outline_are_familiar():
    learner = taught(*[(CALM, STAY, 8)] * 10, (WINDY, STAY, 0))
    assert learner._estimate(WINDY)[1] == learner._estimate((0, 1, 1))[1] == 11
    assert learner._estimate((0, 0, 0))[1] == 0


@pytest.mark.parametrize("exchange", ["restore", "delta", "merge"])
def test_rows_stay_connected_to_their_outlines(exchange):
    learner = taught((CALM, STAY, 8), (WINDY, GO, 1))
    other = taught()
    if exchange == "restore":
        other.restore(learner.dump())
    elif exchange == "delta":
        other.apply_delta(learner.take_delta())
    else:
        other.merge_updates(learner.updates())
    for each in (learner, other):
        each._learn([(Step(CALM, RUN, RUN, 0.0, False), 3.0)])
        assert values(each, WINDY)[RUN] == 3 + values(each, WINDY)[GO] - 1
    assert learner.dump() == other.dump()


def test_outlines_of_frequent_situations_are_shipped():
    learner = taught(*[(CALM, STAY, 8)] * 5, (WINDY, STAY, 0))
    learner.compact(3)
    assert set(learner.q_table.rows) == {CLOUDY, CALM}
    assert FROM_NOTHING.trust
