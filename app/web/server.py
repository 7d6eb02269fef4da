"""Serves the app, with one process and one home folder for each visitor.

A random cookie identifies a visitor. The visitor's folder is below the server's home folder and
is named after a digest of the cookie, so the names of the folders do not reveal the cookies.
"""

import asyncio
import logging
import os
import re
import secrets
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, web
from textual_serve.server import Server, to_int

from app.home.log import LOG
from app.home.output import say
from app.web.limits import DISK, Limits, folder_size, remove_old_visitors
from app.web.visitor import VisitorProcess, visitor_home

PAGE: Final = Path(__file__).parent / "page.html"
FULL_PAGE: Final = Path(__file__).parent / "full.html"
COOKIE: Final = "kibitz_visitor"
FULL: Final = "Every table is taken; please come back in a few minutes."
_A_YEAR: Final = 365 * 24 * 3600
_TOKEN: Final = re.compile(r"[0-9a-f]{64}")
_FONT_SIZES: Final = range(6, 41)
HEARTBEAT: Final = 15.0
"""Seconds between two signs of life that the server asks of a browser."""

_A_DAY: Final = 24 * 3600.0
_LOOK_AT_FILES: Final = 30.0
"""Seconds between two looks at the size of a visitor's files."""

_TOO_MUCH: Final = "Your files take too much space here."
_STOPS: Final = "The server stops; your match is saved."
_NO_LOG: Final = logging.getLogger("kibitz.access")
_POLICY: Final = "Content-Security-Policy"
_HEADERS: Final = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
"""These headers also forbid other pages to embed this one, against clickjacking."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server on this host."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class KibitzServer(Server):
    """Adds pages, cookies and limits to textual-serve's terminal in a browser."""

    def __init__(
        self, host: str, port: int, home: Path, limits: Limits, idle: float = 1800.0
    ) -> None:
        """idle: seconds without a key after which a visitor is disconnected"""
        super().__init__("kibitz", host=host, port=port, title="Kibitz")
        self._home = home
        self._limits = limits
        self._idle = idle
        self._visits: Counter[str] = Counter()
        self._sockets: set[web.WebSocketResponse] = set()
        self._connections: Counter[str] = Counter()

    @property
    def playing(self) -> int:
        """How many visitors are playing."""
        return len(self._sockets)

    # Connections

    def serve(self, debug: bool = False) -> None:
        """Serve until a signal arrives. Raises OSError if the address cannot be used."""
        self.initialize_logging()
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        runner = web.AppRunner(
            await self._make_app(), handle_signals=False, access_log=None, shutdown_timeout=5.0
        )
        await runner.setup()
        try:
            listening = await self.listen(runner)
            await stop.wait()
            listening.close()
        finally:
            await runner.cleanup()

    async def listen(self, runner: web.AppRunner) -> asyncio.Server:
        """Listen with limits on connections."""
        loop = asyncio.get_running_loop()
        assert runner.server is not None
        manager = runner.server
        return await loop.create_server(
            lambda: LimitedHandler(self, manager, loop), self.host, self.port, backlog=128
        )

    def admit(self, address: str) -> bool:
        """Count a new connection. Returns whether there is room for it."""
        self._connections[address] += 1
        return (
            self._connections.total() <= self._limits.connections
            and self._connections[address] <= self._limits.connections_per_address
        )

    def dismiss(self, address: str) -> None:
        self._connections[address] -= 1
        if self._connections[address] <= 0:
            del self._connections[address]

    @property
    def head_seconds(self) -> float:
        return self._limits.head

    def initialize_logging(self) -> None:
        """Kibitz has its own log. Bad requests are not worth a line, let alone on the screen."""
        for name in ("aiohttp.server", "aiohttp.web", "asyncio"):
            logger = logging.getLogger(name)
            logger.propagate = False
            logger.addHandler(logging.NullHandler())

    async def on_startup(self, app: web.Application) -> None:
        folder = self._home / "visitors"
        removed = await asyncio.to_thread(remove_old_visitors, folder)
        LOG.info("%d folders of old visitors were removed", removed)
        self._housekeeping = asyncio.create_task(self._keep_house(folder))
        say(f"Kibitz is on {self.public_url}; Ctrl+C stops it.")

    async def on_shutdown(self, app: web.Application) -> None:
        self._housekeeping.cancel()
        for websocket in list(self._sockets):
            await _close(websocket, WSCloseCode.GOING_AWAY, _STOPS)

    async def _keep_house(self, folder: Path) -> None:
        while True:
            await asyncio.sleep(_A_DAY)
            await asyncio.to_thread(remove_old_visitors, folder)

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guard)
        app.on_response_prepare.append(_add_headers)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse foreign host names on a local server, against DNS rebinding."""
        if isinstance(request.protocol, LimitedHandler):
            request.protocol.heard = True
        if is_loopback(self.host) and not is_loopback(_name(request.host)):
            raise web.HTTPForbidden(
                text="This server accepts connections only from its own machine."
            )
        return await handler(request)

    async def handle_index(self, request: web.Request) -> web.Response:
        if self.playing >= self._limits.visitors:
            page = FULL_PAGE.read_text(encoding="utf-8").replace("{{ sentence }}", FULL)
            return web.Response(
                status=503, text=page, content_type="text/html", headers={"Retry-After": "60"}
            )
        size = to_int(request.query.get("fontsize", "16"), 16)
        size = size if size in _FONT_SIZES else 16
        nonce = secrets.token_urlsafe(16)
        page = PAGE.read_text(encoding="utf-8").replace("{{ font_size }}", str(size))
        page = page.replace("{{ nonce }}", nonce)
        response = web.Response(text=page, content_type="text/html")
        response.headers[_POLICY] = _policy(f"'nonce-{nonce}'")
        if self._token(request) is None:
            response.set_cookie(
                COOKIE, secrets.token_hex(32), max_age=_A_YEAR, httponly=True, samesite="Strict"
            )
        return response

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        if urlsplit(request.headers.get("Origin", "")).netloc != request.host:
            raise web.HTTPForbidden(text="Open the page itself to play.")
        token = self._token(request)
        if token is None:
            raise web.HTTPForbidden(text="Allow cookies: one identifies your matches.")
        websocket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=1 << 16)
        await websocket.prepare(request)
        address = request.remote or ""
        if (
            self.playing >= self._limits.visitors
            or self._visits[token] >= self._limits.per_cookie
            or self._visits[address] >= self._limits.per_address
        ):
            await _close(websocket, WSCloseCode.TRY_AGAIN_LATER, FULL)
            return websocket
        self._sockets.add(websocket)
        self._visits.update((token, address))
        try:
            await self._serve_visitor(websocket, visitor_home(self._home, token), request)
        finally:
            self._sockets.discard(websocket)
            for visited in (token, address):
                self._visits[visited] -= 1
                if not self._visits[visited]:
                    del self._visits[visited]
        return websocket

    async def handle_download(self, request: web.Request) -> web.StreamResponse:
        """Only the visitor whose app offers a file may download it."""
        token = self._token(request)
        try:
            found = await self.download_manager.get_download_metadata(request.match_info["key"])
        except KeyError:
            raise web.HTTPNotFound(text="There is no such file.") from None
        owner = getattr(found.app_service, "home", None)
        if token is None or visitor_home(self._home, token) != owner:
            raise web.HTTPNotFound(text="There is no such file.")
        return await super().handle_download(request)

    async def _serve_visitor(
        self, websocket: web.WebSocketResponse, home: Path, request: web.Request
    ) -> None:
        if await asyncio.to_thread(folder_size, home) > DISK:
            await _close(websocket, WSCloseCode.POLICY_VIOLATION, _TOO_MUCH)
            return
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.utime(home)
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
        LOG.info("A visitor has arrived, %d at play", self.playing)
        keys = LastKey(asyncio.get_running_loop().time())
        input_task = asyncio.ensure_future(self._pass_input(websocket, process, keys))
        end = asyncio.ensure_future(process.ended())
        bored = asyncio.ensure_future(self._end_when_idle(websocket, home, keys))
        try:
            await asyncio.wait((input_task, end, bored), return_when=asyncio.FIRST_COMPLETED)
            if input_task.done():
                input_task.result()
        except Exception:
            LOG.exception("A visitor's connection failed")
        finally:
            input_task.cancel()
            bored.cancel()
            await process.stop()
            end.cancel()
            await websocket.close()
            LOG.info("A visitor has left")

    async def _end_when_idle(
        self, websocket: web.WebSocketResponse, home: Path, keys: "LastKey"
    ) -> None:
        """Wait until the visitor is idle for too long or has too many files, and say so.

        This has its own clock: a timeout of `receive` would start again with every heartbeat.
        """
        loop = asyncio.get_running_loop()
        while (left := keys.time + self._idle - loop.time()) > 0:
            await asyncio.sleep(min(left, _LOOK_AT_FILES))
            if await asyncio.to_thread(folder_size, home) > DISK:
                await _close(websocket, WSCloseCode.POLICY_VIOLATION, _TOO_MUCH)
                return
        LOG.info("A visitor was idle for %g s", self._idle)
        idle = "You were idle for a while; your match is saved."
        await _close(websocket, WSCloseCode.GOING_AWAY, idle)

    async def _pass_input(
        self, websocket: web.WebSocketResponse, process: VisitorProcess, keys: "LastKey"
    ) -> None:
        """Pass the visitor's input to the app until the visitor leaves."""
        loop = asyncio.get_running_loop()
        while True:
            message = await websocket.receive()
            if message.type in (web.WSMsgType.CLOSE, web.WSMsgType.CLOSING, web.WSMsgType.CLOSED):
                return
            if message.type != web.WSMsgType.TEXT:
                continue
            match _envelope(message):
                case ["stdin", str(typed)]:
                    keys.time = loop.time()
                    await process.send_bytes(typed.encode(errors="replace"))
                case ["resize", {"width": int(width), "height": int(height)}]:
                    await process.set_terminal_size(width, height)
                case ["ping", data]:
                    await websocket.send_json(["pong", data])
                case ["blur", *_]:
                    await process.blur()
                case ["focus", *_]:
                    await process.focus()

    @staticmethod
    def _token(request: web.Request) -> str | None:
        token = request.cookies.get(COOKIE, "")
        return token if _TOKEN.fullmatch(token) else None


@dataclass(slots=True)
class LastKey:
    """When a visitor last pressed a key, on the clock of the event loop."""

    time: float


class LimitedHandler(web.RequestHandler):
    """A connection that counts. Without a request it is closed after a while."""

    __slots__ = ("_address", "_limits", "heard")

    def __init__(
        self,
        limits: KibitzServer,
        manager: web.Server,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        super().__init__(manager, loop=loop, keepalive_timeout=15.0, access_log=_NO_LOG)
        self._limits = limits
        self._address = ""
        self.heard = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        admitted = self._limits.admit(self._address)
        super().connection_made(transport)
        if not admitted:
            transport.abort()  # type: ignore[attr-defined]
            return
        loop = asyncio.get_running_loop()
        loop.call_later(self._limits.head_seconds, self._close_if_silent)

    def _close_if_silent(self) -> None:
        """Close a connection that has not sent a whole request in time."""
        if not self.heard and self.transport is not None:
            self.transport.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._limits.dismiss(self._address)
        super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer what is no request. It reaches no page, so headers are added here."""
        response = super().handle_error(request, status, exc, message)
        _secure(response)
        return response


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add headers to every response: pages, files, errors and connections."""
    _secure(response)


def _secure(response: web.StreamResponse) -> None:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault(_POLICY, _policy())


def _policy(scripts: str = "") -> str:
    """The content security policy: nothing from elsewhere, and only our own script."""
    return (
        f"default-src 'none'; script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; "
        "font-src 'self' data:; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


async def _close(websocket: web.WebSocketResponse, code: int, sentence: str) -> None:
    """Close a connection; the page shows the sentence."""
    await websocket.close(code=code, message=sentence.encode())


def _name(host: str) -> str:
    """The host name without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _envelope(message: Any) -> object:
    try:
        return message.json()
    except ValueError:
        return None
