"""The line of keys at the foot of a screen."""

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

_GAP = 2


class Keys(Footer):
    """As many keys as there is room for, in the order in which they matter, none of them cut.

    The palette names the others.
    """

    def __init__(self, palette: bool = True) -> None:
        """palette: whether the palette's key stands at the right end."""
        super().__init__(compact=True, show_command_palette=palette)

    def compose(self) -> ComposeResult:
        keys = [key for key in super().compose() if isinstance(key, FooterKey)]
        room = self.app.size.width + _GAP
        palette = [key for key in keys if key.has_class("-command-palette")]
        room -= sum([_width(key) for key in palette])
        for key in keys:
            if key not in palette:
                room -= _width(key)
                if room < 0:
                    break
                yield key
        yield from palette

    async def recompose(self) -> None:
        """Only if another line comes of it: most moves of the focus change none of the keys. By
        the time it is called, the screen may be gone."""
        if not self.is_attached:
            return
        wanted = [_told(key) for key in self.compose() if isinstance(key, FooterKey)]
        if wanted != [_told(key) for key in self.query(FooterKey)]:
            await super().recompose()

    async def on_resize(self, event: events.Resize) -> None:
        await self.recompose()


def _told(key: FooterKey) -> tuple[str, str, str, bool]:
    return key.key_display, key.description, key.action, key.disabled


def _width(key: FooterKey) -> int:
    """With the gap before it."""
    return cell_len(key.key_display) + 1 + cell_len(key.description) + _GAP
