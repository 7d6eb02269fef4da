"""`kibitz learn`: watch a new learner learn."""

from typing import Annotated

import typer

from app.commands import completion
from app.commands.common import Ascii, Home
from app.home.locations import locate
from app.ui.launch import open_app


def learn(
    context: typer.Context,
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="See kibitz games.", autocompletion=completion.games),
    ] = "euchre",
    agent: Annotated[
        str,
        typer.Option(help="The kind of learner.", autocompletion=completion.agents),
    ] = "neural",
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Watch a new learner that knows nothing learn to play. Your own learners stay as they are."""
    from agents.names import MARK
    from agents.registry import agents_for
    from app.match.seating import find_game

    found = find_game(game)
    if MARK in agent:
        kind = agent.partition(MARK)[0]
        raise ValueError(f"{agent} never learns; give {kind} to see a new one learn.")
    specs = agents_for(found.name)
    learners = [name for name, spec in specs.items() if spec.learns]
    if agent not in specs:
        raise ValueError(f"There is no agent {agent!r}; choose one of: {', '.join(learners)}.")
    if agent not in learners:
        raise ValueError(f"{agent} does not learn; choose one of: {', '.join(learners)}.")
    raise typer.Exit(open_app(locate(home or context.obj), ascii_only, stage=(found.name, agent)))
