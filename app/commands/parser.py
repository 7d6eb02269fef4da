"""All commands, for the parser."""

from collections.abc import Sequence

import typer

from app.commands import listing, play, strength
from app.commands.arguments import TableCommand
from app.commands.bench import bench
from app.commands.common import GAME_OPTIONS
from app.commands.daily import daily
from app.commands.doctor import doctor
from app.commands.examples import below_help
from app.commands.exploit import exploit
from app.commands.guide import guide
from app.commands.importing import import_file
from app.commands.learn import learn
from app.commands.learners import learners
from app.commands.manual import manual
from app.commands.practice import practice
from app.commands.replay import replay
from app.commands.serve import serve
from app.commands.skill import skill
from app.commands.stats import stats
from app.commands.train import train

cli = typer.Typer(
    name="kibitz",
    help="Play card games against agents that learn, watch them play, and see what they know.",
    epilog=below_help("kibitz"),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "color": False},
)
cli.callback(invoke_without_command=True)(play.home_screen)
for opens_a_table in (play.play, play.watch):
    examples = below_help(opens_a_table.__name__, GAME_OPTIONS)
    cli.command(cls=TableCommand, epilog=examples)(opens_a_table)
cli.command(cls=TableCommand, epilog=below_help("guide"))(guide)
for command in (
    learn,
    train,
    strength.evaluate,
    strength.arena,
    exploit,
    strength.reliability,
    skill,
    serve,
    stats,
    practice,
    daily,
    replay,
    bench,
    listing.games,
    listing.paths,
    doctor,
):
    cli.command(epilog=below_help(command.__name__))(command)
cli.add_typer(learners, name="learners", epilog=below_help("learners"))
cli.command("import", epilog=below_help("import"))(import_file)
cli.command("help", epilog=below_help("help"))(manual)


def run_command(arguments: Sequence[str]) -> int:
    """Run the command in the arguments and return its exit status."""
    try:
        status = cli(list(arguments), prog_name="kibitz", standalone_mode=False)
    except typer.Abort as abort:
        raise KeyboardInterrupt from abort
    return 2 if status else 0
