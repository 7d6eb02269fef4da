"""Plays the matches of a course in rounds, on one core or on several."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from itertools import pairwise
from random import Random
from typing import Final, TypeGuard
from uuid import uuid4

from agents.agent import Agent, Learner
from agents.learners.neural import NeuralLearner
from agents.match import Interrupt, Match
from agents.parallel.parts import Shared, worker_of
from agents.parallel.remote_workers import RemoteWorker
from agents.parallel.workers import ProcessWorker, Worker, WorkerPool
from agents.registry import make, roster
from agents.seeds import Purpose, match_seed
from agents.training.course import POOL, SELF, Course, frozen_learner
from agents.training.self_play import play_part, play_round
from agents.training_log import next_generation
from engine import GAMES

ROUND: Final = 32
"""Matches that one worker plays per round, unless the game's roster says otherwise."""

FEWEST_IN_BATCHES: Final = 8
MOST_IN_BATCHES: Final = 128
MOST_IN_PARTS: Final = 512
"""Limits of the matches per round, and per part of a round, if many are played in step."""

FAST_OPPONENTS: Final = frozenset({SELF, POOL, "random", "easy", "hard"})
"""Opponents that decide about as fast as a tabular learner."""

SNAPSHOT_EVERY: Final = 4 * ROUND
"""Matches after which the current learner joins its earlier selves."""

MAX_EARLIER_SELVES: Final = 8
"""How many earlier selves are kept, the latest ones."""


class EarlierSelves:
    """Earlier values of a learner. Each part of a round meets one of them."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._values: list[Shared[dict[str, object]]] = []
        self._next_snapshot = 0

    def add_if_due(self, learner: Learner, played: int) -> None:
        """Keep the learner's current values if the course needs them and it is time."""
        if POOL in self._course.opponents and played >= self._next_snapshot:
            self._values = [*self._values, Shared(learner.dump())][-MAX_EARLIER_SELVES:]
            self._next_snapshot = played + max(SNAPSHOT_EVERY, played // 4)

    def pick(self, first: int) -> Shared[dict[str, object]] | None:
        """Return the values of the opponent from match `first` on, if there are any."""
        if not self._values:
            return None
        return Random(f"pool/{self._course.seed}/{first}").choice(self._values)


def play_and_learn(
    course: Course,
    learner: Learner,
    first: int,
    count: int,
    earlier: dict[str, object] | None = None,
    interrupt: Interrupt | None = None,
) -> int:
    """Play matches of a course, starting with number `first`. Return how many were finished.

    earlier     the values of the opponent POOL; None for the learner's current values
    interrupt   whether to leave the match under way and the others
    """
    rivals = {name: _rival(course, name, learner, earlier) for name in set(course.opponents)}
    for number in range(first, first + count):
        seed = match_seed(Purpose.TRAINING, course.seed, number)
        state = GAMES[course.game].new(seed, None, None, **course.options_of(number))
        players: list[Agent | None] = [learner] * state.seats
        if rivals:
            sides = len(state.sides)
            for step in range(1, sides):
                side = (number + step) % sides
                # The learner meets an opponent from every side before the next one's turn.
                name = course.opponents[(number // sides + step - 1) % len(course.opponents)]
                for seat in state.sides[side]:
                    players[seat] = rivals[name]
        over = Match(state, players, seed).play_out(interrupt)
        learner.forget_match()
        if not over:
            return number - first
    return count


def check_opponents(course: Course) -> None:
    """Raises ValueError if there is no such agent."""
    for name in set(course.opponents) - {SELF, POOL}:
        make(course.game, name, programs=course.programs)


def _rival(course: Course, name: str, learner: Learner, earlier: dict[str, object] | None) -> Agent:
    if name == SELF:
        return learner
    if name == POOL:
        return frozen_learner(course, learner.dump() if earlier is None else earlier)
    return make(course.game, name, programs=course.programs)


def _play_part(
    learner: Learner,
    interrupt: Interrupt | None,
    course: Course,
    first: int,
    count: int,
    earlier: Shared[dict[str, object]] | None,
) -> int:
    """Play a part of a round. Return how many matches were finished."""
    values = earlier.value if earlier else None
    if plays_in_batches(learner, course):
        return play_part(course, learner, first, count, values, interrupt)
    return play_and_learn(course, learner, first, count, values, interrupt)


def plays_in_batches(learner: Learner, course: Course) -> TypeGuard[NeuralLearner]:
    """Whether a learner plays this course at many tables in step."""
    return isinstance(learner, NeuralLearner) and {SELF, POOL}.issuperset(course.opponents)


def matches_in_batches(played: int, workers: int | None) -> int:
    """Return how many matches are finished in a round: few at first, when each teaches much,
    then as many as one worker plays in about a second. Several workers finish all that they
    begin, so they begin more."""
    most = workers * MOST_IN_PARTS if workers else MOST_IN_BATCHES
    matches = FEWEST_IN_BATCHES
    while matches < most and 2 * matches <= played:
        matches *= 2
    return matches


def matches_per_part(course: Course, learner: Learner) -> int:
    """Return how many matches each of several workers plays before their updates are merged.

    They take about a second: long enough that merging and waiting cost little, short enough
    that workers do not play long with outdated values. It is a number of matches and not a
    time, because the same course must give the same result on a slower machine.
    """
    from agents.learners.tabular import TabularLearner

    fast = isinstance(learner, TabularLearner) and FAST_OPPONENTS.issuperset(course.opponents)
    return (roster(course.game).learners.matches_per_part if fast else None) or ROUND


def split_evenly(matches: range, workers: int) -> list[range]:
    """Divide matches among workers as evenly as possible. Empty parts are left out."""
    cuts = [len(matches) * number // workers for number in range(workers + 1)]
    return [matches[begin:end] for begin, end in pairwise(cuts) if begin < end]


def train(
    course: Course,
    learner: Learner,
    workers: int = 1,
    executor: Executor | None = None,
    first: int = 0,
    latest_end: Callable[[int], int] | None = None,
    interrupt: Interrupt | None = None,
) -> Iterator[int]:
    """Play the course from match `first` on, and yield the matches played after each round.

    executor     plays the matches instead of processes on this machine
    latest_end   for the first match of a round, the match before which it ends at the latest, for
                 a caller that looks at the learner more often
    interrupt    whether to end the course in the middle of a round. It cannot be continued with
                 the same result then. Executors finish the round

    The caller may stop between rounds. The learner then knows what it has learned so far, and
    a later call continues with the next match. The same course and number of workers give the
    same result wherever the matches are played. Each round is counted in the learner's log. A
    round ends when the learner becomes a generation, so that it can be kept.
    """
    earlier = EarlierSelves(course)
    if workers == 1 and executor is None:
        for matches in _rounds(course, learner, first, None, latest_end):
            earlier.add_if_due(learner, matches.start)
            rival = earlier.pick(matches.start)
            if plays_in_batches(learner, course):
                values = rival.value if rival else None
                played = play_round(course, learner, matches.start, len(matches), values, interrupt)
            else:
                played = _play_part(learner, interrupt, course, matches.start, len(matches), rival)
            learner.log = learner.log.after(played)
            yield matches.start + played
            if played < len(matches):
                return
        return
    with WorkerPool(learner, _workers(learner, workers, executor)) as pool:
        for matches in _rounds(course, learner, first, workers, latest_end):
            earlier.add_if_due(learner, matches.start)
            played = pool.play_round(
                [
                    (course, part.start, len(part), earlier.pick(part.start))
                    for part in split_evenly(matches, workers)
                ],
                interrupt,
            )
            learner.log = learner.log.after(played)
            yield matches.start + played
            if played < len(matches):
                return


def _rounds(
    course: Course,
    learner: Learner,
    first: int,
    workers: int | None,
    latest_end: Callable[[int], int] | None = None,
) -> Iterator[range]:
    """Yield the matches of each round. A stopped course has the same rounds when it continues.

    workers   None if the learner plays itself
    """
    before = learner.log.matches - first
    while first < course.games:
        if plays_in_batches(learner, course):
            size = matches_in_batches(first, workers)
        else:
            size = workers * matches_per_part(course, learner) if workers else ROUND
        end = min(first - first % size + size, next_generation(before + first) - before)
        if latest_end is not None:
            end = min(end, max(first + 1, latest_end(first)))
        yield range(first, min(end, course.games))
        first = end


def _workers(learner: Learner, count: int, executor: Executor | None) -> list[Worker]:
    if executor is None:
        return [ProcessWorker(learner, _play_part) for _ in range(count)]
    training = uuid4().hex
    return [
        RemoteWorker(worker_of(executor, number), training, _play_part) for number in range(count)
    ]
