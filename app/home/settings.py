"""What a person has set, and the file it is kept in.

A broken file never stops anybody: what is wrong is said, the default is used in its place,
and the file stays as it is until the person changes a setting in the app.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from agents.storage.files import reason_of, unused_path, write_atomic
from app.home.decks import DECKS, FOUR_COLOURS

DEFAULT_DELAY: Final = 1.0
LONGEST_DELAY: Final = 60.0
_LARGEST: Final = 64 * 1024
_ASIDE: Final = ".broken"


class SettingsError(ValueError):
    """Settings that cannot be kept; the message is a sentence for people."""


def _help(text: str, default: Any) -> Any:
    if isinstance(default, dict):
        return field(default_factory=dict, metadata={"help": text})
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default. `help` in a field's metadata is for the screen."""

    theme: str = _help("Colours of the whole app.", "textual-dark")
    deck: str = _help("Colours of the cards; the suits keep their signs.", FOUR_COLOURS)
    ascii_cards: bool = _help("For terminals that cannot draw the signs of cards.", False)
    delay: float = _help("Seconds between the moves of agents.", DEFAULT_DELAY)
    confirm_leaving: bool = _help("Esc has to be pressed twice before a match is left.", True)
    animations: bool = _help("Let things move on the screen.", True)
    tips: bool = _help("Three short tips in your first match of each game.", True)
    keys: Mapping[str, str] = _help("Other keys, by the name of what they do.", {})

    def with_one(self, name: str, value: Any) -> "Settings":
        return replace(self, **{name: value})

    def problem(self, name: str) -> str:
        """What is wrong with one setting, and what to do; empty if nothing is."""
        value = getattr(self, name)
        if name == "deck" and value not in DECKS:
            return f"deck is {value!r}; choose one of {', '.join(DECKS)}"
        if name == "delay" and not 0 <= value <= LONGEST_DELAY:
            return f"delay is {value:g}; give 0 to {LONGEST_DELAY:g} seconds"
        return ""


def read_settings(path: Path) -> tuple[Settings, list[str]]:
    """The settings of a file, and a sentence for each thing in it that is wrong."""
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST + 1)
        if len(text) > _LARGEST:
            raise ValueError("it is too large")
        found = _from_toml(text.decode())
    except FileNotFoundError:
        return Settings(), []
    except OSError as error:
        reason = reason_of(error)
        return Settings(), [f"{path} cannot be read ({reason}); the defaults are used."]
    except (ValueError, RecursionError) as error:
        reason = str(error).partition("\n")[0]
        return Settings(), [f"{path} is broken ({reason}); the defaults are used."]
    settings, notices = Settings(), []
    for name, value in found.items():
        settings, wrong = _with(settings, name, value)
        if wrong:
            notices.append(f"In {path}, {wrong}; the default is used.")
    return settings, notices


def _from_toml(text: str) -> dict[str, object]:
    """Where there is no file, nothing is loaded that could read one."""
    import tomllib

    return tomllib.loads(text)


def _with(settings: Settings, name: str, value: object) -> tuple[Settings, str]:
    """The settings with one changed, or as they were and what is wrong with it."""
    known = {each.name: each for each in fields(Settings)}
    if name not in known:
        return settings, f"there is no setting {name!r}, only {', '.join(known)}"
    default = getattr(Settings(), name)
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if isinstance(default, dict):
        right = isinstance(value, dict) and all(isinstance(key, str) for key in value.values())
    else:
        right = type(value) is type(default)
    if not right:
        return settings, f"{name} is {value!r}, which is not what it takes (such as {default!r})"
    changed = settings.with_one(name, value)
    wrong = changed.problem(name)
    return (settings, wrong) if wrong else (changed, "")


def write_settings(path: Path, settings: Settings) -> str:
    """Keep the settings. A file that is broken is kept beside it first; the sentence about
    that, else nothing. Raises SettingsError."""
    said = ""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if read_settings(path)[1] and path.is_file():
            aside = unused_path(path.with_name(path.name + _ASIDE))
            os.replace(path, aside)
            said = f"The broken {path.name} is kept as {aside.name}."
        write_atomic(path, as_toml(settings).encode())
    except OSError as error:
        reason = reason_of(error)
        raise SettingsError(f"{path} cannot be saved: {reason}.") from error
    return said


def as_toml(settings: Settings) -> str:
    """The settings as they are written down."""
    lines = [
        f"{each.name} = {_literal(getattr(settings, each.name))}"
        for each in fields(settings)
        if each.name != "keys"
    ]
    if settings.keys:
        lines += ["", "[keys]"]
        lines += [f"{_literal(name)} = {_literal(key)}" for name, key in settings.keys.items()]
    return "\n".join(lines) + "\n"


def _literal(value: object) -> str:
    """JSON is TOML for simple values, but for one character."""
    import json

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
