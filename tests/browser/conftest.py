"""A local Kibitz server and headless browsers that visit it.

Selenium is imported on first use, so that the tests can be collected without it.
"""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

    from tests.browser.page import Page

ROOT = Path(__file__).parents[2]
_PATIENCE = 120.0
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,800",
)

Serve = Callable[..., str]
Visit = Callable[[str], "Page"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "server"


@pytest.fixture
def serve(home: Path) -> Iterator[Serve]:
    """Start a server with these flags and return its address."""
    servers: list[subprocess.Popen[str]] = []

    def start(*flags: str) -> str:
        port = _free_port()
        server = subprocess.Popen(
            [sys.executable, "-m", "app", "serve", "--port", str(port), *flags],
            cwd=ROOT,
            env=os.environ | {"KIBITZ_HOME": str(home)},
            stdout=subprocess.PIPE,
            text=True,
        )
        servers.append(server)
        assert server.stdout is not None
        assert str(port) in server.stdout.readline()
        return f"http://127.0.0.1:{port}/"

    yield start
    for server in servers:
        server.terminate()
        server.wait(_PATIENCE)


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Visit]:
    """Open an address in a new browser without cookies."""
    browsers: list[WebDriver] = []

    def open_page(address: str) -> "Page":
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        from tests.browser.page import Page

        options = webdriver.ChromeOptions()
        for flag in _FLAGS:
            options.add_argument(flag)
        options.add_argument(f"--user-data-dir={tmp_path / f'browser-{len(browsers)}'}")
        options.binary_location = shutil.which("chromium") or ""
        browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        browsers.append(browser)
        page = Page(browser)
        page.open(address)
        return page

    yield open_page
    for browser in browsers:
        browser.quit()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
