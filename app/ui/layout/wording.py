"""Small helpers for the sentences on a screen."""

from collections.abc import Sequence

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def counted(count: int, one: str, several: str) -> str:
    """`1 life`, `3 lives`."""
    return f"{count} {one if count == 1 else several}"


def in_words(number: int) -> str:
    """`five`; numbers above ten as digits."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else str(number)


def signed(number: float) -> str:
    """`+2`, `−3` with a minus sign, `0`."""
    return minus(f"{number:+g}") if number else "0"


def minus(text: str) -> str:
    """Numbers with a minus sign instead of a hyphen."""
    return text.replace("-", "−")


def inside(names: str) -> str:
    """Names inside a sentence: `you`, `you and North`; a side as `You + dummy` keeps its name."""
    return f"y{names[1:]}" if names == "You" or names.startswith("You and ") else names


def third_person(verb: str) -> str:
    """`plays`, `passes`, `goes`."""
    return f"{verb}es" if verb.endswith(("s", "x", "o", "ch", "sh")) else f"{verb}s"
