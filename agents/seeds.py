"""Derives the seeds of many matches from one seed. Matches for different purposes never share
a deal."""

from enum import Enum
from hashlib import sha256
from typing import Final


class Purpose(Enum):
    """What matches are played for. The value is part of each seed.

    TRAINING   learners learn from these matches
    TUNING     measurements on which decisions are based: learning curves, sweeps of settings
    REPORTING  figures for people: `kibitz evaluate`, the arena
    OUTSIDE    matches of other programs, in the reinforcement-learning environments
    """

    TRAINING = 0
    TUNING = 1
    REPORTING = 2
    OUTSIDE = 3


_PURPOSE_BITS: Final = 2


def match_seed(purpose: Purpose, seed: int, number: int) -> int:
    """The seed of match or deal `number`, below 2**63. Its lowest bits are the purpose, so that
    the seeds of two purposes differ whatever the other arguments are."""
    digest = sha256(f"{purpose.name}/{seed}/{number}".encode()).digest()
    drawn = int.from_bytes(digest[:8], "big") >> (1 + _PURPOSE_BITS)
    return drawn << _PURPOSE_BITS | purpose.value
