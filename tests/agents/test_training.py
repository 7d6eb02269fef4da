from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.match import Match
from agents.seeds import seed_of
from agents.training import training
from agents.training.training import (
    EARLIER_SELVES,
    MATCHES_PER_PART,
    ROUND,
    SNAPSHOT,
    Course,
    Pool,
    measure,
    milestones,
    new_learner,
    part_of_round,
    play_lessons,
    shares,
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


def test_workers_put_together_what_each_has_learned(monkeypatch):
    """Nothing is lost and nothing counted twice, and the same workers learn the same."""
    monkeypatch.setattr(training, "part_of_round", lambda *_: ROUND)
    course = Course("truco", "q", 4 * ROUND + 5, seed=1, options={"target": 6})
    with ThreadPoolExecutor(2) as pool:
        first, rounds = taught(course, workers=2, executor=pool)
        second, _ = taught(course, workers=2, executor=pool)
    assert rounds == [2 * ROUND, 4 * ROUND, 4 * ROUND + 5]
    assert first.dump() == second.dump()
    assert first.stats().games == 2 * (4 * ROUND + 5)
    visits = sum(sum(row[first._width : 2 * first._width]) for row in first._q_table.values())
    assert visits == first.stats().updates


@pytest.mark.parametrize(
    ("agent", "opponents", "matches"),
    [
        ("q", (), MATCHES_PER_PART["euchre"]),
        ("mc", ("hard", "pool"), MATCHES_PER_PART["euchre"]),
        ("q", ("hard", "search"), ROUND),
        ("neural", (), ROUND),
    ],
)
def test_who_plays_quickly_plays_more_before_it_is_put_together(agent, opponents, matches):
    course = Course("euchre", agent, 1, opponents=opponents)
    assert part_of_round(course, new_learner(course)) == matches


@pytest.mark.parametrize("matches", [1, 2, 3, 20, 133])
@pytest.mark.parametrize("workers", [2, 3, 8])
def test_every_worker_has_as_much_to_play(matches, workers):
    numbers = range(7, 7 + matches)
    parts = shares(numbers, workers)
    assert [number for part in parts for number in part] == list(numbers)
    assert len(parts) == min(matches, workers)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_training_can_stop_and_go_on():
    course = Course("truco", "mc", 3 * ROUND, options={"target": 4})
    learner = new_learner(course)
    for played in train(course, learner):
        if played == ROUND:
            break
    assert learner.stats().games == 2 * ROUND
    play_lessons(course, learner, ROUND, 2 * ROUND)
    assert learner.dump() == taught(course)[0].dump()


def test_a_course_goes_on_at_any_match():
    course = Course("truco", "mc", 3 * ROUND, options={"target": 4})
    learner = new_learner(course)
    play_lessons(course, learner, 0, ROUND)
    assert list(train(course, learner, first=ROUND)) == [2 * ROUND, 3 * ROUND]
    assert learner.dump() == taught(course)[0].dump()


def test_every_opponent_is_met_from_every_side(monkeypatch):
    met = set()

    def seated(state, players, seed):
        names = [getattr(player, "name", None) for player in players]
        met.update((seat, names[1 - seat]) for seat in (0, 1) if names[seat] == "q")
        return Match(state, players, seed)

    monkeypatch.setattr(training, "Match", seated)
    course = Course("truco", "q", 8, options={"target": 2}, opponents=("easy", "hard"))
    taught(course)
    assert met == {(seat, name) for seat in (0, 1) for name in ("easy", "hard")}


def test_self_is_the_learner_on_every_side():
    alone = Course("truco", "q", ROUND, options={"target": 6})
    named = Course("truco", "q", ROUND, options={"target": 6}, opponents=("self",))
    assert taught(named)[0].dump() == taught(alone)[0].dump()


@pytest.mark.parametrize("opponents", [("pool",), ("pool", "hard")])
def test_a_pool_teaches_the_same_every_time(opponents, monkeypatch):
    monkeypatch.setattr(training, "part_of_round", lambda *_: ROUND)
    course = Course("truco", "q", 5 * ROUND, seed=2, options={"target": 4}, opponents=opponents)
    first, _ = taught(course)
    assert first.stats().games == 5 * ROUND
    assert first.dump() == taught(course)[0].dump()
    with ThreadPoolExecutor(2) as executor:
        several, _ = taught(course, workers=2, executor=executor)
        again, _ = taught(course, workers=2, executor=executor)
    assert several.stats().games == 5 * ROUND
    assert several.dump() == again.dump()


def test_the_pool_is_not_the_learner_as_it_is_now():
    pooled = Course("truco", "q", 3 * ROUND, options={"target": 4}, opponents=("pool",))
    alone = Course("truco", "q", 3 * ROUND, options={"target": 4})
    assert taught(pooled)[0].dump() != taught(alone)[0].dump()


def test_the_pool_holds_the_latest_earlier_selves():
    course = Course("truco", "q", 1, options={"target": 4}, opponents=("pool",))
    learner = new_learner(course)
    pool = Pool(course)
    assert pool.whom_to_meet(0) is None
    games = []
    for number in range(EARLIER_SELVES + 2):
        played = number * SNAPSHOT
        pool.remember(learner, played)
        pool.remember(learner, played + ROUND)
        games.append(learner.stats().games)
        play_lessons(course, learner, number, 1)
    met = {pool.whom_to_meet(first).value["counters"]["games"] for first in range(200)}
    assert met == set(games[2:])


def test_who_wants_no_pool_remembers_nothing():
    course = Course("truco", "q", 1, opponents=("hard",))
    pool = Pool(course)
    pool.remember(new_learner(course), 0)
    assert pool.whom_to_meet(0) is None


def test_training_and_measuring_never_meet_the_same_deal():
    numbers = range(500)
    trained = {seed_of("train", 1, number) for number in numbers}
    measured = {seed_of("evaluate", 1, number) for number in numbers}
    assert len(trained) == len(measured) == len(numbers)
    assert not trained & measured


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


def test_milestones_end_with_the_last_match():
    assert milestones(100, 4) == [25, 50, 75, 100]
    assert milestones(2, 4) == [1, 2]
