"""Kibitz in a real browser: dealt, played with keys and clicks, by two visitors at once."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.remote.webdriver import WebDriver

from tests.browser.conftest import PICTURES, page_status, wait_until

Visit = Callable[[], WebDriver]
TRUCO = "3"
YOU = 0


def journals(home: Path) -> list[Path]:
    return sorted((home / "visitors").glob("*/games/*.jsonl"))


def own_actions(journal: Path) -> list[str]:
    """What the person has done in a match, as far as it has been written down."""
    lines = journal.read_bytes().split(b"\n")[:-1]
    entries = [json.loads(line) for line in lines]
    return [entry["do"] for entry in entries if entry.get("seat") == YOU]


def press(browser: WebDriver, keys: str) -> None:
    ActionChains(browser).send_keys(keys).perform()


def click(browser: WebDriver, across: float, down: float) -> None:
    """At a place of the page, as shares of its width and height."""
    screen = browser.find_element("id", "terminal")
    x = (across - 0.5) * screen.size["width"]
    y = (down - 0.5) * screen.size["height"]
    ActionChains(browser).move_to_element_with_offset(screen, int(x), int(y)).click().perform()


def picture(browser: WebDriver, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    browser.save_screenshot(str(PICTURES / f"{name}.png"))


def sit_down(browser: WebDriver, home: Path, known: int) -> Path:
    """Be dealt a match of Truco; its journal."""
    click(browser, 0.9, 0.9)
    press(browser, TRUCO)
    wait_until(lambda: len(journals(home)) > known)
    return max(journals(home), key=lambda path: path.stat().st_mtime)


def test_a_match_is_dealt_and_played_with_the_keyboard(visit: Visit, home: Path) -> None:
    browser = visit()
    picture(browser, "home")
    journal = sit_down(browser, home, 0)

    def played() -> bool:
        press(browser, "1")
        return bool(own_actions(journal))

    wait_until(played)
    picture(browser, "played")


def test_a_card_is_played_with_a_click(visit: Visit, home: Path) -> None:
    browser = visit()
    journal = sit_down(browser, home, 0)
    places = iter([(x / 100, y / 100) for _ in range(50) for y in (88, 84, 92) for x in (4, 8, 46)])

    def played() -> bool:
        click(browser, *next(places))
        return bool(own_actions(journal))

    wait_until(played)
    picture(browser, "clicked")


def test_two_visitors_play_at_once_and_a_third_waits(
    visit: Visit, home: Path, address: str
) -> None:
    first, second = visit(), visit()
    mine = sit_down(first, home, 0)
    yours = sit_down(second, home, 1)
    assert mine.parent != yours.parent
    with pytest.raises(HTTPError) as refused:
        page_status(address)
    assert refused.value.code == 503


def test_closing_the_tab_ends_the_process_and_keeps_the_match(visit: Visit, home: Path) -> None:
    browser = visit()
    journal = sit_down(browser, home, 0)
    before = journal.read_bytes()
    browser.close()
    log = home / "log" / "kibitz.log"
    wait_until(lambda: "A visitor has left" in log.read_text())
    wait_until(lambda: "Kibitz closes" in (journal.parents[1] / "log" / "kibitz.log").read_text())
    assert journal.read_bytes().startswith(before)
    assert b'{"end"' not in journal.read_bytes()
