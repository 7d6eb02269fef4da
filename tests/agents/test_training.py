from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.training import (
    ROUND,
    Course,
    checkpoints,
    measure,
    new_learner,
    play_lessons,
    train,
)


def taught(course, **how):
    learner = new_learner(course)
    rounds = list(train(course, learner, **how))
    return learner, rounds


def test_a_course_says_how_far_it_is():
    _, rounds = taught(Course("truco", "q", 70, options={"target": 4}))
    assert rounds == [ROUND, 2 * ROUND, 70]


def test_the_same_course_teaches_the_same():
    course = Course("truco", "q", 40, seed=3, options={"target": 6})
    assert taught(course)[0].dump() == taught(course)[0].dump()
    other = Course("truco", "q", 40, seed=4, options={"target": 6})
    assert taught(course)[0].dump() != taught(other)[0].dump()


@pytest.mark.parametrize("agent", ["q", "sarsa", "mc"])
def test_every_learner_learns_from_itself(agent):
    learner, _ = taught(Course("fodinha", agent, 20))
    stats = learner.stats()
    assert stats.games == 20 * 4
    assert stats.updates > 0
    assert stats.table_size > 0


def test_against_others_only_the_learner_counts():
    course = Course("euchre", "q", 10, opponents=("random", "hard"))
    learner, _ = taught(course)
    assert learner.stats().games == 10


def test_workers_put_together_what_each_has_learned():
    """Nothing is lost and nothing counted twice, and the same workers learn the same."""
    course = Course("truco", "q", 4 * ROUND + 5, seed=1, options={"target": 6})
    with ThreadPoolExecutor(2) as pool:
        first, rounds = taught(course, workers=2, executor=pool)
        second, _ = taught(course, workers=2, executor=pool)
    assert rounds == [2 * ROUND, 4 * ROUND, 4 * ROUND + 5]
    assert first.dump() == second.dump()
    assert first.stats().games == 2 * (4 * ROUND + 5)
    visits = sum(sum(row[first._width : 2 * first._width]) for row in first._table.values())
    assert visits == first.stats().updates


def test_training_can_stop_and_go_on():
    course = Course("truco", "mc", 3 * ROUND, options={"target": 4})
    learner = new_learner(course)
    for played in train(course, learner):
        if played == ROUND:
            break
    assert learner.stats().games == 2 * ROUND
    play_lessons(course, learner, ROUND, 2 * ROUND)
    assert learner.dump() == taught(course)[0].dump()


def test_a_learner_is_measured_without_learning():
    course = Course("truco", "q", 8, options={"target": 6})
    learner, _ = taught(course)
    before = learner.dump()
    points = measure(course, learner, games=20, played=8)
    assert learner.dump() == before
    assert [(point.games, point.against) for point in points] == [(8, "random"), (8, "hard")]
    assert all(0 <= point.low <= point.win_rate <= point.high <= 1 for point in points)


def test_who_does_not_learn_cannot_be_trained():
    with pytest.raises(ValueError, match="hard does not learn"):
        new_learner(Course("euchre", "hard", 1))


def test_settings_and_rewards_can_be_changed_by_name():
    course = Course("euchre", "q", 1, settings={"alpha": 0.5}, rewards={"trick_won": 50})
    learner = new_learner(course)
    assert learner.settings.alpha == 0.5
    assert learner.rewards.trick_won == 50
    assert learner.fingerprint() != new_learner(Course("euchre", "q", 1)).fingerprint()


def test_unknown_settings_and_rewards_are_explained():
    with pytest.raises(ValueError, match=r"no setting 'beta'; there are: alpha, "):
        new_learner(Course("euchre", "q", 1, settings={"beta": 1}))
    with pytest.raises(ValueError, match=r"no reward 'smile'; there are: trick_won, "):
        new_learner(Course("euchre", "q", 1, rewards={"smile": 1}))


def test_checkpoints_end_with_the_last_match():
    assert checkpoints(100, 4) == [25, 50, 75, 100]
    assert checkpoints(2, 4) == [1, 2]
