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
        typer.Option(
            help="The kind of learner, or one of your named learners to continue with.",
            autocompletion=completion.agents,
        ),
    ] = "neural",
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Watch a learner that knows nothing learn to play. A named learner learns on instead. Nothing
    is saved unless you say so."""
    from agents.names import MARK, kind_of
    from agents.registry import agents_for, check_name
    from agents.storage.store import Store
    from app.match.seating import find_game

    found = find_game(game)
    if MARK in agent:
        raise ValueError(f"{agent} never learns; give {kind_of(agent)} to see a new one learn.")
    specs = agents_for(found.name)
    learners = [name for name, spec in specs.items() if spec.learns]
    if kind_of(agent) not in specs:
        raise ValueError(f"There is no agent {agent!r}; choose one of: {', '.join(learners)}.")
    if kind_of(agent) not in learners:
        raise ValueError(f"{agent} does not learn; choose one of: {', '.join(learners)}.")
    locations = locate(home or context.obj)
    check_name(found.name, agent, Store(locations.qtables))
    raise typer.Exit(open_app(locations, ascii_only, stage=(found.name, agent)))
