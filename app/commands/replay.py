"""`kibitz replay`: steps through a recorded match."""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.commands.common import Ascii, Home, Json
from app.home.locations import Locations, locate
from app.home.output import say
from app.ui.launch import open_app

if TYPE_CHECKING:
    from app.records.journal import Recorded
    from app.study.commentary import Commentary

_STANDARD_INPUT = "-"


def replay(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A journal; - reads it from standard input.")
    ],
    coach: Annotated[
        bool,
        typer.Option(
            "--coach", help="Let the coach examine the match if it has no report: up to minutes."
        ),
    ] = False,
    as_json: Json = False,
    ascii_only: Ascii = False,
    home: Home = None,
) -> None:
    """Step through a recorded match, with what the coach says."""
    locations = locate(home or context.obj)
    recorded = find(file, locations)
    if coach:
        check_coach(recorded)
    if as_json:
        say(json.dumps(summary(recorded, commentary(recorded, locations, coach)), indent=2))
        return
    if file == _STANDARD_INPUT:
        keys_from_terminal()
    raise typer.Exit(open_app(locations, ascii_only, replay=recorded, coach_now=coach))


def check_coach(recorded: "Recorded") -> None:
    """Raises ValueError for a match that the coach cannot examine."""
    if not recorded.setup.persons:
        raise ValueError("Only agents play in this match; the coach judges persons.")
    if not recorded.over:
        raise ValueError("This match is not over; the coach examines finished ones.")


def commentary(recorded: "Recorded", locations: Locations, now: bool) -> "Commentary":
    """What the coach says about a match.

    now   whether it examines the match if there is no report on it. Takes up to minutes
    """
    from app.records.history import History
    from app.study.commentary import kept_commentary, new_commentary
    from app.study.examination import Examination, Findings

    kept = kept_commentary(History(locations.history), recorded)
    if kept.reports or not now:
        return kept
    examination, findings = Examination(recorded.setup), Findings()
    examination.follow(tuple(recorded.past.actions))
    while found := examination.step():
        findings.add(found)
    return new_commentary(recorded, findings)


def find(file: str, locations: Locations) -> "Recorded":
    """Read the journal with this path, or with this name in the home folder."""
    from agents.storage.bounded import Unsuitable, read_stream
    from app.records.journal import LARGEST, JournalError, parse_journal, read_journal

    if file == _STANDARD_INPUT:
        if sys.stdin.isatty():
            raise ValueError(
                "Standard input is empty; give a journal, as in kibitz replay - < FILE."
            )
        try:
            data = read_stream(sys.stdin.fileno(), LARGEST)
        except Unsuitable as unsuitable:
            raise JournalError(
                f"Standard input cannot be read: {unsuitable.strerror}."
            ) from unsuitable
        return parse_journal(data, "standard input")
    path = Path(file)
    from app.records.scorekeeper import find_journal

    kept = find_journal(locations.games, path.name)
    return read_journal(kept if not path.exists() and kept.exists() else path)


def keys_from_terminal() -> None:
    """Connect standard input to the keyboard, after a journal was read from it."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError as error:
        raise ValueError("There is no terminal to show the match on; try --json.") from error
    os.dup2(terminal, sys.stdin.fileno())
    os.close(terminal)


def summary(recorded: "Recorded", coach: "Commentary") -> dict[str, Any]:
    """A match as `kibitz replay --json` prints it."""
    remarks = coach.as_dicts()
    setup, past, state = recorded.setup, recorded.past, recorded.state
    over = recorded.over
    results = state.returns() if over else None
    side_of = {seat: side for side, seats in enumerate(state.sides) for seat in seats}
    return {
        "game": setup.game,
        "options": dict(setup.options),
        "seed": setup.seed,
        "daily": setup.daily or None,
        "started": setup.started,
        "finished": recorded.finished or None,
        "seats": [
            {
                "name": name,
                "player": player,
                "side": side_of[seat],
                "result": results[seat] if results is not None else None,
            }
            for seat, (name, player) in enumerate(zip(setup.names, setup.players, strict=True))
        ],
        "scores": state.scores(),
        "hands": state.hand_no,
        "over": over,
        "assisted": past.assisted,
        "unrated": past.unrated,
        "coach": [
            {
                "seat": report.seat,
                "judge": report.judge,
                "decisions": report.decisions,
                "mattered": report.mattered,
                "error_rate": report.error_rate,
                "waste": report.waste,
                "accuracy": report.accuracy,
                "luck": report.total_luck,
                "deal": coach.deal,
                "adjusted": report.adjusted,
            }
            for report in coach.reports
        ],
        "actions": [
            {"seat": seat, "do": label, **remark}
            for (seat, label), remark in zip(recorded.labels(), remarks, strict=True)
        ],
    }
