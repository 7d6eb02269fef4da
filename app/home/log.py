"""A small log file in the home folder, for finding the causes of errors."""

import logging
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from agents.plain_text import safe_lines
from agents.storage.bounded import check_regular

LOG: Final = logging.getLogger("kibitz")
_LARGEST: Final = 256 * 1024
_OLDER_FILES: Final = 3
_LARGEST_FOUND: Final = 64 << 20


class _SafeFormatter(logging.Formatter):
    """The log may be shown in a terminal, and it quotes files."""

    def format(self, record: logging.LogRecord) -> str:
        return safe_lines(super().format(record))


class _QuietHandler(RotatingFileHandler):
    """Ignores write errors, which would otherwise be printed over the screen."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        pass


def open_log(path: Path) -> None:
    """Write the log to this file; to nowhere if it cannot be created."""
    close_log()
    LOG.propagate = False
    LOG.setLevel(logging.INFO)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            check_regular(path, _LARGEST_FOUND)
        handler: logging.Handler = _QuietHandler(
            path, maxBytes=_LARGEST, backupCount=_OLDER_FILES, encoding="utf-8", delay=False
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(_SafeFormatter("%(asctime)s %(levelname)s %(process)d %(message)s"))
    LOG.addHandler(handler)


def close_log() -> None:
    for handler in LOG.handlers[:]:
        LOG.removeHandler(handler)
        handler.close()
