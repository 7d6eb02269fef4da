"""Our two themes and the colours of the table.

The table has three tones: the felt (ground), paper (cards) and plates (names, badges). The
accents belong to the games, the inks to suits and meanings. Styles use all of them as variables,
such as `$felt`. Textual's own themes have none of them and get ours, dark or light.
"""

from typing import Final

from textual.theme import Theme

DARK: Final = "kibitz-dark"
LIGHT: Final = "kibitz-light"
OURS: Final = (DARK, LIGHT)

_ON_DARK: Final = {
    "felt": "#17463a",
    "felt-ink": "#f3eedd",
    "felt-muted": "#b4cdc0",
    "felt-line": "#3c7565",
    "rim": "#5b3d24",
    "rim-line": "#8a6238",
    "paper": "#f8f2e4",
    "paper-ink": "#1c1b20",
    "paper-muted": "#635d50",
    "paper-shade": "#e6dcc4",
    "paper-dim": "#c4c1b1",
    "dim-shade": "#b2ae9c",
    "court-gold": "#d99a1c",
    "card-back": "#27407c",
    "card-back-ink": "#8ea8e0",
    "plate": "#0d2c25",
    "plate-ink": "#e4efe8",
    "plate-muted": "#9dbcae",
    "plate-lit": "#f2c14e",
    "plate-lit-ink": "#221902",
    "key": "#2b2a31",
    "key-ink": "#f8f2e4",
    "win": "#f2c14e",
    "win-ink": "#221902",
    "mark": "#8fd0f4",
    "mark-ink": "#062233",
    "life": "#ff8f8a",
    "accent-euchre": "#f2c14e",
    "accent-smear": "#f29a76",
    "accent-truco": "#ec9bb6",
    "accent-fodinha": "#bda7f4",
    "accent-notty": "#74cdea",
}
_ON_LIGHT: Final = _ON_DARK | {
    "felt": "#bcd6c7",
    "felt-ink": "#12241d",
    "felt-muted": "#2f4b3f",
    "felt-line": "#7ba591",
    "rim": "#c39a68",
    "rim-line": "#8a6238",
    "paper": "#fffdf7",
    "paper-shade": "#f0e6cf",
    "paper-dim": "#e3d9be",
    "dim-shade": "#d3c8ab",
    "plate": "#9dc3b0",
    "plate-ink": "#0e231a",
    "plate-muted": "#1f3d30",
    "plate-lit": "#5e3b00",
    "plate-lit-ink": "#fff7e2",
    "win": "#7a4e00",
    "win-ink": "#fff7e2",
    "mark": "#0b4d75",
    "mark-ink": "#eef8ff",
    "life": "#86101a",
    "accent-euchre": "#7a4e00",
    "accent-smear": "#96380f",
    "accent-truco": "#94204f",
    "accent-fodinha": "#5a36b0",
    "accent-notty": "#0d5a78",
}

_SIXTEEN: Final = {
    "felt": "#000000",
    "felt-ink": "#ffffff",
    "felt-muted": "#aaaaaa",
    "felt-line": "#555555",
    "rim": "#555555",
    "paper": "#ffffff",
    "paper-ink": "#000000",
    "paper-muted": "#555555",
    "paper-shade": "#aaaaaa",
    "paper-dim": "#aaaaaa",
    "dim-shade": "#aaaaaa",
    "court-gold": "#aa5500",
    "card-back": "#0000aa",
    "card-back-ink": "#55ffff",
    "plate": "#555555",
    "plate-ink": "#ffffff",
    "plate-muted": "#ffffff",
    "plate-lit": "#ffff55",
    "plate-lit-ink": "#000000",
    "key": "#000000",
    "key-ink": "#ffffff",
    "win": "#ffff55",
    "win-ink": "#000000",
    "mark": "#55ffff",
    "mark-ink": "#000000",
    "life": "#ff5555",
    "notty-red": "#aa0000",
    "notty-red-ink": "#ffffff",
    "notty-green": "#00aa00",
    "notty-green-ink": "#000000",
    "notty-yellow": "#ffff55",
    "notty-yellow-ink": "#000000",
    "notty-blue": "#5555ff",
    "notty-blue-ink": "#ffffff",
    "notty-black": "#555555",
    "notty-black-ink": "#ffffff",
}
"""For terminals with sixteen colours: exactly those, since the nearest ones are not readable."""

_SIXTEEN_INKS: Final = {
    f"{paper}-{suit}": ink
    for suit, on_paper in (
        ("hearts", "#aa0000"),
        ("diamonds", "#0000aa"),
        ("clubs", "#000000"),
        ("black", "#000000"),
        ("red", "#aa0000"),
        ("blue", "#0000aa"),
        ("green", "#000000"),
        ("yellow", "#aa5500"),
    )
    for paper, ink in (("paper", on_paper), ("dim", "#000000"))
}

_EIGHT_BIT: Final = {
    True: {
        "foreground": "#e4e4e4",
        "background": "#121212",
        "surface": "#1c1c1c",
        "panel": "#262626",
        "footer-background": "#1c1c1c",
        "felt": "#005f5f",
        "felt-ink": "#ffffff",
        "felt-muted": "#afd7d7",
        "felt-line": "#5f8787",
        "rim": "#444444",
        "rim-line": "#585858",
        "paper": "#eeeeee",
        "paper-ink": "#1c1c1c",
        "paper-shade": "#dadada",
        "paper-dim": "#bcbcbc",
        "dim-shade": "#a8a8a8",
        "court-gold": "#d78700",
        "card-back": "#00005f",
        "card-back-ink": "#5f87d7",
        "plate": "#1c1c1c",
        "plate-ink": "#eeeeee",
        "plate-muted": "#bcbcbc",
        "plate-lit": "#ffd75f",
        "plate-lit-ink": "#1c1c1c",
        "accent-euchre": "#ffd75f",
        "accent-smear": "#ffd7af",
        "accent-truco": "#ffd7d7",
        "accent-fodinha": "#d7d7ff",
        "accent-notty": "#afffff",
    },
    False: {
        "plate-lit": "#5f0000",
        "plate-lit-ink": "#ffffff",
        "accent": "#5f5f00",
        "accent-euchre": "#5f5f00",
        "accent-smear": "#870000",
        "accent-fodinha": "#5f00af",
        "felt": "#d7ffd7",
        "rim": "#d7af87",
        "plate": "#afd7af",
        "paper": "#ffffff",
        "paper-dim": "#d0d0d0",
        "dim-shade": "#bcbcbc",
        "paper-shade": "#eeeeee",
    },
}
"""For terminals with 256 colours, by whether the theme is dark: colours that they have, since
the nearest ones of some others are gaudy."""

_WITHOUT_COLOURS: Final = {
    "felt": "#262626",
    "felt-line": "#6b6b6b",
    "rim": "#4a4a4a",
    "plate": "#101010",
    "card-back": "#5c5c5c",
    "card-back-ink": "#c4c4c4",
    "notty-black": "#000000",
}
"""For dark screens without colours: grounds that differ in brightness alone."""

NOTTY_GROUNDS: Final = {
    "red": ("#b3232d", "#ffffff"),
    "green": ("#217a47", "#ffffff"),
    "yellow": ("#f0c93c", "#2b2100"),
    "blue": ("#2563b4", "#ffffff"),
    "black": ("#26242b", "#ffffff"),
}
"""For each colour of Notty, the ground of its cards and the ink on it."""

TEXT_PAIRS: Final = (
    ("felt-ink", "felt"),
    ("felt-muted", "felt"),
    ("paper-ink", "paper"),
    ("paper-ink", "paper-dim"),
    ("paper-ink", "paper-shade"),
    ("paper-muted", "paper"),
    ("plate-ink", "plate"),
    ("plate-muted", "plate"),
    ("plate-lit-ink", "plate-lit"),
    ("plate-lit", "plate"),
    ("key-ink", "key"),
    ("win-ink", "win"),
    ("mark-ink", "mark"),
    ("life", "plate"),
    *[
        (f"accent-{game}", ground)
        for game in ("euchre", "smear", "truco", "fodinha", "notty")
        for ground in ("felt", "background", "surface", "panel")
    ],
    *[(ink, ground) for ink in ("foreground", "primary", "secondary", "accent")
      for ground in ("background", "surface", "panel")],
    ("text-muted", "background"),
    ("text-muted", "surface"),
)  # fmt: skip
"""Every pair of an ink and a ground that our screens write text in."""


def sixteen_colours() -> dict[str, str]:
    """The colours of the table on a terminal with sixteen colours, dark or light."""
    return _SIXTEEN | _SIXTEEN_INKS


def grey_tones(dark: bool) -> dict[str, str]:
    """The colours that differ on a screen without colours."""
    return _WITHOUT_COLOURS if dark else {}


def eight_bit_colours(dark: bool) -> dict[str, str]:
    """The colours that differ on a terminal with 256 colours."""
    return _EIGHT_BIT[dark]


def table_colours(dark: bool) -> dict[str, str]:
    """The colours of the table as variables for styles."""
    colours = dict(_ON_DARK if dark else _ON_LIGHT)
    for name, (ground, ink) in NOTTY_GROUNDS.items():
        colours |= {f"notty-{name}": ground, f"notty-{name}-ink": ink}
    return colours


THEMES: Final = (
    Theme(
        name=DARK,
        primary="#6fb7a0",
        secondary="#8fb0e8",
        accent="#f2c14e",
        foreground="#ece7da",
        background="#0f1416",
        surface="#161d20",
        panel="#1f282c",
        warning="#f2b45c",
        error="#f28b82",
        success="#7fd1a0",
        dark=True,
        variables=table_colours(True)
        | {
            "text-muted": "#a3ada9",
            "footer-background": "#161d20",
            "footer-key-foreground": "#f2c14e",
            "footer-description-foreground": "#b9c2be",
            "border": "#6fb7a0",
            "border-blurred": "#2a363b",
            "block-cursor-background": "#f2c14e",
            "block-cursor-foreground": "#221902",
            "input-selection-background": "#6fb7a0 35%",
            "scrollbar": "#3a494f",
            "scrollbar-hover": "#53686f",
            "scrollbar-active": "#6fb7a0",
            "scrollbar-background": "#161d20",
            "scrollbar-background-hover": "#161d20",
            "scrollbar-background-active": "#161d20",
            "scrollbar-corner-color": "#161d20",
        },
    ),
    Theme(
        name=LIGHT,
        primary="#1d6350",
        secondary="#2a4f95",
        accent="#7a4e00",
        foreground="#1a211e",
        background="#f6f3ea",
        surface="#fffdf7",
        panel="#e9e4d5",
        warning="#8a5200",
        error="#a3121f",
        success="#15693c",
        dark=False,
        variables=table_colours(False)
        | {
            "text-muted": "#56605b",
            "footer-background": "#e9e4d5",
            "footer-key-foreground": "#7a4e00",
            "footer-description-foreground": "#3b4440",
            "border": "#1d6350",
            "border-blurred": "#cfc8b4",
            "block-cursor-background": "#7a4e00",
            "block-cursor-foreground": "#fff7e2",
            "scrollbar": "#b9b29c",
            "scrollbar-hover": "#9c957f",
            "scrollbar-active": "#1d6350",
            "scrollbar-background": "#e9e4d5",
            "scrollbar-background-hover": "#e9e4d5",
            "scrollbar-background-active": "#e9e4d5",
            "scrollbar-corner-color": "#e9e4d5",
        },
    ),
)
