"""Messages from any process of the Lab that are sentences for the person."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the person should know. The work continues."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The work has ended early. The sentence says why."""

    sentence: str
