"""The rule players of Notty: obvious decisions and strength."""

from functools import cache
from itertools import combinations
from random import Random

import pytest

from agents.agent import Agent
from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import Conditions
from agents.notty.rules import EasyNotty, HardNotty, company, hand_of, left_over
from agents.random_player import RandomPlayer
from engine.game import OVER
from engine.games.notty import GAME as NOTTY
from engine.games.notty import GROUPS, PACK, PASS, STEAL, NottyState
from tests.agents.positions import notty_position, share_of_wins


def chosen(state: NottyState, seed: int = 0) -> str:
    decision = HardNotty().act(state.view(state.turn), state.legal(), Random(seed))
    return state.label(decision.action)


def play_turn(state: NottyState) -> NottyState:
    seat, turns = state.turn, state.turns
    while state.turn == seat and state.turns == turns:
        state.apply(state.parse(chosen(state)))
    return state


@cache
def fewest_left(cards: tuple[int, ...]) -> int:
    """The fewest cards left after discarding groups in every possible way."""
    fewest = len(cards)
    for size in range(3, len(cards) + 1):
        for group in set(combinations(cards, size)):
            if group in GROUPS:
                rest = list(cards)
                for card in group:
                    rest.remove(card)
                fewest = min(fewest, fewest_left(tuple(rest)))
    return fewest


def test_left_over_agrees_with_trying_every_way() -> None:
    rng = Random(3)
    taken = 0
    for _ in range(150):
        colour, first, second = rng.randrange(5), rng.randrange(9), rng.randrange(9)
        pool = [card for card in range(45) if card // 9 == colour or card % 9 in (first, second)]
        cards = tuple(sorted(rng.sample(pool * 2, k=rng.randint(5, 9))))
        assert left_over(hand_of(cards)) == fewest_left(cards)
        taken += len(cards) - fewest_left(cards)
    assert taken > 100


@pytest.mark.parametrize("players", [2, 3])
def test_hard_chooses_a_legal_action(players: int) -> None:
    rng = Random(players)
    agent = HardNotty()
    state = NOTTY.new(seed=6, players=players, turn_limit=60)
    while state.turn != OVER:
        legal = state.legal()
        decision = agent.act(state.view(state.turn), legal, rng)
        assert decision.action in legal
        assert set(decision.scores) <= set(legal)
        assert decision.scores[decision.action] == max(decision.scores.values())
        assert decision.meaning
        state.apply(rng.choice(legal))


def test_hard_does_not_see_the_order_of_the_deck() -> None:
    rng = Random(2)
    state = NOTTY.new(seed=6, turn_limit=20)
    while state.turn != OVER:
        sample = state.view(state.turn).sample(rng)
        assert chosen(sample) == chosen(state)
        state.apply(rng.choice(state.legal()))


@pytest.mark.parametrize(
    "hand",
    [
        "R1 R2 R3 R4",
        "R5 R6 R7 R8 G5 Y5 B5",
        "R3 R4 R4 R5 R5 R6",
        "K1 K2 K3 R9 G9 Y9 B9 B1 B2 B3 B4",
        "R1 R2 R3 R3 R4 R5 G7 G8 G9 R6 Y6 B6 K6 R8 Y8 B8 K8 Y1 Y2 Y3",
    ],
)
def test_hard_goes_out_if_it_can(hand: str) -> None:
    state = play_turn(notty_position(hand, "K9 K9 Y9"))
    assert state.returns() == [1.0, 0.0]
    assert state.turns == 0


def test_hard_never_steals_a_last_card() -> None:
    for seed in range(20):
        state = notty_position("R1 R5 G9", "K9", "B1 B2 B3 B9 G1 G2")
        decision = HardNotty().act(state.view(0), state.legal(), Random(seed))
        assert STEAL + 1 in state.legal()
        assert STEAL + 1 not in decision.scores
        assert decision.action != STEAL + 1


def test_hard_exchanges_before_it_passes() -> None:
    state = NOTTY.new(seed=4)
    scores = HardNotty().act(state.view(0), state.legal(), Random(0)).scores
    assert scores[state.parse("exchange")] > scores[PASS]


def test_hard_discards_the_isolated_card_after_an_exchange() -> None:
    state = notty_position("R3 R4 R5 K9 Y1", "G1 G2 B9")
    state.deck.append(state.deck.pop(state.deck.index(PACK.card("R2"))))
    state.stacked = True
    state.apply(state.parse("exchange"))
    assert chosen(state) in ("discard K9", "discard Y1")


def test_hard_goes_out_after_an_exchange() -> None:
    state = notty_position("R3 R4 R5 K9", "G1 G2 B9")
    state.deck.append(state.deck.pop(state.deck.index(PACK.card("R2"))))
    state.stacked = True
    state.apply(state.parse("exchange"))
    assert chosen(state) == "discard K9"
    assert play_turn(state).returns() == [1.0, 0.0]


@pytest.mark.parametrize("hand", ["R3", "R3 R4", "R3 K9"])
@pytest.mark.parametrize("rival", ["G1 G2 G4 G5", "K9 B1"])
def test_hard_draws_when_it_could_not_hold_a_run(hand: str, rival: str) -> None:
    """One card can be exchanged for another forever without going out."""
    state = play_turn(notty_position(hand, rival))
    assert len(state.view(0).hands[0]) >= 3


@pytest.mark.parametrize("agent", [EasyNotty(), HardNotty()])
def test_nobody_waits_with_too_few_cards_for_a_group(agent: Agent) -> None:
    """A default opponent once passed nine turns in a row with one card."""
    for seed in range(3):
        state, rng = NOTTY.new(seed=seed, turn_limit=60), Random(seed)
        waited = [0, 0]
        while state.turn != OVER:
            seat, turns = state.turn, state.turns
            state.apply(agent.act(state.view(seat), state.legal(), rng).action)
            if state.turns > turns:
                few = len(state.view(seat).hands[seat]) < 3
                waited[seat] = waited[seat] + 1 if few else 0
            assert max(waited) <= 1


def test_hard_discards_what_it_can_in_its_last_turn() -> None:
    state = notty_position("R3 R4 R5 G6 G7 G8 G9 K1", "G1 G2 B9", turn_limit=2)
    play_turn(state)
    assert state.scores()[0] >= -1


@pytest.mark.slow
def test_hard_beats_random_play() -> None:
    assert share_of_wins(NOTTY, HardNotty(), RandomPlayer(), 6) >= 0.9


def easily_chosen(state: NottyState) -> str:
    decision = EasyNotty().act(state.view(state.turn), state.legal(), Random(1))
    return state.label(decision.action)


def test_the_easy_player_discards_its_largest_group_first() -> None:
    state = notty_position("R3 R4 R5 R6 K1 K9", "G1 G2 G4 G5")
    assert easily_chosen(state) == "group R3 R4 R5 R6"


def test_the_easy_player_exchanges_an_isolated_card() -> None:
    state = notty_position("R3 R4 G3 Y9", "G1 G2 G4 G5")
    assert easily_chosen(state) == "exchange"
    cards = state.view(0).hands[0]
    assert [company(card, cards) for card in cards] == [2, 1, 1, 0]


def test_the_easy_player_draws_when_it_could_not_hold_a_run() -> None:
    assert easily_chosen(notty_position("R3", "G1 G2 G4 G5")) == "draw 2"


@pytest.mark.slow
def test_easy_beats_random_and_loses_to_hard() -> None:
    easy, _ = evaluate("notty", ["easy", "random"], 8, Conditions(seed=1))["agents"]
    hard, _ = evaluate("notty", ["hard", "easy"], 30, Conditions(seed=1))["agents"]
    assert easy["win_rate"] >= 0.9
    assert hard["win_rate"] > 0.5
