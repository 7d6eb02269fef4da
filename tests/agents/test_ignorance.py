"""Untrained learners know nothing: every legal action is as likely as any other."""

from collections import Counter
from itertools import islice
from math import sqrt
from random import Random

import pytest

from agents.agent import Agent, Decision, Learner
from agents.learners.q import QLearner
from agents.registry import agents_for, create
from engine import GAMES
from engine.game import State, View
from tests.agents.positions import random_positions
from tests.engine.tables import ALL_GAMES, variant_id, variants
from tests.high_card import high_card

__all__ = ["high_card"]

DRAWS = 40
"""Decisions of each agent in each position."""
POSITIONS = 8
LIMIT = 5.0
"""The number of standard deviations by which chi-square may exceed its expectation."""


def is_learner(game: str, name: str) -> bool:
    return isinstance(create(game, name), Learner)


LEARNERS = [
    pytest.param(game, options, name, id=f"{variant_id(game, options)}-{name}")
    for game in ALL_GAMES
    for options in variants(game)
    for name in agents_for(game)
    if is_learner(game, name)
]


def positions(game: str, **options: object) -> list[State]:
    """Positions with a choice, spread over several random matches."""
    open_ones = (
        state.clone()
        for state in random_positions(GAMES[game], 40, 60, **options)
        if len(state.legal()) > 1
    )
    return list(islice(open_ones, 0, 7 * POSITIONS, 7))


def decisions(agent: Agent, state: State, draws: int = DRAWS) -> list[Decision]:
    """Decisions in one position, each before anything was learned."""
    nothing = agent.dump() if isinstance(agent, Learner) else {}
    view, legal = state.view(state.turn), state.legal()
    found = []
    for seed in range(draws):
        found.append(agent.act(view, legal[:], Random(seed)))
        if isinstance(agent, Learner) and agent.learning:
            agent.forget_match()
            agent.restore(nothing)
    return found


def excess(agent: Agent, states: list[State]) -> float:
    """How far the frequencies of the legal actions are from being equal, in standard deviations
    of chi-square."""
    chi_square = freedom = 0.0
    for state in states:
        legal = state.legal()
        counts = Counter([decision.action for decision in decisions(agent, state)])
        expected = DRAWS / len(legal)
        chi_square += sum([(counts[action] - expected) ** 2 / expected for action in legal])
        freedom += len(legal) - 1
    return (chi_square - freedom) / sqrt(2 * freedom)


def check(agent: Agent, states: list[State]) -> None:
    assert isinstance(agent, Learner)
    for learning in (False, True):
        agent.learning = learning
        assert excess(agent, states) < LIMIT
    for state in states:
        scores = decisions(agent, state, 1)[0].scores
        assert set(scores) == set(state.legal())
        assert len(set(scores.values())) == 1


@pytest.mark.parametrize(("game", "options", "name"), LEARNERS)
def test_untrained_learner_has_no_preference(game, options, name):
    check(create(game, name), positions(game, **options))


@pytest.mark.usefixtures("high_card")
@pytest.mark.parametrize("name", ["q", "sarsa", "mc", "linear"])
def test_untrained_learner_has_no_preference_in_an_unknown_game(name):
    check(create("high_card", name), positions("high_card"))


class Eager(QLearner):
    """Slightly prefers the first action."""

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        decision = super().act(view, legal, rng)
        return Decision(legal[0], decision.scores) if rng.random() < 0.2 else decision


@pytest.mark.parametrize("name", ["easy", "hard"])
def test_rules_have_preferences(name):
    assert excess(create("euchre", name), positions("euchre")) > 10 * LIMIT


def test_a_slight_preference_is_noticed():
    plain = create("euchre", "q")
    assert isinstance(plain, QLearner)
    eager = Eager(plain.abstraction, plain.rewards)
    assert excess(eager, positions("euchre")) > LIMIT


@pytest.mark.parametrize("game", ALL_GAMES)
def test_imitators_of_hard_are_called_apprentices(game):
    for name in ("logistic", "neural-original"):
        if name in agents_for(game):
            assert agents_for(game)[name].level == "Apprentice"
            assert "Hard" in agents_for(game)[name].summary
