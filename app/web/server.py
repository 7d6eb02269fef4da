"""Serving the app: a process and a home folder for each visitor.

A visitor is known by a cookie that nobody can guess. What visitors keep lies below the
server's own home folder, each in a folder named after a digest of that cookie, so that
neither the page nor the list of folders gives anybody's cookie away.
"""

import asyncio
import contextlib
import hashlib
import re
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from app.logfile import LOG

PAGE: Final = Path(__file__).parent / "page.html"
COOKIE: Final = "kibitz_visitor"
_A_YEAR: Final = 365 * 24 * 3600
_TOKEN: Final = re.compile(r"[0-9a-f]{64}")
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1", "[::1]")
_PATIENCE: Final = 10.0
"""Seconds a process may take to end before it is stopped."""

_FONT_SIZES: Final = range(6, 41)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there."""
    return host in _LOOPBACK


def visitor_home(server_home: Path, token: str) -> Path:
    """Where a visitor's files are."""
    digest = hashlib.sha256(token.encode()).hexdigest()
    return server_home / "visitors" / digest[:32]


class VisitorProcess(AppService):
    """The app for one visitor, in a process of its own."""

    def __init__(self, home: Path, **connection: Any) -> None:
        super().__init__("kibitz", **connection)
        self._home = home

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        environment = self._build_environment(width=width, height=height)
        environment["KIBITZ_HOME"] = str(self._home)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "app"),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=environment,
        )
        self._process, self._stdin = process, process.stdin
        return process

    async def stop(self) -> None:
        """Let the app save and end; one that does not is stopped."""
        try:
            await asyncio.wait_for(super().stop(), _PATIENCE)
        except TimeoutError:
            LOG.warning("A visitor's app did not end by itself")
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError, TimeoutError):
                await asyncio.wait_for(process.wait(), _PATIENCE)
            with contextlib.suppress(ProcessLookupError):
                process.kill()


class KibitzServer(Server):
    """Pages, cookies and limits around textual-serve's terminal in a browser."""

    def __init__(self, host: str, port: int, home: Path, visitors: int, idle: float) -> None:
        """visitors: how many may play at once; idle: seconds without a key before a visitor
        has to make room."""
        super().__init__("kibitz", host=host, port=port, title="Kibitz")
        self._home = home
        self._most = visitors
        self._idle = idle
        self.playing = 0

    def initialize_logging(self) -> None:
        """Kibitz keeps its own log."""

    async def on_startup(self, app: web.Application) -> None:
        print(f"Kibitz is on {self.public_url}; Ctrl+C ends it.", flush=True)

    async def handle_index(self, request: web.Request) -> web.Response:
        self._check_host(request)
        if self.playing >= self._most:
            text = "Every table is taken; please come back in a few minutes."
            return web.Response(status=503, text=text, headers={"Retry-After": "60"})
        size = to_int(request.query.get("fontsize", "16"), 16)
        size = size if size in _FONT_SIZES else 16
        page = PAGE.read_text(encoding="utf-8").replace("{{ font_size }}", str(size))
        response = web.Response(text=page, content_type="text/html")
        if self._token(request) is None:
            response.set_cookie(
                COOKIE, secrets.token_hex(32), max_age=_A_YEAR, httponly=True, samesite="Strict"
            )
        return response

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        self._check_host(request)
        if request.headers.get("Origin", "").partition("://")[2] != request.host:
            raise web.HTTPForbidden(text="Open the page itself to play.")
        token = self._token(request)
        if token is None:
            raise web.HTTPForbidden(text="Allow cookies: one tells your matches from others'.")
        websocket = web.WebSocketResponse(heartbeat=15, max_msg_size=1 << 16)
        await websocket.prepare(request)
        if self.playing >= self._most:
            await websocket.close()
            return websocket
        self.playing += 1
        try:
            await self._serve_visitor(websocket, visitor_home(self._home, token), request)
        finally:
            self.playing -= 1
        return websocket

    async def _serve_visitor(
        self, websocket: web.WebSocketResponse, home: Path, request: web.Request
    ) -> None:
        process = VisitorProcess(
            home,
            write_bytes=websocket.send_bytes,
            write_str=websocket.send_str,
            close=websocket.close,
            download_manager=self.download_manager,
        )
        width = to_int(request.query.get("width", "80"), 80)
        height = to_int(request.query.get("height", "24"), 24)
        await process.start(width, height)
        LOG.info("A visitor sits down, %d at play", self.playing)
        conversation = asyncio.ensure_future(self._converse(websocket, process))
        try:
            await conversation
        except Exception:
            LOG.exception("A visitor's connection broke")
        finally:
            conversation.cancel()
            await process.stop()
            await websocket.close()
            LOG.info("A visitor has left")

    async def _converse(self, websocket: web.WebSocketResponse, process: VisitorProcess) -> None:
        """Pass keys on until the visitor leaves or does nothing for too long."""
        loop = asyncio.get_running_loop()
        last_key = loop.time()
        while True:
            left = last_key + self._idle - loop.time()
            if left <= 0:
                LOG.info("A visitor did nothing for %g s", self._idle)
                return
            try:
                message = await websocket.receive(timeout=left)
            except TimeoutError:
                continue
            if message.type in (web.WSMsgType.CLOSE, web.WSMsgType.CLOSING, web.WSMsgType.CLOSED):
                return
            if message.type != web.WSMsgType.TEXT:
                continue
            match _envelope(message):
                case ["stdin", str(keys)]:
                    last_key = loop.time()
                    await process.send_bytes(keys.encode())
                case ["resize", {"width": int(width), "height": int(height)}]:
                    await process.set_terminal_size(width, height)
                case ["ping", data]:
                    await websocket.send_json(["pong", data])
                case ["blur", *_]:
                    await process.blur()
                case ["focus", *_]:
                    await process.focus()

    def _check_host(self, request: web.Request) -> None:
        """A page elsewhere must not reach a server that is meant for this machine."""
        name = request.host.rpartition(":")[0] or request.host
        if is_loopback(self.host) and not is_loopback(name):
            raise web.HTTPForbidden(text="This server is for its own machine only.")

    @staticmethod
    def _token(request: web.Request) -> str | None:
        token = request.cookies.get(COOKIE, "")
        return token if _TOKEN.fullmatch(token) else None


def _envelope(message: Any) -> object:
    try:
        return message.json()
    except ValueError:
        return None
