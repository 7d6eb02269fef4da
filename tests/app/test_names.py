"""Names that select players, and game options as command-line flags."""

import re
from typing import Any

import pytest

from app.cli import run
from app.commands.arguments import expanded
from app.match.seating import PERSON, Seating, TablePlan, plan_table, player_named

OPTIONS = ("players", "lives", "blind_one")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[TablePlan]:
    """The plans of the tables that the command line would open."""
    plans: list[TablePlan] = []

    def remember(*_: Any, plan: TablePlan, **__: Any) -> None:
        plans.append(plan)

    monkeypatch.setattr("app.commands.play.open_app", remember)
    return plans


@pytest.mark.parametrize(
    ("name", "player"),
    [
        ("RANDOM", "random"),
        ("EASY_1", "easy"),
        ("THE_HARD_ONE", "hard"),
        ("Q_LEARN_1", "q"),
        ("Q_APPROXIMATE_2", "linear"),
        ("SEARCH_1", "search"),
        ("LOGISTIC_1", "logistic"),
        ("NEURAL_NET_1", "neural"),
        ("EASY_NEURAL_NET", "neural"),
        ("Q_LEARN@100_1", "q@100"),
        ("NEURAL_NET@0", "neural@0"),
        ("Q_LEARN@home", "q"),
        ("You", PERSON),
        ("Maria", PERSON),
        ("Richard", PERSON),
    ],
)
def test_name_selects_the_player(name: str, player: str) -> None:
    assert player_named(name) == player


def test_names_of_agents_are_shown_once() -> None:
    names = ["RANDOM_1", "Maria", "RANDOM_2", "RANDOM_3"]
    plan = plan_table("fodinha", names=names)
    assert plan.seats == ("random", PERSON, "random", "random")
    seating = Seating.of(plan)
    assert seating.names == tuple(names)
    assert seating.home == 1
    assert [seating.title(seat) for seat in range(4)] == names
    assert Seating.of(plan.again()).names == tuple(names)


def test_you_may_be_written_in_lower_case() -> None:
    plan = plan_table("notty", names=["you", "RANDOM"])
    assert Seating.of(plan).does(0, "pass", "passes") == "You pass"


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["You", "RANDOM", "RANDOM"], "Two players are called RANDOM"),
        (["you", "You", "RANDOM"], "Two players are called You"),
        (["You", "x" * 17, "RANDOM"], "use 1 to 16 characters"),
        (["You", "tab\t", "RANDOM"], "use 1 to 16 characters"),
        (["You", "RANDOM"], "has 3 seats, not 2"),
        (["RANDOM_1", "RANDOM_2", "RANDOM_3"], "No seat is for a person"),
    ],
)
def test_invalid_names_are_refused_with_a_sentence(names: list[str], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        plan_table("euchre", names=names)


def test_name_of_an_agent_that_the_game_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.match.seating.agents_for", lambda game: {"random": None})
    with pytest.raises(ValueError, match="NEURAL_NET_1 needs the agent 'neural', which Notty"):
        plan_table("notty", names=["You", "NEURAL_NET_1"])


def test_names_and_seats_are_exclusive() -> None:
    with pytest.raises(ValueError, match="not both"):
        plan_table("notty", ["you", "random"], names=["You", "RANDOM"])


def test_more_than_four_seats_have_names_in_alphabetical_order() -> None:
    for players in range(5, 11):
        plan = plan_table("fodinha", ["random"] * players, {"players": players}, watch=True)
        names = Seating.of(plan).names
        assert len(set(names)) == players
        assert list(names) == sorted(names)
    seats = ["random", "random", "you", *["random"] * 7]
    assert Seating.of(plan_table("fodinha", seats, {"players": 10})).names[2:4] == ("You", "Beto")


@pytest.mark.parametrize(
    ("arguments", "full"),
    [
        ("fodinha --names You EASY_1", "fodinha --names You --names EASY_1"),
        ("--names A B --seed 3 fodinha", "--names A --names B --seed 3 fodinha"),
        ("--names A --lives 2", "--names A --option lives=2"),
        ("fodinha --lives=2", "fodinha --option lives=2"),
        ("fodinha --lives -2", "fodinha --option lives=-2"),
        ("fodinha --blind-one off", "fodinha --option blind_one=off"),
        ("fodinha --lives --seed 3", "fodinha --option lives= --seed 3"),
        ("fodinha --names --seed 3", "fodinha --names --seed 3"),
        ("fodinha --colour red", "fodinha --colour red"),
        ("fodinha -- --lives 2", "fodinha -- --lives 2"),
    ],
)
def test_arguments_are_expanded(arguments: str, full: str) -> None:
    assert expanded(arguments.split(), OPTIONS) == full.split()


def test_play_with_names(opened: list[TablePlan]) -> None:
    line = "play fodinha --range 9 --lives 4 --tries 2 --cancel pairs --blind-one off"
    assert run([*line.split(), "--names", "You", "RANDOM_1", "RANDOM_2", "--seed", "7"]) == 0
    (plan,) = opened
    assert plan.names == ("You", "RANDOM_1", "RANDOM_2")
    assert plan.seats == (PERSON, "random", "random")
    assert plan.seed == 7
    assert plan.options == {
        "players": 3,
        "range": 9,
        "lives": 4,
        "tries": 2,
        "cancel": "pairs",
        "blind_one": False,
    }


def test_number_of_names_sets_the_players_option(
    opened: list[TablePlan],
) -> None:
    assert (
        run(["watch", "fodinha", "--range", "1", "--tries", "2", "--names", "RANDOM", "EASY"]) == 0
    )
    assert opened[0].options["players"] == 2


def test_options_of_the_game_are_flags(opened: list[TablePlan]) -> None:
    assert run(["play", "notty", "--turn-limit", "50", "--names", "You", "RANDOM_1"]) == 0
    assert opened[0].options == {"turn_limit": 50, "players": 2}
    assert run(["play", "truco", "--names", "You", "RANDOM_1"]) == 0
    assert opened[1].names == ("You", "RANDOM_1")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("play fodinha --lives none", "whole number"),
        ("play fodinha --lives", "whole number"),
        ("play fodinha --blind-one perhaps", "on or off"),
        ("play notty --lives 3", "no option 'lives'"),
        ("play fodinha --names", "--names"),
        ("play fodinha --players 3 --names You RANDOM_1", "3 seats, not 2"),
        ("play fodinha --names You RANDOM RANDOM", "Two players"),
        ("play fodinha --seats you,random --names You RANDOM", "not both"),
        ("watch fodinha --names Maria RANDOM", "no seat for a person"),
        ("play fodinha --colour red", "kibitz play --help"),
    ],
)
def test_errors_are_one_line(
    line: str, says: str, opened: list[TablePlan], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(line.split()) == 2
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) == 1
    assert says in captured.err
    assert not opened
