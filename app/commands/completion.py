"""Shell completion of games, agents and commands.

Runs at every press of Tab, so imports are local.
"""

from collections.abc import Iterable

import typer

Offer = tuple[str, str]
"""A word and its description, which some shells show."""


def games() -> list[Offer]:
    from engine import GAMES

    return [(game.name, game.title) for game in GAMES.values()]


def agents(context: typer.Context) -> list[Offer]:
    """The agents of the game on the line.

    The game is among the extra arguments if the line ends with an option without a value.
    """
    from agents.registry import agents_for
    from engine import GAMES

    words = [context.params.get("game"), *context.args]
    game = next((word for word in words if word in GAMES), None)
    return [(spec.name, spec.summary) for spec in agents_for(game).values()] if game else []


def seats(context: typer.Context, incomplete: str) -> list[Offer]:
    """Complete the last of several names separated by commas."""
    return _after_commas(incomplete, [("you", "a person"), *agents(context)])


def opponents(context: typer.Context, incomplete: str) -> list[Offer]:
    theirs = [("self", "the learner itself"), ("pool", "earlier versions of itself")]
    return _after_commas(incomplete, [*theirs, *agents(context)])


def commands(context: typer.Context) -> list[Offer]:
    root = context.find_root().command
    known = getattr(root, "commands", {})
    return [(name, command.get_short_help_str()) for name, command in known.items()]


def _after_commas(incomplete: str, names: Iterable[Offer]) -> list[Offer]:
    before = incomplete[: incomplete.rfind(",") + 1]
    return [(before + name, summary) for name, summary in names]
