"""Runs Kibitz and counts what it learns: `python -m tests.bench.counted_window FILE …`.

Writes to the file, as JSON, the number of updates of Q-tables and the number of saves.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from agents.learners.steps import Outcome
from agents.learners.tabular import TabularLearner
from agents.storage.store import Store
from app.cli import run

P = ParamSpec("P")
R = TypeVar("R")


def main(file: str, *arguments: str) -> int:
    counts: Counter[str] = Counter(updates=0, saves=0)

    def counted(name: str, method: Callable[P, R]) -> Callable[P, R]:
        def count(*args: P.args, **kwargs: P.kwargs) -> R:
            counts[name] += 1
            return method(*args, **kwargs)

        return count

    learn = TabularLearner._learn

    def counted_learn(learner: TabularLearner, outcomes: list[Outcome]) -> None:
        counts["updates"] += len(outcomes)
        learn(learner, outcomes)

    TabularLearner._learn = counted_learn  # type: ignore[method-assign]
    Store.save = counted("saves", Store.save)  # type: ignore[method-assign]
    try:
        return run(list(arguments))
    finally:
        Path(file).write_text(json.dumps(counts), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
