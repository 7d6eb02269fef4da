"""`kibitz serve`: the app in a browser."""

import sys
from typing import Annotated

import typer

from agents.storage.files import reason_of
from app.commands.common import Home, at_least_one
from app.home.locations import locate
from app.home.log import open_log
from app.home.output import say


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8000,
    visitors: Annotated[int, typer.Option(help="The largest number of visitors at a time.")] = 20,
    idle: Annotated[
        float, typer.Option(help="Minutes without a key before a visitor is disconnected.")
    ] = 30,
    per_address: Annotated[
        int, typer.Option(help="The largest number of visitors from one address.")
    ] = 8,
    home: Home = None,
) -> None:
    """Serve the app to browsers; each visitor has separate files."""
    locations = locate(home or context.obj)
    at_least_one("--visitors", visitors)
    at_least_one("--per-address", per_address)
    if not idle > 0:
        raise ValueError(f"--idle is {idle:g}; give a number of minutes above 0.")
    if not 1 <= port <= 65535:
        raise ValueError(f"--port is {port}; give 1 to 65535.")
    try:
        from app.web.limits import Limits
        from app.web.server import KibitzServer, is_loopback
    except ImportError as error:
        raise ValueError(
            "Serving needs textual-serve; install it with pip install 'kibitz[serve]'."
        ) from error
    locations.prepare()
    open_log(locations.log)
    if not is_loopback(host):
        say(
            f"Warning: anyone who can reach {host}:{port} can play on this machine, "
            "without a password or encryption.",
            file=sys.stderr,
        )
    limits = Limits(visitors, per_address=per_address)
    server = KibitzServer(host, port, locations.home, limits, idle * 60)
    try:
        server.serve()
    except OSError as error:
        raise ValueError(
            f"Kibitz cannot listen on {host}:{port} ({reason_of(error)}); "
            "choose another --host or --port."
        ) from error
