"""Saves what the learners of a table learn while they play."""

from collections import deque
from collections.abc import Sequence

from agents.agent import Agent, Learner, Lesson
from agents.storage.store import Store, StoreError
from app.match.learning_record import LearningRecord
from app.match.moment import LearnerStatus
from app.match.pace import Clock

ACTIONS_BETWEEN_SAVES = 100

LESSONS = 30
"""How many of the latest updates are kept for the panel."""

_SHARE = 20
"""The next save waits this many times as long as the last one took."""


class TableLearners:
    """The learners at a table. Methods that save access the disk; call them in a thread."""

    def __init__(self, players: Sequence[Agent | None], store: Store | None, clock: Clock) -> None:
        self._seats: dict[Learner, tuple[int, ...]] = {}
        for seat, player in enumerate(players):
            if isinstance(player, Learner):
                self._seats[player] = (*self._seats.get(player, ()), seat)
        self._records = {learner: LearningRecord(learner.stats()) for learner in self._seats}
        for learner in self._seats:
            if learner.lessons is None:
                learner.lessons = deque(maxlen=LESSONS)
        self._public: dict[Learner, tuple[Lesson, ...]] = {}
        """The updates up to the end of the last hand."""
        self._store = store
        self._clock = clock
        self._tried_at = dict.fromkeys(self._seats, 0)
        self._rests_until = dict.fromkeys(self._seats, clock.now())

    def continue_series(self, previous: "TableLearners") -> None:
        """Continue the plots of the match before."""
        self._records |= {
            learner: record
            for learner, record in previous._records.items()
            if learner in self._records
        }
        self._public = previous._public

    def end_hand(self) -> None:
        """The hand is over, so that its updates may be shown."""
        self._public = {learner: tuple(learner.lessons or ()) for learner in self._seats}

    def status(self, open_hands: bool) -> tuple[LearnerStatus, ...]:
        """The learners as they are now.

        open_hands   whether updates of the current hand are included. They tell much about the
                     learner's cards
        """
        found = []
        for learner, seats in self._seats.items():
            stats, record = learner.stats(), self._records[learner]
            record.take(stats)
            lessons = tuple(learner.lessons or ()) if open_hands else self._public.get(learner, ())
            found.append(LearnerStatus(seats, stats, tuple(record.samples), lessons))
        return tuple(found)

    def due(self) -> bool:
        """Whether a learner has enough unsaved actions."""
        return any(map(self._is_due, self._seats))

    def save_due(self) -> None:
        for learner in self._seats:
            if self._is_due(learner):
                self._save(learner)

    def save(self) -> None:
        """Save every learner that has learned something."""
        for learner in self._seats:
            if learner.learning and learner.unsaved:
                self._save(learner)

    def forget_match(self) -> None:
        for learner in self._seats:
            learner.forget_match()

    def _is_due(self, learner: Learner) -> bool:
        if learner.unsaved < self._tried_at[learner]:
            self._tried_at[learner] = 0
        enough = learner.unsaved - self._tried_at[learner] >= ACTIONS_BETWEEN_SAVES
        return learner.learning and enough and self._clock.now() >= self._rests_until[learner]

    def _save(self, learner: Learner) -> None:
        if self._store is None:
            return
        began = self._clock.now()
        try:
            self._store.save(learner)
        except StoreError as error:
            self._store.notices.append(str(error))
        self._tried_at[learner] = learner.unsaved
        now = self._clock.now()
        self._rests_until[learner] = now + _SHARE * (now - began)
