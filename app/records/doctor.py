"""Looks through the home folder: what is wrong there, and how it can be mended.

Looking changes nothing: tables are not moved aside, the history is looked at in a copy, and
no lock is taken.
"""

import json
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from shutil import copyfile, disk_usage
from typing import Final

from filelock import FileLock, Timeout

from agents.agent import Learner
from agents.registry import agents_for, create
from agents.storage.store import VERSIONS, StoreError, examine
from agents.storage.values_file import Refused
from app.home.locations import Locations
from app.home.settings import read_settings
from app.records.history_file import MIGRATIONS
from app.records.journal import JournalError, read_journal
from app.records.journal_file import SUFFIX
from engine import GAMES

_LEAST_SPACE: Final = 64 << 20
_FRESH: Final = 60.0
"""Seconds in which a temporary file may still be somebody's."""

_ASIDE: Final = re.compile(r"\.(damaged|outdated|replaced|reset)-[0-9TZ]+(-\d+)?$|\.broken(-\d+)?$")
_VERSION: Final = re.compile(rf"\.pkl\.[1-{VERSIONS}]$")
_LOCK: Final = ".lock"


@dataclass(frozen=True, slots=True)
class Problem:
    """wrong, mend: each the end of a sentence that begins with the path, or a sentence."""

    path: Path
    wrong: str
    mend: str

    def words(self) -> str:
        return f"{self.path} {self.wrong}; {self.mend}."


@dataclass(slots=True)
class Findings:
    """
    problems    what does not work as it should
    notes       what else there is to know
    leftovers   files that a killed program left behind and nobody needs
    """

    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    leftovers: list[Path] = field(default_factory=list)

    def add(self, path: Path, wrong: str, mend: str) -> None:
        self.problems.append(Problem(path, wrong, mend))


def examine_home(locations: Locations, now: datetime) -> Findings:
    """now: tells a temporary file that was left behind from one that is being written."""
    findings = Findings()
    if not _look_at_folder(locations.home, findings):
        return findings
    for folder in (locations.qtables, locations.experiments):
        _look_at_tables(folder, findings)
    _look_at_journals(locations.games, findings)
    _look_at_history(locations.history, findings)
    _look_at_settings(locations.settings, findings)
    _look_at_log(locations.log, findings)
    _look_at_courses(locations.courses, findings)
    _look_for_leftovers(locations, now, findings)
    return findings


def remove_leftovers(findings: Findings) -> list[Path]:
    """Those that could be removed; a lock that a window holds stays."""
    removed = []
    for path in findings.leftovers:
        with suppress(OSError, Timeout):
            if path.name.endswith(_LOCK):
                with FileLock(path, timeout=0):
                    path.unlink()
            else:
                path.unlink()
            removed.append(path)
    return removed


# Folders


def _look_at_folder(home: Path, findings: Findings) -> bool:
    """Whether there is anything to look at further."""
    there = next(folder for folder in (home, *home.parents) if os.path.lexists(folder))
    if there != home:
        if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
            findings.add(
                home, f"cannot be made inside {there}", "choose another folder with --home"
            )
        else:
            findings.notes.append(f"{home} is not there yet; the first match makes it.")
        return False
    if not home.is_dir():
        findings.add(home, "is no folder", "move it away, or choose another with --home")
        return False
    if not _usable(home, findings):
        return os.access(home, os.R_OK | os.X_OK)
    free = disk_usage(home).free
    if free < _LEAST_SPACE:
        findings.add(
            home,
            f"is on a disk with only {free >> 20} MB left",
            "make room, or nothing more can be saved",
        )
    return True


def _usable(folder: Path, findings: Findings) -> bool:
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        findings.add(
            folder, "cannot be written to", f"give yourself the right: chmod u+rwx {folder}"
        )
        return False
    if folder.stat().st_mode & 0o022:
        findings.add(folder, "can be written to by others", f"close it: chmod go-w {folder}")
    return True


def _files(folder: Path, findings: Findings) -> list[Path]:
    """What is in a folder of the home folder; nothing if it is not there or cannot be used."""
    if not os.path.lexists(folder):
        return []
    if not folder.is_dir():
        findings.add(folder, "is no folder", "move it away; Kibitz makes a new one")
        return []
    return sorted(folder.iterdir()) if _usable(folder, findings) else []


# What was learned


def _look_at_tables(folder: Path, findings: Findings) -> None:
    tables = 0
    for path in _files(folder, findings):
        if path.name.startswith("."):
            continue
        if aside := _ASIDE.search(path.name):
            _note_aside(path, aside[1], findings)
        elif path.suffix == ".pkl" or _VERSION.search(path.name):
            tables += path.suffix == ".pkl"
            _look_at_table(path, findings)
        else:
            findings.notes.append(f"{path} is none of Kibitz's files.")
    if tables:
        findings.notes.append(f"{folder} holds {tables} table{'s' * (tables > 1)}.")


def _note_aside(path: Path, mark: str | None, findings: Findings) -> None:
    if mark in ("damaged", "replaced"):
        findings.add(
            path,
            f"was set aside because it was {mark}",
            "nobody plays with it: keep it elsewhere or delete it",
        )
    else:
        findings.notes.append(f"{path} lies aside; delete it if you do not want it back.")


def _look_at_table(path: Path, findings: Findings) -> None:
    game, _, rest = path.name.partition(".")
    agent = rest.partition(".pkl")[0]
    if game not in GAMES or agent not in agents_for(game):
        findings.add(path, "belongs to no agent that there is", "move it away")
        return
    learner = create(game, agent)
    if not isinstance(learner, Learner):
        findings.add(path, f"belongs to {agent}, who does not learn", "move it away")
        return
    earlier = _VERSION.search(path.name)
    try:
        examine(path, learner)
    except Refused as refusal:
        if earlier:
            findings.add(path, f"is no good version any more: {refusal}", "delete it")
        else:
            findings.add(
                path,
                f"will not be loaded because {refusal}",
                f"{agent} goes on with an earlier version or with what it came with, and "
                "the file is set aside; delete it to have that now",
            )
    except StoreError as error:
        findings.add(path, f"cannot be used ({str(error).rstrip('.')})", "give yourself the right")


# What was played


def _look_at_journals(folder: Path, findings: Findings) -> None:
    journals = unfinished = torn = 0
    for path in _files(folder, findings):
        if path.name.startswith("."):
            continue
        if path.suffix != SUFFIX:
            findings.notes.append(f"{path} is none of Kibitz's files.")
            continue
        journals += 1
        try:
            recorded = read_journal(path)
            size = path.stat().st_size
        except (JournalError, OSError) as error:
            findings.add(
                path,
                f"cannot be resumed or replayed ({str(error).rstrip('.')})",
                "mend that line, or move the file out of the folder",
            )
            continue
        unfinished += not recorded.over
        torn += recorded.length < size
    if journals:
        findings.notes.append(
            f"{folder} holds {journals} match{'es' * (journals > 1)}, {unfinished} unfinished"
            + f", {torn} with a torn last line that is left out" * (torn > 0)
            + "."
        )


def _look_at_history(path: Path, findings: Findings) -> None:
    for aside in sorted(path.parent.glob(f"{path.name}.*")):
        if (mark := _ASIDE.search(aside.name)) is not None:
            _note_aside(aside, mark[1], findings)
    if not path.exists():
        return
    try:
        version, said = _state_of_database(path)
    except OSError as error:
        findings.add(path, f"cannot be read ({error.strerror})", "give yourself the right")
        return
    except sqlite3.Error as error:
        version, said = 0, str(error)
    if said != "ok":
        findings.add(
            path,
            f"is damaged ({said})",
            "it is set aside and a new history begins when it is next needed; "
            f"sqlite3 {path.name} .recover may save what was in it",
        )
    elif version > len(MIGRATIONS):
        findings.add(path, "was written by a newer Kibitz", "use that one, or another --home")
    elif version < len(MIGRATIONS):
        findings.notes.append(f"{path} is of an earlier Kibitz; it is brought up to date in use.")


def _state_of_database(path: Path) -> tuple[int, str]:
    """The version of its schema and what the check of all its pages says. Even reading would
    write beside the file, so it is a copy that is read."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, path.name)
        copyfile(path, copy)
        with suppress(FileNotFoundError):
            copyfile(f"{path}-wal", f"{copy}-wal")
        with closing(sqlite3.connect(copy)) as database:
            said = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
            return int(database.execute("PRAGMA user_version").fetchone()[0]), str(said)


# The rest


def _look_at_settings(path: Path, findings: Findings) -> None:
    for sentence in read_settings(path)[1]:
        wrong = sentence.replace(f"In {path}, ", "").replace(f"{path} ", "it ")
        about = wrong.rpartition("; ")[0]
        findings.add(path, f"needs mending: {about}", "edit it, or delete it for the defaults")
    for aside in sorted(path.parent.glob(f"{path.name}.*")):
        if _ASIDE.search(aside.name):
            _note_aside(aside, None, findings)


def _look_at_log(path: Path, findings: Findings) -> None:
    _files(path.parent, findings)
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        findings.add(path, "cannot be written to", "delete it; a new one is begun")


def _look_at_courses(folder: Path, findings: Findings) -> None:
    for path in _files(folder, findings):
        if path.name.startswith("."):
            continue
        try:
            bookmark = json.loads(path.read_text(encoding="utf-8"))
            played = bookmark["played"]
        except (OSError, ValueError, LookupError, TypeError):
            findings.add(path, "does not say how far a course came", "delete it")
        else:
            findings.notes.append(f"{path.stem}: a course waits after match {played}.")


def _look_for_leftovers(locations: Locations, now: datetime, findings: Findings) -> None:
    for path in _hidden_files(locations):
        try:
            age = abs(now.timestamp() - path.stat().st_mtime)
        except OSError:
            continue
        of_a_journal = path.name.endswith(SUFFIX + _LOCK)
        if age > _FRESH and (of_a_journal or not path.name.endswith(_LOCK)):
            findings.leftovers.append(path)
            findings.add(path, "was left behind", "delete it, or let kibitz doctor --mend do so")


def _hidden_files(locations: Locations) -> Iterator[Path]:
    """Temporary files and locks; the locks of tables and of the history stay for good."""
    folders = (
        locations.home,
        locations.qtables,
        locations.experiments,
        locations.games,
        locations.exports,
        locations.courses,
    )
    for folder in folders:
        if folder.is_dir():
            yield from sorted(path for path in folder.glob(".*") if path.is_file())
