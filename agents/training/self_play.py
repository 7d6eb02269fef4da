"""Self-play in batches: many tables advance in step, so one network call serves all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.learners.encoding import Floats, Integers, Reading
from agents.learners.neural import NeuralLearner, targets
from agents.seeds import Purpose, match_seed
from agents.training.course import POOL, Course, frozen_learner
from engine import GAMES
from engine.game import OVER, State

POOL_SHARE: Final = 5
"""One of so many tables has an earlier self at the other sides."""

_FEW: Final = 8
"""Matches in progress at the beginning."""


@dataclass(slots=True)
class _Table:
    """A match in progress.

    network   the number of the network that plays it
    earlier   the seats of the earlier self, which does not learn
    steps     the decisions of this hand: seat and place in the record of decisions
    """

    state: State
    network: int
    earlier: frozenset[int]
    hand_no: int = 1
    over: bool = False
    steps: list[tuple[int, int]] = field(default_factory=list)


class _Record:
    """Decisions of hands in progress. Their places are used again after the hand."""

    def __init__(self, columns: int) -> None:
        self.codes: Integers = np.empty((1024, columns), dtype=np.int64)
        self.moves: Integers = np.empty(1024, dtype=np.int64)
        self.values: Floats = np.empty(1024, dtype=np.float32)
        self._free = list(range(1024))

    def take(self, count: int) -> list[int]:
        """Places for so many decisions."""
        while len(self._free) < count:
            room = len(self.codes)
            self.codes = np.resize(self.codes, (2 * room, self.codes.shape[1]))
            self.moves = np.resize(self.moves, 2 * room)
            self.values = np.resize(self.values, 2 * room)
            self._free += range(room, 2 * room)
        taken, self._free = self._free[-count:], self._free[:-count]
        return taken

    def give_back(self, places: Sequence[int]) -> None:
        self._free += places


class _Asked:
    """Tables at which one network has to decide."""

    def __init__(self) -> None:
        self.tables: list[_Table] = []
        self.seats: list[int] = []
        self._legals: list[list[int]] = []
        self._codes: list[list[int]] = []
        self._moves: list[int] = []

    def add(self, table: _Table, seat: int, legal: list[int], reading: Reading) -> None:
        self.tables.append(table)
        self.seats.append(seat)
        self._legals.append(legal)
        self._codes += reading.codes
        self._moves += reading.moves

    def arrays(self) -> tuple[Integers, Integers, Integers]:
        """Their codes, the number of choices at each table, and all moves."""
        counts = [len(legal) for legal in self._legals]
        return (
            np.array(self._codes, dtype=np.int64),
            np.array(counts, dtype=np.int64),
            np.array(self._moves, dtype=np.int64),
        )

    def apply(self, chosen: Integers) -> None:
        """Take the chosen action at each table."""
        for table, legal, choice in zip(self.tables, self._legals, chosen.tolist(), strict=True):
            table.state.apply(legal[choice])


class SelfPlay:
    """Plays the matches of a course with one learner at all seats, and lets it learn.

    Matches in progress go on in the next round. They are lost when the course stops.
    """

    def __init__(self, course: Course, learner: NeuralLearner, first: int, end: int) -> None:
        """first: the number of the first match; end: after the last one."""
        self._course = course
        self._learner = learner
        self._first = first
        self._end = end
        self._next = first
        self._chance = np.random.default_rng(match_seed(Purpose.TRAINING, course.seed, first))
        self._record = _Record(learner.encoding.columns)
        self._outcomes: list[tuple[list[int], list[float]]] = [
            ([], []) for _ in range(learner.encoding.networks)
        ]
        self._shares: list[float] = []
        self._finished = 0
        self._wanted = 0
        self._tables: list[_Table] = []
        self._earlier: NeuralLearner | None = None

    def go_on(self, course: Course, first: int) -> bool:
        """Whether a round of this course that begins later belongs to these tables."""
        return course == self._course and first > self._first

    def play(self, count: int, earlier: dict[str, object] | None) -> None:
        """Play until so many more matches are over.

        earlier   the values of an earlier self to play against; None for none
        """
        self._earlier = None
        if earlier is not None:
            rival = frozen_learner(self._course, earlier)
            assert isinstance(rival, NeuralLearner)
            self._earlier = rival
        self._wanted += count
        while self._finished < self._wanted:
            # At first few matches are in progress, so that a young learner has seen few.
            room = min(int(self._learner.settings.tables), max(_FEW, self._first + self._finished))
            room = min(room, self._end - self._first - self._finished)
            while len(self._tables) < room:
                self._tables.append(self._open())
            self._step()

    def _open(self) -> _Table:
        number = self._next
        self._next += 1
        seed = match_seed(Purpose.TRAINING, self._course.seed, number)
        options = self._course.options_of(number)
        state = GAMES[self._course.game].new(seed, None, None, **options)
        earlier: frozenset[int] = frozenset()
        if POOL in self._course.opponents and number % POOL_SHARE == 0:
            own = state.sides[number // POOL_SHARE % len(state.sides)]
            earlier = frozenset(range(state.seats)) - frozenset(own)
        return _Table(state, self._learner.encoding.network(state.view(0)), earlier)

    def _step(self) -> None:
        """One decision at each table."""
        read = self._learner.encoding.read
        own = [_Asked() for _ in range(self._learner.encoding.networks)]
        others = [_Asked() for _ in own]
        ready = [table for table in self._tables if self._to_decision(table)]
        self._tables = [table for table in self._tables if not table.over]
        for table in ready:
            state = table.state
            seat = state.turn
            legal = state.legal()
            asked = others if seat in table.earlier and self._earlier else own
            asked[table.network].add(table, seat, legal, read(state.view(seat), legal))
        for network, asked_here in enumerate(own):
            if asked_here.tables:
                self._decide(network, asked_here)
        for network, asked_here in enumerate(others):
            if asked_here.tables:
                self._decide_earlier(network, asked_here)
        self._learn()

    def _decide(self, network: int, asked: "_Asked") -> None:
        """The learner decides and keeps its decisions."""
        codes, counts, moves = asked.arrays()
        values = self._learner.values(network, codes, counts, moves)
        starts = np.cumsum(counts) - counts
        chosen = self._best(values, counts, starts)
        explores = self._chance.random(len(counts)) < self._learner.curiosity
        if explores.any():
            anything = (self._chance.random(len(counts)) * counts).astype(np.int64)
            chosen = np.where(explores, anything, chosen)
        at = starts + chosen
        record = self._record
        places = record.take(len(counts))
        record.codes[places] = codes[at] if self._learner.encoding.per_action else codes
        record.moves[places] = moves[at]
        record.values[places] = values[at]
        for table, seat, place in zip(asked.tables, asked.seats, places, strict=True):
            table.steps.append((seat, place))
        asked.apply(chosen)
        self._learner.count_decisions(len(counts), int(explores.sum()))

    def _decide_earlier(self, network: int, asked: "_Asked") -> None:
        assert self._earlier is not None
        codes, counts, moves = asked.arrays()
        values = self._earlier.values(network, codes, counts, moves)
        asked.apply(self._best(values, counts, np.cumsum(counts) - counts))

    def _best(self, values: Floats, counts: Integers, starts: Integers) -> NDArray[np.int64]:
        """For each decision the number of its best choice, a random one of equal ones."""
        row_of = np.repeat(np.arange(len(counts)), counts)
        padded = np.full((len(counts), int(counts.max())), -np.inf)
        padded[row_of, np.arange(len(values)) - starts[row_of]] = values
        best = padded == padded.max(axis=1, keepdims=True)
        ranks = np.where(best, self._chance.random(padded.shape), -1.0)
        chosen: NDArray[np.int64] = ranks.argmax(axis=1)
        return chosen

    def _to_decision(self, table: _Table) -> bool:
        """Play forced actions up to the next decision. Returns False at the end of a match. It
        counts only in the next round if this one has enough."""
        state = table.state
        while True:
            if state.turn == OVER and self._finished == self._wanted:
                return False
            if state.turn == OVER or state.hand_no != table.hand_no:
                self._finish_hand(table)
                table.hand_no = state.hand_no
                if state.turn == OVER:
                    self._finished += 1
                    table.over = True
                    return False
            legal = state.legal()
            if len(legal) > 1:
                return True
            state.apply(legal[0])

    def _finish_hand(self, table: _Table) -> None:
        state = table.state
        points = state.hand_returns()
        rewards = self._learner.rewards
        worth = [rewards.of_hand(points, side) for side in range(len(state.sides))]
        if state.turn == OVER:
            shares = state.returns()
            for side, seats in enumerate(state.sides):
                worth[side] += rewards.of_match(shares[seats[0]])
            learning = next(seat for seat in range(state.seats) if seat not in table.earlier)
            self._shares.append(shares[learning])
        places, outcomes = self._outcomes[table.network]
        for side, seats in enumerate(state.sides):
            for seat in seats:
                own = [place for by, place in table.steps if by == seat]
                values = self._record.values[own].tolist()
                places += own
                outcomes += targets(values, worth[side], self._learner.settings)
        table.steps.clear()

    def _learn(self) -> None:
        """Hand the decisions of finished hands to the learner."""
        for network, (places, outcomes) in enumerate(self._outcomes):
            if places:
                self._learner.learn_outcomes(
                    network,
                    self._record.codes[places],
                    self._record.moves[places],
                    np.array(outcomes, dtype=np.float32),
                    self._record.values[places],
                )
                self._record.give_back(places)
                self._outcomes[network] = ([], [])
        self._learner.count_matches(self._shares)
        self._shares.clear()


def play_round(
    course: Course,
    learner: NeuralLearner,
    first: int,
    count: int,
    earlier: dict[str, object] | None,
) -> None:
    """Finish so many matches of a course. Matches in progress go on in its next round."""
    tables = learner.tables
    if not isinstance(tables, SelfPlay) or not tables.go_on(course, first):
        tables = learner.tables = SelfPlay(course, learner, first, course.games)
    tables.play(count, earlier)


def play_part(
    course: Course,
    learner: NeuralLearner,
    first: int,
    count: int,
    earlier: dict[str, object] | None,
) -> None:
    """Begin and finish so many matches, as one of several workers does."""
    SelfPlay(course, learner, first, first + count).play(count, earlier)
