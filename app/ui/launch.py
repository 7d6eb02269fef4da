"""Runs the app in the terminal."""

import gc
import os
import sys
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

from app.home.locations import Locations
from app.home.log import LOG, open_log

if TYPE_CHECKING:
    from textual.message import Message

    from app.match.seating import TablePlan
    from app.records.journal import Recorded

_TURN = 0.001
"""Seconds for which the thread of an agent may hold the interpreter. A key press passes several
threads before it shows, and each may wait this long."""


def open_app(
    locations: Locations,
    ascii_only: bool = False,
    plan: "TablePlan | None" = None,
    delay: float | None = None,
    replay: "Recorded | None" = None,
    stage: tuple[str, str] | None = None,
    first: "Message | None" = None,
    coach_now: bool = False,
) -> int:
    """Run the app and return its exit status. Parameters: see KibitzApp."""
    locations.prepare()
    if "TEXTUAL_DRIVER" not in os.environ and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("Kibitz needs a terminal; run it in one, without redirection.")
    # No garbage is created before the first screen; the app collects it later.
    gc.disable()
    from app.ui.app import KibitzApp

    # The resource tracker cannot be started while the app runs, and processes need it.
    resource_tracker.ensure_running()
    if "utf" not in (sys.stdout.encoding or "").lower():
        ascii_only = True
    open_log(locations.log)
    LOG.info("Kibitz opens")
    app = KibitzApp(
        locations,
        plan,
        ascii_only,
        delay,
        replay=replay,
        stage=stage,
        first=first,
        coach_now=coach_now,
    )
    sys.setswitchinterval(_TURN)
    try:
        app.run()
    finally:
        app.close_laboratory()
        app.save_results()
        gc.enable()
    LOG.info("Kibitz closes")
    return 2 if app.return_code else 0
