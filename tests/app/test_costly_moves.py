"""Which moves are costly, what the table says about them, and which matches have teaching."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from agents.agent import Decision, Scale
from app.match.moment import Thought
from app.match.seating import Seating, TablePlan, plan_table
from app.match.teaching import FIRST_MATCHES, told, with_teaching
from app.study.costly import Costly, costly
from app.ui.tables import table_class
from app.ui.tables.nudges import nudge
from engine import GAMES
from engine.game import OVER
from engine.manifest import VARIANTS

EUCHRE = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=1)


def taught(plan: TablePlan) -> TablePlan:
    return replace(plan, teaching="always")


# What is costly


def thought(scores: dict[int, float], best: int, scale: Scale = Scale.CHANCE) -> Thought:
    view = GAMES["euchre"].new(seed=1).view(0)
    return Thought(0, "search", view, tuple(scores), Decision(best, scores, "", scale=scale))


@pytest.mark.parametrize(
    ("scale", "cost", "is_costly"),
    [
        (Scale.CHANCE, 0.03, False),
        (Scale.CHANCE, 0.05, True),
        (Scale.SHARE, 0.2, False),
        (Scale.SHARE, 0.3, True),
        (Scale.VALUE, 0.4, False),
        (Scale.VALUE, 3.0, True),
    ],
)
def test_a_move_is_costly_from_a_stated_cost_on(scale: Scale, cost: float, is_costly: bool) -> None:
    found = costly(thought({1: 0.6, 2: 0.6 - cost}, 1, scale), [2])
    assert (found is not None) == is_costly
    assert costly(thought({1: 0.6, 2: 0.6 - cost}, 1, scale), [1]) is None


def test_a_mixed_strategy_makes_a_costly_move_rarely() -> None:
    frequencies = thought({1: 0.7, 2: 0.27, 3: 0.03}, 1, Scale.FREQUENCY)
    worth = Decision(1, {1: 0.55, 2: 0.50, 3: 0.52}, scale=Scale.CHANCE)
    weighed = replace(frequencies, worth=worth)
    assert costly(weighed, [2]) is None, "an expert often does this"
    found = costly(weighed, [3])
    assert found is not None
    assert found.cost == pytest.approx(0.03)


def test_several_cards_are_one_answer_whose_costs_add_up() -> None:
    discards = replace(thought({1: 0.60, 2: 0.58, 3: 0.50, 4: 0.57}, 1), following=(3,))
    assert costly(discards, [2, 1, 3]) is None, "the agent discards 3 as well"
    found = costly(discards, [2, 4])
    assert found is not None
    assert (found.action, round(found.cost, 3)) == (4, 0.05)


def test_the_sentence_names_the_loss_and_a_reason_but_not_the_better_move() -> None:
    table = table_class("euchre")(GAMES["euchre"], _seating())
    state = GAMES["euchre"].new(seed=1, first=2)
    passing, ordering = state.parse("pass"), state.parse("order up")
    found = Costly(passing, ordering, 0.15, Scale.CHANCE)
    sentence = nudge(table, state.view(0), found, thought({passing: 0.4, ordering: 0.55}, ordering))
    assert sentence.startswith("That gives away 15 percentage points: your hand is good enough")
    assert "order up" not in sentence.lower()


def test_a_trick_that_the_partner_wins_already() -> None:
    """North has played the ace; a trump would take the trick away from the partner."""
    table = table_class("smear")(GAMES["smear"], _seating("smear"))
    you, west = "2S KH QH JH 10H 5C", "JC 10C 9C 4S 2D 3D"
    north, east = "AS AD KD QD JD 9D", "3S 2H 3H 4H 5H 9H"
    state = GAMES["smear"].new(seed=1, deck=f"{you} {west} {north} {east}".split(), first=3)
    for label in ("pass", "bet 2", "pass", "pass", "trump clubs", "play 4S", "play AS", "play 3S"):
        state.apply(state.parse(label))
    over, under = state.parse("play 5C"), state.parse("play 2S")
    found = Costly(over, under, 0.05, Scale.CHANCE)
    sentence = nudge(table, state.view(0), found, thought({over: 0.5, under: 0.55}, under))
    assert sentence.startswith("That gives away 5 percentage points: North wins this trick already")


@pytest.mark.parametrize(
    ("deck", "said", "move", "better", "reason"),
    [
        ("1O 3C 6O 1C 3O 6B 7B", ["truco"], "quiero", "retruco", "good for a higher stake"),
        ("1O 3C 6O 1C 3O 6B 7B", ["truco"], "quiero", "no quiero", "too weak"),
        ("1O 3C 6O 1C 3O 6B 7B", ["truco"], "quiero", "envido", "worth a bet"),
        ("1O 3C 6O 1C 3O 6B 7B", [], "envido", "falta envido", "good for a bigger bet"),
        ("1O 3O 6O 1C 4C 6C 7B", ["flor"], "flor", "contraflor", "good for a bigger bet"),
        ("1O 3O 6O 1C 4C 6C 7B", ["flor"], "flor", "no quiero", "too low to compare"),
    ],
)
def test_a_bet_that_is_too_small_is_not_called_too_big(
    deck: str, said: list[str], move: str, better: str, reason: str
) -> None:
    table = table_class("truco_full")(GAMES["truco_full"], _seating("truco_full"))
    state = GAMES["truco_full"].new(seed=1, deck=deck.split(), first=0)
    for text in said:
        state.apply(state.parse(text))
    action, best = state.parse(move), state.parse(better)
    found = Costly(action, best, 0.05, Scale.CHANCE)
    view = state.view(state.turn)
    assert reason in nudge(table, view, found, thought({action: 0.5, best: 0.55}, best))


@pytest.mark.parametrize("game", [*GAMES, *VARIANTS])
def test_every_costly_move_of_every_game_gets_a_reason_that_keeps_the_better_move(
    game: str,
) -> None:
    table, rng = table_class(game)(GAMES[game], _seating(game)), Random(game)
    for seed in range(6):
        state = GAMES[game].new(seed=seed)
        for _ in range(25):
            legal = state.legal()
            if len(legal) > 1:
                view = state.view(state.turn)
                action, better = rng.sample(legal, 2)
                found = Costly(action, better, 0.07, Scale.CHANCE)
                sentence = nudge(table, view, found, thought({action: 0.4, better: 0.5}, better))
                told = sentence.removeprefix("That gives away 7 percentage points: ")
                assert told != sentence
                assert 10 < len(told) < 160
                assert table.move_words(view, better) not in told.partition(". Play it")[0]
            state.apply(rng.choice(legal))
            if state.turn == OVER:
                break


def _seating(game: str = "euchre") -> Any:
    return Seating.of(plan_table(game))


# When a match has teaching


def test_the_first_matches_of_a_game_have_teaching() -> None:
    for finished in range(FIRST_MATCHES):
        assert with_teaching(EUCHRE, "first", finished).teaches
    assert not with_teaching(EUCHRE, "first", FIRST_MATCHES).teaches


def test_a_persons_choice_comes_before_the_setting() -> None:
    assert with_teaching(replace(EUCHRE, teaching="always"), "never", 9).teaches
    assert not with_teaching(replace(EUCHRE, teaching="never"), "always", 0).teaches
    assert with_teaching(EUCHRE, "always", 9).teaches
    assert not with_teaching(EUCHRE, "never", 0).teaches


def test_daily_deals_and_two_persons_have_no_teaching_unless_it_is_chosen() -> None:
    two = plan_table("truco", ["you", "you"])
    daily = replace(EUCHRE, daily="2026-11-16")
    assert not with_teaching(two, "first", 0).teaches
    assert not with_teaching(daily, "first", 0).teaches
    assert with_teaching(two, "always", 0).teaches


def test_the_next_match_decides_anew() -> None:
    first = with_teaching(EUCHRE, "first", 2)
    assert not with_teaching(first.again(), "first", 3).teaches
    assert with_teaching(taught(EUCHRE).again(), "first", 3).teaches


def test_the_person_is_told_that_the_match_is_unrated() -> None:
    assert told(EUCHRE, "Euchre", chosen=False).endswith(
        "Your first 3 matches of Euchre are unrated."
    )
    assert told(EUCHRE, "Euchre", chosen=True).endswith("This match is unrated.")
