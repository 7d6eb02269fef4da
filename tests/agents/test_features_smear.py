"""The features of Smear in words, and learning with them."""

import pytest

from agents.agent import Agent
from agents.learners.q import QLearner
from agents.learners.q_table import QTable
from agents.learners.settings import OUTLINES_FROM_NOTHING
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.smear.features import SmearAbstraction
from agents.smear.rewards import SmearRewards
from engine.game import Event
from engine.games.smear import GAME as SMEAR
from engine.games.smear import TEAMS, SmearState
from tests.agents.positions import do, play, situation_words, smear_hand, spades_by_seat_0

FEATURES = SmearAbstraction()


def seen(state: SmearState) -> str:
    return situation_words(FEATURES, state)


def moves(state: SmearState) -> dict[str, str]:
    """The move of each legal action, in words."""
    made = FEATURES.moves(state.view(state.turn), state.legal())
    return {state.label(action)[5:]: FEATURES.move_words(move) for action, move in made.items()}


STRONG = "AS KS JS 2S AH 10H"
OTHERS = ("10S 9S 3H 9H 10D KD", "5S 4S KH 2H 3D QD", "QS 3S 4H 5H 10C AC")


# Betting and naming trump


def test_situation_shows_a_strong_suit():
    state = smear_hand(STRONG)
    assert seen(state) == (
        "betting: best suit +2.5 points or more, ace, deuce and jack, no bet yet, "
        "three still to bet"
    )


def test_auction_distinguishes_partner_and_opponents():
    state = do(smear_hand(STRONG, *OTHERS), "bet 2")
    assert "opponent bet 2, two still to bet" in seen(state)
    do(state, "pass")
    assert "partner bet 2, one still to bet" in seen(state)
    do(state, "bet 4")
    assert "opponent bet 4, last to bet" in seen(state)


def test_suits_are_interchangeable():
    hearts = smear_hand(STRONG.translate(str.maketrans("SH", "HS")))
    assert seen(hearts) == seen(smear_hand(STRONG))


def test_suits_are_named_by_their_rank():
    state = do(smear_hand(STRONG, *OTHERS), "bet 2", "pass", "pass", "pass")
    assert seen(state) == ("naming trump: best suit +2.5 points or more, no other suit near, bet 2")
    made = FEATURES.moves(state.view(0), state.legal())
    assert {state.label(action): FEATURES.move_words(move) for action, move in made.items()} == {
        "trump spades": "name the strongest suit",
        "trump hearts": "name the second suit",
        "trump diamonds": "name a weaker suit",
        "trump clubs": "name a weaker suit",
    }


def test_situation_shows_a_score_close_to_the_target():
    state = smear_hand(STRONG)
    state.points = (0, 9)
    assert seen(state).endswith("they are close to winning")


# Playing


def test_situation_and_moves_when_leading():
    """The king is a sure winner because the ace is in the same hand."""
    state = spades_by_seat_0(smear_hand(STRONG, *OTHERS))
    assert seen(state) == (
        "leading: our bet of 2 is made, four tricks or more to go, game is open, "
        "I hold the jack, three trumps or more, the highest trump among them, "
        "a sure winner in a plain suit"
    )
    assert moves(state) == {
        "AS": "lead the highest trump",
        "KS": "lead the highest trump",
        "JS": "lead the jack of trump",
        "2S": "lead a low trump",
        "AH": "lead a sure winner of a plain suit",
        "10H": "lead a ten",
    }


def test_situation_shows_the_jack_in_the_trick():
    state = play(spades_by_seat_0(smear_hand(STRONG, *OTHERS)), "JS 9S 4S")
    assert seen(state) == (
        "following: their bet of 2 is two points short, game is open, opponent holds the trick, "
        "last to play, the jack of trump in it, can surely trump"
    )
    assert moves(state) == {"QS": "trump in low", "3S": "duck"}


def test_a_ten_is_given_to_partner_and_lost_to_opponents():
    state = play(spades_by_seat_0(smear_hand(STRONG, *OTHERS)), "AS 9S 5S 3S AH")
    assert moves(state)["10S"] == "win with a ten"
    play(state, "3H KH")
    assert "opponent holds the trick, last to play, some game points in it" in seen(state)
    assert moves(state) == {
        "4H": "duck",
        "5H": "duck",
        "QS": "trump in low",
    }


def test_cheapest_card_of_a_move_comes_first():
    state = play(spades_by_seat_0(smear_hand(STRONG, *OTHERS)), "AS 9S 5S 3S AH 3H KH")
    assert list(moves(state)) == ["4H", "5H", "QS"]


def test_bet_out_of_reach_is_lost():
    """A bet of four is lost because the opponents have high."""
    state = smear_hand("KS JS 9S 2S AH 10H", "AS 10S 3H 9H 10D KD", *OTHERS[1:])
    do(state, "bet 4", "pass", "pass", "pass", "trump spades")
    assert "our bet of 4 is far" in seen(state)
    play(state, "9S AS")
    assert "our bet of 4 is lost" in seen(state)


def test_revokes_are_one_move():
    state = spades_by_seat_0(smear_hand(STRONG, *OTHERS, revoke="penalty"))
    play(state, "AH")
    revokes = {card for card, move in moves(state).items() if move == "break the follow rule"}
    assert revokes == {"10D", "KD"}


# Learning


@pytest.mark.parametrize(
    ("event", "rewards"),
    [
        (Event("hand", 0, points=(3, 1), note="made"), [(20, "our bet made, 3 to 1")]),
        (Event("hand", 1, points=(2, -3), note="set"), [(50, "they were set, 2 to -3")]),
        (Event("hand", 2, points=(-2, 2), note="set"), [(-40, "we were set, -2 to 2")]),
        (Event("hand", 1, points=(-4, 0), note="revoke"), [(-40, "we revoked, -4 to 0")]),
        (Event("match", points=(1.0, 0.0)), [(20, "match won")]),
        (Event("match", points=(0.5, 0.5)), [(0, "match drawn")]),
        (Event("trick", 0), []),
    ],
)
def test_rewards_are_the_points_ahead(event: Event, rewards: list[tuple[float, str]]):
    reward = SmearRewards().of_event(event, 0, TEAMS)
    assert ([tuple(reward)] if reward else []) == rewards


def learner(learning: bool) -> QLearner:
    return QLearner(SmearAbstraction(), SmearRewards(), OUTLINES_FROM_NOTHING, learning=learning)


def points_ahead_of(other: Agent, agent: Agent, hands: int) -> float:
    """The mean points of the agent minus those of the other, in the first hand of many matches."""
    ahead = 0.0
    for seed in range(10_000, 10_000 + hands):
        side = seed % 2
        state = SMEAR.new(seed=seed)
        match = Match(state, [agent if seat % 2 == side else other for seat in range(4)], seed)
        while state.hand_no == 1:
            match.step(match.decide().action)
        points = state.hand_returns()
        ahead += points[side] - points[1 - side]
    return ahead / hands


@pytest.mark.slow
def test_self_play_makes_it_better_than_random_and_than_before():
    agent = learner(learning=True)
    for seed in range(700):
        state = SMEAR.new(seed=seed)
        match = Match(state, [agent] * 4, seed)
        while state.hand_no == 1:
            match.step(match.decide().action)
        agent.forget_match()
    agent.learning = False
    untaught, random = learner(learning=False), RandomPlayer()
    assert points_ahead_of(random, untaught, 150) < 1
    assert points_ahead_of(random, agent, 150) > 1
    assert points_ahead_of(untaught, agent, 150) > 0.5


def test_outline_of_a_bet_is_strength_and_auction():
    abstraction = SmearAbstraction()
    state = smear_hand(STRONG)
    situation = abstraction.situation(state.view(state.turn))
    outline = QTable(abstraction.outlines()).outline(situation)
    assert outline is not None
    assert abstraction.words(outline) == (
        "betting, in outline: best suit +2.5 points or more, no bet yet, three still to bet"
    )
