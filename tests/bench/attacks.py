"""The attacks of `make attack` on files: each is a generator of tries with a seed.

A try is a function without arguments. It returns what it found wrong, or nothing. Errors that are
meant for people (ValueError with a sentence, StoreError) are no fault; all others are.
"""

import hashlib
import json
import os
import pickle
import shutil
import sqlite3
import struct
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from agents.imports.reading import read_file
from agents.plain_text import is_safe
from agents.registry import create
from agents.storage.store import Store, read_values
from agents.storage.values_file import Refused, encode
from app.cli import in_one_line
from app.home.locations import Locations
from app.home.settings import Settings, as_toml, read_settings
from app.lab.course_file import read_course
from app.records.bookmark import read_bookmark
from app.records.doctor import examine_home
from app.records.history import History, MatchRecord, SeatRecord
from app.records.journal import parse_journal, read_journal
from app.records.times import utc_now
from app.ui.screens.tips import SeenTips
from tests.app.journals import keeper_of, recorded_match

Try = Callable[[], str]
ROOT = Path(__file__).parents[2]
LOST = "lost"

NASTY: tuple[object, ...] = (
    None, True, 0.0, -1, 2**31, 2**63, 2**70, 1e308, float("inf"), float("nan"), "", "\x1b]0;x\x07",
    "\u202e", "x" * 5000, [], {}, [[]], "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59-23:59",
    "cmd:touch executed", "../../x", "\ud800", 10**400, "[/x]", "q@/dev/zero", 1j,
)  # fmt: skip


class Fault(Exception):
    """Something that must not happen."""


def for_people(work: Callable[[], object]) -> str:
    """Run some work that may refuse its input. A message must be safe and short."""
    try:
        work()
    except (ValueError, Refused) as error:
        message = in_one_line(error) if isinstance(error, ValueError) else str(error)
        if not is_safe(" ".join(message.split())) and "\x1b" in message:
            raise Fault(f"unsafe message: {message[:80]!r}") from error
        if len(message) > 20_000:
            raise Fault("endless message") from error
    return ""


_INSERTED = (b"\x1b]0;x\x07", b"\0", b"\xff\xfe", b"[" * 3000, b"9" * 5000)


def mutated(data: bytes, rng: Random) -> bytes:
    """A few bytes flipped, replaced, removed, repeated or moved."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(changed) or 1)
        match rng.randrange(5):
            case 0 if changed:
                changed[at] ^= 1 << rng.randrange(8)
            case 1:
                changed[at : at + 1] = rng.randbytes(rng.randrange(1, 9))
            case 2:
                del changed[at : at + rng.randrange(1, 40)]
            case 3:
                part = changed[at : at + rng.randrange(1, 200)]
                changed[at:at] = part * rng.choice((1, 2, 50))
            case _:
                changed[at:at] = rng.choice(
                    (b"\x1b]0;x\x07", b"\0", b"\xff\xfe", b"[" * 3000, b"9" * 5000)
                )
    return bytes(changed)


def twisted(value: object, rng: Random) -> object:
    """Plain data with one value replaced by a nasty one."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        return value | {key: twisted(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], twisted(value[at], rng), *value[at + 1 :]]
    return rng.choice(NASTY)


def as_json(value: object) -> bytes:
    try:
        return json.dumps(value, default=str).encode()
    except ValueError:
        return b"9" * 5000


# Stored files


def journals(rng: Random, folder: Path) -> Iterator[Try]:
    samples = [
        recorded_match(folder / f"{game}{count}", game, count).read_bytes()
        for game in ("euchre", "truco", "notty")
        for count in (8, 10_000)
    ]
    while True:
        data = rng.choice(samples)
        if rng.random() < 0.5:
            lines = data.split(b"\n")
            at = rng.choice((0, rng.randrange(len(lines))))
            with suppress(ValueError):
                lines[at] = as_json(twisted(json.loads(lines[at] or b"{}"), rng))
            data = b"\n".join(lines)
        else:
            data = mutated(data, rng)

        def read(data: bytes = data) -> str:
            return for_people(lambda: parse_journal(data, "journal"))

        yield read


MATCH = MatchRecord(
    "euchre",
    {"players": 3},
    2**80,
    (
        SeatRecord("You", "you", 0, 1.0),
        SeatRecord("West", "hard", 1, 0.0),
        SeatRecord("East", "q", 1, 0.0),
    ),
    (15, 9),
    11,
    "2026-03-01T10:00:00+00:00",
    "2026-03-01T10:20:00+00:00",
)


def history_flips(rng: Random, folder: Path) -> Iterator[Try]:
    """One flipped bit costs at most the rows of its page, and every loss is reported."""
    path = folder / "history.db"
    history = History(path)
    rows = 40
    for number in range(rows):
        history.add_match(replace(MATCH, hands=number))
    history.start_run("truco", "q", 1, {})
    whole = path.read_bytes()

    def flip(at: int, bit: int) -> str:
        for old in folder.glob("history.db*"):
            old.unlink()
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
        again = History(path)
        found = {match.hands for match in again.matches()}
        again.runs("truco", "q")
        again.add_match(MATCH)
        missing = rows - len(found & set(range(rows)))
        if missing > 16 or (missing and not again.notices):
            return LOST
        return ""

    while True:
        yield partial(flip, rng.randrange(len(whole)), rng.randrange(8))


_LITERALS = (
    "0x" + "F" * 9000, "1e999", "nan", "[[1]]", "{a=1}", '"\\u001b"', "1979-05-27", "-1", "''",
)  # fmt: skip


def settings_files(rng: Random, folder: Path) -> Iterator[Try]:
    path = folder / "settings.toml"
    usual = as_toml(Settings(keys={"table.why": "y"})).encode()
    names = [*tomllib.loads(usual.decode()), "other"]

    def read(data: bytes) -> str:
        path.write_bytes(data)
        _, problems = read_settings(path)
        if any(len(each) > 2000 or not is_safe(each) for each in problems):
            raise Fault("unsafe problem")
        return ""

    while True:
        if rng.random() < 0.5:
            literal = rng.choice(
                (
                    "0x" + "F" * 9000,
                    "1e999",
                    "nan",
                    "[[1]]",
                    "{a=1}",
                    '"\\u001b"',
                    "1979-05-27",
                    "-1",
                    "''",
                )
            )
            yield partial(read, f"{rng.choice(names)} = {literal}\n".encode())
        else:
            yield partial(read, mutated(usual, rng))


_HEADER = struct.Struct(">8sH32sQ32s")


def learned_values(rng: Random, folder: Path) -> Iterator[Try]:
    """With a right checksum, so that the contents are reached."""
    path = folder / "truco.q.pkl"
    store = Store(folder)
    learner = create("truco", "q")
    store.save(learner)
    data = {"q": {"a" * 4: [1.0, 2.0]}, "counts": {"updates": 1}, "training": [1, 2.0, []]}
    samples = [path.read_bytes(), encode(data, learner.fingerprint())]

    class Runs:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.system, (f"touch {folder / 'executed'}",)

    hostile = pickle.dumps({"q": Runs()}, 4)

    def load(contents: bytes) -> str:
        path.write_bytes(contents)
        return for_people(lambda: read_values(path, learner))

    while True:
        if rng.random() < 0.1:
            body = mutated(hostile, rng) if rng.random() < 0.5 else hostile
            head = samples[0][: _HEADER.size]
        else:
            sample = rng.choice(samples)
            body, head = mutated(sample[_HEADER.size :], rng), sample[: _HEADER.size]
        magic, version, fingerprint, _, _ = _HEADER.unpack(head)
        digest = hashlib.sha256(body).digest()
        yield partial(load, _HEADER.pack(magic, version, fingerprint, len(body), digest) + body)


def imported_files(rng: Random, folder: Path) -> Iterator[Try]:
    pickled = pickle.dumps(
        {
            "q_table": {(1, 2, True, 1): {"steal": 1.0}},
            "total_actions": 5,
            "exploration_actions": 1,
        },
        4,
    )
    base = folder / "q.sqlite"
    with closing(sqlite3.connect(base)) as database:
        database.execute("CREATE TABLE q_values (state_key TEXT, actions_q_values TEXT)")
        database.execute("INSERT INTO q_values VALUES ('{}', '{}')")
        database.commit()
    samples = [pickled, base.read_bytes()]
    path = folder / "import"

    def read(data: bytes) -> str:
        path.write_bytes(data)
        return for_people(lambda: read_file(path))

    while True:
        yield partial(read, mutated(rng.choice(samples), rng))


def course_files(rng: Random, folder: Path) -> Iterator[Try]:
    path = folder / "course.yaml"
    usual = (
        b"agent_type: q\nepisodes: 10\nopponents: [hard]\nq_params: {alpha: 0.1}\n"
        b"rewards: {match_won: 1}\nevaluation: {points: 1}\ngrid: {values: {alpha: [0.1]}}\n"
    )

    def read(data: bytes) -> str:
        path.write_bytes(data)
        return for_people(lambda: read_course(path))

    while True:
        yield partial(read, mutated(usual, rng))


def small_files(rng: Random, folder: Path) -> Iterator[Try]:
    """Bookmarks and tips."""
    path = folder / "file.json"
    course = {"game": "truco", "agent": "q", "games": 9, "opponents": ["hard"], "programs": True}
    bookmark = {"course": course, "played": 3, "seconds": 1.0, "run": 4, "values_before": "x"}

    def read(data: bytes) -> str:
        path.write_bytes(data)
        read_bookmark(path)
        SeenTips(path).count("truco")
        return ""

    while True:
        yield partial(read, as_json(twisted(bookmark, rng)))
        yield partial(read, mutated(as_json(bookmark), rng))


def special_files(rng: Random, folder: Path) -> Iterator[Try]:
    """Pipes, devices, folders and huge files in every place of the home folder."""
    number = 0

    def put(kind: str, place: Path) -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        match kind:
            case "pipe":
                os.mkfifo(place)
            case "zero":
                place.symlink_to("/dev/zero")
            case "folder":
                place.mkdir()
            case "self":
                place.symlink_to(place)
            case _:
                with place.open("wb") as file:
                    file.truncate(1 << 36)

    def examine(kind: str, name: str, number: int) -> str:
        home = folder / str(number)
        locations = Locations(home)
        put(kind, home / name)
        examine_home(locations, utc_now())
        with suppress(ValueError):
            History(locations.history).matches()
        read_settings(locations.settings)
        keeper_of(home).waiting()
        learner = create("truco", "q")
        with suppress(Exception):
            Store(locations.qtables).load(learner)  # type: ignore[arg-type]
        shutil.rmtree(home)
        return ""

    places = (
        "history.db", "settings.toml", "games/x.jsonl", "qtables/truco.q.pkl", "courses/t.q.json",
        "checkpoints/truco.q.1.json", "tips.json", "log/kibitz.log", "secret",
    )  # fmt: skip
    while True:
        for name in places:
            number += 1
            yield partial(
                examine, rng.choice(("pipe", "zero", "folder", "self", "huge")), name, number
            )


def escapes(rng: Random, folder: Path) -> Iterator[Try]:
    """Escape codes in names of files, seats and players; nothing may print them."""
    codes = ["\x1b]0;x\x07", "\x9b31m", "\u202e", "\x1b[2J", "\u2066", "\r", "\x08"]

    def seat(code: str, part: str, number: int) -> str:
        home = folder / str(number)
        path = recorded_match(home, "truco", 3)
        first, *rest = path.read_text().splitlines()
        setup = json.loads(first)
        setup["seats"][1][part] = f"cmd:a{code}b" if part == "player" else code
        path.write_text("\n".join([json.dumps(setup), *rest, ""]))
        path.rename(path.with_name(f"a{code}.jsonl"))
        found = examine_home(Locations(home), utc_now())
        for recorded in (home / "games").glob("*.jsonl"):
            for_people(lambda recorded=recorded: read_journal(recorded))
        texts = [each.wrong for each in found.problems]
        shutil.rmtree(home)
        if not texts:
            raise Fault("an unsafe journal was accepted")
        if not all(map(is_safe, texts)):
            raise Fault("unsafe text")
        return ""

    number = 0
    while True:
        number += 1
        yield partial(seat, rng.choice(codes), rng.choice(("player", "name")), number)
