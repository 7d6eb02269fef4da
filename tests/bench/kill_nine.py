"""Kills the program at random moments of play, watching and training, and checks after each
kill that nothing was lost.

    python -m tests.bench.kill_nine --times 200

Random keys are typed into the program's terminal. All kills use the same home folder.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TextIO

from agents.agent import Learner
from agents.registry import create
from agents.storage.store import Store
from app.match.seating import PERSON, Seating, plan_table
from app.records.history import History, HistoryError
from app.records.journal import JournalError, Recorded, parse_journal, read_journal
from app.ui.tables import table_class
from engine import GAMES
from tests.app.terminal import Terminal

KEYS = [*"123456789" * 2, *["l\r"] * 40, *["\r"] * 6, "h", " ", "u", "U", "?", "w", "k", "s", "+"]
"""Keys typed at a table; none of them deletes a match."""

SEATS = {game: ",".join(plan_table(game).seats).replace("hard", "random") for game in GAMES}
_STATUS = re.compile(r"· (?:hand|round) (\d+)")
_UNDO = b'{"undo":'


class KillTest:
    """One home folder, and its contents when the program was last killed.

    losses    a sentence for each thing that was lost
    counts    what was done and checked
    """

    def __init__(self, home: Path, seed: int) -> None:
        self.home = home
        self.losses: list[str] = []
        self.counts: Counter[str] = Counter()
        self._rng = Random(seed)
        self._journals: dict[Path, bytes] = {}
        self._read: dict[Path, Recorded] = {}
        self._updates: dict[Path, int] = {}
        self._matches = 0

    def run(self, times: int, progress: TextIO | None = None) -> None:
        for number in range(times):
            kind = self._rng.choices(("play", "watch", "train"), (6, 2, 2))[0]
            try:
                getattr(self, f"_{kind}")()
            except AssertionError as error:
                self.losses.append(f"kill {number + 1} ({kind}): {error}")
            self.counts[f"kills during {kind}"] += 1
            self._check(f"after kill {number + 1} ({kind})")
            if progress is not None and (number + 1) % 20 == 0:
                print(f"{number + 1} kills, {len(self.losses)} losses", file=progress, flush=True)

    # Kills

    def _play(self) -> None:
        waiting = self._waiting()
        if waiting and self._rng.random() < 0.75:
            self._resume(waiting)
            return
        game = self._rng.choice(list(SEATS))
        seed = str(self._rng.randrange(10_000))
        arguments = ("play", game, "--seats", SEATS[game], "--seed", seed, "--delay", "0")
        with Terminal(*arguments, home=self.home) as terminal:
            if self._rng.random() < 0.8:
                terminal.wait_for(f"seed {seed}")
            self._type(terminal)
            self._kill(terminal)

    def _resume(self, waiting: list[Path]) -> None:
        """Resume a waiting match, and check that it resumes at the same position."""
        row = self._rng.randrange(min(len(waiting), 8))
        chosen = self._read[waiting[row]]
        with Terminal("--delay", "0", home=self.home) as terminal:
            terminal.wait_for("u resumes")
            terminal.type("U" if row else "u")
            if row:
                terminal.wait_for("Enter resumes at the same card")
                terminal.type("\x1b[B" * row + "\r")
            watched = PERSON not in chosen.setup.players
            title = _title(chosen)  # A watched match continues immediately: its hand may be over.
            terminal.wait_for(title.partition("·")[0] + "·" if watched else title)
            self.counts["matches resumed"] += 1
            self._type(terminal)
            self._kill(terminal)

    def _watch(self) -> None:
        game = self._rng.choice(list(SEATS))
        seats = SEATS[game].replace("you", "q")
        arguments = ("watch", game, "--seats", seats, "--delay", "0.02")
        with Terminal(*arguments, home=self.home) as terminal:
            terminal.read_for(self._rng.uniform(0.0, 5.0))
            self._kill(terminal)

    def _train(self) -> None:
        game = self._rng.choice(list(SEATS))
        agent = self._rng.choice(("q", "linear"))
        flags = ("--agent", agent, "--games", "1000000", "--checkpoint", "1")
        with Terminal("train", game, *flags, home=self.home) as terminal:
            terminal.wait_for("games/s")
            terminal.read_for(self._rng.uniform(0.0, 3.0))
            self._note_updates()
            terminal.kill()

    def _type(self, terminal: Terminal) -> None:
        for _ in range(self._rng.randrange(60)):
            terminal.type(self._rng.choice(KEYS))
            terminal.read_for(self._rng.uniform(0.0, 0.1))

    def _kill(self, terminal: Terminal) -> None:
        """Note the contents of the files, which must survive, and kill the program."""
        for path in self._journal_files():
            self._journals[path] = _whole_lines(path.read_bytes())
        self._note_updates()
        terminal.kill()
        self._compare_hand(terminal.text())

    def _compare_hand(self, text: str) -> None:
        """Check that the screen was not ahead of the journal.

        An undo is written before it is shown, so the screen may still show its hand.
        """
        shown = _STATUS.findall(text)
        changed = [path for path in self._journal_files() if self._changed(path)]
        if shown and len(changed) == 1:
            data = changed[0].read_bytes()
            self.counts["hands compared with the screen"] += 1
            self.counts["of them after an undo"] += _UNDO in data
            hand_no = _furthest_hand(data, changed[0].name)
            if int(shown[-1]) > hand_no:
                self.losses.append(f"{changed[0].name}: {shown[-1]} was shown, not {hand_no}")

    # Checks

    def _check(self, when: str) -> None:
        for path, before in self._journals.items():
            if not path.exists() or not path.read_bytes().startswith(before):
                self.losses.append(f"{when}: {path.name} has lost lines")
        for path in self._journal_files():
            if self._changed(path):
                self._check_journal(path, when)
        for path, before in list(self._updates.items()):
            if self._updates_of(path, when) < before:
                self.losses.append(f"{when}: {path.name} has lost updates")
        self._note_updates()
        self._check_history(when)

    def _check_journal(self, path: Path, when: str) -> None:
        data = path.read_bytes()
        self.counts["journals read"] += 1
        try:
            self._read[path] = read_journal(path)
        except JournalError as error:
            if data.strip():
                self.losses.append(f"{when}: {error}")
            return
        if len(data) != self._read[path].length:
            self.counts["torn lines"] += 1
        self._journals[path] = data[: self._read[path].length]

    def _check_history(self, when: str) -> None:
        history = History(self.home / "history.db")
        try:
            matches = history.matches()
        except HistoryError as error:
            self.losses.append(f"{when}: {error}")
            return
        self.losses += [f"{when}: {notice}" for notice in history.notices]
        if len(matches) < self._matches:
            self.losses.append(f"{when}: the history has lost a match")
        for name, times in Counter(match.journal for match in matches).items():
            if times > 1:
                self.losses.append(f"{when}: {name} is {times} times in the history")
        self._matches = len(matches)

    def _note_updates(self) -> None:
        """Note the number of updates of each learner. The files are complete at any time."""
        for path in sorted((self.home / "qtables").glob("*.pkl")):
            self._updates[path] = self._updates_of(path, "while it runs")

    def _updates_of(self, path: Path, when: str) -> int:
        game, agent, _ = path.name.split(".")
        learner = create(game, agent)
        assert isinstance(learner, Learner)
        store = Store(path.parent)
        self.counts["learners loaded"] += 1
        if not store.load(learner) or store.notices:
            self.losses.append(f"{when}: {path.name} was not loaded {' '.join(store.notices)}")
        return learner.stats().updates

    def _journal_files(self) -> list[Path]:
        return sorted((self.home / "games").glob("*.jsonl"))

    def _changed(self, path: Path) -> bool:
        recorded = self._read.get(path)
        return recorded is None or path.stat().st_size != recorded.length

    def _waiting(self) -> list[Path]:
        """The unfinished matches in the order of the program's list."""
        found = [path for path, recorded in self._read.items() if not recorded.over]
        return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)

    def figures(self) -> dict[str, int]:
        actions = sum(len(recorded.past.actions) for recorded in self._read.values())
        journals = {"journals": len(self._read), "actions in them": actions}
        journals["matches finished"] = self._matches
        return {**self.counts, **journals, "losses": len(self.losses)}


def _title(recorded: Recorded) -> str:
    """The title line of the table with this match."""
    setup = recorded.setup
    table = table_class(setup.game)(GAMES[setup.game], Seating.of(setup.plan(0.0)))
    return table.title_line(recorded.state.view(0))


def _furthest_hand(data: bytes, name: str) -> int:
    """The highest number of a hand that the match reached, including hands taken back."""
    undos = [found.start() for found in re.finditer(re.escape(_UNDO), data)]
    journals = [data[:end] for end in (*undos, len(data))]
    return max(parse_journal(each, name).state.hand_no for each in journals)


def _whole_lines(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    started = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        test = KillTest(Path(folder), arguments.seed)
        test.run(arguments.times, sys.stderr)
    for name, count in test.figures().items():
        print(f"{name:<32}{count:>9,}")
    print(f"{'seconds':<32}{perf_counter() - started:>9,.0f}")
    for loss in test.losses:
        print(loss, file=sys.stderr)
    return 1 if test.losses else 0


if __name__ == "__main__":
    sys.exit(main())
