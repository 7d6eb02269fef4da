"""The page as tests use it: words, keys, clicks and pictures."""

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.remote.webdriver import WebDriver

PATIENCE: Final = 120.0
"""Seconds to wait for something to appear, enough for a busy machine."""

PICTURES: Final = Path(
    os.environ.get("KIBITZ_PICTURES", Path(__file__).parents[2] / "build" / "browser")
)

_REMEMBER_TERMINAL: Final = """
Object.defineProperty(Object.prototype, "terminal", {
  configurable: true,
  set(value) {
    Object.defineProperty(this, "terminal", {value, writable: true, configurable: true});
    if (value && value.buffer) window.kibitzTerminal = value;
  },
});
"""
"""Keeps a reference to the terminal object. The page draws on a canvas and does not expose
the text; this script runs before the page's own."""

_LINES: Final = """
const terminal = window.kibitzTerminal;
if (!terminal) return [];
const screen = terminal.buffer.active;
return Array.from({length: terminal.rows}, (_, row) => {
  const line = screen.getLine(row);
  return line ? line.translateToString(true) : "";
});
"""
_CELL: Final = """
const terminal = window.kibitzTerminal;
const box = terminal.element.querySelector(".xterm-screen").getBoundingClientRect();
return [box.left, box.top, box.width / terminal.cols, box.height / terminal.rows];
"""
_DRAWN: Final = """
const done = arguments[0];
requestAnimationFrame(() => requestAnimationFrame(() => done()));
"""


class Page:
    """The page in one browser."""

    def __init__(self, browser: WebDriver) -> None:
        self.browser = browser
        self._prepare_tab()

    def _prepare_tab(self) -> None:
        self.browser.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": _REMEMBER_TERMINAL}
        )

    def open(self, address: str) -> None:
        self.browser.get(address)

    def change_tab(self) -> None:
        """Close the tab and open another in the same browser, with the same cookies."""
        tab = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        other = self.browser.current_window_handle
        self._prepare_tab()
        self.browser.switch_to.window(tab)
        self.browser.close()
        self.browser.switch_to.window(other)

    def lines(self) -> list[str]:
        """The rows of the terminal as text."""
        return [str(line) for line in self.browser.execute_script(_LINES)]

    def shows(self, words: str) -> bool:
        return any(words in line for line in self.lines())

    def wait_for(self, words: str) -> None:
        wait_until(lambda: self.shows(words), lambda: "\n".join([f"no {words!r}:", *self.lines()]))

    def press(self, keys: str) -> None:
        self.browser.find_element("css selector", ".xterm-helper-textarea").send_keys(keys)

    def click_on(self, words: str, above: int = 0) -> bool:
        """Click on the middle of these words in the lowest row that has them, or some rows above.

        Returns False if they are not on the screen.
        """
        for row, line in reversed(list(enumerate(self.lines()))):
            column = line.find(words)
            if column >= 0:
                left, top, wide, high = self.browser.execute_script(_CELL)
                x = left + (column + len(words) / 2) * wide
                y = top + (row - above + 0.5) * high
                pointer = ActionChains(self.browser)
                pointer.w3c_actions.pointer_action.move_to_location(int(x), int(y))
                pointer.click().perform()
                return True
        return False

    def note(self) -> str:
        """The text of the page outside the terminal."""
        return str(self.browser.find_element("tag name", "body").text)

    def picture(self, name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.browser.execute_async_script(_DRAWN)
        self.browser.save_screenshot(str(PICTURES / f"{name}.png"))


def wait_until(condition: Callable[[], object], otherwise: Callable[[], str] = lambda: "") -> None:
    """Poll until the condition holds, or fail the test with the sentence from `otherwise`."""
    until = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < until, otherwise()
        sleep(0.1)
