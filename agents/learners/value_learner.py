"""Learning from rewards what a move is worth, whatever the values are kept in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

from agents.agent import Decision, Sides
from agents.features import Abstraction, Situation
from agents.learners.feature_learner import FeatureLearner, changed
from agents.learners.settings import LearningSettings
from agents.rewards import Rewards, side_of
from engine.game import Event, View

MEANING: Final = "learned value: rewards expected from here on"


@dataclass(slots=True)
class Step:
    """A seat's decision, whose outcome is still to come."""

    situation: Situation
    move: int
    reward: float
    reasons: list[str]


class Choice(NamedTuple):
    """What a learner settles on and why.

    moves     the move that each legal action makes
    values    what moves are worth, by their numbers
    best      the highest value among the moves that can be made
    """

    situation: Situation
    moves: dict[int, int]
    values: Sequence[float]
    action: int
    move: int
    best: float
    explored: bool


class ValueLearner(FeatureLearner):
    """Takes the move of the highest value, and now and then another to see what it brings."""

    def __init__(
        self,
        abstraction: Abstraction[Any],
        rewards: Rewards,
        settings: LearningSettings | None = None,
        name: str = "",
        learning: bool = True,
    ) -> None:
        super().__init__(abstraction, settings, name, learning)
        self.abstraction = abstraction
        self.rewards = rewards
        self._steps: dict[int, Step] = {}

    # Deciding

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        choice = self._weigh(view, legal, rng)
        scores = {action: choice.values[move] for action, move in choice.moves.items()}
        seen = self._visits(choice.situation)
        decision = Decision(choice.action, scores, MEANING, choice.explored, seen)
        self._settle_on(choice, view.seat)
        return decision

    def choose(self, view: View, legal: list[int], rng: Random) -> int:
        choice = self._weigh(view, legal, rng)
        self._settle_on(choice, view.seat)
        return choice.action

    def _weigh(self, view: View, legal: list[int], rng: Random) -> Choice:
        situation = self.abstraction.situation(view)
        moves = self.abstraction.moves(view, legal)
        explored = self.learning and rng.random() < self._epsilon()
        values = self._values(situation)
        # Of the actions that make the same move, the one to take stands first.
        actions: dict[int, int] = {}
        for action, move in moves.items():
            if move not in actions:
                actions[move] = action
        best = max([values[move] for move in actions])
        limit = best - self.settings.hopeless if explored else best
        move = rng.choice([move for move in actions if values[move] >= limit])
        return Choice(situation, moves, values, actions[move], move, best, explored)

    def _settle_on(self, choice: Choice, seat: int) -> None:
        """Learn from the choice what the step before it was worth, and begin the next."""
        if not self.learning:
            return
        step = self._steps.get(seat)
        if step is not None:
            self._go_on(seat, step, choice.values[choice.move], choice.best)
        self._begin_step(seat, choice)

    def _values(self, situation: Situation) -> Sequence[float]:
        """The values of all moves first; what follows them is of no concern here."""
        raise NotImplementedError

    def _visits(self, situation: Situation) -> int | None:
        """How often it has learned about this situation; None if it does not count."""
        return None

    # Learning

    def _go_on(self, seat: int, step: Step, chosen: float, best: float) -> None:
        """The seat decides again: what its next move and its best move are worth."""
        raise NotImplementedError

    def _end(self, seat: int, step: Step) -> None:
        """The hand is over: nothing follows the seat's last step."""
        raise NotImplementedError

    def _move_value(self, situation: Situation, move: int, outcome: float) -> tuple[float, float]:
        """Move a value towards an outcome: how far off it was, and by how much it moved."""
        raise NotImplementedError

    def _learn(self, step: Step, outcome: float) -> None:
        """Move the value of a step towards what came of it."""
        error, change = self._move_value(step.situation, step.move, outcome)
        self._count_update(error, change, step.reward, ", ".join(step.reasons))

    def _begin_step(self, seat: int, choice: Choice) -> None:
        self._count_action(choice.explored)
        step = self._steps[seat] = Step(choice.situation, choice.move, 0.0, [])
        reward = self.rewards.of_action(choice.action)
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
            self._end(seat, step)
            del self._steps[seat]

    def forget_match(self) -> None:
        super().forget_match()
        self._steps.clear()

    def adjust(self, settings: Mapping[str, float], rewards: Mapping[str, float]) -> None:
        super().adjust(settings, rewards)
        self.rewards = changed(self.rewards, rewards, "reward")

    def fingerprint(self) -> str:
        worth = f"{self.rewards.fingerprint()}, gamma {self.settings.gamma:g}"
        return f"{super().fingerprint()} | {worth}"


class TracingLearner(ValueLearner):
    """A step is worth its reward and a mixture, set by `trace`, of what was promised when the
    seat decided again and of what then came. It is learned when the hand is over."""

    def __init__(
        self,
        abstraction: Abstraction[Any],
        rewards: Rewards,
        settings: LearningSettings | None = None,
        name: str = "",
        learning: bool = True,
    ) -> None:
        super().__init__(abstraction, rewards, settings, name, learning)
        self._hands: dict[int, list[tuple[Step, float]]] = {}

    def _promised(self, chosen: float, best: float) -> float:
        """What the seat's next decision promises: the best that it can do."""
        return best

    def _go_on(self, seat: int, step: Step, chosen: float, best: float) -> None:
        self._hands.setdefault(seat, []).append((step, self._promised(chosen, best)))

    def _end(self, seat: int, step: Step) -> None:
        gamma, trace = self.settings.gamma, self.settings.trace
        outcome = step.reward
        self._learn(step, outcome)
        for each, promised in reversed(self._hands.pop(seat, [])):
            outcome = each.reward + gamma * ((1 - trace) * promised + trace * outcome)
            self._learn(each, outcome)

    def forget_match(self) -> None:
        super().forget_match()
        self._hands.clear()
