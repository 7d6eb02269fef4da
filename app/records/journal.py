"""The text of a journal: the setup of a match, then one line for each action.

The same setup and actions always give the same match. Every line is a JSON object. The first
is the setup. The others are actions (`seat`, `do`), `undo` (how many actions remain), `mark`
(`assisted` or `unrated`), `taken over` (a seat whose agent was replaced by random) or, at the
end, `end`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from agents.plain_text import is_safe, safe_text
from agents.storage.bounded import read_bounded
from agents.storage.files import reason_of
from app.match.past import Past
from app.match.seating import PERSON, Seating, TablePlan, check_names, plan_table
from app.records.times import parse_time
from engine import GAMES
from engine.game import OVER, OptionValue, State
from engine.limits import shown

VERSION: Final = 2
"""Version 1 is from when the same seeds dealt other cards."""
ASSISTED: Final = "assisted"
UNRATED: Final = "unrated"
LARGEST: Final = 4 << 20
"""Bytes. The longest matches take less than a tenth of this."""

_LONGEST_LINE: Final = 1 << 14
_MOST_SEATS: Final = 10
_LONGEST_PLAYER: Final = 500
_LONGEST_LABEL: Final = 200
_MOST_MATCHES: Final = 1_000_000_000


class JournalError(ValueError):
    """A journal that cannot be read; the message is a sentence that names the line."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """The game, options, seed and players of a match.

    first     the seat that starts, if the number of the match decides it
    players   PERSON or the name of an agent, for each seat
    daily     the date of a deal of the day, as in 2026-11-16; empty for other deals
    started   in UTC, in ISO 8601
    teaching  whether costly moves are pointed out
    """

    game: str
    options: Mapping[str, OptionValue]
    seed: int
    first: int | None
    players: tuple[str, ...]
    names: tuple[str, ...]
    match_no: int = 1
    daily: str = ""
    started: str = ""
    teaching: bool = False

    @classmethod
    def of(cls, plan: TablePlan, seed: int, first: int | None, started: str = "") -> "MatchSetup":
        """The setup of a match of this plan."""
        return cls(
            plan.game,
            GAMES[plan.game].make_options(plan.options).as_dict(),
            seed,
            first,
            plan.seats,
            Seating.of(plan).names,
            plan.match_no,
            plan.daily,
            started,
            plan.teaches,
        )

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of persons."""
        return tuple([seat for seat, player in enumerate(self.players) if player == PERSON])

    def plan(self, delay: float) -> TablePlan:
        """A plan for this match. Raises ValueError, for example if an agent does not exist."""
        watch = PERSON not in self.players
        plan = plan_table(self.game, self.players, self.options, delay, self.seed, watch)
        teaching = "on" if self.teaching else "off"
        return replace(
            plan,
            match_no=self.match_no,
            names=self.names,
            daily=self.daily,
            teaching=teaching,
        )

    def deal(self) -> State:
        """The match before the first action."""
        return GAMES[self.game].new(seed=self.seed, deck=None, first=self.first, **self.options)

    def line(self) -> dict[str, Any]:
        seats = [
            {"name": name, "player": player}
            for name, player in zip(self.names, self.players, strict=True)
        ]
        daily: dict[str, Any] = {"daily": self.daily} if self.daily else {}
        teaching = {"teaching": True} if self.teaching else {}
        return {
            "kibitz": VERSION,
            "game": self.game,
            "options": dict(self.options),
            "seed": self.seed,
            "first": self.first,
            "seats": seats,
            "match": self.match_no,
            **daily,
            **teaching,
            "started": self.started,
        }


@dataclass(frozen=True, slots=True)
class Recorded:
    """The contents of a journal.

    state      the match after all its actions
    finished   when it ended, in ISO 8601; empty for an unfinished match
    length     bytes up to the end of the last complete line
    name       of the journal
    """

    setup: MatchSetup
    past: Past
    state: State
    finished: str = ""
    length: int = 0
    name: str = ""

    @property
    def over(self) -> bool:
        return self.state.turn == OVER

    def labels(self) -> list[tuple[int, str]]:
        """The actions as (seat, label)."""
        return labels_of(self.setup.deal(), self.past.actions)


@dataclass(slots=True)
class _Reading:
    """The lines read so far; actions as (line, seat, label)."""

    actions: list[tuple[int, int, str]] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)
    taken_over: list[int] = field(default_factory=list)
    finished: str = ""


def read_journal(path: Path) -> Recorded:
    """Read a journal without changing the file. Raises JournalError."""
    name = safe_text(path.name)
    try:
        data = read_bounded(path, LARGEST)
    except OSError as error:
        raise JournalError(f"{name} cannot be read: {reason_of(error)}.") from error
    return parse_journal(data, name)


def parse_journal(data: bytes, name: str) -> Recorded:
    """Parse and check a journal. An incomplete last line is ignored.

    name   the name of the journal in messages

    Raises only JournalError, whatever the data are.
    """
    try:
        return _parse(data, name)
    except JournalError:
        raise
    except Exception as error:
        raise JournalError(f"{name} makes no sense ({type(error).__name__}).") from error


def _parse(data: bytes, name: str) -> Recorded:
    if len(data) > LARGEST:
        raise JournalError(f"{name} is too large for a journal.")
    lines = _lines(data, name)
    first = next(lines, None)
    if first is None:
        raise JournalError(f"{name} is empty.")
    number, length, line = first
    setup = checked_setup(line, f"{name}, line {number}")
    reading = _Reading()
    for number, end, line in lines:
        if reading.finished:
            raise JournalError(f"{name}, line {number}: the match has already ended.")
        _take_line(reading, line, number, len(setup.players), f"{name}, line {number}")
        length = end
    state = setup.deal()
    actions = [_replay(state, *each, name) for each in reading.actions]
    if reading.finished and state.turn != OVER:
        raise JournalError(f"{name}, line {number}: the match is not over yet.")
    past = Past(
        tuple(actions),
        ASSISTED in reading.marks,
        UNRATED in reading.marks,
        tuple(reading.taken_over),
    )
    return Recorded(setup, past, state, reading.finished, length, name)


def _lines(data: bytes, name: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The lines with their numbers and the position of the byte after each."""
    last = data.rstrip().rfind(b"\n") + 1
    start, number = 0, 0
    while start < len(data):
        number += 1
        end = data.find(b"\n", start) + 1 or len(data)
        piece, begins, start = data[start:end], start, end
        if not piece.strip():
            continue
        where = f"{name}, line {number}"
        if len(piece) > _LONGEST_LINE:
            raise JournalError(f"{where}: it is too long.")
        try:
            line = json.loads(piece.decode("utf-8-sig" if number == 1 else "utf-8"))
        except (ValueError, RecursionError) as error:
            if begins == last and number > 1:
                return
            raise JournalError(f"{where}: it cannot be read.") from error
        if not isinstance(line, dict):
            raise JournalError(f"{where}: this is not a line of a journal.")
        yield number, end, line


def checked_setup(line: dict[str, Any], where: str) -> MatchSetup:
    """The setup in a line that anyone may have written. Raises JournalError.

    where   how messages name the line
    """
    if "kibitz" not in line:
        raise JournalError(f"{where}: this is not a journal of Kibitz.")
    if line["kibitz"] != VERSION or type(line["kibitz"]) is not int:
        raise JournalError(
            f"{where}: the journal has version {shown(line['kibitz'])}, "
            f"this Kibitz reads version {VERSION}."
        )
    try:
        setup = _setup_of(line)
        check_names(setup.names)
        setup.plan(0.0)
        if setup.first not in (None, (setup.match_no - 1) % len(setup.players)):
            raise ValueError("The match starts with the wrong seat.")
    except (KeyError, TypeError, AttributeError) as error:
        raise JournalError(f"{where}: the setup of the match is incomplete.") from error
    except ValueError as error:
        raise JournalError(f"{where}: {error}") from error
    return setup


def _setup_of(line: dict[str, Any]) -> MatchSetup:
    """Raises KeyError, TypeError or AttributeError if something is missing or has a wrong type."""
    seats = line["seats"]
    setup = MatchSetup(
        game=line["game"],
        options=dict(line["options"].items()),
        seed=line["seed"],
        first=line["first"],
        players=tuple([seat["player"] for seat in seats]),
        names=tuple([seat["name"] for seat in seats]),
        match_no=line["match"],
        daily=line.get("daily", ""),
        started=line["started"],
        teaching=line.get("teaching", False) is True,
    )
    texts = (setup.game, *setup.players, *setup.names, setup.daily, setup.started)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a value is not a text")
    if len(setup.players) > _MOST_SEATS:
        raise ValueError("It has too many seats.")
    for player in setup.players:
        if len(player) > _LONGEST_PLAYER or not is_safe(player):
            raise ValueError("It names a player that cannot be shown.")
    parse_time(setup.started)
    if setup.daily:
        date.fromisoformat(setup.daily)
    numbers = (setup.seed, setup.match_no, 0 if setup.first is None else setup.first)
    if not all(type(number) is int for number in numbers):
        raise TypeError("a value is not a whole number")
    if not 1 <= setup.match_no < _MOST_MATCHES:
        raise ValueError("The number of the match is wrong.")
    return setup


def _take_line(
    reading: _Reading, line: dict[str, Any], number: int, seats: int, where: str
) -> None:
    match line:
        case {"seat": int(seat), "do": str(label)} if len(label) <= _LONGEST_LABEL:
            reading.actions.append((number, seat, label))
        case {"undo": int(left)} if 0 <= left <= len(reading.actions):
            del reading.actions[left:]
            reading.marks.add(UNRATED)
        case {"mark": "assisted" | "unrated" as mark}:
            reading.marks.add(mark)
        case {"taken over": int(seat)} if 0 <= seat < seats:
            reading.taken_over.append(seat)
        case {"end": str(finished)} if _is_time(finished):
            reading.finished = finished
        case _:
            raise JournalError(f"{where}: this is not a line of a journal.")


def _is_time(text: str) -> bool:
    try:
        parse_time(text)
    except ValueError:
        return False
    return True


def _replay(state: State, number: int, seat: int, label: str, name: str) -> int:
    if state.turn == OVER:
        raise JournalError(f"{name}, line {number}: the match is already over.")
    if seat != state.turn:
        raise JournalError(f"{name}, line {number}: it is not the turn of seat {seat}.")
    try:
        action = state.parse(label)
        state.apply(action)
    except ValueError as error:
        raise JournalError(
            f"{name}, line {number}: {shown(label)} is not possible there."
        ) from error
    return action


def labels_of(state: State, actions: Sequence[int]) -> list[tuple[int, str]]:
    """The actions as (seat, label). Plays them on the state."""
    labels = []
    for action in actions:
        labels.append((state.turn, state.label(action)))
        state.apply(action)
    return labels


def lines_of_match(setup: MatchSetup, past: Past, labels: Sequence[tuple[int, str]]) -> list[str]:
    """The lines of a journal for a match in this position."""
    lines = [line_of(setup.line())]
    if past.assisted:
        lines.append(line_of({"mark": ASSISTED}))
    if past.unrated:
        lines.append(line_of({"mark": UNRATED}))
    lines += [line_of({"taken over": seat}) for seat in past.taken_over]
    lines += [line_of({"seat": seat, "do": label}) for seat, label in labels]
    return lines


def line_of(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"
