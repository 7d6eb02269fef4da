"""A small log file in the home folder, for finding the causes of errors."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

LOG: Final = logging.getLogger("kibitz")
_LARGEST: Final = 256 * 1024
_OLDER_FILES: Final = 3


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
        handler: logging.Handler = _QuietHandler(
            path, maxBytes=_LARGEST, backupCount=_OLDER_FILES, encoding="utf-8", delay=False
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(process)d %(message)s"))
    LOG.addHandler(handler)


def close_log() -> None:
    for handler in LOG.handlers[:]:
        LOG.removeHandler(handler)
        handler.close()
