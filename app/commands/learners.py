"""`kibitz learners`: learners with names of their own."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands import completion
from app.commands.common import GameName, Home, Json, Replace
from app.home.locations import Locations, locate
from app.home.output import say

if TYPE_CHECKING:
    from agents.storage.store import Store
    from app.lab.named import NamedLearner
    from app.records.history import History

LearnerName = Annotated[
    str,
    typer.Argument(metavar="LEARNER", help="Such as q:rosa.", autocompletion=completion.agents),
]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="Its new name, such as anna.")]

learners = typer.Typer(rich_markup_mode=None, invoke_without_command=True)


@learners.callback()
def manage(context: typer.Context, home: Home = None) -> None:
    """List, rename, copy, delete, export and import named learners. kibitz train --from creates
    them. Without a command, list all of them."""
    if home is not None:
        context.obj = home
    if context.invoked_subcommand is None:
        list_all(context)


@learners.command("list")
def list_all(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Only this game.", autocompletion=completion.games),
    ] = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """List your named learners."""
    from app.lab.named import named_in
    from app.match.seating import every_game, find_game

    _, store, _ = _files(context, home)
    games = [find_game(game)] if game else every_game()
    found = [each for known in games for each in named_in(known.name, store)]
    if as_json:
        say(json.dumps({"learners": [each.as_dict() for each in found]}, indent=2))
    else:
        say(_table(found))


@learners.command()
def rename(
    context: typer.Context, game: GameName, learner: LearnerName, name: NewName, home: Home = None
) -> None:
    """Rename a learner, with its curve and generations."""
    from app.lab.named import rename as rename_learner

    _, store, history = _files(context, home)
    say(rename_learner(_game(game), learner, name, store, history))


@learners.command()
def copy(
    context: typer.Context, game: GameName, learner: LearnerName, name: NewName, home: Home = None
) -> None:
    """Copy any learner to a new name, with its curve and generations."""
    from app.lab.named import copy as copy_learner

    _, store, _ = _files(context, home)
    say(copy_learner(_game(game), learner, name, store))


@learners.command()
def delete(
    context: typer.Context,
    game: GameName,
    learner: LearnerName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    home: Home = None,
) -> None:
    """Delete a learner with its generations. Asks first."""
    from agents.registry import check_name
    from app.lab.named import delete as delete_learner

    _, store, history = _files(context, home)
    check_name(_game(game), learner, store)
    if not yes and not _confirmed(f"Delete {learner} of {_game(game)}?"):
        say("Nothing was deleted.")
        return
    say(delete_learner(_game(game), learner, store, history))


@learners.command()
def export(
    context: typer.Context,
    game: GameName,
    learner: LearnerName,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Default: a file in your folder exports."),
    ] = None,
    replace: Replace = False,
    home: Home = None,
) -> None:
    """Write a learner to one file: values, settings, rewards, curve and generations."""
    from app.lab.named import export as export_learner
    from app.lab.named import export_path

    locations, store, _ = _files(context, home)
    path = file or export_path(_game(game), learner, locations.exports)
    say(export_learner(_game(game), learner, path, store, replace))


@learners.command("import")
def import_learner(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="From kibitz learners export.")],
    name: Annotated[
        str, typer.Option("--as", metavar="NAME", help="Its name (default: as in the file).")
    ] = "",
    replace: Replace = False,
    home: Home = None,
) -> None:
    """Add the learner in a file to yours. The file is checked first, and it cannot start
    anything."""
    from app.lab.named import import_file

    _, store, _ = _files(context, home)
    game, agent = import_file(file, name, replace, store)
    say(f"{agent} is imported for {game}; use its name wherever an agent is named.")


def _game(name: str) -> str:
    from app.match.seating import find_game

    return find_game(name).name


def _files(context: typer.Context, home: Path | None) -> tuple[Locations, "Store", "History"]:
    from agents.storage.store import Store
    from app.records.history import History

    locations = locate(home or context.obj)
    locations.prepare()
    return locations, Store(locations.qtables), History(locations.history)


def _confirmed(question: str) -> bool:
    """Ask on the terminal. Without one the answer is no."""
    try:
        return typer.confirm(question)
    except typer.Abort:
        return False


def _table(found: "list[NamedLearner]") -> str:
    if not found:
        return (
            "There are no named learners yet; create one, for example with "
            "kibitz train euchre --agent q:rosa --from nothing."
        )
    wide = max(len(each.agent) for each in found) + 2
    first = max(8, *[len(each.game) for each in found]) + 2
    lines = [f"{'':<{first + wide}}{'matches':>10}{'training':>12}  generations"]
    for each in found:
        name = f"{each.game:<{first}}{each.agent:<{wide}}"
        minutes = f"{each.log.seconds / 60:,.1f} min"
        earlier = ", ".join([f"{matches:,}" for matches in each.earlier])
        lines.append(f"{name}{each.log.matches:>10,}{minutes:>12}  {earlier}")
    return "\n".join(lines)
