"""Deep Monte Carlo: a network learns how a hand ends from each situation and move.

Nothing about good play is written down. The network sees the fields of the view and the move,
its targets are the results of hands that it played, and before the first of them every legal
action is equally likely.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import exp
from random import Random
from typing import Any, Final

import numpy as np

from agents.agent import Decision, Lesson, Setup, Sides
from agents.learners.encoding import Encoding, Floats, Integers
from agents.learners.feature_learner import RECENT, changed
from agents.learners.network_learner import NetworkLearner
from agents.learners.rewards import HandRewards, side_of
from agents.learners.settings import NETWORK_LAYERS, LearningSettings, NeuralSettings
from engine.game import Event, View

MEANING: Final = "expected points ahead after this hand"
_WEIGHT_OF_OUTCOMES: Final = 0.3
"""Single outcomes contain the luck of the deal, comparisons do not."""


@dataclass(slots=True)
class _Step:
    """A decision whose outcome is not known yet.

    value   of the chosen move
    best    of all moves
    label   the action in words, if somebody looks on
    """

    network: int
    codes: list[int]
    move: tuple[int, ...]
    value: float
    best: float
    label: str = ""


def targets_of(best: Sequence[float], outcome: float, settings: LearningSettings) -> list[float]:
    """The targets of a seat's decisions in a hand, in order.

    best      the best value at each decision

    `trace` is the weight of the outcome against the best value at the next decision.
    """
    gamma, trace = settings.gamma, settings.trace
    targets = []
    for value in reversed(best):
        targets.append(outcome)
        outcome = gamma * (trace * outcome + (1 - trace) * value)
    return targets[::-1]


class Samples:
    """The latest decisions with their outcomes, for one network."""

    def __init__(self, columns: int, facts: int, most: int) -> None:
        self._most = most
        self._codes: Integers = np.empty((0, columns), dtype=np.int64)
        self._moves: Integers = np.empty((0, facts), dtype=np.int64)
        self._targets: Floats = np.empty(0, dtype=np.float32)
        self.seen = 0

    def __len__(self) -> int:
        return min(self.seen, self._most)

    def add(self, codes: Integers, moves: Integers, targets: Floats) -> None:
        """Add decisions, at most as many as there is room for. They replace the oldest ones."""
        needed = min(self.seen + len(codes), self._most)
        if needed > len(self._codes):
            room = min(max(needed, 2 * len(self._codes)), self._most)
            self._codes = np.resize(self._codes, (room, self._codes.shape[1]))
            self._moves = np.resize(self._moves, (room, self._moves.shape[1]))
            self._targets = np.resize(self._targets, room)
        places = np.arange(self.seen, self.seen + len(codes)) % self._most
        self._codes[places] = codes
        self._moves[places] = moves
        self._targets[places] = targets
        self.seen += len(codes)

    def draw(self, count: int, chance: np.random.Generator) -> tuple[Integers, Integers, Floats]:
        places = chance.integers(0, len(self), count)
        return self._codes[places], self._moves[places], self._targets[places]


class NeuralLearner(NetworkLearner):
    """Takes the action with the highest value, sometimes another one. At the end of a hand its
    result becomes the target of every decision in it."""

    name = "neural"
    settings: NeuralSettings

    def __init__(
        self,
        encoding: Encoding,
        rewards: HandRewards,
        settings: NeuralSettings | None = None,
        hidden: Sequence[int] = NETWORK_LAYERS,
        name: str = "",
        learning: bool = True,
    ) -> None:
        self.encoding = encoding
        self.rewards = rewards
        # A network has an input for each move and for each value of each other fact.
        *starts, end = np.cumsum([0, *encoding.moves]).tolist()
        self._first_inputs: Integers = np.array(starts, dtype=np.int64)
        shape = (encoding.size + end, *hidden, 1)
        super().__init__(
            encoding, [shape] * encoding.networks, settings or NeuralSettings(), name, learning
        )
        self._hands: dict[int, list[_Step]] = {}
        self.tables: object = None
        """The tables of its self-play, which are not saved."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "tables": None}

    # Deciding

    def values(self, network: int, codes: Integers, places: Integers, moves: Integers) -> Floats:
        """The values of many actions.

        codes    the rows of all decisions
        places   for each action the number of its row
        moves    for each action a row of facts
        """
        inputs = self.encoding.expand(codes)
        choices = moves + self._first_inputs
        return self._networks[network].outputs_of_choices(inputs, places, choices)

    def mixed(self, values: Floats, chance: np.random.Generator) -> Floats:
        """The values with noise, so that the best one is drawn with the probabilities of a
        softmax. See `NeuralSettings.mixing`."""
        noise: Floats = chance.gumbel(size=len(values)).astype(np.float32)
        noise *= np.float32(self.settings.mixing)
        return values + noise

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        rows, places, moves = self.encoding.read(view, legal)
        network = self.encoding.network(view)
        values: list[float] = self.values(
            network, np.array(rows), np.array(places), np.array(moves)
        ).tolist()
        best = max(values)
        explored = self.learning and len(legal) > 1 and rng.random() < self._epsilon()
        mixing = self.settings.mixing
        if mixing and self.learning and not explored:
            weights = [exp((value - best) / mixing) for value in values]
            (at,) = rng.choices(range(len(legal)), weights)
        else:
            candidates = [at for at, value in enumerate(values) if explored or value == best]
            at = candidates[0] if len(candidates) == 1 else rng.choice(candidates)
        if self.learning:
            self._count_action(explored)
            if len(legal) > 1:
                label = view.label(legal[at]) if self.lessons is not None else ""
                step = _Step(network, rows[places[at]], moves[at], values[at], best, label)
                self._hands.setdefault(view.seat, []).append(step)
        scores = {
            action: value / self.rewards.point for action, value in zip(legal, values, strict=True)
        }
        return Decision(legal[at], scores, MEANING, explored)

    # Learning

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        if not self.learning:
            return
        side = side_of(seat, sides)
        points: Sequence[float] = ()
        won: float | None = None
        for event in events:
            if event.kind == "hand":
                points = event.points
            elif event.kind == "match":
                self._count_match(event, seat, side)
                won = event.points[side]
        if points:
            steps = self._hands.pop(seat, [])
            outcome = self.rewards.of_hand(points, side) + self.rewards.of_match(won)
            targets = targets_of([step.best for step in steps], outcome, self.settings)
            for step, target in zip(steps, targets, strict=True):
                self.add_samples(
                    step.network,
                    np.array([step.codes]),
                    np.array([step.move]),
                    np.array([target], dtype=np.float32),
                )
                reasons = (f"hand over, {points[side]:g} points",)
                self._count_update(target - step.value, 0.0, outcome, reasons)
                if self.lessons is not None:
                    unit = self.rewards.point
                    values = (step.value / unit, outcome / unit, (target - outcome) / unit)
                    self._note(step.label, *values, reasons)

    def _note(
        self, label: str, expected: float, reward: float, later: float, reasons: tuple[str, ...]
    ) -> None:
        """Describe an update for people who look on, in points."""
        if self.lessons is not None:
            now = reward + later
            lesson = Lesson("", label, expected, reward, reasons, later, True, now, step=0.0)
            self.lessons.append(lesson)

    def add_samples(self, network: int, codes: Integers, moves: Integers, targets: Floats) -> None:
        """Store decisions with their outcomes, and train once for each batch of new ones."""
        settings = self.settings
        self._samples[network].add(codes, moves, targets)
        self._waiting[network] += len(codes)
        while True:
            batch = settings.batch_after(self._counts.updates)
            if self._waiting[network] < batch:
                return
            self._waiting[network] -= batch
            self._train(network, batch)

    def _train(self, network: int, batch: int) -> None:
        """One training step. Half of its samples are comparisons, as soon as there are any."""
        compared = self._compared[network]
        few = batch // 2 if len(compared) else 0
        codes, moves, targets = self._samples[network].draw(batch - few, self._chance)
        weights = np.ones(batch, dtype=np.float32)
        if few:
            weights[: batch - few] = _WEIGHT_OF_OUTCOMES
            drawn = compared.draw(few, self._chance)
            codes = np.concatenate([codes, drawn[0]])
            moves = np.concatenate([moves, drawn[1]])
            targets = np.concatenate([targets, drawn[2]])
        inputs = self.encoding.expand(codes)
        size = self.encoding.size
        rows = np.zeros((batch, size + sum(self.encoding.moves)), dtype=np.float32)
        rows[:, :size] = inputs
        rows[np.arange(batch)[:, None], size + self._first_inputs + moves] = 1
        pace = self.settings.alpha_after(self._counts.updates)
        self._networks[network].learn(
            rows, lambda outputs: (outputs - targets[:, None]) * weights[:, None], pace
        )
        self._count_step(network)

    # Self-play in batches

    @property
    def curiosity(self) -> float:
        """The share of random moves now."""
        return self._epsilon()

    def count_decisions(self, actions: int, explored: int) -> None:
        self._counts.total_actions += actions
        self._counts.exploration_actions += explored
        self.unsaved += actions

    def count_matches(self, shares: Sequence[float]) -> None:
        """Count finished matches, each by the share that one of its sides won."""
        self._counts.games += len(shares)
        self._counts.wins += sum(shares)
        self._recent = [*self._recent, *shares][-RECENT:]
        self._unsaved_results = min(self._unsaved_results + len(shares), RECENT)

    def learn_targets(
        self, network: int, codes: Integers, moves: Integers, targets: Floats, values: Floats
    ) -> None:
        """Learn from the decisions of finished hands. values: expected when they were made."""
        self._counts.updates += len(codes)
        self._counts.td_error += float(np.abs(targets - values).sum())
        self.add_samples(network, codes, moves, targets)

    def learn_compared(
        self, network: int, codes: Integers, moves: Integers, targets: Floats, values: Floats
    ) -> None:
        """Learn from decisions at which several actions were tried in the same deal."""
        self._counts.updates += len(codes)
        self._counts.td_error += float(np.abs(targets - values).sum())
        self._compared[network].add(codes, moves, targets)

    def _forget_samples(self) -> None:
        super()._forget_samples()
        self._samples, self._compared = [
            [
                Samples(self.encoding.columns, len(self.encoding.moves), self.settings.replay)
                for _ in range(self.encoding.networks)
            ]
            for _ in range(2)
        ]

    def forget_match(self) -> None:
        super().forget_match()
        self._hands.clear()

    def adjust(self, settings: Mapping[str, float], rewards: Mapping[str, float]) -> None:
        super().adjust(settings, rewards)
        self.rewards = changed(self.rewards, rewards, "reward")

    def setup(self) -> Setup:
        return super().setup()[0], asdict(self.rewards)

    def fingerprint(self) -> str:
        return f"{super().fingerprint()} | {self.rewards.fingerprint()}"
