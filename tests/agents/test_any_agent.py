"""What must hold for every agent of every game."""

from itertools import islice
from random import Random

import pytest

from agents.agent import Learner
from agents.match import Match
from agents.registry import agents_for, create, make
from agents.roster import LEVEL_NAMES
from agents.search.agent import Budget
from engine import GAMES
from engine.game import OVER
from tests.agents.positions import random_positions
from tests.engine.tables import variant_id, variants

ALL_VARIANTS = [(game, options) for game in GAMES for options in variants(game)] + [
    ("truco_full", {"players": 2}),
    ("truco_full", {"players": 4, "flor": "optional"}),
]
QUICK_LEVELS = ("club", "veteran")
"""One level that slips from rules and one that slips from search; the others differ by numbers."""


def is_slow(agent, game, options):
    """Whether an agent is tested with these options in the slow set only. With partners the
    expert of full Truco searches."""
    if agent in LEVEL_NAMES:
        return agent not in QUICK_LEVELS or (game, options) != usual(game)
    return agent == "expert" and options.get("players", 2) > 2


def usual(game):
    """The game with its first options."""
    return next(each for each in ALL_VARIANTS if each[0] == game)


SEATED = [
    pytest.param(
        game,
        options,
        agent,
        id=f"{variant_id(game, options)}-{agent}",
        marks=pytest.mark.slow if is_slow(agent, game, options) else (),
    )
    for game, options in ALL_VARIANTS
    for agent in agents_for(game)
]
QUICK = Budget(worlds=2)
# In this scope pytest runs all tests of an agent together, so that its values are read once.
everyone = pytest.mark.parametrize(("game", "options", "name"), SEATED, scope="module")
LEARNERS = [
    (game, name)
    for game in GAMES
    for name in agents_for(game)
    if isinstance(create(game, name), Learner)
]


def some_positions(game, options):
    """Every fifth position of two random matches, so that all seats decide in all phases."""
    return islice(random_positions(GAMES[game], 2, 80, **options), 0, None, 5)


@pytest.fixture(scope="module")
def agent(game, name):
    """An agent that does not learn, so several tests can share it."""
    return make(game, name, budget=QUICK)


@everyone
def test_decisions_are_legal_and_explained(game, options, name, agent):
    rng = Random(1)
    for state in some_positions(game, options):
        legal = state.legal()
        decision = agent.act(state.view(state.turn), legal, rng)
        assert decision.action in legal
        assert set(decision.scores) <= set(legal)
        assert decision.meaning or not decision.scores


@everyone
def test_agents_choose_from_the_actions_they_are_given(game, options, name, agent):
    choose_from_offered(agent, game, options, name)


@pytest.mark.parametrize(
    ("game", "options", "name"), [each for each in SEATED if each.values[::2] in LEARNERS]
)
def test_learners_choose_from_the_actions_they_are_given(game, options, name):
    choose_from_offered(make(game, name, budget=QUICK, learning=True), game, options, name)


def choose_from_offered(agent, game, options, name):
    rng = Random(f"{game} {name}")
    for state in random_positions(GAMES[game], 2, 30, **options):
        legal = state.legal()
        offered = sorted(rng.sample(legal, rng.randint(1, len(legal))))
        decision = agent.act(state.view(state.turn), offered[:], rng)
        assert decision.action in offered
        assert set(decision.scores) <= set(offered)


@everyone
def test_no_agent_sees_hidden_cards(game, options, name, agent):
    """The decision stays the same if the hidden cards are dealt again."""
    rng = Random(1)
    for state in some_positions(game, options):
        seat = state.turn
        view, legal = state.view(seat), state.legal()
        other = view.sample(rng)
        chance = rng.getrandbits(32)
        first = agent.act(view, legal, Random(chance))
        second = agent.act(other.view(seat), other.legal(), Random(chance))
        assert first == second


@everyone
def test_same_seed_replays_a_match(game, options, name):
    def play():
        state = GAMES[game].new(seed=9, **options)
        match = Match(state, [make(game, name, budget=QUICK)] * state.seats, seed=9)
        labels = []
        while state.turn != OVER and len(labels) < 30:
            action = match.decide().action
            labels.append(state.label(action))
            match.step(action)
        return labels

    assert play() == play()


@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(*each, marks=pytest.mark.slow if each[0] == "notty" else ())
        for each in LEARNERS
    ],
)
def test_learners_change_only_while_learning(game, name):
    agent = make(game, name, learning=True)
    state = GAMES[game].new(seed=1)
    Match(state, [agent] * state.seats, seed=1).play_out()
    assert agent.stats().updates > 0
    agent.learning = False
    learned = repr(agent.dump())
    state = GAMES[game].new(seed=2)
    Match(state, [agent] * state.seats, seed=2).play_out()
    assert repr(agent.dump()) == learned
