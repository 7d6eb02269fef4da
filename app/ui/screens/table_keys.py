"""The keys of tables, to choose from."""

from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase

from textual.binding import Binding, BindingsMap

from app.ui.tables.base import choice_key

_PLACES = "1234567890"
_MOST_PLACES = 24
_PLACE_ID = "table.place-"
TAKE_KEY, BACK_KEY, REVIEW_KEY = "table.take", "table.back", "play.review"
NEW_KEY, AGAIN_KEY, WATCH_KEY = "table.new", "table.again", "table.watch"
SUMMARY_KEY = "table.summary"


def place_bindings(show: bool) -> list[Binding]:
    """Keys that choose a numbered card or choice, or move between them."""
    numbers = [
        Binding(
            key,
            f"place({number})",
            "Play",
            show=show and number == 1,
            key_display="1-9",
            id=f"{_PLACE_ID}{number}",
        )
        for number, key in enumerate(_PLACES, 1)
    ]
    return [
        *numbers,
        Binding("left,h", "move(-1)", "Move", show, key_display="←→", id="table.previous"),
        Binding("right,l", "move(1)", show=False, id="table.next"),
        Binding("enter", "take", show=False, key_display="Enter", id=TAKE_KEY),
    ]


def letter_bindings(used: Iterable[str]) -> list[Binding]:
    """Keys for the cards after the tenth: letters that have no other use at this table."""
    taken = set(used)
    free = [letter for letter in ascii_lowercase + ascii_uppercase if letter not in taken]
    numbers = range(len(_PLACES) + 1, _MOST_PLACES + 1)
    return [
        Binding(letter, f"place({number})", show=False, id=f"{_PLACE_ID}{number}")
        for number, letter in zip(numbers, free, strict=False)
    ]


def place_keys(bindings: BindingsMap) -> list[str]:
    """The key of each numbered place that has one, in order."""
    keys = {binding.id: key for key, binding in bindings if binding.id}
    places = [keys.get(f"{_PLACE_ID}{number}", "") for number in range(1, _MOST_PLACES + 1)]
    return [key for key in places if key]


LEAVE = Binding("escape", "back", "Back", key_display="Esc", id=BACK_KEY)
LAST_TRICK = Binding("k", "last_trick", "Trick", id="table.last-trick")
REVIEW = Binding("v", "review", "Review", show=False, id=REVIEW_KEY)
WHY = Binding("w", "panel('why')", "Why", id="table.why")
TURN = (
    Binding("left_square_bracket", "turn(-1)", "Earlier move", show=False, id="table.earlier"),
    Binding("right_square_bracket", "turn(1)", "Later move", show=False, id="table.later"),
)
"""Keys that step through the explained moves."""
PAGE = (
    Binding("pagedown", "page(1)", "Panel down", show=False, id="table.panel-down"),
    Binding("pageup", "page(-1)", "Panel up", show=False, id="table.panel-up"),
)
SCORES = Binding("s", "panel('scores')", "Scores", id="table.scores")
RULES = Binding("r", "rules", "Rules", id="table.rules")
LOG = Binding("o", "panel('log')", "Log", id="table.log")
LEARNING = Binding("e", "panel('learning')", "Learning", id="table.learning")
EXPLORE = Binding("x", "explore", "What they know", show=False, id="table.explore")
FASTER = Binding("plus,equals_sign", "speed(True)", "Faster", show=False, id="table.faster")
SLOWER = Binding("minus", "speed(False)", "Slower", show=False, id="table.slower")
AFTER_MATCH = (
    Binding("i", "summary", "Summary", show=False, id=SUMMARY_KEY),
    choice_key("d", AGAIN_KEY, "Deal again"),
    choice_key("W", WATCH_KEY, "Watch this table"),
)
"""Keys at the end of a match."""
NEW = Binding("n", "new", "New table", show=False, id=NEW_KEY)
