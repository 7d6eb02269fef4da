"""Watches and trains for ten minutes each; memory and descriptors must be flat.

    python -m tests.bench.soak [--seconds 600] [watch|train]

Prints the memory and the open descriptors of all processes every half a minute. Flat means that the
second half grows by less than a tenth, and that descriptors do not grow.
"""

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from contextlib import suppress
from pathlib import Path

EVERY = 30.0
GROWTH = 1.1
COMMANDS = {
    "watch": ("watch", "euchre", "--delay", "0", "--seats", "hard,hard,easy"),
    "train": ("train", "euchre", "--agent", "neural", "--seconds"),
}


def processes(root: int) -> list[int]:
    """A process and all its descendants."""
    found, left = [], [root]
    while left:
        found.append(left.pop())
        with suppress(OSError):
            children = Path(f"/proc/{found[-1]}/task/{found[-1]}/children").read_text()
            left += map(int, children.split())
    return found


def measure(root: int) -> tuple[float, int]:
    """Megabytes and descriptors."""
    memory = descriptors = 0
    for process in processes(root):
        with suppress(OSError):
            pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
            memory += pages * os.sysconf("SC_PAGE_SIZE")
            descriptors += len(os.listdir(f"/proc/{process}/fd"))
    return memory / 2**20, descriptors


def soak(name: str, seconds: float, home: str) -> bool:
    command = [sys.executable, "-m", "app", *COMMANDS[name]]
    if name == "train":
        command.append(str(int(seconds)))
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(command[0], [*command, "--home", home])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    samples: list[tuple[float, int]] = []
    began = time.monotonic()
    while (now := time.monotonic() - began) < seconds:
        if select.select([terminal], [], [], 1)[0]:
            try:
                os.read(terminal, 1 << 16)
            except OSError:
                break
        if now >= EVERY * (len(samples) + 1):
            samples.append(measure(process))
            print(
                f"{name} {now:5.0f} s {samples[-1][0]:7.1f} MB {samples[-1][1]:3} open", flush=True
            )
    with suppress(OSError):
        os.kill(process, signal.SIGTERM)
    os.close(terminal)
    with suppress(OSError):
        os.waitpid(process, 0)
    half = len(samples) // 2
    early, late = samples[half], samples[-1]
    return late[0] < GROWTH * early[0] and late[1] <= early[1] + 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=list(COMMANDS), choices=list(COMMANDS))
    parser.add_argument("--seconds", type=float, default=600)
    chosen = parser.parse_args()
    flat = True
    for name in chosen.what:
        with tempfile.TemporaryDirectory(prefix="kibitz-soak-") as home:
            held = soak(name, chosen.seconds, home)
        print(f"{name}: {'flat' if held else 'grows'}", flush=True)
        flat = flat and held
    return 0 if flat else 1


if __name__ == "__main__":
    sys.exit(main())
