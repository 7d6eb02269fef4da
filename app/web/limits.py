"""What one visitor may use of the machine, and how long their files are kept."""

import os
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DISK: Final = 256 << 20
"""Bytes of all files of a visitor."""

KEPT_DAYS: Final = 30
"""Days after which the files of a visitor who did not come back are deleted."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest numbers of visits at a time and of connections, and the time of a request.

    visitors     of all visitors
    per_cookie   of one browser
    per_address  of one address
    connections  of all addresses, whether they visit or not
    head         seconds until a connection has sent its first request
    """

    visitors: int = 20
    per_cookie: int = 2
    per_address: int = 8
    connections: int = 200
    connections_per_address: int = 40
    head: float = 10.0


def folder_size(folder: Path, most: int = DISK) -> int:
    """Bytes of the files in a folder. Stops counting above `most`."""
    total = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size
            if total > most:
                return total
    return total


def remove_old_visitors(folder: Path, days: float = KEPT_DAYS, now: float | None = None) -> int:
    """Delete the folders of visitors who have not come back. Returns how many."""
    before = (time.time() if now is None else now) - days * 24 * 3600
    removed = 0
    with suppress(OSError):
        for home in sorted(folder.iterdir()):
            if home.is_dir() and not home.is_symlink() and home.stat().st_mtime < before:
                shutil.rmtree(home, ignore_errors=True)
                removed += not home.exists()
    return removed
