"""Pictures of every screen at four sizes: `make pictures`.

    python -m tests.bench.pictures [--to build/pictures] [--svg] [--sizes 80x24,120x40]
                                   [--theme NAME] [--ascii] [--no-color] [--colours 16] [SCENE…]

Takes PNG files in a real terminal (xterm on a screen that nobody sees) and SVG files, which Textual
draws without other programs. `--svg` takes only those. Names of scenes may be beginnings: `euchre`.
"""

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from textual.pilot import Pilot

from app.ui.app import KibitzApp
from tests.app.driving import wait_until
from tests.bench.real_terminal import (
    hidden_screen,
    missing_programs,
    run_in_terminal,
    take_picture,
)
from tests.bench.scenes import SCENES, Scene

ROOT: Final = Path(__file__).parents[2]
SIZES: Final = ((60, 20), (80, 24), (120, 40), (200, 50))
PAINTED: Final = 0.25
"""Seconds until a terminal has painted what it was sent."""

_TERMINALS: Final = {
    "full": {"COLORTERM": "truecolor"},
    "256": {"TEXTUAL_COLOR_SYSTEM": "256"},
    "16": {"TEXTUAL_COLOR_SYSTEM": "standard"},
}
"""Environment variables by the number of colours."""


async def resize(pilot: Pilot[Any], app: KibitzApp, size: tuple[int, int]) -> None:
    width, height = size
    if app.is_headless:
        await pilot.resize_terminal(width, height)
    else:
        assert app._driver is not None
        app._driver.write(f"\x1b[8;{height};{width}t")
        app._driver.flush()
    await wait_until(pilot, lambda: tuple(app.size) == size)
    await pilot.pause()


async def photograph(
    scene: Scene, sizes: Sequence[tuple[int, int]], headless: bool, chosen: argparse.Namespace
) -> None:
    """Drive the app to the scene and take a picture of each size."""
    with TemporaryDirectory() as home:
        app = scene.app(Path(home))
        if chosen.theme:
            app.settings = replace(app.settings, theme=chosen.theme)
        if chosen.ascii:
            app._needs_ascii = True

        async def drive(pilot: Pilot[Any]) -> None:
            try:
                await resize(pilot, app, sizes[-1])
                await scene.drive(pilot, app)
                for size in sizes:
                    await resize(pilot, app, size)
                    await take(app, scene.name, size, headless, chosen.to)
            finally:
                app.exit()

        first = sizes[-1] if headless else None
        await app.run_async(headless=headless, size=first, auto_pilot=drive)


async def take(
    app: KibitzApp, name: str, size: tuple[int, int], headless: bool, folder: Path
) -> None:
    path = folder / f"{name}-{size[0]}x{size[1]}"
    if not headless:
        await asyncio.sleep(PAINTED)
        take_picture(path.with_suffix(".png"))
    if os.environ.get("TEXTUAL_COLOR_SYSTEM"):
        return  # An SVG has all colours, and Rich would go on using them for the terminal.
    svg = re.sub(r"terminal-\d+", "terminal", app.export_screenshot())
    path.with_suffix(".svg").write_text(svg, encoding="utf-8")


def chosen_scenes(names: Sequence[str]) -> list[Scene]:
    """The scenes whose names begin with one of these; all without names."""
    found = [scene for scene in SCENES if not names or scene.name.startswith(tuple(names))]
    if not found:
        sys.exit(f"There is no such scene; choose from: {', '.join(s.name for s in SCENES)}.")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenes", nargs="*", help="names of scenes, or beginnings; default all")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "pictures")
    parser.add_argument("--svg", action="store_true", help="no pictures of a real terminal")
    parser.add_argument("--sizes", default=",".join([f"{w}x{h}" for w, h in SIZES]))
    parser.add_argument("--theme", default="")
    parser.add_argument("--ascii", action="store_true")
    parser.add_argument("--no-color", action="store_true")
    parser.add_argument("--colours", choices=list(_TERMINALS), default="full")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    scenes = chosen_scenes(chosen.scenes)
    chosen.to = chosen.to.resolve()
    chosen.to.mkdir(parents=True, exist_ok=True)
    if not (chosen.svg or chosen.inside):
        if missing := missing_programs():
            sys.exit(f"{missing} With --svg there are pictures without them.")
        variables = {"TZ": "UTC", **_TERMINALS[chosen.colours]}
        if chosen.no_color:
            variables["NO_COLOR"] = "1"
        command = [sys.executable, "-m", "tests.bench.pictures", "--inside", *sys.argv[1:]]
        with hidden_screen() as display:
            run_in_terminal(display, command, variables)
        print(f"{len(list(chosen.to.glob('*.png')))} pictures are in {chosen.to}")
        return
    sizes = [(int(w), int(h)) for w, h in [each.split("x") for each in chosen.sizes.split(",")]]
    os.environ["TZ"] = "UTC"
    failed = []
    for scene in scenes:
        try:
            asyncio.run(photograph(scene, sizes, not chosen.inside, chosen))
        except Exception as error:
            failed.append(f"{scene.name}: {error!r}")
    if failed:
        (chosen.to / "failed.txt").write_text("\n".join(failed), encoding="utf-8")
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
