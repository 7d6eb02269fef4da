"""The settings and their file.

A broken file never stops the program: the defaults are used for what is wrong, and the file is
left alone until a setting is changed in the app.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from agents.plain_text import is_safe, sentence
from agents.storage.bounded import read_bounded
from agents.storage.files import reason_of, unused_path, write_atomic
from app.home.decks import DECKS, FOUR_COLOURS
from engine.limits import limits, outside, shown

DEFAULT_DELAY: Final = 1.0
TEACHING: Final = {"first": "first matches", "always": "always", "never": "never"}
"""When costly moves are pointed out before they are played, with the words for it."""
_LARGEST: Final = 16 * 1024
_LONGEST_TEXT: Final = 100
_MOST_PROBLEMS: Final = 5
"""Problems of one file that are reported."""

_ASIDE: Final = ".broken"


class SettingsError(ValueError):
    """Settings that cannot be saved; the message is a sentence for people."""


def _setting(help: str, default: Any, **within: Any) -> Any:
    return field(default=default, metadata=limits(help, **within))


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default. Its limits and help are in the field's metadata."""

    theme: str = _setting("Colours of the whole app.", "kibitz-dark")
    deck: str = _setting("Colours of the suits.", FOUR_COLOURS, choices=tuple(DECKS))
    ascii_cards: bool = _setting("For terminals that cannot draw the symbols of cards.", False)
    delay: float = _setting("Seconds between the moves of agents.", DEFAULT_DELAY, low=0, high=60)
    play_only_card: bool = _setting("Play your card for you if only one is allowed.", False)
    claim_decided: bool = _setting("Play out a hand whose points nobody can change.", False)
    confirm_leaving: bool = _setting("Esc has to be pressed twice to leave a match.", True)
    animations: bool = _setting("Animate changes on the screen.", True)
    teaching: str = _setting(
        "Ask again before a costly move; such matches are unrated.",
        "first",
        choices=tuple(TEACHING),
    )
    tips: bool = _setting("Tips and a guided hand for newcomers to a game.", True)
    coach: bool = _setting("Judge your moves and luck while you play, for the summary.", True)
    keys: Mapping[str, str] = field(
        default_factory=dict, metadata=limits("Other keys, by the name of their command.")
    )

    def with_one(self, name: str, value: Any) -> "Settings":
        return replace(self, **{name: value})


def problem_with(name: str, value: object) -> str:
    """What is wrong with a value for a setting, and what to do; empty if nothing is wrong."""
    known = {each.name: each for each in fields(Settings)}
    if name not in known:
        return f"there is no setting {shown(name)}; choose one of: {', '.join(known)}"
    default = getattr(Settings(), name)
    if isinstance(default, dict):
        fits = isinstance(value, dict) and all(map(_is_short, (*value, *value.values())))
    elif isinstance(default, float):
        fits = type(value) in (int, float)
    elif isinstance(default, str):
        fits = _is_short(value)
    else:
        fits = type(value) is type(default)
    if not fits:
        example = '{ "table.why" = "y" }' if isinstance(default, dict) else _literal(default)
        return f"{name} is {shown(value)}; it takes a value such as {example}"
    return outside(name, value, known[name].metadata)


def _is_short(value: object) -> bool:
    """Whether a value is a text that can be shown."""
    return isinstance(value, str) and len(value) <= _LONGEST_TEXT and is_safe(value)


def check_setting(name: str, value: object) -> None:
    """Raise ValueError for a value that a setting cannot have."""
    if problem := problem_with(name, value):
        raise ValueError(f"{problem}.")


def read_settings(path: Path) -> tuple[Settings, list[str]]:
    """The settings in a file, and what is wrong in it. Missing settings have their defaults."""
    try:
        found = _from_toml(read_bounded(path, _LARGEST).decode())
    except FileNotFoundError:
        return Settings(), []
    except OSError as error:
        return Settings(), [f"the file cannot be read ({reason_of(error)})"]
    except (ValueError, RecursionError, OverflowError) as error:
        return Settings(), [f"the file is broken ({sentence(str(error), 200)})"]
    settings, problems = Settings(), []
    for name, value in found.items():
        if problem := problem_with(name, value):
            problems.append(problem)
            if len(problems) == _MOST_PROBLEMS:
                break
        else:
            settings = settings.with_one(name, float(value) if type(value) is int else value)
    return settings, problems


def _from_toml(text: str) -> dict[str, Any]:
    """Import tomllib only if there is a file to read: it would delay the first screen."""
    import tomllib

    return tomllib.loads(text)


def write_settings(path: Path, settings: Settings) -> str:
    """Save the settings. A broken file is renamed first; returns a sentence about that, or "".

    Raises SettingsError.
    """
    notice = ""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if read_settings(path)[1] and path.is_file():
            aside = unused_path(path.with_name(path.name + _ASIDE))
            os.replace(path, aside)
            notice = f"The broken {path.name} was renamed to {aside.name}."
        write_atomic(path, as_toml(settings).encode())
    except OSError as error:
        raise SettingsError(f"{path} cannot be saved: {reason_of(error)}.") from error
    return notice


def as_toml(settings: Settings) -> str:
    """The contents of the settings file."""
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
    """Simple values are written the same in JSON and TOML, except for one character."""
    import json

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
