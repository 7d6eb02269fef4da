"""`kibitz evaluate` and `kibitz arena`: how strong agents are."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
    option_word,
    thinking,
    worker_pool,
)
from app.home.locations import Locations, locate
from app.home.output import say

if TYPE_CHECKING:
    from agents.evaluation.series import Conditions, Outcome
    from engine.game import Game

_MAX_NAME = 30
"""Characters of a name in the first column. The name of a program may be a whole path."""


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
    record_to: Annotated[
        Path | None,
        typer.Option(
            "--record", help="Write every decision to this .npz file: what was seen and done."
        ),
    ] = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Measure agents, with every deal played in every seating."""
    from agents.evaluation.evaluation import evaluate as play_series
    from agents.evaluation.recording import check_path, write

    locations = locate(home or context.obj)
    with _conditions(
        game, agents or [], matches, seed, option, workers, cluster, budget, as_json, locations
    ) as (
        found,
        conditions,
    ):
        conditions.check_agents(found.name, agents)
        if record_to is not None:
            check_path(record_to)
            conditions = replace(conditions, record=True)
        outcomes: list[Outcome] = []
        matches = rounded(agents, matches)
        report = play_series(found.name, agents, matches, conditions, outcomes.extend)
        if record_to is not None:
            report["recorded"] = write(record_to, outcomes, found.num_actions)
    say(json.dumps(report, indent=2) if as_json else strength_table(report))
    record(report, locations)


def rounded(agents: list[str], matches: int) -> int:
    """Whole rotations of the seats; a message says if that changes `--games`."""
    from agents.evaluation.series import whole_rotations

    whole = whole_rotations(agents, matches)
    if whole != matches:
        say(
            f"--games is {matches}; playing {whole} matches, every deal in every seating.",
            file=sys.stderr,
        )
    return whole


@contextmanager
def _conditions(
    game: str,
    agents: Sequence[str],
    matches: int,
    seed: int,
    option: list[str] | None,
    workers: int | None,
    cluster: str | None,
    budget: int | None,
    as_json: bool,
    locations: Locations,
) -> Iterator[tuple["Game", "Conditions"]]:
    """Check the flags of a command and yield the game and how its matches are played."""
    from agents.evaluation.series import Conditions
    from app.match.seating import find_game

    texts = option_texts(option or [])
    found = find_game(game, texts)
    at_least_one("--games", matches)
    options = found.parse_options(texts)
    quiet = as_json or not sys.stderr.isatty()
    with worker_pool(workers, cluster) as (count, executor):
        yield (
            found,
            Conditions(
                seed,
                options,
                count,
                locations.qtables,
                executor,
                None if quiet else show_progress,
                thinking(budget),
                programs=True,
                salt=_salt(found.name, agents, seed, locations),
            ),
        )


def _salt(game: str, agents: Sequence[str], seed: int, locations: Locations) -> str:
    """The salt of the deals if a program plays, so that it cannot compute them from the seed. It
    is the same for the same home folder and seed."""
    from agents.protocols.program import is_program
    from agents.seeds import evaluation_salt
    from app.home.secret import home_secret

    if not any(map(is_program, agents)):
        return ""
    return evaluation_salt(home_secret(locations), game, seed)


def record(report: dict[str, Any], locations: Locations) -> None:
    """Add an evaluation to the history. Failures are only reported."""
    from app.records.history import History, HistoryError

    history = History(locations.history)
    try:
        history.add_evaluation(report["game"], report)
    except HistoryError as error:
        say(error, file=sys.stderr)
    for notice in history.notices:
        say(notice, file=sys.stderr)


def arena(
    context: typer.Context,
    game: GameName,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT…]",
            help="The agents that meet (default all).",
            autocompletion=completion.agents,
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
    """Let all agents meet: a table of results and a ladder."""
    from agents.evaluation.arena import arena as play_arena
    from agents.registry import agents_for

    locations = locate(home or context.obj)
    with _conditions(
        game, agents or (), matches, seed, option, workers, cluster, budget, as_json, locations
    ) as (
        found,
        conditions,
    ):
        names = agents or list(agents_for(found.name))
        sides = conditions.sides(found.name)
        matches = rounded(names[:1] + ["another"] * (sides - 1), matches)
        pairings, ladder = play_arena(found.name, names, matches, conditions)
    report = {
        "game": found.name,
        "games": matches,
        "seed": seed,
        "options": found.make_options(conditions.options).as_dict(),
        "ladder": [asdict(each) for each in ladder],
        "pairings": [asdict(each) for each in pairings],
    }
    say(json.dumps(report, indent=2) if as_json else ladder_table(report))


def reliability(
    context: typer.Context,
    game: GameName,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT…]",
            help="Whose predictions, then the agents at the other sides (default search and hard).",
            autocompletion=completion.agents,
        ),
    ] = None,
    matches: Annotated[int, typer.Option("--games", help="How many matches.")] = 100,
    hints: Annotated[
        bool,
        typer.Option(
            "--hints", help="The predictions of hints for the first agent (default hard)."
        ),
    ] = False,
    per_match: Annotated[
        int, typer.Option("--per-match", help="Hints in each match, at random moves.")
    ] = 1,
    playouts: Annotated[
        int,
        typer.Option(
            "--playouts",
            help="Play so many matches on from each hint, with new deals, and compare it with "
            "their mean (default: with the match itself).",
        ),
    ] = 0,
    side: Annotated[
        int | None,
        typer.Option(
            "--side", help="The side of the first agent, from 1 on (default each side in turn)."
        ),
    ] = None,
    seed: SeriesSeed = 0,
    option: OptionTexts = None,
    budget: ThinkingBudget = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Compare predicted chances with results. Of moves at 70 %, do 70 % win?"""
    from agents.evaluation import reliability as measured
    from app.study.advice import hinting

    locations = locate(home or context.obj)
    with _conditions(
        game, agents or [], matches, seed, option, 1, None, budget, as_json, locations
    ) as (
        found,
        conditions,
    ):
        sides = conditions.sides(found.name)
        at_least_one("--per-match", per_match)
        if playouts < 0:
            raise ValueError(f"--playouts is {playouts}; choose 0 or more.")
        if side is not None and not 1 <= side <= sides:
            raise ValueError(f"--side {side}: {found.title} has the sides 1 to {sides} here.")
        names = agents or ["hard" if hints else "search", *["hard"] * (sides - 1)]
        asking = measured.Asking(hinting(found.name, thinking(budget)), per_match, playouts)
        predictions = list(
            measured.predictions(
                found.name,
                names,
                matches,
                conditions,
                asking if hints else None,
                None if side is None else side - 1,
            )
        )
    if not predictions:
        raise ValueError(f"{names[0]} does not predict chances at {found.title}.")
    result = measured.reliability(predictions)
    report = {
        "game": found.name,
        "hints": hints,
        "playouts": playouts * hints,
        "agents": names,
        "games": matches,
        "seed": seed,
        "options": found.make_options(conditions.options).as_dict(),
        **asdict(result),
    }
    say(json.dumps(report, indent=2) if as_json else measured.reliability_table(report))


def show_progress(done: int, total: int) -> None:
    """Update a line on the terminal, and clear it when all matches are played."""
    end = "\r" if done < total else "\r\033[K"
    say(f"{done} of {total} matches", end=end, file=sys.stderr)


def strength_table(report: dict[str, Any]) -> str:
    """Return an evaluation as text."""
    options = " ".join(f"{name}={option_word(value)}" for name, value in report["options"].items())
    wide = _first_column([entry["agent"] for entry in report["agents"]])
    learners = any(entry.get("source") for entry in report["agents"])
    lines = [
        f"{report['game']} {options}: {report['games']} matches, seed {report['seed']}, "
        f"{report['seconds']:.1f} s, {report['decisions_per_second']:,.0f} decisions/s",
        f"{'agent':<{wide}}{'wins':>8}{'draws':>7}{'win rate':>10}  {'95 % interval':<16}"
        f"{'score':>7}{'place':>7}  {'learned' if learners else ''}".rstrip(),
    ]
    for entry in report["agents"]:
        low, high = entry["ci95"]
        lines.append(
            f"{_short(entry['agent'], _MAX_NAME):<{wide}}{entry['wins']:>8}{entry['draws']:>7}"
            f"{entry['win_rate']:>10.1%}  {f'{low:.1%} – {high:.1%}':<16}"
            f"{entry['mean_score']:>7.2f}{entry['mean_place']:>7.2f}"
            f"  {entry.get('source') or ''}".rstrip()
        )
    lines += [
        f"{_short(entry['agent'], _MAX_NAME)} failed and lost {entry['failures']} matches: "
        f"{entry['failure']}"
        for entry in report["agents"]
        if entry.get("failures")
    ]
    return "\n".join(lines)


def ladder_table(report: dict[str, Any]) -> str:
    """Return an arena as text: the ladder, and the win rate of each agent against each."""
    names = [each["agent"] for each in report["ladder"]]
    wide = _first_column(names)
    heads = "".join(f"{_short(name, 9):>10}" for name in names)
    rates = {(each["first"], each["second"]): each["win_rate"] for each in report["pairings"]}
    lines = [
        f"{report['game']}: {report['games']} matches of each pair, seed {report['seed']}",
        f"{'':<{wide}}{'rating':>8}{heads}",
    ]
    for each in report["ladder"]:
        row = f"{_short(each['agent'], _MAX_NAME):<{wide}}{each['rating']:>8.1f}"
        for other in names:
            rate = rates.get((each["agent"], other))
            if rate is None and (other, each["agent"]) in rates:
                rate = 1 - rates[other, each["agent"]]
            row += f"{'':>10}" if rate is None else f"{rate:>10.0%}"
        lines.append(f"{row}  {each.get('source') or ''}".rstrip())
    return "\n".join(lines)


def _first_column(names: list[str]) -> int:
    return max(12, *[len(_short(name, _MAX_NAME)) + 1 for name in names])


def _short(name: str, width: int) -> str:
    """Shorten a name in the middle: the start and the end of a command identify it best."""
    if len(name) <= width:
        return name
    kept = width - 1
    return f"{name[: kept - kept * 2 // 3]}…{name[-(kept * 2 // 3) :]}"
