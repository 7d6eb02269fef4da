"""The person's rating: Glicko-2, and what counts in the history."""

from dataclasses import replace
from pathlib import Path

import pytest

from agents.evaluation.ratings import ladder
from app.match.seating import PERSON
from app.records.glicko import Glicko, Result, updated
from app.records.history import History, MatchRecord, SeatRecord
from app.records.personal_rating import SETTLED, newcomer, personal_ratings, rating_words
from tests.app.ladders import POINTS

pytestmark = pytest.mark.usefixtures("round_ladder")


def match(
    rival: str, won: float, game: str = "truco", number: int = 0, **changes: object
) -> MatchRecord:
    seats = (SeatRecord("You", PERSON, 0, won), SeatRecord("North", rival, 1, 1 - won))
    record = MatchRecord(
        game,
        {},
        number,
        seats,
        (40.0, 12.0),
        9,
        "2026-11-01T10:00:00+00:00",
        "2026-11-01T10:09:00+00:00",
        journal=f"{number}.jsonl",
    )
    return replace(record, **changes)  # type: ignore[arg-type]


def newest_first(*played: tuple[str, float]) -> list[MatchRecord]:
    return [match(rival, won, number=at) for at, (rival, won) in enumerate(played)][::-1]


# Glicko-2


def test_example_of_the_paper() -> None:
    """Glickman, "Example of the Glicko-2 system", section "Example calculation"."""
    results = [Result(1400, 30, 1), Result(1550, 100, 0), Result(1700, 300, 0)]
    found = updated(Glicko(1500, 200, 0.06), results, tau=0.5)
    assert found.rating == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_period_without_matches_only_widens() -> None:
    found = updated(Glicko(1500, 50, 0.06), [])
    assert (found.rating, found.volatility) == (1500, 0.06)
    assert found.deviation == pytest.approx(51.07, abs=0.01)


def test_erratic_results_raise_the_volatility() -> None:
    steady = updated(Glicko(1500, 60), [Result(1500, 10, 1)])
    erratic = updated(Glicko(1500, 60), [Result(900, 10, 0)] * 8)
    assert erratic.volatility > steady.volatility


def test_half_the_weight_moves_a_rating_less() -> None:
    alone = updated(Glicko(), [Result(1500, 0, 1)])
    partner = updated(Glicko(), [Result(1500, 0, 1, weight=0.5)])
    assert 1500 < partner.rating < alone.rating
    assert partner.deviation > alone.deviation


def test_draw_as_expected_changes_nothing() -> None:
    assert updated(Glicko(), [Result(1500, 30, 0.5)]).rating == pytest.approx(1500)


# The history


def test_wins_raise_the_rating_and_losses_lower_it() -> None:
    start = newcomer("truco").rating
    found = personal_ratings(newest_first(("hard", 1.0), ("hard", 1.0)))["truco"]
    assert found.now.rating > found.points[0].rating > start
    lost = personal_ratings(newest_first(("hard", 0.0)))["truco"]
    assert lost.now.rating < start


def test_newcomer_starts_between_easy_and_hard() -> None:
    known = ladder("smear")
    assert newcomer("smear").rating == (known["easy"].points + known["hard"].points) / 2
    assert newcomer("smear").deviation == 350


def test_rating_settles_near_the_rival_it_equals() -> None:
    played = newest_first(*[("hard", float(number % 2)) for number in range(60)])
    found = personal_ratings(played)["truco"]
    assert found.now.rating == pytest.approx(POINTS["hard"], abs=60)
    assert not found.provisional
    assert found.now.deviation < SETTLED
    assert found.words() == f"{found.now.rating:.0f}"
    first = personal_ratings(played[-1:])["truco"]
    assert first.provisional
    assert first.words().endswith("?")


@pytest.mark.parametrize("mark", ["assisted", "unrated"])
def test_only_rated_matches_count(mark: str) -> None:
    assert personal_ratings([match("hard", 1.0, **{mark: True})]) == {}


@pytest.mark.parametrize("rival", ["cmd:./bot", "q:rosa", "q@100", "merlin"])
def test_rivals_without_a_rating_do_not_count(rival: str) -> None:
    assert personal_ratings([match(rival, 1.0)]) == {}


def test_shorter_matches_do_not_count() -> None:
    assert personal_ratings([match("hard", 1.0, options={"target": 4})]) == {}
    usual = {"target": 40, "players": 2, "rules": "short"}
    assert personal_ratings([match("hard", 1.0, options=usual)])["truco"].known


def test_two_persons_are_not_rated() -> None:
    assert personal_ratings([match(PERSON, 1.0)]) == {}


def test_variant_has_its_own_rating() -> None:
    found = personal_ratings([match("hard", 1.0, game="truco_full"), match("hard", 0.0)])
    assert found["truco_full"].now.rating > found["truco"].now.rating
    assert set(found) == {"truco", "truco_full"}
    assert found["truco"].now != found["truco_full"].now
    assert "at Truco Uruguayo, full" in found["truco_full"].sentence()


def table_of_four(rivals: tuple[str, str, str], sides: tuple[int, ...], won: float) -> MatchRecord:
    players = (PERSON, *rivals)
    seats = tuple(
        [
            SeatRecord(str(at), player, side, won if side == 0 else 0.0)
            for at, (player, side) in enumerate(zip(players, sides, strict=True))
        ]
    )
    game = "fodinha" if len(set(sides)) == 4 else "smear"
    scores = (0.0,) * len(set(sides))
    return match("hard", won, game=game, seats=seats, scores=scores)


def test_winning_against_three_counts_more_than_losing_to_one_of_them() -> None:
    hards = ("hard", "hard", "hard")
    start = newcomer("fodinha").rating
    won = personal_ratings([table_of_four(hards, (0, 1, 2, 3), 1.0)])["fodinha"].now.rating
    lost = personal_ratings([table_of_four(hards, (0, 1, 2, 3), 0.0)])["fodinha"].now.rating
    assert won - start > start - lost > 0


def test_winning_with_a_strong_partner_counts_less() -> None:
    found = [
        personal_ratings([table_of_four(("hard", partner, "hard"), (0, 1, 0, 1), 1.0)])["smear"]
        for partner in ("random", "hard")
    ]
    assert found[0].now.rating > found[1].now.rating > newcomer("smear").rating


def test_change_by_a_match() -> None:
    matches = newest_first(("hard", 1.0), ("hard", 0.0))
    found = personal_ratings(matches)["truco"]
    first, second = found.points
    assert found.change("1.jsonl") == f"{first.rating:.0f} → {second.rating:.0f}"
    assert found.change("0.jsonl") == f"{newcomer('truco').rating:.0f} → {first.rating:.0f}"
    assert found.change("other.jsonl") == ""


def test_words_for_the_summary(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    assert rating_words(history, "truco", 7) == ""
    history.add_match(match("hard", 1.0, number=7))
    history.add_match(match("hard", 1.0, number=8, unrated=True))
    after = personal_ratings(history.matches())["truco"].now.rating
    before = newcomer("truco").rating
    assert rating_words(history, "truco", 7) == f"Your rating: {before:.0f} → {after:.0f}."
    assert rating_words(history, "truco", 8) == ""


def test_report_for_programs() -> None:
    report = personal_ratings(newest_first(("hard", 1.0)))["truco"].as_dict()
    assert report["matches"] == 1
    assert report["provisional"]
    low, high = report["ci95"]
    assert low < report["points"] < high
