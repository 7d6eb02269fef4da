"""Prints for people. Whatever a text quotes, no escape code reaches the terminal."""

import os
import sys
from typing import TextIO

from agents.plain_text import safe_lines


def say(text: object = "", *, file: TextIO | None = None, end: str = "\n") -> None:
    """Print a text of one or more lines at once, by default to standard output."""
    print(safe_lines(str(text)), file=file or sys.stdout, end=end, flush=True)


def open_closed_streams() -> None:
    """Replace standard streams that are closed. The next file opened would otherwise get the number
    of one, and messages would be written into it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8"))
