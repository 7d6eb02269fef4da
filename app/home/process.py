"""What all processes of the app have in common. Imports nothing heavy."""

import os
import signal
from multiprocessing import set_start_method
from typing import Final

_NICENESS: Final = 10
"""Lowers the priority of the process, so that the screen stays responsive."""

_ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def prepare_process() -> None:
    """Give this process a group of its own, a low priority and no terminal."""
    os.setsid()
    os.nice(_NICENESS)
    with open(os.devnull, "w") as nowhere:
        # The terminal belongs to the app: not even a warning may be printed on it.
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    set_start_method("spawn", force=True)


def use_one_core() -> None:
    """Keep numpy from starting threads, which would hinder each other. Call it before numpy is
    imported."""
    for name in _ONE_THREAD:
        os.environ[name] = "1"


def kill_group() -> None:
    """Kill this process and its workers, because the app is gone."""
    os.killpg(0, signal.SIGKILL)
