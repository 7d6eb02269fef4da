"""Limits of options and settings, and the sentence for a value outside them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

_LONGEST: Final = 60
_MOST_BITS: Final = 128


def limits(
    help: str, choices: Sequence[object] = (), low: float | None = None, high: float | None = None
) -> dict[str, Any]:
    """Metadata of a dataclass field: one line of help, and the values it may have."""
    return {"help": help, "choices": tuple(choices), "low": low, "high": high}


def outside(name: str, value: Any, limits: Mapping[str, Any]) -> str:
    """What is wrong with a value and what to do; empty if it is within the limits."""
    choices, low, high = limits["choices"], limits["low"], limits["high"]
    if choices and not any(value == each and type(value) is type(each) for each in choices):
        return f"{name} is {shown(value)}; choose one of: {', '.join(map(str, choices))}"
    if low is not None and not value >= low:
        return f"{name} is {_number(value)}; the smallest possible is {_number(low)}"
    if high is not None and not value <= high:
        return f"{name} is {_number(value)}; the largest possible is {_number(high)}"
    return ""


def shown(value: object) -> str:
    """A value of any type and size for a message: bounded in length and in time.

    The full text of a number of a million digits, or of a list that contains itself many times,
    could take forever.
    """
    if isinstance(value, str):
        return repr(value) if len(value) <= _LONGEST else repr(value[: _LONGEST - 1] + "…")
    if isinstance(value, int) and abs(value) >> _MOST_BITS:
        return "a huge number"
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, dict):
        return "a section"
    if isinstance(value, list | tuple):
        return "a list" if value else "[]"
    return f"a {type(value).__name__}"


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else shown(value)
