"""Levels between `easy` and `search`, and styles: another agent with slips."""

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from agents.agent import Agent, Decision
from agents.level_player import CONSIDERED, TOO_FAR, LevelPlayer
from agents.registry import agents_for, follows_another, make, roster
from agents.roster import LEVEL_NAMES
from engine import GAMES
from engine.game import View
from engine.manifest import VARIANTS

ALL_GAMES = [game for game in [*GAMES, *VARIANTS] if roster(game).players]


class Fixed(Agent):
    """Gives the same scores in every position."""

    def __init__(self, scores: dict[int, float], action: int | None = None) -> None:
        self.scores = scores
        self.action = max(scores, key=scores.__getitem__) if action is None else action

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        return Decision(self.action, dict(self.scores), "points")


def shares(player: LevelPlayer, game: str = "smear", tries: int = 3000) -> Mapping[int, float]:
    view = GAMES[game].new(seed=1).view(0)
    rng = Random(1)
    taken = Counter([player.act(view, list(range(99)), rng).action for _ in range(tries)])
    return {action: count / tries for action, count in taken.items()}


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_game_has_six_levels(game: str) -> None:
    agents = agents_for(game)
    assert [name for name in agents if name in LEVEL_NAMES] == list(LEVEL_NAMES)
    assert len(LEVEL_NAMES) == 6
    assert all(follows_another(game, name) for name in LEVEL_NAMES)
    assert not follows_another(game, "hard")
    assert not any(agents[name].learns for name in LEVEL_NAMES)


@pytest.mark.parametrize("game", ALL_GAMES)
def test_temperatures_of_one_base_fall_with_the_level(game: str) -> None:
    by_base: dict[str, list[float]] = {}
    for level in roster(game).levels:
        by_base.setdefault(level.slips.base, []).append(level.slips.temperature)
    for temperatures in by_base.values():
        assert temperatures == sorted(temperatures, reverse=True)


def test_game_without_agents_of_its_own_has_no_levels() -> None:
    from engine.games import register, unregister
    from engine.manifest import GameRow

    register(GameRow("plain", "Plain", "", rules="engine.games.truco:GAME"))
    try:
        assert not set(LEVEL_NAMES) & set(agents_for("plain"))
    finally:
        unregister("plain")


def test_temperature_zero_plays_as_the_base() -> None:
    assert shares(LevelPlayer("level", Fixed({1: 1.0, 2: 0.999}), 0.0), tries=50) == {1: 1.0}


def test_slips_are_rarer_the_more_they_cost() -> None:
    found = shares(LevelPlayer("level", Fixed({1: 1.0, 2: 0.9, 3: 0.8}), 0.1))
    assert found[1] == pytest.approx(1 / (1 + 0.3679 + 0.1353), abs=0.03)
    assert found[2] == pytest.approx(0.3679 * found[1], abs=0.03)
    assert found[3] == pytest.approx(0.1353 * found[1], abs=0.03)


def test_higher_temperature_slips_more() -> None:
    kept = [shares(LevelPlayer("level", Fixed({1: 1.0, 2: 0.9}), each))[1] for each in (0.05, 0.5)]
    assert kept[0] > 0.85 > kept[1] > 0.5


def test_only_the_second_and_third_best_are_slips() -> None:
    scores = {action: -0.001 * action for action in range(8)}
    assert set(shares(LevelPlayer("level", Fixed(scores), 5.0))) == set(range(CONSIDERED))


def test_disasters_never_happen() -> None:
    far = 1.0 - 0.1 * TOO_FAR - 0.01
    assert set(shares(LevelPlayer("level", Fixed({1: 1.0, 2: far}), 0.1))) == {1}


def test_nothing_is_better_than_the_choice_of_a_base_that_mixes() -> None:
    """`hard` at Truco sometimes bluffs with an action that is not its best."""
    found = shares(LevelPlayer("level", Fixed({1: 1.0, 2: 0.95}, action=2), 0.01))
    assert found[2] == pytest.approx(0.5, abs=0.03)


def test_single_score_is_never_a_slip() -> None:
    assert shares(LevelPlayer("level", Fixed({7: 3.0}), 9.0), tries=20) == {7: 1.0}


def test_slip_keeps_the_scores_but_not_the_reason() -> None:
    class Reasoned(Fixed):
        def act(self, view: View, legal: list[int], rng: Random) -> Decision:
            return Decision(1, dict(self.scores), "points", reason="It is the best card.")

    player = LevelPlayer("level", Reasoned({1: 1.0, 2: 1.0}), 1.0)
    view, rng = GAMES["smear"].new(seed=1).view(0), Random(3)
    decisions = [player.act(view, [1, 2], rng) for _ in range(30)]
    assert {(each.action, bool(each.reason)) for each in decisions} == {(1, True), (2, False)}
    assert all(each.scores == {1: 1.0, 2: 1.0} for each in decisions)


def share_of(game: str, agent: str, word: str, hands: int = 60) -> float:
    """How often an agent's first decision begins with this word, over many deals."""
    player = make(game, agent)
    count = 0
    for seed in range(hands):
        state = GAMES[game].new(seed=seed)
        seat = state.turn
        action = player.act(state.view(seat), state.legal(), Random(seed)).action
        count += state.label(action).startswith(word)
    return count / hands


def test_bold_bidders_bet_more_and_careful_ones_less() -> None:
    bold, hard, careful = [share_of("smear", name, "bet") for name in ("bold", "hard", "careful")]
    assert bold > hard > careful > 0


def test_bluffers_raise_more() -> None:
    assert share_of("truco", "bluffer", "raise") > share_of("truco", "hard", "raise") + 0.1
    calls = [
        sum([share_of("truco_full", name, word, 40) for word in ("envido", "truco")])
        for name in ("bluffer", "hard")
    ]
    assert calls[0] > calls[1]
