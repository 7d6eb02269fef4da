"""The card colours a person can choose. `app.ui.suit_colours` holds the colours themselves."""

from typing import Final

FOUR_COLOURS: Final = "four"
TWO_COLOURS: Final = "two"
COLOUR_BLIND_SAFE: Final = "safe"
DECKS: Final = {
    FOUR_COLOURS: "four colours",
    TWO_COLOURS: "red and black",
    COLOUR_BLIND_SAFE: "safe for colour-blind eyes",
}
"""For each value of the setting `deck`, the words on the settings screen."""
