"""Courses: how their matches are played, and how a learner is measured."""

import dataclasses
import re
from concurrent.futures import ThreadPoolExecutor
from math import inf, nan

import pytest

from agents.learners.feature_learner import FeatureLearner
from agents.learners.settings import SETTING_LIMITS
from agents.match import Match
from agents.registry import agents_for, create
from agents.training import rounds
from agents.training.course import Course, new_learner
from agents.training.measurement import growing_marks, measure, milestones
from agents.training.rounds import (
    MAX_EARLIER_SELVES,
    ROUND,
    SNAPSHOT_EVERY,
    EarlierSelves,
    matches_per_part,
    play_and_learn,
    split_evenly,
    train,
)
from engine import GAMES
from tests.quick import quick_with


def trained(course, **options):
    learner = new_learner(course)
    played = list(train(course, learner, **options))
    return learner, played


def test_matches_played_are_reported_after_each_round():
    _, played = trained(Course("truco", "q", 70, options={"target": 4}))
    assert played == [10, ROUND, 2 * ROUND, 70]


def test_rounds_end_at_generations():
    learner = new_learner(Course("truco", "q", 1))
    learner.log = learner.log.after(80)
    course = Course("truco", "q", 50, options={"target": 2})
    ends = list(train(course, learner))
    assert ends == [20, ROUND, 50]
    assert learner.log.matches == 130


def test_same_course_gives_the_same_values():
    course = Course("truco", "q", 40, seed=3, options={"target": 6})
    assert trained(course)[0].dump() == trained(course)[0].dump()
    other = Course("truco", "q", 40, seed=4, options={"target": 6})
    assert trained(course)[0].dump() != trained(other)[0].dump()


@pytest.mark.parametrize("agent", ["q", "sarsa", "mc"])
def test_learners_train_by_self_play(agent):
    learner, _ = trained(Course("fodinha", agent, 20))
    stats = learner.stats()
    assert stats.games == 20 * 4
    assert stats.updates > 0
    assert stats.table_size > 0


def test_only_the_learner_counts_matches_against_others():
    course = Course("euchre", "q", 10, opponents=("random", "hard"))
    learner, _ = trained(course)
    assert learner.stats().games == 10


def test_updates_of_all_workers_are_merged(monkeypatch):
    """No update is lost or counted twice, and the same workers give the same values."""
    monkeypatch.setattr(rounds, "matches_per_part", lambda *_: ROUND)
    course = Course("truco", "q", 4 * ROUND + 5, seed=1, options={"target": 6})
    with ThreadPoolExecutor(2) as pool:
        first, played = trained(course, workers=2, executor=pool)
        second, _ = trained(course, workers=2, executor=pool)
    assert played == [10, 2 * ROUND, 100, 4 * ROUND, 4 * ROUND + 5]
    assert first.dump() == second.dump()
    assert first.stats().games == 2 * (4 * ROUND + 5)
    layouts = len(first.abstraction.layouts)
    met = [row for situation, row in first.q_table.rows.items() if situation[0] < layouts]
    assert sum(row.total for row in met) == first.stats().updates


@pytest.mark.parametrize(
    ("agent", "opponents", "matches"),
    [
        ("q", (), 128),
        ("mc", ("hard", "pool"), 128),
        ("q", ("hard", "search"), ROUND),
        ("neural", (), ROUND),
    ],
)
def test_fast_learners_play_more_matches_per_part(agent, opponents, matches):
    course = Course("euchre", agent, 1, opponents=opponents)
    assert matches_per_part(course, new_learner(course)) == matches


def test_a_game_without_a_listed_number_of_matches_uses_the_default():
    course = Course("notty", "q", 1)
    assert matches_per_part(course, new_learner(course)) == ROUND


@pytest.mark.parametrize("matches", [1, 2, 3, 20, 133])
@pytest.mark.parametrize("workers", [2, 3, 8])
def test_matches_are_split_evenly(matches, workers):
    numbers = range(7, 7 + matches)
    parts = split_evenly(numbers, workers)
    assert [number for part in parts for number in part] == list(numbers)
    assert len(parts) == min(matches, workers)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_training_can_be_stopped_and_continued():
    course = Course("truco", "mc", 3 * ROUND, options={"target": 4})
    learner = new_learner(course)
    for played in train(course, learner):
        if played == ROUND:
            break
    assert learner.stats().games == 2 * ROUND
    play_and_learn(course, learner, ROUND, 2 * ROUND)
    assert learner.dump() == trained(course)[0].dump()


def test_training_continues_from_any_match():
    course = Course("truco", "mc", 3 * ROUND, options={"target": 4})
    learner = new_learner(course)
    play_and_learn(course, learner, 0, ROUND)
    learner.log = learner.log.after(ROUND)
    assert list(train(course, learner, first=ROUND)) == [2 * ROUND, 3 * ROUND]
    assert learner.dump() == trained(course)[0].dump()


def test_every_opponent_plays_every_side(monkeypatch):
    met = set()

    def seated(state, players, seed):
        names = [getattr(player, "name", None) for player in players]
        met.update((seat, names[1 - seat]) for seat in (0, 1) if names[seat] == "q")
        return Match(state, players, seed)

    monkeypatch.setattr(rounds, "Match", seated)
    course = Course("truco", "q", 8, options={"target": 2}, opponents=("easy", "hard"))
    trained(course)
    assert met == {(seat, name) for seat in (0, 1) for name in ("easy", "hard")}


def test_self_is_the_default_opponent():
    alone = Course("truco", "q", ROUND, options={"target": 6})
    named = Course("truco", "q", ROUND, options={"target": 6}, opponents=("self",))
    assert trained(named)[0].dump() == trained(alone)[0].dump()


@pytest.mark.parametrize("opponents", quick_with([("pool",), ("pool", "hard")], ("pool",)))
def test_training_against_earlier_selves_is_repeatable(opponents, monkeypatch):
    monkeypatch.setattr(rounds, "matches_per_part", lambda *_: ROUND)
    course = Course("truco", "q", 5 * ROUND, seed=2, options={"target": 4}, opponents=opponents)
    first, _ = trained(course)
    assert first.stats().games == 5 * ROUND
    assert first.dump() == trained(course)[0].dump()
    with ThreadPoolExecutor(2) as executor:
        several, _ = trained(course, workers=2, executor=executor)
        again, _ = trained(course, workers=2, executor=executor)
    assert several.stats().games == 5 * ROUND
    assert several.dump() == again.dump()


def test_earlier_selves_differ_from_self_play():
    pooled = Course("truco", "q", 3 * ROUND, options={"target": 4}, opponents=("pool",))
    alone = Course("truco", "q", 3 * ROUND, options={"target": 4})
    assert trained(pooled)[0].dump() != trained(alone)[0].dump()


def test_latest_earlier_selves_are_kept():
    course = Course("truco", "q", 1, options={"target": 4}, opponents=("pool",))
    learner = new_learner(course)
    earlier = EarlierSelves(course)
    assert earlier.pick(0) is None
    games = []
    for number in range(MAX_EARLIER_SELVES + 2):
        played = SNAPSHOT_EVERY * 2**number
        earlier.add_if_due(learner, played)
        earlier.add_if_due(learner, played + ROUND)
        games.append(learner.stats().games)
        play_and_learn(course, learner, number, 1)
    met = {earlier.pick(first).value["counters"]["games"] for first in range(200)}
    assert met == set(games[2:])


def test_earlier_selves_are_kept_only_if_needed():
    course = Course("truco", "q", 1, opponents=("hard",))
    earlier = EarlierSelves(course)
    earlier.add_if_due(new_learner(course), 0)
    assert earlier.pick(0) is None


def test_learner_does_not_learn_while_it_is_measured():
    course = Course("truco", "q", 8, options={"target": 6})
    learner, _ = trained(course)
    before = learner.dump()
    points = measure(course, learner, games=20, played=8)
    assert learner.dump() == before
    assert [(point.games, point.against) for point in points] == [
        (8, "random"),
        (8, "easy"),
        (8, "hard"),
    ]
    assert all(0 <= point.low <= point.win_rate <= point.high <= 1 for point in points)


def test_agent_that_does_not_learn_cannot_be_trained():
    with pytest.raises(ValueError, match="hard does not learn"):
        new_learner(Course("euchre", "hard", 1))


def test_settings_and_rewards_can_be_changed_by_name():
    course = Course("euchre", "q", 1, settings={"alpha": 0.5}, rewards={"trick_won": 50})
    learner = new_learner(course)
    assert learner.settings.alpha == 0.5
    assert learner.rewards.trick_won == 50
    assert learner.fingerprint() != new_learner(Course("euchre", "q", 1)).fingerprint()


def test_unknown_settings_and_rewards_are_refused():
    with pytest.raises(ValueError, match=r"no setting 'beta'; there are: alpha, "):
        new_learner(Course("euchre", "q", 1, settings={"beta": 1}))
    with pytest.raises(ValueError, match=r"no reward 'smile'; there are: trick_won, "):
        new_learner(Course("euchre", "q", 1, rewards={"smile": 1}))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"settings": {"alpha": 3}}, "The setting alpha is 3; the largest possible is 1."),
        ({"settings": {"gamma": nan}}, "The setting gamma is nan; the smallest possible is 0."),
        ({"rewards": {"trick_won": inf}}, "The reward trick_won is inf; the largest possible is"),
    ],
)
def test_settings_and_rewards_have_limits(changes, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        new_learner(Course("euchre", "q", 1, **changes))


def test_every_setting_of_every_learner_has_limits():
    for game in GAMES:
        for name in agents_for(game):
            agent = create(game, name)
            if isinstance(agent, FeatureLearner):
                names = {each.name for each in dataclasses.fields(agent.settings)}
                assert names <= set(SETTING_LIMITS)


def test_milestones_end_with_the_last_match():
    assert milestones(100, 4) == [25, 50, 75, 100]
    assert milestones(2, 4) == [1, 2]


def test_growing_marks_become_rarer():
    assert growing_marks(1) == [0]
    assert growing_marks(20_000) == [0, 10, 100, 1000, 3000, 10_000]
