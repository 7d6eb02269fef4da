"""Finished matches, training runs and evaluations, in a database.

Every call accesses the disk; screens make them in threads.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from agents.training_log import CurvePoint
from app.match.seating import PERSON
from app.records.history_file import HistoryError, HistoryFile
from app.records.history_rows import TABLES, Row, Rows, unread
from app.records.match_report import MatchReport, report_in, report_row
from app.records.practice_rows import attempt_in, par_in, stored_exercise_in
from app.records.row_values import amount_in, count_in, seed_in, share_in, text_in
from app.records.times import in_iso, parse_time, utc_now
from engine.game import OptionValue
from engine.manifest import GAME_ROWS

__all__ = ["History", "HistoryError", "MatchRecord", "RunRecord", "SeatRecord", "Standing"]


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat of a finished match.

    player   PERSON or the name of an agent
    result   1 for a win, 0 for a loss, a share for a draw
    """

    name: str
    player: str
    side: int
    result: float

    @property
    def outcome(self) -> str:
        """`won`, `lost` or `drawn`."""
        return "won" if self.result == 1 else "lost" if self.result == 0 else "drawn"


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A finished match.

    scores     one for each side
    started, finished
               in UTC, in ISO 8601
    assisted   a hint was shown
    unrated    a move was taken back, costly moves were pointed out, or the match continues
               another one
    journal    the name of its journal; may be empty
    id         0 before it is in the database
    """

    game: str
    options: dict[str, OptionValue]
    seed: int
    seats: tuple[SeatRecord, ...]
    scores: tuple[float, ...]
    hands: int
    started: str
    finished: str
    watched: bool = False
    assisted: bool = False
    unrated: bool = False
    journal: str = ""
    id: int = 0

    @property
    def own(self) -> SeatRecord | None:
        """The seat of the person, if exactly one person played."""
        persons = [seat for seat in self.seats if seat.player == PERSON]
        return persons[0] if len(persons) == 1 else None

    @property
    def opponents(self) -> tuple[SeatRecord, ...]:
        """The seats of the other sides; at a watched table all seats."""
        own = self.own
        return tuple([seat for seat in self.seats if own is None or seat.side != own.side])


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A training run. kept: None while it runs, or if it was killed."""

    id: int
    game: str
    agent: str
    seed: int
    settings: dict[str, Any]
    started: str
    games: int
    seconds: float
    kept: bool | None


class Standing(NamedTuple):
    """The win rate of an agent against another, with its 95 % interval."""

    win_rate: float
    low: float
    high: float
    games: int


class History:
    """The history file. notices: sentences for the person, e.g. that a damaged file was renamed."""

    def __init__(self, path: Path, clock: Callable[[], datetime] = utc_now) -> None:
        self._file = HistoryFile(path, clock)
        self._clock = clock

    @property
    def notices(self) -> list[str]:
        return self._file.notices

    def examine(self) -> tuple[int, int]:
        """Read everything. Returns the number of sound rows, and of damaged ones set aside."""

        def look(rows: Rows) -> tuple[int, int]:
            sound = sum([len(rows.select(table, _READERS[table])) for table in TABLES])
            return sound, len(rows.damaged) + rows.count_damaged()

        return self._file.read(look, (0, 0))

    # Matches

    def add_match(self, match: MatchRecord) -> int:
        return self._file.write(
            lambda rows: rows.insert(
                "matches",
                game=match.game,
                options=json.dumps(match.options),
                seed=match.seed,
                seats=json.dumps([astuple(seat) for seat in match.seats]),
                scores=json.dumps(match.scores),
                hands=match.hands,
                started=match.started,
                finished=match.finished,
                watched=match.watched,
                assisted=match.assisted,
                unrated=match.unrated,
                journal=match.journal,
            )
        )

    def matches(self, game: str | None = None, limit: int | None = None) -> list[MatchRecord]:
        """Finished matches, newest first, of the games that this program knows."""
        equal = {} if game is None else {"game": game}

        def look(rows: Rows) -> list[MatchRecord]:
            found = rows.select("matches", _match, equal, newest_first=True)
            return [match for match in found if match.game in GAME_ROWS][:limit]

        return self._file.read(look, [])

    # Reports

    def add_report(self, report: MatchReport) -> int:
        """Add the coach's report on a person's match. An earlier one on the same seat goes."""

        def add(rows: Rows) -> int:
            rows.delete("reports", journal=report.journal, seat=report.seat)
            return rows.insert("reports", **report_row(report))

        return self._file.write(add)

    def reports(
        self, game: str | None = None, journal: str | None = None, limit: int | None = None
    ) -> list[MatchReport]:
        """Reports on finished matches, newest first, of the games that this program knows.

        journal   only those on the match with this journal
        """
        wanted = {"game": game, "journal": journal}
        equal = {name: value for name, value in wanted.items() if value is not None}

        def look(rows: Rows) -> list[MatchReport]:
            found = rows.select("reports", report_in, equal, newest_first=True)
            return [report for report in found if report.game in GAME_ROWS][:limit]

        return self._file.read(look, [])

    # Training

    def start_run(self, game: str, agent: str, seed: int, settings: Mapping[str, object]) -> int:
        """Add a run that starts now, and return its number."""
        return self._file.write(
            lambda rows: rows.insert(
                "runs",
                game=game,
                agent=agent,
                seed=seed,
                settings=json.dumps(dict(settings)),
                started=self._now(),
                games=0,
                seconds=0.0,
            )
        )

    def add_points(self, run: int, points: Sequence[CurvePoint]) -> None:
        def add(rows: Rows) -> None:
            for point in points:
                rows.insert(
                    "points",
                    run=run,
                    games=point.games,
                    against=point.against,
                    win_rate=point.win_rate,
                    low=point.low,
                    high=point.high,
                )

        self._file.write(add)

    def end_run(self, run: int, games: int, seconds: float, kept: bool) -> None:
        """Record the end of a run. kept: whether what it learned was saved."""

        def end(rows: Rows) -> None:
            for row in rows.select("runs", unread, {"id": run}):
                rows.update("runs", row, games=games, seconds=seconds, kept=kept)

        self._file.write(end)

    def runs(self, game: str, agent: str) -> list[RunRecord]:
        """All runs of an agent, oldest first."""
        return self._file.read(
            lambda rows: rows.select("runs", _run, {"game": game, "agent": agent}), []
        )

    def curve(self, game: str, agent: str) -> list[CurvePoint]:
        """The learning curve of an agent over all kept runs."""

        def look(rows: Rows) -> list[CurvePoint]:
            points = []
            before = 0
            for run in rows.select("runs", _run, {"game": game, "agent": agent}):
                if run.kept:
                    found = rows.select("points", _point, {"run": run.id})
                    points += [replace(each, games=before + each.games) for each in found]
                    before += run.games
            return points

        return self._file.read(look, [])

    def points(self, run: int) -> list[CurvePoint]:
        """The measurements of one run, kept or not. Its matches count from 0."""
        return self._file.read(lambda rows: rows.select("points", _point, {"run": run}), [])

    def forget(self, game: str, agent: str) -> None:
        """Delete the runs and standings of an agent that was reset. Unfinished runs stay."""

        def forget(rows: Rows) -> None:
            for run in rows.select("runs", _run, {"game": game, "agent": agent}):
                if run.kept is not None:
                    rows.delete("points", run=run.id)
                    rows.delete("runs", id=run.id)
            rows.delete("standings", game=game, agent=agent)
            rows.delete("standings", game=game, against=agent)

        self._file.write(forget)

    def rename(self, game: str, agent: str, new: str) -> None:
        """Give the runs and standings of an agent to its new name."""

        def rename(rows: Rows) -> None:
            rows.delete("standings", game=game, agent=new)
            rows.delete("standings", game=game, against=new)
            for table, column in (
                ("runs", "agent"),
                ("standings", "agent"),
                ("standings", "against"),
            ):
                for row in rows.select(table, unread, {"game": game, column: agent}):
                    rows.update(table, row, **{column: new})

        self._file.write(rename)

    # Evaluations

    def add_evaluation(self, game: str, report: Mapping[str, Any]) -> None:
        """Add a report of `evaluate`. Gives an agent a standing if all its rivals had one name."""

        def add(rows: Rows) -> None:
            number = rows.insert(
                "evaluations", game=game, finished=self._now(), report=json.dumps(dict(report))
            )
            entries = report["agents"]
            for place, entry in enumerate(entries):
                rivals = {other["agent"] for at, other in enumerate(entries) if at != place}
                if len(rivals) == 1 and entry["agent"] not in rivals:
                    rows.insert(
                        "standings",
                        evaluation=number,
                        game=game,
                        agent=entry["agent"],
                        against=rivals.pop(),
                        win_rate=entry["win_rate"],
                        low=entry["ci95"][0],
                        high=entry["ci95"][1],
                        games=entry["games"],
                    )

        self._file.write(add)

    def add_standings(self, game: str, agent: str, points: Sequence[CurvePoint]) -> None:
        """Add what a kept training has measured at its end."""

        def add(rows: Rows) -> None:
            report = {"training": agent, "points": [asdict(point) for point in points]}
            number = rows.insert(
                "evaluations", game=game, finished=self._now(), report=json.dumps(report)
            )
            for point in points:
                rows.insert(
                    "standings",
                    evaluation=number,
                    game=game,
                    agent=agent,
                    against=point.against,
                    win_rate=point.win_rate,
                    low=point.low,
                    high=point.high,
                    games=point.measured,
                )

        self._file.write(add)

    def standing(self, game: str, agent: str, against: str) -> Standing | None:
        """The result of the last evaluation of an agent against another."""

        def look(rows: Rows) -> Standing | None:
            equal = {"game": game, "agent": agent, "against": against}
            found = rows.select("standings", _standing, equal, newest_first=True, limit=1)
            return found[0] if found else None

        return self._file.read(look, None)

    def _now(self) -> str:
        return in_iso(self._clock())


# Reading rows. Each function raises an error for a row that makes no sense.


def _match(row: Row) -> MatchRecord:
    options = json.loads(row["options"])
    if not isinstance(options, dict) or not all(
        type(each) in _OPTIONS for each in options.values()
    ):
        raise ValueError("the options are wrong")
    seats = tuple([_seat(*seat) for seat in json.loads(row["seats"])])
    scores = tuple([amount_in(score) for score in json.loads(row["scores"])])
    if not seats or not all(0 <= seat.side < len(scores) for seat in seats):
        raise ValueError("the seats are wrong")
    parse_time(row["started"])
    parse_time(row["finished"])
    return MatchRecord(
        text_in(row["game"]),
        options,
        seed_in(row["seed"]),
        seats,
        scores,
        count_in(row["hands"]),
        row["started"],
        row["finished"],
        bool(row["watched"]),
        bool(row["assisted"]),
        bool(row["unrated"]),
        text_in(row["journal"]),
        row["id"],
    )


def _seat(name: object, player: object, side: object, result: object) -> SeatRecord:
    return SeatRecord(text_in(name), text_in(player), count_in(side), share_in(result))


def _run(row: Row) -> RunRecord:
    settings = json.loads(row["settings"])
    if not isinstance(settings, dict):
        raise ValueError("the settings are wrong")
    parse_time(row["started"])
    return RunRecord(
        row["id"],
        text_in(row["game"]),
        text_in(row["agent"]),
        int(text_in(row["seed"])),
        settings,
        row["started"],
        count_in(row["games"]),
        amount_in(row["seconds"]),
        None if row["kept"] is None else bool(row["kept"]),
    )


def _point(row: Row) -> CurvePoint:
    rate, low, high = _rates(row)
    return CurvePoint(count_in(row["games"]), text_in(row["against"]), rate, low, high)


def _standing(row: Row) -> Standing:
    rate, low, high = _rates(row)
    return Standing(rate, low, high, count_in(row["games"]))


def _rates(row: Row) -> tuple[float, float, float]:
    return share_in(row["win_rate"]), share_in(row["low"]), share_in(row["high"])


_READERS: Final[Mapping[str, Callable[[Row], object]]] = {
    "matches": _match,
    "runs": _run,
    "points": _point,
    "evaluations": unread,
    "standings": _standing,
    "reports": report_in,
    "exercises": stored_exercise_in,
    "answers": attempt_in,
    "par": par_in,
}
_OPTIONS: Final = (int, str, bool)
