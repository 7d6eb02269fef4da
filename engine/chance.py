"""Seeded chance without a generator object.

Every random event of a match is a pure function of the match seed and of how
many random events came before it. A state therefore carries two integers, and
cloning it copies two integers.
"""

from array import array
from collections.abc import Callable
from hashlib import shake_128
from itertools import compress
from struct import Struct
from sys import byteorder
from typing import Final

_WORD: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_BIG_ENDIAN: Final = byteorder == "big"
_PLACES: Final = tuple(range(256))
_IS_LOW: Final = [b"\1" * limit + b"\0" * (256 - limit) for limit in range(257)]
"""For each limit whether a byte is below it, as a table for `translate`."""

FRACTION: Final = 53
"""The bits of a random number as a fraction of one."""
_LANES: Final = 32
_LANE: Final = 128
_EACH: Final = sum([1 << _LANE * lane for lane in range(_LANES)])
_WORDS: Final = _EACH * _WORD
_STEPS: Final = sum([((_LANES - lane) * _GOLDEN & _WORD) << _LANE * lane for lane in range(_LANES)])
_UP: Final = 5
_WORDS_UP: Final = _WORDS << _UP
_LAST_UP: Final = 0x94D049BB133111EB << _UP
_FRACTIONS: Final = Struct("<" + "2xQ6x" * _LANES)
"""The last words are mixed five bits up: what `draw` cuts off them are then two bytes."""


def draw(seed: int, tick: int, count: int) -> int:
    """A number from 0 to count - 1: the random event `tick` of a match."""
    z = (seed + (tick + 1) * _GOLDEN) & _WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return (((z ^ (z >> 31)) >> 11) * count) >> 53


def coming(seed: int, tick: int) -> list[int]:
    """What the random events from `tick` on are drawn from, the next one last.

    For each number that comes off the end, `number * count >> FRACTION` is what `draw` gives.
    All are mixed at once, side by side in one long integer, for a fifth of the price each.
    """
    z = (((seed + tick * _GOLDEN) & _WORD) * _EACH + _STEPS) & _WORDS
    z = ((z ^ (z >> 30)) & _WORDS) * 0xBF58476D1CE4E5B9 & _WORDS
    z = ((z ^ (z >> 27)) & _WORDS) * _LAST_UP & _WORDS_UP
    numbers = (z ^ (z >> 31)).to_bytes(_LANES * _LANE // 8, "little")
    return list(_FRACTIONS.unpack(numbers))


def shuffled(seed: int, tick: int, count: int, cards: bytes = b"") -> list[int]:
    """The numbers from 0 to count - 1 in random order: the random event `tick`.

    cards   so many others to shuffle instead, ascending

    Sorting on random keys is the fastest shuffle in plain Python; 32-bit keys
    make ties, and with them any bias, negligible. What is sorted are not integers but
    floats, which Python compares in a third of the time (see `_Floats`).
    """
    keys = _keys(seed, tick, count)
    if count > 256:
        return sorted(range(count), key=_as_numbers(keys).tolist().__getitem__)
    floats = _FLOATS.get(cards or count)
    if floats is None:
        floats = _FLOATS[cards or count] = _Floats(cards or bytes(range(count)))
    words = floats.words[:]
    words[1::2] = array("I", keys)
    return list(floats.write(*sorted(floats.read(words, 3)))[::8])


class _Floats:
    """Floats that sort like the keys of a shuffle of up to 256 and know their cards.

    Each is made of eight bytes, the lowest first: its card, the four bytes of its key, and
    three that make it 2 ** 52 + 256 * key + card. In words of four bytes, keys and constants
    take turns, so that all keys go in at once; the first float begins at the fourth byte.
    """

    __slots__ = ("read", "words", "write")

    def __init__(self, cards: bytes) -> None:
        pairs = [b"%c\0\0\0\0\0\x30\x43" % card for card in cards]
        self.words: array[int] = array("I", b"\0\0\0" + b"".join(pairs) + b"\0")
        floats = Struct(f"{'<' if _BIG_ENDIAN else ''}{len(cards)}d")
        self.read: Callable[..., tuple[float, ...]] = floats.unpack_from
        self.write: Callable[..., bytes] = floats.pack


_FLOATS: Final[dict[int | bytes, _Floats]] = {}


def top_cards(seed: int, tick: int, count: int, wanted: int) -> list[int]:
    """The first `wanted` numbers of `shuffled`, for a deal that leaves most cards undealt.

    Low keys come first, so only those need sorting: their highest byte tells which they
    are. Half as many again as are wanted pass; if too few do, twice as many may. There are
    no packs of more than 256 cards.
    """
    keys = _keys(seed, tick, count)
    highest = keys[3::4]
    limit = 380 * wanted // count
    if limit > 256:
        limit = 256
    low = list(compress(_PLACES, highest.translate(_IS_LOW[limit])))
    while len(low) < wanted:
        limit = min(2 * limit, 256)
        low = list(compress(_PLACES, highest.translate(_IS_LOW[limit])))
    low.sort(key=_as_numbers(keys).__getitem__)
    return low[:wanted]


def _keys(seed: int, tick: int, count: int) -> bytes:
    """Four bytes for each key, the lowest first."""
    return shake_128(b"%d/%d" % (seed, tick)).digest(4 * count)


def _as_numbers(keys: bytes) -> "array[int]":
    numbers = array("I", keys)
    if _BIG_ENDIAN:
        numbers.byteswap()
    return numbers
