"""How a learner at a table has changed since it sat down, for plots."""

from typing import Final, NamedTuple

from agents.agent import LearningStats

_MOST: Final = 256
"""Samples that are kept. With more, neighbours are combined."""


class Sample(NamedTuple):
    """A learner at one time.

    surprise     the mean |TD error| since the sample before
    updates      since the sample before
    """

    updates: int
    surprise: float
    epsilon: float
    situations: int


class LearningRecord:
    """Samples of one learner, oldest first."""

    def __init__(self, stats: LearningStats) -> None:
        self.samples: list[Sample] = []
        self._updates = stats.updates
        self._errors = _sum_of_errors(stats)

    def take(self, stats: LearningStats) -> None:
        """Add a sample if the learner has learned since the last one."""
        new = stats.updates - self._updates
        if new <= 0:
            return
        errors = _sum_of_errors(stats)
        surprise = max(0.0, errors - self._errors) / new
        self.samples.append(Sample(new, surprise, stats.epsilon, stats.table_size))
        self._updates, self._errors = stats.updates, errors
        if len(self.samples) > _MOST:
            before, after = self.samples[:-1:2], self.samples[1::2]
            self.samples = [*map(_combined, before, after), *self.samples[2 * len(after) :]]


def _sum_of_errors(stats: LearningStats) -> float:
    return stats.mean_td_error * stats.updates


def _combined(before: Sample, after: Sample) -> Sample:
    updates = before.updates + after.updates
    errors = before.updates * before.surprise + after.updates * after.surprise
    return Sample(updates, errors / updates, after.epsilon, after.situations)
