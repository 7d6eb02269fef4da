"""A server of Kibitz on this machine, and browsers without a window that visit it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

ROOT = Path(__file__).parents[2]
PICTURES = Path(os.environ.get("KIBITZ_PICTURES", ROOT / "build" / "browser"))
PATIENCE = 60
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,800",
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "server"


@pytest.fixture
def address(home: Path) -> Iterator[str]:
    """Of a server with room for two visitors."""
    server = subprocess.Popen(
        [sys.executable, "-m", "app", "serve", "--port", "8791", "--visitors", "2"],
        cwd=ROOT,
        env=os.environ | {"KIBITZ_HOME": str(home)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    assert "8791" in server.stdout.readline()
    yield "http://127.0.0.1:8791/"
    server.terminate()
    server.wait(PATIENCE)


@pytest.fixture
def visit(address: str) -> Iterator[Callable[[], WebDriver]]:
    """Opens the page as a new visitor."""
    browsers: list[WebDriver] = []

    def open_page() -> WebDriver:
        options = webdriver.ChromeOptions()
        for flag in _FLAGS:
            options.add_argument(flag)
        options.binary_location = shutil.which("chromium") or ""
        browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        browsers.append(browser)
        browser.get(address)
        wait_until(lambda: "-first-byte" in str(body_class(browser)))
        return browser

    yield open_page
    for browser in browsers:
        browser.quit()


def body_class(browser: WebDriver) -> str | None:
    return browser.find_element("tag name", "body").get_attribute("class")


def wait_until(condition: Callable[[], object]) -> None:
    """Look again and again; a condition that stays false fails the test."""
    WebDriverWait(None, PATIENCE, poll_frequency=0.1).until(lambda _: condition())  # type: ignore[type-var]


def page_status(address: str) -> int:
    with urlopen(address) as answer:
        return int(answer.status)
