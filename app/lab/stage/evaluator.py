"""The process that measures and studies snapshots of the learner on the stage."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import cycle
from threading import Condition
from time import perf_counter, process_time
from typing import Final

from agents.agent import Agent
from agents.evaluation.intervals import clustered_interval
from agents.evaluation.series import seatings
from agents.learners.tabular import TabularLearner
from agents.match import Match
from agents.registry import make
from agents.seeds import Purpose, match_seed
from agents.training.course import new_learner
from agents.training.measurement import reference_agents
from agents.training_log import CurvePoint
from app.lab.stage.beginning import begin_on_stage
from app.lab.stage.discoveries import Discoverer, Opinion
from app.lab.stage.mind import (
    expectations,
    read_table,
    sample_positions,
    table_opinions,
    view_of,
)
from app.lab.stage.reports import (
    Discovery,
    Measured,
    Position,
    Positions,
    Report,
    Snapshot,
    Subject,
)
from app.lab.stage.then_and_now import compare
from engine import GAMES
from engine.game import View

_MOST_WAITING: Final = 8
"""Snapshots that wait. Only the first ones of a training do; later the newest is enough."""

_SHORTEST, _LONGEST = 0.3, 1.0
_LONGER_PER_SECOND: Final = 0.02
"""Seconds of a measurement: short at first, longer with every second of training."""

_FINAL_SECONDS: Final = 5.0
_POOLED: Final = 0.6
"""A point also counts the matches of earlier snapshots with at least this share of its training,
as long as that changes little."""

_ENOUGH: Final = 200
"""Matches of earlier snapshots that a point counts: the newest ones, about so many."""


class Inbox:
    """Snapshots for the evaluator, received by another thread."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._waiting: list[Snapshot] = []

    def put(self, snapshot: Snapshot) -> None:
        with self._changed:
            self._waiting = [*self._waiting, snapshot][-_MOST_WAITING:]
            self._changed.notify_all()

    def take(self) -> Snapshot:
        """Wait for the next snapshot."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting)
            return self._waiting.pop(0)


@dataclass(slots=True)
class _Record:
    """Results against one rival.

    number   of the next match. The deals of two measurements differ
    pooled   for each snapshot its matches of training and (matches, wins) by deal
    """

    agent: Agent
    number: int = 0
    pooled: list[tuple[int, dict[int, tuple[int, float]]]] = field(default_factory=list)

    def begin(self, matches: int) -> None:
        """Forget what was measured with much less training, and what is no longer needed."""
        kept: list[tuple[int, dict[int, tuple[int, float]]]] = []
        played = 0
        for trained, by_deal in reversed(self.pooled):
            if played >= _ENOUGH or trained < _POOLED * matches or (matches and not trained):
                break
            kept.insert(0, (trained, by_deal))
            played += sum([number for number, _ in by_deal.values()])
        self.pooled = kept
        self.pooled.append((matches, {}))

    def add(self, deal: int, won: float) -> None:
        played, wins = self.pooled[-1][1].get(deal, (0, 0.0))
        self.pooled[-1][1][deal] = (played + 1, wins + won)

    def point(self, matches: int, rival: str, seconds: float) -> CurvePoint:
        deals = [each for _, by_deal in self.pooled for each in by_deal.values()]
        played = sum([number for number, _ in deals])
        rate = sum([won for _, won in deals]) / played
        low, high = clustered_interval(deals)
        return CurvePoint(matches, rival, rate, low, high, seconds, played)


class Evaluator:
    """Measures one snapshot after the other, and studies each.

    request   asks the trainer for the next snapshot
    clock     seconds, for the length of a measurement
    """

    def __init__(
        self,
        subject: Subject,
        send: Callable[[Report], None],
        request: Callable[[], None],
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._subject = subject
        self._send = send
        self._request = request
        self._clock = clock
        course, self._learner = begin_on_stage(subject)
        self._learner.learning = False
        self._novice = new_learner(course)
        self._novice.learning = False
        self._records = {
            name: _Record(make(subject.game, name)) for name in reference_agents(subject.game)
        }
        self._rivals = list(reversed(self._records))
        others = [name for name in self._rivals if name != self._rivals[0]]
        # Every other match is against the strongest rival, whose curve matters most.
        self._turns = [each for name in others for each in (self._rivals[0], name)] or self._rivals
        self._busy = process_time()
        self._discoverer = Discoverer()
        self._positions: list[tuple[Position, View, list[int]]] = []
        self._deals = 0

    def begin(self) -> None:
        """Measure the learner before its first match here, without waiting for the trainer."""
        self.work(Snapshot(self._learner.log.matches, 0.0, self._learner.dump()))

    def work(self, snapshot: Snapshot) -> None:
        """Measure and study a snapshot."""
        self._learner.restore(snapshot.values)
        self.measure(snapshot)
        self._request()
        self._study(snapshot.matches)
        self._compare(snapshot.matches)

    def measure(self, snapshot: Snapshot) -> None:
        """Play against each rival, then go on until the time is up. The very first points come one
        by one, because a match of a beginner may be long."""
        seconds = min(_LONGEST, _SHORTEST + _LONGER_PER_SECOND * snapshot.seconds)
        until = self._clock() + (_FINAL_SECONDS if snapshot.final else seconds)
        for record in self._records.values():
            record.begin(snapshot.matches)
        for name in self._rivals:
            self._play(self._records[name])
            if not snapshot.matches:
                self._send(Measured((self._records[name].point(0, name, 0.0),)))
        turns = cycle(self._turns)
        while self._clock() < until:
            self._play(self._records[next(turns)])
        points = [
            record.point(snapshot.matches, name, snapshot.seconds)
            for name, record in self._records.items()
        ]
        busy = process_time()
        self._send(Measured(tuple(points), busy - self._busy))
        self._busy = busy

    def _play(self, record: _Record) -> None:
        game, own, number = self._subject.game, self._subject.agent, record.number
        record.number += 1
        sides = len(GAMES[game].new(0, None, None).sides)
        ways = seatings([own, *["rival"] * (sides - 1)])
        deal, seating = number // len(ways), ways[number % len(ways)]
        seed = match_seed(Purpose.TUNING, self._subject.seed, deal)
        state = GAMES[game].new(seed, None, None)
        mine = seating.index(0)
        players = [
            self._learner if seat in state.sides[mine] else record.agent
            for seat in range(state.seats)
        ]
        Match(state, players, seed).play_out()
        record.add(deal, state.returns()[state.sides[mine][0]])

    # Studying

    def _study(self, matches: int) -> None:
        learner = self._learner
        if isinstance(learner, TabularLearner):
            mind = read_table(learner, matches)
            self._send(mind)
            names = learner.abstraction
            for change in self._discoverer.look(matches, table_opinions(learner, mind)):
                assert isinstance(change.situation, tuple)
                where, move = names.words(change.situation), names.move_words(change.move)
                self._send(Discovery(matches, where, move, change.now, change.before))
            return
        if not self._positions:
            game, seed = self._subject.game, self._subject.seed
            player = self._records[self._rivals[0]].agent
            found = sample_positions(game, seed, player)
            self._positions = [(each, *view_of(game, each)) for each in found]
            self._send(Positions(tuple(found)))
        seen = expectations(learner, [(view, legal) for _, view, legal in self._positions], matches)
        self._send(seen)
        opinions: dict[Hashable, Opinion] = {
            number: Opinion(values) for number, values in enumerate(seen.values)
        }
        for change in self._discoverer.look(matches, opinions):
            assert isinstance(change.situation, int)
            position, view, _ = self._positions[change.situation]
            self._send(
                Discovery(
                    matches,
                    position.words,
                    view.label(change.move),
                    change.now,
                    change.before,
                    change.situation,
                    change.move,
                )
            )

    def _compare(self, matches: int) -> None:
        if not matches:
            return
        number = self._deals
        self._deals += 1
        seed = match_seed(Purpose.TUNING, self._subject.seed + 1, number)
        rival = self._records[self._rivals[0]].agent
        game = self._subject.game
        self._send(compare(game, seed, number, self._novice, self._learner, rival, matches))
