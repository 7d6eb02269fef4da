"""Attacks stored files, imports, courses and the server with seeds, and prints a table.

    python -m tests.bench.attack [--share 1.0] [--seed 1] [--only WORD] [--seconds 1500]

Exit status 1 if anything was lost or executed, crashed, took over two seconds or 500 MB.
"""

import argparse
import gc
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.bench.attacks import (
    LOST,
    Try,
    course_files,
    escapes,
    history_flips,
    imported_files,
    journals,
    learned_values,
    settings_files,
    small_files,
    special_files,
)
from tests.bench.attacks_live import full_disks, kills, races, server_abuse

ATTACKS: dict[str, tuple[Callable[[Random, Path], Iterator[Try]], int]] = {
    "bit flips in history.db": (history_flips, 3_000),
    "changed journals": (journals, 16_000),
    "changed settings": (settings_files, 6_000),
    "changed learned values": (learned_values, 12_000),
    "changed imports": (imported_files, 6_000),
    "changed course files": (course_files, 3_000),
    "changed bookmarks and tips": (small_files, 4_000),
    "pipes, devices, huge files": (special_files, 100),
    "escape codes": (escapes, 400),
    "races for a journal": (races, 300),
    "full disks": (full_disks, 200),
    "kill -9": (kills, 20),
    "server abuse": (server_abuse, 1_000),
}
"""Each attack and its tries in a full run."""

LONGEST = 2.0
"""Seconds of a try. A slow one is repeated once, because the machine may be busy."""

LARGEST = 500
"""Megabytes of this process."""

STARTS = {"os.system", "os.exec", "os.posix_spawn", "os.spawn", "subprocess.Popen", "pty.spawn"}
"""Audit events of a started program."""


@dataclass(slots=True)
class Outcome:
    name: str
    tries: int = 0
    survived: int = 0
    lost: int = 0
    executed: int = 0
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)

    def line(self) -> str:
        return (
            f"{self.name:<28}{self.tries:>8,}{self.survived:>10,}{self.lost:>7}"
            f"{self.executed:>10}{self.slowest:>10.2f} s"
        )


class Hang(Exception):
    pass


@contextmanager
def alarm(seconds: int) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class Attacker:
    """Runs the tries of each attack, and notices programs that they start."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._started = 0
        sys.addaudithook(self._notice)

    def _notice(self, event: str, _: object) -> None:
        if event in STARTS:
            self._started += 1

    def run(self, name: str, tries: int, until: float, folder: Path) -> Outcome:
        attack, _ = ATTACKS[name]
        outcome = Outcome(name)
        for attempt in attack(Random(f"{self._seed}/{name}"), folder):
            if outcome.tries >= tries or time.monotonic() > until:
                break
            self._try(attempt, outcome, starts_programs=name == "kill -9")
        outcome.executed += len(list(folder.rglob("executed")))
        return outcome

    def _try(self, attempt: Try, outcome: Outcome, starts_programs: bool) -> None:
        outcome.tries += 1
        before = self._started
        taken = LONGEST + 1
        try:
            for _ in range(2):
                began = time.perf_counter()
                with alarm(60):
                    found = attempt()
                taken = min(taken, time.perf_counter() - began)
                if taken < LONGEST or starts_programs:
                    break
            outcome.lost += found == LOST
            outcome.survived += found != LOST
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(frame.filename).name}:{frame.lineno}"
            outcome.faults.append(f"{type(error).__name__}: {str(error)[:100]} ({where})")
        if not starts_programs:
            outcome.executed += self._started - before
            outcome.slowest = max(outcome.slowest, taken)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the tries of a full run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=1500, help="for everything")
    chosen = parser.parse_args()
    attacker = Attacker(chosen.seed)
    until = time.monotonic() + chosen.seconds
    print(f"{'attack':<28}{'tries':>8}{'survived':>10}{'lost':>7}{'executed':>10}{'slowest':>12}")
    outcomes = []
    for name, (_, tries) in ATTACKS.items():
        if chosen.only in name:
            with tempfile.TemporaryDirectory(prefix="kibitz-attack-") as folder:
                wanted = max(2, round(tries * chosen.share))
                outcomes.append(attacker.run(name, wanted, until, Path(folder)))
            print(outcomes[-1].line(), flush=True)
            gc.collect()
    total = Outcome("all")
    for each in outcomes:
        total.tries += each.tries
        total.survived += each.survived
        total.lost += each.lost
        total.executed += each.executed
        total.slowest = max(total.slowest, each.slowest)
    print(total.line())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"Peak memory {peak:.0f} MB, seed {chosen.seed}.")
    for each in outcomes:
        for fault in sorted(set(each.faults))[:10]:
            print(f"{each.name}: {fault}", file=sys.stderr)
    held = total.survived == total.tries and not total.executed and peak < LARGEST
    return 0 if held and total.slowest <= LONGEST else 1


if __name__ == "__main__":
    sys.exit(main())
