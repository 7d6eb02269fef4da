"""The values that come with the program: they load, they are small and are never changed."""

import dataclasses
import gzip
import signal

import pytest

from agents.agent import Learner
from agents.match import Match
from agents.names import generation_name
from agents.registry import agents_for, create, make, roster
from agents.roster import Pretraining
from agents.storage import store
from agents.storage.store import SHIPPED, Store, read_values, shipped
from agents.training import pretraining
from agents.training.pretraining import Job
from engine import GAMES
from tests.engine.tables import ALL_GAMES

FILES = sorted(SHIPPED.glob("*.pkl.gz"))
LEARNERS = [(game, name) for game in ALL_GAMES for name in roster(game).pretraining]


@pytest.mark.parametrize(("game", "name"), LEARNERS, ids=map(".".join, LEARNERS))
def test_learners_with_a_course_come_trained(game, name, tmp_path):
    home = Store(tmp_path)
    stats = make(game, name, home).stats()
    assert not home.notices
    assert stats.table_size > 0
    assert stats.updates > 0


def test_shipped_files_are_small():
    assert FILES
    assert sum(path.stat().st_size for path in FILES) <= 8_000_000


def test_all_courses_together_stay_within_the_budget_of_seconds():
    jobs = pretraining.chosen([])
    assert all(job.spent_seconds() > 0 for job in jobs)
    assert sum(job.spent_seconds() for job in jobs) <= pretraining.BUDGET


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_shipped_file_belongs_to_an_agent_and_loads(path):
    game, name = path.name.removesuffix(".pkl.gz").split(".")
    name, _, generation = name.partition("@")
    assert name in agents_for(game)
    agent = create(game, name)
    if isinstance(agent, Learner):
        assert read_values(path, agent)
        assert agent.stats().table_size > 0
        if generation:
            assert agent.log.matches == int(generation)


@pytest.fixture
def shipped_q(tmp_path, monkeypatch):
    """Another folder of shipped values, with those of Truco's q."""
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "pretrained")
    learner = create("truco", "q")
    state = GAMES["truco"].new(seed=1, target=8)
    Match(state, [learner] * 2, seed=1).play_out()
    store.write_shipped("truco", "q", learner.dump(), learner.fingerprint())
    return learner


def test_learner_starts_with_the_shipped_values(shipped_q, tmp_path):
    assert make("truco", "q").dump() == shipped_q.dump()
    assert make("truco", "q", Store(tmp_path / "home")).dump() == shipped_q.dump()


def test_learned_values_are_saved_in_the_home_folder(shipped_q, tmp_path):
    path = shipped("truco", "q")
    before = path.read_bytes()
    home = Store(tmp_path / "home")
    learner = make("truco", "q", home, learning=True)
    state = GAMES["truco"].new(seed=2, target=8)
    Match(state, [learner] * 2, seed=2).play_out()
    home.save(learner)
    assert path.read_bytes() == before
    assert make("truco", "q", home).dump() == learner.dump() != shipped_q.dump()


def test_learner_plays_without_values_if_the_shipped_file_is_damaged(shipped_q, tmp_path):
    shipped("truco", "q").write_bytes(gzip.compress(b"nonsense"))
    home = Store(tmp_path / "home")
    assert make("truco", "q", home).stats().table_size == 0
    assert "was not loaded because" in home.notices[0]
    shipped("truco", "q").write_bytes(b"nonsense")
    make("truco", "q", home)
    assert "not a complete compressed file" in home.notices[1]


def test_reset_restores_the_shipped_values(shipped_q, tmp_path):
    home = Store(tmp_path / "home")
    learner = make("truco", "q", home, learning=True)
    Match(GAMES["truco"].new(seed=2, target=8), [learner] * 2, seed=2).play_out()
    home.save(learner)
    assert make("truco", "q", home).dump() != shipped_q.dump()
    home.set_aside("truco", "q")
    assert make("truco", "q", home).dump() == shipped_q.dump()


@pytest.fixture
def job(monkeypatch, tmp_path):
    """Makes a job with a course of its own, few measurements and folders of its own."""
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "pretrained")
    monkeypatch.setattr(pretraining, "MEASURED_GAMES", 2)
    monkeypatch.setattr(pretraining, "FINALLY_MEASURED_GAMES", 2)

    def make_job(game, agent, plan):
        agents = dataclasses.replace(roster(game), pretraining={agent: plan})
        monkeypatch.setattr(pretraining, "roster", lambda name: agents)
        return Job(game, agent, tmp_path / "build")

    yield make_job
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)


def shipped_learner(job, generation=None):
    name = job.agent if generation is None else generation_name(job.agent, generation)
    learner = create(job.game, job.agent)
    assert read_values(shipped(job.game, name), learner)
    return learner


def knowledge(learner):
    """What it knows, and its curve without the seconds."""
    points = [dataclasses.replace(point, seconds=0) for point in learner.log.points]
    return learner.dump(), points


def test_job_ships_the_learner_with_its_curve_and_generations(job):
    mine = job("truco", "mc-original", Pretraining(12, generations=(10, 100), min_visits=1))
    assert not mine.finished()
    assert pretraining.pretrain(mine)
    assert mine.finished()
    learner = shipped_learner(mine)
    assert learner.log.matches == 12
    assert learner.log.seconds > 0
    assert [(point.games, point.against) for point in learner.log.points] == [
        (mark, rival) for mark in (0, 10, 12) for rival in ("random", "easy", "hard")
    ]
    assert store.shipped_generations("truco", "mc-original") == [10]
    assert shipped_learner(mine, 10).log.matches == 10
    assert shipped_learner(mine, 10).stats().games == 20
    assert "12 matches" in mine.result()


def test_job_is_repeatable(job):
    mine = job("truco", "mc-original", Pretraining(12, min_visits=1, generations=(10,)))
    shipped_before = []
    for _ in range(2):
        assert pretraining.pretrain(mine, fresh=True)
        shipped_before.append([knowledge(shipped_learner(mine, each)) for each in (None, 10)])
    assert shipped_before[0] == shipped_before[1]


def stop_at(monkeypatch, matches):
    """Stops every job at a measurement after so many matches, as a signal would."""
    measured = pretraining._JobHost.measured

    def measured_and_stopped(self, points):
        measured(self, points)
        self._stopped = points[0].games >= matches

    monkeypatch.setattr(pretraining._JobHost, "measured", measured_and_stopped)


def test_stopped_job_continues(job, monkeypatch):
    mine = job("truco", "mc-original", Pretraining(40, min_visits=1, generations=(10,)))
    assert pretraining.pretrain(mine)
    whole = knowledge(shipped_learner(mine))
    with monkeypatch.context() as patch:
        stop_at(patch, 10)
        assert not pretraining.pretrain(mine, fresh=True)
    assert not mine.finished()
    played = []
    real = pretraining.TrainingSession

    def session(*args, **options):
        played.append(options["first"])
        return real(*args, **options)

    monkeypatch.setattr(pretraining, "TrainingSession", session)
    assert pretraining.pretrain(mine)
    assert played == [32]
    assert knowledge(shipped_learner(mine)) == whole


def test_longer_course_continues_and_another_starts_again(job, monkeypatch):
    first = []
    real = pretraining.TrainingSession

    def session(*args, **options):
        first.append(options["first"])
        return real(*args, **options)

    monkeypatch.setattr(pretraining, "TrainingSession", session)
    for plan in (
        Pretraining(12),
        Pretraining(14),
        Pretraining(14, ("random",)),
        Pretraining(12, ("random",)),
    ):
        assert pretraining.pretrain(job("truco", "mc-original", plan))
    assert first == [0, 12, 0, 0]


def test_generations_of_an_earlier_course_are_not_shipped(job):
    assert pretraining.pretrain(job("truco", "mc-original", Pretraining(12, generations=(10,))))
    assert store.shipped_generations("truco", "mc-original") == [10]
    assert pretraining.pretrain(job("truco", "mc-original", Pretraining(12, generations=())))
    assert store.shipped_generations("truco", "mc-original") == []


def test_courses_do_not_change_what_the_values_mean():
    for game, agent in LEARNERS:
        learner = create(game, agent)
        learner.adjust(roster(game).pretraining[agent].settings, {})
        assert learner.fingerprint() == create(game, agent).fingerprint()


def test_a_learner_without_a_listed_course_uses_the_default(job):
    job("truco", "q", Pretraining(2))
    assert Job("truco", "sarsa").plan == Pretraining()


def test_unknown_learner_is_refused(capsys):
    with pytest.raises(SystemExit) as end:
        pretraining.main(["truco", "nobody"])
    assert end.value.code == 2
    assert "No such learner: nobody" in capsys.readouterr().err


def test_compacting_drops_rare_situations():
    learner = create("truco", "q")
    for seed in range(30):
        Match(GAMES["truco"].new(seed=seed, target=8), [learner] * 2, seed).play_out()
    rows = learner.q_table.rows
    often = [situation for situation in rows if rows[situation].total >= 3]
    assert 0 < len(often) < len(rows)
    learner.compact(3)
    assert sorted(learner.q_table.rows) == sorted(often)


def test_a_game_with_courses_lists_all_its_learners():
    for game in GAMES:
        if courses := roster(game).pretraining:
            learners = [name for name in agents_for(game) if is_learner(game, name)]
            assert set(courses) == set(learners)


def is_learner(game, name):
    return isinstance(create(game, name), Learner)


def test_learners_can_be_selected_by_name():
    assert pretraining.chosen(["notty", "q", "mc"]) == [Job("notty", "q"), Job("notty", "mc")]
    assert pretraining.chosen([]) == [Job(game, agent) for game, agent in LEARNERS]
    with pytest.raises(ValueError, match="No such learner: hard"):
        pretraining.chosen(["notty", "hard"])
