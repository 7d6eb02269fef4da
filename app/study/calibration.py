"""Fits the calibration of chances to hints on tuning deals.

`python -m app.study.calibration [GAME …]` (`make calibration`) measures hints for `hard` at the
default table of each game and writes the file of `agents.evaluation.calibration`. A game keeps its
chances if their gap is small but for luck. With `--check`, it prints how reliable hints are on
fresh deals, without and with the calibration.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import exp
from typing import Any, Final

from agents.evaluation.calibration import FILE, Calibration, Fitted, calibration, fair, fit
from agents.evaluation.reliability import (
    Asking,
    Prediction,
    predictions,
    reliability,
    reliability_table,
)
from agents.evaluation.series import Conditions
from agents.evaluation.strengths import shift
from agents.odds import log_odds
from agents.seeds import Purpose
from agents.storage.files import write_atomic
from app.home.output import say
from app.match.seating import default_seats, rated_players, seat_count
from app.study.advice import Adviser
from engine import GAMES
from engine.game import View
from engine.manifest import VARIANTS

_SEED: Final = 7
_MATCHES: Final = 250
_PER_MATCH: Final = 2
_PLAYOUTS: Final = 12
_SMALL: Final = 0.02
"""A gap without luck that needs no calibration."""
_FEWER: Final = {"truco": 8, "notty": 6}
"""Playouts of games with long matches."""


def default_agents(game: str) -> list[str]:
    """The agents of the sides at the default table, `hard` for the person."""
    seats = rated_players(default_seats(GAMES[game], seat_count(GAMES[game], {}), False))
    return [seats[side[0]] for side in GAMES[game].new(0, None, None).sides]


def collect(game: str, conditions: Conditions, matches: int = _MATCHES) -> list[Fitted]:
    """Hints for `hard` at the default table, and how they came out."""
    asked: list[float] = []

    def hint(names: Sequence[str], seed: int, view: View, legal: list[int], number: int) -> Any:
        thought = Adviser(game, seed, None).weigh(view, legal, number)
        decision = thought.worth or thought.decision
        asked.append(shift(game, view, decision, names))
        return decision

    agents = default_agents(game)
    matches += -matches % len(agents)
    asking = Asking(hint, _PER_MATCH, _FEWER.get(game, _PLAYOUTS))
    middle = fair(len(agents))
    return [
        Fitted(each.match, log_odds(each.chance) - middle, asked[-1], each.won)
        for each in predictions(game, agents, matches, conditions, asking)
    ]


def calibrated(rows: Sequence[Fitted], trust: Calibration, sides: int) -> Iterator[Prediction]:
    """The predictions with a calibration."""
    for row in rows:
        odds = fair(sides) + trust.slope * row.stated + trust.strengths * row.by
        yield Prediction(1 / (1 + exp(-odds)), row.won, row.match)


def calibrate(game: str, rows: Sequence[Fitted]) -> dict[str, Any]:
    """The entry of a game in the file; empty if its chances need no calibration."""
    sides = len(default_agents(game))
    before = reliability(list(calibrated(rows, Calibration(), sides)))
    if before.beyond <= _SMALL:
        return {}
    trust = fit(rows, sides)
    after = reliability(list(calibrated(rows, trust, sides)))
    return {
        **asdict(trust),
        "hints": len(rows),
        "gap_before": round(before.gap, 4),
        "gap_after": round(after.gap, 4),
    }


def check(games: Sequence[str]) -> None:
    """Print the reliability of hints on fresh deals, without and with the calibration."""
    for game in games:
        agents = default_agents(game)
        rows = collect(game, Conditions(_SEED))
        for trust in (Calibration(), calibration(game)):
            result = reliability(list(calibrated(rows, trust, len(agents))))
            report = {"game": game, "hints": True, "agents": agents, "seed": _SEED}
            report |= {"games": len({row.match for row in rows}), **asdict(result)}
            say(f"{asdict(trust)}\n{reliability_table(report)}")


def write(games: Sequence[str]) -> None:
    """Fit the calibration of these games."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    for game in games:
        entry = calibrate(game, collect(game, Conditions(_SEED, purpose=Purpose.TUNING)))
        found.pop(game, None)
        if entry:
            found[game] = entry
        lines = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(found.items())]
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        write_atomic(FILE, text.encode(), private=False)
        say(f"{game}: {entry or 'no calibration'}")


if __name__ == "__main__":
    words = sys.argv[1:]
    chosen = [word for word in words if word != "--check"] or [*GAMES, *VARIANTS]
    (check if "--check" in words else write)(chosen)
