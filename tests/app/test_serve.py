"""`kibitz serve`: access, what visitors can reach, and how visits end."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from http.cookies import SimpleCookie
from pathlib import Path
from socket import socket
from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from app.cli import run
from app.home.visitor import LAB_SECONDS, VISITOR, lab_seconds, lab_workers
from app.web.limits import Limits, folder_size, remove_old_visitors
from app.web.server import COOKIE, FULL, PAGE, KibitzServer, is_loopback
from app.web.visitor import limited, visitor_home
from tests.app.terminal import processes_in

PATIENCE = 120.0
MINUTE = 60.0
TOKEN = "a1" * 32
OTHER = "b2" * 32


@asynccontextmanager
async def client(
    home: Path, host: str = "127.0.0.1", visitors: int = 5, idle: float = 60 * MINUTE
) -> AsyncIterator[TestClient]:  # type: ignore[type-arg]
    """A client of a server for this host."""
    server = KibitzServer(host, 8000, home, Limits(visitors), idle)
    async with TestClient(TestServer(await server._make_app())) as visitor:
        yield visitor


@asynccontextmanager
async def visit(
    visitor: TestClient,  # type: ignore[type-arg]
    token: str = TOKEN,
    size: str = "width=100&height=30",
) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """The connection that the page opens."""
    origin = str(visitor.make_url("/")).rstrip("/")
    async with visitor.ws_connect(f"/ws?{size}", headers=headers(token, origin)) as websocket:
        yield websocket


def headers(token: str, origin: str) -> dict[str, str]:
    return {"Cookie": f"{COOKIE}={token}", "Origin": origin}


async def until_shown(websocket: aiohttp.ClientWebSocketResponse, words: bytes) -> None:
    """Read until these words are drawn."""
    seen = b""
    async with asyncio.timeout(PATIENCE):
        while words not in seen:
            message = await websocket.receive()
            assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), seen[-500:]
            if message.type == aiohttp.WSMsgType.BINARY:
                seen += message.data


async def until_closed(websocket: aiohttp.ClientWebSocketResponse) -> aiohttp.WSMessage:
    async with asyncio.timeout(PATIENCE):
        while True:
            message = await websocket.receive()
            if message.type not in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT):
                return message


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.05)


def listens(port: int) -> bool:
    with socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


# The command


@pytest.mark.parametrize(
    ("host", "warned"),
    [("127.0.0.1", False), ("localhost", False), ("::1", False), ("0.0.0.0", True), ("::", True)],
)
def test_warning_unless_only_this_machine_can_connect(
    host: str,
    warned: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    served: list[str] = []
    monkeypatch.setattr(KibitzServer, "serve", lambda server: served.append(server.host))
    assert run(["serve", "--host", host, "--home", str(tmp_path)]) == 0
    assert served == [host]
    assert ("without a password" in capsys.readouterr().err) is warned


def test_default_address_is_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[str] = []
    monkeypatch.setattr(KibitzServer, "serve", lambda server: served.append(server.public_url))
    assert run(["serve", "--home", str(tmp_path)]) == 0
    assert served == ["http://127.0.0.1:8000"]


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--port", "0"], "--port is 0"),
        (["--visitors", "0"], "--visitors is 0"),
        (["--idle", "0"], "--idle is 0"),
        (["--idle", "nan"], "--idle is nan"),
    ],
)
def test_wrong_flags_are_one_line(
    flags: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", *flags, "--home", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert len(error.splitlines()) == 1


def test_is_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.8.8", "localhost", "::1", "[::1]")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "10.0.0.1", "kibitz.example", "")))


# The page


def test_page_declares_each_name_once() -> None:
    """A second `const` of a name stops the whole script, and no table opens."""
    names = re.findall(r"(?:const|let) (\w+)", PAGE.read_text(encoding="utf-8"))
    assert "terminal" in names
    assert len(names) == len(set(names))


async def test_cookie_is_hidden_from_scripts_and_other_sites(
    tmp_path: Path,
) -> None:
    async with client(tmp_path) as visitor:
        answer = await visitor.get("/")
        assert answer.status == 200
        cookie = SimpleCookie(answer.headers["Set-Cookie"])[COOKIE]
        assert len(cookie.value) == 64
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"
        assert answer.headers["X-Frame-Options"] == "DENY"
        again = await visitor.get("/", headers={"Cookie": f"{COOKIE}={cookie.value}"})
        assert "Set-Cookie" not in again.headers


async def test_foreign_host_names_are_refused(tmp_path: Path) -> None:
    async with client(tmp_path) as visitor:
        for path in ("/", "/ws", "/static/js/textual.js", "/download/x"):
            answer = await visitor.get(path, headers={"Host": "evil.example:8000"})
            assert answer.status == 403, path
        for host in ("localhost:8000", "127.0.0.1", "[::1]:8000", "[::1]"):
            assert (await visitor.get("/", headers={"Host": host})).status == 200, host
    async with client(tmp_path, host="0.0.0.0") as visitor:
        assert (await visitor.get("/", headers={"Host": "kibitz.example"})).status == 200


async def test_no_other_files_are_served(tmp_path: Path) -> None:
    async with client(tmp_path) as visitor:
        for path in (
            "/static/../server.py",
            "/static/%2e%2e/server.py",
            "/static/..%2f..%2f..%2fetc/passwd",
            "/static//etc/passwd",
            "/download/..%2f..%2fetc%2fpasswd",
        ):
            url = visitor.make_url("/").with_path(path, encoded=True)
            answer = await visitor.session.get(url)
            assert answer.status in (403, 404), path
            assert "root:" not in await answer.text()


# A visit


@pytest.mark.parametrize(
    ("token", "origin"),
    [
        (TOKEN, "http://evil.example"),
        (TOKEN, "null"),
        (TOKEN, ""),
        (TOKEN, "http://127.0.0.1:1"),
        ("", None),
        ("../../etc", None),
        (TOKEN + "a", None),
        (TOKEN.upper(), None),
    ],
)
async def test_foreign_page_or_invented_cookie_is_refused(
    token: str, origin: str | None, tmp_path: Path
) -> None:
    async with client(tmp_path) as visitor:
        own = str(visitor.make_url("/")).rstrip("/")
        answer = await visitor.get("/ws", headers=headers(token, own if origin is None else origin))
        assert answer.status == 403
    assert not (tmp_path / "visitors").exists()


async def test_each_visitor_has_a_home_and_a_process(tmp_path: Path) -> None:
    mine, yours = visitor_home(tmp_path, TOKEN), visitor_home(tmp_path, OTHER)
    assert mine != yours
    assert mine.parent == yours.parent == tmp_path / "visitors"
    async with client(tmp_path) as visitor:
        async with visit(visitor) as first, visit(visitor, OTHER) as second:
            await until_shown(first, b"Notty")
            await until_shown(second, b"Notty")
            assert processes_in(mine)
            assert processes_in(yours)
        await until(lambda: not processes_in(mine) and not processes_in(yours))
    for home in (mine, yours):
        assert "Kibitz closes" in (home / "log" / "kibitz.log").read_text()
        assert TOKEN not in str(home)


@pytest.mark.slow
async def test_crash_of_the_app_ends_the_visit(tmp_path: Path) -> None:
    async with client(tmp_path) as visitor, visit(visitor) as websocket:
        await until_shown(websocket, b"Notty")
        for process in processes_in(visitor_home(tmp_path, TOKEN)):
            os.kill(process, signal.SIGKILL)
        assert (await until_closed(websocket)).type == aiohttp.WSMsgType.CLOSE


@pytest.mark.slow
async def test_invalid_messages_are_ignored(tmp_path: Path) -> None:
    async with client(tmp_path) as visitor, visit(visitor) as websocket:
        for nonsense in ("", "[", "{}", "[]", '["stdin"]', '["stdin", 5]', '["resize", {}]'):
            await websocket.send_str(nonsense)
        await websocket.send_bytes(b"\xff")
        await websocket.send_str('["stdin", "\\ud800"]')
        await websocket.send_str(json.dumps(["resize", {"width": 10**9, "height": -4}]))
        await websocket.send_str(json.dumps(["resize", {"width": 100, "height": 30}]))
        await until_shown(websocket, b"Notty")


def test_screen_size_is_limited() -> None:
    assert [limited(cells) for cells in (-5, 0, 80, 500, 10**9)] == [1, 1, 80, 500, 500]


@pytest.mark.slow
async def test_full_server_turns_visitors_away(tmp_path: Path) -> None:
    async with client(tmp_path, visitors=1) as visitor, visit(visitor) as first:
        await until_shown(first, b"Notty")
        answer = await visitor.get("/")
        assert answer.status == 503
        assert FULL in await answer.text()
        async with visit(visitor, OTHER) as second:
            closing = await until_closed(second)
            assert closing.extra == FULL
    assert not visitor_home(tmp_path, OTHER).exists()


@pytest.mark.slow
async def test_idle_visitor_is_evicted(tmp_path: Path) -> None:
    async with client(tmp_path, idle=0.5) as visitor, visit(visitor) as websocket:
        closing = await until_closed(websocket)
        assert closing.extra == "You were idle for a while; your match is saved."
    await until(lambda: not processes_in(visitor_home(tmp_path, TOKEN)))


@pytest.mark.slow
async def test_killing_the_server_ends_the_apps(tmp_path: Path, unused_tcp_port: int) -> None:
    port = unused_tcp_port
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "app", "serve", "--port", str(port), "--home", str(tmp_path)),
        cwd=Path(__file__).parents[2],
        stdout=PIPE,
    )
    assert server.stdout is not None
    assert str(port).encode() in await server.stdout.readline()
    await until(lambda: listens(port))
    address = f"http://127.0.0.1:{port}"
    home = visitor_home(tmp_path, TOKEN)
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{address}/ws", headers=headers(TOKEN, address)) as websocket,
    ):
        await until_shown(websocket, b"Notty")
        server.kill()
        await server.wait()
        await until(lambda: not processes_in(home))
    log = (home / "log" / "kibitz.log").read_text()
    assert "The server has ended" in log
    assert "Kibitz closes" in log


# Limits


@pytest.mark.slow
async def test_heartbeat_does_not_keep_an_idle_visitor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.server.HEARTBEAT", 0.1)
    async with client(tmp_path, idle=1.5) as visitor, visit(visitor) as websocket:
        async with asyncio.timeout(30):
            closing = await until_closed(websocket)
        assert closing.extra == "You were idle for a while; your match is saved."


@pytest.mark.slow
async def test_visits_of_one_browser_and_one_address_are_limited(tmp_path: Path) -> None:
    server = KibitzServer("127.0.0.1", 8000, tmp_path, Limits(9, per_cookie=1, per_address=2))
    async with (
        TestClient(TestServer(await server._make_app())) as visitor,
        visit(visitor) as first,
        visit(visitor, OTHER) as second,
    ):
        await until_shown(first, b"Notty")
        await until_shown(second, b"Notty")
        for token in (TOKEN, "c3" * 32):
            async with visit(visitor, token) as third:
                assert (await until_closed(third)).extra == FULL
        assert server.playing == 2
    assert server.playing == 0
    assert not server._visits


async def test_every_response_has_a_policy(tmp_path: Path) -> None:
    async with client(tmp_path) as visitor:
        for path in ("/", "/nothing", "/static/js/textual.js", "/ws", "/download/x"):
            answer = await visitor.get(path)
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy, path
            assert "'unsafe-eval'" not in policy
            assert "script-src 'self' 'unsafe-inline'" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        page = await (await visitor.get("/")).text()
        assert "onclick" not in page
        assert "{{" not in page
        assert 'name="viewport"' in page


async def test_download_belongs_to_its_visitor(tmp_path: Path) -> None:
    server = KibitzServer("127.0.0.1", 8000, tmp_path, Limits())
    owner = SimpleNamespace(home=visitor_home(tmp_path, TOKEN))
    await server.download_manager.create_download(
        app_service=owner,  # type: ignore[arg-type]
        delivery_key="key",
        file_name="a.csv",
        open_method="download",
        mime_type="text/csv",
    )
    async with TestClient(TestServer(await server._make_app())) as visitor:
        for cookie in ({}, {"Cookie": f"{COOKIE}={OTHER}"}):
            assert (await visitor.get("/download/key", headers=cookie)).status == 404
        assert (await visitor.get("/download/none")).status == 404


async def test_silent_connections_do_not_exhaust_the_server(
    tmp_path: Path, unused_tcp_port: int
) -> None:
    """260 sockets send half a request each, and the page still answers."""
    limits = Limits(connections=64, connections_per_address=32, head=0.5)
    server = KibitzServer("127.0.0.1", unused_tcp_port, tmp_path, limits)
    runner = web.AppRunner(await server._make_app())
    await runner.setup()
    listening = await server.listen(runner)
    streams = []
    async with asyncio.timeout(PATIENCE):
        for _ in range(260):
            reader, writer = await asyncio.open_connection("127.0.0.1", unused_tcp_port)
            writer.write(b"GET / HTTP/1.1\r\nHost: x")
            streams.append((reader, writer))
        for reader, _ in streams:
            with suppress(ConnectionError):
                await reader.read()
        assert not server._connections
        async with aiohttp.ClientSession() as session:
            answer = await session.get(f"http://127.0.0.1:{unused_tcp_port}/")
            assert answer.status == 200
    for _, writer in streams:
        writer.close()
    listening.close()
    await runner.cleanup()


@pytest.mark.parametrize(
    "sent", [b"\x16\x03\x01\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000 + b"\r\n\r\n"]
)
async def test_answers_to_what_is_no_request_have_the_headers(
    sent: bytes, tmp_path: Path, unused_tcp_port: int
) -> None:
    server = KibitzServer("127.0.0.1", unused_tcp_port, tmp_path, Limits())
    runner = web.AppRunner(await server._make_app())
    await runner.setup()
    listening = await server.listen(runner)
    reader, writer = await asyncio.open_connection("127.0.0.1", unused_tcp_port)
    writer.write(sent)
    head, _, _ = (await reader.read()).partition(b"\r\n\r\n")
    assert b" 400 " in head.splitlines()[0]
    for name in (b"Content-Security-Policy", b"X-Frame-Options", b"X-Content-Type-Options"):
        assert name in head
    writer.close()
    listening.close()
    await runner.cleanup()


def test_old_visitors_are_removed(tmp_path: Path) -> None:
    for name, days in (("old", 31), ("new", 1)):
        (tmp_path / name / "games").mkdir(parents=True)
        (tmp_path / name / "games" / "x").write_bytes(b"x" * 100)
        os.utime(tmp_path / name, (1e9 - days * 86400, 1e9 - days * 86400))
    (tmp_path / "link").symlink_to("/")
    assert folder_size(tmp_path / "new") == 100
    assert remove_old_visitors(tmp_path, now=1e9) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "new"]


def test_limits_of_a_visitor_are_set() -> None:
    """In a process of its own: limits cannot be lifted again."""
    code = (
        "from app.home.visitor import restrict_visitor; import resource as r; restrict_visitor(); "
        "print([r.getrlimit(k)[0] for k in (r.RLIMIT_AS, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, "
        "r.RLIMIT_CPU)])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert all(0 < limit < 1 << 40 for limit in json.loads(found.stdout))


def test_lab_of_a_visitor_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (lab_workers(8), lab_seconds()) == (8, float("inf"))
    monkeypatch.setenv(VISITOR, "1")
    assert (lab_workers(8), lab_seconds()) == (1, LAB_SECONDS)
