"""What happened, for whoever has to find out why: a small log in the home folder."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

LOG: Final = logging.getLogger("kibitz")
_LARGEST: Final = 256 * 1024
_OLDER_FILES: Final = 3


class _Forgiving(RotatingFileHandler):
    """A disk that takes no more lines is no reason to disturb the screen."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        pass


def open_log(path: Path) -> None:
    """Write the log to a file from now on; where that cannot be done, there is none."""
    close_log()
    LOG.propagate = False
    LOG.setLevel(logging.INFO)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler: logging.Handler = _Forgiving(
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
