"""The pictures in the README, from the real app in a real terminal: `make readme-pictures`.

    python -m tests.bench.animation [--to docs/pictures]

Writes table.png, a table with a hint; and play.gif: a trick is played, then a network that knows
nothing learns for a minute. Needs ImageMagick's convert besides the programs for pictures.
"""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from multiprocessing import resource_tracker
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final

from textual.pilot import Pilot

from app.home.locations import Locations
from app.match.seating import plan_table
from app.ui.app import KibitzApp
from app.ui.screens.stage import StageScreen
from tests.app.driving import (
    answer_first,
    is_asked,
    moment_of,
    to_question,
    wait_until,
)
from tests.bench.pictures import PAINTED, ROOT, resize
from tests.bench.real_terminal import (
    hidden_screen,
    missing_programs,
    run_in_terminal,
    take_picture,
)
from tests.bench.scenes import to_hint

SIZE: Final = (120, 40)
FONT_SIZE: Final = 11
TABLE = plan_table("smear", ["you", "hard", "easy", "hard"], delay=0.7, seed=9)
"""No learner sits here, so that training changes no picture."""

CARD_FRAMES: Final = 0.05
"""Seconds between pictures of the table."""
LEARNING_SECONDS: Final = 90.0
LEARNING_FRAMES: Final = 7.5
LAST_FRAME: Final = 3.0
"""How long the last picture of a part stays, in seconds."""

Frame = tuple[Path, float]
"""A picture and how long it is shown, in seconds."""


class Film:
    """Pictures of the terminal with their times. Equal pictures in a row become one."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self.frames: list[Frame] = []
        self._since = monotonic()

    async def take(self, shown: float | None = None) -> None:
        """shown: seconds until the next picture; by default as long as it really took"""
        path = self._folder / f"{self._name}-{len(self.frames):03}.ppm"
        await asyncio.to_thread(take_picture, path)
        now = monotonic()
        if self.frames:
            before, seconds = self.frames[-1]
            passed = now - self._since
            if path.read_bytes() == before.read_bytes():
                path.unlink()
                self.frames[-1] = (before, seconds + passed)
                self._since = now
                return
            if not seconds:
                self.frames[-1] = (before, passed)
        self._since = now
        self.frames.append((path, shown or 0.0))

    async def roll(self, interval: float, until: Callable[[], bool]) -> None:
        while not until():
            await self.take()
            await asyncio.sleep(interval)

    def end(self) -> list[Frame]:
        *frames, (last, _) = self.frames
        return [*frames, (last, LAST_FRAME)]


async def run(app: KibitzApp, drive: Callable[[Pilot[Any]], Awaitable[None]]) -> None:
    async def driven(pilot: Pilot[Any]) -> None:
        try:
            await drive(pilot)
        finally:
            app.exit()

    await app.run_async(auto_pilot=driven)


def new_app(home: Path, **opened: Any) -> KibitzApp:
    app = KibitzApp(Locations(home), **opened)
    app.settings = replace(app.settings, tips=False)
    return app


async def photograph_table(home: Path, to: Path) -> None:
    app = new_app(home, plan=TABLE)

    async def drive(pilot: Pilot[Any]) -> None:
        await resize(pilot, app, SIZE)
        await to_hint(pilot, app)
        await asyncio.sleep(1 + PAINTED)
        take_picture(to)

    await run(app, drive)


async def film_trick(home: Path, folder: Path) -> list[Frame]:
    """From a question in a trick to the next one after it."""
    film = Film(folder, "trick")
    app = new_app(home, plan=TABLE)

    async def drive(pilot: Pilot[Any]) -> None:
        await resize(pilot, app, SIZE)
        while not getattr((await to_question(pilot, app)).view, "trick", ()):
            answer_first(app)
        await asyncio.sleep(1)
        for _ in range(2):
            await film.take()
            await asyncio.sleep(1.2)
            moment = moment_of(app)
            answer_first(app)
            await film.roll(CARD_FRAMES, lambda m=moment: is_asked(app) and moment_of(app) != m)
        await asyncio.sleep(0.5)
        await film.take()

    await run(app, drive)
    return film.end()


async def film_learner(home: Path, folder: Path) -> list[Frame]:
    film = Film(folder, "stage")
    app = new_app(home, stage=("euchre", "neural"))

    async def drive(pilot: Pilot[Any]) -> None:
        await resize(pilot, app, SIZE)
        await wait_until(pilot, lambda: isinstance(app.screen, StageScreen))
        began = monotonic()
        while monotonic() - began < LEARNING_SECONDS:
            await asyncio.sleep(LEARNING_FRAMES)
            await film.take(shown=0.3)

    await run(app, drive)
    return film.end()


async def take_all(folder: Path, to: Path) -> None:
    with TemporaryDirectory() as home:
        await photograph_table(Path(home) / "table", folder / "table.png")
    with TemporaryDirectory() as home:
        frames = await film_trick(Path(home), folder)
    with TemporaryDirectory() as home:
        frames += await film_learner(Path(home), folder)
    convert = ["convert", "-loop", "0"]
    for path, seconds in frames:
        convert += ["-delay", str(max(4, round(100 * seconds))), str(path)]
    convert += ["+dither", "-colors", "48", "-layers", "Optimize", str(to / "play.gif")]
    subprocess.run(convert, check=True)
    reduce = ["convert", str(folder / "table.png"), "-strip", "+dither", "-colors", "255"]
    subprocess.run([*reduce, f"PNG8:{to / 'table.png'}"], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    to = chosen.to.resolve()
    if chosen.inside:
        # The learner's processes need it, and it cannot be started while the app runs.
        resource_tracker.ensure_running()
        try:
            asyncio.run(take_all(chosen.inside, to))
        except BaseException as error:
            (chosen.inside / "failed.txt").write_text(repr(error), encoding="utf-8")
            raise
        return
    missing = missing_programs()
    if missing or shutil.which("convert") is None:
        sys.exit(missing or "The animation needs convert (on Debian: imagemagick).")
    to.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, hidden_screen() as display:
        command = [sys.executable, "-m", "tests.bench.animation", "--to", str(to)]
        variables = {"TEXTUAL_COLOR_SYSTEM": "truecolor", "PYTHONPATH": os.fspath(ROOT)}
        run_in_terminal(display, [*command, "--inside", folder], variables, FONT_SIZE)
        failed = Path(folder) / "failed.txt"
        if failed.exists():
            sys.exit(f"The pictures could not be taken: {failed.read_text()}")
    for name in ("table.png", "play.gif"):
        print(f"{to / name}: {(to / name).stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
