"""Text from files and other programs, made safe for a terminal.

A terminal obeys escape codes, and controls of the writing direction make a text look like
another one. All of them are replaced here.
"""

import re
from typing import Final
from unicodedata import category

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_UNSAFE: Final = frozenset(["Cc", "Cf", "Cs", "Zl", "Zp"])
"""Unicode categories: controls, invisible formats such as changes of direction, halves of
characters, and separators of lines and paragraphs."""

_SPACES: Final = re.compile(r"\s+")
LONGEST: Final = 500
"""Characters of a sentence that quotes a file."""


def is_safe(text: str) -> bool:
    """Whether a text can be shown as it is."""
    return text.isprintable() or not any(category(letter) in _UNSAFE for letter in text)


def safe_text(text: str) -> str:
    """The same text of the same length, with a mark instead of each unsafe character."""
    if text.isprintable():
        return text
    return "".join([REPLACEMENT if category(letter) in _UNSAFE else letter for letter in text])


def safe_lines(text: str) -> str:
    """The same text with its line ends, for output of several lines."""
    return "\n".join([safe_text(line) for line in text.split("\n")])


def sentence(text: str, longest: int = LONGEST) -> str:
    """The text in one line, safe, and shortened in the middle if it is very long."""
    line = safe_text(_SPACES.sub(" ", text).strip())
    if len(line) <= longest:
        return line
    half = (longest - 3) // 2
    return f"{line[:half]} … {line[-half:]}"
