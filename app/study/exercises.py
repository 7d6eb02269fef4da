"""Exercises: a position of a match with one decision, and what its moves are worth.

The position is stored as a match: setup and actions. It is replayed before it is shown, so an
exercise of another person can do no more than a journal of another person.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from math import isfinite
from typing import Any, Final

from agents.agent import Decision, Scale
from agents.plain_text import is_safe, sentence
from app.match.moment import Thought
from app.records.journal import MatchSetup, checked_setup
from app.study.review import RARE, Answer, verdict_on
from engine.game import OVER, State

RIGHT: Final = 0.01
"""A move that costs at most this much is right: one percentage point, or this part of the range of
values. Search does not estimate much more precisely."""

NEARLY: Final = 0.03
"""A move that costs at most this much is nearly right."""

MOST_ACTIONS: Final = 5000
_MOST_MOVES: Final = 1000
_LONGEST_TEXT: Final = 500
LARGEST: Final = 256 << 10
"""Characters of one exercise."""


class Grade(Enum):
    """How good an answer is. The value is stored."""

    RIGHT = "right"
    NEARLY = "nearly"
    WRONG = "wrong"


class Source(Enum):
    """Where an exercise comes from. The value is stored.

    OWN      a mistake in one of the person's matches
    AGENTS   a match of agents; these come with the program
    SHARED   a file of another person
    """

    OWN = "own"
    AGENTS = "agents"
    SHARED = "shared"


class ExerciseError(ValueError):
    """An exercise that makes no sense; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What the moves of a position are worth, by their labels.

    agent   the name of the agent that weighed them, and `best` its move
    shares  how often it makes each move, if it mixes its moves; else empty
    """

    agent: str
    best: str
    values: Mapping[str, float]
    scale: Scale
    meaning: str
    reason: str = ""
    shares: Mapping[str, float] | None = None

    @classmethod
    def of(cls, thought: Thought) -> "Solution":
        view, decision = thought.view, thought.decision
        worth = thought.worth or decision
        mixed = decision.scale is Scale.FREQUENCY
        return cls(
            thought.agent,
            view.label(decision.action),
            {view.label(move): round(worth.scores[move], 4) for move in sorted(worth.scores)},
            worth.scale,
            worth.meaning,
            decision.reason,
            {view.label(move): round(decision.scores[move], 4) for move in sorted(decision.scores)}
            if mixed
            else None,
        )


@dataclass(frozen=True, slots=True)
class Exercise:
    """One decision.

    setup     the match; `before` has the labels of its actions before the decision
    played    the label of the move that was made in the match; may be empty
    solution  None until somebody weighs the moves
    """

    setup: MatchSetup
    before: tuple[str, ...]
    played: str
    source: Source
    solution: Solution | None = None

    @property
    def game(self) -> str:
        return self.setup.game

    @property
    def key(self) -> str:
        """Identifies the decision: two exercises with the same key have the same position."""
        setup = self.setup
        named = [setup.game, dict(setup.options), setup.seed, setup.first, self.before]
        return hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:16]

    def position(self) -> "Position":
        """Replay the match. Raises ExerciseError if it does not lead to a decision."""
        state = self.setup.deal()
        actions = []
        try:
            for label in self.before:
                actions.append(state.parse(label))
                state.apply(actions[-1])
        except ValueError as error:
            raise ExerciseError("An action of an exercise is not possible there.") from error
        if state.turn == OVER or len(state.legal()) < 2:
            raise ExerciseError("There is nothing to decide in an exercise.")
        return Position(self, state, tuple(actions))

    def as_dict(self) -> dict[str, Any]:
        setup = self.setup.line()
        found: dict[str, Any] = {"setup": setup, "before": list(self.before), "played": self.played}
        if self.solution is not None:
            found["solution"] = _solution_dict(self.solution)
        return found


@dataclass(frozen=True, slots=True)
class Position:
    """The state of an exercise.

    state     before the decision
    actions   that led to it
    """

    exercise: Exercise
    state: State
    actions: tuple[int, ...]

    @property
    def seat(self) -> int:
        return self.state.turn

    @property
    def moves(self) -> dict[str, int]:
        """The legal actions by their labels."""
        return {self.state.label(action): action for action in self.state.legal()}

    @property
    def played(self) -> int | None:
        """The move that was made in the match, if it is known."""
        return self.moves.get(self.exercise.played)

    def thought(self, solution: Solution) -> Thought:
        """The solution as a thought. Raises ExerciseError if its moves are not those here."""
        moves = self.moves
        named = {solution.best, *solution.values, *(solution.shares or {})}
        if not named <= moves.keys():
            raise ExerciseError("The solution of an exercise has moves that are not possible.")
        best = moves[solution.best]
        worth = Decision(
            best,
            {moves[label]: value for label, value in solution.values.items()},
            solution.meaning,
            scale=solution.scale,
            reason=solution.reason,
        )
        decision = worth
        if solution.shares is not None:
            shares = {moves[label]: share for label, share in solution.shares.items()}
            decision = replace(
                worth, scores=shares, scale=Scale.FREQUENCY, meaning="how often an expert does this"
            )
        state = self.state
        return Thought(
            len(self.actions),
            solution.agent,
            state.view(state.turn),
            tuple(state.legal()),
            decision,
            worth=worth if solution.shares is not None else None,
        )

    def judge(self, solution: Solution, action: int) -> "Result":
        """Judge an answer."""
        thought = self.thought(solution)
        answer = Answer(thought.number, thought.view, thought.legal, action)
        verdict = verdict_on(thought, answer)
        worth = verdict.measure
        reach = 1.0
        if worth.scale is Scale.VALUE:
            reach = max(worth.scores.values(), default=0.0) - min(
                worth.scores.values(), default=0.0
            )
        cost = verdict.cost
        if cost is None:
            return Result(Grade.WRONG, action, None, worth.scale, verdict.share)
        grade = Grade.WRONG
        if cost <= RIGHT * reach or (verdict.share or 0.0) >= RARE:
            grade = Grade.RIGHT
        elif cost <= NEARLY * reach:
            grade = Grade.NEARLY
        return Result(grade, action, cost, worth.scale, verdict.share)


@dataclass(frozen=True, slots=True)
class Result:
    """An answer to an exercise.

    cost    what it gives away; None if it was not weighed
    share   how often an expert makes the move, if experts mix their moves
    """

    grade: Grade
    action: int
    cost: float | None
    scale: Scale
    share: float | None = None


def exercise_in(found: object, source: Source) -> Exercise:
    """The exercise in JSON that anyone may have written. Raises only ExerciseError, whatever it is.

    Only the shape is checked; `Exercise.position` and `Position.thought` check the rest.
    """
    try:
        return _exercise(found, source)
    except ExerciseError:
        raise
    except ValueError as error:
        raise ExerciseError(sentence(str(error))) from error
    except Exception as error:
        raise ExerciseError("A part of an exercise is missing or wrong.") from error


def _exercise(found: Any, source: Source) -> Exercise:
    before = found["before"]
    if not isinstance(before, list) or len(before) > MOST_ACTIONS:
        raise ExerciseError("An exercise has too many actions.")
    return Exercise(
        checked_setup(found["setup"], "An exercise"),
        tuple([_text(label) for label in before]),
        _text(found["played"]),
        source,
        _solution(found["solution"]) if "solution" in found else None,
    )


def _solution_dict(solution: Solution) -> dict[str, Any]:
    found: dict[str, Any] = {
        "agent": solution.agent,
        "best": solution.best,
        "values": dict(solution.values),
        "scale": solution.scale.name.lower(),
        "meaning": solution.meaning,
    }
    if solution.reason:
        found["reason"] = solution.reason
    if solution.shares is not None:
        found["shares"] = dict(solution.shares)
    return found


def _solution(found: Any) -> Solution:
    values = _numbers(found["values"])
    best = _text(found["best"])
    if best not in values:
        raise ExerciseError("The best move of an exercise has no value.")
    shares = _numbers(found["shares"]) if "shares" in found else None
    if shares is not None and not all(0 <= share <= 1 for share in shares.values()):
        raise ExerciseError("The shares of the moves of an exercise are wrong.")
    scale = {each.name.lower(): each for each in Scale if each is not Scale.FREQUENCY}
    return Solution(
        _text(found["agent"]),
        best,
        values,
        scale[_text(found["scale"])],
        _text(found["meaning"]),
        _text(found.get("reason", "")),
        shares,
    )


def _numbers(found: Any) -> dict[str, float]:
    if not isinstance(found, dict) or len(found) > _MOST_MOVES:
        raise ExerciseError("The values of the moves of an exercise are wrong.")
    numbers = {}
    for label, value in found.items():
        if type(value) not in (int, float) or not isfinite(value) or abs(value) > 1e9:
            raise ExerciseError("The value of a move of an exercise is wrong.")
        numbers[_text(label)] = float(value)
    return numbers


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT or not is_safe(value):
        raise ExerciseError("A text of an exercise is wrong.")
    return value
