"""What must hold for every agent of every game."""

from random import Random

import pytest

from agents.agent import Learner
from agents.match import Match
from agents.registry import agents_for, make
from agents.search.agent import Budget
from engine import GAMES
from engine.game import OVER
from tests.agents.positions import random_positions
from tests.engine.tables import variant_id, variants

SEATED = [
    pytest.param(game, options, agent, id=f"{variant_id(game, options)}-{agent}")
    for game in GAMES
    for options in variants(game)
    for agent in agents_for(game)
]
QUICK = Budget(worlds=2)
everyone = pytest.mark.parametrize(("game", "options", "name"), SEATED)


@everyone
def test_decisions_are_legal_and_explained(game, options, name):
    agent, rng = make(game, name, budget=QUICK), Random(1)
    for state in random_positions(GAMES[game], 2, 80, **options):
        legal = state.legal()
        decision = agent.act(state.view(state.turn), legal, rng)
        assert decision.action in legal
        assert set(decision.scores) <= set(legal)
        assert decision.meaning or not decision.scores


@everyone
@pytest.mark.parametrize("learning", [False, True])
def test_agents_choose_from_the_actions_they_are_given(game, options, name, learning):
    agent = make(game, name, budget=QUICK, learning=learning)
    if learning and not isinstance(agent, Learner):
        return
    rng = Random(f"{game} {name}")
    for state in random_positions(GAMES[game], 3, 40, **options):
        legal = state.legal()
        offered = sorted(rng.sample(legal, rng.randint(1, len(legal))))
        decision = agent.act(state.view(state.turn), offered[:], rng)
        assert decision.action in offered
        assert set(decision.scores) <= set(offered)


@everyone
def test_no_agent_sees_hidden_cards(game, options, name):
    """The decision stays the same if the hidden cards are dealt again."""
    agent, rng = make(game, name, budget=QUICK), Random(1)
    for state in random_positions(GAMES[game], 2, 50, **options):
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
        while state.turn != OVER and len(labels) < 80:
            action = match.decide().action
            labels.append(state.label(action))
            match.step(action)
        return labels

    assert play() == play()


@everyone
def test_learners_change_only_while_learning(game, options, name):
    agent = make(game, name, learning=True)
    if not isinstance(agent, Learner):
        return
    state = GAMES[game].new(seed=1, **options)
    Match(state, [agent] * state.seats, seed=1).play_out()
    assert agent.stats().updates > 0
    agent.learning = False
    learned = repr(agent.dump())
    state = GAMES[game].new(seed=2, **options)
    Match(state, [agent] * state.seats, seed=2).play_out()
    assert repr(agent.dump()) == learned
