"""The text of a guided hand: above the cards, or beside the table in a wide window."""

import re
from collections.abc import Mapping
from typing import Final

from textual.content import Content
from textual.widgets import Static

from app.ui.layout.faces import Face

_MARKS: Final = re.compile(r"\{([^}]+)\}|\*([^*]+)\*")


class GuideBox(Static):
    """Shows one text with a title above and the keys below."""

    def show(self, title: str, text: Content, keys: str) -> None:
        self.border_title = title
        self.border_subtitle = keys
        self.update(text)


def guide_text(text: str, faces: Mapping[str, Face]) -> Content:
    """A text in which `{JS}` is drawn as a card and `*trump*` is emphasised."""
    parts: list[Content] = []
    end = 0
    for mark in _MARKS.finditer(text):
        parts.append(Content(text[end : mark.start()]))
        end = mark.end()
        if mark[1]:
            face = faces[mark[1]]
            parts.append(Content.styled(face.chip(ascii_only=False), f"bold {face.style}"))
        else:
            parts.append(Content.styled(mark[2], "bold $text-accent"))
    return Content.assemble(*parts, Content(text[end:]))
