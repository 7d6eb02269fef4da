"""Two real windows learn for the same table at the same time: every update must arrive.

    python -m tests.bench.two_windows --seconds 60

First two trainings, then a training beside a table of learners that is watched. Each window
counts its own updates, one by one, where a cell of the table is moved; afterwards the table
must have been visited as often as both have counted together.
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
_AGAIN = "2"
"""Once a match is over, this begins the next one; it means nothing before."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a window has done: cells moved, tables written."""

    updates: int
    saves: int


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two windows that have learned together.

    visits, updates   how many the table has more than before, by its cells and by its counter
    aside             files that were taken out of use
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
        """Updates that are missing in the table or stand there twice."""
        return abs(self.counted - self.visits) + abs(self.counted - self.updates)


def training(folder: Path, seed: int, games: int = 10_000_000) -> list[str]:
    """folder: where it finds that nothing is to be measured on the way."""
    course = folder / "course.yaml"
    course.write_text("evaluation: {points: 0}", encoding="utf-8")
    lessons = ["--agent", "q", "--games", str(games), "--checkpoint", "1", "--seed", str(seed)]
    return ["train", GAME, "--option", "target=6", *lessons, "--config", str(course), "--json"]


def watching() -> list[str]:
    return ["watch", GAME, "--option", "target=6", "--seats", "q,q", "--delay", "0"]


def let_learn(home: Path, windows: Sequence[Sequence[str]], seconds: float) -> Meeting:
    """Open the windows, let them learn for so long, and tell those to leave that have not come
    to their end."""
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
    return Meeting(tuple(counted), after[0] - before[0], after[1] - before[1], aside)


def known_in(home: Path) -> tuple[int, int]:
    """The visits of all cells of the table, and the updates it has counted."""
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
    for name in ("two trainings", "a training and a table"):
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder, "home")
            other = training(home.parent, 2) if name == "two trainings" else watching()
            windows = [training(home.parent, 1), other]
            meeting = let_learn(home, windows, arguments.seconds)
        print(f"{name}, {arguments.seconds:.0f} s of {GAME}")
        for number, tally in enumerate(meeting.windows, 1):
            print(f"  window {number}: updates, saves{tally.updates:>15,}{tally.saves:>9,}")
        print(f"  {'both together':<24}{meeting.counted:>15,}")
        print(f"  {'visits in the table':<24}{meeting.visits:>15,}")
        print(f"  {'updates of the table':<24}{meeting.updates:>15,}")
        print(f"  {'lost':<24}{meeting.lost:>15,}")
        lost += meeting.lost + meeting.aside
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
