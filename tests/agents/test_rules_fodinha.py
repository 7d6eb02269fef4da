"""The rule players of Fodinha: their odds, obvious decisions, and strength."""

from itertools import combinations
from random import Random

import pytest

from agents.fodinha.rules import (
    STRENGTHS,
    EasyFodinha,
    HardFodinha,
    Trick,
    cancel_chance,
    win_chances,
    without,
)
from agents.odds import spread_of
from agents.random_player import RandomPlayer
from engine.game import OVER
from engine.games.fodinha import (
    GAME as FODINHA,
)
from engine.games.fodinha import (
    NOBODY,
    PACK,
    STRENGTH,
    winner_of,
)
from tests.agents.positions import choice, fodinha_round, share_of_wins

POWER_TWO = STRENGTH[1]


def cards(codes: str) -> list[int]:
    return [PACK.card(code) for code in codes.split()]


# Odds


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("table", ["", "9H", "9H 4D", "9H 9D", "2D 5S"])
def test_odds_agree_with_counting_every_draw(table, pairs):
    """Every draw of three cards out of twelve is tried."""
    unseen = cards("2C 2H 3S 3H 4S 4H 5H 5D 5C 9S 9C 10S")
    counts = [0] * STRENGTHS
    for card in unseen:
        counts[POWER_TWO[card]] += 1
    on_table = cards(table)
    own = cards("3D 4C 6S 8S 9D 10H 2S")
    strengths = [POWER_TWO[card] for card in on_table]
    chances = win_chances(counts, Trick(strengths, pairs), 3)
    draws = list(combinations(unseen, 3))
    for card in own:
        if card in on_table:
            continue
        trick = [(seat, other) for seat, other in enumerate([*on_table, card])]
        results = [winner_of([*trick, *enumerate(draw, len(trick))], 1, pairs) for draw in draws]
        won = results.count(len(on_table)) / len(draws)
        assert chances[POWER_TWO[card]] == pytest.approx(won)
        after = Trick([*strengths, POWER_TWO[card]], pairs)
        lost = results.count(NOBODY) / len(draws)
        assert cancel_chance(counts, after, 3) == pytest.approx(lost)


def test_a_spread_without_one_of_its_cards():
    chances = [0.0, 0.1, 0.5, 0.93, 1.0]
    assert spread_of([0.5, 1.0]) == pytest.approx([0, 0.5, 0.5])
    for place, chance in enumerate(chances):
        rest = spread_of(chances[:place] + chances[place + 1 :])
        assert without(spread_of(chances), chance) == pytest.approx(rest)


# Both agents


@pytest.mark.parametrize("agent", [EasyFodinha(), HardFodinha()], ids=["easy", "hard"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 2, "range": 1, "tries": 1},
        {"players": 2, "range": 13, "tries": 1, "lives": 30},
        {"players": 3, "range": 2, "tries": 2, "cancel": "pairs", "lives": 9},
        {"players": 10, "range": 13, "blind_one": False},
    ],
    ids=str,
)
def test_decisions_are_legal_and_explained(agent, options):
    for seed in range(4):
        rng = Random(seed)
        state = FODINHA.new(seed=seed, **options)
        for _ in range(250):
            if state.turn == OVER:
                break
            legal = state.legal()
            decision = agent.act(state.view(state.turn), legal, rng)
            assert decision.action in legal
            assert set(decision.scores) <= set(legal)
            assert decision.meaning
            state.apply(rng.choice(legal))


@pytest.mark.parametrize("agent", [EasyFodinha(), HardFodinha()], ids=["easy", "hard"])
class TestBoth:
    def test_four_power_cards_in_play_are_approved(self, agent):
        assert choice(agent, fodinha_round("3S", "4S", turned="7D 8C 9C")) == "approve"

    def test_candidate_with_cards_face_up_is_rejected(self, agent):
        state = fodinha_round("3S", "4S", turned="8D 7C 5C", actions="reject")
        assert choice(agent, state) == "reject"

    def test_sure_winners_are_called(self, agent):
        assert choice(agent, fodinha_round("2S 2H", "3S 4S", "5S 6S")) == "call 2"
        assert choice(agent, fodinha_round("AH AD", "3S 4S", "5S 6S")) == "call 0"

    def test_blind_call_depends_on_the_visible_cards(self, agent):
        assert choice(agent, fodinha_round("3S", "3H", "AH")) == "call 1"
        assert choice(agent, fodinha_round("3S", "2H", "AH")) == "call 0"

    def test_dealer_makes_another_call(self, agent):
        state = fodinha_round("3S 4S", "5S 6S", "2S 2H", actions="call 0,call 0")
        assert choice(agent, state) == "call 1"


def test_easy_plays_any_card():
    state = fodinha_round("2S 5H 10C", "3S 4S 6S", actions="call 1,call 0")
    rng = Random(3)
    seen = {EasyFodinha().act(state.view(0), state.legal(), rng).action for _ in range(60)}
    assert seen == set(state.legal())


# Hard


def test_hard_takes_the_trick_it_needs_in_the_last_seat():
    state = fodinha_round("6S 3H", "7S 4H", "8C AH", actions="call 0,call 0,call 1,play 6S,play 7S")
    assert choice(HardFodinha(), state) == "play 8C"


def test_hard_takes_it_with_the_lowest_winner():
    state = fodinha_round("6S 3H", "7S 4H", "8C 9S", actions="call 1,call 0,call 2,play 6S,play 7S")
    assert choice(HardFodinha(), state) == "play 8C"


def test_hard_ducks_with_its_highest_loser_when_it_needs_nothing():
    state = fodinha_round(
        "6S 3H 5D", "9S 4H 5C", "10S 8C AH", actions="call 1,call 1,call 0,play 6S,play 9S"
    )
    assert choice(HardFodinha(), state) == "play 8C"


def test_hard_takes_a_trick_of_cancelled_cards_with_a_low_card():
    state = fodinha_round(
        "9S 3H", "9H 4S", "5C 10S", actions="call 1,call 0,call 2,play 9S,play 9H"
    )
    assert choice(HardFodinha(), state) == "play 5C"


def test_hard_knows_that_a_carried_trick_counts_twice():
    """The high card takes both wins now, and the five takes none later."""
    state = fodinha_round("9S 10S 5H", "9H 8S 4H", actions="call 2,call 2,play 9S,play 9H")
    assert state.view(0).carry == 1
    assert choice(HardFodinha(), state) == "play 10S"


@pytest.mark.parametrize(("call", "answer"), [("call 1", "call 0"), ("call 0", "call 1")])
def test_hard_infers_its_blind_card_from_the_calls(call, answer):
    """The others see the card of seat 2 and call by it. Fours are power cards, and more than half
    of the unseen cards beat the six."""
    state = fodinha_round("3S", "6S", "10S", "5H", turned="3D", actions=f"{call},{call}")
    assert choice(EasyFodinha(), state) == "call 1"
    assert choice(HardFodinha(), state) == answer


# Strength


def test_easy_beats_random_players():
    assert share_of_wins(FODINHA, EasyFodinha(), RandomPlayer(), 40) > 0.85


def test_hard_beats_random_players_more_often():
    assert share_of_wins(FODINHA, HardFodinha(), RandomPlayer(), 25) > 0.94


def test_hard_beats_easy_players():
    assert share_of_wins(FODINHA, HardFodinha(), EasyFodinha(), 20) > 0.6
