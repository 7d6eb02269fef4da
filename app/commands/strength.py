"""`kibitz evaluate` and `kibitz arena`: who plays how well."""

import json
import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer

from app.commands import completion
from app.commands.common import (
    ClusterAddress,
    GameName,
    Home,
    Json,
    OptionTexts,
    SeriesSeed,
    ThinkingBudget,
    Workers,
    at_least_one,
    option_texts,
    thinking,
    worker_pool,
)
from app.home.locations import Locations, locate

_LONGEST = 30
"""Of a name at the beginning of a line; that of a program may be a whole path."""


def evaluate(
    context: typer.Context,
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT…", help="One for each side.", autocompletion=completion.agents
        ),
    ],
    matches: Annotated[int, typer.Option("--games", help="How many matches in total.")] = 1000,
    seed: SeriesSeed = 0,
    option: OptionTexts = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    budget: ThinkingBudget = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Measure agents: every deal in every assignment of the agents to the sides."""
    from agents.evaluation.evaluation import evaluate as play_series
    from app.match.seating import find_game

    found = find_game(game)
    at_least_one("--games", matches)
    locations = locate(home or context.obj)
    options = found.parse_options(option_texts(option or []))
    with worker_pool(workers, cluster) as (at_once, executor):
        report = play_series(
            found.name,
            agents,
            matches,
            seed,
            options,
            at_once,
            locations.qtables,
            executor,
            progress=None if as_json or not sys.stderr.isatty() else show_progress,
            budget=thinking(budget),
        )
    print(json.dumps(report, indent=2) if as_json else strength_table(report))
    remember(report, locations)


def remember(report: dict[str, Any], locations: Locations) -> None:
    """Keep an evaluation in the history; if that fails, it is only mentioned."""
    from app.records.history import History, HistoryError

    history = History(locations.history)
    try:
        history.add_evaluation(report["game"], report)
    except HistoryError as error:
        print(error, file=sys.stderr)
    for notice in history.notices:
        print(notice, file=sys.stderr)


def arena(
    context: typer.Context,
    game: GameName,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT…]", help="Who meets (default all).", autocompletion=completion.agents
        ),
    ] = None,
    matches: Annotated[int, typer.Option("--games", help="Matches of each pair.")] = 100,
    seed: SeriesSeed = 0,
    option: OptionTexts = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    budget: ThinkingBudget = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Let every agent meet every other: a matrix of results and a rating ladder."""
    from agents.evaluation.arena import arena as meet
    from agents.registry import agents_for
    from app.match.seating import find_game

    found = find_game(game)
    at_least_one("--games", matches)
    names = agents or list(agents_for(found.name))
    options = found.parse_options(option_texts(option or []))
    with worker_pool(workers, cluster) as (at_once, executor):
        pairings, ladder = meet(
            found.name,
            names,
            matches,
            seed,
            options,
            at_once,
            locate(home or context.obj).qtables,
            executor,
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


def show_progress(done: int, total: int) -> None:
    """A line on the terminal that counts up, and is gone when all is done."""
    end = "\r" if done < total else "\r\033[K"
    print(f"{done} of {total} matches", end=end, file=sys.stderr, flush=True)


def strength_table(report: dict[str, Any]) -> str:
    """An evaluation for a person to read."""
    options = " ".join(f"{name}={value}" for name, value in report["options"].items())
    wide = _first_column([entry["agent"] for entry in report["agents"]])
    lines = [
        f"{report['game']} {options}: {report['games']} matches, seed {report['seed']}, "
        f"{report['seconds']:.1f} s, {report['decisions_per_second']:,.0f} decisions/s",
        f"{'agent':<{wide}}{'wins':>8}{'draws':>7}{'win rate':>10}  {'95 % interval':<16}"
        f"{'score':>7}{'place':>7}",
    ]
    for entry in report["agents"]:
        low, high = entry["ci95"]
        lines.append(
            f"{_short(entry['agent'], _LONGEST):<{wide}}{entry['wins']:>8}{entry['draws']:>7}"
            f"{entry['win_rate']:>10.1%}  {f'{low:.1%} – {high:.1%}':<16}"
            f"{entry['mean_score']:>7.2f}{entry['mean_place']:>7.2f}"
        )
    return "\n".join(lines)


def ladder_table(report: dict[str, Any]) -> str:
    """An arena for a person to read: the ladder, and what each scored against each."""
    names = [each["agent"] for each in report["ladder"]]
    wide = _first_column(names)
    heads = "".join(f"{_short(name, 9):>10}" for name in names)
    rates = {(each["first"], each["second"]): each["win_rate"] for each in report["pairings"]}
    lines = [
        f"{report['game']}: {report['games']} matches of each pair, seed {report['seed']}",
        f"{'':<{wide}}{'rating':>8}{heads}",
    ]
    for each in report["ladder"]:
        row = f"{_short(each['agent'], _LONGEST):<{wide}}{each['rating']:>8.1f}"
        for other in names:
            rate = rates.get((each["agent"], other))
            if rate is None and (other, each["agent"]) in rates:
                rate = 1 - rates[other, each["agent"]]
            row += f"{'':>10}" if rate is None else f"{rate:>10.0%}"
        lines.append(row)
    return "\n".join(lines)


def _first_column(names: list[str]) -> int:
    return max(12, *[len(_short(name, _LONGEST)) + 1 for name in names])


def _short(name: str, room: int) -> str:
    """Cut in the middle, since the beginning and the end of a program's name say which it is."""
    if len(name) <= room:
        return name
    kept = room - 1
    return f"{name[: kept - kept * 2 // 3]}…{name[-(kept * 2 // 3) :]}"
