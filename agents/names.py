"""Names of agents: `q`, the named learner `q:rosa`, the generation `q@1000`, or `q@FILE` for the
values in a file."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MARK: Final = "@"
COLON: Final = ":"
"""Between the kind of a learner and its own name."""

_MAX_DIGITS: Final = 15
_OWN_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,19}", re.ASCII)


def generation_name(agent: str, matches: int) -> str:
    return f"{agent}{MARK}{matches}"


def learner_name(kind: str, own: str) -> str:
    """The name of a named learner. Raises ValueError for a bad own name."""
    check_own_name(own)
    return f"{kind}{COLON}{own}"


def check_own_name(own: str) -> None:
    """Raise ValueError with a sentence for a bad name."""
    if not _OWN_NAME.fullmatch(own):
        raise ValueError(
            f"{own!r} cannot be the name of a learner; use 1 to 20 of a-z, 0-9, - and _, "
            "beginning with a letter."
        )


def kind_of(agent: str) -> str:
    """The kind of a learner: `q` for `q:rosa`. Other agents are of their own kind."""
    return agent.partition(MARK)[0].partition(COLON)[0]


def own_name(agent: str) -> str:
    """The own name of a learner: `rosa` for `q:rosa@100`; empty if it has none."""
    return agent.partition(MARK)[0].partition(COLON)[2]


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
        kind, colon, own = agent.partition(COLON)
        if colon:
            check_own_name(own)
        if not mark:
            return cls(agent)
        if not rest:
            raise ValueError(
                f"{text!r} names no generation; give its matches after {MARK}, such as {agent}@0."
            )
        if rest.isdecimal() and rest.isascii() and len(rest) <= _MAX_DIGITS:
            return cls(agent, int(rest))
        if colon:
            raise ValueError(
                f"{text!r} has a name and a file; give {kind}{MARK}FILE for the values in a file."
            )
        try:
            return cls(agent, file=Path(rest).expanduser())
        except RuntimeError as error:
            raise ValueError(f"There is no such home directory: {rest}.") from error

    @property
    def kind(self) -> str:
        return kind_of(self.agent)

    @property
    def own(self) -> str:
        """The own name of a learner; empty if it has none."""
        return own_name(self.agent)

    @property
    def frozen(self) -> bool:
        """Whether a learner with this name never learns."""
        return self.matches is not None or self.file is not None
