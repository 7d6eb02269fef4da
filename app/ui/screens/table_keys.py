"""The keys of tables, to choose from."""

from collections.abc import Iterable, Mapping
from string import ascii_lowercase, ascii_uppercase

from textual.binding import Binding, BindingsMap

from app.ui.tables.base import choice_key, place_id

_PLACES = "1234567890"
_MOST_PLACES = 26
_PLACE_IDS = [place_id(number) for number in range(1, _MOST_PLACES + 1)]
TAKE_KEY, BACK_KEY, REVIEW_KEY = "table.take", "table.back", "play.review"
NEW_KEY, AGAIN_KEY, WATCH_KEY = "table.new", "table.again", "table.watch"
SUMMARY_KEY, DAILY_KEY = "table.summary", "table.daily"


def place_bindings(show: bool) -> list[Binding]:
    """Keys that choose a numbered card or choice, or move between them."""
    numbers = [
        Binding(
            key,
            f"place({number})",
            "Play",
            show=show and number == 1,
            key_display="1-9",
            id=place_id(number),
        )
        for number, key in enumerate(_PLACES, 1)
    ]
    return [
        *numbers,
        Binding("left,h", "move(-1)", "Move", show, key_display="←→", id="table.previous"),
        Binding("right,l", "move(1)", show=False, id="table.next"),
        Binding("enter", "take", "Choose", show=False, key_display="Enter", id=TAKE_KEY),
    ]


def with_card_keys(bindings: Iterable[Binding], keymap: Mapping[str, str]) -> BindingsMap:
    """The bindings with a key for every card, which has no other use at this table: its digit, or
    else a free letter.

    keymap   the keys that the person chose, by the id of the binding; Textual applies them later
    """
    bound = [binding for _, binding in BindingsMap(bindings)]
    given = {binding.id for binding in bound}
    bound += [
        Binding("", f"place({number})", show=False, id=name)
        for number, name in enumerate(_PLACE_IDS, 1)
        if name not in given
    ]
    taken = {key for name in _PLACE_IDS for key in keymap.get(name, "").split(",")}
    for binding in bound:
        if binding.id not in _PLACE_IDS:
            # Textual also removes a key that is no longer used.
            taken |= {binding.key, *keymap.get(binding.id or "", "").split(",")}
    free = iter([letter for letter in ascii_lowercase + ascii_uppercase if letter not in taken])
    for at, binding in enumerate(bound):
        if binding.id in _PLACE_IDS and (not binding.key or binding.key in taken):
            bound[at] = binding.with_key(next(free, ""), binding.key_display)
    return BindingsMap([binding for binding in bound if binding.key])


def place_keys(bindings: BindingsMap, keymap: Mapping[str, str]) -> list[str]:
    """The key of each numbered place that has one, in order."""
    keys = {binding.id: key for key, binding in bindings if binding.id}
    keys |= {name: keymap[name].split(",")[0] for name in keys if name in keymap}
    return [keys[name] for name in _PLACE_IDS if name in keys]


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
    choice_key("B", DAILY_KEY, "Daily deals"),
)
"""Keys at the end of a match."""
NEW = Binding("n", "new", "New table", show=False, id=NEW_KEY)
