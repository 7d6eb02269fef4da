"""Runs a training of the Lab without its screens: `python -m tests.app.lab_process HOME`.

Prints the kind of each report and then waits, so that a test can kill it.
"""

import sys
from multiprocessing import resource_tracker
from pathlib import Path
from threading import Event

from app.home.locations import Locations
from app.lab.jobs import Report
from app.lab.run import Run
from app.records.history import History
from tests.app.lab_driving import tiny


def main(home: Path) -> None:
    resource_tracker.ensure_running()

    def listen(run: Run, report: Report) -> None:
        print(type(report).__name__, flush=True)

    locations = Locations(home)
    Run(tiny(32), locations, History(locations.history), listen).start()
    Event().wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
