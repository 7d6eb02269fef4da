import pytest

from agents.evaluation.arena import arena, tables_of


def test_two_sides_meet_once_and_more_sides_both_ways():
    assert tables_of("hard", "easy", 2) == [("hard", "easy")]
    assert tables_of("hard", "easy", 3) == [("hard", "easy", "easy"), ("easy", "hard", "hard")]


def test_the_ladder_puts_the_stronger_above_the_weaker():
    pairings, ladder = arena("smear", ["random", "hard", "easy"], 30, seed=2)
    assert [each.agent for each in ladder] == ["hard", "easy", "random"]
    assert [(each.first, each.second) for each in pairings] == [
        ("random", "hard"),
        ("random", "easy"),
        ("hard", "easy"),
    ]
    assert pairings[0].win_rate < 0.2
    assert all(each.low <= each.win_rate <= each.high for each in pairings)
    assert ladder[0].rating == pytest.approx(ladder[0].skill - 3 * ladder[0].doubt)


def test_larger_tables_are_rated_by_place():
    _, ladder = arena("fodinha", ["random", "easy"], 20, seed=1, options={"players": 3})
    assert [each.agent for each in ladder] == ["easy", "random"]


def test_the_same_seed_gives_the_same_ladder():
    assert arena("truco", ["random", "easy"], 10, seed=4, options={"target": 6}) == arena(
        "truco", ["random", "easy"], 10, seed=4, options={"target": 6}
    )


@pytest.mark.parametrize("agents", [["hard"], ["hard", "hard"]])
def test_an_arena_takes_different_agents(agents):
    with pytest.raises(ValueError, match="two or more different agents"):
        arena("smear", agents, 2)
