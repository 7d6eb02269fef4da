"""The deal of the day: the same match for everyone, and what agents score in it.

Everyone plays the same deals from the same seat against the same agents, which never change by
playing. Par is the mean of what several agents score in that seat. All of it follows from the date:
whoever wants to can look at the cards first. A result is a matter of honour.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import floor
from typing import Final

from agents.match import Match
from agents.registry import agents_for, make
from agents.storage.store import SHIPPED
from app.match.dealing import daily_plan, daily_seed, initial_state
from app.match.seating import PERSON, TablePlan, plan_table
from app.records.history import MatchRecord
from app.records.practice_rows import Par
from app.study.practice import streak
from engine import GAMES
from engine.manifest import GAME_ROWS

PLAYERS: Final[Sequence[str]] = ("easy", "hard", "search")
"""The agents of par that do not learn, if the game has them."""

LEARNER: Final = "linear"
"""The learner of par, with the values that come with the program. It only adds numbers in a fixed
order; a network could decide differently on another processor."""

WEEK: Final = 7

_SIGNS: Final = {1: "▲", 0: "=", -1: "▽"}
_PLAIN_SIGNS: Final = {1: "+", 0: "=", -1: "-"}


def daily_table(game: str, day: date, delay: float) -> TablePlan:
    """The table of a deal of the day."""
    return daily_plan(plan_table(game, delay=delay), day)


def par_agents(game: str) -> list[str]:
    """The agents that par is made of, weakest first."""
    known = agents_for(game)
    found = [name for name in PLAYERS if name in known]
    if LEARNER in known and (SHIPPED / f"{game}.{LEARNER}.pkl.gz").exists():
        found.append(LEARNER)
    return found


def score_of_agent(game: str, day: date, agent: str, rotates_start: bool) -> int:
    """What an agent scores in the person's seat of a deal of the day. Takes seconds.

    rotates_start   whether the seat that starts moves on in a series (see `Table`)
    """
    plan = daily_table(game, day, 0.0)
    seat = plan.seats.index(PERSON)
    players = {name: make(game, name) for name in {agent, *plan.seats} - {PERSON}}
    seats = [agent if name == PERSON else name for name in plan.seats]
    seed = daily_seed(game, day)
    state = initial_state(plan, seed, rotates_start)
    match = Match(state, [players[name] for name in seats], seed, played=0)
    match.play_out()
    side = next(at for at, members in enumerate(state.sides) if seat in members)
    return margin(state.scores(), side)


def compute_par(game: str, day: date, program: str, rotates_start: bool) -> Par:
    """Par of a deal of the day. The same everywhere with the same program."""
    margins = {agent: score_of_agent(game, day, agent, rotates_start) for agent in par_agents(game)}
    return Par(game, day, program, margins)


def margin(scores: Sequence[float], side: int) -> int:
    """By how much a side is ahead of the best other side; negative if it is behind. The scores are
    those of the game: points, lives, or minus the cards left."""
    return round(scores[side] - max(each for at, each in enumerate(scores) if at != side))


def mean_of(par: Par) -> int:
    """The mean of what the agents scored, as a whole number; halves count as one."""
    return floor(sum(par.margins.values()) / len(par.margins) + 0.5) if par.margins else 0


@dataclass(frozen=True, slots=True)
class DailyResult:
    """The first finished match of a person at the table of a day; later ones are practice.

    margin     by how much the person's side was ahead
    assisted   a hint was shown, or a move was taken back
    """

    game: str
    day: date
    margin: int
    outcome: str
    assisted: bool = False


def daily_results(matches: Iterable[MatchRecord]) -> dict[tuple[str, date], DailyResult]:
    """By game and day. matches: newest first."""
    found = {}
    for match in matches:
        own = match.own
        if own is None or match.game not in GAME_ROWS:
            continue
        day = datetime.fromisoformat(match.started).astimezone(UTC).date()
        if match.seed == daily_seed(match.game, day) and _at_daily_table(match, day):
            assisted = match.assisted or match.unrated
            ahead = margin(match.scores, own.side)
            # The oldest match comes last.
            found[match.game, day] = DailyResult(match.game, day, ahead, own.outcome, assisted)
    return found


def _at_daily_table(match: MatchRecord, day: date) -> bool:
    plan = daily_table(match.game, day, 0.0)
    options = GAMES[match.game].make_options({}).as_dict()
    return tuple(seat.player for seat in match.seats) == plan.seats and match.options == options


def days_in_a_row(results: Mapping[tuple[str, date], DailyResult], game: str, today: date) -> int:
    """Days in a row with a result in this game."""
    return streak([day for name, day in results if name == game], today)


def week_of(today: date) -> list[date]:
    """The last seven days, today last."""
    return [today - timedelta(back) for back in reversed(range(WEEK))]


def signs(result: DailyResult, par: Par, ascii_only: bool = False) -> str:
    """One sign for each agent of par, the weakest first: ahead of it, equal or behind."""
    marks = _PLAIN_SIGNS if ascii_only else _SIGNS
    compared = [(result.margin > each) - (result.margin < each) for each in par.margins.values()]
    return "".join([marks[each] for each in compared])


def share_line(result: DailyResult, par: Par | None, days: int, ascii_only: bool = False) -> str:
    """A line for others that says nothing about the cards:

    `Kibitz daily 2026-11-18 · Euchre · +3 (par +1) ▲▲▽▲ · streak 4`
    """
    against = f" (par {mean_of(par):+d}) {signs(result, par, ascii_only)}" if par else ""
    parts = [
        f"Kibitz daily {result.day.isoformat()}",
        GAME_ROWS[result.game].title,
        f"{result.margin:+d}{against}",
        *["with hints"] * result.assisted,
        *[f"streak {days}"] * (days > 1),
    ]
    return (" - " if ascii_only else " · ").join(parts)
