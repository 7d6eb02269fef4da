"""What "Watch it learn" shows in a real terminal, second by second: `make stage`.

    python -m tests.bench.stage [--seconds 120] [--agent neural] [GAME…]

Runs `kibitz learn` in tmux and reads its screen. Prints when the first point of the learning curve
appeared, how many there were after 30 seconds, when the learner reached 75 % against Random and
25 % against Hard, and the win rates at the end. `make bench-keys` measures keys meanwhile.
"""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from engine import GAMES

SIZE = ("-x", "200", "-y", "50")

_CURVE = re.compile(r"won against .*?Hard +(\d+) %.*?Random +(\d+) %")
_FIRST = re.compile(r"won against .*?Hard +\d+ %")
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

    def close(self) -> None:
        self._tmux("kill-session", "-t", self._name)


@dataclass
class Shown:
    """What was seen of a learner.

    first    seconds until the first point
    points   seconds, matches and win rates against Hard and Random, whenever they changed
    """

    first: float | None = None
    points: list[tuple[float, int, int, int]] = field(default_factory=list)

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
            last = ""
            while (now := monotonic()) - began < seconds:
                screen = terminal.screen()
                if shown.first is None and _FIRST.search(screen):
                    shown.first = now - began
                curve, matches = _CURVE.search(screen), _MATCHES.search(screen)
                if curve and matches and curve.group() != last:
                    last = curve.group()
                    count = int(matches[1].replace(",", ""))
                    shown.points.append((now - began, count, int(curve[1]), int(curve[2])))
                sleep(0.1)
        finally:
            terminal.close()
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--agent", default="neural")
    parser.add_argument("--seconds", type=float, default=120)
    chosen = parser.parse_args()
    print("game      first  in 30 s  75 % random  25 % hard    at the end: matches hard random")
    for game in chosen.games:
        shown = watch(game, chosen.agent, chosen.seconds)
        if shown.first is None or not shown.points:
            print(f"{game:<8} no point of the curve was seen")
            continue
        _, matches, hard, random = shown.points[-1]
        early = sum([at <= 30 for at, *_ in shown.points])
        print(
            f"{game:<8} {shown.first:4.1f} s {early:8} {shown.reached(3, 75):>12} "
            f"{shown.reached(2, 25):>10} {matches:20,} {hard:4} % {random:4} %",
            flush=True,
        )


if __name__ == "__main__":
    main()
