"""`kibitz doctor`: whether the home folder is in order."""

import json
from datetime import UTC, datetime
from typing import Annotated

import typer

from app.commands.common import Home, Json
from app.home.locations import locate


def doctor(
    context: typer.Context,
    mend: Annotated[
        bool, typer.Option("--mend", help="Remove what a killed program left behind.")
    ] = False,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Look through your files: what is wrong with them, and how it can be mended."""
    from app.records.doctor import examine_home, remove_leftovers

    locations = locate(home or context.obj)
    findings = examine_home(locations, datetime.now(UTC))
    removed = remove_leftovers(findings) if mend else []
    problems = [each for each in findings.problems if each.path not in removed]
    if as_json:
        report = {
            "home": str(locations.home),
            "well": not problems,
            "problems": [
                {"path": str(each.path), "wrong": each.wrong, "mend": each.mend}
                for each in problems
            ],
            "notes": findings.notes,
            "removed": [str(path) for path in removed],
        }
        print(json.dumps(report, indent=2))
    else:
        for sentence in (
            *findings.notes,
            *[f"{path} was removed." for path in removed],
            *[each.words() for each in problems],
        ):
            print(sentence)
    if problems:
        found = "1 thing is" if len(problems) == 1 else f"{len(problems)} things are"
        raise ValueError(f"{found} wrong in {locations.home}; what to do stands with each.")
    if not as_json:
        print(f"All is well in {locations.home}.")
