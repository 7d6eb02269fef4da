"""What all learners share that see a game through an abstraction: what they count, how a
match is told to them, and how they keep and put together what they know."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final, TypeVar

from agents.agent import Learner, LearningStats
from agents.learners.features import Perception
from agents.learners.settings import LearningSettings
from engine.game import Event, View

RECENT: Final = 100


@dataclass(slots=True)
class Counts:
    """What a learner counts, under the names that files have for it."""

    total_actions: float = 0.0
    exploration_actions: float = 0.0
    updates: float = 0.0
    td_error: float = 0.0
    games: float = 0.0
    wins: float = 0.0


_COUNTERS: Final = tuple([each.name for each in fields(Counts)])


class FeatureLearner(Learner):
    """Counts what it does. What it knows is the business of the learners built on it."""

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
        return self.settings.epsilon_after(self._counts.total_actions)

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
        """A match counts once for each side, also when the learner plays several seats of it."""
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
        self.settings = changed(self.settings, settings, "setting")

    def stats(self) -> LearningStats:
        counts = self._counts
        updates = int(counts.updates)
        return LearningStats(
            total_actions=int(counts.total_actions),
            exploration_actions=int(counts.exploration_actions),
            epsilon=self._epsilon() if self.learning else 0.0,
            table_size=self._size(),
            updates=updates,
            mean_td_error=counts.td_error / updates if updates else 0.0,
            games=int(counts.games),
            wins=counts.wins,
            last_reward=self._last_reward,
            last_reason=", ".join(self._last_reasons),
            last_update=self._last_update,
            recent=list(self._recent),
        )

    # Knowing

    def _size(self) -> int:
        """How many situations or weights it has learned something about."""
        raise NotImplementedError

    def _knowledge(self) -> dict[str, object]:
        """What it knows as plain data."""
        raise NotImplementedError

    def _know(self, data: dict[str, object]) -> None:
        """Take over what `_knowledge` gave. Raises ValueError for anything else, and then
        knows what it knew before."""
        raise NotImplementedError

    def _fresh_knowledge(self) -> Any:
        """What it has learned since it was last told what to know."""
        raise NotImplementedError

    def _add_knowledge(self, fresh: Any) -> None:
        """Put what another has learned to its own, by the visits behind both."""
        raise NotImplementedError

    # Keeping

    def fingerprint(self) -> str:
        return self.perception.fingerprint()

    def dump(self) -> dict[str, object]:
        return {
            **self._knowledge(),
            "counters": asdict(self._counts),
            "recent": list(self._recent),
        }

    def restore(self, data: dict[str, object]) -> None:
        counters, recent = _checked_counts(data)
        self._know(data)
        self._set_counts(counters, recent)

    def _set_counts(self, counters: dict[str, float], recent: list[float]) -> None:
        """Counts that others know of as well."""
        self._counts, self._saved_counts = Counts(**counters), Counts(**counters)
        self._recent = recent
        self._unsaved_results = 0

    def merge(self, data: dict[str, object]) -> None:
        updates = self.updates()
        self.restore(data)
        self.merge_updates(updates)

    def updates(self) -> dict[str, Any]:
        saved = asdict(self._saved_counts)
        fresh = {name: count - saved[name] for name, count in asdict(self._counts).items()}
        return {
            "knowledge": self._fresh_knowledge(),
            "counters": fresh,
            "recent": self._recent[len(self._recent) - self._unsaved_results :],
        }

    def merge_updates(self, updates: dict[str, Any]) -> None:
        self._add_knowledge(updates["knowledge"])
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


def changed(values: T, changes: Mapping[str, float], what: str) -> T:
    """A dataclass of numbers with some of them changed. Raises ValueError for unknown names."""
    known = [each.name for each in fields(values)]  # type: ignore[arg-type]
    for name in changes:
        if name not in known:
            raise ValueError(f"There is no {what} {name!r}; there are: {', '.join(known)}.")
    return replace(values, **changes)  # type: ignore[type-var]
