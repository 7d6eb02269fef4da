"""The base of learners that estimate the value of each move from rewards."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf
from random import Random
from typing import Any, Final

from agents.agent import Decision, Lesson, Setup, Sides
from agents.learners.feature_learner import FeatureLearner, changed
from agents.learners.features import Abstraction, Situation
from agents.learners.rewards import Rewards, side_of
from agents.learners.settings import LearningSettings
from engine.game import Event, View

Estimate = tuple[Sequence[float] | Mapping[int, float], float]
"""The value of each move, by its index, and the visits of the situation so far."""

MEANING: Final = "expected rewards from here on"


@dataclass(slots=True)
class Step:
    """A decision whose outcome is not known yet.

    expected   the value of the situation when the move was chosen
    """

    situation: Situation
    action: int
    move: int
    expected: float
    explored: bool
    reward: float = 0.0
    reasons: tuple[str, ...] = ()


class ValueLearner(FeatureLearner):
    """Takes the move with the highest value, and sometimes explores another.

    on_policy   the value of a situation is that of the chosen move, not of the best one
    predicts    whether outcomes contain predictions, and not only rewards
    """

    on_policy = False
    predicts = True

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
        self._of_actions = rewards.of_actions()
        # The steps of each seat in this hand that were not updated yet.
        self._hands: dict[int, list[Step]] = {}

    # Deciding

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        step = self._weigh(view, legal, rng)
        values, _ = self._estimate(step.situation)
        moves = self.abstraction.moves(view, legal)
        scores = {action: values[move] for action, move in moves.items()}
        visits = int(self._seen(step.situation))
        decision = Decision(step.action, scores, MEANING, step.explored, visits)
        if self.learning:
            self._record(step, view.seat)
        return decision

    def choose(self, view: View, legal: list[int], rng: Random) -> int:
        step = self._weigh(view, legal, rng)
        if self.learning:
            self._record(step, view.seat)
        return step.action

    def _weigh(self, view: View, legal: list[int], rng: Random) -> Step:
        """Choose uniformly among the actions with the best value, or explore: then choose
        uniformly among all."""
        situation, moves = self.abstraction.look(view, legal)
        values, visits = self._estimate(situation)
        if len(legal) == 1:
            action = legal[0]
            move = moves[action]
            return Step(situation, action, move, values[move], False)
        best = -inf
        candidates: list[int] = []
        for each, move in moves.items():
            value = values[move]
            if value > best:
                best = value
                candidates = [each]
            elif value == best:
                candidates.append(each)
        explored = self.learning and self.settings.explores(
            rng.random(), self._counts.total_actions, visits
        )
        if explored:
            candidates = legal
        action = candidates[0] if len(candidates) == 1 else rng.choice(candidates)
        move = moves[action]
        expected = values[move] if self.on_policy else best
        return Step(situation, action, move, expected, explored)

    def _record(self, step: Step, seat: int) -> None:
        """Remember a step until its outcome is known."""
        hand = self._hands.get(seat)
        if hand is None:
            self._hands[seat] = [step]
        else:
            self._continue(hand, step)
        self._count_action(step.explored)
        if self._of_actions and step.action in self._of_actions:
            step.reward, reason = self._of_actions[step.action]
            step.reasons = (reason,)

    def _estimate(self, situation: Situation) -> Estimate:
        raise NotImplementedError

    def _seen(self, situation: Situation) -> float:
        """How often exactly this situation was met."""
        return self._estimate(situation)[1]

    # Learning

    def _continue(self, hand: list[Step], following: Step) -> None:
        """Add the next step of a seat to those of its hand."""
        hand.append(following)

    def _end(self, hand: list[Step]) -> None:
        """Update the steps of a seat at the end of a hand."""
        raise NotImplementedError

    def _learn(self, step: Step, outcome: float) -> None:
        """Move the value of a step towards its outcome, and count the update."""
        raise NotImplementedError

    def _note(self, step: Step, outcome: float, error: float, change: float) -> None:
        """Describe an update for people who look on."""
        if self.lessons is not None:
            expected = outcome - error
            lesson = Lesson(
                self.abstraction.words(step.situation),
                self.abstraction.move_words(step.move),
                expected,
                step.reward,
                step.reasons,
                outcome - step.reward,
                self.predicts,
                expected + change,
                change / error if error else 0.0,
                step.situation,
            )
            self.lessons.append(lesson)

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        if not self.learning:
            return
        hand = self._hands.get(seat)
        over = False
        of_event = self.rewards.of_event
        for event in events:
            kind = event.kind
            if kind == "hand":
                over = True
            elif kind == "match":
                self._count_match(event, seat, side_of(seat, sides))
            if hand is not None and (reward := of_event(event, seat, sides)) is not None:
                amount, reason = reward
                step = hand[-1]
                step.reward += amount
                step.reasons += (reason,)
        if over and hand is not None:
            self._end(hand)
            del self._hands[seat]

    def forget_match(self) -> None:
        super().forget_match()
        self._hands.clear()

    def adjust(self, settings: Mapping[str, float], rewards: Mapping[str, float]) -> None:
        super().adjust(settings, rewards)
        self.rewards = changed(self.rewards, rewards, "reward")
        self._of_actions = self.rewards.of_actions()

    def setup(self) -> Setup:
        return super().setup()[0], asdict(self.rewards)

    def fingerprint(self) -> str:
        worth = f"{self.rewards.fingerprint()}, gamma {self.settings.gamma:g}"
        return f"{super().fingerprint()} | {worth}"


class TraceLearner(ValueLearner):
    """Updates all steps of a hand at its end. The outcome of a step is its reward plus a mixture,
    set by `trace`, of what the seat expected at its next decision and the outcome of that.
    Without a trace a step is updated as soon as the seat decides again."""

    def _continue(self, hand: list[Step], following: Step) -> None:
        if not self.settings.trace:
            step = hand.pop()
            self._learn(step, step.reward + self.settings.gamma * following.expected)
        hand.append(following)

    def _end(self, hand: list[Step]) -> None:
        gamma, trace = self.settings.gamma, self.settings.trace
        step = hand.pop()
        outcome = step.reward
        self._learn(step, outcome)
        for before in reversed(hand):
            mixture = (1 - trace) * step.expected + trace * outcome
            outcome = before.reward + gamma * mixture
            self._learn(before, outcome)
            step = before
