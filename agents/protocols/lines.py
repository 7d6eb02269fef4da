"""The line protocol: one line of JSON asks for a decision, another line answers it.

A question contains everything the seat may know, in words and card codes:

    {"game": "truco", "seat": 1, "legal": ["play 7O", "raise"], "view": {...}}

The answer is the label of a legal action, either alone or as `{"action": "play 7O"}`.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from engine import fields
from engine.cards import Pack, cards_in
from engine.fields import NONE, Kind
from engine.game import HIDDEN, View

Json = dict[str, Any]

PROTOCOL: Final = 1
"""Increases when a line changes its meaning. Adding a key does not count."""


class BadAnswer(ValueError):
    """The line is not a legal action. The message says why."""


def question_line(game: str, view: View, legal: Sequence[int]) -> str:
    """The line that asks the seat of a view for a decision."""
    return _line(
        {
            "type": "decide",
            "protocol": PROTOCOL,
            "game": game,
            "seat": view.seat,
            "legal": [view.label(action) for action in legal],
            "view": describe(view),
        }
    )


def result_line(game: str, scores: Sequence[float], returns: Sequence[float]) -> str:
    """The line that ends a match: the score of each side and each seat's share of the win."""
    return _line(
        {
            "type": "over",
            "protocol": PROTOCOL,
            "game": game,
            "scores": list(scores),
            "returns": list(returns),
        }
    )


def hand_line(game: str, points: Sequence[float], scores: Sequence[float]) -> str:
    """The line that ends a hand: the points that each side got, and the score of each side."""
    return _line(
        {
            "type": "hand",
            "protocol": PROTOCOL,
            "game": game,
            "points": list(points),
            "scores": list(scores),
        }
    )


def error_line(sentence: str) -> str:
    """The line that says why an answer was rejected. The question follows again."""
    return _line({"type": "error", "protocol": PROTOCOL, "message": sentence})


def _line(content: Json) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def parse_answer(line: str, view: View, legal: Sequence[int]) -> int:
    """The action that a line names. Raises BadAnswer."""
    text = line.strip()
    if text.startswith("{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadAnswer(f"{text[:80]!r} is not valid JSON.") from error
        wanted = found.get("action") if isinstance(found, dict) else None
        if not isinstance(wanted, str):
            raise BadAnswer('An answer is {"action": "…"} or just the action.')
        text = wanted
    labels = {view.label(action).lower(): action for action in legal}
    action = labels.get(" ".join(text.lower().split()))
    if action is None:
        raise BadAnswer(f"{text[:80]!r} is not possible now; choose one of: {', '.join(labels)}.")
    return action


def describe(view: View) -> Json:
    """A view in words and card codes. Seats are numbers; null means not settled."""
    described: Json = {
        "hand_no": view.hand_no,
        "scores": list(view.scores),
        "sides": [list(side) for side in view.sides],
        "options": view.options.as_dict(),
    }
    for name, to_json in _converters(type(view)):  # type: ignore[arg-type]
        described[name] = to_json(getattr(view, name), view)
    return described


ToJson = Callable[[Any, View], object]
"""Converts the value of a field. The view it belongs to supplies the labels of actions."""


@cache
def _converters(view_class: type[View]) -> list[tuple[str, ToJson]]:
    return [(name, _converter(kind)) for name, kind in view_class.kinds().items()]


def _converter(kind: Kind) -> ToJson:
    """The function that converts values of a kind to JSON."""
    match kind:
        case fields.Flag():
            return lambda value, view: bool(value)
        case fields.Count():
            return lambda value, view: value
        case fields.Number():
            lowest = kind.low
            return lambda value, view: None if value == NONE < lowest else value
        case fields.Seat():
            return lambda value, view: None if value == NONE else value
        case fields.OneOf():
            return _name_of(kind.names)
        case fields.Card():
            return _name_of(kind.pack.codes)
        case fields.CardSet():
            return _codes_of_set(kind.pack)
        case fields.CardCounts():
            codes = kind.pack.codes
            return lambda counts, view: {
                code: count for code, count in zip(codes, counts, strict=True) if count
            }
        case fields.Plays():
            code_of = _name_of(kind.pack.codes)
            return lambda plays, view: [[seat, code_of(card, view)] for seat, card in plays]
        case fields.Actions():
            return lambda actions, view: [[seat, _label(view, action)] for seat, action in actions]
        case fields.PerSeat() | fields.PerSide() | fields.Several():
            each = _converter(kind.each)
            return lambda values, view: [each(value, view) for value in values]
    raise TypeError(f"The line protocol cannot write {type(kind).__name__}.")


def _name_of(names: Sequence[str]) -> ToJson:
    """Converts an index to its name. An index outside, such as NONE, becomes null."""
    count = len(names)
    return lambda index, view: names[index] if 0 <= index < count else None


def _codes_of_set(pack: Pack) -> ToJson:
    codes = pack.codes

    def convert(cards: int | Sequence[int], view: View) -> list[str]:
        return [codes[card] for card in (cards_in(cards) if isinstance(cards, int) else cards)]

    return convert


def _label(view: View, action: int) -> str:
    return "hidden" if action == HIDDEN else view.label(action)
