"""How even a table is, and that the default tables are a fair fight."""

from pathlib import Path

import pytest

from agents.odds import log_odds, shifted
from agents.storage.store import Store
from app.match.evenness import chance_of_person, evenness
from app.match.seating import PERSON, default_seats
from app.ui.screens.new_table import NewTableScreen
from app.ui.widgets.cycle import Cycle
from engine import GAMES
from tests.app.driving import make_app, text_of


@pytest.mark.parametrize(
    ("game", "players"),
    [(name, players) for name, game in GAMES.items() for players in game.players if players < 6],
)
def test_default_table_is_a_fair_fight_for_a_newcomer(game: str, players: int) -> None:
    """A newcomer plays better than `easy` and worse than `hard`."""
    options = {"players": players} if len(GAMES[game].players) > 1 else {}
    seats = default_seats(GAMES[game], players, watch=False)
    share = 1 / len(GAMES[game].new(seed=1, **options).sides)
    easy, hard = [
        chance_of_person(GAMES[game], seats, options, level) for level in ("easy", "hard")
    ]
    between = shifted(0.5, (log_odds(easy) + log_odds(hard)) / 2)
    assert easy < 1.2 * share
    assert hard > share
    assert 0.6 * share < between < 1.4 * share


def test_sentence_about_a_table() -> None:
    truco = GAMES["truco"]
    assert evenness(truco, [PERSON, "hard"], {}) == (
        "If you play as well as Hard, you win about 5 of 10 matches."
    )
    assert "almost all matches" in evenness(truco, [PERSON, "random"], {})
    assert evenness(truco, ["hard", "hard"], {}) == ""
    assert evenness(truco, [PERSON, "cmd:./bot"], {}) == (
        "It is not known how well cmd:./bot plays."
    )
    both = evenness(GAMES["notty"], [PERSON, "q@100", "mc@100"], {"players": 3})
    assert both == "It is not known how well q@100 and mc@100 play."


def test_seats_that_do_not_fit_raise_an_error() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        evenness(GAMES["notty"], [PERSON, "hard"], {"players": 3})


async def test_new_table_says_how_even_it_is(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(NewTableScreen(GAMES["notty"], 1.0, Store(tmp_path)))
        await pilot.pause()
        before = text_of(app)
        assert "If you play as well as Hard, you win about" in before
        rival = app.screen.query_one("#seat-1", Cycle)
        rival.focus()
        while rival.value != "random":
            await pilot.press("left")
        await pilot.pause()
        assert "you win almost all matches" in text_of(app)
        players = app.screen.query_one("#option-players", Cycle)
        players.focus()
        await pilot.press("right")
        await pilot.pause()
        assert "If you play as well as Hard" in text_of(app)
