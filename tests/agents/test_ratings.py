"""Ratings of agents: the fit, the file, and the chances at a table."""

import json
from math import log
from random import Random

import pytest

from agents.evaluation import measured_ratings, ratings
from agents.evaluation.measured_ratings import Arena, measure, rated_agents
from agents.evaluation.rating_fit import fit
from agents.evaluation.ratings import (
    ANCHOR,
    POINTS,
    UNSETTLED,
    Rival,
    advantages,
    chance_against,
    ladder,
    rating_of,
    rival_of,
)
from agents.registry import agents_for, roster
from agents.roster import LEVEL_NAMES
from engine import GAMES
from engine.manifest import VARIANTS

ALL_GAMES = [game for game in [*GAMES, *VARIANTS] if roster(game).players]
PAIR = ((0,), (1,))


# The fit


def test_odds_of_ten_to_one_are_400_points() -> None:
    deals = [{("hard", "weak"): [10.0, 1.0]}] * 200
    assert fit(deals, "hard", resamples=0).ratings["weak"].points == pytest.approx(1100, abs=2)
    assert pytest.approx(400 / log(10)) == POINTS


def test_anchor_has_its_points_exactly() -> None:
    found = fit([{("a", "b"): [3.0, 1.0]}, {("a", "b"): [1.0, 1.0]}], "b")
    assert found.ratings["b"] == (ANCHOR, ANCHOR, ANCHOR)
    low, high = found.ratings["a"].low, found.ratings["a"].high
    assert low <= found.ratings["a"].points <= high


def test_agent_that_never_won_has_a_finite_rating() -> None:
    points = fit([{("a", "hard"): [0.0, 20.0]}] * 20, "hard", resamples=5).ratings["a"].points
    assert -1000 < points < 900


def test_ratings_add_up_over_agents_that_never_met() -> None:
    deals = [{("a", "b"): [10.0, 1.0], ("b", "hard"): [10.0, 1.0]}] * 300
    assert fit(deals, "hard", resamples=0).ratings["a"].points == pytest.approx(2300, abs=8)


def test_true_strengths_of_tables_of_four_are_found() -> None:
    """Simulated matches by the model, with one agent against three of another."""
    strengths = {"hard": 0.0, "weak": -200.0, "strong": 200.0}
    rng = Random(4)
    deals = []
    for _ in range(600):
        deal = {}
        for line_up in (
            ("weak", *["hard"] * 3),
            ("hard", *["strong"] * 3),
            ("strong", *["weak"] * 3),
        ):
            odds = [10 ** (strengths[name] / 400) for name in line_up]
            winner = rng.choices(range(4), odds)[0]
            deal[line_up] = [float(side == winner) for side in range(4)]
        deals.append(deal)
    found = fit(deals, "hard").ratings
    for name in ("weak", "strong"):
        assert found[name].low < ANCHOR + strengths[name] < found[name].high
        assert found[name].points == pytest.approx(ANCHOR + strengths[name], abs=60)


def test_sides_that_differ_have_an_advantage() -> None:
    deals = [{("hard", "hard"): [1.0, 10.0]}] * 100
    assert fit(deals, "hard", uneven=True, resamples=0).advantages == (
        0.0,
        pytest.approx(400, abs=2),
    )
    assert fit(deals, "hard", resamples=0).advantages == (0.0, 0.0)


def test_interval_counts_whole_deals() -> None:
    """A deal that decides both of its matches is worth one match, not two."""
    rng = Random(1)
    lucky = [rng.random() < 0.5 for _ in range(100)]
    alone = [{("a", "hard"): [float(won), float(not won)]} for won in lucky]
    twice = [{("a", "hard"): [2.0 * won, 2.0 * (not won)]} for won in lucky]
    widths = []
    for deals in (alone, twice):
        rating = fit(deals, "hard").ratings["a"]
        widths.append(rating.high - rating.low)
    assert widths[1] == pytest.approx(widths[0], rel=0.05)


# The arena


def test_arena_stops_and_continues(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The matches of two short runs are those of a long one."""
    monkeypatch.setattr(measured_ratings, "rated_agents", lambda game: ["random", "easy", "hard"])
    whole = Arena("euchre", folder=tmp_path / "whole")
    for _ in range(4):
        whole.play()
    for _ in range(4):
        part = Arena("euchre", folder=tmp_path / "parts")
        part.play()
        part.save()
    again = Arena("euchre", folder=tmp_path / "parts")
    assert again.results == whole.results
    assert again.report() == whole.report()
    assert 0 < again.missing() < 1
    again.forget("easy")
    assert all("easy" not in pair for pair in again.results)


def test_measuring_writes_the_file(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ratings.json"
    monkeypatch.setattr(measured_ratings, "FILE", file)
    monkeypatch.setattr(measured_ratings, "_MATCHES", {"euchre": 8})
    monkeypatch.setattr(measured_ratings, "rated_agents", lambda game: ["random", "easy", "hard"])
    monkeypatch.setattr(Arena.__init__, "__defaults__", (1.0, tmp_path))
    assert measure(["euchre"], float("inf")) == {"euchre": 0.0}
    rows = json.loads(file.read_text())["euchre"]
    assert set(rows["agents"]) == {"random", "easy", "hard"}
    assert rows["agents"]["hard"][:3] == [ANCHOR] * 3
    assert len(rows["advantages"]) == 2


@pytest.mark.parametrize("game", ALL_GAMES)
def test_all_agents_with_fixed_play_meet(game: str) -> None:
    fixed = {name for name, spec in agents_for(game).items() if not spec.learns}
    assert fixed <= set(rated_agents(game))


# The file


@pytest.mark.parametrize("game", ALL_GAMES)
def test_levels_are_between_easy_and_search_and_in_order(game: str) -> None:
    found = ladder(game)
    assert set(rated_agents(game)) <= set(found)
    assert found["hard"].points == ANCHOR
    assert found["random"].points < found["easy"].points
    # Neighbours may be too close to tell apart; a level two steps up is not weaker.
    steps = [found[name] for name in ("easy", *LEVEL_NAMES, "search")]
    for lower, higher in zip(steps, steps[2:], strict=False):
        assert lower.low < higher.high
    assert found["casual"].points < found["veteran"].points
    for rating in found.values():
        assert rating.low <= rating.points <= rating.high


def test_programs_named_learners_and_generations_have_no_rating() -> None:
    for agent in ("cmd:./bot", "q:rosa", "q@100", "q@file.pkl", "nobody", "q@"):
        assert rating_of("truco", agent) is None
    assert rating_of("truco", "q@0") == rating_of("truco", "random")
    assert rating_of("truco", "hard") is not None


def test_learners_are_less_certain() -> None:
    learner = rating_of("truco", "q")
    assert learner is not None
    assert learner.deviation >= UNSETTLED


# Chances at a table


@pytest.fixture
def simple(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ladder with round numbers for all games."""
    rows = {"random": 700, "easy": 1300, "hard": 1500, "search": 1700}
    agents = {name: [points, points - 20, points + 20, 100] for name, points in rows.items()}
    games = {game: {"advantages": [0], "agents": agents} for game in GAMES}
    games["euchre"]["advantages"] = [0, 300]
    monkeypatch.setattr(ratings, "_read", lambda: games)


@pytest.mark.usefixtures("simple")
def test_rival_of_two_players_is_the_other_one() -> None:
    rival = rival_of("truco", ["you", "easy"], PAIR, 0)
    assert rival is not None
    assert rival.rating == pytest.approx(1300)
    assert rival.deviation == pytest.approx(40 / (2 * 1.959964))
    assert rival.weight == 1
    assert chance_against(rival, 1300) == pytest.approx(0.5)
    assert chance_against(rival, 1700) == pytest.approx(10 / 11)


@pytest.mark.usefixtures("simple")
def test_three_equal_rivals_leave_a_quarter() -> None:
    sides = ((0,), (1,), (2,), (3,))
    rival = rival_of("fodinha", ["hard", "hard", "you", "hard"], sides, 2)
    assert rival is not None
    assert chance_against(rival, 1500) == pytest.approx(1 / 4)


@pytest.mark.usefixtures("simple")
def test_partner_shares_in_the_strength_of_a_side() -> None:
    sides = ((0, 2), (1, 3))
    even = rival_of("smear", ["you", "hard", "easy", "hard"], sides, 0)
    assert even is not None
    assert even.weight == 0.5
    assert even.rating == pytest.approx(1700)
    assert chance_against(even, 1700) == pytest.approx(0.5)
    # Two hundred points more for one of two partners are a hundred for the side.
    assert chance_against(even, 1900) == pytest.approx(1 / (1 + 10 ** (-100 / 400)))


@pytest.mark.usefixtures("simple")
def test_advantage_of_a_side_counts_at_its_own_table_only() -> None:
    three = GAMES["euchre"].new(seed=1).sides
    alone = rival_of("euchre", ["you", "hard", "hard"], three, 0)
    partner = rival_of("euchre", ["hard", "you", "hard"], three, 1)
    assert alone == Rival(pytest.approx(1800), pytest.approx(40 / (2 * 1.959964) / 2**0.5))
    assert partner is not None
    assert chance_against(partner, 1500) == pytest.approx(1 - chance_against(alone, 1500))
    assert advantages("euchre", ((0, 2), (1, 3))) == (0, 0)


@pytest.mark.usefixtures("simple")
def test_no_rival_without_all_ratings() -> None:
    sides = ((0, 2), (1, 3))
    assert rival_of("smear", ["you", "hard", "q:rosa", "hard"], sides, 0) is None
    assert rival_of("smear", ["you", "hard", "hard", "cmd:./bot"], sides, 0) is None
    assert rival_of("truco", ["you", "you"], PAIR, 0) is None
