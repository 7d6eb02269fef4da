"""Screens that return an answer, once, and only while they are on top.

A second click on a closing button may arrive when another screen is already on top. Textual would
then answer twice and close that other screen.
"""

from contextlib import suppress
from typing import Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.command import Command, CommandList, CommandPalette
from textual.screen import ModalScreen

T = TypeVar("T")


class Asking(ModalScreen[T], Generic[T]):
    def dismiss(self, result: T | None = None) -> AwaitComplete:
        return super().dismiss(result) if self.is_active else AwaitComplete()


class Palette(CommandPalette):
    """Textual's command palette without two of its crashes: paging before the list is shown, and a
    result that arrives after it was closed."""

    def dismiss(self, result: None = None) -> AwaitComplete:
        if not self.is_active:
            return AwaitComplete()
        self._stop_no_matches_countdown()
        return super().dismiss(result)

    def _action_command_list(self, action: str) -> None:
        with suppress(KeyError):
            super()._action_command_list(action)

    def _start_no_matches_countdown(self, search_value: str) -> None:
        if self.is_active:
            super()._start_no_matches_countdown(search_value)

    def _refresh_command_list(
        self, command_list: CommandList, commands: list[Command], clear_current: bool
    ) -> None:
        if self.query(CommandList):
            super()._refresh_command_list(command_list, commands, clear_current)
