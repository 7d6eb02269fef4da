"""The base of all learners here: counters, saving and loading, merging with other learners."""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Final, TypeVar

from agents.agent import Learner, LearningStats, Setup
from agents.learners.features import Perception
from agents.learners.settings import REWARD_LIMITS, SETTING_LIMITS, LearningSettings
from agents.learners.steps import Counts
from engine.game import Event, View
from engine.limits import outside

RECENT: Final = 100


_COUNTERS: Final = tuple([each.name for each in fields(Counts)])


class FeatureLearner(Learner):
    """Keeps counters. Subclasses keep what was learned: values, weights or networks."""

    size_unit: str = "situations"

    def __init__(
        self,
        perception: Perception,
        settings: LearningSettings | None = None,
        name: str = "",
        learning: bool = True,
    ) -> None:
        self.name = name or self.name
        self.game = perception.game
        self.learning = learning
        self.perception = perception
        self.settings = settings or LearningSettings()
        self.unsaved = 0
        self._counts = Counts()
        self._saved_counts = Counts()
        self._recent: list[float] = []
        self._unsaved_results = 0
        self._counted_by: dict[int, int] = {}
        self._last_reward = 0.0
        self._last_reasons: tuple[str, ...] = ()
        self._last_update = 0.0

    def describe(self, view: View) -> str:
        return self.perception.describe(view)

    def _epsilon(self) -> float:
        """The share of random actions: of the next one, or of all so far if that depends on the
        situation."""
        counts = self._counts
        if self.settings.familiar and counts.total_actions:
            return counts.exploration_actions / counts.total_actions
        return self.settings.epsilon_after(counts.total_actions, 0.0)

    # Counting

    def _count_action(self, explored: bool) -> None:
        self._counts.total_actions += 1
        if explored:
            self._counts.exploration_actions += 1
        self.unsaved += 1
        if self._counted_by:
            self._counted_by.clear()

    def _count_update(
        self, error: float, change: float, reward: float, reasons: tuple[str, ...]
    ) -> None:
        counts = self._counts
        counts.updates += 1
        counts.td_error += abs(error)
        self._last_reward = reward
        self._last_reasons = reasons
        self._last_update = change

    def _count_match(self, event: Event, seat: int, side: int) -> None:
        """Count a match once per side, even if the learner plays several seats of that side."""
        if self._counted_by.setdefault(side, seat) != seat:
            return
        share = event.points[side]
        self._counts.games += 1
        self._counts.wins += share
        self._recent = [*self._recent, share][-RECENT:]
        self._unsaved_results = min(self._unsaved_results + 1, RECENT)

    def forget_match(self) -> None:
        self._counted_by.clear()

    def adjust(self, settings: Mapping[str, float], rewards: Mapping[str, float]) -> None:
        self.settings = changed(self.settings, settings, "setting", SETTING_LIMITS)

    def setup(self) -> Setup:
        return asdict(self.settings), {}

    def stats(self) -> LearningStats:
        counts = self._counts
        updates = int(counts.updates)
        return LearningStats(
            total_actions=int(counts.total_actions),
            exploration_actions=int(counts.exploration_actions),
            epsilon=self._epsilon() if self.learning else 0.0,
            table_size=self._size(),
            size_unit=self.size_unit,
            updates=updates,
            mean_td_error=counts.td_error / updates if updates else 0.0,
            games=int(counts.games),
            wins=counts.wins,
            last_reward=self._last_reward,
            last_reason=", ".join(self._last_reasons),
            last_update=self._last_update,
            recent=list(self._recent),
        )

    # What was learned

    def _size(self) -> int:
        """The number of situations or weights that were updated."""
        raise NotImplementedError

    def _dump_knowledge(self) -> dict[str, object]:
        """What was learned, as plain data."""
        raise NotImplementedError

    def _restore_knowledge(self, data: dict[str, object]) -> None:
        """Load what `_dump_knowledge` returned. Raises ValueError for anything else and then
        changes nothing."""
        raise NotImplementedError

    def _new_knowledge(self) -> Any:
        """What was learned since the last save or load."""
        raise NotImplementedError

    def _merge_knowledge(self, new: Any) -> None:
        """Merge another learner's new knowledge, weighted by the visits of both."""
        raise NotImplementedError

    # Saving, loading and merging

    def fingerprint(self) -> str:
        return self.perception.fingerprint()

    def dump(self) -> dict[str, object]:
        return {
            **self._dump_knowledge(),
            "counters": asdict(self._counts),
            "recent": list(self._recent),
        }

    def restore(self, data: dict[str, object]) -> None:
        counters, recent = _checked_counts(data)
        self._restore_knowledge(data)
        self._set_counts(counters, recent)

    def _set_counts(self, counters: dict[str, float], recent: list[float]) -> None:
        """Set the counters. They count as saved."""
        self._counts, self._saved_counts = Counts(**counters), Counts(**counters)
        self._recent = recent
        self._unsaved_results = 0

    def merge(self, data: dict[str, object]) -> None:
        updates = self.updates()
        self.restore(data)
        self.merge_updates(updates)

    def updates(self) -> dict[str, Any]:
        saved = asdict(self._saved_counts)
        new = {name: count - saved[name] for name, count in asdict(self._counts).items()}
        return {
            "knowledge": self._new_knowledge(),
            "counters": new,
            "recent": self._recent[len(self._recent) - self._unsaved_results :],
        }

    def merge_updates(self, updates: dict[str, Any]) -> None:
        self._merge_knowledge(updates["knowledge"])
        counts = asdict(self._counts)
        for name, count in updates["counters"].items():
            counts[name] += count
        self._counts = Counts(**counts)
        self._recent = [*self._recent, *updates["recent"]][-RECENT:]
        self._unsaved_results = min(self._unsaved_results + len(updates["recent"]), RECENT)


def _checked_counts(data: dict[str, object]) -> tuple[dict[str, float], list[float]]:
    counters, recent = data.get("counters"), data.get("recent")
    if not isinstance(counters, dict) or not isinstance(recent, list):
        raise ValueError("the counters are missing")
    if set(counters) != set(_COUNTERS) or not all(map(_is_count, counters.values())):
        raise ValueError("the counters are wrong")
    if len(recent) > RECENT or not all(_is_count(share) and share <= 1 for share in recent):
        raise ValueError("the recent results are wrong")
    return {name: float(counters[name]) for name in _COUNTERS}, list(recent)


def _is_count(value: object) -> bool:
    return isinstance(value, (int, float)) and 0 <= value < 2**53


T = TypeVar("T")


def changed(
    values: T,
    changes: Mapping[str, float],
    what: str,
    limits: Mapping[str, Mapping[str, Any]] | None = None,
) -> T:
    """A copy of a dataclass of numbers with changes.

    limits   of each number; by default those of rewards

    Raises ValueError for unknown names and for numbers outside their limits.
    """
    known = {each.name: each.type for each in fields(values)}  # type: ignore[arg-type]
    for name, value in changes.items():
        if name not in known:
            raise ValueError(f"There is no {what} {name!r}; there are: {', '.join(known)}.")
        allowed = REWARD_LIMITS if limits is None else limits[name]
        if problem := outside(f"The {what} {name}", value, allowed):
            raise ValueError(f"{problem}.")
        if known[name] is int and value != int(value):
            raise ValueError(f"The {what} {name} is {value:g}; give a whole number.")
    exact = {
        name: int(value) if known[name] is int else float(value) for name, value in changes.items()
    }
    return replace(values, **exact)  # type: ignore[type-var]
