"""Derives the seeds of many matches from one seed. Matches for different purposes never share
a deal."""

import hmac
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
_BYTES: Final = 8
_SALTED_BYTES: Final = 16


def match_seed(purpose: Purpose, seed: int, number: int, salt: str = "") -> int:
    """The seed of match or deal `number`, below 2**63. Its lowest bits are the purpose, so that
    the seeds of two purposes differ whatever the other arguments are.

    salt   a secret. The seed then has 128 bits, and nobody can compute it without the salt, even
           if the other arguments are known
    """
    named = f"{purpose.name}/{seed}/{number}"
    size = _SALTED_BYTES if salt else _BYTES
    digest = sha256((f"{named}/{salt}" if salt else named).encode()).digest()
    drawn = int.from_bytes(digest[:size], "big") >> (1 + _PURPOSE_BITS)
    return drawn << _PURPOSE_BITS | purpose.value


def evaluation_salt(secret: bytes, game: str, seed: int) -> str:
    """The salt of an evaluation in which other programs play: the same for the same secret, game
    and seed. The programs are sent none of them but the game."""
    return hmac.new(secret, f"evaluation/{game}/{seed}".encode(), sha256).hexdigest()[:32]
