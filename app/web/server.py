"""Serving the app: a process and a home folder for each visitor.

A visitor is known by a cookie that nobody can guess. What visitors keep lies below the
server's own home folder, each in a folder named after a digest of that cookie, so that
neither the page nor the list of folders gives anybody's cookie away.
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
"""No other page shows this one within itself, to have it clicked unseen."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


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

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guard)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """A page elsewhere must not reach a server that is meant for this machine, whatever
        address its name is made to stand for."""
        if is_loopback(self.host) and not is_loopback(_name(request.host)):
            raise web.HTTPForbidden(text="This server is for its own machine only.")
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    async def handle_index(self, request: web.Request) -> web.Response:
        if self.playing >= self._most:
            sorry = FULL_PAGE.read_text(encoding="utf-8").replace("{{ sentence }}", FULL)
            return web.Response(
                status=503, text=sorry, content_type="text/html", headers={"Retry-After": "60"}
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
            raise web.HTTPForbidden(text="Allow cookies: one tells your matches from others'.")
        websocket = web.WebSocketResponse(heartbeat=15, max_msg_size=1 << 16)
        await websocket.prepare(request)
        if self.playing >= self._most:
            await _say_good_bye(websocket, WSCloseCode.TRY_AGAIN_LATER, FULL)
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
        end = asyncio.ensure_future(process.ended())
        try:
            await asyncio.wait((conversation, end), return_when=asyncio.FIRST_COMPLETED)
            if conversation.done():
                conversation.result()
        except Exception:
            LOG.exception("A visitor's connection broke")
        finally:
            conversation.cancel()
            await process.stop()
            end.cancel()
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
                idle = "Nobody has played here for a while; your match is kept."
                await _say_good_bye(websocket, WSCloseCode.GOING_AWAY, idle)
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


async def _say_good_bye(websocket: web.WebSocketResponse, code: int, sentence: str) -> None:
    """Close a visit; the page shows the sentence."""
    await websocket.close(code=code, message=sentence.encode())


def _name(host: str) -> str:
    """Of the machine, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _envelope(message: Any) -> object:
    try:
        return message.json()
    except ValueError:
        return None
