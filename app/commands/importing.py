"""`kibitz import`: what the original programs have learned goes on here."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.commands.common import Home, Json
from app.home.locations import locate


def import_table(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="notty_qtable.pkl or q_table.sqlite.")
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help="Set aside what is there, and start from the file.")
    ] = False,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Take over what the original Notty or Euchre program learned.

    The agent q-original of that game learns it in addition to what it knows.
    """
    from agents.imports.convert import take_over
    from agents.imports.originals import read_table
    from agents.storage.store import Store, StoreError

    locations = locate(home or context.obj)
    table = read_table(file)
    locations.prepare()
    store = Store(locations.qtables)
    try:
        learner, aside = take_over(table, store, replace)
    except StoreError as error:
        raise ValueError(str(error)) from error
    if as_json:
        report = {
            "game": table.game,
            "agent": table.agent,
            "situations_in_file": table.found,
            "situations_taken": table.taken,
            "left_out": table.left_out,
            "table_size": learner.stats().table_size,
            "set_aside": str(aside) if aside else None,
            "notices": store.notices,
        }
        print(json.dumps(report, indent=2))
        return
    print(
        f"{table.game} {table.agent}: {table.taken:,} of {table.found:,} situations were taken "
        f"over; it knows {learner.stats().table_size:,} now."
    )
    if table.left_out:
        print(f"The others were left out because {table.left_out}.")
    if aside:
        print(f"What it knew before is kept as {aside.name}.")
    for notice in store.notices:
        print(notice)
