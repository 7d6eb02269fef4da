"""The line of keys at the bottom of a screen."""

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

_GAP = 2


class Keys(Footer):
    """Shows as many keys as fit, in order of importance. The palette lists the others."""

    def __init__(self, palette: bool = True, row: int = 0) -> None:
        """palette: whether to show the key of the palette at the right end; row: the number of the
        line, if there are several. The second one has the keys that do not fit into the first."""
        super().__init__(compact=True, show_command_palette=palette)
        self._row = row

    def compose(self) -> ComposeResult:
        keys = [key for key in super().compose() if isinstance(key, FooterKey)]
        palette = [key for key in keys if key.has_class("-command-palette")]
        all_room = self.app.size.width + _GAP - sum([_width(key) for key in palette])
        room, row = all_room, 0
        for key in keys:
            if key not in palette:
                room -= _width(key)
                if room < 0:
                    room, row = all_room - _width(key), row + 1
                if row == self._row:
                    yield key
        yield from palette

    async def recompose(self) -> None:
        """Redraw only if the keys changed, which most changes of focus do not cause. The screen
        may already be closed when Textual calls this."""
        if not self.is_attached:
            return
        wanted = [_shown(key) for key in self.compose() if isinstance(key, FooterKey)]
        self.display = bool(wanted) or not self._row
        if wanted != [_shown(key) for key in self.query(FooterKey)]:
            await super().recompose()

    async def on_resize(self, event: events.Resize) -> None:
        await self.recompose()


def _shown(key: FooterKey) -> tuple[str, str, str, bool]:
    return key.key_display, key.description, key.action, key.disabled


def _width(key: FooterKey) -> int:
    """The width of a key, including the gap before it."""
    return cell_len(key.key_display) + 1 + cell_len(key.description) + _GAP
