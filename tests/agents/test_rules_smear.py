"""The rule players of Smear: honest, sensible in simple cases, and hard beats easy."""

from random import Random

import pytest

from agents.agent import Agent
from agents.random_player import RandomPlayer
from agents.smear.rules import EasySmear, HardSmear, Inference, points_ahead
from engine.cards import mask_of
from engine.game import OVER
from engine.games.euchre import GAME as EUCHRE
from engine.games.smear import GAME as SMEAR
from engine.games.smear import PACK
from tests.agents.positions import choice, do, play, share_of_wins, smear_hand, spades_by_seat_0

EASY, HARD, RANDOM = EasySmear(), HardSmear(), RandomPlayer()
everyone = pytest.mark.parametrize("agent", [EASY, HARD], ids=["easy", "hard"])


@pytest.mark.parametrize("revoke", ["forbid", "penalty"])
@everyone
def test_every_choice_is_legal_honest_and_explained(agent: Agent, revoke: str) -> None:
    rng = Random(4)
    for seed in range(12):
        state = SMEAR.new(seed=seed, revoke=revoke)
        while state.turn != OVER and state.hand_no < 6:
            view, legal = state.view(state.turn), state.legal()
            decision = agent.act(view, legal, rng)
            assert decision.action in legal
            assert not view.revokes(decision.action)
            assert list(decision.scores) == [a for a in legal if not view.revokes(a)]
            assert decision.scores[decision.action] == max(decision.scores.values())
            assert decision.meaning
            honest = list(decision.scores)
            state.apply(rng.choice(honest if rng.random() < 0.9 else legal))


@everyone
def test_choice_depends_on_the_view_only(agent: Agent) -> None:
    rng = Random(5)
    for seed in range(6):
        state = SMEAR.new(seed=seed)
        while state.hand_no < 3:
            view = state.view(state.turn)
            other = view.sample(rng)
            assert agent.act(view, state.legal(), Random(1)) == agent.act(
                other.view(state.turn), other.legal(), Random(1)
            )
            state.apply(rng.choice(state.legal()))


@everyone
def test_view_of_another_game_raises_an_error(agent: Agent) -> None:
    with pytest.raises(TypeError, match="Smear only"):
        agent.act(EUCHRE.new().view(0), [], Random(0))


@everyone
def test_bets_on_and_names_a_suit_of_many_trumps(agent: Agent) -> None:
    state = smear_hand("AD KD JD 10D 2D AS")
    amount = choice(agent, state)
    assert amount == ("bet 4" if agent is HARD else "bet 2")
    do(state, amount, "pass", "pass", "pass")
    assert choice(agent, state) == "trump diamonds"


@everyone
def test_passes_a_poor_hand(agent: Agent) -> None:
    state = do(smear_hand("AS KS QS 2S 3S 4S", "9H 5H 5D 4D 9C 5C"), "bet 2")
    assert choice(agent, state) == "pass"


def test_hard_bets_more_when_passing_would_lose_the_match() -> None:
    state = do(smear_hand("2S 3S 4S 5S 9S 10S", "KH 10H 3H 9D 9C AS"), "bet 2")
    calm = HARD.act(state.view(1), state.legal(), Random(0)).scores
    state.points = (10, 0)
    pressed = HARD.act(state.view(1), state.legal(), Random(0)).scores
    for bet in ("bet 3", "bet 4"):
        action = state.parse(bet)
        passing = state.parse("pass")
        assert pressed[action] - pressed[passing] > calm[action] - calm[passing]


def test_hard_expects_more_points_with_better_trumps() -> None:
    def ahead(cards: str) -> float:
        return points_ahead(mask_of([PACK.card(code) for code in cards.split()]), 0)[2]

    assert ahead("AS 2S JS 9H 4D 3C") > ahead("AS 9S JS 9H 4D 3C") > ahead("9S 5S JS 9H 4D 3C")
    assert ahead("AS 2S JS AH 4D 3C") > ahead("AS 2S JS 9H 4D 3C")


@everyone
def test_gives_the_ten_to_a_partner_who_holds_the_trick(agent: Agent) -> None:
    state = spades_by_seat_0(
        smear_hand(
            "AS 9H 5H 4H 3H 2H", "2S 9D 5D 4D 3D 2D", "10H AH 9C 5C 4C 3C", "3S QD JD QC JC 2C"
        )
    )
    play(state, "AS 2S")
    assert choice(agent, state) == "play 10H"


@everyone
def test_keeps_the_ten_from_an_opponent_who_holds_the_trick(agent: Agent) -> None:
    state = spades_by_seat_0(
        smear_hand(
            "AS 9H 5H 4H 3H 2H", "10H AH 9C 5C 4C 3C", "2S 9D 5D 4D 3D 2D", "3S QD JD QC JC 2C"
        )
    )
    play(state, "AS")
    assert choice(agent, state) not in ("play 10H", "play AH")


@everyone
def test_trumps_a_trick_with_a_ten_in_the_last_seat(agent: Agent) -> None:
    state = spades_by_seat_0(
        smear_hand(
            "AH 9S 5H 4H 3H 2H", "9H KD JD 5D 4D 3D", "10H AD 9C 5C 4C 3C", "3S 2D QD QC JC 2C"
        )
    )
    play(state, "AH 9H 10H")
    assert choice(agent, state) == "play 3S"


def test_hard_plays_the_jack_if_it_takes_the_trick_last() -> None:
    state = spades_by_seat_0(
        smear_hand(
            "10S 9H 5H 4H 3H 2H", "2S 9D 5D 4D 3D 2D", "3S AH 9C 5C 4C 3C", "JS 9S QD QC JC 2C"
        )
    )
    play(state, "10S 2S 3S")
    assert choice(HARD, state) == "play JS"


def test_hard_protects_the_jack_from_a_higher_trump() -> None:
    state = spades_by_seat_0(
        smear_hand(
            "AS 9H 5H 4H 3H 2H", "JS 9S 5D 4D 3D 2D", "3S AH 9C 5C 4C 3C", "KS QD JD QC JC 2C"
        )
    )
    play(state, "AS")
    assert choice(HARD, state) == "play 9S"


def test_hard_gives_the_jack_to_a_partner_who_holds_the_trick() -> None:
    state = spades_by_seat_0(
        smear_hand(
            "AS 9H 5H 4H 3H 2H", "2S KD 5D 4D 3D 2D", "JS 5S 9C 5C 4C 3C", "KS QD JD QC JC 2C"
        )
    )
    play(state, "AS 2S")
    assert choice(HARD, state) == "play JS"


def test_hard_counts_the_trumps_played() -> None:
    state = spades_by_seat_0(
        smear_hand(
            "QS 9S 5S 9H 5H 4H", "AS 3S 5D 4D 3D 2D", "KS 4S 9C 5C 4C 3C", "2S 10H JD QC JC 2C"
        )
    )
    queen = PACK.card("QS")
    assert Inference(state.view(0)).chance_to_take(queen, 0) < 0.8
    play(state, "9S AS KS 2S 5D 3C JD 5S")
    assert state.turn == 0
    assert Inference(state.view(0)).chance_to_take(queen, 0) == 1


@pytest.mark.parametrize(
    ("agent", "other", "share"),
    [(EASY, RANDOM, 0.9), (HARD, RANDOM, 0.95), (HARD, EASY, 0.7)],
    ids=["easy-random", "hard-random", "hard-easy"],
)
def test_hard_beats_easy_beats_random(agent: Agent, other: Agent, share: float) -> None:
    assert share_of_wins(SMEAR, agent, other, 40) >= share


POOR = "10C 9C 5C JD 5H KS"
NONE_GOOD = "2S 3S 4S 9H 4D 3D"


@pytest.mark.parametrize("passes", [0, 1, 2])
def test_hard_passes_a_hand_without_a_good_suit(passes: int) -> None:
    hands = [NONE_GOOD, "QS 5S 4H 3H 9D 2C", "QH 10H 2H 5D 4C 3C"][:passes]
    state = do(smear_hand(*hands, POOR), *["pass"] * passes)
    assert choice(HARD, state) == "pass"


def test_hard_names_three_trumps_and_not_its_single_jack() -> None:
    hands = [NONE_GOOD, "QS 5S 4H 3H 9D 2C", "QH 10H 2H 5D 4C 3C", POOR]
    state = do(smear_hand(*hands), "pass", "pass", "pass", "bet 2")
    assert choice(HARD, state) == "trump clubs"


def test_hard_keeps_its_king_when_game_seems_lost() -> None:
    state = smear_hand(
        "5S 10S 2H 3C 5C 9C", "3H 9H 5D 10D 10C QC", "4S QS 4D 4C JC KC", "2S 9S JH QH 9D QD"
    )
    do(state, "bet 2", "pass", "pass", "pass", "trump hearts")
    play(state, "5S 10D QS JH 9D 10S 9H 4D 5D")
    assert choice(HARD, state) in ("play 4S", "play 4C")


def test_hard_throws_a_worthless_card_under_an_opponents_king() -> None:
    state = spades_by_seat_0(
        smear_hand(
            "KD AS 2S 5D 4D 3D", "9D 2D JH 5H 4H 3H", "QS 3S AH 5C 4C 3C", "KC 9C 4S QC 9H 2H"
        )
    )
    play(state, "KD 2D 3C")
    assert choice(HARD, state) in ("play 9C", "play 9H", "play 2H", "play 4S")
