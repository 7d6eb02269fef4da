"""The suits and colours of the packs. Home draws cards before anything else of the rules loads."""

from typing import Final

FRENCH_SUITS: Final = ("S", "H", "D", "C")
SUIT_NAMES: Final = ("spades", "hearts", "diamonds", "clubs")
SPANISH_SUITS: Final = ("O", "C", "E", "B")
SPANISH_SUIT_NAMES: Final = ("oro", "copa", "espada", "basto")
NOTTY_COLOURS: Final = ("R", "G", "Y", "B", "K")
NOTTY_COLOUR_NAMES: Final = ("red", "green", "yellow", "blue", "black")
