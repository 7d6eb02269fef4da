"""The arena: every agent against every other."""

import pytest

from agents.evaluation.arena import arena, line_ups
from agents.evaluation.series import Conditions


def test_pairs_meet_once_with_two_sides_and_twice_with_more():
    assert line_ups("hard", "easy", 2) == [("hard", "easy")]
    assert line_ups("hard", "easy", 3) == [("hard", "easy", "easy"), ("easy", "hard", "hard")]


def test_stronger_agents_are_higher_on_the_ladder():
    pairings, ladder = arena("smear", ["random", "hard", "easy"], 30, Conditions(seed=2))
    assert [each.agent for each in ladder] == ["hard", "easy", "random"]
    assert [(each.first, each.second) for each in pairings] == [
        ("random", "hard"),
        ("random", "easy"),
        ("hard", "easy"),
    ]
    assert pairings[0].win_rate < 0.2
    assert all(each.low <= each.win_rate <= each.high for each in pairings)
    assert ladder[0].rating == pytest.approx(ladder[0].skill - 3 * ladder[0].doubt)


def test_more_than_two_sides_are_rated_by_place():
    _, ladder = arena("fodinha", ["random", "easy"], 20, Conditions(1, {"players": 3}))
    assert [each.agent for each in ladder] == ["easy", "random"]


def test_same_seed_gives_the_same_ladder():
    first, second = [
        arena("truco", ["random", "easy"], 10, Conditions(4, {"target": 6})) for _ in range(2)
    ]
    assert first == second


@pytest.mark.parametrize("agents", [["hard"], ["hard", "hard"]])
def test_arena_needs_different_agents(agents):
    with pytest.raises(ValueError, match="two or more different agents"):
        arena("smear", agents, 2)
