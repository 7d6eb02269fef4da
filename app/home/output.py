"""Prints for people. Whatever a text quotes, no escape code reaches the terminal."""

import sys
from typing import TextIO

from agents.plain_text import safe_lines


def say(text: object = "", *, file: TextIO | None = None, end: str = "\n") -> None:
    """Print a text of one or more lines at once, by default to standard output."""
    print(safe_lines(str(text)), file=file or sys.stdout, end=end, flush=True)
