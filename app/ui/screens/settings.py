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
from app.home.settings import Settings
from app.match.pace import SPEEDS
from app.ui.widgets.cycle import Cycle, Values
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
        self, settings: Settings, themes: Sequence[str], keys: Sequence[tuple[str, str, str]]
    ) -> None:
        """keys: for each binding its id, description and keys."""
        super().__init__()
        self._settings = settings
        self._themes = themes
        self._keys = keys

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
                yield Static(
                    "To change one, add its name and a key under [keys] in settings.toml, "
                    'such as "table.why" = "y".',
                    id="about-keys",
                    markup=False,
                )
                yield Static("\n".join(self._key_lines()), id="keys", markup=False)
        yield Static(id="help")
        yield Keys()

    def _key_lines(self) -> list[str]:
        wide = max([len(name) for name, _, _ in self._keys], default=0)
        keys = max([len(key) for _, _, key in self._keys], default=0)
        return [f"{name:<{wide}}  {key:<{keys}}  {what}" for name, what, key in self._keys]

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        about = {each.name: each.metadata["help"] for each in fields(Settings)}
        self.query_one("#help", Static).update(about.get(event.widget.id or "", ""))

    @on(Cycle.Changed)
    def _row_changed(self, event: Cycle.Changed) -> None:
        name, text = event.cycle.id or "", event.cycle.value
        before = getattr(self._settings, name)
        value: object = text
        if isinstance(before, bool):
            value = text == "on"
        elif isinstance(before, float):
            value = float(text)
        self._settings = self._settings.with_one(name, value)
        self.post_message(self.Changed(self._settings))


def _on(value: bool) -> str:
    return "on" if value else "off"
