import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

import agents  # noqa: F401 (before anything that brings numpy along: it asks for one thread)

if TYPE_CHECKING:
    from tests.agents.dask_cluster import LocalCluster

# Pictures have all colours, whatever terminal the tests run in. Textual reads this on import.
os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"

# No test has a clock in it: an example may take long on a busy machine.
settings.register_profile("kibitz", deadline=None)
settings.load_profile("kibitz")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--snapshot-update",
        action="store_true",
        help="write the stored playthroughs and pictures anew instead of comparing with them",
    )


def pytest_collection_finish() -> None:
    """Modules, tests and tables that were loaded stay to the end. Looking for garbage in them
    again and again would take up to a quarter of the time: what is there now is left out, and
    the rest is looked through less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def pytest_sessionfinish() -> None:
    """The process ends, so nothing needs to be looked through again. Pytest would, five times."""
    gc.freeze()


@pytest.fixture
def stored(request: pytest.FixtureRequest, tmp_path: Path):
    """Compare a text with the one stored beside the tests, or store it anew."""

    def compare(path: Path, actual: str) -> None:
        if request.config.getoption("--snapshot-update"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(actual, encoding="utf-8")
            return
        expected = path.read_text(encoding="utf-8") if path.exists() else ""
        if actual != expected:
            seen = tmp_path / path.name
            seen.write_text(actual, encoding="utf-8")
            pytest.fail(f"{path.name} differs from what is stored; what came out is in {seen}")

    return compare


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[LocalCluster]":
    # Imports Dask, which most runs of some tests do without.
    from tests.agents.dask_cluster import LocalCluster

    with LocalCluster(tmp_path_factory.mktemp("dask")) as cluster:
        yield cluster


@pytest.fixture
def cluster(scheduler: "LocalCluster") -> "LocalCluster":
    """A Dask cluster with two workers."""
    scheduler.have_workers(2)
    return scheduler
