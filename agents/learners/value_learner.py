"""The base of learners that estimate the value of each move from rewards."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from random import Random
from typing import Any, Final

from agents.agent import Decision, Lesson, Setup, Sides
from agents.learners.feature_learner import FeatureLearner, changed
from agents.learners.features import Abstraction, Situation
from agents.learners.rewards import Rewards, side_of
from agents.learners.row import Row
from agents.learners.settings import LearningSettings
from agents.learners.steps import Outcome, Step, decide, pay, traced_outcomes
from engine.game import Event, View

Estimate = tuple[Row, float]
"""What is known about a situation, and its visits so far."""

MEANING: Final = "expected rewards from here on"


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
        row, _ = self._estimate(step.situation)
        moves = self.abstraction.moves(view, legal)
        scores = {action: row[move] for action, move in moves.items()}
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
        """Choose the best action, or explore."""
        situation, moves = self.abstraction.look(view, legal)
        row, visits = self._estimate(situation)
        explored = None
        if (
            len(legal) > 1
            and self.learning
            and self.settings.explores(rng.random(), self._counts.total_actions, visits)
        ):
            explored = legal
        return decide(situation, moves, row, explored, rng, self.on_policy)

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

    def _outcomes(self, hand: list[Step]) -> list[Outcome]:
        """The outcomes of the steps of a seat at the end of a hand."""
        raise NotImplementedError

    def _learn(self, outcomes: list[Outcome]) -> None:
        """Move the value of each step towards its outcome, and count the updates."""
        raise NotImplementedError

    def _learned(self, outcomes: list[Outcome], changes: list[tuple[float, float]]) -> None:
        """Count updates and remember the last one. changes: the error and the change of each."""
        self._counts.add_updates(changes)
        step, _ = outcomes[-1]
        self._last_reward = step.reward
        self._last_reasons = step.reasons
        self._last_update = changes[-1][1]
        if self.lessons is not None:
            for (step, outcome), (error, change) in zip(outcomes, changes, strict=True):
                self.lessons.append(self._lesson(step, outcome, error, change))

    def _lesson(self, step: Step, outcome: float, error: float, change: float) -> Lesson:
        """Describe an update for people who look on."""
        expected = outcome - error
        return Lesson(
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

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        if not self.learning:
            return
        hand = self._hands.get(seat)
        step = hand[-1] if hand else None
        over, end_of_match = pay(step, self.rewards, seat, sides, events)
        if end_of_match is not None:
            self._count_match(end_of_match, seat, side_of(seat, sides))
        if over and hand is not None:
            self._learn(self._outcomes(hand))
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
    """Updates all steps of a hand at its end, see `traced_outcomes`. Without a trace a step is
    updated as soon as the seat decides again."""

    def _continue(self, hand: list[Step], following: Step) -> None:
        if not self.settings.trace:
            step = hand.pop()
            self._learn([(step, step.reward + self.settings.gamma * following.expected)])
        hand.append(following)

    def _outcomes(self, hand: list[Step]) -> list[Outcome]:
        return traced_outcomes(hand, self.settings.gamma, self.settings.trace)
