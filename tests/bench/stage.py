"""What "Watch it learn" shows in a real terminal, second by second: `make stage`.

    python -m tests.bench.stage [--seconds 120] [--agent neural] [GAME…]

Runs `kibitz learn` in tmux and reads its screen. Prints when the first point of the learning curve
appeared, how many there were after 30 seconds, when the learner reached 75 % against Random and
25 % against Hard, the win rates at the end, and the time from a key press to the repaint.
"""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass, field
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from engine import GAMES

SIZE = ("-x", "200", "-y", "50")
KEY_EVERY = 10.0
"""Seconds between two measured keys."""
PATIENCE = 5.0
"""Seconds to wait for a repaint."""

_CURVE = re.compile(r"won against .*?Hard +(\d+) %.*?Random +(\d+) %")
_MATCHES = re.compile(r"([\d,]+) matches")


class TmuxWindow:
    """A program in tmux, which draws its screen. `tests.app.terminal` sees only what changes."""

    def __init__(self, command: str) -> None:
        self._name = f"kibitz-stage-{monotonic():.0f}"
        self._tmux("new-session", "-d", "-s", self._name, *SIZE, command)

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", *words], capture_output=True, text=True, check=True)
        return done.stdout

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p", "-t", self._name)

    def press(self, key: str) -> None:
        self._tmux("send-keys", "-t", self._name, key)

    def close(self) -> None:
        self._tmux("kill-session", "-t", self._name)


@dataclass
class Shown:
    """What was seen of a learner.

    points   seconds, matches and win rates against Hard and Random, whenever they changed
    keys     milliseconds from a key press to the repaint
    """

    points: list[tuple[float, int, int, int]] = field(default_factory=list)
    keys: list[float] = field(default_factory=list)

    def reached(self, place: int, rate: int) -> str:
        """The seconds after which a win rate was reached for good."""
        since = None
        for point in self.points:
            if point[place] < rate:
                since = None
            elif since is None:
                since = point[0]
        return "not reached" if since is None else f"{since:.0f} s"


def watch(game: str, agent: str, seconds: float) -> Shown:
    """Look at the stage for so many seconds after its start."""
    shown = Shown()
    with TemporaryDirectory() as home:
        began = monotonic()
        terminal = TmuxWindow(
            f"'{sys.executable}' -m app learn {game} --agent {agent} --home '{home}'"
        )
        try:
            next_key = began + KEY_EVERY
            last = ""
            while (now := monotonic()) - began < seconds:
                screen = terminal.screen()
                curve, matches = _CURVE.search(screen), _MATCHES.search(screen)
                if curve and matches and curve.group() != last:
                    last = curve.group()
                    count = int(matches[1].replace(",", ""))
                    shown.points.append((now - began, count, int(curve[1]), int(curve[2])))
                if now > next_key:
                    next_key += KEY_EVERY
                    shown.keys += [
                        _repaint(terminal, "n", True),
                        _repaint(terminal, "Escape", False),
                    ]
                sleep(0.1)
        finally:
            terminal.close()
    return shown


def _repaint(terminal: TmuxWindow, key: str, form: bool) -> float:
    """Milliseconds from a key until the form is shown or gone."""
    pressed = monotonic()
    terminal.press(key)
    while monotonic() - pressed < PATIENCE:
        if ("Learner   " in terminal.screen()) is form:
            break
    return (monotonic() - pressed) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--agent", default="neural")
    parser.add_argument("--seconds", type=float, default=120)
    chosen = parser.parse_args()
    print(
        "game      first  in 30 s  75 % random  25 % hard    at the end: matches hard random  key"
    )
    for game in chosen.games:
        shown = watch(game, chosen.agent, chosen.seconds)
        if not shown.points:
            print(f"{game:<8} no point of the curve was seen")
            continue
        first, *_ = shown.points[0]
        _, matches, hard, random = shown.points[-1]
        early = sum([at <= 30 for at, *_ in shown.points])
        print(
            f"{game:<8} {first:4.1f} s {early:8} {shown.reached(3, 75):>12} "
            f"{shown.reached(2, 25):>10} {matches:20,} {hard:4} % {random:4} % "
            f"{median(shown.keys):4.0f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
