"""Self-play in batches: many tables advance in step, so one network call serves all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.learners.encoding import Floats, Integers, Reading
from agents.learners.judge import judge_for
from agents.learners.neural import NeuralLearner, targets_of
from agents.learners.rewards import side_of
from agents.match import Interrupt
from agents.seeds import Purpose, match_seed
from agents.training.course import POOL, Course, frozen_learner
from engine import GAMES
from engine.game import OVER, State

MOST_TRIED: Final = 8
"""Actions of a decision that are tried at most."""

POOL_SHARE: Final = 5
"""One of so many tables has an earlier self at the other sides."""

_FEW: Final = 8
"""Matches in progress at the beginning."""


@dataclass(slots=True)
class _Table:
    """A match in progress.

    network   the number of the network that plays it
    earlier   the seats of the earlier self, which does not learn
    is_copy   whether it is a copy on which an action is tried. It ends with the hand
    steps     for each seat its decisions of this hand
    trials    decisions of this hand whose outcome is compared with that of other actions
    """

    state: State
    network: int
    earlier: frozenset[int]
    is_copy: bool = False
    hand_no: int = 1
    over: bool = False
    trials: list["_Trial"] = field(default_factory=list)
    steps: list[list["_Step"]] = field(init=False)

    def __post_init__(self) -> None:
        self.steps = [[] for _ in range(self.state.seats)]


class _Step(NamedTuple):
    """A decision of a hand in progress: its place in the record, and the value of its best
    move."""

    place: int
    best: float
    judged: float


@dataclass(slots=True)
class _Comparison:
    """A decision at which all actions are tried, each on a copy of the table with the same deal.

    codes, moves, values
               of the actions: rows, moves and what the network expected
    outcomes   of each, once known
    open       the number of outcomes not known yet
    """

    codes: Integers
    moves: Integers
    values: Floats
    outcomes: Floats
    open: int

    def targets(self) -> Floats:
        """The outcomes, moved to the mean that the network expected. The luck of the deal is the
        same for all actions, so that only their difference teaches something."""
        targets: Floats = self.outcomes - self.outcomes.mean() + self.values.mean()
        return targets


class _Trial(NamedTuple):
    """An action of a comparison, tried by a seat."""

    comparison: _Comparison
    action: int
    seat: int


class _Record:
    """Decisions of hands in progress. Their places are used again after the hand."""

    def __init__(self, columns: int, facts: int, open_columns: int) -> None:
        self.open: Integers = np.empty((1024, open_columns), dtype=np.int64)
        self.codes: Integers = np.empty((1024, columns), dtype=np.int64)
        self.moves: Integers = np.empty((1024, facts), dtype=np.int64)
        self.values: Floats = np.empty(1024, dtype=np.float32)
        self._free = list(range(1024))

    def take(self, count: int) -> list[int]:
        """Places for so many decisions."""
        while len(self._free) < count:
            room = len(self.codes)
            self.codes = np.resize(self.codes, (2 * room, self.codes.shape[1]))
            self.moves = np.resize(self.moves, (2 * room, self.moves.shape[1]))
            self.open = np.resize(self.open, (2 * room, self.open.shape[1]))
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
        self.legals: list[list[int]] = []
        self.open: list[list[int]] = []
        self._codes: list[list[int]] = []
        self._places: list[int] = []
        self._moves: list[tuple[int, ...]] = []

    def add(self, table: _Table, seat: int, legal: list[int], reading: Reading) -> None:
        self.tables.append(table)
        self.seats.append(seat)
        self.legals.append(legal)
        first = len(self._codes)
        self._codes += reading.rows
        self._places += [first + place for place in reading.places] if first else reading.places
        self._moves += reading.moves

    def actions(self) -> "_Actions":
        return _Actions(
            np.array(self._codes, dtype=np.int64),
            np.array(self._places, dtype=np.int64),
            np.array(self._moves, dtype=np.int64),
            np.array([len(legal) for legal in self.legals], dtype=np.int64),
        )

    def apply(self, chosen: Integers) -> None:
        """Take the chosen action at each table."""
        for table, legal, choice in zip(self.tables, self.legals, chosen.tolist(), strict=True):
            table.state.apply(legal[choice])


class _Actions(NamedTuple):
    """The legal actions at all tables.

    codes    rows of codes
    places   for each action the number of its row
    moves    for each action its facts
    counts   for each table the number of its actions
    """

    codes: Integers
    places: Integers
    moves: Integers
    counts: Integers


class SelfPlay:
    """Plays the matches of a course with one learner at all seats, and lets it learn.

    At some decisions all actions are tried, each on a copy of the table that is played to the end
    of the hand. Their outcomes differ by the action alone, not by the luck of the deal.

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
        self._judge = judge_for(learner.encoding, learner.settings)
        self._record = _Record(
            learner.encoding.columns,
            len(learner.encoding.moves),
            self._judge.hands.columns if self._judge else 0,
        )
        self._targets: list[tuple[list[int], list[float], list[float], list[float]]] = [
            ([], [], [], []) for _ in range(learner.encoding.networks)
        ]
        self._shares: list[float] = []
        self._finished = 0
        self._wanted = 0
        self._tables: list[_Table] = []
        self._copies: list[_Table] = []
        self._compared: list[list[_Comparison]] = [[] for _ in self._targets]
        self._earlier: NeuralLearner | None = None

    def go_on(self, course: Course, first: int) -> bool:
        """Whether a round of this course that begins later belongs to these tables."""
        return course == self._course and first > self._first

    def play(
        self, count: int, earlier: dict[str, object] | None, interrupt: Interrupt | None = None
    ) -> int:
        """Play until so many more matches are over. Return how many are.

        earlier     the values of an earlier self to play against; None for none
        interrupt   whether to stop earlier
        """
        self._earlier = None
        if earlier is not None:
            rival = frozen_learner(self._course, earlier)
            assert isinstance(rival, NeuralLearner)
            self._earlier = rival
        self._wanted += count
        while self._finished < self._wanted:
            # At first few matches are in progress, so that a young learner has seen few.
            settings = self._learner.settings
            most = max(1, int(settings.tables) // (1 + int(settings.copies)))
            room = min(most, max(_FEW, self._first + self._finished))
            room = min(room, self._end - self._first - self._finished)
            while len(self._tables) < room:
                self._tables.append(self._open())
            self._step()
            if interrupt is not None and interrupt():
                break
        played = count - (self._wanted - self._finished)
        self._wanted = self._finished
        return played

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
        ready = [table for table in self._tables + self._copies if self._to_decision(table)]
        self._tables = [table for table in self._tables if not table.over]
        self._copies = [table for table in self._copies if not table.over]
        for table in ready:
            state = table.state
            seat = state.turn
            legal = state.legal()
            asked = others if seat in table.earlier and self._earlier else own
            view = state.view(seat)
            reading = read(view, legal)
            asked[table.network].add(table, seat, legal, reading)
            if self._judge and asked is own:
                row = self._judge.hands.read(state, view, reading.rows[0])
                asked[table.network].open.append(row)
        for network, asked_here in enumerate(own):
            if asked_here.tables:
                self._decide(network, asked_here)
        for network, asked_here in enumerate(others):
            if asked_here.tables:
                self._decide_earlier(network, asked_here)
        self._learn()

    def _decide(self, network: int, asked: "_Asked") -> None:
        """The learner decides and keeps its decisions."""
        codes, places, moves, counts = actions = asked.actions()
        values = self._learner.values(network, codes, places, moves)
        starts = np.cumsum(counts) - counts
        chosen = self._best(values, counts, starts)
        best = values[starts + chosen].tolist()
        if self._learner.settings.mixing:
            chosen = self._best(self._learner.mixed(values, self._chance), counts, starts)
        explores = self._chance.random(len(counts)) < self._learner.curiosity
        explores &= np.array([not table.is_copy for table in asked.tables])
        if explores.any():
            anything = (self._chance.random(len(counts)) * counts).astype(np.int64)
            chosen = np.where(explores, anything, chosen)
        at = starts + chosen
        record = self._record
        kept = record.take(len(counts))
        record.codes[kept] = codes[places[at]]
        record.moves[kept] = moves[at]
        record.values[kept] = values[at]
        judged = best
        if self._judge:
            record.open[kept] = asked.open
            judged = self._judge.values(network, record.open[kept]).tolist()
        steps = map(_Step, kept, best, judged)
        for table, seat, step in zip(asked.tables, asked.seats, steps, strict=True):
            table.steps[seat].append(step)
        self._try_others(asked, actions, values, chosen)
        asked.apply(chosen)
        self._learner.count_decisions(len(counts), int(explores.sum()))

    def _try_others(
        self, asked: "_Asked", actions: "_Actions", values: Floats, chosen: Integers
    ) -> None:
        """Try the other actions of some decisions, as long as there is room for copies. Each
        network has room of its own."""
        network = asked.tables[0].network
        mains, copies = [
            sum([table.network == network for table in tables])
            for tables in (self._tables, self._copies)
        ]
        room = int(self._learner.settings.copies) * mains - copies
        starts = np.cumsum(actions.counts) - actions.counts
        for number in self._chance.permutation(len(asked.tables)).tolist():
            if room <= 0:
                return
            table = asked.tables[number]
            if table.is_copy:
                continue
            others = list(range(int(actions.counts[number])))
            others.remove(int(chosen[number]))
            if len(others) >= MOST_TRIED:
                others = self._chance.permutation(others)[: MOST_TRIED - 1].tolist()
            room -= len(others)
            tried = starts[number] + np.array([int(chosen[number]), *others])
            comparison = _Comparison(
                actions.codes[actions.places[tried]],
                actions.moves[tried],
                values[tried],
                np.zeros(len(tried), dtype=np.float32),
                len(tried),
            )
            seat = asked.seats[number]
            table.trials.append(_Trial(comparison, 0, seat))
            for at, other in enumerate(others, 1):
                state = table.state.clone()
                state.deals_on = False
                state.apply(asked.legals[number][other])
                copy = _Table(state, table.network, table.earlier, True, table.hand_no)
                copy.trials.append(_Trial(comparison, at, seat))
                self._copies.append(copy)

    def _decide_earlier(self, network: int, asked: "_Asked") -> None:
        assert self._earlier is not None
        codes, places, moves, counts = asked.actions()
        values = self._earlier.values(network, codes, places, moves)
        if self._earlier.settings.mixing:
            values = self._earlier.mixed(values, self._chance)
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
            over = state.turn == OVER
            if over and not table.is_copy and self._finished == self._wanted:
                return False
            if over or state.hand_no != table.hand_no:
                self._finish_hand(table)
                table.hand_no = state.hand_no
                if over or table.is_copy:
                    table.over = True
                    self._finished += not table.is_copy
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
            if not table.is_copy:
                own = next(seat for seat in range(state.seats) if seat not in table.earlier)
                self._shares.append(shares[own])
        settings = self._learner.settings
        places, targets, expected, judged = self._targets[table.network]
        for comparison, action, seat in table.trials:
            comparison.outcomes[action] = worth[side_of(seat, state.sides)]
            comparison.open -= 1
            if not comparison.open:
                self._compared[table.network].append(comparison)
        table.trials.clear()
        for side, seats in enumerate(state.sides):
            for seat in seats:
                steps = table.steps[seat]
                if steps:
                    kept, best, known = zip(*steps, strict=True)
                    places += kept
                    targets += targets_of(known, worth[side], settings)
                    expected += best
                    judged += known
                    steps.clear()

    def _learn(self) -> None:
        """Hand the decisions of finished hands to the learner."""
        for network, (places, outcomes, expected, judged) in enumerate(self._targets):
            if places:
                targets = np.array(outcomes, dtype=np.float32)
                if self._judge:
                    self._judge.learn(network, self._record.open[places], targets)
                    targets = self._judge.without_luck(
                        network,
                        targets,
                        np.array(expected, dtype=np.float32),
                        np.array(judged, dtype=np.float32),
                    )
                self._learner.learn_targets(
                    network,
                    self._record.codes[places],
                    self._record.moves[places],
                    targets,
                    self._record.values[places],
                )
                self._record.give_back(places)
                self._targets[network] = ([], [], [], [])
        for network, compared in enumerate(self._compared):
            if compared:
                self._learner.learn_compared(
                    network,
                    np.concatenate([each.codes for each in compared]),
                    np.concatenate([each.moves for each in compared]),
                    np.concatenate([each.targets() for each in compared]),
                    np.concatenate([each.values for each in compared]),
                )
                compared.clear()
        self._learner.count_matches(self._shares)
        self._shares.clear()


def play_round(
    course: Course,
    learner: NeuralLearner,
    first: int,
    count: int,
    earlier: dict[str, object] | None,
    interrupt: Interrupt | None = None,
) -> int:
    """Finish so many matches of a course, fewer if interrupted, and return how many. Matches in
    progress go on in its next round."""
    tables = learner.tables
    if not isinstance(tables, SelfPlay) or not tables.go_on(course, first):
        tables = learner.tables = SelfPlay(course, learner, first, course.games)
    return tables.play(count, earlier, interrupt)


def play_part(
    course: Course,
    learner: NeuralLearner,
    first: int,
    count: int,
    earlier: dict[str, object] | None,
    interrupt: Interrupt | None = None,
) -> int:
    """Begin and finish so many matches, as one of several workers does. Return how many were
    finished."""
    return SelfPlay(course, learner, first, first + count).play(count, earlier, interrupt)
