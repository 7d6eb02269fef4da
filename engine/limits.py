"""Limits of options and settings, and the sentence for a value outside them."""

from collections.abc import Mapping, Sequence
from typing import Any


def limits(
    help: str, choices: Sequence[object] = (), low: float | None = None, high: float | None = None
) -> dict[str, Any]:
    """Metadata of a dataclass field: one line of help, and the values it may have."""
    return {"help": help, "choices": tuple(choices), "low": low, "high": high}


def outside(name: str, value: Any, limits: Mapping[str, Any]) -> str:
    """What is wrong with a value and what to do; empty if it is within the limits."""
    choices, low, high = limits["choices"], limits["low"], limits["high"]
    if choices and not any(value == each and type(value) is type(each) for each in choices):
        return f"{name} is {value!r}; choose one of: {', '.join(map(str, choices))}"
    if low is not None and not value >= low:
        return f"{name} is {_number(value)}; the smallest possible is {_number(low)}"
    if high is not None and not value <= high:
        return f"{name} is {_number(value)}; the largest possible is {_number(high)}"
    return ""


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
