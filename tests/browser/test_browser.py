"""Kibitz in a real browser: dealt, played with keys and clicks, by two visitors at once."""

import json
import os
from pathlib import Path

from tests.browser.conftest import Serve, Visit
from tests.browser.page import Page, wait_until

TRUCO = "3"
YOU = 0
AT_THE_TABLE = "Truco Uruguayo · round"
ASKED_TO_ACCEPT = "Quiero (accept)"
FIRST_CARD = "─1─"
"""In the lower border of a card that can be played with that key."""


def journals(home: Path) -> list[Path]:
    return sorted((home / "visitors").glob("*/games/*.jsonl"))


def cards_played(journal: Path) -> list[str]:
    """What the person has played in a match, as far as it has been written down."""
    lines = journal.read_bytes().split(b"\n")[:-1]
    entries = [json.loads(line) for line in lines if line]
    actions = [entry["do"] for entry in entries if entry.get("seat") == YOU]
    return [action for action in actions if action.startswith("play")]


def sit_down(page: Page) -> None:
    """Be dealt a match of Truco."""
    page.wait_for("Truco Uruguayo")
    page.press(TRUCO)
    page.wait_for(AT_THE_TABLE)
    page.wait_for(FIRST_CARD)


def play_a_card(page: Page, home: Path, with_a_click: bool = False) -> Path:
    """Try until it is one's turn and a card is played; the journal it was written to."""
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
    """How many have sat down and not left, by the server's log."""
    log = (home / "log" / "kibitz.log").read_text()
    return log.count("A visitor sits down") - log.count("A visitor has left")


def processes_in(home: Path) -> list[str]:
    """The processes on this machine that have this home folder."""
    wanted = f"KIBITZ_HOME={home}".encode()
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and int(process.name) != os.getpid():
            try:
                environment = (process / "environ").read_bytes()
            except OSError:
                continue
            if wanted in environment:
                found.append(process.name)
    return found


def test_the_page_opens(serve: Serve, visit: Visit) -> None:
    page = visit(serve())
    for title in ("Euchre", "Smear", "Truco Uruguayo", "Fodinha", "Notty"):
        page.wait_for(title)
    assert page.browser.title == "Kibitz"
    page.picture("1-home")


def test_a_match_is_dealt_and_a_card_played_with_the_keyboard(
    serve: Serve, visit: Visit, home: Path
) -> None:
    page = visit(serve())
    sit_down(page)
    page.picture("2-dealt")
    play_a_card(page, home)
    page.picture("3-played-with-a-key")


def test_a_card_is_played_with_a_click(serve: Serve, visit: Visit, home: Path) -> None:
    page = visit(serve())
    sit_down(page)
    play_a_card(page, home, with_a_click=True)
    page.picture("4-played-with-a-click")


def test_two_visitors_play_at_once_and_neither_sees_the_other(
    serve: Serve, visit: Visit, home: Path
) -> None:
    address = serve()
    first, second = visit(address), visit(address)
    sit_down(first)
    sit_down(second)
    assert visitors_at_play(home) == 2
    mine, yours = play_a_card(first, home), play_a_card(second, home)
    first.picture("5-first-visitor")
    second.picture("5-second-visitor")
    assert mine.parents[1] != yours.parents[1]
    assert sorted([mine, yours]) == journals(home)


def test_a_closed_tab_ends_the_process_and_the_match_goes_on_later(
    serve: Serve, visit: Visit, home: Path
) -> None:
    address = serve()
    page = visit(address)
    sit_down(page)
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
    page.wait_for("Matches to resume")
    page.press("\n")
    page.wait_for(AT_THE_TABLE)
    page.picture("7-resumed")
    assert play_a_card(page, home) == journal


def test_who_comes_when_all_tables_are_taken_is_told_so(
    serve: Serve, visit: Visit, home: Path
) -> None:
    address = serve("--visitors", "1")
    visit(address).wait_for("Truco Uruguayo")
    late = visit(address)
    assert late.note().startswith("Every table is taken; please come back in a few minutes.")
    late.picture("8-all-tables-taken")


def test_who_does_nothing_has_to_make_room(serve: Serve, visit: Visit, home: Path) -> None:
    page = visit(serve("--idle", "0.1"))
    wait_until(lambda: "Nobody has played here for a while; your match is kept." in page.note())
    wait_until(lambda: visitors_at_play(home) == 0)
    page.picture("9-idle")
