"""The score sheet of a game that has none of its own."""

from collections.abc import Sequence

from textual.content import Content

from app.match.moment import HandResult
from app.ui.layout.wording import minus


def score_sheet(
    names: Sequence[str], scores: Sequence[str], results: Sequence[HandResult], hand_word: str
) -> Content:
    """The score of each side, then every finished hand, the last one first.

    hand_word   what a hand is called; empty if a match is a single one
    """
    wide = max(len(name) for name in names)
    parts: list[str | tuple[str, str]] = []
    for name, score in zip(names, scores, strict=True):
        parts += [f"{name:<{wide}}  ", (f"{score:>4}\n", "bold")]
    for result in reversed(results):
        points = minus(" : ".join(f"{points:g}" for points in result.points))
        parts.append(f"\n{hand_word} {result.number}   {points}\n" if hand_word else "\n")
        parts.append((f"{result.sentence}\n", "dim"))
    return Content.assemble(*parts)
