"""The rewards of each game."""

import pytest

from agents.euchre.rewards import EuchreRewards
from agents.learners.rewards import Reward
from agents.notty.rewards import NottyRewards
from engine.game import Event
from engine.games import notty

SIDES = ((0,), (1, 2))


@pytest.mark.parametrize(
    ("event", "soloist", "pair"),
    [
        (Event("trick", 0), 5, -5),
        (Event("trick", 2), -5, 5),
        (Event("hand", 0, note="made"), 20, -20),
        (Event("hand", 0, note="march"), 40, -20),
        (Event("hand", 0, note="alone march"), 60, -20),
        (Event("hand", 0, note="euchred"), -50, 50),
        (Event("hand", 1, note="euchred"), 50, -50),
        (Event("hand", 2, note="made"), -20, 20),
        (Event("match", points=(1, 0)), 100, -100),
    ],
)
def test_euchre_rewards(event: Event, soloist: float, pair: float):
    rewards = EuchreRewards()
    for seat, amount in ((0, soloist), (1, pair), (2, pair)):
        reward = rewards.of_event(event, seat, SIDES)
        assert reward is not None
        assert reward.amount == amount
        assert reward.reason


def test_a_deal_has_no_reward():
    assert EuchreRewards().of_event(Event("deal", 0), 0, SIDES) is None


@pytest.mark.parametrize(
    ("event", "mine", "theirs"),
    [
        (Event("group", 0, cards=(1, 2, 3)), 16, None),
        (Event("steal", 0, other=1, cards=(1,)), 0.5, None),
        (Event("draw", 0, cards=(1, 2)), -0.5, None),
        (Event("draw", 0, cards=(1,), note="exchange"), None, None),
        (Event("discard", 0, cards=(1,)), None, None),
        (Event("match", points=(1, 0)), 100, 0),
        (Event("match", points=(0.5, 0.5)), 50, 50),
    ],
)
def test_notty_rewards(event: Event, mine: float | None, theirs: float | None):
    rewards = NottyRewards()
    sides = ((0,), (1,))
    for seat, amount in ((0, mine), (1, theirs)):
        reward = rewards.of_event(event, seat, sides)
        assert (reward.amount if reward else None) == amount
    assert rewards.of_actions() == {notty.PASS: Reward(-1, "turn passed")}
