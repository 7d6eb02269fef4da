"""Screens at four sizes and in both themes: nothing cut off, nothing overlapping, all readable."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from app.ui.themes import DARK, LIGHT
from tests.app.driving import in_windows
from tests.app.layouts import clipped, faint, overlapping
from tests.bench.scenes import SCENES, Scene

SIZES = [(60, 20), (80, 24), (120, 40), (200, 50)]
LEAST_CONTRAST = 4.5
COVERED = ("question", "lab-train", "lab-arena")
"""Scenes with another screen behind them, which is darkened."""
NAMES = (
    "home",
    "home-played",
    "new-table",
    "new-table-fodinha",
    "history",
    "history-empty",
    "stats",
    "stats-empty",
    "waiting",
    "question",
    "settings",
    "rules",
    "cover",
    "lab-train",
    "lab-arena",
    "explorer",
    "review",
    "summary",
)

QUICK = ("home", "new-table", "settings", "history", "lab-train", "explorer")
"""The others are in the slow set."""


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(each, id=each.name, marks=() if each.name in QUICK else pytest.mark.slow)
        for each in SCENES
        if each.name in NAMES
    ],
)
@pytest.mark.parametrize("theme", [DARK, pytest.param(LIGHT, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "sizes", [SIZES[::2], pytest.param(SIZES[1::2], marks=pytest.mark.slow)], ids=["odd", "even"]
)
async def test_screen(
    scene: Scene, sizes: list[tuple[int, int]], theme: str, tmp_path: Path
) -> None:
    app = scene.app(tmp_path)
    app.settings = replace(app.settings, theme=theme)
    async with app.run_test(size=sizes[0]) as pilot:
        await scene.drive(pilot, app)
        async for _ in in_windows(pilot, sizes):
            await asyncio.sleep(0)
            await pilot.pause()
            assert overlapping(app) == []
            assert clipped(app) == []
            if scene.name not in COVERED:
                assert faint(app, LEAST_CONTRAST) == []
