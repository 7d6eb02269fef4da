"""Deep Monte Carlo: a network learns the rewards of a hand from each situation and action."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import numpy as np

from agents.agent import Agent, Decision, Sides
from agents.learners.encoding import Encoding, Floats, Seen
from agents.learners.feature_learner import changed
from agents.learners.network_learner import NetworkLearner
from agents.learners.rewards import Rewards, side_of
from agents.learners.settings import NeuralSettings
from engine.game import Event, View

MEANING: Final = "expected rewards of this hand"
HIDDEN: Final = (64,)
LUCK: Final = np.float32(0.1)
"""Weight of the error shared by all actions of a decision."""


@dataclass(slots=True)
class _Step:
    """A decision whose outcome is not known yet.

    value    the network's value of the chosen action
    best     the highest value among all actions
    reward   rewards since the decision
    """

    part: int
    row: Floats
    value: float
    best: float
    reward: float = 0.0
    reasons: list[str] = field(default_factory=list)


class NeuralLearner(NetworkLearner):
    """Takes the action with the highest value, sometimes another one. At the end of a hand, the
    rewards after each decision become the targets of the network."""

    name = "neural"
    settings: NeuralSettings

    def __init__(
        self,
        encoding: Encoding[Any],
        rewards: Rewards,
        settings: NeuralSettings | None = None,
        teacher: Agent | None = None,
        hidden: Sequence[int] = HIDDEN,
        name: str = "",
        learning: bool = True,
    ) -> None:
        settings = settings or NeuralSettings()
        shapes = [(part.size, *hidden, 1) for part in encoding.parts]
        super().__init__(encoding, shapes, settings, name, learning)
        self.encoding = encoding
        self.rewards = rewards
        self.teacher = teacher
        self._hands: dict[int, list[_Step]] = {}

    # Deciding

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if len(legal) == 1:
            if self.learning:
                self._count_action(explored=False)
            return Decision(legal[0], {}, MEANING)
        part, actions, rows = self.encoding.encode(view, legal)
        outputs = self._networks[part].outputs(rows)[:, 0] * self.settings.unit
        values: list[float] = outputs.tolist()
        best = max(values)
        at = values.index(best)
        if self.teacher and self.settings.caution:
            advised = actions.index(self.teacher.act(view, legal, rng).action)
            if values[advised] >= best - self.settings.caution:
                at = advised
        explored = False
        if self.learning:
            explored = rng.random() < self._epsilon()
            if explored:
                limit = best - self.settings.hopeless
                at = rng.choice([each for each, value in enumerate(values) if value >= limit])
            elif self.teacher and rng.random() < self._guided():
                at = actions.index(self.teacher.act(view, legal, rng).action)
            self._count_action(explored)
            step = _Step(part, rows[at], values[at], best)
            self._begin_step(view.seat, step, actions[at])
        scores = dict(zip(actions, values, strict=True))
        return Decision(actions[at], scores, MEANING, explored)

    def _guided(self) -> float:
        return self.settings.guided_after(self._counts.total_actions)

    # Learning

    def _begin_step(self, seat: int, step: _Step, action: int) -> None:
        self._hands.setdefault(seat, []).append(step)
        reward = self.rewards.of_actions().get(action)
        if reward is not None:
            step.reward = reward.amount
            step.reasons.append(reward.reason)

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        if not self.learning:
            return
        steps = self._hands.get(seat, [])
        over = False
        for event in events:
            if event.kind == "match":
                self._count_match(event, seat, side_of(seat, sides))
            over = over or event.kind == "hand"
            reward = self.rewards.of_event(event, seat, sides) if steps else None
            if reward is not None:
                steps[-1].reward += reward.amount
                steps[-1].reasons.append(reward.reason)
        if over:
            self._learn(self._hands.pop(seat, []))

    def _learn(self, steps: Sequence[_Step]) -> None:
        """Learn from the decisions of a hand. The target of each is its reward plus the outcome
        of the next: by `trace` the actual one, otherwise the value predicted there."""
        total = sum([step.reward for step in steps])
        reasons = tuple([reason for step in steps for reason in step.reasons])
        gamma, trace = self.settings.gamma, self.settings.trace
        to_come = 0.0
        for step in reversed(steps):
            outcome = step.reward + gamma * to_come
            to_come = trace * outcome + (1 - trace) * step.best
            self._sample(step.part, step.row, outcome / self.settings.unit)
            change = self._value(step) - step.value if step is steps[0] else 0.0
            self._count_update(outcome - step.value, change, total, reasons)

    def _value(self, step: _Step) -> float:
        """The network's present value of a step."""
        return float(self._networks[step.part].outputs(step.row[None])[0, 0]) * self.settings.unit

    def compare(
        self, decisions: Sequence[Seen], outcomes: Floats, pace: float, fade: float = 0.0
    ) -> None:
        """Learn from decisions of one part in which every action was tried in the same deals.

        outcomes   the rewards of each action of each decision, one after the other
        pace, fade see `Network.learn`

        The error shared by all actions of a decision is mostly luck of the deal, so it gets
        little weight.
        """
        part = decisions[0].part
        network = self._networks[part]
        rows = np.concatenate([seen.rows for seen in decisions])
        sizes = np.array([len(seen.actions) for seen in decisions])
        starts = np.cumsum(sizes) - sizes

        def shared(values: Floats) -> Floats:
            means = np.add.reduceat(values, starts) / sizes
            return np.repeat(means, sizes).astype(np.float32)

        targets = outcomes / np.float32(self.settings.unit)

        def errors_of(outputs: Floats) -> Floats:
            errors = outputs[:, 0] - targets
            gradient: Floats = (errors - (1 - LUCK) * shared(errors))[:, None]
            return gradient

        errors = (network.outputs(rows)[:, 0] - targets) * self.settings.unit
        network.learn(rows, errors_of, pace, fade)
        self._count_step(part)
        self._counts.updates += len(rows)
        self._counts.td_error += float(np.abs(errors).sum())

    def forget_match(self) -> None:
        super().forget_match()
        self._hands.clear()

    def adjust(self, settings: Mapping[str, float], rewards: Mapping[str, float]) -> None:
        super().adjust(settings, rewards)
        self.rewards = changed(self.rewards, rewards, "reward")

    def fingerprint(self) -> str:
        worth = f"{self.rewards.fingerprint()}, gamma {self.settings.gamma:g}"
        return f"{super().fingerprint()} | {worth}, unit {self.settings.unit:g}"
