"""Opens the app on a terminal, for whichever command asked for it."""

import gc
import os
import sys
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

from app.home.locations import Locations
from app.home.log import LOG, open_log

if TYPE_CHECKING:
    from app.match.seating import TablePlan
    from app.records.journal import Recorded

_TURN = 0.001
"""Seconds that a thread in which an agent thinks may keep the others waiting: a key goes
through several hands before it shows, and each may have to wait that long."""


def open_app(
    locations: Locations,
    ascii_only: bool = False,
    plan: "TablePlan | None" = None,
    delay: float | None = None,
    replay: "Recorded | None" = None,
) -> int:
    """Run the app until it is left; its exit status. What is handed on: see KibitzApp."""
    locations.prepare()
    if "TEXTUAL_DRIVER" not in os.environ and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("Kibitz draws on a whole terminal; run it in one, without redirection.")
    # Nothing that is made before the first screen is painted is garbage; the app looks for
    # some when it has got ready.
    gc.disable()
    from app.ui.app import KibitzApp

    # Processes can be started while the app runs only if this helper of theirs was before it.
    resource_tracker.ensure_running()
    if "utf" not in (sys.stdout.encoding or "").lower():
        ascii_only = True
    open_log(locations.log)
    LOG.info("Kibitz opens")
    app = KibitzApp(locations, plan, ascii_only, delay, replay=replay)
    sys.setswitchinterval(_TURN)
    try:
        app.run()
    finally:
        app.close_laboratory()
        gc.enable()
    LOG.info("Kibitz closes")
    return 2 if app.return_code else 0
