"""Values of stored rows, checked. Each function raises ValueError for a value of another kind."""

from math import isfinite
from typing import Final

from agents.plain_text import is_safe
from engine.chance import check_seed

_LARGEST: Final = 2**53


def text_in(value: object) -> str:
    """A text that is safe to show."""
    if not isinstance(value, str) or not is_safe(value):
        raise ValueError("a text is wrong")
    return value


def count_in(value: object) -> int:
    if type(value) is not int or not 0 <= value < _LARGEST:
        raise ValueError("a count is wrong")
    return value


def amount_in(value: object) -> float:
    if type(value) not in (int, float) or not isfinite(value) or abs(value) >= _LARGEST:  # type: ignore[arg-type]
        raise ValueError("an amount is wrong")
    return float(value)  # type: ignore[arg-type]


def share_in(value: object) -> float:
    amount = amount_in(value)
    if not 0 <= amount <= 1:
        raise ValueError("a share is wrong")
    return amount


def seed_in(value: object) -> int:
    seed = int(text_in(value))
    check_seed(seed)
    return seed
