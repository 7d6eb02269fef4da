"""The colours of suits, as variables that styles refer to: `$ink-hearts`.

They depend on the deck a person has chosen and on whether the theme is dark.
"""

from typing import Final

FOUR_COLOURS: Final = "four"
TWO_COLOURS: Final = "two"
COLOUR_BLIND_SAFE: Final = "safe"
DECKS: Final = {
    FOUR_COLOURS: "four colours",
    TWO_COLOURS: "red and black",
    COLOUR_BLIND_SAFE: "safe for colour-blind eyes",
}

_HUES = ("red", "green", "yellow", "blue")
_ON_DARK: Final = {
    FOUR_COLOURS: ("#e8504f", "#35b26a", "#d9b020", "#4c9be8"),
    COLOUR_BLIND_SAFE: ("#d55e00", "#009e73", "#f0e442", "#56b4e9"),
}
_ON_LIGHT: Final = {
    FOUR_COLOURS: ("#c4262e", "#1b7f45", "#8a6d00", "#1f66b5"),
    COLOUR_BLIND_SAFE: ("#b34700", "#00704f", "#7a6a00", "#0a5a9c"),
}
_SUITS: Final = {"hearts": "red", "diamonds": "blue", "clubs": "green"}
_RED_AND_BLACK: Final = {"hearts": "red", "diamonds": "red", "clubs": "black"}


def ink_variables(deck: str, dark: bool, foreground: str) -> dict[str, str]:
    """`ink-hearts`, `ink-red` and all others with their colours."""
    by_deck = _ON_DARK if dark else _ON_LIGHT
    hues = dict(zip(_HUES, by_deck.get(deck, by_deck[FOUR_COLOURS]), strict=True))
    hues["black"] = foreground
    suits = _RED_AND_BLACK if deck == TWO_COLOURS else _SUITS
    return {f"ink-{hue}": colour for hue, colour in hues.items()} | {
        f"ink-{suit}": hues[hue] for suit, hue in suits.items()
    }
