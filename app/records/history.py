"""Finished matches, training runs and evaluations, in a database.

Every call accesses the disk; screens make them in threads.
"""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from agents.training_log import CurvePoint
from app.match.seating import PERSON
from app.records.history_file import HistoryError, HistoryFile, utc_now
from engine.game import OptionValue

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
    unrated    a move was taken back, or the match continues another one
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

    # Matches

    def add_match(self, match: MatchRecord) -> int:
        def add(database: sqlite3.Connection) -> int:
            number = _insert(
                database,
                "matches",
                game=match.game,
                options=json.dumps(match.options),
                seed=str(match.seed),
                scores=json.dumps(match.scores),
                hands=match.hands,
                started=match.started,
                finished=match.finished,
                watched=match.watched,
                assisted=match.assisted,
                unrated=match.unrated,
                journal=match.journal,
            )
            for place, seat in enumerate(match.seats):
                database.execute(
                    "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?)", (number, place, *astuple(seat))
                )
            return number

        return self._file.write(add)

    def matches(self, game: str | None = None, limit: int | None = None) -> list[MatchRecord]:
        """Finished matches, newest first."""

        def look(database: sqlite3.Connection) -> list[MatchRecord]:
            chosen = "SELECT * FROM matches WHERE ?1 IS NULL OR game = ?1 ORDER BY id DESC LIMIT ?2"
            limits = (game, -1 if limit is None else limit)
            rows = database.execute(
                f"SELECT chosen.*, seats.* FROM ({chosen}) AS chosen "
                "JOIN seats ON seats.match = chosen.id ORDER BY chosen.id DESC, seat",
                limits,
            )
            return [_match(list(seats)) for _, seats in groupby(rows, lambda row: row["id"])]

        return self._file.read(look, [])

    # Training

    def start_run(self, game: str, agent: str, seed: int, settings: Mapping[str, object]) -> int:
        """Add a run that starts now, and return its number."""
        return self._file.write(
            lambda database: _insert(
                database,
                "runs",
                game=game,
                agent=agent,
                seed=str(seed),
                settings=json.dumps(dict(settings)),
                started=self._now(),
                games=0,
                seconds=0.0,
            )
        )

    def add_points(self, run: int, points: Sequence[CurvePoint]) -> None:
        def add(database: sqlite3.Connection) -> None:
            database.executemany(
                "INSERT INTO points VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (run, point.games, point.against, point.win_rate, point.low, point.high)
                    for point in points
                ],
            )

        self._file.write(add)

    def end_run(self, run: int, games: int, seconds: float, kept: bool) -> None:
        """Record the end of a run. kept: whether what it learned was saved."""

        def end(database: sqlite3.Connection) -> None:
            database.execute(
                "UPDATE runs SET games = ?, seconds = ?, kept = ? WHERE id = ?",
                (games, seconds, kept, run),
            )

        self._file.write(end)

    def runs(self, game: str, agent: str) -> list[RunRecord]:
        """All runs of an agent, oldest first."""

        def look(database: sqlite3.Connection) -> list[RunRecord]:
            rows = database.execute(
                "SELECT * FROM runs WHERE game = ? AND agent = ? ORDER BY id", (game, agent)
            )
            return [_run(row) for row in rows]

        return self._file.read(look, [])

    def curve(self, game: str, agent: str) -> list[CurvePoint]:
        """The learning curve of an agent over all kept runs."""

        def look(database: sqlite3.Connection) -> list[CurvePoint]:
            points = []
            before = 0
            for run, games in database.execute(
                "SELECT id, games FROM runs WHERE game = ? AND agent = ? AND kept ORDER BY id",
                (game, agent),
            ).fetchall():
                for row in database.execute(
                    "SELECT games, against, win_rate, low, high FROM points "
                    "WHERE run = ? ORDER BY rowid",
                    (run,),
                ):
                    played, *rest = row
                    points.append(CurvePoint(before + played, *rest))
                before += games
            return points

        return self._file.read(look, [])

    def points(self, run: int) -> list[CurvePoint]:
        """The measurements of one run, kept or not. Its matches count from 0."""

        def look(database: sqlite3.Connection) -> list[CurvePoint]:
            rows = database.execute(
                "SELECT games, against, win_rate, low, high FROM points "
                "WHERE run = ? ORDER BY rowid",
                (run,),
            )
            return [CurvePoint(*row) for row in rows]

        return self._file.read(look, [])

    def forget(self, game: str, agent: str) -> None:
        """Delete the runs and standings of an agent that was reset. Unfinished runs stay."""

        def forget(database: sqlite3.Connection) -> None:
            of_agent = {"game": game, "agent": agent}
            over = "SELECT id FROM runs WHERE game = :game AND agent = :agent AND kept IS NOT NULL"
            database.execute(f"DELETE FROM points WHERE run IN ({over})", of_agent)
            database.execute(f"DELETE FROM runs WHERE id IN ({over})", of_agent)
            database.execute(
                "DELETE FROM standings WHERE game = :game AND :agent IN (agent, against)", of_agent
            )

        self._file.write(forget)

    def rename(self, game: str, agent: str, new: str) -> None:
        """Give the runs and standings of an agent to its new name."""

        def rename(database: sqlite3.Connection) -> None:
            names = {"game": game, "agent": agent, "new": new}
            database.execute(
                "DELETE FROM standings WHERE game = :game AND :new IN (agent, against)", names
            )
            for table, column in (
                ("runs", "agent"),
                ("standings", "agent"),
                ("standings", "against"),
            ):
                database.execute(
                    f"UPDATE {table} SET {column} = :new WHERE game = :game AND {column} = :agent",
                    names,
                )

        self._file.write(rename)

    # Evaluations

    def add_evaluation(self, game: str, report: Mapping[str, Any]) -> None:
        """Add a report of `evaluate`. Gives an agent a standing if all its rivals had one name."""

        def add(database: sqlite3.Connection) -> None:
            number = _insert(
                database,
                "evaluations",
                game=game,
                finished=self._now(),
                report=json.dumps(dict(report)),
            )
            entries = report["agents"]
            for place, entry in enumerate(entries):
                rivals = {other["agent"] for at, other in enumerate(entries) if at != place}
                if len(rivals) == 1 and entry["agent"] not in rivals:
                    _insert(
                        database,
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

        def add(database: sqlite3.Connection) -> None:
            report = {"training": agent, "points": [asdict(point) for point in points]}
            number = _insert(
                database, "evaluations", game=game, finished=self._now(), report=json.dumps(report)
            )
            for point in points:
                _insert(
                    database,
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

        def look(database: sqlite3.Connection) -> Standing | None:
            row = database.execute(
                "SELECT win_rate, low, high, games FROM standings "
                "WHERE game = ? AND agent = ? AND against = ? ORDER BY evaluation DESC LIMIT 1",
                (game, agent, against),
            ).fetchone()
            return Standing(*row) if row else None

        return self._file.read(look, None)

    def _now(self) -> str:
        return self._clock().isoformat(timespec="seconds")


def _insert(database: sqlite3.Connection, table: str, **values: object) -> int:
    columns, marks = ", ".join(values), ", ".join(["?"] * len(values))
    cursor = database.execute(
        f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(values.values())
    )
    return cursor.lastrowid or 0


def _match(seats: Sequence[sqlite3.Row]) -> MatchRecord:
    row = seats[0]
    return MatchRecord(
        row["game"],
        json.loads(row["options"]),
        int(row["seed"]),
        tuple(
            [
                SeatRecord(seat["name"], seat["player"], seat["side"], seat["result"])
                for seat in seats
            ]
        ),
        tuple(json.loads(row["scores"])),
        row["hands"],
        row["started"],
        row["finished"],
        bool(row["watched"]),
        bool(row["assisted"]),
        bool(row["unrated"]),
        row["journal"],
        row["id"],
    )


def _run(row: sqlite3.Row) -> RunRecord:
    kept = row["kept"]
    return RunRecord(
        row["id"],
        row["game"],
        row["agent"],
        int(row["seed"]),
        json.loads(row["settings"]),
        row["started"],
        row["games"],
        row["seconds"],
        None if kept is None else bool(kept),
    )
