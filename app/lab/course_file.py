"""Course files: what `kibitz train --config` reads.

Structure and types are checked here, numbers against their limits with `engine.limits`, the
options of the game by the game, and names of settings and rewards by the learner.
"""

from collections.abc import Mapping
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, ClassVar, Final, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.learners.settings import SETTING_LIMITS
from agents.plain_text import sentence
from agents.storage.bounded import read_bounded
from agents.storage.files import reason_of
from agents.training.grid import MOST_TRAININGS
from engine.limits import limits, outside, shown

_LARGEST: Final = 1 << 16
_MOST_BRACKETS: Final = 50


class _Section(BaseModel):
    """A part of a course file. Unknown keys are refused.

    LIMITS   of its numbers, by key
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    LIMITS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    @model_validator(mode="after")
    def _within_limits(self) -> "_Section":
        for name, allowed in self.LIMITS.items():
            value = getattr(self, name)
            if value is not None and (problem := outside(name, value, allowed)):
                raise ValueError(problem)
        return self


class QParams(_Section):
    """How fast to learn. See `agents.learners.settings.LearningSettings`."""

    LIMITS = {name: SETTING_LIMITS[name] for name in ("alpha", "gamma", "settle", "trace", "trust")}
    alpha: float | None = None
    gamma: float | None = None
    settle: float | None = None
    trace: float | None = None
    trust: float | None = None


class EpsilonParams(_Section):
    """How much to explore: at first, the lower limit, and what lets the share fall: either each
    action, by a factor, or the visits of a situation."""

    LIMITS = {
        "start": SETTING_LIMITS["epsilon"],
        "decay": SETTING_LIMITS["decay"],
        "familiar": SETTING_LIMITS["familiar"],
        "min": SETTING_LIMITS["least"],
    }
    start: float | None = None
    decay: float | None = None
    familiar: float | None = None
    min: float | None = None

    @model_validator(mode="after")
    def _falls_in_one_way(self) -> "EpsilonParams":
        if self.decay is not None and self.familiar:
            raise ValueError("decay has no effect together with familiar; give one of them")
        return self


class Measuring(_Section):
    """How often to measure against agents that do not learn, and with how many matches."""

    LIMITS = {
        "points": limits("Measurements.", low=0, high=1000),
        "games": limits("Matches of each measurement.", low=2),
    }
    points: int = 4
    games: int = 100


class Grid(_Section):
    """Settings and rewards to compare.

    values   to try, by the name of the setting or reward
    seeds    trainings of each combination
    """

    LIMITS = {"seeds": limits("Trainings of each combination.", low=1, high=MOST_TRAININGS)}
    values: dict[str, Annotated[list[float], Field(min_length=1)]]
    seeds: int = 3


class CourseFile(_Section):
    """A whole course file. Flags of the command line take precedence."""

    LIMITS = {
        "episodes": limits("Matches.", low=1),
        "checkpoint": limits("Matches between checkpoints.", low=1),
    }
    agent_type: str = "q"
    episodes: int = 1000
    seed: int = 0
    out: Path | None = None
    opponents: list[str] = []
    options: dict[str, int | str | bool] = {}
    q_params: QParams = QParams()
    epsilon_params: EpsilonParams = EpsilonParams()
    rewards: dict[str, float] = {}
    checkpoint: int | None = None
    evaluation: Measuring = Measuring()
    grid: Grid | None = None

    def settings(self) -> dict[str, float]:
        """Return the learner's settings that the file changes, by their names."""
        exploring = self.epsilon_params
        named = {
            **self.q_params.model_dump(),
            "epsilon": exploring.start,
            "decay": exploring.decay,
            "familiar": exploring.familiar if exploring.decay is None else 0.0,
            "least": exploring.min,
        }
        return {name: value for name, value in named.items() if value is not None}


class _WithoutAliases(yaml.SafeLoader):
    """Refuses aliases: a few of them can stand for a structure of any size."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias (*) is not allowed here")
        return super().compose_node(parent, index)


def _check_depth(text: str) -> None:
    """Refuse many open brackets: reading them takes quadratic time."""
    depth = 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        if depth > _MOST_BRACKETS:
            raise yaml.YAMLError("it is nested too deeply")


def read_course(path: Path) -> CourseFile:
    """Raises ValueError with one sentence for a file that cannot be used."""
    try:
        text = read_bounded(path, _LARGEST).decode()
        _check_depth(text)
        contents = yaml.load(text, _WithoutAliases)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason_of(error)}.") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a text file in UTF-8.") from error
    except yaml.YAMLError as error:
        reason = sentence(str(error), 300).rstrip(".")
        raise ValueError(f"{path} is not YAML: {reason}.") from error
    except (ValueError, RecursionError, OverflowError) as error:
        raise ValueError(f"{path} holds values that make no sense.") from error
    if contents is None:
        contents = {}
    if not isinstance(contents, dict):
        raise ValueError(f"{path} holds no settings; write them as `name: value`.")
    try:
        return CourseFile.model_validate(contents)
    except ValidationError as error:
        raise ValueError(f"{path}: {_explained(error.errors()[0])}.") from error


def _explained(error: Any) -> str:
    where = sentence(".".join(str(part) for part in error["loc"]), 100)
    if error["type"] == "extra_forbidden":
        section: Any = CourseFile
        for part in error["loc"][:-1]:
            section = _section_of(section.model_fields[part].annotation)
        known = ", ".join(section.model_fields)
        return f"there is no setting {shown(where)}; choose one of: {known}"
    if error["type"] == "value_error":
        return f"{where}.{error['ctx']['error']}" if where else str(error["ctx"]["error"])
    return f"{where} is {shown(error['input'])}, but {error['msg'][0].lower()}{error['msg'][1:]}"


def _section_of(annotation: Any) -> Any:
    """The section in a type such as `Grid | None`."""
    return next((each for each in get_args(annotation) if each is not NoneType), annotation)
