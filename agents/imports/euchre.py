"""Reads the SQLite file of the original Euchre program.

Its table `q_values` has a row for each state: the state and the values of its actions, both as
JSON. A state of the bidding holds everything `q-original` distinguishes except the score of the
other side and, once the up-card is turned down, its rank. Such a state is imported for each
possibility. A state of the play does not say which cards are in the trick, so it cannot be
imported.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from agents.euchre.original_features import EuchreCards, while_bidding
from agents.imports.imported import MAX_SITUATIONS, ImportedValues, Values, finite_value
from agents.learners.features import Situation
from engine.cards import SUIT_NAMES
from engine.games.euchre import CALLING, ORDERING, PACK, RANKS, TARGET

_PHASES: Final = {
    "bidding_round_1": ORDERING,
    "bidding_round_2": CALLING,
    "dealer_must_call": CALLING,
}
_PLAYERS: Final = 3
_SUITS: Final = {name[0].upper(): suit for suit, name in enumerate(SUIT_NAMES)}
_CARDS: Final = {code[-1] + code[:-1]: card for card, code in enumerate(PACK.codes)}
"""The original writes the suit first."""

_MOVES: Final = {
    action: EuchreCards.move_names.index(name)
    for action, name in {
        "order_up": "order up",
        "pass_bid": "pass",
        "pass_call": "pass",
        **{f"call_trump:{letter}": f"call {SUIT_NAMES[suit]}" for letter, suit in _SUITS.items()},
    }.items()
}

_MAX_ROWS: Final = 2_000_000
_MAX_TEXT: Final = 1 << 16
_STEPS: Final = 10_000
_MAX_CALLS: Final = 5_000
"""A query is stopped after so many times so many steps, because it might never end."""

_COLUMNS: Final = ["state_key", "actions_q_values"]


def read(path: Path) -> ImportedValues:
    """Raises ValueError with the reason as the end of a sentence."""
    found = taken = 0
    values: Values = {}
    for state, actions in _rows(path):
        found += 1
        if found > _MAX_ROWS:
            raise ValueError("it holds too many situations")
        situations = _situations(state)
        moves = _moves(actions) if situations else {}
        if not moves:
            continue
        taken += 1
        values.update(dict.fromkeys(situations, moves))
        if len(values) > MAX_SITUATIONS:
            raise ValueError("it holds too many situations")
    left_out = ""
    if not found:
        left_out = "it holds no situations"
    elif taken < found:
        left_out = "outside the bidding it does not say which cards are in the trick"
    return ImportedValues("euchre", "q-original", values, found, taken, left_out=left_out)


def _rows(path: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield states and their actions.

    The database is not trusted: it is opened read-only, and views, its own functions, endless
    queries and long texts are refused.
    """
    address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    left = iter(range(_MAX_CALLS))
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_TEXT)
            database.set_progress_handler(lambda: next(left, None) is None, _STEPS)
            database.execute("PRAGMA trusted_schema = OFF")
            _check_schema(database)
            for texts in database.execute("SELECT state_key, actions_q_values FROM q_values"):
                state, actions = [_parsed(text) for text in texts]
                yield state, actions
    except sqlite3.Error as error:
        raise ValueError(f"it cannot be read as an SQLite file ({error})") from error


def _check_schema(database: sqlite3.Connection) -> None:
    """Refuse views, virtual tables and computed columns."""
    kind = database.execute(
        "SELECT type, sql FROM sqlite_master WHERE name = 'q_values'"
    ).fetchall()
    columns = database.execute("PRAGMA table_xinfo(q_values)").fetchall()
    plain = len(kind) == 1 and kind[0][0] == "table" and "VIRTUAL" not in str(kind[0][1]).upper()
    if (
        not plain
        or [name for _, name, *_ in columns] != _COLUMNS
        or any(each[6] for each in columns)
    ):
        raise ValueError("it does not hold the values of the Euchre program")


def _parsed(text: object) -> dict[str, Any]:
    try:
        parsed = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise ValueError("its rows are not those of the Euchre program")
    return parsed


def _moves(actions: dict[str, Any]) -> dict[int, float]:
    moves = {}
    for action, value in actions.items():
        if action not in _MOVES:
            raise ValueError("its actions are not those of Euchre")
        moves[_MOVES[action]] = finite_value(value)
    return moves


def _situations(state: dict[str, Any]) -> list[Situation]:
    """Return the situations that a state of the bidding may be; none for other states."""
    if "game_phase" not in state or "player_id" not in state:
        raise ValueError("its situations are not those of Euchre")
    phase = _PHASES.get(str(state["game_phase"]))
    if phase is None:
        return []
    try:
        hand = sum([1 << _CARDS[card] for card in set(state["hand"])])
        up_cards = _up_cards(state, hand)
        dealer = (_seat(state["dealer"]) - _seat(state["player_id"])) % _PLAYERS
        passes = _small(state["passes_on_upcard"]) + _small(state["passes_on_calling"])
        score = _small(state["my_score"])
    except (LookupError, TypeError) as error:
        raise ValueError("its situations are not those of Euchre") from error
    return [
        while_bidding(phase, hand, up_card, dealer, passes, score, theirs)
        for up_card in up_cards
        for theirs in range(TARGET)
    ]


def _up_cards(state: dict[str, Any], hand: int) -> list[int]:
    """Return the up-card, or the cards it may have been once it is turned down."""
    if state["up_card_suit"] is not None:
        return [_CARDS[f"{state['up_card_suit']}{state['up_card_rank']}"]]
    suit = _SUITS[state["original_up_card_suit"]]
    cards = range(suit * RANKS, (suit + 1) * RANKS)
    return [card for card in cards if not hand >> card & 1]


def _seat(value: object) -> int:
    if type(value) is not int or not 0 <= value < _PLAYERS:
        raise LookupError
    return value


def _small(value: object) -> int:
    """Return a count or a score. Raises LookupError for any other value."""
    if type(value) is not int or not 0 <= value < 100:
        raise LookupError
    return value
