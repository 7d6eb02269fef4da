"""Training sessions: measurements, checkpoints and stopping."""

from dataclasses import replace

import pytest

from agents.parallel.parts import WorkError
from agents.training import session as session_module
from agents.training.course import Course, new_learner
from agents.training.rounds import ROUND
from agents.training.session import CHECKPOINT_SECONDS, TrainingSession

COURSE = Course("truco", "q", 3 * ROUND + 5, seed=2, options={"target": 2})
ENDS = (10, ROUND, 2 * ROUND, 3 * ROUND, 100, COURSE.games)
"""The matches played after each round, which ends at a multiple of ROUND or at a generation."""


class Clock:
    """Advances by a fixed number of seconds each time it is read."""

    def __init__(self, step=0.0):
        self.now = 0.0
        self.step = step

    def __call__(self):
        self.now += self.step
        return self.now


class Recorder:
    """A host that notes what happens, and stops after so many matches."""

    def __init__(self, stop_after=None):
        self.stop_after = stop_after
        self.events = []
        self.generations = []
        self.played = 0

    def progress(self, session):
        self.played = session.played
        self.events.append("measuring" if session.measuring else f"played {session.played}")

    def measured(self, points):
        self.events.append(f"measured {points[0].games}")

    def checkpoint(self, session):
        self.events.append(f"saved {session.played}")

    def keep_generation(self, session):
        self.generations.append(session.learner.log.matches)

    def stop_requested(self):
        return self.stop_after is not None and self.played >= self.stop_after


def new_session(host, **options):
    options = {"measured_games": 2, "clock": Clock()} | options
    learner = options.pop("learner", None) or new_learner(COURSE)
    return TrainingSession(COURSE, learner, host, **options)


def test_finished_session_ends_with_a_checkpoint():
    host = Recorder()
    session = new_session(host)
    session.run()
    assert session.finished
    played = [f"played {count}" for count in ENDS]
    assert host.events == [*played, f"saved {COURSE.games}"]


def test_unknown_opponent_is_refused_before_anything_is_played():
    course = replace(COURSE, opponents=("self", "genius"))
    with pytest.raises(ValueError, match="genius"):
        TrainingSession(course, new_learner(COURSE), Recorder(), measure_at=(0,))


def test_stopped_session_ends_with_a_checkpoint():
    host = Recorder(stop_after=2 * ROUND)
    session = new_session(host)
    session.run()
    assert not session.finished
    assert session.learner.stats().games == 2 * 2 * ROUND
    assert host.events[-1] == f"saved {2 * ROUND}"


def test_interrupted_round_is_counted_and_saved():
    asked = iter(range(10**6))
    host = Recorder(stop_after=0)
    session = new_session(host, interrupt=lambda: next(asked) == 30)
    session.run()
    assert 0 < session.played < ENDS[0]
    assert session.learner.stats().games == 2 * session.played
    assert host.events == [f"played {session.played}", f"saved {session.played}"]


def test_session_continues_from_a_match():
    host = Recorder()
    learner = new_learner(COURSE)
    learner.log = learner.log.after(2 * ROUND)
    new_session(host, learner=learner, first=2 * ROUND).run()
    assert host.events[0] == f"played {3 * ROUND}"
    assert host.generations == [100]


def test_generations_have_exactly_so_many_matches():
    host = Recorder()
    new_session(host).run()
    assert host.generations == [10, 100]


def test_generation_of_a_stopped_session_is_kept():
    host = Recorder(stop_after=10)
    session = new_session(host)
    session.run()
    assert host.generations == [session.learner.log.matches] == [10]


def test_generations_count_the_matches_of_earlier_courses():
    host = Recorder()
    learner = new_learner(COURSE)
    learner.log = learner.log.after(990)
    new_session(host, learner=learner).run()
    assert host.generations == [1000]
    assert learner.log.matches == 990 + COURSE.games


def test_log_has_the_matches_seconds_and_measurements():
    learner = new_learner(COURSE)
    learner.log = learner.log.after(1000, 50.0)
    session = new_session(
        Recorder(), learner=learner, clock=Clock(1.0), measure_at=(0, COURSE.games)
    )
    session.run()
    assert learner.log.seconds == 50.0 + session.seconds
    assert [point.games for point in session.curve] == [0] * 3 + [COURSE.games] * 3
    assert [(each.games, each.seconds, each.measured) for each in learner.log.points] == (
        [(1000, 50.0, 2)] * 3 + [(1000 + COURSE.games, learner.log.seconds, 2)] * 3
    )


def test_measurements_follow_the_marks():
    host = Recorder()
    session = new_session(host, measure_at=(0, ROUND + 1, COURSE.games))
    session.run()
    measured = [event for event in host.events if event.startswith("measured")]
    assert measured == ["measured 0", f"measured {2 * ROUND}", f"measured {COURSE.games}"]
    assert [point.games for point in session.curve] == [0] * 3 + [2 * ROUND] * 3 + [
        COURSE.games
    ] * 3
    assert host.events[:2] == ["measuring", "measured 0"]


def test_measurement_is_not_repeated():
    host = Recorder(stop_after=ROUND)
    session = new_session(host)
    session.run()
    session.measure()
    session.measure()
    assert host.events.count(f"measured {ROUND}") == 1


def test_checkpoints_follow_the_number_of_matches():
    host = Recorder()
    new_session(host, checkpoint_matches=2 * ROUND).run()
    saved = [event for event in host.events if event.startswith("saved")]
    assert saved == [f"saved {2 * ROUND}", f"saved {COURSE.games}"]


def test_checkpoints_are_at_most_a_minute_apart():
    """The clock advances by half a minute per reading, and is read three times per round."""
    host = Recorder()
    new_session(host, clock=Clock(CHECKPOINT_SECONDS / 2)).run()
    saved = [event for event in host.events if event.startswith("saved")]
    assert saved == [f"saved {count}" for count in (*ENDS, COURSE.games)]


def test_seconds_exclude_measurements_and_checkpoints():
    """Each round takes one step of the clock, whatever happens between rounds."""
    plain = new_session(Recorder(), clock=Clock(1.0))
    plain.run()
    busy = new_session(
        Recorder(), clock=Clock(1.0), measure_at=(0, ROUND), checkpoint_matches=ROUND
    )
    busy.run()
    assert plain.seconds == busy.seconds == len(ENDS)


@pytest.mark.parametrize("error", [WorkError("The workers are gone."), KeyboardInterrupt()])
def test_lost_workers_and_interrupts_lose_nothing(error, monkeypatch):
    def failing(*_, **__):
        yield ROUND
        raise error

    monkeypatch.setattr(session_module, "train", failing)
    host = Recorder()
    session = new_session(host)
    if isinstance(error, WorkError):
        with pytest.raises(WorkError, match="The workers are gone"):
            session.run()
    else:
        session.run()
    assert host.events == [f"played {ROUND}", f"saved {ROUND}"]
