"""The inputs of networks: in range, complete, and equal for equal cases."""

from random import Random

import numpy as np
import pytest

from agents.learners.neural import NeuralLearner
from agents.learners.situation_encoding import SituationEncoding
from agents.notty.encoding import NottyEncoding
from agents.registry import create
from agents.smear.encoding import SmearEncoding
from engine import GAMES
from engine.game import OVER
from engine.games.smear import PACK, PLAYING, RANKS, TRUMP
from tests.agents.crossing import BUSY, EVERYTHING, GREEN, RUN, STROLL, WAIT, WALK, Crossing, Looks
from tests.agents.test_logistic import Careful
from tests.engine.tables import every_table


def positions(game, options, seeds, steps):
    """Positions of random play in which there is a choice."""
    for seed in seeds:
        rng = Random(seed)
        state = GAMES[game].new(seed=seed, **options)
        for _ in range(steps):
            if state.turn == OVER:
                break
            if len(state.legal()) > 1:
                yield state
            state.apply(rng.choice(state.legal()))


@pytest.mark.parametrize(("game", "options"), every_table())
def test_numbers_are_in_range_in_every_position(game, options):
    learner = create(game, "neural")
    assert isinstance(learner, NeuralLearner)
    encoding = learner.encoding
    for state in positions(game, options, range(3), 80):
        view, legal = state.view(state.turn), state.legal()
        part, actions, rows = encoding.encode(view, legal)
        assert rows.shape == (len(actions), encoding.parts[part].size)
        assert np.abs(rows).max() <= 10
        assert set(actions) <= set(legal)
        if learner.teacher is not None:
            assert learner.teacher.act(view, legal, Random(0)).action in actions


def test_a_situation_has_an_input_for_each_value_and_for_the_move():
    encoding = SituationEncoding(Looks())
    part, actions, rows = encoding.encode(Crossing(0, GREEN, BUSY), EVERYTHING)
    assert encoding.parts[part].size == 3 + 2 + 2
    assert dict(zip(actions, rows.tolist(), strict=True)) == {
        WAIT: [1, 0, 0, 0, 1, 0, 1],
        WALK: [0, 1, 0, 0, 1, 0, 1],
        STROLL: [0, 1, 0, 0, 1, 0, 1],
        RUN: [0, 0, 1, 0, 1, 0, 1],
    }


def test_an_adviser_distinguishes_actions_of_one_move():
    encoding = SituationEncoding(Looks(), Careful())
    _, actions, rows = encoding.encode(Crossing(0, GREEN, BUSY), EVERYTHING)
    advice = dict(zip(actions, rows[:, 3:6].tolist(), strict=True))
    assert advice[STROLL] == [0, 0, 1]
    assert advice[WALK] == advice[WAIT] == advice[RUN] == [0, -1, 0]
    assert "advised by careful" in encoding.fingerprint()


def swapped(card: int) -> int:
    """The same rank, two suits further."""
    return (card + 2 * RANKS) % len(PACK)


def test_smear_rows_do_not_depend_on_the_names_of_suits():
    compared = 0
    for seed in range(20):
        order = Random(seed).sample(range(len(PACK)), len(PACK))
        one, other = [
            GAMES["smear"].new(seed=seed, first=0, deck=[PACK.codes[card] for card in cards])
            for cards in (order, [swapped(card) for card in order])
        ]
        rng = Random(seed)
        while one.hand_no == 1 and one.turn != OVER:
            view, legal = one.view(one.turn), one.legal()
            holdings = {view.hand >> suit * RANKS & (1 << RANKS) - 1 for suit in range(4)}
            twins = {action: renamed(action, view.phase == PLAYING) for action in legal}
            if len(holdings) == 4 and len(legal) > 1:
                encoding = SmearEncoding()
                _, actions, rows = encoding.encode(view, legal)
                _, others, theirs = encoding.encode(other.view(other.turn), other.legal())
                same = [others.index(twins[action]) for action in actions]
                assert rows == pytest.approx(theirs[same])
                compared += 1
            action = rng.choice(legal)
            one.apply(action)
            other.apply(twins[action])
    assert compared > 100


def renamed(action: int, is_card: bool) -> int:
    if is_card:
        return swapped(action)
    return TRUMP + (action - TRUMP + 2) % 4 if action >= TRUMP else action


def test_notty_never_considers_stealing_a_last_card():
    state = GAMES["notty"].new(seed=1)
    state.ones[1], state.twos[1], state.sizes[1] = 1, 0, 1
    assert state.parse("steal 1") in state.legal()
    _, actions, _ = NottyEncoding().encode(state.view(0), state.legal())
    assert set(state.legal()) - set(actions) == {state.parse("steal 1")}
