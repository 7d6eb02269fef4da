"""The main functions of the two processes of the stage.

Heavy modules are imported in the functions: numpy reads the environment when it is imported.
"""

from collections.abc import Callable
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from app.home.process import kill_group, prepare_process, use_one_core
from app.lab.notices import Failed
from app.lab.stage.reports import Report, Snapshot, Subject


def train_on_stage(
    subject: Subject, app: "Connection[Any, Any]", evaluator: "Connection[Any, Any]"
) -> None:
    """Main function of the trainer."""
    _prepare()
    from app.lab.stage.trainer import Orders, Trainer

    orders = Orders()
    _follow(app, orders.take)

    def offer(snapshot: Snapshot) -> None:
        try:
            evaluator.send(snapshot)
        except OSError:
            return

    def wanted() -> bool:
        """Whether the evaluator has asked since the last call."""
        try:
            asked = evaluator.poll()
            while evaluator.poll():
                evaluator.recv()
        except (EOFError, OSError):
            return False
        return asked

    _until_failure(app, lambda: Trainer(subject, orders, app.send, offer, wanted).run())


def evaluate_on_stage(
    subject: Subject, app: "Connection[Any, Any]", trainer: "Connection[Any, Any]"
) -> None:
    """Main function of the evaluator."""
    _prepare()
    from app.lab.stage.evaluator import Evaluator, Inbox

    inbox = Inbox()
    _follow(app, lambda order: None)

    def receive() -> None:
        while True:
            try:
                inbox.put(trainer.recv())
            except (EOFError, OSError):
                return

    def request() -> None:
        try:
            trainer.send(True)
        except OSError:
            return

    def run() -> None:
        evaluator = Evaluator(subject, app.send, request)
        Thread(target=receive, daemon=True).start()
        evaluator.begin()
        while True:
            evaluator.work(inbox.take())

    _until_failure(app, run)


def _prepare() -> None:
    prepare_process()
    use_one_core()


def _follow(app: "Connection[Any, Any]", take: Callable[[Any], None]) -> None:
    """Take orders in a thread. When the app is gone, end."""

    def listen() -> None:
        while True:
            try:
                order = app.recv()
            except (EOFError, OSError):
                kill_group()
                return
            take(order)

    Thread(target=listen, daemon=True).start()


def _until_failure(app: "Connection[Any, Any]", run: Callable[[], None]) -> None:
    report: Report
    try:
        run()
    except Exception as error:
        sentence = (
            str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        )
        report = Failed(f"The learner had to stop ({sentence.rstrip('.')}).")
        app.send(report)
