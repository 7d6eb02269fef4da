"""Plans of tables, and the names of seats."""

import re

import pytest

from app.match.moment import Moment
from app.match.seating import PERSON, Seating, TablePlan, default_seats, parse_seats, plan_table
from app.ui.tables import table_class
from engine import GAMES


def test_you_and_human_are_persons() -> None:
    assert parse_seats("you, HUMAN,q") == (PERSON, PERSON, "q")


def test_names_of_generations_and_files() -> None:
    assert parse_seats("you,Q@0,q@My/File.pkl") == (PERSON, "q@0", "q@My/File.pkl")
    seating = Seating.of(plan_table("euchre", [PERSON, "q@0", "q@some/long/folder/file.pkl"]))
    assert seating.title(1) == "West · q@0"
    assert seating.title(2) == "East · q@file.pkl"


def test_default_seats() -> None:
    assert default_seats(GAMES["euchre"], 3, watch=False) == (PERSON, "easy", "easy")
    assert plan_table("euchre").seats == (PERSON, "easy", "easy")
    assert PERSON not in plan_table("euchre", watch=True).seats


def test_names_of_three_seats() -> None:
    seating = Seating.of(TablePlan("euchre", (PERSON, "hard", "q")))
    assert seating.names == ("You", "West", "East")
    assert [seating.place(seat, 0) for seat in range(3)] == ["bottom", "left", "right"]
    assert seating.title(2) == "East · q"


def test_partner_of_four_is_north_from_every_seat() -> None:
    seating = Seating.of(TablePlan("euchre", ("hard", PERSON, "q", "random")))
    assert seating.names == ("East", "You", "West", "North")
    assert seating.place(1, seating.home) == "bottom"
    assert seating.place(3, seating.home) == "top"


def test_every_person_sits_at_the_bottom_of_the_own_view() -> None:
    table = table_class("smear")(
        GAMES["smear"], Seating.of(TablePlan("smear", (PERSON, "hard", PERSON, "q")))
    )
    state = GAMES["smear"].new(seed=1)
    for seat, titles in (
        (0, ["West · hard", "Player 2", "East · q"]),
        (2, ["East · q", "Player 1", "West · hard"]),
    ):
        moment = Moment(state.view(seat))
        assert [each.title.removesuffix(" · you") for each in table.seats(moment)] == titles
        laid = {each.place: each.caption.split(" deal")[0] for each in table.felt(moment)}
        names = table.seating.names
        assert laid["bottom"] == names[seat]
        assert [laid[place] for place in ("left", "top", "right")] == [
            title.partition(" · ")[0] for title in titles
        ]


def test_several_persons_are_numbered() -> None:
    seating = Seating.of(TablePlan("euchre", (PERSON, "hard", PERSON)))
    assert seating.names == ("Player 1", "West", "Player 2")


def test_verbs_agree_with_names() -> None:
    seating = Seating.of(TablePlan("euchre", (PERSON, "hard", "q")))
    assert seating.does(0, "pass", "passes") == "You pass"
    assert seating.does(1, "pass", "passes") == "West passes"


def test_next_match_of_a_series_has_no_seed() -> None:
    plan = TablePlan("euchre", (PERSON, "hard", "q"), seed=5).again()
    assert (plan.seed, plan.match_no) == (None, 2)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"game_name": "whist"}, "There is no game 'whist'; choose one of: euchre"),
        ({"seats": ["you", "hard"]}, "has 3 seats, not 2"),
        ({"seats": ["you", "hard", "hard", "q"]}, "players=4"),
        ({"seats": ["you", "hard", "merlin"]}, "There is no agent 'merlin'"),
        ({"seats": ["you", "hard", "merlin@0"]}, "There is no agent 'merlin@0' for Euchre"),
        ({"seats": ["you", "hard", "hard@0"]}, "hard does not learn, so there is no hard@0."),
        ({"seats": ["you", "hard", "q@"]}, "'q@' names no generation"),
        ({"seats": ["hard", "hard", "q"]}, "No seat is for a person"),
        ({"seats": ["you", "hard", "q"], "watch": True}, "no seat for a person"),
        ({"seed": 2**128}, "A seed is a whole number from 0 to 2**128 - 1."),
        ({"delay": -1}, "the smallest possible is 0"),
        ({"delay": float("nan")}, "the smallest possible is 0"),
        ({"options": {"players": 5}}, "choose one of: 3, 4"),
        ({"options": {"jokers": 2}}, "no option 'jokers'"),
    ],
)
def test_invalid_plan_is_refused_with_a_sentence(
    arguments: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        plan_table(**({"game_name": "euchre"} | arguments))  # type: ignore[arg-type]
