"""Fodinha's rule players: their odds, what they do when it is obvious, and the ladder."""

from itertools import combinations
from random import Random

import pytest

from agents.agent import Agent, Decision
from agents.fodinha.rules import (
    STRENGTHS,
    EasyFodinha,
    HardFodinha,
    Trick,
    cancel_chance,
    win_chances,
    without,
)
from agents.match import Match
from agents.odds import spread_of
from engine.game import OVER
from engine.games.fodinha import (
    DECKS,
    NOBODY,
    PACK,
    SIDES,
    STRENGTH,
    FodinhaState,
    winner_of,
)
from engine.games.fodinha import (
    GAME as FODINHA,
)

POWER_TWO = STRENGTH[1]


class RandomPlayer(Agent):
    def act(self, view, legal, rng):
        return Decision(rng.choice(legal))


def dealt(*hands: str, turned: str = "AS", said: str = "", **options) -> FodinhaState:
    """A round with these hands from seat 0 on, the last seat dealing; power is the rank
    above the turned card. What was said before the decision is divided by commas."""
    tries = len(turned.split())
    options = {"players": len(hands), "tries": tries, **options}
    chosen = FODINHA.make_options(options)
    state = FodinhaState(5, SIDES[chosen.players], options=chosen)
    state.seat_the_living()
    state.dealer = len(hands) - 1
    state.size = len(hands[0].split())
    top = [code for hand in hands for code in hand.split()] + turned.split()
    state.deal(PACK.stack(top, DECKS[state.options.range]))
    for label in said.split(",") if said else []:
        state.apply(state.parse(label))
    return state


def cards(codes: str) -> list[int]:
    return [PACK.card(code) for code in codes.split()]


def decide(agent: Agent, state: FodinhaState) -> str:
    decision = agent.act(state.view(state.turn), state.legal(), Random(1))
    return state.label(decision.action)


# Odds


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("table", ["", "9H", "9H 4D", "9H 9D", "2D 5S"])
def test_odds_agree_with_counting_every_draw(table, pairs):
    """Three cards to come out of twelve, all draws tried one by one."""
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


# Both


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
def test_decisions_are_legal_and_explained_anywhere(agent, options):
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
        assert decide(agent, dealt("3S", "4S", turned="7D 8C 9C")) == "approve"

    def test_a_candidate_that_has_lost_cards_is_rejected(self, agent):
        state = dealt("3S", "4S", turned="8D 7C 5C", said="reject")
        assert decide(agent, state) == "reject"

    def test_sure_winners_are_called(self, agent):
        assert decide(agent, dealt("2S 2H", "3S 4S", "5S 6S")) == "call 2"
        assert decide(agent, dealt("AH AD", "3S 4S", "5S 6S")) == "call 0"

    def test_a_blind_player_calls_by_the_cards_in_sight(self, agent):
        assert decide(agent, dealt("3S", "3H", "AH")) == "call 1"
        assert decide(agent, dealt("3S", "2H", "AH")) == "call 0"

    def test_the_dealer_finds_another_call(self, agent):
        state = dealt("3S 4S", "5S 6S", "2S 2H", said="call 0,call 0")
        assert decide(agent, state) == "call 1"


def test_easy_plays_any_card():
    state = dealt("2S 5H 10C", "3S 4S 6S", said="call 1,call 0")
    rng = Random(3)
    seen = {EasyFodinha().act(state.view(0), state.legal(), rng).action for _ in range(60)}
    assert seen == set(state.legal())


# Hard


def test_hard_takes_in_the_last_seat_the_trick_it_needs():
    state = dealt("6S 3H", "7S 4H", "8C AH", said="call 0,call 0,call 1,play 6S,play 7S")
    assert decide(HardFodinha(), state) == "play 8C"


def test_hard_takes_it_with_the_card_that_is_enough():
    state = dealt("6S 3H", "7S 4H", "8C 9S", said="call 1,call 0,call 2,play 6S,play 7S")
    assert decide(HardFodinha(), state) == "play 8C"


def test_hard_ducks_with_its_highest_loser_when_it_needs_nothing():
    state = dealt("6S 3H 5D", "9S 4H 5C", "10S 8C AH", said="call 1,call 1,call 0,play 6S,play 9S")
    assert decide(HardFodinha(), state) == "play 8C"


def test_hard_sees_that_cancelled_cards_leave_the_trick_to_a_small_one():
    state = dealt("9S 3H", "9H 4S", "5C 10S", said="call 1,call 0,call 2,play 9S,play 9H")
    assert decide(HardFodinha(), state) == "play 5C"


def test_hard_knows_that_a_carried_trick_counts_twice():
    """The high card brings both wins at once, and the five then wins nothing more."""
    state = dealt("9S 10S 5H", "9H 8S 4H", said="call 2,call 2,play 9S,play 9H")
    assert state.view(0).carry == 1
    assert decide(HardFodinha(), state) == "play 10S"


@pytest.mark.parametrize(("call", "answer"), [("call 1", "call 0"), ("call 0", "call 1")])
def test_hard_reads_in_a_blind_round_what_the_others_saw(call, answer):
    """The others' chances hang on seat 2's card, which only they see: four is power, and
    more than half of the unseen cards beat the six."""
    state = dealt("3S", "6S", "10S", "5H", turned="3D", said=f"{call},{call}")
    assert decide(EasyFodinha(), state) == "call 1"
    assert decide(HardFodinha(), state) == answer


# The ladder


def wins(special: Agent, field: Agent, deals: int) -> tuple[float, float]:
    """Share of wins and mean place of one player among three others, every deal from
    every seat."""
    won = place = 0.0
    for seed in range(deals):
        for seat in range(4):
            state = FODINHA.new(seed=seed)
            players = [special if each == seat else field for each in range(4)]
            Match(state, players, seed=seed).play_out()
            won += state.returns()[seat]
            place += state.places()[seat]
    return won / (4 * deals), place / (4 * deals)


def test_easy_beats_random_players():
    assert wins(EasyFodinha(), RandomPlayer(), 40)[0] > 0.85


def test_hard_beats_random_players_more_often():
    assert wins(HardFodinha(), RandomPlayer(), 25)[0] > 0.94


def test_hard_beats_easy_players():
    won, place = wins(HardFodinha(), EasyFodinha(), 20)
    assert won > 0.6
    assert place < 1.6
