"""`kibitz`, `kibitz play` and `kibitz watch`, which open the app."""

from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from app import __version__
from app.commands.common import (
    Ascii,
    Daily,
    Delay,
    GameName,
    Home,
    Names,
    OptionTexts,
    Seats,
    Seed,
    option_texts,
)
from app.home.locations import Locations, locate
from app.home.output import say
from app.home.settings import check_setting, read_settings
from app.ui.launch import open_app

if TYPE_CHECKING:
    from app.match.seating import TablePlan


def home_screen(
    context: typer.Context,
    home: Home = None,
    ascii_only: Ascii = False,
    delay: Delay = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        say(f"kibitz {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        if delay is not None:
            check_setting("delay", delay)
        raise typer.Exit(open_app(locate(home), ascii_only, delay=delay))
    if home is not None:
        context.obj = home
    _hand_on(context, {"ascii_only": ascii_only or None, "delay": delay})


def _hand_on(context: typer.Context, given: dict[str, object]) -> None:
    """Make options before the name of a command the defaults of its own. Refuse them if it has
    none of that name."""
    name = str(context.invoked_subcommand)
    command = context.command.get_command(context, name)  # type: ignore[attr-defined]
    known = {option.name for option in command.params}
    spelled = {option.name: option.opts[0] for option in context.command.params}
    wanted = {option: value for option, value in given.items() if value is not None}
    for option in wanted:
        if option not in known:
            raise ValueError(f"kibitz {name} has no {spelled[option]}; leave it out.")
    context.default_map = {name: wanted}


def play(
    context: typer.Context,
    game: GameName,
    seats: Seats = None,
    names: Names = None,
    option: OptionTexts = None,
    seed: Seed = None,
    daily: Daily = False,
    delay: Delay = None,
    teach: Annotated[
        bool | None,
        typer.Option(
            "--teach/--no-teach",
            help="Ask again before a costly move; such a match is unrated "
            "(default: in the first matches of a game).",
        ),
    ] = None,
    ascii_only: Ascii = False,
    jsonl: Annotated[
        bool,
        typer.Option(
            "--jsonl", help="Another program plays, with questions and answers as JSON lines."
        ),
    ] = False,
    home: Home = None,
) -> None:
    """Play a game."""
    if daily and seed is not None:
        raise ValueError("The daily deal has its own seed; leave out --seed or --daily.")
    if daily and (seats is not None or names):
        raise ValueError(
            "The daily deal has its own players; leave out --seats, --names or --daily."
        )
    locations = locate(home or context.obj)
    plan = make_plan(locations, game, seats, names, option, seed, delay, watch=False)
    if daily:
        from app.match import dealing
        from engine import GAMES

        known = GAMES[plan.game]
        if known.make_options(plan.options) != known.make_options({}):
            raise ValueError("The daily deal has its own options; leave out --option or --daily.")
        plan = dealing.daily_plan(plan, datetime.now(UTC).date())
    if teach is not None:
        plan = replace(plan, teaching="always" if teach else "never")
    if jsonl:
        if teach:
            raise ValueError("--teach is for people at a table; leave out --jsonl or --teach.")
        from app.commands.line_play import play_by_lines

        locations.prepare()
        play_by_lines(plan, locations)
    else:
        raise typer.Exit(open_app(locations, ascii_only, plan=plan, delay=delay))


def watch(
    context: typer.Context,
    game: GameName,
    seats: Seats = None,
    names: Names = None,
    option: OptionTexts = None,
    seed: Seed = None,
    delay: Delay = None,
    matches: Annotated[
        int | None,
        typer.Option(help="Stop after so many matches (default: go on until you leave)."),
    ] = None,
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Watch agents play, match after match, with a running score."""
    locations = locate(home or context.obj)
    plan = make_plan(
        locations, game, seats, names, option, seed, delay, watch=True, matches=matches
    )
    raise typer.Exit(open_app(locations, ascii_only, plan=plan, delay=delay))


def make_plan(
    locations: Locations,
    game: str,
    seats: str | None,
    names: list[str] | None,
    options: list[str] | None,
    seed: int | None,
    delay: float | None,
    watch: bool,
    matches: int | None = None,
) -> "TablePlan":
    from agents.registry import check_name
    from agents.storage.store import Store
    from app.match.seating import MATCHED, PERSON, find_game, parse_seats, plan_table

    texts = option_texts(options or [])
    found = find_game(game, texts)
    if names and any(option.name == "players" for option in fields(found.options)):
        texts.setdefault("players", str(len(names)))
    if delay is None:
        delay = read_settings(locations.settings)[0].delay
    plan = plan_table(
        found.name,
        parse_seats(seats) if seats is not None else None,
        found.parse_options(texts),
        delay,
        seed,
        watch,
        names or (),
        matches,
    )
    if MATCHED in plan.seats:
        from app.records.history import History
        from app.records.matched import seated

        plan = seated(plan, History(locations.history))
    store = Store(locations.qtables)
    for name in plan.seats:
        if name != PERSON:
            check_name(plan.game, name, store)
    return replace(plan, programs=True)
