"""Seeds of matches: different purposes never share a deal."""

from itertools import combinations

from agents.evaluation.series import Conditions
from agents.seeds import Purpose, match_seed
from agents.training import measurement, rounds
from agents.training.course import Course, new_learner
from engine import GAMES

NUMBERS = range(40)


def test_every_match_has_its_own_seed():
    for purpose in Purpose:
        seeds = {match_seed(purpose, seed, number) for seed in NUMBERS for number in NUMBERS}
        assert len(seeds) == len(NUMBERS) ** 2
        assert all(0 <= seed < 2**63 for seed in seeds)


def test_purposes_never_share_a_seed_or_a_deal():
    """By construction: the purpose is part of the seed."""
    assert all(match_seed(each, 1, 1) % len(Purpose) == each.value for each in Purpose)
    for game in ("euchre", "smear", "truco"):
        for number in range(10):
            states = [GAMES[game].new(match_seed(purpose, 1, number)) for purpose in Purpose]
            deals = [[state.view(seat) for seat in range(state.seats)] for state in states]
            assert all(one != other for one, other in combinations(deals, 2))


def test_training_measurement_and_evaluation_have_their_purposes(monkeypatch):
    used = []

    def recorded(purpose, seed, number, salt=""):
        used.append(purpose)
        return match_seed(purpose, seed, number)

    monkeypatch.setattr(rounds, "match_seed", recorded)
    monkeypatch.setattr("agents.evaluation.series.match_seed", recorded)
    course = Course("truco", "q", 2, options={"target": 2})
    learner = new_learner(course)
    rounds.play_and_learn(course, learner, 0, 2)
    assert set(used) == {Purpose.TRAINING}
    used.clear()
    measurement.measure(course, learner, 2, 2)
    assert set(used) == {Purpose.TUNING}
    assert Conditions().purpose is Purpose.REPORTING
