"""`kibitz import`: imports what the original programs have learned."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.commands.common import Home, Json
from app.home.locations import locate
from app.home.output import say


def import_file(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="notty_qimported.pkl or q_imported.sqlite.")
    ],
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Set aside what it has learned, and start from the file."),
    ] = False,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Import what the original Notty or Euchre program has learned.

    The agent q-original of that game adds it to what it has learned itself.
    """
    from agents.imports.importing import import_values
    from agents.imports.reading import read_file
    from agents.storage.store import Store, StoreError

    locations = locate(home or context.obj)
    imported = read_file(file)
    locations.prepare()
    store = Store(locations.qtables)
    try:
        learner, aside = import_values(imported, store, replace)
    except StoreError as error:
        raise ValueError(str(error)) from error
    if as_json:
        report = {
            "game": imported.game,
            "agent": imported.agent,
            "situations_in_file": imported.found,
            "situations_taken": imported.taken,
            "left_out": imported.left_out,
            "table_size": learner.stats().table_size,
            "set_aside": str(aside) if aside else None,
            "notices": store.notices,
        }
        say(json.dumps(report, indent=2))
        return
    say(
        f"{imported.game} {imported.agent}: {imported.taken:,} of {imported.found:,} situations "
        f"were imported; it now knows {learner.stats().table_size:,}."
    )
    if imported.left_out:
        say(f"The others were left out because {imported.left_out}.")
    if aside:
        say(f"Its earlier values are kept as {aside.name}.")
    for notice in store.notices:
        say(notice)
