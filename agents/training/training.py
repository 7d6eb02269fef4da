"""Letting a learner play many matches, on one core or on several, and watching it improve."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any, Final
from uuid import uuid4

from agents.agent import Agent, Learner
from agents.evaluation.evaluation import Series, pack_agents, packed, play_series, standing
from agents.match import Match
from agents.parallel.parts import Shared, member_of
from agents.parallel.remote_workers import HelperElsewhere
from agents.parallel.workers import Crew, Helper, ProcessHelper
from agents.registry import create, make, sit_down
from agents.seeds import seed_of
from agents.storage.store import Store
from engine import GAMES
from engine.game import OptionValue

ROUND: Final = 32
"""Matches that one worker plays in a round. After each round a training can be stopped."""

SELF: Final = "self"
"""The opponent that is the learner as it is now, learning on that side as well."""

POOL: Final = "pool"
"""The opponent that is one of the learner's earlier selves. They do not learn."""

MATCHES_PER_PART: Final = {"euchre": 128, "smear": 64, "truco": 96, "fodinha": 64}
"""Matches that a learner with a table plays in about a second, where ROUND takes less."""

QUICK: Final = frozenset({SELF, POOL, "random", "easy", "hard"})
"""Opponents with whom it does not take longer."""

SNAPSHOT: Final = 4 * ROUND
"""Matches after which the learner as it is joins the pool."""

EARLIER_SELVES: Final = 8
"""How many of them stay in the pool, the latest ones."""

YARDSTICKS: Final = ("random", "hard")
"""Who a learner is measured against while it trains. They do not learn."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is trained and how.

    opponents   for the other sides, taken in turn: names of agents, SELF or POOL; nobody: the
                learner plays itself
    settings, rewards
                what to change about the learner, by name
    """

    game: str
    agent: str
    games: int
    seed: int = 0
    options: dict[str, OptionValue] = field(default_factory=dict)
    opponents: tuple[str, ...] = ()
    settings: dict[str, float] = field(default_factory=dict)
    rewards: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """How a learner did after so many matches of training: win rate with its 95 % interval."""

    games: int
    against: str
    win_rate: float
    low: float
    high: float


def new_learner(course: Course, store: Store | None = None) -> Learner:
    """The learner of a course; with a store, it goes on from what it knows. Raises ValueError."""
    agent = create(course.game, course.agent)
    if not isinstance(agent, Learner):
        raise ValueError(f"{course.agent} does not learn; train an agent that does, such as q.")
    agent.learning = True
    if course.settings or course.rewards:
        agent.adjust(course.settings, course.rewards)
    if store is not None:
        store.notices += sit_down(agent, store)
    return agent


def frozen(course: Course, known: dict[str, object]) -> Learner:
    """The learner of a course who knows that much and learns no more."""
    learner = new_learner(course)
    learner.restore(known)
    learner.learning = False
    return learner


class Pool:
    """Earlier selves of a learner. Each round of matches meets one of them."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._selves: list[Shared[dict[str, object]]] = []
        self._due = 0

    def remember(self, learner: Learner, played: int) -> None:
        """Take in the learner as it is, if it is time to and somebody wants to meet it."""
        if POOL in self._course.opponents and played >= self._due:
            self._selves = [*self._selves, Shared(learner.dump())][-EARLIER_SELVES:]
            self._due = played + SNAPSHOT

    def whom_to_meet(self, first: int) -> Shared[dict[str, object]] | None:
        """What the earlier self knew that is met from match `first` on."""
        if not self._selves:
            return None
        return Random(seed_of("pool", self._course.seed, first)).choice(self._selves)


def play_lessons(
    course: Course,
    learner: Learner,
    first: int,
    count: int,
    earlier: dict[str, object] | None = None,
) -> None:
    """Matches number `first` and following of a course.

    earlier   what the earlier self knew that stands for the pool
    """
    rivals = {name: _rival(course, name, learner, earlier) for name in set(course.opponents)}
    for number in range(first, first + count):
        seed = seed_of("train", course.seed, number)
        state = GAMES[course.game].new(seed, None, None, **course.options)
        players: list[Agent | None] = [learner] * state.seats
        if rivals:
            sides = len(state.sides)
            for step in range(1, sides):
                side = (number + step) % sides
                # Everybody is met from every side before the next one's turn comes.
                name = course.opponents[(number // sides + step - 1) % len(course.opponents)]
                for seat in state.sides[side]:
                    players[seat] = rivals[name]
        Match(state, players, seed).play_out()
        learner.forget_match()


def _rival(course: Course, name: str, learner: Learner, earlier: dict[str, object] | None) -> Agent:
    if name == SELF:
        return learner
    if name == POOL:
        return frozen(course, learner.dump() if earlier is None else earlier)
    return make(course.game, name)


def _round_of_helper(
    learner: Learner,
    course: Course,
    first: int,
    count: int,
    earlier: Shared[dict[str, object]] | None,
) -> None:
    play_lessons(course, learner, first, count, earlier.value if earlier else None)


def part_of_round(course: Course, learner: Learner) -> int:
    """Matches that each of several workers plays before what all have learned is put together.

    Enough that little time goes into that and into waiting for the slowest, and few enough
    that nobody plays for long with what the others know better by now. It is a number and no
    time, since the same course must teach the same on a slower machine.
    """
    from agents.learners.tabular import TabularLearner

    quick = isinstance(learner, TabularLearner) and QUICK.issuperset(course.opponents)
    return MATCHES_PER_PART.get(course.game, ROUND) if quick else ROUND


def shares(matches: range, workers: int) -> list[range]:
    """Matches dealt out to so many workers, as evenly as can be; none to those left over."""
    cuts = [len(matches) * number // workers for number in range(workers + 1)]
    return [matches[begin:end] for begin, end in pairwise(cuts) if begin < end]


def train(
    course: Course,
    learner: Learner,
    workers: int = 1,
    executor: Executor | None = None,
    first: int = 0,
) -> Iterator[int]:
    """Train, and say after each round how many matches have been played.

    executor   plays the matches in place of processes of our own

    Whoever iterates may stop between rounds; the learner then knows what it has learned so
    far, and match number `first` is where to go on. The same course and number of workers
    teach the same, wherever the matches are played.
    """
    pool = Pool(course)
    if workers == 1 and executor is None:
        for start in range(first, course.games, ROUND):
            count = min(ROUND, course.games - start)
            pool.remember(learner, start)
            earlier = pool.whom_to_meet(start)
            play_lessons(course, learner, start, count, earlier.value if earlier else None)
            yield start + count
        return
    to_play = range(first, course.games)
    at_once = workers * part_of_round(course, learner)
    with Crew(learner, _helpers(learner, workers, executor)) as crew:
        while to_play:
            round_, to_play = to_play[:at_once], to_play[at_once:]
            pool.remember(learner, round_.start)
            crew.play_round(
                [
                    (course, part.start, len(part), pool.whom_to_meet(part.start))
                    for part in shares(round_, workers)
                ]
            )
            yield round_.stop


def _helpers(learner: Learner, workers: int, executor: Executor | None) -> list[Helper]:
    if executor is None:
        return [ProcessHelper(learner, _round_of_helper) for _ in range(workers)]
    training = uuid4().hex
    return [
        HelperElsewhere(member_of(executor, number), training, _round_of_helper)
        for number in range(workers)
    ]


def measure(
    course: Course,
    learner: Learner,
    games: int,
    played: int,
    rivals: Sequence[str] = YARDSTICKS,
    executor: Executor | None = None,
    workers: int = 1,
) -> list[CurvePoint]:
    """How the learner does now against those who do not learn."""
    student = packed(frozen(course, learner.dump()))
    sides = len(GAMES[course.game].new(0, None, None, **course.options).sides)
    others = pack_agents(course.game, rivals)
    rows = [
        Series(
            course.game,
            (course.agent, *[name] * (sides - 1)),
            course.seed,
            course.options,
            (student, *[others[name]] * (sides - 1)),
        )
        for name in rivals
    ]
    results = play_series(rows, games, workers, executor)
    return [
        _point(played, name, standing(course.agent, 0, outcomes))
        for name, outcomes in zip(rivals, results, strict=True)
    ]


def _point(played: int, rival: str, entry: dict[str, Any]) -> CurvePoint:
    low, high = entry["ci95"]
    return CurvePoint(played, rival, entry["win_rate"], low, high)


def milestones(games: int, count: int) -> Sequence[int]:
    """After how many matches to measure: evenly spread, the last one at the end."""
    return sorted({max(1, games * number // count) for number in range(1, count + 1)})
