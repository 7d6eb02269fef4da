"""The rule players of Euchre: legal, sensible in simple cases, and hard beats easy."""

from random import Random

import pytest

from agents.agent import Agent
from agents.euchre.rules import EasyEuchre, HardEuchre
from agents.random_player import RandomPlayer
from engine.game import OVER
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import EuchreState
from engine.games.notty import GAME as NOTTY
from tests.agents.positions import choice, do, share_of_wins
from tests.quick import quick_with

HARD, EASY = HardEuchre(), EasyEuchre()
LOW = "9C 10C QC 9D 10D"
"""A dummy too weak for a bid."""


def dealt(*hands: str, up: str, dummy: str = "", dealer: int) -> EuchreState:
    seats = len(hands)
    assert len(dummy.split()) == (5 if seats == 3 else 0)
    fives = [hands[(dealer + place) % seats] for place in range(1, seats + 1)]
    deck = " ".join([*fives, dummy, up]).split()
    return EUCHRE.new(deck=deck, first=dealer, players=seats)


def choices(agent: Agent, state: EuchreState, count: int) -> set[str]:
    """The next moves of the same seat."""
    seat, made = state.turn, set()
    for _ in range(count):
        assert state.turn == seat
        made.add(choice(agent, state))
        do(state, choice(agent, state))
    return made


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("agent", [EASY, HARD])
def test_every_legal_action_has_a_score(agent: Agent, players: int) -> None:
    for seed in range(15):
        state, rng = EUCHRE.new(seed=seed, players=players), Random(seed)
        while state.turn != OVER:
            legal = state.legal()
            decision = agent.act(state.view(state.turn), legal, rng)
            assert list(decision.scores) == legal
            assert decision.scores[decision.action] == max(decision.scores.values())
            assert decision.meaning
            state.apply(rng.choice(legal))


@pytest.mark.parametrize("agent", [EASY, HARD])
def test_choice_depends_on_the_view_only(agent: Agent) -> None:
    for seed in range(10):
        state, rng = EUCHRE.new(seed=seed), Random(seed)
        for _ in range(60):
            view = state.view(state.turn)
            again = view.sample(rng)
            assert choice(agent, again) == choice(agent, state)
            state.apply(rng.choice(state.legal()))


# Bids


@pytest.mark.parametrize("agent", [EASY, HARD])
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_orders_up_both_bowers_and_the_ace(agent: Agent, dealer: int) -> None:
    monster = "JS JC AS KS AH"
    for seat in range(3):
        hands = ["9H 10H QH JD QD", "KH JH KD 9C AD", "10S AC KC 9D 10D"]
        dummy, hands[seat] = hands[seat], monster
        state = dealt(*hands, up="QS", dummy=dummy, dealer=dealer)
        while state.turn != seat:
            do(state, "pass")
        assert choice(agent, state) == "order up"


@pytest.mark.parametrize("agent", [EASY, HARD])
def test_passes_a_hand_without_trumps_or_aces(agent: Agent) -> None:
    trash = "9H 10H QH 9D 10D"
    four = dealt(trash, "JS AS AH KD QD", "KS QS KH JH AC", "10S 9C KC QC JD", up="9S", dealer=3)
    assert choice(agent, four) == "pass"
    three = dealt(
        "AH KH KD QD AC", trash, "JS AS KS AD KC", up="9S", dummy="9C 10C QC JH JD", dealer=2
    )
    do(three, "pass")
    assert choice(agent, three) == "pass"


@pytest.mark.parametrize("agent", [EASY, HARD])
def test_goes_alone_with_five_tricks_in_the_hand(agent: Agent) -> None:
    state = dealt(
        "AH KH QH AD KD", "JS JC AS KS QS", "QD JD 10S AC KC", up="9S", dummy=LOW, dealer=2
    )
    do(state, "pass", "order up", "discard 9S")
    assert choice(agent, state) == "alone"


@pytest.mark.parametrize("agent", [EASY, HARD])
def test_keeps_the_partner_with_three_sure_tricks(agent: Agent) -> None:
    state = dealt(
        "AH KH QH AD KD", "JS JC AS 9H JH", "QD JD 10S AC KC", up="9S", dummy=LOW, dealer=2
    )
    do(state, "pass", "order up", "discard 9S")
    assert choice(agent, state) == "with partner"


@pytest.mark.parametrize("agent", [EASY, HARD])
def test_dealer_who_must_call_calls_the_longest_suit(agent: Agent) -> None:
    state = dealt(
        "AH KH 9H AD KD", "9S AC KC JH 10H", "JS AS KS 10S QH", up="QD", dummy=LOW, dealer=2
    )
    do(state, *["pass"] * 5)
    assert choice(agent, state) == "call spades"


def test_the_soloist_bids_on_the_strength_of_the_dummy() -> None:
    plain_hand = "QS 10S 9H 10H 9D"
    bowers = dealt(
        plain_hand, "AH KH QH AD KD", "QD JD 10D AC KC", up="9S", dummy="JS JC AS KS QC", dealer=1
    )
    nothing = dealt(
        plain_hand, "AH KH JS JC AS", "AD KD KS AC KC", up="9S", dummy="QC 10C 9C JD QD", dealer=1
    )
    scores = []
    for state in (bowers, nothing):
        do(state, "pass")
        scores.append(HARD.act(state.view(0), state.legal(), Random(0)).scores)
    order_up = bowers.parse("order up")
    assert choice(HARD, bowers) == "order up"
    assert scores[0][order_up] > 1.0 > 0.0 > scores[1][order_up]


# Discards


def test_the_dealer_discards_a_lone_low_card_of_another_suit() -> None:
    state = dealt(
        "AH KH QH AD KD", "10S QS JH JD 10H", "JS AS AC KC 9H", up="9S", dummy=LOW, dealer=2
    )
    do(state, "order up")
    assert choice(HARD, state) == "discard 9H"


@pytest.mark.parametrize("agent", [EASY, HARD])
def test_the_soloist_keeps_the_best_five_of_ten(agent: Agent) -> None:
    state = dealt(
        "JS KS 9H 10H 9D", "AH KH QH KD QD", "QS 10S JD KC 10D", up="9S", dummy="JC AS AD 9C 10C",
        dealer=2,
    )  # fmt: skip
    do(state, "order up", "discard 10D", "with partner")
    thrown = choices(agent, state, 5)
    assert thrown == {f"discard {card}" for card in ("9H", "10H", "9D", "9C", "10C")}


# Cards


def spades_made_by_seat_1(*hands: str, dealer: int = 3) -> EuchreState:
    """Four players; the seat left of the dealer leads, seat 1 made spades with its partner."""
    state = dealt(*hands, up="9D", dealer=dealer)
    passes = 4 + (1 - dealer - 1) % 4
    return do(state, *["pass"] * passes, "call spades", "with partner")


def test_does_not_trump_the_partners_winning_ace() -> None:
    state = spades_made_by_seat_1(
        "AH KC 9C QD 10D", "10H JS AS KD JD", "QS 10S AC QC JC", "9H QH KH 10C AD"
    )
    do(state, "play AH", "play 10H")
    assert choice(HARD, state) == "play QC"


def test_trumps_an_opponents_ace_with_the_lowest_trump() -> None:
    state = spades_made_by_seat_1(
        "AH KC 9C QD 10D", "JS AS 10S KD JD", "10H QS KS AC QC", "9H QH KH 10C AD"
    )
    do(state, "play AH")
    assert choice(HARD, state) == "play 10S"
    assert choice(EASY, state) == "play 10S"


def test_last_to_play_wins_as_cheaply_as_it_can() -> None:
    state = spades_made_by_seat_1(
        "10H KC 9C QD 10D", "9H JS AS KD JD", "JH QS 10S AC QC", "QH KH AH 10C AD"
    )
    do(state, "play 10H", "play 9H", "play JH")
    for agent in (EASY, HARD):
        assert choice(agent, state) == "play QH"


def test_ducks_low_when_the_trick_is_lost() -> None:
    state = spades_made_by_seat_1(
        "AH KC 9C QD 10D", "9H KH JS KD JD", "10H QS KS AC QC", "JH QH 10S 10C AD"
    )
    do(state, "play AH")
    for agent in (EASY, HARD):
        assert choice(agent, state) == "play 9H"


def test_the_maker_leads_the_right_bower_and_a_defender_an_ace() -> None:
    hands = ["AH 9C 10C 9H KS", "JS JC AS QH 10H", "QS KC QC KD QD", "10S KH JH AC AD"]
    assert choice(HARD, spades_made_by_seat_1(*hands, dealer=0)) == "play JS"
    assert choice(HARD, spades_made_by_seat_1(*hands, dealer=3)) == "play AH"


def test_remembers_whether_the_right_bower_has_been_played() -> None:
    """Leading the left bower is better once nothing can beat it."""
    scores = {}
    for trump in ("JS", "AS"):
        state = dealt(
            "JC 9S AH AD KD", "JS AS KH QH 10H", "10S 9H JH KC AC", up="QD", dummy=LOW, dealer=2
        )
        do(state, *["pass"] * 4, "call spades", "with partner")
        do(state, "play 9S", f"play {trump}", "play 10S", "play KH", "play 9H", "play AH")
        decision = HARD.act(state.view(0), state.legal(), Random(0))
        scores[trump] = decision.scores[state.parse("play JC")]
    assert scores["JS"] > scores["AS"]


# Strength


@pytest.mark.parametrize("players", quick_with([3, 4], 3))
def test_random_loses_to_easy_and_easy_to_hard(players: int) -> None:
    assert share_of_wins(EUCHRE, EASY, RandomPlayer(), 40, players=players) > 0.8
    assert share_of_wins(EUCHRE, HARD, RandomPlayer(), 40, players=players) > 0.85
    assert share_of_wins(EUCHRE, HARD, EASY, 80, players=players) > 0.6


def test_view_of_another_game_raises_an_error() -> None:
    with pytest.raises(TypeError, match="Euchre"):
        HARD.act(NOTTY.new().view(0), [0], Random(0))
