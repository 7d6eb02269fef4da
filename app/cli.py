"""The command line: `kibitz`, `kibitz play GAME`, `kibitz games`, …

Whatever goes wrong is one line on stderr and exit status 2. Nothing that draws is
imported before a screen is opened.
"""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import Field, asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.arguments import TableCommand
from app.locations import Locations, locate

if TYPE_CHECKING:
    from agents.search import Budget
    from app.seating import TablePlan

cli = typer.Typer(
    name="kibitz",
    help="Play card games against agents that learn, watch them play, see what they know.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Home = Annotated[Path | None, typer.Option(help="Folder for your files (default ~/.kibitz).")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII characters.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="See `kibitz games`.")]
Seed = Annotated[int | None, typer.Option(help="The same seed deals the same cards.")]
SeriesSeed = Annotated[int, typer.Option(help="The same seed gives the same result.")]
ThinkingBudget = Annotated[
    int | None,
    typer.Option(
        "--budget", help="Possible deals that agents which look ahead try for each decision."
    ),
]
Workers = Annotated[int, typer.Option(help="How many processes play.")]
Delay = Annotated[float, typer.Option(help="Seconds between the moves of agents, 0 for none.")]
Seats = Annotated[
    str | None,
    typer.Option(help="A player for each seat, such as you,hard,q."),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME…",
        help="A name for each seat, up to the next option. A name such as EASY_1, HARD_2 or "
        "Q_LEARN_1 is played by that agent, any other by a person.",
    ),
]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="Set an option of the game; repeatable."),
]
GAME_OPTIONS = "Options of the game are flags too: --lives 3 is --option lives=3. See kibitz games."


@cli.callback(invoke_without_command=True)
def home_screen(
    context: typer.Context, home: Home = None, ascii_only: Ascii = False, delay: Delay = 1.0
) -> None:
    if context.invoked_subcommand is None:
        open_app(locate(home), ascii_only, delay=checked_delay(delay))
    elif home is not None:
        context.obj = home


@cli.command(cls=TableCommand, epilog=GAME_OPTIONS)
def play(
    context: typer.Context,
    game: GameName,
    seats: Seats = None,
    names: Names = None,
    option: OptionTexts = None,
    seed: Seed = None,
    delay: Delay = 1.0,
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Play a game."""
    open_table(context, game, seats, names, option, seed, delay, ascii_only, home, watch=False)


@cli.command(cls=TableCommand, epilog=GAME_OPTIONS)
def watch(
    context: typer.Context,
    game: GameName,
    seats: Seats = None,
    names: Names = None,
    option: OptionTexts = None,
    seed: Seed = None,
    delay: Delay = 1.0,
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Watch agents play a game."""
    open_table(context, game, seats, names, option, seed, delay, ascii_only, home, watch=True)


@cli.command()
def games(as_json: Json = False, home: Home = None) -> None:
    """List the games, their options and their agents."""
    listing = list_games()
    if as_json:
        print(json.dumps({"games": listing}, indent=2))
        return
    for game in listing:
        print(f"{game['name']}: {game['title']}, for {' or '.join(map(str, game['players']))}")
        for name, about in game["options"].items():
            print(f"  option {name}={about['default']}: {about['help']}")
        print(f"  agents {', '.join(game['agents'])}")


@cli.command()
def paths(context: typer.Context, as_json: Json = False, home: Home = None) -> None:
    """Say where your files are."""
    places = locate(home or context.obj).as_dict()
    if as_json:
        print(json.dumps(places, indent=2))
        return
    for name, place in places.items():
        print(f"{name:<8} {place}")


@cli.command()
def evaluate(
    context: typer.Context,
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT…", help="One for each side.")],
    matches: Annotated[int, typer.Option("--games", help="How many matches in total.")] = 1000,
    seed: SeriesSeed = 0,
    option: OptionTexts = None,
    workers: Workers = 1,
    budget: ThinkingBudget = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Measure agents: every deal in every assignment of the agents to the sides."""
    from agents.evaluation import evaluate as play_series
    from app.seating import find_game

    found = find_game(game)
    at_least_one("--games", matches)
    at_least_one("--workers", workers)
    report = play_series(
        found.name,
        agents,
        matches,
        seed,
        found.parse_options(option_texts(option or [])),
        workers,
        locate(home or context.obj).qtables,
        progress=None if as_json or not sys.stderr.isatty() else show_progress,
        budget=thinking(budget),
    )
    print(json.dumps(report, indent=2) if as_json else strength_table(report))


@cli.command()
def train(
    context: typer.Context,
    game: GameName,
    agent: Annotated[str | None, typer.Option(help="Who learns (default q).")] = None,
    matches: Annotated[int | None, typer.Option("--games", help="How many matches.")] = None,
    seed: Seed = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            help="Who it plays, such as hard,easy; self: itself, as it does if nobody is named; "
            "pool: its earlier selves."
        ),
    ] = None,
    checkpoint: Annotated[
        int | None,
        typer.Option(help="Save after so many matches; it is saved every minute in any case."),
    ] = None,
    option: OptionTexts = None,
    workers: Workers = 1,
    config: Annotated[Path | None, typer.Option(help="A YAML file; flags come before it.")] = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Let a learner play and keep what it learns. Ctrl+C stops and keeps it too; the same
    command given again goes on where it stopped, also after the program was killed."""
    from agents.training import Course
    from app.course_file import CourseFile, read_course
    from app.seating import find_game
    from app.training import run_course, summary

    found = find_game(game)
    file = read_course(config) if config else CourseFile()
    at_least_one("--games", file.episodes if matches is None else matches)
    at_least_one("--workers", workers)
    if checkpoint is not None:
        at_least_one("--checkpoint", checkpoint)
    texts = {name: str(value) for name, value in file.options.items()}
    course = Course(
        found.name,
        agent or file.agent_type,
        file.episodes if matches is None else matches,
        file.seed if seed is None else seed,
        found.parse_options(texts | option_texts(option or [])),
        tuple(
            file.opponents if opponents is None else [name.strip() for name in opponents.split(",")]
        ),
        file.settings(),
        file.rewards,
    )
    report = run_course(
        course,
        locate(home or context.obj),
        workers,
        file.evaluation,
        file.out,
        show_bar=not as_json and sys.stderr.isatty(),
        checkpoint=checkpoint or file.checkpoint,
    )
    print(json.dumps(report, indent=2) if as_json else summary(report))


@cli.command()
def arena(
    context: typer.Context,
    game: GameName,
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="[AGENT…]", help="Who meets (default all).")
    ] = None,
    matches: Annotated[int, typer.Option("--games", help="Matches of each pair.")] = 100,
    seed: SeriesSeed = 0,
    option: OptionTexts = None,
    workers: Workers = 1,
    budget: ThinkingBudget = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Let every agent meet every other: a matrix of results and a rating ladder."""
    from agents.arena import arena as meet
    from agents.registry import agents_for
    from app.seating import find_game

    found = find_game(game)
    at_least_one("--games", matches)
    at_least_one("--workers", workers)
    names = agents or list(agents_for(found.name))
    options = found.parse_options(option_texts(option or []))
    pairings, ladder = meet(
        found.name,
        names,
        matches,
        seed,
        options,
        workers,
        locate(home or context.obj).qtables,
        progress=None if as_json or not sys.stderr.isatty() else show_progress,
        budget=thinking(budget),
    )
    report = {
        "game": found.name,
        "games": matches,
        "seed": seed,
        "options": found.make_options(options).as_dict(),
        "ladder": [asdict(each) for each in ladder],
        "pairings": [asdict(each) for each in pairings],
    }
    print(json.dumps(report, indent=2) if as_json else ladder_table(report))


# What the commands do


def open_table(
    context: typer.Context,
    game: str,
    seats: str | None,
    names: list[str] | None,
    options: list[str] | None,
    seed: int | None,
    delay: float,
    ascii_only: bool,
    home: Path | None,
    watch: bool,
) -> None:
    from app.seating import find_game, parse_seats, plan_table

    found = find_game(game)
    texts = option_texts(options or [])
    if names and any(option.name == "players" for option in fields(found.options)):
        texts.setdefault("players", str(len(names)))
    plan = plan_table(
        found.name,
        parse_seats(seats) if seats is not None else None,
        found.parse_options(texts),
        checked_delay(delay),
        seed,
        watch,
        names or (),
    )
    open_app(locate(home or context.obj), ascii_only, plan=plan, delay=delay)


def open_app(
    locations: Locations, ascii_only: bool, plan: "TablePlan | None" = None, delay: float = 1.0
) -> None:
    locations.prepare()
    if "TEXTUAL_DRIVER" not in os.environ and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("Kibitz draws on a whole terminal; run it in one, without redirection.")
    from app.kibitz import KibitzApp

    if "utf" not in (sys.stdout.encoding or "").lower():
        ascii_only = True
    KibitzApp(locations, plan, ascii_only, delay).run()


def checked_delay(delay: float) -> float:
    if not 0 <= delay <= 60:
        raise ValueError(f"A delay of {delay:g} is not possible; give 0 to 60 seconds.")
    return delay


def option_texts(options: Sequence[str]) -> dict[str, str]:
    """`players=4` and the like as a mapping."""
    texts = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not name.strip() or not equals:
            raise ValueError(f"{option!r} is no option; write it as key=value.")
        texts[name.strip()] = value.strip()
    return texts


def list_games() -> list[dict[str, Any]]:
    """Every game as `kibitz games --json` describes it."""
    from agents.registry import agents_for
    from engine import GAMES

    return [
        {
            "name": game.name,
            "title": game.title,
            "players": list(game.players),
            "options": {each.name: describe_option(each) for each in fields(game.options)},
            "agents": list(agents_for(game.name)),
        }
        for game in GAMES.values()
    ]


def describe_option(option: Field[Any]) -> dict[str, Any]:
    about = {"default": option.default, "help": option.metadata["help"]}
    limits = {name: option.metadata[name] for name in ("choices", "low", "high")}
    return about | {
        name: list(limit) if name == "choices" else limit
        for name, limit in limits.items()
        if limit not in (None, ())
    }


def at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"{name} is {value}; give 1 or more.")


def thinking(worlds: int | None) -> "Budget | None":
    """The budget of agents that look ahead; None leaves each its own."""
    from agents.search import Budget

    if worlds is None:
        return None
    at_least_one("--budget", worlds)
    return Budget(worlds)


def show_progress(done: int, total: int) -> None:
    """A line on the terminal that counts up, and is gone when all is done."""
    end = "\r" if done < total else "\r\033[K"
    print(f"{done} of {total} matches", end=end, file=sys.stderr, flush=True)


def strength_table(report: dict[str, Any]) -> str:
    """An evaluation for a person to read."""
    options = " ".join(f"{name}={value}" for name, value in report["options"].items())
    lines = [
        f"{report['game']} {options}: {report['games']} matches, seed {report['seed']}, "
        f"{report['seconds']:.1f} s, {report['decisions_per_second']:,.0f} decisions/s",
        f"{'agent':<12}{'wins':>8}{'draws':>7}{'win rate':>10}  {'95 % interval':<16}"
        f"{'score':>7}{'place':>7}",
    ]
    for entry in report["agents"]:
        low, high = entry["ci95"]
        lines.append(
            f"{entry['agent']:<12}{entry['wins']:>8}{entry['draws']:>7}"
            f"{entry['win_rate']:>10.1%}  {f'{low:.1%} – {high:.1%}':<16}"
            f"{entry['mean_score']:>7.2f}{entry['mean_place']:>7.2f}"
        )
    return "\n".join(lines)


def ladder_table(report: dict[str, Any]) -> str:
    """An arena for a person to read: the ladder, and what each scored against each."""
    names = [each["agent"] for each in report["ladder"]]
    rates = {(each["first"], each["second"]): each["win_rate"] for each in report["pairings"]}
    lines = [
        f"{report['game']}: {report['games']} matches of each pair, seed {report['seed']}",
        f"{'':<12}{'rating':>8}" + "".join(f"{name:>10}" for name in names),
    ]
    for each in report["ladder"]:
        row = f"{each['agent']:<12}{each['rating']:>8.1f}"
        for other in names:
            rate = rates.get((each["agent"], other))
            if rate is None and (other, each["agent"]) in rates:
                rate = 1 - rates[other, each["agent"]]
            row += f"{'':>10}" if rate is None else f"{rate:>10.0%}"
        lines.append(row)
    return "\n".join(lines)


# Errors


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
    return status if isinstance(status, int) else 0


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
    sys.exit(run(sys.argv[1:]))
