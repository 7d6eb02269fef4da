"""What the Tab key offers: names of games, of agents and of commands.

Called by the shell for every Tab, so that only what is asked about is imported.
"""

from collections.abc import Iterable

import typer

Offer = tuple[str, str]
"""A word, and what it stands for; shells that can show the latter."""


def games() -> list[Offer]:
    from engine import GAMES

    return [(game.name, game.title) for game in GAMES.values()]


def agents(context: typer.Context) -> list[Offer]:
    """Those of the game that stands on the line already; among the words that are left over
    where the line ends with an option that has no value yet."""
    from agents.registry import agents_for
    from engine import GAMES

    words = [context.params.get("game"), *context.args]
    game = next((word for word in words if word in GAMES), None)
    return [(spec.name, spec.summary) for spec in agents_for(game).values()] if game else []


def seats(context: typer.Context, incomplete: str) -> list[Offer]:
    """Names with commas between them: the last one is being typed."""
    return _after_commas(incomplete, [("you", "a person"), *agents(context)])


def opponents(context: typer.Context, incomplete: str) -> list[Offer]:
    theirs = [("self", "the learner itself"), ("pool", "its earlier selves")]
    return _after_commas(incomplete, [*theirs, *agents(context)])


def commands(context: typer.Context) -> list[Offer]:
    root = context.find_root().command
    known = getattr(root, "commands", {})
    return [(name, command.get_short_help_str()) for name, command in known.items()]


def _after_commas(incomplete: str, names: Iterable[Offer]) -> list[Offer]:
    before = incomplete[: incomplete.rfind(",") + 1]
    return [(before + name, summary) for name, summary in names]
