"""The exercises that come with the program: one file for each game, one exercise in each line."""

import json
from pathlib import Path
from typing import Final

from app.study.exercises import Exercise, ExerciseError, Source, exercise_in
from engine.manifest import GAME_ROWS

FOLDER: Final = Path(__file__).parents[1] / "exercises"
SUFFIX: Final = ".jsonl"


def shipped(game: str) -> list[Exercise]:
    """The exercises of a game, in the order of the file. Unreadable ones are left out."""
    if game not in GAME_ROWS:
        return []
    try:
        text = (FOLDER / f"{game}{SUFFIX}").read_text(encoding="utf-8")
    except OSError:
        return []
    found = []
    for line in text.splitlines():
        try:
            found.append(exercise_in(json.loads(line), Source.AGENTS))
        except (ExerciseError, ValueError, RecursionError):
            continue
    return found
