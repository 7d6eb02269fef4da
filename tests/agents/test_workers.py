"""Workers that train one learner together."""

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from agents.learners.steps import Step
from agents.parallel.parts import InProcess
from agents.parallel.workers import ProcessWorker, WorkerPool, clear_updates
from agents.storage.store import Store
from agents.training import rounds
from agents.training.course import Course, new_learner
from agents.training.rounds import ROUND, play_and_learn, train
from tests.quick import quick_with

COURSE = Course("truco", "q", 4 * ROUND + 5, seed=1, options={"target": 6})


@pytest.fixture(autouse=True)
def short_parts(monkeypatch):
    """Divide a short course into several rounds."""
    monkeypatch.setattr(rounds, "matches_per_part", lambda *_: ROUND)


def trained(course, **options):
    learner = new_learner(course)
    return learner, list(train(course, learner, **options))


def test_same_seed_and_workers_give_the_same_values():
    first, played = trained(COURSE, workers=2)
    second, _ = trained(COURSE, workers=2)
    # A round also ends at each generation: after 10 and after 100 matches.
    assert played == [10, 2 * ROUND, 100, 4 * ROUND, 4 * ROUND + 5]
    assert first.dump() == second.dump()
    assert first.stats().games == 2 * (4 * ROUND + 5)


def test_stopping_between_rounds_changes_nothing():
    uninterrupted, played = trained(COURSE, workers=2, executor=InProcess())
    learner = new_learner(COURSE)
    assert next(train(COURSE, learner, 2, InProcess())) == played[0]
    assert list(train(COURSE, learner, 2, InProcess(), first=played[0])) == played[1:]
    assert learner.dump() == uninterrupted.dump()


@pytest.mark.parametrize("agent", ["q", "mc", "linear", "logistic", "neural"])
def test_result_does_not_depend_on_the_kind_of_worker(agent, monkeypatch):
    monkeypatch.setattr(rounds, "matches_per_part", lambda *_: 3)
    course = Course("truco", agent, 20, seed=2, options={"target": 4})
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        first, *others = [
            trained(course, workers=2, executor=executor)[0].dump()
            for executor in (None, InProcess(), threads, processes)
        ]
    for other in others:
        assert other == first


def test_delta_holds_only_what_has_changed():
    learner, _ = trained(COURSE)
    learner.take_delta()
    assert learner.take_delta()["rows"] == {}
    situation = next(iter(learner.q_table.rows))
    learner._learn([(Step(situation, 0, 0, 0.0, False), 5.0)])
    assert list(learner.take_delta()["rows"]) == [situation]


def test_updates_of_a_single_worker_are_taken_over_unchanged():
    learner, _ = trained(COURSE)
    learner.take_delta()
    worker = pickle.loads(pickle.dumps(learner))
    clear_updates(worker)
    play_and_learn(COURSE, worker, COURSE.games, ROUND)
    assert worker.dump() != learner.dump()
    learner.merge_updates(worker.updates())
    assert learner.dump() == worker.dump()


def visits_of_situations(learner) -> int:
    """Outlines count the same visits again."""
    layouts = len(learner.abstraction.layouts)
    return sum(
        row.total for situation, row in learner.q_table.rows.items() if situation[0] < layouts
    )


def test_updates_of_all_rounds_are_saved(tmp_path):
    """Exchanging deltas does not count as saving."""
    store = Store(tmp_path)
    store.save(trained(COURSE)[0])
    learner = new_learner(COURSE, store)
    before = learner.stats().updates
    for _ in train(COURSE, learner, workers=2):
        pass
    learned = learner.stats().updates
    store.save(learner)
    assert learner.stats().updates == learned == visits_of_situations(learner) > before


@pytest.mark.parametrize("agent", ["q", "linear"])
def test_unsaved_updates_from_before_count_once(agent):
    course = Course("truco", agent, 2 * ROUND, seed=2, options={"target": 6})
    learner, _ = trained(course)
    before = learner.stats()
    for _ in train(course, learner, workers=2):
        pass
    after = learner.stats()
    assert after.games == 2 * before.games
    assert before.updates < after.updates < 3 * before.updates
    if agent == "q":
        assert visits_of_situations(learner) == after.updates


def fail(learner, interrupt, number):
    raise ValueError(f"part {number} is wrong")


def test_errors_of_a_worker_are_raised():
    learner = new_learner(COURSE)
    workers = [ProcessWorker(learner, fail) for _ in range(2)]
    with WorkerPool(learner, workers) as pool, pytest.raises(ValueError, match="part 1"):
        pool.play_round([(1,), (2,)])


@pytest.mark.parametrize("agent", quick_with(["q", "linear", "logistic", "neural"], "q", "neural"))
def test_two_windows_training_together_lose_nothing(agent, tmp_path):
    course = Course("truco", agent, 2 * ROUND, seed=3, options={"target": 3})
    windows = [new_learner(course, Store(tmp_path)) for _ in range(2)]
    before = windows[0].stats()
    for learner in windows:
        for _ in train(course, learner, workers=2):
            Store(tmp_path).save(learner)
    kept = new_learner(course, Store(tmp_path)).stats()
    # In batches a match of self-play counts once, otherwise for each side.
    sides = 1 if agent == "neural" else 2
    assert kept.games - before.games == 2 * 2 * sides * ROUND
    assert kept.updates == windows[1].stats().updates > windows[0].stats().updates > before.updates


@pytest.mark.parametrize("agent", ["q", "neural"])
@pytest.mark.parametrize(
    ("workers", "after"), [pytest.param(1, 200, marks=pytest.mark.slow), (2, 5)]
)
def test_round_can_be_interrupted(agent, workers, after, monkeypatch):
    """Without interruption this round would take hours. Here every action asks whether to go on,
    other processes ask a few times a second."""
    for name in ("ROUND", "FEWEST_IN_BATCHES"):
        monkeypatch.setattr(rounds, name, 10**6)
    monkeypatch.setattr(rounds, "matches_per_part", lambda *_: 10**6)
    monkeypatch.setattr(rounds, "next_generation", lambda matches: 10**9)
    course = Course("truco", agent, 10**7, seed=1, options={"target": 6})
    learner = new_learner(course)
    asked = iter(range(10**9))
    played = list(train(course, learner, workers, interrupt=lambda: next(asked) > after))
    assert played == [learner.log.matches]
    assert learner.stats().updates > 0
    assert learner.log.matches < 10**6
