"""Random events without a generator object.

A random event is a pure function of the match's seed and of a counter, its `tick`. A state
therefore carries two integers, and a copy of the state copies two integers. The random bits
of an event are the BLAKE2b digest of seed and tick. This gives three guarantees:

- The same seed and tick give the same result in every version, plain or compiled.
- All 128 bits of a seed count, and different ticks are independent.
- Cards do not reveal the seed: finding it from digests means inverting BLAKE2b. All that is
  left is to try seeds one by one, so a secret match needs a seed of 128 random bits.
"""

from hashlib import blake2b
from struct import Struct
from typing import Any, Final

from engine.compiling import i64

SEED_BITS: Final = 128
FRACTION: Final = 32
"""The bits of a random number as a fraction of one."""

AT_ONCE: Final = 16
"""How many random numbers `fractions` returns."""

_WORDS: Final = Struct(f"<{AT_ONCE}I")
_LARGEST_PACK: Final = 256
_SKIPPED: Final = b"\xff"
_PICKS: Final = [b""] + [
    (bytes(range(left)) * (256 // left)).ljust(256, _SKIPPED)
    for left in range(1, _LARGEST_PACK + 1)
]
"""For each number of cards left, the card that each byte picks. All cards have equally many
bytes; the remaining bytes are skipped, so no card is more likely than another."""


def draw(seed: int, tick: int, count: int) -> int:
    """Return a number from 0 to count - 1."""
    digest: bytes = blake2b(_event(seed, tick)).digest()
    return int.from_bytes(digest[:8], "little") * count >> 64


def fractions(seed: int, tick: int) -> list[int]:
    """Return sixteen random numbers of FRACTION bits.

    `number * count >> FRACTION` is then a number from 0 to count - 1. With few choices, all are
    equally likely but for a millionth.
    """
    digest: bytes = blake2b(_event(seed, tick)).digest()
    return list(_WORDS.unpack(digest))


def shuffled(seed: int, tick: int, cards: list[int], top: int = 0) -> list[int]:
    """Return the cards, at most 256, in random order.

    top   how many cards will be dealt; the others follow in no particular order, which
          saves time. The top cards are the same as after a full shuffle. 0: all cards

    Fisher-Yates from the end of the list, where each card takes one byte of the digest or,
    rarely, more. A long shuffle continues with further digests.
    """
    order: list[Any] = cards[:]  # Any: compiled code then moves cards without unboxing them.
    left: i64 = len(order)
    rest: i64 = left - top if top else 0
    event = _event(seed, tick)
    while left > rest:
        digest: bytes = blake2b(event).digest()
        for byte in digest:
            pick: i64 = _PICKS[left][byte]
            if pick < left:
                left -= 1
                order[pick], order[left] = order[left], order[pick]
                if left == rest:
                    break
        event += b"\1"
    order.reverse()
    return order


def check_seed(seed: int) -> None:
    """Raise ValueError unless the seed is in range."""
    if seed >> SEED_BITS:
        raise ValueError(f"A seed is a whole number from 0 to 2**{SEED_BITS} - 1.")


def _event(seed: int, tick: int) -> bytes:
    if seed >> SEED_BITS:
        check_seed(seed)
    return seed.to_bytes(SEED_BITS // 8, "little") + tick.to_bytes(8, "little")
