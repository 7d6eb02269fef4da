"""`kibitz`, `kibitz play` and `kibitz watch`: what opens the app."""

import gc
import os
import sys
from dataclasses import fields
from datetime import UTC, datetime
from multiprocessing import resource_tracker
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
    checked_delay,
    option_texts,
)
from app.locations import Locations, locate
from app.logfile import LOG, open_log
from app.settings import read_settings

if TYPE_CHECKING:
    from app.journal import Recorded
    from app.seating import TablePlan

_TURN = 0.001
"""Seconds that a thread in which an agent thinks may keep the others waiting: a key goes
through several hands before it shows, and each may have to wait that long."""


def home_screen(
    context: typer.Context,
    home: Home = None,
    ascii_only: Ascii = False,
    delay: Delay = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"kibitz {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        open_app(locate(home), ascii_only, delay=None if delay is None else checked_delay(delay))
    elif home is not None:
        context.obj = home


def play(
    context: typer.Context,
    game: GameName,
    seats: Seats = None,
    names: Names = None,
    option: OptionTexts = None,
    seed: Seed = None,
    daily: Daily = False,
    delay: Delay = None,
    ascii_only: Ascii = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="A program plays: questions out, answers in, as JSON.")
    ] = False,
    home: Home = None,
) -> None:
    """Play a game."""
    if daily and seed is not None:
        raise ValueError("The daily deal has a seed of its own; leave out --seed or --daily.")
    locations = locate(home or context.obj)
    plan = make_plan(locations, game, seats, names, option, seed, delay, watch=False)
    if daily:
        from app import dealing

        plan = dealing.daily(plan, datetime.now(UTC).date())
    if jsonl:
        from app.line_play import play_by_lines

        locations.prepare()
        play_by_lines(plan, locations)
    else:
        open_app(locations, ascii_only, plan=plan, delay=delay)


def watch(
    context: typer.Context,
    game: GameName,
    seats: Seats = None,
    names: Names = None,
    option: OptionTexts = None,
    seed: Seed = None,
    delay: Delay = None,
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Watch agents play a game."""
    locations = locate(home or context.obj)
    plan = make_plan(locations, game, seats, names, option, seed, delay, watch=True)
    open_app(locations, ascii_only, plan=plan, delay=delay)


def make_plan(
    locations: Locations,
    game: str,
    seats: str | None,
    names: list[str] | None,
    options: list[str] | None,
    seed: int | None,
    delay: float | None,
    watch: bool,
) -> "TablePlan":
    from app.seating import find_game, parse_seats, plan_table

    found = find_game(game)
    texts = option_texts(options or [])
    if names and any(option.name == "players" for option in fields(found.options)):
        texts.setdefault("players", str(len(names)))
    if delay is None:
        delay = read_settings(locations.settings)[0].delay
    return plan_table(
        found.name,
        parse_seats(seats) if seats is not None else None,
        found.parse_options(texts),
        checked_delay(delay),
        seed,
        watch,
        names or (),
    )


def open_app(
    locations: Locations,
    ascii_only: bool,
    plan: "TablePlan | None" = None,
    delay: float | None = None,
    replay: "Recorded | None" = None,
) -> None:
    locations.prepare()
    if "TEXTUAL_DRIVER" not in os.environ and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("Kibitz draws on a whole terminal; run it in one, without redirection.")
    # What is imported stays: looking for garbage in it, now and later, is wasted time.
    gc.disable()
    from app.kibitz import KibitzApp

    gc.freeze()
    gc.enable()
    # Processes can be started while the app runs only if this helper of theirs was before it.
    resource_tracker.ensure_running()
    if "utf" not in (sys.stdout.encoding or "").lower():
        ascii_only = True
    open_log(locations.log)
    LOG.info("Kibitz opens")
    app = KibitzApp(locations, plan, ascii_only, delay, replay=replay)
    sys.setswitchinterval(_TURN)
    try:
        app.run()
    finally:
        app.close_laboratory()
    LOG.info("Kibitz closes")
    if app.return_code:
        raise typer.Exit(2)
