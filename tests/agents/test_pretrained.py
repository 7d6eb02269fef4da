"""The values that come with the program: they load, they are small and are never changed."""

import dataclasses
import gzip

import pytest

from agents.agent import Learner
from agents.match import Match
from agents.registry import agents_for, create, make, roster
from agents.roster import Pretraining, load
from agents.storage import store
from agents.storage.store import SHIPPED, Store, read_shipped, shipped
from agents.training import pretraining
from engine import GAMES

FILES = sorted(SHIPPED.glob("*.pkl.gz"))
LEARNERS = [(game, name) for game in GAMES for name in roster(game).pretraining]


@pytest.mark.parametrize(("game", "name"), LEARNERS, ids=map(".".join, LEARNERS))
def test_learners_with_a_course_come_trained(game, name, tmp_path):
    home = Store(tmp_path)
    stats = make(game, name, home).stats()
    assert not home.notices
    assert stats.table_size > 0
    assert stats.updates > 0


def test_shipped_files_are_small():
    assert FILES
    assert sum(path.stat().st_size for path in FILES) <= 5_000_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_shipped_file_belongs_to_an_agent_and_loads(path):
    game, name = path.name.removesuffix(".pkl.gz").split(".")
    assert name in agents_for(game)
    agent = create(game, name)
    if isinstance(agent, Learner):
        agent.restore(read_shipped(game, name, agent.fingerprint()))
        assert agent.stats().table_size > 0


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
    assert "cannot be read" in home.notices[1]


def test_reset_restores_the_shipped_values(shipped_q, tmp_path):
    home = Store(tmp_path / "home")
    learner = make("truco", "q", home, learning=True)
    Match(GAMES["truco"].new(seed=2, target=8), [learner] * 2, seed=2).play_out()
    home.save(learner)
    assert make("truco", "q", home).dump() != shipped_q.dump()
    home.set_aside("truco", "q")
    assert make("truco", "q", home).dump() == shipped_q.dump()


@pytest.fixture
def course(monkeypatch, tmp_path):
    """Replaces the roster's course of one learner, and ships into an empty folder."""
    monkeypatch.setattr(store, "SHIPPED", tmp_path)

    def replace_course(game, agent, plan):
        agents = dataclasses.replace(roster(game), pretraining={agent: plan})
        monkeypatch.setattr(pretraining, "roster", lambda name: agents)

    return replace_course


def measured(*rates):
    """A stand-in for the measurements before and after the course."""
    results = iter([dict(zip(("easy", "hard"), pair, strict=True)) for pair in rates])
    return lambda course, learner: next(results)


@pytest.mark.parametrize(("after", "kept"), [((0.7, 0.3), True), ((0.5, 0.4), False)])
def test_only_improved_learners_are_shipped(after, kept, course, monkeypatch):
    course("truco", "mc", Pretraining(2, ("self", "hard")))
    monkeypatch.setattr(pretraining, "_win_rates", measured((0.5, 0.4), after))
    result = pretraining.pretrain("truco", "mc")
    assert shipped("truco", "mc").exists() == kept
    assert (tuple(result.before.values()), tuple(result.after.values())) == ((0.5, 0.4), after)
    assert (result.size > 0) == kept
    assert f"50% to {after[0]:.0%} against easy" in str(result)


def test_baselines_are_shipped_even_if_they_did_not_improve(course, monkeypatch):
    course("euchre", "q-original", Pretraining(1, min_visits=1))
    monkeypatch.setattr(pretraining, "_win_rates", measured((0.5, 0.4), (0.1, 0.1)))
    result = pretraining.pretrain("euchre", "q-original")
    assert result.size == shipped("euchre", "q-original").stat().st_size
    assert make("euchre", "q-original").stats().table_size > 0


def test_pretraining_is_repeatable(course, monkeypatch):
    course("truco", "mc-original", Pretraining(2))
    monkeypatch.setattr(pretraining, "MEASURED_GAMES", 2)
    written = []
    for _ in range(2):
        pretraining.pretrain("truco", "mc-original")
        written.append(shipped("truco", "mc-original").read_bytes())
    assert written[0] == written[1]


def test_courses_do_not_change_what_the_values_mean():
    for game, agent in LEARNERS:
        learner = create(game, agent)
        learner.adjust(roster(game).pretraining[agent].settings, {})
        assert learner.fingerprint() == create(game, agent).fingerprint()


def test_preparations_can_be_imported():
    plans = [plan for game in GAMES for plan in roster(game).pretraining.values()]
    assert all(callable(load(plan.prepare)) for plan in plans if plan.prepare)
    assert any(plan.prepare for plan in plans)


def test_a_learner_without_a_listed_course_uses_the_default(course, monkeypatch):
    course("truco", "q", Pretraining(2))
    monkeypatch.setattr(pretraining, "_win_rates", measured((0.5, 0.4), (0.6, 0.4)))
    played = []
    monkeypatch.setattr(pretraining, "train", lambda course, learner: played.append(course) or [])
    pretraining.pretrain("truco", "sarsa")
    assert [each.games for each in played] == [Pretraining().matches]


def test_compacting_drops_rare_situations():
    learner = create("truco", "q")
    for seed in range(6):
        Match(GAMES["truco"].new(seed=seed, target=8), [learner] * 2, seed).play_out()
    rows = learner._q_table
    often = [situation for situation in rows if learner._visits(situation) >= 3]
    assert 0 < len(often) < len(rows)
    learner.compact(3)
    assert sorted(learner._q_table) == sorted(often)


def test_a_game_with_courses_lists_all_its_learners():
    for game in GAMES:
        if courses := roster(game).pretraining:
            learners = [name for name in agents_for(game) if is_learner(game, name)]
            assert set(courses) == set(learners)


def is_learner(game, name):
    return isinstance(create(game, name), Learner)


def test_learners_can_be_selected_by_name():
    assert pretraining.chosen(["notty", "q", "mc"]) == [("notty", "q"), ("notty", "mc")]
    assert pretraining.chosen([]) == LEARNERS
    with pytest.raises(ValueError, match="No such learner: hard"):
        pretraining.chosen(["notty", "hard"])
