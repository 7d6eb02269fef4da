"""The rule players of Truco: good moves, real flors, and strength."""

from random import Random

import numpy as np
import pytest

from agents.agent import Agent
from agents.random_player import RandomPlayer
from agents.truco.odds import ME, THEM, PointValue, stage, strengths
from agents.truco.rules import EasyTruco, HardTruco, OpponentHands, weigh
from engine.games.truco import (
    FLOR,
    NOBODY,
    RAISE,
    VALUES,
    TrucoState,
    has_flor,
)
from engine.games.truco import (
    GAME as TRUCO,
)
from tests.agents.positions import choices, random_positions, share_of_wins, truco_round

both = pytest.mark.parametrize("agent", [EasyTruco(), HardTruco()], ids=["easy", "hard"])


@both
def test_decisions_are_legal_scored_and_explained(agent: Agent) -> None:
    for state in random_positions(TRUCO, 8, hands=12):
        legal = state.legal()
        decision = agent.act(state.view(state.turn), legal, Random(1))
        assert decision.action in legal
        assert decision.action in decision.scores
        assert set(decision.scores) <= set(legal)
        assert decision.meaning


@both
def test_choice_depends_on_the_view_only(agent: Agent) -> None:
    for state in random_positions(TRUCO, 3, hands=12):
        view = state.view(state.turn)
        elsewhere = view.sample(Random(5))
        here = agent.act(view, state.legal(), Random(2))
        there = agent.act(elsewhere.view(state.turn), elsewhere.legal(), Random(2))
        assert here == there


@both
def test_calls_every_real_flor_and_never_a_false_one(agent: Agent) -> None:
    met = 0
    for state in random_positions(TRUCO, 12, hands=12):
        legal = state.legal()
        real = has_flor(state.hands[state.turn], state.muestra) if FLOR in legal else False
        met += real
        decision = agent.act(state.view(state.turn), legal, Random(3))
        assert (decision.action == FLOR) == real
    assert met > 20


@both
def test_takes_the_trick_with_the_cheapest_winner(agent: Agent) -> None:
    state = truco_round("12O 4C 5E", "3O 1E 6C", "7B", "raise", "accept", "play 12O")
    played = [choice for choice in choices(agent, state) if choice.startswith("play")]
    assert set(played) == {"play 3O"}


def test_hard_knows_that_a_tie_loses_after_a_lost_trick() -> None:
    state = truco_round("1E 12C 4O", "5C 12O 3C", "6B", "play 1E", "play 5C", "play 12C")
    scores = HardTruco().act(state.view(1), state.legal(), Random(1)).scores
    assert state.label(0) == "play 12O"
    assert scores[0] < 0.5 < scores[1]
    points = weigh(state.view(1), state.legal()).points
    assert points[0] == pytest.approx(-1, abs=0.1)
    assert points[1] > points[0] + 0.5


@both
def test_rejects_a_bid_that_is_certainly_lost(agent: Agent) -> None:
    """Seat 0 holds a four against the three on the table that decides the round."""
    state = truco_round("4O 5C 6E", "3E 2C 4C", "7B", "play 6E", "play 3E", "play 4C", "play 5C")
    state.apply(state.parse("play 4O"))
    state.apply(state.parse("raise"))
    assert choices(agent, state).count("reject") >= 36


def test_hard_raises_with_the_winner_of_the_last_trick() -> None:
    state = truco_round("4O 5C 3E", "6E 4C 1E", "7B", "play 4O", "play 6E", "play 4C", "play 5C")
    state.apply(state.parse("play 3E"))
    assert choices(HardTruco(), state).count("raise") >= 36


def test_hard_bluffs_sometimes() -> None:
    state = truco_round("4O 5C 2E", "6E 4C 5O", "7B", "play 4O", "play 6E", "play 4C", "play 5C")
    state.apply(state.parse("play 2E"))
    assert 2 <= choices(HardTruco(), state, 200).count("raise") <= 120


def test_hard_accepts_anything_when_rejecting_loses_the_match() -> None:
    deal = ("3O 12C 4E", "1O 10O 6C", "7B", "raise")
    level = truco_round(*deal, scores=(20, 20))
    desperate = truco_round(*deal, scores=(39, 20))
    assert choices(HardTruco(), level).count("reject") > 20
    assert choices(HardTruco(), desperate).count("reject") == 0


def test_hard_ignores_bids_of_an_opponent_who_has_nothing_to_lose() -> None:
    deal = ("3O 12C 4E", "1O 10O 6C", "7B", "play 12C")
    for scores, informed in (((20, 20), True), ((39, 20), False)):
        quiet, raised = (
            OpponentHands(truco_round(*deal, *bids, scores=scores).view(0))
            for bids in ((), ("raise",))
        )
        assert np.allclose(quiet.weights, raised.weights) != informed


def test_value_of_points_depends_on_the_score() -> None:
    last_chance = PointValue(
        truco_round("3O 12C 4E", "1O 10O 6C", "7B", scores=(30, 39)).view(0), False, 0.0
    )
    assert last_chance(THEM, 1) == last_chance(THEM, 4)
    level = PointValue(truco_round("3O 12C 4E", "1O 10O 6C", "7B").view(0), False, 0.0)
    assert level(ME, 1) == pytest.approx(1, abs=0.05)
    assert level(THEM, 4) == pytest.approx(-4, abs=0.2)
    assert level(ME, 2) > level(ME, 1) > 0 > level(THEM, 1) > level(THEM, 2)


def test_round_has_no_value_if_a_flor_wins_the_match_first() -> None:
    state = truco_round("3O 4O 5O", "4C 5C 6C", "7E", "flor", "raise", "flor", scores=(37, 39))
    worth = PointValue(state.view(0), True, 1.0)
    assert worth(ME, 2) == worth(THEM, 2) == 0


def best_with_open_cards(state: TrucoState, seat: int) -> bool:
    """True if the seat wins the round with open cards and without bids, by the rules."""
    mover = state.turn
    outcomes = []
    for place in range(len(state.hands[mover])):
        after = state.clone()
        after.apply(place)
        if after.hand_no != state.hand_no:
            assert after.last_round is not None
            outcomes.append(after.last_round.winner == seat)
        else:
            outcomes.append(best_with_open_cards(after, seat))
    return any(outcomes) if mover == seat else all(outcomes)


@pytest.mark.parametrize("plays", range(6))
def test_stage_agrees_with_playing_out_open_cards(plays: int) -> None:
    checked = 0
    for seed in range(60):
        rng = Random(seed)
        state = TRUCO.new(seed=seed)
        for _ in range(plays):
            state.apply(rng.randrange(len(state.hands[state.turn])))
        if state.hand_no > 1:
            continue
        for seat in (0, 1):
            opponent = OpponentHands(state.view(seat))
            values = VALUES[state.muestra]
            mine, theirs = ([values[card] for card in state.hands[who]] for who in (seat, 1 - seat))
            if opponent.progress.led is not None:
                leader, led = opponent.progress.led
                (mine if leader == seat else theirs).insert(0, led)
            wins = opponent.progress.stage_for(seat).wins(mine, np.array(theirs).reshape(-1, 1))
            assert bool(wins.max()) == best_with_open_cards(state, seat)
            checked += 1
    assert checked > 20


def test_strength_grows_with_every_card() -> None:
    hands = strengths(ME, (), 0, NOBODY)
    assert hands[18, 17, 16] > 0.99
    assert hands[0, 0, 0] < 0.05
    assert (np.diff(hands, axis=0) > -1e-9).all()
    assert stage(ME, (), False) is stage(ME, (), False)


def test_raise_makes_a_strong_hand_likelier() -> None:
    quiet = truco_round("3O 12C 4E", "1O 10O 6C", "7B", "play 12C")
    raised = truco_round("3O 12C 4E", "1O 10O 6C", "7B", "play 12C", "raise")

    def mean_strength(state: TrucoState) -> float:
        opponent = OpponentHands(state.view(0))
        return float(opponent.weights @ opponent.strengths())

    assert mean_strength(raised) > mean_strength(quiet) + 0.05


def test_a_called_flor_is_mostly_believed() -> None:
    silent = truco_round("3O 12C 4E", "1O 10O 6C", "7B", "play 12C", "play 10O")
    called = truco_round("3O 12C 4E", "1O 10O 6C", "7B", "play 12C", "flor", "play 10O")
    assert OpponentHands(silent.view(0)).flor < 0.05
    assert OpponentHands(called.view(0)).flor > 0.7


def test_false_flor_costs_its_points() -> None:
    """So that the coach sees it: a false flor gives the other side three points."""
    state = truco_round("3O 12C 4E", "1O 10O 6C", "7B")
    decision = HardTruco().act(state.view(0), state.legal(), Random(1))
    honest = max(score for action, score in decision.scores.items() if action != FLOR)
    assert decision.action != FLOR
    assert decision.scores[FLOR] < honest - 0.02


def test_real_flor_is_lost_with_the_first_card() -> None:
    state = truco_round("3O 12O 4O", "1O 10C 6C", "7B")
    decision = HardTruco().act(state.view(0), state.legal(), Random(1))
    cards = [score for action, score in decision.scores.items() if action < 3]
    assert decision.action == FLOR
    assert decision.scores[FLOR] > max(cards) + 0.02
    assert decision.scores[RAISE] <= decision.scores[FLOR]


@pytest.mark.slow
def test_hard_beats_easy_beats_random() -> None:
    assert share_of_wins(TRUCO, EasyTruco(), RandomPlayer(), 20) >= 0.9
    assert share_of_wins(TRUCO, HardTruco(), RandomPlayer(), 10) >= 0.95
    assert share_of_wins(TRUCO, HardTruco(), EasyTruco(), 20) >= 0.6
