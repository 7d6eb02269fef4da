"""The judge of self-play sees all hands, and takes the luck of the deal out of results."""

from random import Random
from typing import Any

import numpy as np
import pytest

from agents.learners.judge import Judge, OpenHands, judge_for
from agents.learners.settings import NeuralSettings
from agents.registry import network_encoding
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from engine import GAMES
from engine.game import State
from tests.agents.test_encodings import positions
from tests.engine.tables import every_table

SETTINGS = NeuralSettings(hindsight=1.0, alpha=0.01, first_batch=32, batch=32)
HIDING = [game for game in GAMES if network_encoding(game).hidden() is not None]


def judge_of(game: str) -> Judge:
    judge = judge_for(network_encoding(game), SETTINGS)
    assert judge is not None
    return judge


def seen(game: str, hands: OpenHands, state: State) -> list[int]:
    view = state.view(state.turn)
    row = network_encoding(game).read(view, state.legal()).rows[0]
    return hands.read(state, view, row)


def test_where_nothing_is_hidden_there_is_no_judge() -> None:
    assert judge_for(network_encoding("notty"), SETTINGS) is None
    assert {"euchre", "smear", "truco", "fodinha"} <= set(HIDING)


def test_there_is_no_judge_unless_it_is_wanted() -> None:
    assert judge_for(network_encoding("smear"), NeuralSettings()) is None


@pytest.mark.parametrize(
    ("game", "options"), [row for row in every_table() if row.values[0] in HIDING]
)
def test_the_judge_has_a_row_of_the_same_size_for_every_table(game: str, options: Any) -> None:
    hands = judge_of(game).hands
    codes = [seen(game, hands, state) for state in positions(game, options, range(2), 40)]
    assert hands.expand(np.array(codes)).shape == (len(codes), hands.size)


@pytest.mark.parametrize("game", HIDING)
def test_the_judge_sees_the_hands_that_others_hold(game: str) -> None:
    hands = judge_of(game).hands
    different = 0
    for state in positions(game, {}, range(3), 30):
        redealt = state.view(state.turn).sample(Random(1))
        mine, theirs = [
            [cards_seen(each, seat) for seat in range(state.seats)] for each in (state, redealt)
        ]
        if mine == theirs:
            assert seen(game, hands, redealt) == seen(game, hands, state)
        different += seen(game, hands, redealt) != seen(game, hands, state)
    assert different > 10


def cards_seen(state: Any, seat: int) -> Any:
    """The cards it shows: its own, and those of others if they lie open."""
    view = state.view(seat)
    return view.hand, getattr(view, "hands", ())


def test_a_judge_that_knows_nothing_takes_nothing_out() -> None:
    judge = judge_of("smear")
    states = positions("smear", {}, range(2), 30)
    judged = judge.values(0, np.array([seen("smear", judge.hands, state) for state in states]))
    assert not judged.any()
    targets = np.linspace(-1, 1, len(states), dtype=np.float32)
    left = judge.without_luck(0, targets, np.zeros(len(states), np.float32), judged)
    assert np.array_equal(left, targets)


def test_what_the_judge_foresaw_is_luck_and_the_rest_is_not() -> None:
    judge = judge_of("smear")
    chance = np.random.default_rng(1)
    luck, merit = chance.normal(size=(2, 5000)).astype(np.float32)
    expected = np.full(5000, 0.5, np.float32)
    left = judge.without_luck(0, expected + luck + merit, expected, expected + luck)
    assert np.abs(left - expected - merit).mean() < 0.05


def test_only_as_much_luck_is_taken_out_as_the_judge_is_right_about() -> None:
    judge = judge_of("smear")
    wrong, result = np.random.default_rng(1).normal(size=(2, 5000)).astype(np.float32)
    left = judge.without_luck(0, result, np.zeros(5000, np.float32), wrong)
    assert np.abs(left - result).mean() < 0.05


def test_the_judge_learns_what_depends_on_hidden_cards() -> None:
    """Here the result is whether the next seat holds the ace of spades at Euchre."""
    judge = judge_of("euchre")
    states = [GAMES["euchre"].new(seed=seed) for seed in range(400)]
    view = states[0].view(0)
    ace = 1 << type(view).kinds()["hand"].pack.codes.index("AS")
    held = [bool(state.view((state.turn + 1) % state.seats).hand & ace) for state in states]
    codes = np.array([seen("euchre", judge.hands, state) for state in states])
    results = np.array(held, dtype=np.float32)
    for _ in range(20):
        judge.learn(0, codes, results)
    values = judge.values(0, codes)
    assert values[results == 1].mean() > values[results == 0].mean() + 0.5


def trained(game: str, agent: str, hindsight: float, matches: int) -> dict[str, object]:
    settings = {"hindsight": hindsight, "copies": 0.0}
    course = Course(game, agent, matches, seed=1, opponents=("self",), settings=settings)
    learner = new_learner(course)
    list(train(course, learner))
    return learner.dump()


@pytest.mark.parametrize(("game", "matches"), [("smear", 8), ("fodinha", 20)])
def test_training_with_a_judge_is_reproducible_and_differs_from_training_without(
    game: str, matches: int
) -> None:
    judged = trained(game, "neural", 1.0, matches)
    assert judged == trained(game, "neural", 1.0, matches)
    assert judged["networks"] != trained(game, "neural", 0.0, matches)["networks"]


@pytest.mark.parametrize("agent", ["neural", "pairs"])
def test_where_nothing_is_hidden_hindsight_changes_nothing(agent: str) -> None:
    judged, alone = [trained("notty", agent, hindsight, 1) for hindsight in (1.0, 0.0)]
    assert judged["networks"] == alone["networks"]
