"""What comes with the program: it loads, it is small, and it is never written to."""

import gzip

import pytest

from agents.agent import Learner
from agents.match import Match
from agents.registry import agents_for, create, make
from agents.storage import store
from agents.storage.store import SHIPPED, Store, read_shipped, shipped
from agents.training import pretraining
from engine import GAMES

FILES = sorted(SHIPPED.glob("*.pkl.gz"))
LEARNERS = [
    (game, name)
    for game in GAMES
    for name in agents_for(game)
    if isinstance(create(game, name), Learner)
]


@pytest.mark.parametrize(("game", "name"), LEARNERS, ids=map(".".join, LEARNERS))
def test_every_learner_of_every_game_comes_trained(game, name, tmp_path):
    home = Store(tmp_path)
    stats = make(game, name, home).stats()
    assert not home.notices
    assert stats.table_size > 0
    assert stats.updates > 0


def test_all_that_is_shipped_stays_small():
    assert FILES
    assert sum(path.stat().st_size for path in FILES) <= 5_000_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_shipped_table_belongs_to_an_agent_and_loads(path):
    game, name = path.name.removesuffix(".pkl.gz").split(".")
    assert name in agents_for(game)
    agent = create(game, name)
    if isinstance(agent, Learner):
        agent.restore(read_shipped(game, name, agent.fingerprint()))
        assert agent.stats().table_size > 0


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A shelf of shipped tables of our own, with one for Truco's q on it."""
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "shelf")
    learner = create("truco", "q")
    state = GAMES["truco"].new(seed=1, target=8)
    Match(state, [learner] * 2, seed=1).play_out()
    store.write_shipped("truco", "q", learner.dump(), learner.fingerprint())
    return learner


def test_a_learner_starts_with_what_was_shipped(shelf, tmp_path):
    assert make("truco", "q").dump() == shelf.dump()
    assert make("truco", "q", Store(tmp_path / "home")).dump() == shelf.dump()


def test_what_it_learns_goes_to_the_home_folder(shelf, tmp_path):
    path = shipped("truco", "q")
    before = path.read_bytes()
    home = Store(tmp_path / "home")
    learner = make("truco", "q", home, learning=True)
    state = GAMES["truco"].new(seed=2, target=8)
    Match(state, [learner] * 2, seed=2).play_out()
    home.save(learner)
    assert path.read_bytes() == before
    assert make("truco", "q", home).dump() == learner.dump() != shelf.dump()


def test_a_damaged_shipped_table_keeps_nobody_from_playing(shelf, tmp_path):
    shipped("truco", "q").write_bytes(gzip.compress(b"nonsense"))
    home = Store(tmp_path / "home")
    assert make("truco", "q", home).stats().table_size == 0
    assert "was not loaded because" in home.notices[0]
    shipped("truco", "q").write_bytes(b"nonsense")
    make("truco", "q", home)
    assert "cannot be read" in home.notices[1]


def test_a_reset_goes_back_to_what_was_shipped(shelf, tmp_path):
    home = Store(tmp_path / "home")
    learner = make("truco", "q", home, learning=True)
    Match(GAMES["truco"].new(seed=2, target=8), [learner] * 2, seed=2).play_out()
    home.save(learner)
    assert make("truco", "q", home).dump() != shelf.dump()
    home.set_aside("truco", "q")
    assert make("truco", "q", home).dump() == shelf.dump()


@pytest.mark.parametrize(("after", "kept"), [((0.7, 0.3), True), ((0.5, 0.4), False)])
def test_only_who_got_better_all_in_all_is_shipped(after, kept, tmp_path, monkeypatch):
    before = (0.5, 0.4)
    monkeypatch.setattr(store, "SHIPPED", tmp_path)
    monkeypatch.setattr(
        pretraining, "SCHOOLING", {"truco": {"mc": pretraining.Schooling(2, ("self", "hard"))}}
    )
    rates = iter([before, after])
    monkeypatch.setattr(pretraining, "_rates", lambda course, learner: next(rates))
    result = pretraining.pretrain("truco", "mc")
    assert shipped("truco", "mc").exists() == kept
    assert (result.before, result.after, result.size > 0) == (before, after, kept)
    assert "50% to " in str(result)


def test_a_baseline_is_shipped_as_its_course_leaves_it(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "SHIPPED", tmp_path)
    monkeypatch.setattr(
        pretraining, "SCHOOLING", {"euchre": {"q-original": pretraining.Schooling(1, least=1)}}
    )
    rates = iter([(0.5, 0.4), (0.1, 0.1)])
    monkeypatch.setattr(pretraining, "_rates", lambda course, learner: next(rates))
    result = pretraining.pretrain("euchre", "q-original")
    assert result.size == shipped("euchre", "q-original").stat().st_size
    assert make("euchre", "q-original").stats().table_size > 0


def test_the_same_course_gives_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "SHIPPED", tmp_path)
    monkeypatch.setattr(
        pretraining, "SCHOOLING", {"truco": {"mc-original": pretraining.Schooling(2)}}
    )
    monkeypatch.setattr(pretraining, "MEASURED", 2)
    written = []
    for _ in range(2):
        pretraining.pretrain("truco", "mc-original")
        written.append(shipped("truco", "mc-original").read_bytes())
    assert written[0] == written[1]


def test_what_is_shipped_suits_the_learner_as_it_is_offered():
    """A course may change how fast one learns, but not what the values mean."""
    for game, courses in pretraining.SCHOOLING.items():
        for agent, schooling in courses.items():
            learner = create(game, agent)
            learner.adjust(schooling.settings, {})
            assert learner.fingerprint() == create(game, agent).fingerprint()


def test_compacting_forgets_what_was_hardly_met():
    learner = create("truco", "q")
    for seed in range(6):
        Match(GAMES["truco"].new(seed=seed, target=8), [learner] * 2, seed).play_out()
    rows = learner._q_table
    often = [situation for situation in rows if learner._visits(situation) >= 3]
    assert 0 < len(often) < len(rows)
    learner.compact(3)
    assert sorted(learner._q_table) == sorted(often)


def test_everybody_who_learns_has_a_course():
    for game in GAMES:
        assert set(pretraining.SCHOOLING[game]) == {name for each, name in LEARNERS if each == game}


def test_some_learners_can_be_chosen():
    assert pretraining.chosen(["notty", "q", "mc"]) == [("notty", "q"), ("notty", "mc")]
    assert {game for game, _ in pretraining.chosen([])} == set(GAMES)
    with pytest.raises(ValueError, match="No such learner: hard"):
        pretraining.chosen(["notty", "hard"])
