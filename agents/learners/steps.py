"""Decisions of a hand in progress, their rewards and their outcomes. Compiled where that is
possible, since learners from values spend much of their time here."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any

from agents.agent import Sides
from agents.learners.features import Situation
from agents.learners.rewards import Rewards
from agents.learners.row import Row
from engine.game import Event
from engine.records import kept, rebuilt_by_init


@dataclass(slots=True)
class Counts:
    """The counters of a learner, with their names in files."""

    total_actions: float = 0.0
    exploration_actions: float = 0.0
    updates: float = 0.0
    td_error: float = 0.0
    games: float = 0.0
    wins: float = 0.0

    def add_updates(self, changes: Sequence[tuple[float, float]]) -> None:
        """Count updates by the error and the change of each."""
        for error, _ in changes:
            self.updates += 1.0
            self.td_error += abs(error)

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuilt_by_init, (type(self), kept(self))


class Step:
    """A decision whose outcome is not known yet.

    expected   the value of the situation when the move was chosen
    """

    # Written out, since the constructor of a dataclass is not compiled.
    __slots__ = ("action", "expected", "explored", "move", "reasons", "reward", "situation")

    def __init__(
        self,
        situation: Situation,
        action: int,
        move: int,
        expected: float,
        explored: bool,
        reward: float = 0.0,
        reasons: tuple[str, ...] = (),
    ) -> None:
        self.situation: Situation = situation
        self.action: int = action
        self.move: int = move
        self.expected: float = expected
        self.explored: bool = explored
        self.reward: float = reward
        self.reasons: tuple[str, ...] = reasons

    def __reduce__(self) -> tuple[Any, ...]:
        values = (self.situation, self.action, self.move, self.expected, self.explored)
        return Step, (*values, self.reward, self.reasons)


Outcome = tuple[Step, float]
"""A step and what became of it: the value that its move should have."""


def decide(
    situation: Situation,
    moves: dict[int, int],
    row: Row,
    explored: list[int] | None,
    rng: Random,
    on_policy: bool,
) -> Step:
    """Choose uniformly among the actions with the best value.

    moves      the move of each legal action
    row        what is known about the situation
    explored   the actions to choose from whatever their values; None does not explore
    on_policy  expect the value of the chosen move, not of the best one
    """
    values = row.values
    best = -inf
    candidates: list[int] = []
    for each, move in moves.items():
        value = values[move] if move in values else row.guess(move)
        if value > best:
            best = value
            candidates = [each]
        elif value == best:
            candidates.append(each)
    if explored is not None:
        candidates = explored
    action = candidates[0] if len(candidates) == 1 else rng.choice(candidates)
    move = moves[action]
    expected = row[move] if on_policy else best
    return Step(situation, action, move, expected, explored is not None)


def pay(
    step: Step | None, rewards: Rewards, seat: int, sides: Sides, events: Sequence[Event]
) -> tuple[bool, Event | None]:
    """Add to the latest step of a seat what some events pay. Returns whether they end a hand, and
    the one that ends the match."""
    over = False
    end_of_match: Event | None = None
    for event in events:
        kind = event.kind
        if kind == "hand":
            over = True
        elif kind == "match":
            end_of_match = event
        if step is not None:
            reward = rewards.of_event(event, seat, sides)
            if reward is not None:
                step.reward += reward[0]
                step.reasons += (reward[1],)
    return over, end_of_match


def traced_outcomes(hand: Sequence[Step], gamma: float, trace: float) -> list[Outcome]:
    """The outcomes of the steps of a finished hand, the last one first. The outcome of a step is
    its reward plus a mixture, set by `trace`, of what the seat expected at its next decision and
    the outcome of that."""
    following = hand[-1]
    outcome = following.reward
    outcomes = [(following, outcome)]
    for place in range(len(hand) - 2, -1, -1):
        step = hand[place]
        mixture = (1 - trace) * following.expected + trace * outcome
        outcome = step.reward + gamma * mixture
        outcomes.append((step, outcome))
        following = step
    return outcomes


def first_visits(hand: Sequence[Step], gamma: float) -> list[Outcome]:
    """The sum of rewards to the end of a finished hand, for the first visit to each situation and
    move in it."""
    outcome = 0.0
    first: dict[tuple[Situation, int], Outcome] = {}
    for step in reversed(hand):
        outcome = step.reward + gamma * outcome
        first[step.situation, step.move] = (step, outcome)
    return list(reversed(first.values()))
