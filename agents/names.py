"""Names of agents: `q`, the generation `q@1000`, or `q@FILE` for the values in a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

MARK: Final = "@"
_MAX_DIGITS: Final = 15


def generation_name(agent: str, matches: int) -> str:
    return f"{agent}{MARK}{matches}"


@dataclass(frozen=True, slots=True)
class AgentName:
    """A name in its parts.

    agent     the name before the mark
    matches   of training, for a generation
    file      with learned values
    """

    agent: str
    matches: int | None = None
    file: Path | None = None

    @classmethod
    def parse(cls, text: str) -> "AgentName":
        """Digits after the mark are a generation, anything else is a file.

        Raises ValueError.
        """
        agent, mark, rest = text.partition(MARK)
        if not mark:
            return cls(agent)
        if not rest:
            raise ValueError(
                f"{text!r} names no generation; give its matches after {MARK}, such as {agent}@0."
            )
        if rest.isdecimal() and rest.isascii() and len(rest) <= _MAX_DIGITS:
            return cls(agent, int(rest))
        try:
            return cls(agent, file=Path(rest).expanduser())
        except RuntimeError as error:
            raise ValueError(f"There is no such home directory: {rest}.") from error

    @property
    def frozen(self) -> bool:
        """Whether a learner with this name never learns."""
        return self.matches is not None or self.file is not None
