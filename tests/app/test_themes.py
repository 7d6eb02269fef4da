"""The colours of our themes: every text can be read."""

import pytest
from textual.color import Color
from textual.theme import Theme

from app.home.decks import DECKS
from app.ui.suit_colours import LEAST_CONTRAST, contrast, paper_variables
from app.ui.themes import NOTTY_GROUNDS, TEXT_PAIRS, THEMES


def colours_of(theme: Theme) -> dict[str, str]:
    named = theme.to_color_system().generate() | theme.variables
    return {
        name: Color.parse(colour).hex6
        for name, colour in named.items()
        if colour.startswith("#") and len(colour.split()) == 1
    }


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize(("ink", "ground"), TEXT_PAIRS)
def test_text_is_readable(theme: Theme, ink: str, ground: str) -> None:
    colours = colours_of(theme)
    assert contrast(colours[ink], colours[ground]) >= LEAST_CONTRAST


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("deck", DECKS)
def test_suits_are_readable_on_paper(theme: Theme, deck: str) -> None:
    colours = colours_of(theme)
    inks = paper_variables(deck, colours["paper"], colours["paper-dim"])
    for name, ink in inks.items():
        ground = "paper" if name.startswith("paper") else "paper-dim"
        assert contrast(ink, colours[ground]) >= LEAST_CONTRAST


@pytest.mark.parametrize("colour", NOTTY_GROUNDS)
def test_notty_cards_are_readable(colour: str) -> None:
    assert contrast(*NOTTY_GROUNDS[colour]) >= LEAST_CONTRAST
