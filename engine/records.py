"""Options, views and states as plain data: for pickles and copies, for keys, and as text.

Pickling needs help since compiled classes have no `__dict__` and frozen ones refuse `setattr`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from sys import modules
from typing import Any, Final

FORMAT: Final = 1
"""Increases when the text of a state changes its meaning."""

DERIVED: Final = {"derived": True}
"""Metadata of a state's field that follows from the options. It is neither pickled nor written."""


def kept(record: Any) -> dict[str, Any]:
    """The fields that make up a record, by name: not those that are derived or a cache."""
    return {
        each.name: getattr(record, each.name)
        for each in fields(record)
        if each.compare and "derived" not in each.metadata
    }


def rebuilt_by_init(kind: Any, values: Mapping[str, Any]) -> Any:
    """An object whose constructor takes all its fields, such as options."""
    return kind(**values)


def rebuilt_view(kind: Any, values: Mapping[str, Any]) -> Any:
    """A view with these fields and empty caches."""
    view = kind.__new__(kind)
    for each in fields(kind):
        if each.name in values:
            setattr(view, each.name, values[each.name])
        elif each.default is not MISSING:
            setattr(view, each.name, each.default)
    return view


def rebuilt_state(kind: Any, values: Mapping[str, Any]) -> Any:
    """A state with these fields. Its constructor sets the derived ones."""
    state = kind(values["seed"], values["sides"], options=values["options"])
    for name, value in values.items():
        setattr(state, name, value)
    return state


def hashable(value: Any) -> Any:
    """A value of a view as something that can be hashed; equal values become equal."""
    if isinstance(value, list | tuple):
        return tuple([hashable(each) for each in value])
    if is_dataclass(value) and type(value).__hash__ is None:
        return tuple([hashable(getattr(value, each.name)) for each in fields(value)])
    return value


# Text


def to_text(kind: str, options: Mapping[str, Any], values: Mapping[str, Any]) -> str:
    """A state as one line of JSON. kind: the name of its class."""
    plain = {name: _plain(value) for name, value in values.items() if name != "options"}
    content = {"kind": kind, "format": FORMAT, "options": dict(options), "state": plain}
    return json.dumps(content, separators=(",", ":"))


def from_text(text: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The class, the options and the fields that `to_text` wrote, the latter still plain.
    Raises ValueError."""
    try:
        content = json.loads(text)
        kind, options, values = content["kind"], content["options"], content["state"]
        known = content["format"] == FORMAT
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError("This is not a state that State.serialize wrote.") from error
    if not (known and isinstance(options, dict) and isinstance(values, dict)):
        raise ValueError("This state was written by another version of Kibitz.")
    return str(kind), options, values


def _plain(value: Any) -> Any:
    """Lists stay lists; a tuple or a record becomes an object with its type and its values."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, tuple):
        kind = type(value).__name__
        return {kind: [_plain(each) for each in value]}
    if is_dataclass(value):
        return {type(value).__name__: [_plain(getattr(value, each.name)) for each in fields(value)]}
    return value


def from_plain(value: Any, module: str) -> Any:
    """The value that `_plain` wrote. Records are of a type that this module defines or imports.
    Raises ValueError."""
    if isinstance(value, list):
        return [from_plain(each, module) for each in value]
    if not isinstance(value, dict):
        return value
    ((name, parts),) = value.items()
    values = [from_plain(each, module) for each in parts]
    if name == "tuple":
        return tuple(values)
    kind = getattr(modules[module], name, None)
    if not isinstance(kind, type) or not (is_dataclass(kind) or _is_named_tuple(kind)):
        raise ValueError(f"This state has an unknown part, {name}.")
    return _made(kind, values)


def _is_named_tuple(kind: Any) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _made(kind: Any, values: Sequence[Any]) -> Any:
    return kind(*values)
