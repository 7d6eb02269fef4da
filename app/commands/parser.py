"""The command line: which commands there are, and how errors are told.

Whatever goes wrong is one line on stderr and exit status 2. Nothing that draws is
imported before a screen is opened.
"""

import os
import sys
from collections.abc import Sequence

import typer

from app.commands import listing, strength, tables
from app.commands.arguments import TableCommand
from app.commands.bench import bench
from app.commands.common import GAME_OPTIONS
from app.commands.doctor import doctor
from app.commands.examples import below_help
from app.commands.importing import import_table
from app.commands.manual import manual
from app.commands.replay import replay
from app.commands.serve import serve
from app.commands.stats import stats
from app.commands.train import train

cli = typer.Typer(
    name="kibitz",
    help="Play card games against agents that learn, watch them play, see what they know.",
    epilog=below_help("kibitz"),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "color": False},
)
cli.callback(invoke_without_command=True)(tables.home_screen)
for opens_a_table in (tables.play, tables.watch):
    examples = below_help(opens_a_table.__name__, GAME_OPTIONS)
    cli.command(cls=TableCommand, epilog=examples)(opens_a_table)
for command in (
    train,
    strength.evaluate,
    strength.arena,
    serve,
    stats,
    replay,
    bench,
    listing.games,
    listing.paths,
    doctor,
):
    cli.command(epilog=below_help(command.__name__))(command)
cli.command("import", epilog=below_help("import"))(import_table)
cli.command("help", epilog=below_help("help"))(manual)


def run(arguments: Sequence[str]) -> int:
    """Run a command; its exit status."""
    try:
        status = cli(list(arguments), prog_name="kibitz", standalone_mode=False)
    except KeyboardInterrupt:
        return complain("Interrupted.")
    except typer.Abort:
        return complain("Interrupted.")
    except Exception as error:
        return complain(in_one_line(error))
    return 2 if status else 0


def in_one_line(error: Exception) -> str:
    """What is wrong and what to do. Usage errors know their command; ours are sentences."""
    if hasattr(error, "format_message"):
        sentence = str(error.format_message())
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "kibitz"
        return f"{sentence.rstrip('.')}; see {command} --help."
    if isinstance(error, ValueError):
        return str(error)
    return f"Something went wrong ({type(error).__name__}: {error}); please report it."


def complain(sentence: str) -> int:
    print(" ".join(sentence.split()), file=sys.stderr)
    return 2


def main() -> None:
    """The parser has ways out of its own: for completion, and where nobody reads any more."""
    try:
        status = run(sys.argv[1:])
    except SystemExit as end:
        status = 2 if end.code else 0
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 2
    sys.exit(status)
