"""`matched` in a seat, ratings on the screens and in `kibitz stats`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.evaluation.ratings import ladder
from agents.roster import LEVEL_NAMES
from agents.storage.store import Store
from app.cli import run
from app.match.evenness import chance_with_rating, evenness
from app.match.seating import MATCHED, PERSON, parse_seats, plan_table
from app.records.glicko import Glicko
from app.records.history import History
from app.records.matched import candidates, matched_agent, seated
from app.records.personal_rating import PersonalRating, newcomer
from app.ui.app import KibitzApp
from app.ui.screens.new_table import NewTableScreen
from app.ui.screens.requests import OpenTable
from app.ui.screens.stats import StatsScreen
from app.ui.widgets.cycle import Cycle
from app.ui.widgets.rating_plot import RatingPlot
from engine import GAMES
from engine.manifest import VARIANTS
from tests.app.driving import make_app, table_of, text_of, wait_until
from tests.app.ladders import POINTS
from tests.app.test_personal_rating import match
from tests.high_card import high_card

__all__ = ["high_card"]

LADDERS = [game for game in [*GAMES, *VARIANTS] if ladder(game)]

Compare = Callable[[KibitzApp, str], None]


def rated(game: str, points: float) -> dict[str, PersonalRating]:
    rating = PersonalRating(game, Glicko(points, 80))
    return {game: rating}


# Matching


@pytest.mark.usefixtures("round_ladder")
@pytest.mark.parametrize("game", ["truco", "notty"])
@pytest.mark.parametrize("agent", LEVEL_NAMES)
def test_person_as_good_as_a_level_meets_it(game: str, agent: str) -> None:
    plan = plan_table(game, [PERSON, MATCHED])
    assert matched_agent(plan, rated(game, POINTS[agent] + 1)) == agent


@pytest.mark.usefixtures("round_ladder")
def test_partner_of_a_matched_table_has_the_same_level() -> None:
    plan = plan_table("smear", [PERSON, MATCHED, MATCHED, MATCHED])
    assert matched_agent(plan, rated("smear", POINTS["club"])) == "club"
    # With a poor partner the rivals have to be weaker than the person.
    plan = plan_table("smear", [PERSON, MATCHED, "easy", MATCHED])
    agent = matched_agent(plan, rated("smear", POINTS["sharp"]))
    assert POINTS[agent] == pytest.approx((POINTS["sharp"] + POINTS["easy"]) / 2, abs=30)


@pytest.mark.usefixtures("round_ladder")
def test_equal_share_at_a_table_of_four_players() -> None:
    plan = plan_table("fodinha", [PERSON, MATCHED, MATCHED, MATCHED])
    assert matched_agent(plan, rated("fodinha", POINTS["sharp"])) == "sharp"


@pytest.mark.usefixtures("round_ladder")
def test_newcomers_and_the_best_are_matched_too() -> None:
    plan = plan_table("truco", [PERSON, MATCHED])
    agent = matched_agent(plan, {})
    assert POINTS[agent] == pytest.approx(newcomer("truco").rating, abs=26)
    assert matched_agent(plan, rated("truco", 2500)) == "search"
    assert matched_agent(plan, rated("truco", 300)) == "easy"


@pytest.mark.usefixtures("round_ladder")
def test_table_with_an_unrated_agent_or_two_persons_gets_the_nearest_level() -> None:
    for others in (["q:rosa", MATCHED, "q:rosa"], [PERSON, MATCHED, MATCHED]):
        plan = plan_table("smear", [PERSON, *others])
        assert matched_agent(plan, rated("smear", POINTS["regular"] + 5)) == "regular"


@pytest.mark.parametrize("game", LADDERS)
def test_matched_never_learns_or_plays_at_random(game: str) -> None:
    found = candidates(game)
    assert {"easy", "hard", *LEVEL_NAMES[:3]} <= set(found)
    assert set(found) <= {"easy", "hard", "search", *LEVEL_NAMES}
    points = [ladder(game)[name].points for name in found]
    assert points == sorted(points)


def test_game_without_a_ladder_gets_its_usual_opponent(high_card: str) -> None:
    assert matched_agent(plan_table(high_card, [PERSON, MATCHED]), {}) == "q"
    sentence = evenness(GAMES[high_card], [PERSON, "q"], {}, 1500)
    assert sentence.startswith("It is not known")


@pytest.mark.usefixtures("round_ladder")
def test_the_actual_agent_is_in_the_plan(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    plan = plan_table("truco", parse_seats("you,MATCHED"))
    assert plan.seats == (PERSON, MATCHED)
    assert seated(plan, history).seats == (PERSON, matched_agent(plan, {}))
    for number in range(30):
        history.add_match(match("search", 1.0, number=number))
    assert seated(plan, history).seats == (PERSON, "search")
    other = plan_table("truco", [PERSON, "hard"])
    assert seated(other, history) is other


# Chances


@pytest.mark.usefixtures("round_ladder")
def test_evenness_uses_the_own_rating() -> None:
    truco = GAMES["truco"]
    assert evenness(truco, [PERSON, "hard"], {}, POINTS["hard"]) == (
        "You win about 5 of 10 matches, by your rating of 1460."
    )
    assert "You win almost all" in evenness(truco, [PERSON, "random"], {}, 1460)
    assert "It is not known" in evenness(truco, [PERSON, "cmd:./bot"], {}, 1460)
    with pytest.raises(ValueError, match="do not fit"):
        chance_with_rating(GAMES["smear"], [PERSON, "hard"], {}, 1460)


# The screens


@pytest.mark.slow
@pytest.mark.usefixtures("round_ladder")
async def test_new_table_lists_agents_by_strength(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        ratings = rated("truco", POINTS["club"])
        app.push_screen(
            NewTableScreen(GAMES["truco"], 1.0, Store(tmp_path), False, "never", ratings)
        )
        await pilot.pause()
        seat = app.screen.query_one("#seat-1", Cycle)
        seat.focus()
        order = []
        for _ in range(16):
            order.append(seat.value)
            await pilot.press("right")
        known = [POINTS[name] for name in order if name in POINTS]
        at = known.index(min(known))
        assert known[at:] + known[:at] == sorted(known)
        while seat.value != "club":
            await pilot.press("left")
        await pilot.pause()
        assert "Club player · 1350" in text_of(app)
        assert "You win about 5 of 10 matches" in text_of(app)
        while seat.value != MATCHED:
            await pilot.press("left")
        await pilot.pause()
        assert "Club player" in text_of(app)
        assert "You win about 5 of 10 matches" in text_of(app)


@pytest.mark.usefixtures("round_ladder")
async def test_table_opens_with_the_agent_that_matches(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        plan = plan_table("truco", [PERSON, MATCHED], delay=0.0, seed=3)
        app.post_message(OpenTable(plan))
        await wait_until(pilot, lambda: hasattr(app.screen, "plan"))
        assert table_of(app).plan.seats == (PERSON, matched_agent(plan, {}))


@pytest.mark.usefixtures("round_ladder")
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_stats_show_the_rating_with_its_plot(
    tmp_path: Path, same_picture: Compare, size: tuple[int, int]
) -> None:
    app = make_app(tmp_path)
    for number in range(24):
        app._history.add_match(match("hard", float(number % 5 < 2), number=number))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        app.push_screen(StatsScreen(app._history))
        await wait_until(pilot, lambda: bool(app.screen.query(RatingPlot)))
        await pilot.pause()
        assert "after 24 matches" in text_of(app)
        same_picture(app, f"rating-{size[0]}x{size[1]}")


@pytest.mark.usefixtures("round_ladder")
def test_stats_command_reports_the_rating(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = History(tmp_path / "history.db")
    for number, game in enumerate(("truco", "truco_full", "truco")):
        history.add_match(match("hard", 1.0, game=game, number=number))
    assert run(["stats", "--json", "--home", str(tmp_path)]) == 0
    games = {each["game"]: each for each in json.loads(capsys.readouterr().out)["games"]}
    assert games["truco"]["rating"]["matches"] == 2
    assert games["truco"]["variants"]["truco_full"]["matches"] == 1
    assert games["euchre"]["rating"] is None
    assert run(["stats", "--home", str(tmp_path)]) == 0
    assert "after 2 matches, provisional" in capsys.readouterr().out
