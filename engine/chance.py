"""Seeded chance without a generator object.

Every random event of a match is a pure function of the match seed and of how
many random events came before it. A state therefore carries two integers, and
cloning it copies two integers.
"""

from hashlib import shake_128
from struct import unpack
from typing import Final

_WORD: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15


def draw(seed: int, tick: int, count: int) -> int:
    """A number from 0 to count - 1: the random event `tick` of a match."""
    z = (seed + (tick + 1) * _GOLDEN) & _WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return (((z ^ (z >> 31)) >> 11) * count) >> 53


def shuffled(seed: int, tick: int, count: int) -> list[int]:
    """The numbers from 0 to count - 1 in random order: the random event `tick`.

    Sorting on random keys is the fastest shuffle in plain Python; 32-bit keys
    make ties, and with them any bias, negligible.
    """
    keys = unpack(f"<{count}I", shake_128(b"%d/%d" % (seed, tick)).digest(4 * count))
    return sorted(range(count), key=keys.__getitem__)
