"""What to train, from a YAML file: read with care, and wrong files explained in a sentence."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class QParams(_Strict):
    """How fast to learn (see `agents.learners.settings.LearningSettings`)."""

    alpha: float | None = Field(default=None, gt=0, le=1)
    gamma: float | None = Field(default=None, ge=0, le=1)
    settle: float | None = Field(default=None, ge=0)


class EpsilonParams(_Strict):
    """How much to try at random: at first, the factor per action, and the least."""

    start: float | None = Field(default=None, ge=0, le=1)
    decay: float | None = Field(default=None, gt=0, le=1)
    min: float | None = Field(default=None, ge=0, le=1)


class Measuring(_Strict):
    """How often to measure against those who do not learn, and with how many matches."""

    points: int = Field(default=4, ge=0, le=1000)
    games: int = Field(default=100, ge=2)


class CourseFile(_Strict):
    """All that `kibitz train --config` takes. Flags of the command line come first."""

    agent_type: str = "q"
    episodes: int = Field(default=1000, ge=1)
    seed: int = 0
    out: Path | None = None
    opponents: list[str] = []
    options: dict[str, int | str | bool] = {}
    q_params: QParams = QParams()
    epsilon_params: EpsilonParams = EpsilonParams()
    rewards: dict[str, float] = {}
    checkpoint: int | None = Field(default=None, ge=1)
    evaluation: Measuring = Measuring()

    def settings(self) -> dict[str, float]:
        """The learner's settings that the file changes, by their names."""
        named = {
            **self.q_params.model_dump(),
            "epsilon": self.epsilon_params.start,
            "decay": self.epsilon_params.decay,
            "least": self.epsilon_params.min,
        }
        return {name: value for name, value in named.items() if value is not None}


def read_course(path: Path) -> CourseFile:
    """Raises ValueError with one sentence for a file that cannot be used."""
    try:
        contents = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a text file in UTF-8.") from error
    except yaml.YAMLError as error:
        raise ValueError(f"{path} is not YAML: {_first_line(error)}.") from error
    if contents is None:
        contents = {}
    if not isinstance(contents, dict):
        raise ValueError(f"{path} holds no settings; write them as `name: value`.")
    try:
        return CourseFile.model_validate(contents)
    except ValidationError as error:
        raise ValueError(f"{path}: {_explained(error.errors()[0])}") from error


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")


def _explained(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"there is no setting {where!r}; take it out or mend its name."
    return f"{where} is {error['input']!r}, but {error['msg'][0].lower()}{error['msg'][1:]}."
