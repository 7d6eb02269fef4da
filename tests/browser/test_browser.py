"""Kibitz in a real browser, played with keys and clicks."""

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("selenium", reason="Browser tests need selenium.")

from tests.app.terminal import processes_in
from tests.browser.conftest import Serve, Visit
from tests.browser.page import Page, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        not (shutil.which("chromium") and shutil.which("chromedriver")),
        reason="Browser tests need chromium and chromedriver.",
    ),
]

TRUCO = "3"
YOU = 0
AT_THE_TABLE = "Truco Uruguayo · round"
ASKED_TO_ACCEPT = "Quiero (accept)"
KEYS_OF_A_TABLE = "1-9 Play"
LEAST_COLUMNS = 60
"""Fewer, and the app asks for a larger window. With more, the letters of a phone are too small."""

FIRST_CARD = " 1 "
"""In the last row of the card that key 1 plays. Below it is only the line of keys."""


def journals(home: Path) -> list[Path]:
    return sorted((home / "visitors").glob("*/games/*.jsonl"))


def cards_played(journal: Path) -> list[str]:
    """The cards that the person has played, according to the journal."""
    lines = journal.read_bytes().split(b"\n")[:-1]
    entries = [json.loads(line) for line in lines if line]
    actions = [entry["do"] for entry in entries if entry.get("seat") == YOU]
    return [action for action in actions if action.startswith("play")]


def start_truco(page: Page) -> None:
    page.wait_for("Truco Uruguayo")
    page.press(TRUCO)
    # The first start of a game offers a guided hand.
    page.wait_for("n No, thanks")
    page.press("n")
    page.wait_for(AT_THE_TABLE)
    page.wait_for(KEYS_OF_A_TABLE)


def play_a_card(page: Page, home: Path, with_a_click: bool = False) -> Path:
    """Play a card as soon as it is the person's turn, and return the journal."""
    before = {journal: len(cards_played(journal)) for journal in journals(home)}
    found: list[Path] = []

    def played() -> bool:
        if page.shows(ASKED_TO_ACCEPT):
            page.press("a")
        elif with_a_click:
            page.click_on(FIRST_CARD, above=2)
        else:
            page.press("1")
        found[:] = [
            journal
            for journal in journals(home)
            if len(cards_played(journal)) > before.get(journal, 0)
        ]
        return bool(found)

    wait_until(played, lambda: "\n".join(page.lines()))
    (journal,) = found
    return journal


def visitors_at_play(home: Path) -> int:
    """How many visitors are connected, according to the server's log."""
    log = (home / "log" / "kibitz.log").read_text()
    return log.count("A visitor has arrived") - log.count("A visitor has left")


def test_page_opens(serve: Serve, visit: Visit) -> None:
    page = visit(serve())
    for title in ("Euchre", "Smear", "Truco Uruguayo", "Fodinha", "Notty"):
        page.wait_for(title)
    assert page.browser.title == "Kibitz"
    page.picture("1-home")


def test_card_is_played_with_the_keyboard(serve: Serve, visit: Visit, home: Path) -> None:
    page = visit(serve())
    start_truco(page)
    page.picture("2-dealt")
    play_a_card(page, home)
    page.picture("3-played-with-a-key")


def test_card_is_played_with_a_click(serve: Serve, visit: Visit, home: Path) -> None:
    page = visit(serve())
    start_truco(page)
    play_a_card(page, home, with_a_click=True)
    page.picture("4-played-with-a-click")


def test_two_visitors_have_separate_matches(serve: Serve, visit: Visit, home: Path) -> None:
    address = serve()
    first, second = visit(address), visit(address)
    start_truco(first)
    start_truco(second)
    assert visitors_at_play(home) == 2
    mine, yours = play_a_card(first, home), play_a_card(second, home)
    first.picture("5-first-visitor")
    second.picture("5-second-visitor")
    assert mine.parents[1] != yours.parents[1]
    assert sorted([mine, yours]) == journals(home)


def test_closing_the_tab_ends_the_process_and_keeps_the_match(
    serve: Serve, visit: Visit, home: Path
) -> None:
    address = serve()
    page = visit(address)
    start_truco(page)
    journal = play_a_card(page, home)
    visitor = journal.parents[1]
    before = journal.read_bytes()
    assert processes_in(visitor)
    page.change_tab()
    wait_until(lambda: visitors_at_play(home) == 0)
    wait_until(lambda: not processes_in(visitor))
    assert "Kibitz closes" in (visitor / "log" / "kibitz.log").read_text()
    assert journal.read_bytes().startswith(before)
    assert b'{"end"' not in journal.read_bytes()

    page.open(address)
    page.wait_for("u resumes")
    page.picture("6-waiting-for-you")
    page.press("u")
    page.wait_for(AT_THE_TABLE)
    page.picture("7-resumed")
    assert play_a_card(page, home) == journal


def test_full_server_turns_visitors_away(serve: Serve, visit: Visit, home: Path) -> None:
    address = serve("--visitors", "1")
    visit(address).wait_for("Truco Uruguayo")
    late = visit(address)
    assert late.note().startswith("Every table is taken; please come back in a few minutes.")
    late.picture("8-all-tables-taken")


def test_idle_visitor_is_evicted(serve: Serve, visit: Visit, home: Path) -> None:
    page = visit(serve("--idle", "0.1"))
    wait_until(lambda: "You were idle for a while; your match is saved." in page.note())
    wait_until(lambda: visitors_at_play(home) == 0)
    page.picture("9-idle")


def test_home_fits_a_narrow_window_and_shows_its_focus(serve: Serve, visit: Visit) -> None:
    """Before the first key press, in a window of 420 pixels."""
    page = visit(serve())
    page.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 420, "height": 800, "deviceScaleFactor": 1, "mobile": False},
    )
    page.open(page.browser.current_url)
    page.wait_for("Notty")
    page.wait_for("n New")
    assert page.browser.execute_script("return window.kibitzTerminal.cols") >= LEAST_COLUMNS
    page.picture("narrow")
