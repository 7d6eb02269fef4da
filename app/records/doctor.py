"""Checks the home folder for problems and explains how to repair them.

Checking changes nothing: files are not renamed, the history is read from a copy, and no lock
is taken.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from shutil import copyfile, disk_usage
from typing import Final

from filelock import FileLock, Timeout

from agents.agent import Learner
from agents.names import MARK, own_name
from agents.plain_text import sentence
from agents.registry import spec_of
from agents.storage.bounded import check_regular
from agents.storage.files import reason_of
from agents.storage.store import VERSIONS, StoreError, read_values
from agents.storage.values_file import Refused, decode, read_contents
from app.home.locations import Locations
from app.home.settings import read_settings
from app.records.bookmark import read_bookmark
from app.records.history import History, HistoryError
from app.records.history_file import LARGEST
from app.records.journal import JournalError, read_journal
from app.records.journal_file import SUFFIX
from app.records.scorekeeper import ARCHIVE

_LEAST_SPACE: Final = 64 << 20
_FRESH: Final = 60.0
"""Seconds for which a temporary file may still be in use."""

_ASIDE: Final = re.compile(r"\.(damaged|outdated|replaced|reset)-[0-9TZ]+(-\d+)?$|\.broken(-\d+)?$")
_VERSION: Final = re.compile(rf"\.pkl\.[1-{VERSIONS}]$")
_LOCK: Final = ".lock"


@dataclass(frozen=True, slots=True)
class Problem:
    """Together `path wrong; repair` is a sentence."""

    path: Path
    wrong: str
    repair: str

    def sentence(self) -> str:
        return f"{self.path} {self.wrong}; {self.repair}."


@dataclass(slots=True)
class Findings:
    """
    problems    what does not work
    notes       other information
    leftovers   files that a killed program left and that are not needed
    """

    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    leftovers: list[Path] = field(default_factory=list)

    def add(self, path: Path, wrong: str, repair: str) -> None:
        self.problems.append(Problem(path, wrong, repair))


def examine_home(locations: Locations, now: datetime) -> Findings:
    """Check every file. now: temporary files much older than this are leftovers."""
    findings = Findings()
    if not _check_folder(locations.home, findings):
        return findings
    for check, path in (
        (_check_learners, locations.qtables),
        (_check_experiments, locations.experiments),
        (_check_journals, locations.games),
        (_check_history, locations.history),
        (_check_settings, locations.settings),
        (_check_log, locations.log),
        (_check_courses, locations.courses),
        (_check_checkpoints, locations.checkpoints),
    ):
        try:
            check(path, findings)
        except Exception as error:
            reason = sentence(f"{type(error).__name__}: {error}", 200)
            findings.add(path, f"cannot be checked ({reason})", "move it away")
    _find_leftovers(locations, now, findings)
    return findings


def remove_leftovers(findings: Findings) -> list[Path]:
    """Delete the leftovers, and return those that were deleted. Locks in use stay."""
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


def _check_folder(home: Path, findings: Findings) -> bool:
    """Check the folder itself. Returns whether its contents can be checked."""
    there = next(folder for folder in (home, *home.parents) if os.path.lexists(folder))
    if there != home:
        if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
            findings.add(
                home, f"cannot be created inside {there}", "choose another folder with --home"
            )
        else:
            findings.notes.append(f"{home} does not exist yet; the first match creates it.")
        return False
    if not home.is_dir():
        findings.add(home, "is not a folder", "move it away, or choose another with --home")
        return False
    if not _usable(home, findings):
        return os.access(home, os.R_OK | os.X_OK)
    free = disk_usage(home).free
    if free < _LEAST_SPACE:
        findings.add(
            home,
            f"is on a disk with only {free >> 20} MB left",
            "free some space, or nothing more can be saved",
        )
    return True


def _usable(folder: Path, findings: Findings) -> bool:
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        findings.add(
            folder, "cannot be written to", f"give yourself permission: chmod u+rwx {folder}"
        )
        return False
    if folder.stat().st_mode & 0o022:
        findings.add(folder, "can be written to by others", f"forbid it: chmod go-w {folder}")
    return True


def _files(folder: Path, findings: Findings) -> list[Path]:
    """The files in a folder; none if it does not exist or cannot be used."""
    if not os.path.lexists(folder):
        return []
    if not folder.is_dir():
        findings.add(folder, "is not a folder", "move it away; Kibitz creates a new one")
        return []
    return sorted(folder.iterdir()) if _usable(folder, findings) else []


# Learners


def _check_experiments(folder: Path, findings: Findings) -> None:
    _check_learners(folder, findings, experiments=True)


def _check_learners(folder: Path, findings: Findings, experiments: bool = False) -> None:
    """experiments: their learners have other settings and rewards than those of the program, so
    only the files themselves are checked."""
    learners = 0
    for path in _files(folder, findings):
        if path.name.startswith("."):
            continue
        if aside := _ASIDE.search(path.name):
            _note_aside(path, aside[1], findings)
        elif path.suffix == ".pkl" or _VERSION.search(path.name):
            learners += path.suffix == ".pkl" and MARK not in path.name
            if experiments:
                _check_experiment(path, findings)
            else:
                _check_learner(path, findings)
        else:
            findings.notes.append(f"{path} does not belong to Kibitz.")
    if learners:
        findings.notes.append(f"{folder} holds {learners} learner{'s' * (learners > 1)}.")


def _note_aside(path: Path, mark: str | None, findings: Findings) -> None:
    if mark in ("damaged", "replaced"):
        findings.add(
            path,
            f"was renamed because it was {mark}",
            "no agent uses it: move it elsewhere or delete it",
        )
    else:
        findings.notes.append(f"{path} is a backup; delete it if you do not need it.")


def _check_learner(path: Path, findings: Findings) -> None:
    game, _, rest = path.name.partition(".")
    name = rest.partition(".pkl")[0]
    agent, mark, generation = name.partition(MARK)
    try:
        spec = spec_of(game, agent)
    except ValueError:
        spec = None
    if spec is None or (mark and not generation.isdecimal()):
        findings.add(path, "belongs to no known agent", "move it away")
        return
    learner = spec.make()
    if not isinstance(learner, Learner):
        findings.add(path, f"belongs to {agent}, which does not learn", "move it away")
        return
    earlier = _VERSION.search(path.name)
    try:
        read_values(path, learner, own_setup=bool(own_name(agent)))
    except Refused as refusal:
        if earlier:
            findings.add(path, f"is a version that cannot be used because {refusal}", "delete it")
        else:
            findings.add(
                path,
                f"will not be loaded because {refusal}",
                f"{name} uses an earlier or the pretrained version, and the file will be "
                "renamed; delete it to do that now",
            )
    except StoreError as error:
        findings.add(path, f"cannot be used ({str(error).rstrip('.')})", "give yourself permission")


def _check_experiment(path: Path, findings: Findings) -> None:
    try:
        decode(read_contents(path), None)
    except Refused as refusal:
        findings.add(path, f"cannot be used because {refusal}", "delete it")
    except OSError as error:
        findings.add(path, f"cannot be read ({error.strerror})", "give yourself permission")


# Matches


def _check_journals(folder: Path, findings: Findings) -> None:
    journals = unfinished = torn = 0
    for path in _files(folder, findings):
        if path.name.startswith("."):
            continue
        if path.name == ARCHIVE and path.is_dir():
            archived = sum(1 for _ in path.glob(f"*{SUFFIX}"))
            findings.notes.append(f"{path} holds {archived:,} older matches.")
            continue
        if path.suffix != SUFFIX:
            findings.notes.append(f"{path} does not belong to Kibitz.")
            continue
        journals += 1
        try:
            recorded = read_journal(path)
            size = path.stat().st_size
        except (JournalError, OSError) as error:
            findings.add(
                path,
                f"cannot be resumed or replayed ({str(error).rstrip('.')})",
                "correct that line, or move the file out of the folder",
            )
            continue
        unfinished += not recorded.over
        torn += recorded.length < size
    if journals:
        findings.notes.append(
            f"{folder} holds {journals} match{'es' * (journals > 1)}, {unfinished} unfinished"
            + f", {torn} with an incomplete last line that is ignored" * (torn > 0)
            + "."
        )


def _check_history(path: Path, findings: Findings) -> None:
    for aside in sorted(path.parent.glob(f"{path.name}.*")):
        if (mark := _ASIDE.search(aside.name)) is not None:
            _note_aside(aside, mark[1], findings)
    try:
        sound, damaged, notices = _read_history(path)
    except FileNotFoundError:
        return
    except OSError as error:
        findings.add(path, f"cannot be read ({reason_of(error)})", "move it away")
        return
    except HistoryError as error:
        findings.add(path, f"cannot be used ({str(error).rstrip('.')})", "use another --home")
        return
    if any("renamed" in notice for notice in notices):
        findings.add(
            path,
            "is damaged",
            f"the next use renames it and recovers {sound:,} row{'s' * (sound != 1)}",
        )
    elif notices:
        findings.add(
            path, f"has {damaged} damaged row{'s' * (damaged > 1)}", "the next use sets them aside"
        )
    elif damaged:
        findings.notes.append(
            f"{path} keeps {damaged} damaged row{'s' * (damaged > 1)} in its table `damaged`."
        )


def _read_history(path: Path) -> tuple[int, int, list[str]]:
    """The numbers of sound and damaged rows, and what the app would report.

    Reads a copy, because SQLite writes files beside a database even to read it, and because the
    app repairs what it reads.
    """
    check_regular(path, LARGEST)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, path.name)
        copyfile(path, copy)
        with suppress(FileNotFoundError):
            copyfile(f"{path}-wal", f"{copy}-wal")
        history = History(copy)
        try:
            return *history.examine(), history.notices
        except HistoryError as error:
            raise HistoryError(str(error).replace(str(copy), path.name)) from error


# Other files


def _check_settings(path: Path, findings: Findings) -> None:
    for problem in read_settings(path)[1]:
        findings.add(path, f"is not valid: {problem}", "edit it, or delete it for the defaults")
    for aside in sorted(path.parent.glob(f"{path.name}.*")):
        if _ASIDE.search(aside.name):
            _note_aside(aside, None, findings)


def _check_log(path: Path, findings: Findings) -> None:
    _files(path.parent, findings)
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        findings.add(path, "cannot be written to", "delete it; Kibitz creates a new one")


def _check_courses(folder: Path, findings: Findings) -> None:
    for path in _files(folder, findings):
        if path.name.startswith("."):
            continue
        bookmark = read_bookmark(path)
        if bookmark is None:
            findings.add(path, "does not say where the training stopped", "delete it")
        else:
            findings.notes.append(
                f"{path.stem}: training can continue after match {bookmark.played}."
            )


def _check_checkpoints(folder: Path, findings: Findings) -> None:
    for path in _files(folder, findings):
        if path.suffix == ".json" and not path.name.startswith(".") and not read_bookmark(path):
            findings.add(path, "does not say where the training stopped", "delete it")


def _find_leftovers(locations: Locations, now: datetime, findings: Findings) -> None:
    for path in _hidden_files(locations):
        try:
            age = abs(now.timestamp() - path.stat().st_mtime)
        except OSError:
            continue
        of_a_journal = path.name.endswith(SUFFIX + _LOCK)
        if age > _FRESH and (of_a_journal or not path.name.endswith(_LOCK)):
            findings.leftovers.append(path)
            findings.add(path, "is a leftover", "delete it, or run kibitz doctor --mend")


def _hidden_files(locations: Locations) -> Iterator[Path]:
    """Temporary files and locks. Locks of learners and of the history are kept forever."""
    folders = (
        locations.home,
        locations.qtables,
        locations.experiments,
        locations.games,
        locations.exports,
        locations.courses,
        locations.checkpoints,
    )
    for folder in folders:
        if folder.is_dir():
            yield from sorted(path for path in folder.glob(".*") if path.is_file())
