"""A person's rating in each game, on the scale of the agents (`agents.evaluation.ratings`).

It is computed from the history: from rated matches of one person with the usual options, without
hints and moves taken back, in which every agent has a rating. Winning or not is a result against
all other sides together, and a partner shares in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from agents.evaluation.ratings import Rival, ladder, rival_of
from agents.evaluation.strengths import STANDARD
from app.match.seating import PERSON
from app.records.glicko import Glicko, Result, updated
from app.records.history import History, HistoryError, MatchRecord
from engine import GAMES
from engine.manifest import base_game

SETTLED: Final = 110.0
"""A rating is provisional while its deviation is larger."""

_UNKNOWN: Final = 350.0
"""The deviation before the first match."""
_OF_95: Final = 1.959964
_FREE: Final = frozenset({"players", "rules"})
"""Options that may differ from the usual ones. `rules` chooses a variant with its own ladder."""


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """The rating after a match, and the match by its journal, or by the time it finished."""

    rating: float
    deviation: float
    match: str

    @property
    def interval(self) -> tuple[float, float]:
        return self.rating - _OF_95 * self.deviation, self.rating + _OF_95 * self.deviation


@dataclass(slots=True)
class PersonalRating:
    """The rating in one game.

    start    before the first match
    points   after each match that counted, oldest first
    """

    game: str
    start: Glicko
    now: Glicko = field(init=False)
    points: list[RatingPoint] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now = self.start

    @property
    def known(self) -> bool:
        """Whether a match has counted."""
        return bool(self.points)

    @property
    def provisional(self) -> bool:
        return self.now.deviation > SETTLED

    def count(self, rival: Rival, score: float, match: str) -> None:
        result = Result(rival.rating, rival.deviation, score, rival.weight)
        self.now = updated(self.now, [result])
        self.points.append(RatingPoint(self.now.rating, self.now.deviation, match))

    def words(self) -> str:
        """`1496`, `1496?` while it is provisional; empty before the first match."""
        return f"{self.now.rating:.0f}{'?' if self.provisional else ''}" if self.known else ""

    def sentence(self) -> str:
        """`rating 1496 (1380–1612) after 24 matches`, with the name of a variant."""
        low, high = self.points[-1].interval
        plural = "" if len(self.points) == 1 else "es"
        variant = f" at {GAMES[self.game].title}" if base_game(self.game) != self.game else ""
        words = f"rating {self.now.rating:.0f} ({low:.0f}–{high:.0f}){variant}"
        kind = ", provisional" if self.provisional else ""
        return f"{words} after {len(self.points)} match{plural}{kind}"

    def change(self, match: str) -> str:
        """What a match changed: `1480 → 1496`; empty if it did not count."""
        at = next((at for at, each in enumerate(self.points) if each.match == match), None)
        if at is None:
            return ""
        before = self.points[at - 1].rating if at else self.start.rating
        return f"{before:.0f} → {self.points[at].rating:.0f}"

    def as_dict(self) -> dict[str, Any]:
        if not self.known:
            return {"points": None, "deviation": None, "ci95": None, "matches": 0}
        low, high = self.points[-1].interval
        return {
            "points": round(self.now.rating, 1),
            "deviation": round(self.now.deviation, 1),
            "ci95": [round(low, 1), round(high, 1)],
            "matches": len(self.points),
            "provisional": self.provisional,
        }


def newcomer(game: str) -> Glicko:
    """Before the first match: halfway between `easy` and `hard`, and nearly anything is
    possible."""
    found = ladder(game)
    known = [found[name].points for name in ("easy", STANDARD) if name in found]
    return Glicko(sum(known) / len(known), _UNKNOWN) if known else Glicko()


def personal_ratings(matches: Iterable[MatchRecord]) -> dict[str, PersonalRating]:
    """The rating in every game that has a match that counts. A variant has its own.

    matches   newest first
    """
    found: dict[str, PersonalRating] = {}
    for match in reversed(list(matches)):
        rival = rival_in(match)
        own = match.own
        if rival is None or own is None:
            continue
        rating = found.setdefault(match.game, PersonalRating(match.game, newcomer(match.game)))
        rating.count(rival, own.result, _key(match))
    return found


def known_ratings(history: History) -> dict[str, PersonalRating]:
    """The ratings from a history; none if it cannot be read."""
    try:
        return personal_ratings(history.matches())
    except HistoryError:
        return {}


def rival_in(match: MatchRecord) -> Rival | None:
    """The rival of the person in a match that counts."""
    own = match.own
    if own is None or match.unrated or match.assisted or not _is_usual(match):
        return None
    players = [seat.player for seat in match.seats]
    sides = tuple(
        [
            tuple([at for at, seat in enumerate(match.seats) if seat.side == side])
            for side in range(len(match.scores))
        ]
    )
    if not all(sides):
        return None
    return rival_of(match.game, players, sides, players.index(PERSON))


def _is_usual(match: MatchRecord) -> bool:
    """Whether the options are those for which the agents were measured, but for the number of
    players: luck decides more of a shorter match."""
    usual = GAMES[match.game].make_options({}).as_dict()
    return all(
        match.options.get(name, value) == value
        for name, value in usual.items()
        if name not in _FREE
    )


def rating_words(history: History, game: str, seed: int) -> str:
    """`Your rating: 1480 → 1496.` for the last match with this seed; empty if it did not count."""
    try:
        matches = history.matches(game)
    except HistoryError:
        return ""
    last = next((match for match in matches if match.seed == seed), None)
    rating = personal_ratings(matches).get(game)
    if last is None or rating is None:
        return ""
    change = rating.change(_key(last))
    return f"Your rating: {change}." if change else ""


def _key(match: MatchRecord) -> str:
    return match.journal or match.finished
