"""Processes that train one learner together."""

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from agents.learners.value_learner import Step
from agents.parallel.parts import Here
from agents.parallel.workers import Crew, ProcessHelper, get_ready
from agents.storage.store import Store
from agents.training import training
from agents.training.training import ROUND, Course, new_learner, play_lessons, train

COURSE = Course("truco", "q", 4 * ROUND + 5, seed=1, options={"target": 6})


@pytest.fixture(autouse=True)
def short_parts(monkeypatch):
    """Several rounds in a course of few matches."""
    monkeypatch.setattr(training, "part_of_round", lambda *_: ROUND)


def taught(course, **how):
    learner = new_learner(course)
    return learner, list(train(course, learner, **how))


def test_the_same_seed_and_workers_teach_the_same():
    first, rounds = taught(COURSE, workers=2)
    second, _ = taught(COURSE, workers=2)
    assert rounds == [2 * ROUND, 4 * ROUND, 4 * ROUND + 5]
    assert first.dump() == second.dump()
    assert first.stats().games == 2 * (4 * ROUND + 5)


def test_who_stops_between_rounds_and_goes_on_learns_the_same():
    in_one_go, rounds = taught(COURSE, workers=2, executor=Here())
    learner = new_learner(COURSE)
    assert next(train(COURSE, learner, 2, Here())) == rounds[0]
    assert list(train(COURSE, learner, 2, Here(), first=rounds[0])) == rounds[1:]
    assert learner.dump() == in_one_go.dump()


@pytest.mark.parametrize("agent", ["q", "mc", "linear", "logistic", "neural"])
def test_it_does_not_matter_where_the_helpers_are(agent, monkeypatch):
    monkeypatch.setattr(training, "part_of_round", lambda *_: 3)
    course = Course("truco", agent, 20, seed=2, options={"target": 4})
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        first, *others = [
            taught(course, workers=2, executor=executor)[0].dump()
            for executor in (None, Here(), threads, processes)
        ]
    for other in others:
        assert other == first


def test_news_hold_only_what_has_changed():
    learner, _ = taught(COURSE)
    learner.take_delta()
    assert learner.take_delta()["rows"] == {}
    situation = next(iter(learner._q_table))
    learner._learn(Step(situation, 0, 0, 0.0, 0.0, False), 5.0)
    assert list(learner.take_delta()["rows"]) == [situation]


def test_what_only_one_has_met_since_is_known_as_that_one_knows_it():
    learner, _ = taught(COURSE)
    learner.take_delta()
    helper = pickle.loads(pickle.dumps(learner))
    get_ready(helper)
    play_lessons(COURSE, helper, COURSE.games, ROUND)
    assert helper.dump() != learner.dump()
    learner.merge_updates(helper.updates())
    assert learner.dump() == helper.dump()


def test_all_rounds_are_saved_beside_what_was_there(tmp_path):
    """News between processes do not count as saving."""
    store = Store(tmp_path)
    store.save(taught(COURSE)[0])
    learner = new_learner(COURSE, store)
    before = learner.stats().updates
    for _ in train(COURSE, learner, workers=2):
        pass
    learned = learner.stats().updates
    store.save(learner)
    visits = sum(sum(row[learner._width : 2 * learner._width]) for row in learner._q_table.values())
    assert learner.stats().updates == learned == visits > before


@pytest.mark.parametrize("agent", ["q", "linear"])
def test_what_was_learned_alone_before_counts_once(agent):
    course = Course("truco", agent, 2 * ROUND, seed=2, options={"target": 6})
    learner, _ = taught(course)
    before = learner.stats()
    for _ in train(course, learner, workers=2):
        pass
    after = learner.stats()
    assert after.games == 2 * before.games
    assert before.updates < after.updates < 3 * before.updates
    if agent == "q":
        width = learner._width
        rows = learner._q_table.values()
        assert sum(sum(row[width : 2 * width]) for row in rows) == after.updates


def fail(learner, number):
    raise ValueError(f"part {number} is wrong")


def test_an_error_of_a_helper_is_told():
    learner = new_learner(COURSE)
    helpers = [ProcessHelper(learner, fail) for _ in range(2)]
    with Crew(learner, helpers) as crew, pytest.raises(ValueError, match="part 1"):
        crew.play_round([(1,), (2,)])


@pytest.mark.parametrize("agent", ["q", "linear", "logistic", "neural"])
def test_what_two_windows_teach_at_once_is_all_kept(agent, tmp_path):
    course = Course("truco", agent, 2 * ROUND, seed=3, options={"target": 3})
    windows = [new_learner(course, Store(tmp_path)) for _ in range(2)]
    before = windows[0].stats()
    for learner in windows:
        for _ in train(course, learner, workers=2):
            Store(tmp_path).save(learner)
    kept = new_learner(course, Store(tmp_path)).stats()
    assert kept.games - before.games == 2 * 2 * 2 * ROUND
    assert kept.updates == windows[1].stats().updates > windows[0].stats().updates > before.updates
