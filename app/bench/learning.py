"""Figures of the agents: learning, deciding, several workers, memory of learned values."""

from dataclasses import replace
from functools import partial
from itertools import islice, product
from time import perf_counter
from tracemalloc import get_traced_memory
from tracemalloc import start as start_tracing
from tracemalloc import stop as stop_tracing
from typing import Final

from agents.euchre.features import EuchreAbstraction
from agents.euchre.rewards import EuchreRewards
from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import Conditions
from agents.learners.neural import NeuralLearner
from agents.learners.q import QLearner
from agents.learners.row import Row
from agents.match import Match
from agents.registry import agents_for, make
from agents.training.course import Course, new_learner
from agents.training.rounds import play_and_learn, train
from agents.training.self_play import play_round
from app.bench.figures import Measure, Peer, Task, rating
from app.bench.peers import OPEN_SPIEL, open_spiel
from engine import GAMES

EUCHRE: Final = Course("euchre", "q", 1_000_000, options={"players": 4})
MILLION: Final = 1_000_000
SOME: Final = 20_000
TRIED: Final = 4
"""Moves that a learner typically has tried in a situation."""
CORES: Final = 2
TRAINED: Final = 1024
EVALUATED: Final = 1024
"""Matches of one measurement with several workers. They take seconds, so that starting processes
weighs no more than in work of minutes."""
WARM_UP: Final = 600
FEW: Final = 64
"""Matches of self-play before a measurement, and in one step of it."""
TURNS: Final = 3
"""Rounds of the measurements with several workers."""


def q_updates() -> Measure:
    learner = new_learner(EUCHRE)
    numbers = iter(range(MILLION))

    def learn() -> int:
        before = learner.stats().updates
        play_and_learn(EUCHRE, learner, next(numbers), 1)
        return learner.stats().updates - before

    return rating(learn)


def self_play(in_step: bool) -> Measure:
    """Decisions of a network that learns from its own play, at many tables in step or at one
    table at a time. Its first matches are not measured: few tables are open then."""
    course = replace(EUCHRE, agent="neural")
    learner = new_learner(course)
    assert isinstance(learner, NeuralLearner)
    play = partial(play_round, course, learner, earlier=None)
    play(0, WARM_UP)
    numbers = iter(range(WARM_UP, MILLION, FEW))

    def learn() -> int:
        before = learner.stats().total_actions
        first = next(numbers)
        if in_step:
            play(first, FEW)
        else:
            play_and_learn(course, learner, first, 1)
        return learner.stats().total_actions - before

    return rating(learn)


def decisions_of(agent: str) -> Measure:
    """Decisions of an agent at all seats of Euchre, each from a fresh view."""
    players = [make("euchre", agent)] * 4
    numbers = iter(range(MILLION))

    def play() -> int:
        seed = next(numbers)
        match = Match(GAMES["euchre"].new(seed, None, None, players=4), players, seed)
        match.play_out()
        return match.decisions

    return rating(play)


def matches_of_fodinha() -> Measure:
    players = [make("fodinha", name) for name in ("hard", "easy", "easy", "easy")]
    numbers = iter(range(MILLION))

    def play() -> int:
        seed = next(numbers)
        Match(GAMES["fodinha"].new(seed, None, None), players, seed).play_out()
        return 1

    return rating(play)


def training(workers: int, learner: QLearner | None = None) -> Measure:
    """Training matches per second of wall time, with a new learner or a given one."""
    course = replace(EUCHRE, games=TRAINED)

    def measure() -> float:
        start = perf_counter()
        for _ in train(course, learner or new_learner(course), workers):
            pass
        return TRAINED / (perf_counter() - start)

    return measure


def evaluation(workers: int) -> Measure:
    """Evaluation matches per second of wall time."""

    def measure() -> float:
        start = perf_counter()
        conditions = Conditions(options=EUCHRE.options, workers=workers)
        evaluate("euchre", ("q", "hard"), EVALUATED, conditions)
        return EVALUATED / (perf_counter() - start)

    return measure


def learner_with_values(entries: int) -> QLearner:
    """A learner that knows so many situations, none of which occurs in play."""
    learner = QLearner(EuchreAbstraction(), EuchreRewards())
    impossible = len(learner.abstraction.layouts)
    row = Row()
    for move in range(TRIED):
        row.set(move, 0.5 * move, 1)
    packed = row.pack()
    rows = {(impossible, *cells): packed for cells in islice(product(range(10), repeat=6), entries)}
    learner.apply_delta({**learner.take_delta(), "rows": rows})
    return learner


def memory_of_a_situation() -> Measure:
    def measure() -> float:
        start_tracing()
        before, _ = get_traced_memory()
        learner = learner_with_values(SOME)
        after, _ = get_traced_memory()
        stop_tracing()
        return (after - before) / learner.stats().table_size

    return measure


def tasks(peers: bool) -> list[Task]:
    spiel = Peer("OpenSpiel tabular Q-learning", OPEN_SPIEL, open_spiel("q_updates"))
    trained_alone = Peer("one worker", "", lambda: training(1))
    evaluated_alone = Peer("one worker", "", lambda: evaluation(1))
    empty = Peer("a learner that knows nothing", "", lambda: training(CORES))
    return [
        Task(
            "euchre, four players: Q-learning",
            "updates/s",
            q_updates,
            spiel if peers else None,
        ),
        Task(
            "euchre, four players: self-play of a network at many tables",
            "decisions/s",
            partial(self_play, True),
            Peer("one table at a time", "", partial(self_play, False)),
        ),
        *[
            Task(
                f"euchre, four players: decisions of {agent}",
                "decisions/s",
                partial(decisions_of, agent),
            )
            for agent in ("hard", "neural")
            if agent in agents_for("euchre")
        ],
        Task(
            f"euchre, four players: training by {CORES} workers",
            "matches/s",
            partial(training, CORES),
            trained_alone,
            TURNS,
        ),
        Task(
            "euchre, four players: training with a million situations known",
            "matches/s",
            lambda: training(CORES, learner_with_values(MILLION)),
            empty,
            TURNS,
        ),
        Task(
            f"euchre, four players: evaluation by {CORES} workers",
            "matches/s",
            partial(evaluation, CORES),
            evaluated_alone,
            TURNS,
        ),
        Task("fodinha: one hard against three easy", "matches/s", matches_of_fodinha),
        Task("memory of learned values", "bytes/situation", memory_of_a_situation, rounds=1),
    ]
