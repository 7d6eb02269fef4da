"""The attacks of `make attack` on running programs: races, full disks, kills and the server."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

from app.match.past import Past
from app.match.seating import plan_table
from app.records.history import History
from app.records.journal import read_journal
from tests.app.journals import keeper_of, play_at_random
from tests.bench.attacks import LOST, ROOT, Fault, Try, mutated


def races(rng: Random, folder: Path) -> Iterator[Try]:
    """Four windows start the same match in the same second."""

    def start(number: int) -> str:
        home = folder / str(number)
        plan = plan_table("euchre", seed=7)
        begin = threading.Barrier(4)
        paths = []

        def window() -> None:
            journal = keeper_of(home).begin(plan, 7, None)
            begin.wait()
            journal.action(0, "pass", flush=False)
            paths.append(journal.path)
            journal.close()

        windows = [threading.Thread(target=window) for _ in range(4)]
        for each in windows:
            each.start()
        for each in windows:
            each.join()
        whole = [path for path in set(paths) if len(path.read_text().splitlines()) == 2]
        shutil.rmtree(home)
        return "" if len(whole) == 4 else LOST

    number = 0
    while True:
        number += 1
        yield partial(start, number)


def full_disks(rng: Random, folder: Path) -> Iterator[Try]:
    """The disk is full for a while during a match; afterwards everything is there."""
    import app.records.journal_file as journal_file

    def play(since: int, until: int, number: int) -> str:
        home = folder / str(number)
        keeper = keeper_of(home)
        journal = keeper.begin(plan_table("truco", seed=number), number, None)
        state = journal.setup.deal()
        taken = play_at_random(journal.setup.deal(), seed=number)
        write = os.write
        full = False

        def limited(file: int, data: bytes) -> int:
            if full:
                raise OSError(28, "No space left on device")
            return write(file, data)

        journal_file.os.write = limited  # type: ignore[attr-defined]
        try:
            for at, action in enumerate(taken):
                full = since <= at < until
                journal.action(state.turn, state.label(action), flush=False)
                state.apply(action)
            keeper.finish(journal, state, Past())
            journal.close()
        finally:
            journal_file.os.write = write  # type: ignore[attr-defined]
        keeper.save_rest()
        recorded = read_journal(journal.path)
        kept = len(History(home / "history.db").matches())
        shutil.rmtree(home)
        return (
            ""
            if recorded.finished and len(recorded.past.actions) == len(taken) and kept == 1
            else LOST
        )

    number = 0
    while True:
        number += 1
        since = rng.randrange(60)
        yield partial(play, since, since + rng.randrange(1, 200), number)


_WRITER = """
import sys
from pathlib import Path
from dataclasses import replace
from app.records.history import History
from tests.bench.attacks import MATCH
history = History(Path(sys.argv[1]))
number = 0
while True:
    history.add_match(replace(MATCH, hands=number))
    print(number, flush=True)
    number += 1
"""


def kills(rng: Random, folder: Path) -> Iterator[Try]:
    """`kill -9` while results are saved; whatever was reported as saved is there."""

    def kill(lines: int, number: int) -> str:
        path = folder / f"{number}.db"
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert writer.stdout is not None
        saved = -1
        for line in writer.stdout:
            saved = int(line)
            if saved >= lines:
                break
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        history = History(path)
        found = {match.hands for match in history.matches()}
        return "" if found >= set(range(saved + 1)) and not history.notices else LOST

    number = 0
    while True:
        number += 1
        yield partial(kill, rng.randrange(1, 12), number)


def server_abuse(rng: Random, folder: Path) -> Iterator[Try]:
    """Garbage, half requests and foreign names; the page still answers each time."""
    from aiohttp import web

    from app.web.limits import Limits
    from app.web.server import KibitzServer

    loop = asyncio.new_event_loop()
    server = KibitzServer("127.0.0.1", 0, folder, Limits(head=1.0, connections_per_address=100))
    server.initialize_logging()
    state: dict[str, int] = {}
    ready = threading.Event()

    async def serve() -> None:
        runner = web.AppRunner(await server._make_app(), access_log=None)
        await runner.setup()
        listening = await server.listen(runner)
        state["port"] = listening.sockets[0].getsockname()[1]
        ready.set()

    serving = loop.create_task(serve())
    threading.Thread(target=loop.run_forever, daemon=True).start()
    if not ready.wait(20):
        raise Fault(f"the server does not start: {serving}")
    heads = [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /download/x HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: kibitz_visitor=a\r\n\r\n",
        b"GET /static/../../../etc/passwd HTTP/1.1\r\nHost: evil\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999\r\n\r\n",
    ]

    def ask(data: bytes) -> str:
        from socket import create_connection

        with create_connection(("127.0.0.1", state["port"]), timeout=2) as half, suppress(OSError):
            half.sendall(data)
        with create_connection(("127.0.0.1", state["port"]), timeout=2) as whole:
            whole.sendall(b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            answer = whole.recv(4096)
        if b"200 OK" not in answer[:30]:
            raise Fault(f"no page: {answer[:60]!r}")
        return ""

    while True:
        head = rng.choice(heads)
        yield partial(ask, mutated(head, rng) if rng.random() < 0.7 else head)
