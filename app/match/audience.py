"""What a match loop needs of the screen that shows it and of the file that records it."""

from typing import Protocol

from app.match.moment import Moment


class Audience(Protocol):
    """The screen that shows the match."""

    def show(self, moment: Moment) -> None: ...

    def notice(self, sentence: str) -> None: ...

    async def cover(self, seat: int) -> None:
        """Hide the table until the person of that seat takes the keyboard.

        The viewpoint is already that seat, so the others must not see the table.
        """


class MatchLog(Protocol):
    """Records the match as it is played (see `app.records.journal_file.Journal`)."""

    notices: list[str]

    def action(self, seat: int, label: str, flush: bool) -> None: ...

    def mark(self, assisted: bool, unrated: bool) -> None: ...

    def taken_over(self, seat: int) -> None: ...
