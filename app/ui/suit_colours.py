"""The colours of suits, as variables for styles, such as `$ink-hearts`.

They depend on the chosen deck and the theme. A colour with too little contrast to the
background is made lighter or darker until it can be read.
"""

from typing import Final

from app.home.decks import COLOUR_BLIND_SAFE, FOUR_COLOURS, TWO_COLOURS

_HUES = ("red", "green", "yellow", "blue")
_ON_DARK: Final = {
    FOUR_COLOURS: ("#e8504f", "#35b26a", "#d9b020", "#4c9be8"),
    COLOUR_BLIND_SAFE: ("#d55e00", "#009e73", "#f0e442", "#56b4e9"),
}
_ON_LIGHT: Final = {
    FOUR_COLOURS: ("#b8101c", "#147a52", "#8a6d00", "#1b55b0"),
    COLOUR_BLIND_SAFE: ("#b34700", "#00704f", "#7a6a00", "#0a5a9c"),
}
_SUITS: Final = {"hearts": "red", "diamonds": "blue", "clubs": "green"}
_RED_AND_BLACK: Final = {"hearts": "red", "diamonds": "red", "clubs": "black"}


LEAST_CONTRAST: Final = 4.5
"""The least contrast to the background, as the Web Content Accessibility Guidelines define it."""

_STEPS: Final = 20
_BLACK: Final = "#1c1b20"


def ink_variables(deck: str, dark: bool, foreground: str, background: str) -> dict[str, str]:
    """The colour of each variable: `ink-hearts`, `ink-red` and so on."""
    by_deck = _ON_DARK if dark else _ON_LIGHT
    inks = by_deck.get(deck, by_deck[FOUR_COLOURS])
    hues = {hue: _readable(ink, background, dark) for hue, ink in zip(_HUES, inks, strict=True)}
    hues["black"] = foreground
    suits = _RED_AND_BLACK if deck == TWO_COLOURS else _SUITS
    return {f"ink-{hue}": colour for hue, colour in hues.items()} | {
        f"ink-{suit}": hues[hue] for suit, hue in suits.items()
    }


def paper_variables(deck: str, paper: str, dimmed: str) -> dict[str, str]:
    """The inks on cards: `paper-hearts`, and `dim-hearts` on the dimmed paper."""
    return {
        name.replace("ink", kind): colour
        for kind, ground in (("paper", paper), ("dim", dimmed))
        for name, colour in ink_variables(deck, False, _BLACK, ground).items()
    }


def _readable(ink: str, background: str, dark: bool) -> str:
    """The nearest colour with enough contrast.

    The background of a terminal theme is unknown; the colour then stays as it is.
    """
    if not background.startswith("#"):
        return ink
    away = 255 if dark else 0
    for step in range(_STEPS):
        parts = [round(part + (away - part) * step / _STEPS) for part in _parts(ink)]
        colour = "#{:02x}{:02x}{:02x}".format(*parts)
        if contrast(colour, background) >= LEAST_CONTRAST:
            break
    return colour


def contrast(one: str, other: str) -> float:
    """The contrast of two colours such as #e8504f: 1 for equal ones, 21 for black on white."""
    darker, lighter = sorted([_luminance(one), _luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    shares = [part / 255 for part in _parts(colour)]
    red, green, blue = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _parts(colour: str) -> list[int]:
    """Red, green and blue from 0 to 255."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
