"""Times in records, as ISO 8601."""

from datetime import UTC, datetime
from typing import Final

_YEARS: Final = range(1971, 9998)
"""In these years every time can be converted to every time zone."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def in_iso(time: datetime) -> str:
    return time.isoformat(timespec="seconds")


def parse_time(text: object) -> datetime:
    """The time in a record. Raises ValueError for anything but a time that can be shown."""
    if not isinstance(text, str):
        raise ValueError("a time is not a text")
    time = datetime.fromisoformat(text)
    if time.year not in _YEARS:
        raise ValueError("a time is out of range")
    return time
