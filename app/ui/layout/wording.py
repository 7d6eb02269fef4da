"""Small helpers for the sentences on a screen."""

from collections.abc import Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def counted(count: int, one: str, several: str) -> str:
    """`1 life`, `3 lives`."""
    return f"{count} {one if count == 1 else several}"


def third_person(verb: str) -> str:
    """`plays`, `passes`, `goes`."""
    return f"{verb}es" if verb.endswith(("s", "x", "o", "ch", "sh")) else f"{verb}s"
