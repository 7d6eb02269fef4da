"""A real terminal on a screen that nobody sees: xterm in Xvfb, photographed by ImageMagick.

The program in the terminal takes its own pictures: it knows when it has drawn what it wants.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

PROGRAMS: Final = {"Xvfb": "xvfb", "xterm": "xterm", "import": "imagemagick"}
"""The programs that are needed and the Debian packages that contain them."""

FONT: Final = "DejaVu Sans Mono"
SCREEN: Final = "3200x2000x24"
_WINDOW: Final = "WINDOWID"
"""The variable in which xterm tells a program its window."""


def missing_programs() -> str:
    """A sentence that says what to install; empty if nothing is missing."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if not missing:
        return ""
    packages = " ".join([PROGRAMS[name] for name in missing])
    return (
        f"Pictures of a real terminal need {', '.join(missing)} "
        f"(on Debian: apt install {packages} fonts-dejavu-core)."
    )


@contextmanager
def hidden_screen() -> Iterator[str]:
    """Start an X server on a free display; yields the name of the display."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as answer:
            yield f":{answer.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


def run_in_terminal(
    display: str, command: Sequence[str], environment: dict[str, str], font_size: int = 11
) -> None:
    """Run a program in a terminal until it ends.

    environment   additional variables; xterm itself would remove some
    """
    variables = [f"{name}={value}" for name, value in environment.items()]
    terminal = ["xterm", "-fa", FONT, "-fs", str(font_size), "-geometry", "80x24+0+0"]
    terminal += ["-b", "0", "-bw", "0", "+sb", "-bg", "#101010", "-fg", "#e0e0e0", "-uc"]
    # Window operations let the program resize its window.
    for resource in ("xterm*termName: xterm-256color", "xterm*allowWindowOps: true"):
        terminal += ["-xrm", resource]
    shown = os.environ | {"DISPLAY": display, "LANG": "C.UTF-8"}
    subprocess.run([*terminal, "-e", "env", *variables, *command], env=shown, check=True)


def take_picture(path: Path) -> None:
    """Called by a program in the terminal: a picture of its window."""
    subprocess.run(["import", "-window", os.environ[_WINDOW], str(path)], check=True)
