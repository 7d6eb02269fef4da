"""Practice: finds the exercises and shows one after the other."""

import asyncio
from datetime import UTC, date, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from textual import on

from app.ui.screens.requests import NextExercise, OpenPractice
from app.ui.stage_app import StageApp

if TYPE_CHECKING:
    from textual.screen import Screen

    from app.match.pace import Clock
    from app.records.history import History
    from app.records.practice_book import PracticeBook
    from app.study.exercises import Position
    from app.study.practice import Practice, Session


class PracticeApp(StageApp):
    """An app with exercises."""

    _clock: "Clock | None" = None

    @cached_property
    def _history(self) -> "History":
        from app.records.history import History

        return History(self._locations.history)

    @cached_property
    def practice_book(self) -> "PracticeBook":
        from app.records.practice_book import PracticeBook

        return PracticeBook(self._locations.history)

    async def count_due(self) -> int:
        """The exercises that are due today, by what the history knows: new mistakes are looked for
        when Practice opens. Raises HistoryError."""
        try:
            return await asyncio.to_thread(self._count_due)
        finally:
            self._tell_of_book()

    def _tell_of_book(self) -> None:
        """The first reader of a damaged history learns of it."""
        while self.practice_book.notices:
            self.notify(self.practice_book.notices.pop(0), timeout=8, markup=False)

    def _count_due(self) -> int:
        from app.study.collection import stored_exercises
        from app.study.practice import Practice

        book = self.practice_book
        answers = book.answers()
        return len(Practice(stored_exercises(book, answers), answers, _today()).due())

    @on(OpenPractice)
    async def _open_practice(self, event: OpenPractice) -> None:
        from app.records.history_file import HistoryError
        from app.study.practice import Session

        try:
            practice = await asyncio.to_thread(self._practice)
        except HistoryError as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        self._tell_of_book()
        await self._show_exercise(Session(practice, event.game, event.first))

    def _practice(self) -> "Practice":
        """All exercises, with those of the latest matches, and all answers."""
        from app.study.collection import all_exercises, collect
        from app.study.practice import Practice

        book = self.practice_book
        collect(book, self._history, self._locations.games)
        return Practice(all_exercises(book), book.answers(), _today())

    @on(NextExercise)
    async def _next_exercise(self, event: NextExercise) -> None:
        from app.ui.screens.practice import PracticeScreen
        from app.ui.screens.practice_rest import PracticeRestScreen

        if isinstance(self.screen, PracticeScreen | PracticeRestScreen):
            if self.screen.session is not event.session:
                return
            if isinstance(self.screen, PracticeScreen):
                await self.screen.leave()
            await self.pop_screen()
            await self._show_exercise(event.session)

    async def _show_exercise(self, session: "Session") -> None:
        from app.ui.screens.practice import PracticeScreen
        from app.ui.screens.practice_rest import PracticeRestScreen

        position = await asyncio.to_thread(next_position, session)
        screen: Screen[None] = PracticeRestScreen(session)
        if position is not None:
            screen = PracticeScreen(
                position, session, self.practice_book, self._store, self.ascii_only, self._clock
            )
        await self.push_screen(screen)
        self.cover_if_too_small(self.size)


def next_position(session: "Session") -> "Position | None":
    """The next exercise that can be shown. Broken ones are left out, and those in which several
    cards are chosen at once, of which only the first would be judged."""
    from app.match.seating import Seating
    from app.study.exercises import ExerciseError
    from app.ui.tables import table_class
    from engine import GAMES

    while (exercise := session.next()) is not None:
        try:
            position = exercise.position()
            if exercise.solution is not None:
                position.thought(exercise.solution)
            seating = Seating.of(exercise.setup.plan(0.0))
        except (ExerciseError, ValueError):
            session.leave_out(exercise)
            continue
        table = table_class(exercise.game)(GAMES[exercise.game], seating)
        whole = table.takes_together(position.state.view(position.seat)) == 1
        if whole and seating.home == position.seat:
            return position
        session.leave_out(exercise)
    return None


def _today() -> date:
    """The day in UTC, as for the daily deal."""
    return datetime.now(UTC).date()
