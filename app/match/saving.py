"""Saves what the learners of a table learn while they play."""

from collections.abc import Sequence

from agents.agent import Agent, Learner
from agents.storage.store import Store, StoreError
from app.match.moment import LearnerStatus
from app.match.pace import Clock

ACTIONS_BETWEEN_SAVES = 100

_SHARE = 20
"""The next save waits this many times as long as the last one took."""


class TableLearners:
    """The learners at a table. Methods that save access the disk; call them in a thread."""

    def __init__(self, players: Sequence[Agent | None], store: Store | None, clock: Clock) -> None:
        self._seats: dict[Learner, tuple[int, ...]] = {}
        for seat, player in enumerate(players):
            if isinstance(player, Learner):
                self._seats[player] = (*self._seats.get(player, ()), seat)
        self._store = store
        self._clock = clock
        self._tried_at = dict.fromkeys(self._seats, 0)
        self._rests_until = dict.fromkeys(self._seats, clock.now())

    def status(self) -> tuple[LearnerStatus, ...]:
        return tuple(
            [LearnerStatus(seats, learner.stats()) for learner, seats in self._seats.items()]
        )

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
