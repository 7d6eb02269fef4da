"""`kibitz doctor`: checks the home folder."""

import json
from datetime import UTC, datetime
from typing import Annotated

import typer

from app.commands.common import Home, Json
from app.home.locations import locate
from app.home.output import say


def doctor(
    context: typer.Context,
    mend: Annotated[
        bool, typer.Option("--mend", help="Delete files that a killed program left.")
    ] = False,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Check your files for problems, and show how to repair them."""
    from app.home.settings import read_settings
    from app.records.doctor import examine_home, remove_leftovers

    locations = locate(home or context.obj)
    findings = examine_home(locations, datetime.now(UTC))
    if keys := read_settings(locations.settings)[0].keys:
        from app.ui.screens.command_keys import checked

        for refusal in checked(keys)[1]:
            findings.add(
                locations.settings,
                f"has a key that cannot be used: {refusal}",
                "choose another key in Settings or in the file",
            )
    removed = remove_leftovers(findings) if mend else []
    problems = [each for each in findings.problems if each.path not in removed]
    if as_json:
        report = {
            "home": str(locations.home),
            "well": not problems,
            "problems": [
                {"path": str(each.path), "wrong": each.wrong, "mend": each.repair}
                for each in problems
            ],
            "notes": findings.notes,
            "removed": [str(path) for path in removed],
        }
        say(json.dumps(report, indent=2))
    else:
        for sentence in (
            *findings.notes,
            *[f"{path} was deleted." for path in removed],
            *[each.sentence() for each in problems],
        ):
            say(sentence)
    if problems:
        found = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        raise ValueError(f"{found} in {locations.home}; the list says how to repair each one.")
    if not as_json:
        say(f"No problems in {locations.home}.")
