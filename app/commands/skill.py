"""`kibitz skill`: what the coach says about agents of known strength."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from app.commands import completion
from app.commands.common import (
    GameName,
    Home,
    Json,
    OptionTexts,
    SeriesSeed,
    at_least_one,
    option_texts,
)
from app.commands.strength import show_progress
from app.home.locations import locate
from app.home.output import say


def skill(
    context: typer.Context,
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT…", help="At least one for each side.", autocompletion=completion.agents
        ),
    ],
    matches: Annotated[int, typer.Option("--games", help="How many matches in total.")] = 100,
    seed: SeriesSeed = 0,
    judged: Annotated[
        int, typer.Option(help="Decisions of each agent that are judged in a match; 0 for none.")
    ] = 4,
    budget: Annotated[
        int | None,
        typer.Option(help="Sampled deals per decision, of the judge and of agents that search."),
    ] = None,
    playouts: Annotated[int, typer.Option(help="Playouts of each deal, for its luck.")] = 8,
    redeals: Annotated[int, typer.Option(help="Deals with which each deal is compared.")] = 24,
    record: Annotated[
        Path | None,
        typer.Option(help="Keep the outcomes in this file; the same command then continues."),
    ] = None,
    option: OptionTexts = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Let the coach judge agents: their errors and their luck."""
    from agents.storage.store import Store
    from app.match.seating import find_game
    from app.study.luck import Effort
    from app.study.trial import Outcomes, Trial, report, run

    texts = option_texts(option or [])
    found = find_game(game, texts)
    for name, value in (("--games", matches), ("--playouts", playouts), ("--redeals", redeals)):
        at_least_one(name, value)
    if judged < 0:
        raise ValueError(f"--judged is {judged}; give 0 or more.")
    if budget is not None:
        at_least_one("--budget", budget)
    trial = Trial(
        found.name,
        tuple(agents),
        seed,
        found.make_options(found.parse_options(texts)).as_dict(),
        judged,
        budget,
        Effort(playouts, redeals),
    )
    trial.check()
    outcomes = Outcomes(trial, record)
    quiet = as_json or not sys.stderr.isatty()
    store = Store(locate(home or context.obj).qtables)
    run(trial, matches, outcomes, store, (lambda done, total: None) if quiet else show_progress)
    figures = report(trial, outcomes, matches)
    say(json.dumps(figures, indent=2) if as_json else skill_table(figures))


def skill_table(report: dict[str, Any]) -> str:
    """The figures as text."""
    from app.study.skill import level

    lines = [
        f"{report['game']}: {report['games']} matches, seed {report['seed']}",
        f"{'agent':<12}{'error rate':>14}{'waste':>13}  {'':<15}{'accuracy':>8}"
        f"{'result':>14}{'luck':>14}{'adjusted':>14}",
    ]
    for each in report["agents"]:
        rate, waste, word, accuracy = "", "", "", ""
        if "error_rate" in each:
            rate, waste = _both(each["error_rate"], 2), _both(each["waste"], 1)
            word = level(each["waste"][0])
            accuracy = f"{each['accuracy']:.1f}"
        lines.append(
            f"{each['agent']:<12}{rate:>14}{waste:>13}  {word:<15}{accuracy:>8}{_three(each)}"
        )
    lines += [f"{'side ' + str(each['side'] + 1):<64}{_three(each)}" for each in report["sides"]]
    if report["variance_left"] is not None:
        lines.append(f"variance of results left without luck: {report['variance_left']:.0%}")
    if report["correlation_result"] is not None:
        lines.append(
            f"correlation with strength: {report['correlation_result']:.3f} of results, "
            f"{report['correlation_adjusted']:.3f} of luck-adjusted results"
        )
    lines.append(
        "Error rates, results and luck in percentage points of the chance to win; "
        "waste in per cent of what was at stake."
    )
    return "\n".join(lines)


def _three(figures: dict[str, Any]) -> str:
    return "".join([f"{_both(figures[name], 1):>14}" for name in ("result", "luck", "adjusted")])


def _both(figure: tuple[float, float] | None, digits: int) -> str:
    """`12.3 ± 0.4` in percentage points."""
    if figure is None:
        return ""
    mean, reach = figure
    return f"{100 * mean:.{digits}f} ± {100 * reach:.{digits}f}".replace("-", "−")
