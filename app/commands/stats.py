"""`kibitz stats`: your results, and what the learners of a game have learned."""

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.commands import completion
from app.commands.common import Home, Json
from app.home.locations import locate
from app.home.output import say
from engine.manifest import base_game

if TYPE_CHECKING:
    from app.lab.learning_curves import Learned
    from app.records.personal_rating import PersonalRating
    from app.records.personal_record import GameRecord, Tally
    from app.study.skill import GameSkill


def stats(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="Only this game, and how its learners have learned.",
            autocompletion=completion.games,
        ),
    ] = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Show your wins, by game and by agent, and your streaks. Matches with hints and unrated
    matches (with moves taken back, with teaching, or continued from a replay) are separate. For
    one game, also show where each learner started and where it is now."""
    from app.match.seating import find_game
    from app.records.history import History
    from app.records.personal_rating import personal_ratings
    from app.records.personal_record import records
    from app.study.skill import by_game

    locations = locate(home or context.obj)
    chosen = find_game(game).name if game is not None else None
    history = History(locations.history)
    wanted = base_game(chosen) if chosen is not None else None
    matches = history.matches()
    ratings = personal_ratings(matches)
    found = [each for each in records(matches) if wanted in (None, each.game)]
    for notice in history.notices:
        say(notice, file=sys.stderr)
    coached = [each for each in by_game(history.reports()) if wanted in (None, each.game)]
    report: dict[str, Any] = {
        "games": [_with_rating(record, ratings) for record in found],
        "coach": [each.as_dict() for each in coached],
    }
    text = record_table(found, ratings)
    if coached:
        text += f"\n\n{coach_table(coached)}"
    if chosen is not None:
        from agents.storage.store import Store
        from app.lab.learning_curves import learned

        learners = learned(chosen, Store(locations.qtables))
        report["learners"] = [each.as_dict() for each in learners]
        text += f"\n\n{learners_table(learners)}"
    say(json.dumps(report, indent=2) if as_json else text)


def _with_rating(record: "GameRecord", ratings: "Mapping[str, PersonalRating]") -> dict[str, Any]:
    """A record with the rating in this game, and those in its variants."""
    report = record.as_dict()
    own = ratings.get(record.game)
    report["rating"] = own.as_dict() if own else None
    report["variants"] = {
        game: rating.as_dict()
        for game, rating in ratings.items()
        if game != record.game and base_game(game) == record.game
    }
    return report


def learners_table(learners: "list[Learned]") -> str:
    """Win rates of learners before training and now, as a text table."""
    if not learners:
        return "No learner of this game has been measured yet: train one with kibitz train."
    lines = [f"{'':<18}{'matches':>10}{'training':>11}  win rate before training and now"]
    for each in learners:
        minutes = f"{each.log.seconds / 60:,.1f} min"
        rates = [
            f"{rival} {first.win_rate:.0%} → {last.win_rate:.0%} "
            f"({100 * last.low:.0f}–{100 * last.high:.0f})"
            for rival, (first, last) in each.rivals().items()
        ]
        name = f"{each.agent}, {each.source}"
        lines.append(f"{name:<18}{each.log.matches:>10,}{minutes:>11}  {', '.join(rates)}")
    return "\n".join(lines)


def coach_table(found: "list[GameSkill]") -> str:
    """What the coach says about each game, as a text table."""
    lines = [f"{'coach':<24}{'matches':>8}{'error rate':>12}{'accuracy':>10}{'luck':>7}  level"]
    for each in found:
        luck = f"{100 * each.luck:+.0f}".replace("-", "−")
        lines.append(
            f"{each.title:<24}{each.matches:>8}{100 * each.error_rate:>12.2f}"
            f"{each.accuracy:>10.1f}{luck:>7}  {each.level}"
        )
    lines.append("error rate: percentage points lost per decision that mattered")
    return "\n".join(lines)


def record_table(
    found: "list[GameRecord]", ratings: "Mapping[str, PersonalRating] | None" = None
) -> str:
    """The record as a text table."""
    played = [record for record in found if record.played]
    if not played:
        return "No match has been finished yet: play one with kibitz play GAME."
    lines = [f"{'':<24}{'matches':>8}{'won':>6}{'drawn':>7}{'win rate':>10}  95 % interval"]
    for record in played:
        lines.append(_line(record.title, record.rated))
        lines += [_line(f"  against {name}", tally) for name, tally in record.opponents.items()]
        for kind, tally in (("with hints", record.assisted), ("unrated", record.unrated)):
            if tally.matches:
                lines.append(_line(f"  {kind}", tally))
        if record.streaks:
            lines.append(f"  {record.streaks.words()}")
        lines += [
            f"  {rating.sentence()}"
            for game, rating in (ratings or {}).items()
            if base_game(game) == record.game
        ]
    return "\n".join(lines)


def _line(name: str, tally: "Tally") -> str:
    line = f"{name:<24}{tally.matches:>8}{tally.wins:>6}{tally.draws:>7}"
    if not tally.matches:
        return line
    low, high = tally.interval
    return f"{line}{tally.rate:>10.1%}  {low:.1%} – {high:.1%}"
