"""Serves the app, with one process and one home folder for each visitor.

A random cookie identifies a visitor. The visitor's folder is below the server's home folder and
is named after a digest of the cookie, so the names of the folders do not reveal the cookies.
"""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, web
from textual_serve.server import Server, to_int

from app.home.log import LOG
from app.home.output import say
from app.web.visitor import VisitorProcess, visitor_home

PAGE: Final = Path(__file__).parent / "page.html"
FULL_PAGE: Final = Path(__file__).parent / "full.html"
COOKIE: Final = "kibitz_visitor"
FULL: Final = "Every table is taken; please come back in a few minutes."
_A_YEAR: Final = 365 * 24 * 3600
_TOKEN: Final = re.compile(r"[0-9a-f]{64}")
_FONT_SIZES: Final = range(6, 41)
_HEADERS: Final = {
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

    def __init__(self, host: str, port: int, home: Path, visitors: int, idle: float) -> None:
        """
        visitors   the largest number of visitors at a time
        idle       seconds without a key after which a visitor is disconnected
        """
        super().__init__("kibitz", host=host, port=port, title="Kibitz")
        self._home = home
        self._most = visitors
        self._idle = idle
        self.playing = 0

    def initialize_logging(self) -> None:
        """Do nothing: Kibitz has its own log."""

    async def on_startup(self, app: web.Application) -> None:
        say(f"Kibitz is on {self.public_url}; Ctrl+C stops it.")

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guard)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse foreign host names on a local server, against DNS rebinding."""
        if is_loopback(self.host) and not is_loopback(_name(request.host)):
            raise web.HTTPForbidden(
                text="This server accepts connections only from its own machine."
            )
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    async def handle_index(self, request: web.Request) -> web.Response:
        if self.playing >= self._most:
            page = FULL_PAGE.read_text(encoding="utf-8").replace("{{ sentence }}", FULL)
            return web.Response(
                status=503, text=page, content_type="text/html", headers={"Retry-After": "60"}
            )
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
        if urlsplit(request.headers.get("Origin", "")).netloc != request.host:
            raise web.HTTPForbidden(text="Open the page itself to play.")
        token = self._token(request)
        if token is None:
            raise web.HTTPForbidden(text="Allow cookies: one identifies your matches.")
        websocket = web.WebSocketResponse(heartbeat=15, max_msg_size=1 << 16)
        await websocket.prepare(request)
        if self.playing >= self._most:
            await _close(websocket, WSCloseCode.TRY_AGAIN_LATER, FULL)
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
        LOG.info("A visitor has arrived, %d at play", self.playing)
        input_task = asyncio.ensure_future(self._pass_input(websocket, process))
        end = asyncio.ensure_future(process.ended())
        try:
            await asyncio.wait((input_task, end), return_when=asyncio.FIRST_COMPLETED)
            if input_task.done():
                input_task.result()
        except Exception:
            LOG.exception("A visitor's connection failed")
        finally:
            input_task.cancel()
            await process.stop()
            end.cancel()
            await websocket.close()
            LOG.info("A visitor has left")

    async def _pass_input(self, websocket: web.WebSocketResponse, process: VisitorProcess) -> None:
        """Pass the visitor's input to the app until the visitor leaves or is idle for too long."""
        loop = asyncio.get_running_loop()
        last_key = loop.time()
        while True:
            left = last_key + self._idle - loop.time()
            if left <= 0:
                LOG.info("A visitor was idle for %g s", self._idle)
                idle = "You were idle for a while; your match is saved."
                await _close(websocket, WSCloseCode.GOING_AWAY, idle)
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
                    await process.send_bytes(keys.encode(errors="replace"))
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
