"""The order of the cards of Truco, for both of its tables."""

from collections.abc import Sequence
from itertools import groupby

from textual.content import Content

from app.ui.layout.faces import Face
from app.ui.tables.reminders import Reminder, card_chips, row
from engine.cards import SPANISH_SUIT_NAMES
from engine.games.truco import CARDS, LOWEST_MATA, LOWEST_PIEZA, NUMBERS, PACK, RANKS, REY, VALUES


def piezas_line(faces: Sequence[Face], muestra: int) -> Content:
    """The piezas of a round in one line."""
    values = VALUES[muestra]
    piezas = [card for card in range(CARDS) if values[card] >= LOWEST_PIEZA]
    if muestra in piezas:
        piezas.remove(muestra)
    piezas.sort(key=values.__getitem__, reverse=True)
    style = faces[muestra].style
    suit = SPANISH_SUIT_NAMES[PACK.suit(muestra)]
    parts: list[str | tuple[str, str]] = ["Piezas of ", (suit, style), ", highest first:"]
    for card in piezas:
        parts.append((f" {faces[card].rank}", style))
        if NUMBERS[card % RANKS] == REY:
            parts.append(f" (as the {faces[muestra].rank})")
    return Content.assemble(*parts)


def strongest_first(faces: Sequence[Face], muestra: int) -> Reminder:
    """The order of all cards, for the side panel."""
    values = VALUES[muestra]
    cards = sorted(set(range(CARDS)) - {muestra}, key=lambda card: -values[card])
    strong = [card for card in cards if values[card] >= LOWEST_MATA]
    piezas = [card for card in strong if values[card] >= LOWEST_PIEZA]
    steps = groupby(cards[len(strong) :], values.__getitem__)
    plain = [_step_words([faces[card] for card in step]) for _, step in steps]
    chips = [
        card_chips([faces[card] for card in group]) for group in (piezas, strong[len(piezas) :])
    ]
    return Reminder(
        "Strongest first",
        [
            row("piezas", chips[0]),
            row("matas", chips[1]),
            row("others", " ".join(plain[:4])),
            row("", " ".join(plain[4:])),
        ],
    )


def _step_words(step: Sequence[Face]) -> str:
    """The rank of cards of equal strength; their codes if it is not so in all suits."""
    return step[0].rank if len(step) > 2 else "/".join([face.code for face in step])
