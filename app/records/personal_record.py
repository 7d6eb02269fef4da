"""A person's wins, streaks and opponents, from the history.

Only matches of one person against agents count. Matches with hints are counted separately.
So are unrated matches: those in which a move was taken back, and those that continue another
match.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import Any

from agents.evaluation.intervals import wilson
from app.match.dealing import daily_seed
from app.records.history import MatchRecord
from engine import GAMES
from engine.manifest import base_game


@dataclass(slots=True)
class Tally:
    """Counts of results. share: wins, with each draw counted as its share."""

    matches: int = 0
    wins: int = 0
    draws: int = 0
    share: float = 0.0

    def count(self, result: float) -> None:
        self.matches += 1
        self.wins += result == 1
        self.draws += 0 < result < 1
        self.share += result

    @property
    def rate(self) -> float:
        return self.share / self.matches if self.matches else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.rate, self.matches)

    def as_dict(self) -> dict[str, Any]:
        counts = {"matches": self.matches, "wins": self.wins, "draws": self.draws}
        if not self.matches:
            return counts | {"win_rate": None, "ci95": None}
        low, high = self.interval
        return counts | {
            "win_rate": round(self.rate, 6),
            "ci95": [round(low, 6), round(high, 6)],
        }


@dataclass(frozen=True, slots=True)
class Streaks:
    """Matches won in a row.

    now    up to the last match; negative for matches lost in a row
    best   the longest streak
    """

    now: int
    best: int

    def words(self) -> str:
        kind = "won" if self.now > 0 else "lost" if self.now < 0 else "drew"
        length = abs(self.now)
        words = f"{kind} the last {length} in a row" if length > 1 else f"{kind} the last one"
        return f"{words}, longest streak {self.best}" if self.best else words


@dataclass(slots=True)
class GameRecord:
    """A person's results in one game.

    streaks     of rated matches; None before the first
    opponents   by the name of the agent, most matches first
    """

    game: str
    rated: Tally = field(default_factory=Tally)
    streaks: Streaks | None = None
    opponents: dict[str, Tally] = field(default_factory=dict)
    assisted: Tally = field(default_factory=Tally)
    unrated: Tally = field(default_factory=Tally)
    equal_share: float = 0.0
    """Of the wins in rated matches, if all sides were equally strong."""

    @property
    def title(self) -> str:
        return GAMES[self.game].title

    @property
    def played(self) -> bool:
        return bool(self.rated.matches or self.assisted.matches or self.unrated.matches)

    def words(self) -> str:
        """`won 3 of 5`; empty before the first rated match."""
        tally = self.rated
        return f"won {tally.wins} of {tally.matches}" if tally.matches else ""

    def as_dict(self) -> dict[str, Any]:
        streaks = self.streaks or Streaks(0, 0)
        return {
            "game": self.game,
            "title": self.title,
            "rated": self.rated.as_dict(),
            "streak": {"current": streaks.now, "longest": streaks.best},
            "opponents": [
                {"agent": name, **tally.as_dict()} for name, tally in self.opponents.items()
            ],
            "assisted": self.assisted.as_dict(),
            "unrated": self.unrated.as_dict(),
        }


def records(matches: Iterable[MatchRecord]) -> list[GameRecord]:
    """The record in every game; variants count for their game. matches: newest first."""
    found = {game: GameRecord(game) for game in GAMES}
    results: dict[str, list[float]] = {game: [] for game in GAMES}
    for match in matches:
        own, game = match.own, base_game(match.game)
        if own is None or game not in found:
            continue
        record = found[game]
        if match.unrated:
            record.unrated.count(own.result)
        elif match.assisted:
            record.assisted.count(own.result)
        else:
            before = record.equal_share * record.rated.matches
            record.rated.count(own.result)
            record.equal_share = (before + 1 / len(match.scores)) / record.rated.matches
            results[game].append(own.result)
            for player in sorted({seat.player for seat in match.opponents}):
                record.opponents.setdefault(player, Tally()).count(own.result)
    for game, record in found.items():
        record.streaks = _streaks(results[game])
        by_matches = sorted(record.opponents.items(), key=lambda each: -each[1].matches)
        record.opponents = dict(by_matches)
    return list(found.values())


def todays_results(matches: Iterable[MatchRecord], day: date) -> dict[str, str]:
    """Your latest result in the deal of this day, such as `won`, by game. matches: newest
    first."""
    results: dict[str, str] = {}
    for match in matches:
        own = match.own
        if own is not None and match.seed == daily_seed(match.game, day):
            results.setdefault(match.game, own.outcome)
    return results


def _streaks(newest_first: Sequence[float]) -> Streaks | None:
    lengths = [(kind, len(list(group))) for kind, group in groupby(newest_first, _kind)]
    if not lengths:
        return None
    kind, length = lengths[0]
    return Streaks(kind * length, max([length for won, length in lengths if won > 0], default=0))


def _kind(result: float) -> int:
    """1 for a match won, -1 for one lost, 0 for a draw."""
    return (result == 1) - (result == 0)
