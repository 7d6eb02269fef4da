"""Whether the app runs for a visitor in a browser (`kibitz serve`), and what that changes."""

import os
from typing import Final

VISITOR: Final = "KIBITZ_VISITOR"
"""Set in the environment of a visitor's app."""

LAB_SECONDS: Final = 600.0
"""How long a training of a visitor may take."""


def is_visitor() -> bool:
    return bool(os.environ.get(VISITOR))


def lab_workers(wanted: int) -> int:
    """How many processes a job of the Lab may use: one for a visitor."""
    return 1 if is_visitor() else wanted


def lab_seconds() -> float:
    """How long a training of the Lab may take."""
    return LAB_SECONDS if is_visitor() else float("inf")
