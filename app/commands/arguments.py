"""Expands the short forms of arguments for commands that open a table."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from typing import Any

from typer.core import TyperCommand


def expanded(arguments: Sequence[str], options: Collection[str]) -> list[str]:
    """`--names A B` becomes `--names A --names B`, `--lives 3` becomes `--option lives=3`.

    options   the names of all game options
    """
    full: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        flag, equals, value = word.partition("=")
        option = flag.removeprefix("--").replace("-", "_")
        if word == "--":
            return [*full, word, *rest]
        if word == "--names" and rest and not rest[0].startswith("-"):
            while rest and not rest[0].startswith("-"):
                full += [word, rest.pop(0)]
        elif flag.startswith("--") and option in options:
            if not equals and rest and not rest[0].startswith("--"):
                value = rest.pop(0)
            full += ["--option", f"{option}={value}"]
        else:
            full.append(word)
    return full


class TableCommand(TyperCommand):
    """A command that takes game options as flags."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        from engine import GAMES

        options = {option.name for game in GAMES.values() for option in fields(game.options)}
        return super().parse_args(ctx, expanded(args, options))
