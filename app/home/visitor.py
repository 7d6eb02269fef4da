"""Whether the app runs for a visitor in a browser (`kibitz serve`), and what that changes."""

import os
from contextlib import suppress
from typing import Final

VISITOR: Final = "KIBITZ_VISITOR"
"""Set in the environment of a visitor's app."""

LAB_SECONDS: Final = 600.0
"""How long a training of a visitor may take."""

_CPU_SECONDS: Final = 2 * 3600
_MEMORY: Final = 2 << 30
_OPEN_FILES: Final = 256
_FILE_SIZE: Final = 64 << 20
_NICENESS: Final = 5


def is_visitor() -> bool:
    return bool(os.environ.get(VISITOR))


def lab_workers(wanted: int) -> int:
    """How many processes a job of the Lab may use: one for a visitor."""
    return 1 if is_visitor() else wanted


def lab_seconds() -> float:
    """How long a training of the Lab may take."""
    return LAB_SECONDS if is_visitor() else float("inf")


def restrict_visitor() -> None:
    """Limit this process and the processes it starts. A limit that cannot be set is left out."""
    import resource

    for kind, amount in (
        (resource.RLIMIT_CPU, _CPU_SECONDS),
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_FSIZE, _FILE_SIZE),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        most = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))
    with suppress(OSError):
        os.nice(_NICENESS)
