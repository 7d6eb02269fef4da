"""The reminders in the side panel: they fit it, and say the order of the cards."""

import pytest

from app.ui.tables.reminders import reminder_text
from tests.app.test_felt import TABLES, moments

MOST_COLUMNS = 35


@pytest.mark.parametrize("game", TABLES)
def test_reminders_fit_the_narrowest_panel(game: str) -> None:
    for table, moment in moments(game, TABLES[game])[::20]:
        lines = reminder_text(table.reminders(moment.view)).plain.splitlines()
        assert lines
        assert max(map(len, lines)) <= MOST_COLUMNS


def test_trumps_of_euchre_begin_with_both_bowers() -> None:
    table, moment = moments("euchre", 3)[-1]
    trumps = reminder_text(table.reminders(moment.view)).plain.splitlines()[1].split()
    assert [chip[:-1] for chip in trumps] == ["J", "J", "A", "K", "Q", "10", "9"]


def test_cards_of_truco_are_in_order_of_strength() -> None:
    table, moment = moments("truco", 2)[0]
    _, _, matas, *others = reminder_text(table.reminders(moment.view)).plain.splitlines()
    assert matas.split() == ["matas", "1E", "1B", "7E", "7O"]
    assert others[0].split() == ["others", "3", "2", "1O/1C", "12"]
    assert others[1].split() == ["11", "10", "7C/7B", "6", "5", "4"]
