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


def agents(context: typer.Context, incomplete: str) -> list[Offer]:
    """The agents of the game on the line with your named learners; after a mark, the generations
    of a learner.

    The game is among the extra arguments if the line ends with an option without a value.
    """
    from agents.names import MARK, generation_name
    from agents.registry import generations, known_agents
    from agents.storage.store import Store
    from app.home.locations import locate
    from engine import GAMES

    words = [context.params.get("game"), *context.args]
    game = next((word for word in words if word in GAMES), None)
    if game is None:
        return []
    agent, mark, _ = incomplete.partition(MARK)
    store = Store(locate(context.params.get("home")).qtables)
    known = known_agents(game, store)
    if mark and agent in known:
        return [
            (generation_name(agent, matches), f"after {matches:,} matches of training")
            for matches in generations(game, agent, store)
        ]
    return [(spec.name, spec.summary) for spec in known.values()]


def starts(context: typer.Context, incomplete: str) -> list[Offer]:
    """What a training may start from."""
    fixed = [("nothing", "a learner that knows nothing"), ("shipped", "the shipped values")]
    return [*fixed, *agents(context, incomplete)]


def seats(context: typer.Context, incomplete: str) -> list[Offer]:
    """Complete the last of several names separated by commas."""
    last = incomplete.rpartition(",")[2]
    return _after_commas(
        incomplete, [("you", "a person"), ("matched", "an even match"), *agents(context, last)]
    )


def opponents(context: typer.Context, incomplete: str) -> list[Offer]:
    theirs = [("self", "the learner itself"), ("pool", "earlier versions of itself")]
    last = incomplete.rpartition(",")[2]
    return _after_commas(incomplete, [*theirs, *agents(context, last)])


def commands(context: typer.Context) -> list[Offer]:
    root = context.find_root().command
    known = getattr(root, "commands", {})
    return [(name, command.get_short_help_str()) for name, command in known.items()]


def _after_commas(incomplete: str, names: Iterable[Offer]) -> list[Offer]:
    before = incomplete[: incomplete.rfind(",") + 1]
    return [(before + name, summary) for name, summary in names]
