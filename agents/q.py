"""Q-learning with a table: for every situation met, what each move has been worth."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, pow
from random import Random
from typing import Any, Final

import numpy as np

from agents.agent import Decision, Learner, LearningStats, Sides
from agents.features import Abstraction, Situation
from agents.rewards import Rewards, side_of
from engine.game import Event, View

MEANING: Final = "learned value: rewards expected from here on"
RECENT: Final = 100
_NO_FEATURE: Final = -1
"""Fills up the rows of shorter situations on disk."""

_COUNTERS: Final = ("total_actions", "exploration_actions", "updates", "td_error", "games", "wins")


@dataclass(frozen=True, slots=True)
class QSettings:
    """How fast to learn and how much to try.

    alpha    the weight of a new experience against all earlier ones
    settle   visits after which alpha has fallen to half; 0 keeps it as it is
    gamma    what a reward one decision later is worth
    epsilon  the share of tries at random at first, `decay` its factor per action,
             `least` where it stays
    hopeless how much less than the best move a move may promise and still be tried
    """

    alpha: float = 0.1
    settle: float = 0.0
    gamma: float = 0.9
    epsilon: float = 0.2
    decay: float = 0.9995
    least: float = 0.05
    hopeless: float = inf

    def epsilon_after(self, actions: float) -> float:
        return max(self.least, self.epsilon * pow(self.decay, actions))

    def alpha_after(self, visits: float) -> float:
        if not self.settle:
            return self.alpha
        return self.alpha * self.settle / (self.settle + visits)


@dataclass(slots=True)
class _Step:
    """A seat's last decision, whose outcome is still to come."""

    situation: Situation
    move: int
    reward: float = 0.0
    reasons: list[str] = field(default_factory=list)


class QLearner(Learner):
    """A row of the table is the values, the visits and the visits since the last save
    of all moves, one after the other."""

    def __init__(
        self,
        abstraction: Abstraction[Any],
        rewards: Rewards,
        settings: QSettings | None = None,
        name: str = "q",
        learning: bool = True,
    ) -> None:
        self.name = name
        self.game = abstraction.game
        self.learning = learning
        self.abstraction = abstraction
        self.rewards = rewards
        self.settings = settings or QSettings()
        self.unsaved = 0
        self._width = len(abstraction.move_names)
        self._table: dict[Situation, array[float]] = {}
        self._steps: dict[int, _Step] = {}
        self._counters = dict.fromkeys(_COUNTERS, 0.0)
        self._saved_counters = dict(self._counters)
        self._recent: list[float] = []
        self._unsaved_results = 0
        self._counted_by: dict[int, int] = {}
        self._last_reward = 0.0
        self._last_reason = ""
        self._last_update = 0.0

    # Deciding

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        situation = self.abstraction.situation(view)
        moves = self.abstraction.moves(view, legal)
        choices = list(dict.fromkeys(moves.values()))
        explored = False
        if self.learning:
            step = self._steps.get(view.seat)
            if step is not None:
                values = self._values(situation)
                self._update(step, max([values[move] for move in choices]))
            explored = rng.random() < self._epsilon()
        values = self._values(situation)
        limit = max([values[move] for move in choices])
        if explored:
            limit -= self.settings.hopeless
        move = rng.choice([move for move in choices if values[move] >= limit])
        action = next(action for action, made in moves.items() if made == move)
        scores = {each: values[made] for each, made in moves.items()}
        decision = Decision(action, scores, MEANING, explored, self._visits(situation))
        if self.learning:
            self._begin_step(view.seat, situation, move, decision)
        return decision

    def _values(self, situation: Situation) -> Sequence[float]:
        """The values of all moves first; what follows them is of no concern here."""
        return self._table.get(situation) or self.abstraction.prior(situation)

    def _visits(self, situation: Situation) -> int:
        row = self._table.get(situation)
        return int(sum(row[self._width : 2 * self._width])) if row else 0

    def _epsilon(self) -> float:
        return self.settings.epsilon_after(self._counters["total_actions"])

    # Learning

    def _begin_step(self, seat: int, situation: Situation, move: int, decision: Decision) -> None:
        self._counters["total_actions"] += 1
        self._counters["exploration_actions"] += decision.explored
        self.unsaved += 1
        self._counted_by.clear()
        step = self._steps[seat] = _Step(situation, move)
        reward = self.rewards.of_action(decision.action)
        if reward is not None:
            step.reward = reward.amount
            step.reasons.append(reward.reason)

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        if not self.learning:
            return
        step = self._steps.get(seat)
        over = False
        for event in events:
            if event.kind == "match":
                self._count_match(event, seat, side_of(seat, sides))
            over = over or event.kind == "hand"
            if step is None:
                continue
            reward = self.rewards.of_event(event, seat, sides)
            if reward is not None:
                step.reward += reward.amount
                step.reasons.append(reward.reason)
        if over and step is not None:
            self._update(step, 0.0)
            del self._steps[seat]

    def _update(self, step: _Step, future: float) -> None:
        """Learn how a step turned out. `future`: the best value of the seat's own next
        decision, 0 when the hand ended before it had another."""
        row = self._table.get(step.situation)
        if row is None:
            prior = self.abstraction.prior(step.situation)
            row = self._table[step.situation] = array("d", prior + [0.0] * (2 * self._width))
        move = step.move
        error = step.reward + self.settings.gamma * future - row[move]
        change = self.settings.alpha_after(row[self._width + move]) * error
        row[move] += change
        row[self._width + move] += 1
        row[2 * self._width + move] += 1
        self._counters["updates"] += 1
        self._counters["td_error"] += abs(error)
        self._last_reward = step.reward
        self._last_reason = ", ".join(step.reasons)
        self._last_update = change

    def _count_match(self, event: Event, seat: int, side: int) -> None:
        """A match counts once for each side, also when the learner plays several seats of it."""
        if self._counted_by.setdefault(side, seat) != seat:
            return
        share = event.points[side]
        self._counters["games"] += 1
        self._counters["wins"] += share
        self._recent = [*self._recent, share][-RECENT:]
        self._unsaved_results = min(self._unsaved_results + 1, RECENT)

    def forget_match(self) -> None:
        self._steps.clear()
        self._counted_by.clear()

    def stats(self) -> LearningStats:
        counters = self._counters
        updates = int(counters["updates"])
        return LearningStats(
            total_actions=int(counters["total_actions"]),
            exploration_actions=int(counters["exploration_actions"]),
            epsilon=self._epsilon() if self.learning else 0.0,
            table_size=len(self._table),
            updates=updates,
            mean_td_error=counters["td_error"] / updates if updates else 0.0,
            games=int(counters["games"]),
            wins=counters["wins"],
            last_reward=self._last_reward,
            last_reason=self._last_reason,
            last_update=self._last_update,
            recent=list(self._recent),
        )

    # Keeping

    def fingerprint(self) -> str:
        worth = f"{self.rewards.fingerprint()}, gamma {self.settings.gamma:g}"
        return f"{self.abstraction.fingerprint()} | {worth}"

    def dump(self) -> dict[str, object]:
        longest = max([len(situation) for situation in self._table], default=0)
        keys = np.full((len(self._table), longest), _NO_FEATURE, dtype="<i1")
        cells = np.empty((len(self._table), 2 * self._width), dtype="<f8")
        for number, (situation, row) in enumerate(self._table.items()):
            keys[number, : len(situation)] = situation
            cells[number] = row[: 2 * self._width]
        return {
            "features": longest,
            "situations": keys.tobytes(),
            "cells": cells.tobytes(),
            "counters": dict(self._counters),
            "recent": list(self._recent),
        }

    def restore(self, data: dict[str, object]) -> None:
        self._table, self._counters, self._recent = self._checked(data)
        self._saved_counters = dict(self._counters)
        self._unsaved_results = 0

    def merge(self, data: dict[str, object]) -> None:
        """What was saved, and on top of it what was learned here since the last save.

        A cell that changed in both places gets the mean of both values, weighted by how
        often each place has visited it since they were the same.
        """
        table, counters, recent = self._checked(data)
        width = self._width
        for situation, row in self._table.items():
            if not any(row[2 * width :]):
                continue
            saved = table.get(situation)
            if saved is None:
                table[situation] = row
                continue
            for move in range(width):
                ours = row[2 * width + move]
                if not ours:
                    continue
                common = row[width + move] - ours
                visits = saved[width + move]
                theirs = visits - common if visits >= common else visits
                saved[move] = (saved[move] * theirs + row[move] * ours) / (theirs + ours)
                saved[width + move] = visits + ours
                saved[2 * width + move] = ours
        for name in _COUNTERS:
            fresh = self._counters[name] - self._saved_counters[name]
            self._saved_counters[name] = counters[name]
            counters[name] += fresh
        fresh_results = self._recent[len(self._recent) - self._unsaved_results :]
        self._table = table
        self._counters = counters
        self._recent = [*recent, *fresh_results][-RECENT:]

    def _checked(
        self, data: dict[str, object]
    ) -> "tuple[dict[Situation, array[float]], dict[str, float], list[float]]":
        """The parts of a dump. Raises ValueError if anything about them is wrong."""
        longest, keys, cells = data.get("features"), data.get("situations"), data.get("cells")
        counters, recent = data.get("counters"), data.get("recent")
        if not (
            type(longest) is int
            and isinstance(keys, bytes)
            and isinstance(cells, bytes)
            and isinstance(counters, dict)
            and isinstance(recent, list)
        ):
            raise ValueError("parts of the table are missing")
        if set(counters) != set(_COUNTERS) or not all(map(_is_count, counters.values())):
            raise ValueError("the counters are wrong")
        if len(recent) > RECENT or not all(_is_count(share) and share <= 1 for share in recent):
            raise ValueError("the recent results are wrong")
        rows = len(cells) // (16 * self._width)
        if len(cells) != rows * 16 * self._width or len(keys) != rows * longest:
            raise ValueError("situations and values do not fit together")
        values = np.frombuffer(cells, dtype="<f8").reshape(rows, 2 * self._width)
        visits = values[:, self._width :]
        if not np.isfinite(values).all() or (visits < 0).any() or (visits % 1 != 0).any():
            raise ValueError("some values are not numbers")
        table: dict[Situation, array[float]] = {}
        unsaved = [0.0] * self._width
        situations = np.frombuffer(keys, dtype="<i1").reshape(rows, longest).tolist()
        for key, row in zip(situations, values, strict=True):
            while key and key[-1] == _NO_FEATURE:
                key.pop()
            if not self.abstraction.knows(key):
                raise ValueError(f"there is no situation {key}")
            table[tuple(key)] = array("d", row.tolist() + unsaved)
        if len(table) != rows:
            raise ValueError("a situation stands there twice")
        return table, {name: float(counters[name]) for name in _COUNTERS}, recent


def _is_count(value: object) -> bool:
    return isinstance(value, (int, float)) and 0 <= value < 2**53
