"""What happened in a match so far."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Past:
    """The actions of a match, and what affects its rating and its seats.

    assisted    a hint was shown
    unrated     a move was taken back, the match continues another one, or costly moves were
                pointed out
    taken_over  seats whose agent failed and was replaced by random
    """

    actions: tuple[int, ...] = ()
    assisted: bool = False
    unrated: bool = False
    taken_over: tuple[int, ...] = ()


NOTHING_YET: Final = Past()
