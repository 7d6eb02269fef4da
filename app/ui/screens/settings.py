"""Settings: one row each. A change applies immediately and is saved."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Label, Static

from app.home.decks import DECKS
from app.home.settings import TEACHING, Settings
from app.match.pace import SPEEDS
from app.ui.screens.command_keys import Command, checked, why_not
from app.ui.screens.press_key import PressKey
from app.ui.widgets.cycle import Cycle, Values
from app.ui.widgets.key_row import KeyRow
from app.ui.widgets.keys import Keys
from app.ui.widgets.scroll import Scroll

_YES_NO: Final = (("on", "on"), ("off", "off"))


class SettingsScreen(Screen[None]):
    """Shows the given settings and reports every change."""

    CSS_PATH = ["common.tcss", "settings.tcss"]
    HORIZONTAL_BREAKPOINTS = [(0, "-normal"), (110, "-wide")]
    AUTO_FOCUS = "Cycle"
    BINDINGS = [
        Binding("up", "app.focus_previous", "Row", key_display="↑↓", id="settings.up"),
        Binding("down", "app.focus_next", show=False, id="settings.down"),
        Binding("escape", "app.pop_screen", "Back", key_display="Esc", id="settings.back"),
    ]

    class Changed(Message):
        def __init__(self, settings: Settings) -> None:
            super().__init__()
            self.settings = settings

    def __init__(
        self, settings: Settings, themes: Sequence[str], commands: Sequence[Command]
    ) -> None:
        """commands: those whose keys can be changed"""
        super().__init__()
        self._settings = settings
        self._themes = themes
        self._commands = {each.name: each for each in commands}
        self._keys, _ = checked(settings.keys)

    def compose(self) -> ComposeResult:
        settings = self._settings
        speeds = sorted({*SPEEDS, settings.delay})
        rows: list[tuple[str, str, Values, str]] = [
            ("theme", "Theme", [(name, name) for name in self._themes], settings.theme),
            ("deck", "Cards", list(DECKS.items()), settings.deck),
            ("ascii_cards", "Plain characters", _YES_NO, _on(settings.ascii_cards)),
            (
                "delay",
                "Delay",
                [(f"{speed:g}", f"{speed:g} s") for speed in speeds],
                f"{settings.delay:g}",
            ),
            ("play_only_card", "Play the only card", _YES_NO, _on(settings.play_only_card)),
            ("claim_decided", "Claim decided hands", _YES_NO, _on(settings.claim_decided)),
            ("teaching", "Teaching", list(TEACHING.items()), settings.teaching),
            ("coach", "Coach", _YES_NO, _on(settings.coach)),
            ("tips", "Tips", _YES_NO, _on(settings.tips)),
            ("confirm_leaving", "Ask before leaving", _YES_NO, _on(settings.confirm_leaving)),
            ("animations", "Animations", _YES_NO, _on(settings.animations)),
        ]
        yield Static("Settings", id="title", classes="heading")
        with Scroll(id="form"):
            with Vertical(id="rows"):
                for name, label, values, value in rows:
                    with Horizontal(classes="row"):
                        yield Label(label)
                        yield Cycle(values, value, id=name)
            with Vertical(id="all-keys"):
                yield Static("Keys", classes="part")
                yield Static("Enter changes a key, Del returns to the usual one.", id="about-keys")
                yield Static(
                    "Cards have 1 to 9 and 0, and then letters that are free. A command that takes "
                    "such a key moves its card to a letter.",
                    id="about-cards",
                )
                where = ""
                for command in self._commands.values():
                    if command.where != where:
                        where = command.where
                        yield Static(where, classes="part where")
                    yield KeyRow(command.name, command.what, self._keys_of(command.name))
        yield Static(id="help")
        yield Keys()

    def _keys_of(self, name: str) -> str:
        return self._keys.get(name) or ",".join(self._commands[name].keys)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        about = {each.name: each.metadata["help"] for each in fields(Settings)}
        sentence = about.get(event.widget.id or "", "")
        if isinstance(event.widget, KeyRow):
            sentence = f"In settings.toml, this key is called {event.widget.command}."
        self.query_one("#help", Static).update(sentence)

    @on(Cycle.Changed)
    def _row_changed(self, event: Cycle.Changed) -> None:
        name, text = event.cycle.id or "", event.cycle.value
        before = getattr(self._settings, name)
        value: object = text
        if isinstance(before, bool):
            value = text == "on"
        elif isinstance(before, float):
            value = float(text)
        self._change(name, value)

    def _change(self, name: str, value: object) -> None:
        self._settings = self._settings.with_one(name, value)
        self.post_message(self.Changed(self._settings))

    @on(KeyRow.Asked)
    def _key_asked(self, event: KeyRow.Asked) -> None:
        row = event.row
        if not event.change:
            self._set_key(row, None)
        else:
            self.app.push_screen(
                PressKey(row.what, lambda key: self._problem_with(row.command, key)),
                lambda key: self._set_key(row, key) if key else None,
            )

    def _problem_with(self, name: str, key: str) -> str:
        """Why a key cannot be used for a command; empty if it can."""
        why = why_not(name, {**self._keys, name: key})
        return f"{why}. Press another key, or Esc." if why else ""

    def _set_key(self, row: KeyRow, key: str | None) -> None:
        """key: None for the usual keys"""
        keys = {name: each for name, each in self._keys.items() if name != row.command}
        if key is not None and (key,) != self._commands[row.command].keys:
            keys[row.command] = key
        elif why := why_not(row.command, keys):
            self.notify(f"{why}. Change that one first.")
            return
        self._keys = keys
        self._change("keys", keys)
        row.show_keys(self._keys_of(row.command))


def _on(value: bool) -> str:
    return "on" if value else "off"
