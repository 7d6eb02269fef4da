"""Applies the settings and the window to the app: colours, keys, animations and notices."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import events, on
from textual.app import App
from textual.constants import TEXTUAL_ANIMATIONS
from textual.css.query import NoMatches
from textual.filter import LineFilter
from textual.geometry import Size
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.widget import MountError
from textual.worker import WorkerFailed

from app.home.locations import Locations
from app.home.log import LOG
from app.home.settings import Settings, SettingsError, read_settings, write_settings
from app.ui.screens.frame import TooSmall, too_small
from app.ui.screens.requests import OpenSettings
from app.ui.suit_colours import ink_variables, paper_variables
from app.ui.themes import (
    OURS,
    THEMES,
    eight_bit_colours,
    grey_tones,
    sixteen_colours,
    table_colours,
)
from app.ui.widgets.plain import NoBoldBlack, PlainFilter, SafeFilter
from engine.limits import shown

if TYPE_CHECKING:
    from app.ui.screens.settings import SettingsScreen


class ConfiguredApp(App[None]):
    """An app that applies the settings and saves changes to them."""

    ALLOW_SELECT = False
    """Off, because Textual fails if a selected widget is removed, which happens at every move.
    The terminal's own selection works everywhere."""

    def __init__(self, locations: Locations, ascii_only: bool, delay: float | None) -> None:
        """ascii_only, delay: override the settings."""
        self.settings, self._broken_settings = read_settings(locations.settings)
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        if self.settings.theme in self.available_themes:
            # Before the first styles are parsed: a later change would parse them again.
            self.set_reactive(App.theme, self.settings.theme)
            self.stylesheet.set_variables(self.get_css_variables())
        self._settings_file = locations.settings
        self._log_file = locations.log
        self._needs_ascii = ascii_only
        self._delay_override = delay
        self._plain = PlainFilter()
        self._safe = SafeFilter()
        self._no_bold_black = NoBoldBlack()

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        """The screens that show through the top one. Textual counts the one below an opaque screen
        too, and repaints the table whenever Home changes out of sight."""
        top = self._screen_stack[-1:]
        through = any(screen.styles.background.a < 1 for screen in top)
        return super()._background_screens if through else []

    @property
    def ascii_only(self) -> bool:
        return self._needs_ascii or self.settings.ascii_cards

    @property
    def delay(self) -> float:
        """Seconds between the moves of agents at a new table."""
        override = self._delay_override
        return self.settings.delay if override is None else override

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = [*super().get_line_filters(), self._safe]
        if self.ascii_only:
            filters.append(self._plain)
        if self.console.color_system == "standard":
            filters.append(self._no_bold_black)
        return filters

    def get_css_variables(self) -> dict[str, str]:
        dark = self.current_theme.dark
        variables = table_colours(dark) | super().get_css_variables()
        inks = ink_variables(
            self.settings.deck, dark, variables["foreground"], variables["background"]
        )
        paper = paper_variables(self.settings.deck, variables["paper"], variables["paper-dim"])
        self.theme_variables = variables | inks | paper
        if self.no_color:
            self.theme_variables |= grey_tones(dark)
        if self.console.color_system == "standard":
            self.theme_variables |= sixteen_colours()
        elif self.console.color_system == "256" and self.theme in OURS:
            self.theme_variables |= eight_bit_colours(dark)
        return self.theme_variables

    def on_mount(self) -> None:
        self._apply_settings()
        for problem in self._broken_settings:
            sentence = f"In {self._settings_file}, {problem}. The default is used."
            self.notify(sentence, timeout=12, markup=False)
        self.theme_changed_signal.subscribe(self, lambda theme: self._theme_chosen(theme.name))

    def on_resize(self, event: events.Resize) -> None:
        self.cover_if_too_small(event.size)

    def cover_if_too_small(self, size: Size) -> None:
        """Ask for a larger window instead of drawing into one without room."""
        if too_small(size) and not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())

    @on(OpenSettings)
    async def _open_settings(self) -> None:
        from app.ui.screens.command_keys import commands
        from app.ui.screens.settings import SettingsScreen

        themes = sorted(self.available_themes)
        await self.push_screen(SettingsScreen(self.settings, themes, commands()))

    def on_settings_screen_changed(self, event: "SettingsScreen.Changed") -> None:
        self._save(event.settings)
        self._apply_settings()
        self.refresh_css(animate=False)

    def _theme_chosen(self, theme: str) -> None:
        """Save a theme that was chosen in the palette."""
        if theme != self.settings.theme:
            self._save(replace(self.settings, theme=theme))

    def _save(self, settings: Settings) -> None:
        self.settings = settings
        try:
            notice = write_settings(self._settings_file, settings)
        except SettingsError as error:
            notice = str(error)
        if notice:
            self.notify(notice, markup=False)

    def _apply_settings(self) -> None:
        settings = self.settings
        if settings.theme in self.available_themes:
            self.theme = settings.theme
        else:
            known = ", ".join(sorted(self.available_themes))
            self.notify(f"There is no theme {shown(settings.theme)}; choose one of: {known}.")
        if not settings.animations:
            self.animation_level = "none"
        elif self.animation_level == "none" and TEXTUAL_ANIMATIONS != "none":
            self.animation_level = TEXTUAL_ANIMATIONS
        self.set_keymap(settings.keys and self._usable(settings.keys))

    def _usable(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """The chosen keys that can be used; a sentence reports the others."""
        from app.ui.screens.command_keys import checked

        keys, refused = checked(chosen)
        if refused:
            more = f" {len(refused) - 1} more: run kibitz doctor." if refused[1:] else ""
            self.notify(f"In {self._settings_file.name}, {refused[0]}.{more}", timeout=12)
        return keys

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Messages may quote files, so that brackets in them have no meaning by default."""
        LOG.info("Notice: %s", message)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    def _handle_exception(self, error: Exception) -> None:
        """Ignore errors of a screen that was opening when the app was left.

        Textual still mounts it, which fails because its parent is gone.
        """
        cause = error.error if isinstance(error, WorkerFailed) else error
        if self._exit and isinstance(cause, (MountError, NoMatches)):
            LOG.info("The app was left while a screen opened: %s", cause)
        else:
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Show a sentence instead of Textual's traceback, which goes to the log."""
        LOG.exception("The app crashed")
        self._exit_renderables.append(
            f"Kibitz crashed; the details are in {self._log_file}. No match is lost."
        )
        self._close_messages_no_wait()
