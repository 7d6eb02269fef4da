"""Two real windows train the same learner at the same time: no update may be lost.

    python -m tests.bench.two_windows --seconds 60

First two trainings, then a training and a watched match between learners. Each window counts
its own updates. Afterwards the visits in the Q-table must have grown by the sum of both counts.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import SIGTERM
from time import monotonic

from agents.learners.tabular import TabularLearner
from agents.registry import make
from agents.storage.store import Store
from tests.app.terminal import Terminal

GAME = "truco"
COUNTED = (sys.executable, "-m", "tests.bench.counted_window")
_AGAIN = "d"
"""Starts the next match when one is over. Has no effect before."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The updates and saves of a window."""

    updates: int
    saves: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What two windows have learned together.

    visits, updates   how much the visits and the counted updates of the Q-table have grown
    aside             files that were moved aside
    """

    windows: tuple[Tally, ...]
    visits: int
    updates: int
    aside: int

    @property
    def counted(self) -> int:
        return sum(tally.updates for tally in self.windows)

    @property
    def lost(self) -> int:
        """Updates that are missing in the Q-table or counted twice."""
        return abs(self.counted - self.visits) + abs(self.counted - self.updates)


def training(folder: Path, seed: int, games: int = 10_000_000) -> list[str]:
    """folder: for a course file that turns measurements off."""
    course = folder / "course.yaml"
    course.write_text("evaluation: {points: 0}", encoding="utf-8")
    course_flags = ["--agent", "q", "--games", str(games), "--checkpoint", "1", "--seed", str(seed)]
    return ["train", GAME, "--option", "target=6", *course_flags, "--config", str(course), "--json"]


def watching() -> list[str]:
    return ["watch", GAME, "--option", "target=6", "--seats", "q,q", "--delay", "0"]


def learn_together(home: Path, windows: Sequence[Sequence[str]], seconds: float) -> Outcome:
    """Open the windows, let them learn for this long, and end those that still run."""
    before = known_in(home)
    tallies = [home.parent / f"tally-{number}" for number in range(len(windows))]
    terminals = [
        Terminal(str(tally), *arguments, home=home, program=COUNTED)
        for tally, arguments in zip(tallies, windows, strict=True)
    ]
    try:
        until = monotonic() + seconds
        while monotonic() < until and any(each.process.poll() is None for each in terminals):
            for terminal, arguments in zip(terminals, windows, strict=True):
                terminal.read_for(0.5 / len(windows))
                if arguments[0] == "watch":
                    terminal.type(_AGAIN)
        for terminal in terminals:
            terminal.send(SIGTERM)
        for terminal in terminals:
            terminal.exit_status()
    finally:
        for terminal in terminals:
            terminal.__exit__()
    after = known_in(home)
    counted = [Tally(**json.loads(tally.read_text(encoding="utf-8"))) for tally in tallies]
    aside = len(list((home / "qtables").glob("*-*")))
    return Outcome(tuple(counted), after[0] - before[0], after[1] - before[1], aside)


def known_in(home: Path) -> tuple[int, int]:
    """Return the visits of all values of the Q-table, and its counted updates."""
    store = Store(home / "qtables")
    learner = make(GAME, "q", store)
    assert isinstance(learner, TabularLearner)
    assert store.notices == []
    visits = sum(sum(known.visits) for _, known in learner.all_known())
    return int(visits), learner.stats().updates


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    lost = 0
    for name in ("two trainings", "a training and a watched match"):
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder, "home")
            other = training(home.parent, 2) if name == "two trainings" else watching()
            windows = [training(home.parent, 1), other]
            outcome = learn_together(home, windows, arguments.seconds)
        print(f"{name}, {arguments.seconds:.0f} s of {GAME}")
        for number, tally in enumerate(outcome.windows, 1):
            print(f"  window {number}: updates, saves{tally.updates:>15,}{tally.saves:>9,}")
        print(f"  {'both together':<24}{outcome.counted:>15,}")
        print(f"  {'visits in the Q-table':<24}{outcome.visits:>15,}")
        print(f"  {'updates of the Q-table':<24}{outcome.updates:>15,}")
        print(f"  {'lost':<24}{outcome.lost:>15,}")
        lost += outcome.lost + outcome.aside
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
