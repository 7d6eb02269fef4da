"""Measured strengths, and the chances at tables of unequal players."""

import pytest

from agents.agent import Decision, Scale
from agents.evaluation import strengths
from agents.evaluation.calibration import Calibration, fair
from agents.evaluation.measured_strengths import measure
from agents.evaluation.ratings import ladder
from agents.evaluation.strengths import at_table, chances, edges, is_measured, places, strength
from agents.odds import log_odds, shifted
from agents.registry import agents_for, is_baseline, roster
from agents.search.match_odds import MatchOdds, tilted, uneven_odds
from engine import GAMES
from engine.game import View

EVEN = {(1, 0): 0.5, (0, 1): 0.5}
PAIR = ((0,), (1,))


def view_of(game: str, **options: int) -> View:
    return GAMES[game].new(seed=1, **options).view(0)


def strength_of(game: str, agent: str) -> float | None:
    return strength(game, GAMES[game].new(seed=1).sides, agent, (0,))


def chance(game: str, players: list[str], view: View, neutral: float = 0.5) -> float:
    decision = Decision(0, {0: neutral}, "chance", scale=Scale.CHANCE)
    return at_table(game, view, decision, players).scores[0]


# Odds


def test_shift_of_log_odds() -> None:
    assert log_odds(0.5) == 0
    assert shifted(0.5, log_odds(0.8)) == pytest.approx(0.8)
    assert shifted(0.0, 3.0) == 0
    assert shifted(1.0, -3.0) == 1
    assert log_odds(0.0) < -9


def test_tilted_hands_favour_the_stronger_side() -> None:
    assert tilted(EVEN, 0.0) == EVEN
    assert tilted(EVEN, 0.5)[1, 0] > 0.7


@pytest.mark.parametrize("edge", [-3.0, -0.4, 0.0, 1.0, 4.0])
def test_edge_shifts_the_log_odds_of_the_match(edge: float) -> None:
    even, uneven = MatchOdds([EVEN], 10), uneven_odds([EVEN], 10, edge=edge)
    assert uneven.log_odds() - even.log_odds() == pytest.approx(edge, abs=0.06)


def test_edge_counts_less_near_the_end() -> None:
    uneven = uneven_odds([EVEN], 10, edge=1.0)
    assert 0.5 < uneven.chance([9, 9], 0) < uneven.chance([5, 5], 0) < uneven.chance([0, 0], 0)


# Strengths


def test_strength_counts_less_while_a_hand_is_played() -> None:
    uneven = uneven_odds([EVEN], 10, edge=1.0)
    chances = [uneven.chance_during((9, 9), 0, left) for left in (0.0, 0.5, 1.0)]
    assert chances[0] == pytest.approx(0.5)
    assert chances[0] < chances[1] < chances[2]
    assert chances[2] == pytest.approx(uneven.chance((9, 9), 0), abs=1e-3)
    early = [uneven.chance_during((0, 0), 0, left) for left in (0.0, 1.0)]
    assert 0.5 < early[0] < early[1] == pytest.approx(uneven.chance((0, 0), 0), abs=1e-3)


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_agent_is_measured(game: str) -> None:
    slow = ["neural", "search"]
    if not ladder(game):  # Levels and styles follow from it.
        slow += [level.name for level in roster(game).followers]
    shipped = [name for name in agents_for(game) if not is_baseline(name) and name not in slow]
    missing = [name for name in shipped if not is_measured(game, name)]
    assert missing == []


@pytest.mark.parametrize("game", GAMES)
def test_strengths_are_in_order(game: str) -> None:
    random, easy, hard = [strength_of(game, name) for name in ("random", "easy", "hard")]
    assert random < easy < hard == 0


def test_unknown_agents_count_as_hard_and_beginners_as_random() -> None:
    assert strength_of("truco", "cmd:./bot") is None
    assert strength_of("truco", "q:rosa") is None
    assert edges("truco", ["cmd:./bot", "q:rosa"], PAIR) == [0.0, 0.0]
    assert not is_measured("truco", "q@100")
    assert strength_of("truco", "q@0") == strength_of("truco", "random")


def test_strengths_of_different_partners_add_up() -> None:
    sides = ((0, 2), (1, 3))
    easy = strength("smear", sides, "easy", (0,))
    q = strength("smear", sides, "q", (2,))
    assert easy is not None
    assert q is not None
    assert edges("smear", ["easy", "hard", "q", "hard"], sides) == [pytest.approx(easy + q), 0.0]


def test_equal_partners_are_measured_together() -> None:
    sides = ((0,), (1, 2))
    [alone, pair] = edges("euchre", ["hard", "easy", "easy"], sides)
    assert alone == 0
    assert pair == strength("euchre", sides, "easy", (1, 2))


def test_places_where_an_agent_is_measured() -> None:
    assert places(PAIR) == [[(0,), (1,)]]
    assert places(((0, 2), (1, 3))) == [[(0,), (1,), (2,), (3,)], [(0, 2), (1, 3)]]
    assert places(((0,), (1, 2))) == [[(0,)], [(1,)], [(2,)], [(1, 2)]]


@pytest.mark.parametrize("players", [2, 5])
def test_table_of_another_size_uses_the_measured_strengths(players: int) -> None:
    sides = tuple([(seat,) for seat in range(players)])
    found = chances("fodinha", ["hard", *["random"] * (players - 1)], sides)
    assert sum(found) == pytest.approx(1)
    assert found[0] > 0.8
    equal = chances("fodinha", ["hard"] * players, sides)
    assert equal == [pytest.approx(1 / players)] * players


# Chances at a table


def test_strength_counts_less_when_the_match_is_nearly_won(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(strengths, "calibration", lambda game: Calibration())
    view = GAMES["notty"].new(seed=1).view(0)

    def gain(chance: float) -> float:
        decision = Decision(1, {1: chance}, "chance to win", scale=Scale.CHANCE)
        shown = at_table("notty", view, decision, ["hard", "easy"]).scores[1]
        return log_odds(shown) - log_odds(chance)

    full = -edges("notty", ["hard", "easy"], PAIR)[1]
    assert gain(0.5) == pytest.approx(full)
    assert gain(0.75) == pytest.approx(full / 4)
    assert gain(0.25) == pytest.approx(full)
    assert gain(1.0) == 0


@pytest.mark.parametrize("game", GAMES)
def test_chances_depend_on_the_opponents(game: str) -> None:
    view = view_of(game)
    seats = [
        next(at for at, side in enumerate(view.sides) if seat in side) for seat in range(view.seats)
    ]
    share = shifted(0.5, fair(len(view.sides)))
    found = [
        chance(game, ["hard" if side == 0 else rival for side in seats], view, share)
        for rival in ("random", "easy", "hard")
    ]
    assert 1 > found[0] > found[1] > found[2] == pytest.approx(share)


def test_own_strength_counts_too() -> None:
    view = view_of("truco")
    assert chance("truco", ["easy", "hard"], view) == pytest.approx(
        1 - chance("truco", ["hard", "easy"], view)
    )


def test_certain_results_and_other_scores_stay() -> None:
    view = view_of("truco")
    assert chance("truco", ["hard", "random"], view, 0.0) == 0
    points = Decision(0, {0: 0.5}, "points")
    assert at_table("truco", view, points, ["hard", "random"]) is points


def test_soloist_of_three_has_the_measured_chance() -> None:
    """The chance by the score at the start of a match agrees with the measured one."""
    view = view_of("euchre")
    for rivals in (["hard", "hard"], ["easy", "easy"], ["hard", "q"]):
        players = ["hard", *rivals]
        by_strength = chances("euchre", players, view.sides)[0]
        neutral = chances("euchre", ["hard"] * 3, view.sides)[0]
        assert chance("euchre", players, view, neutral) == pytest.approx(by_strength, abs=0.03)


# Measuring


def test_measuring_continues_where_it_stopped(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "strengths.json"
    for module in ("strengths", "measured_strengths"):
        monkeypatch.setattr(f"agents.evaluation.{module}.FILE", file)
    monkeypatch.setattr("agents.evaluation.measured_strengths.measured", dict)
    monkeypatch.setattr("agents.evaluation.measured_strengths._won", lambda *_: 1.0)
    monkeypatch.setattr("agents.evaluation.measured_strengths.GAMES", {"truco": GAMES["truco"]})
    assert measure(until=float("inf")) == 0
    strengths.measured.cache_clear()
    try:
        assert strengths.measured()["truco"]["2"]["easy"] == [[200.0, 200]]
        assert strengths.measured()["truco"]["2"]["hard"] == [[100.0, 200]]
    finally:
        strengths.measured.cache_clear()
