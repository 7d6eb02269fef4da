"""Full Truco: envido, flor, contraflor, mazo and teams, rule by rule."""

import pytest

from engine import GAMES
from engine.cards import spanish
from engine.game import IllegalAction
from engine.games.truco_full import (
    GAME,
    NO_FLOR,
    FullState,
    envido_of,
    flor_of,
    proof_of,
)

PACK = spanish()
PLAIN = "1O 3C 6O 1C 3O 6B 7B"
"""Seat 0: envido 27; seat 1: 6. No flor."""
TWO_FLORES = "1O 3O 6O 1C 3C 7C 7B"


def cards(text: str) -> list[int]:
    return [PACK.card(code) for code in text.split()]


def table(deck: str, *said: str, **options: int | str) -> FullState:
    """A table with these cards, seat 0 as mano, after these actions."""
    state = GAME.new(1, deck=deck.split(), first=0, **options)
    for text in said:
        state.apply(state.parse(text))
    return state


def labels(state: FullState) -> list[str]:
    return [state.label(action) for action in state.legal()]


@pytest.mark.parametrize(
    ("hand", "muestra", "value"),
    [
        ("1O 3C 6B", "7E", 6),
        ("1O 6O 7B", "7E", 27),
        ("10O 11O 7B", "7E", 20),
        ("2E 7O 6B", "7E", 37),
        ("12E 7O 6B", "4E", 36),
        ("4E 7E 6O", "1E", 36),
    ],
)
def test_envido(hand: str, muestra: str, value: int) -> None:
    assert envido_of(cards(hand), PACK.card(muestra)) == value


@pytest.mark.parametrize(
    ("hand", "muestra", "value"),
    [
        ("1O 3O 6O", "7E", 10),
        ("10O 11O 12O", "7E", 0),
        ("2E 3O 6O", "7E", 39),
        ("2E 4E 5E", "7E", 47),
        ("2E 10E 6O", "7E", 43),
        ("1O 3C 6O", "7E", NO_FLOR),
    ],
)
def test_flor(hand: str, muestra: str, value: int) -> None:
    assert flor_of(cards(hand), PACK.card(muestra)) == value


def test_proof_is_the_cards_that_count() -> None:
    muestra = PACK.card("7E")
    assert set(proof_of(cards("1O 6O 7B"), muestra)) == set(cards("1O 6O"))
    assert set(proof_of(cards("2E 7O 6B"), muestra)) == set(cards("2E 7O"))
    assert proof_of(cards("1O 3C 6B"), muestra) == (PACK.card("6B"),)


def test_rules_full_is_an_option_of_truco() -> None:
    state = GAMES["truco"].new(7, rules="full", players=4)
    assert isinstance(state, FullState)
    assert state.view(0) == GAME.new(7, players=4).view(0)
    with pytest.raises(ValueError, match="needs rules=full"):
        GAMES["truco"].new(7, players=4)


def test_accepted_envido_goes_to_the_higher_value() -> None:
    state = table(PLAIN, "envido", "quiero")
    assert state.points == [2, 0]
    assert state.told == ((0, 27), (1, -1))
    assert state.turn == 0


@pytest.mark.parametrize(
    ("calls", "refused"),
    [
        (["envido"], 1),
        (["envido", "envido"], 3),
        (["real envido"], 1),
        (["envido", "real envido"], 3),
        (["falta envido"], 1),
        (["envido", "falta envido"], 3),
    ],
)
def test_refused_envido_pays_what_stood_before(calls: list[str], refused: int) -> None:
    state = table(PLAIN, *calls, "no quiero")
    assert max(state.points) == refused
    assert state.points[(len(calls) - 1) % 2] == refused


def test_falta_in_the_malas_is_what_the_winner_lacks_to_half() -> None:
    state = table(PLAIN)
    state.points = [5, 12]
    state.apply(state.parse("falta envido"))
    state.apply(state.parse("quiero"))
    assert state.points == [20, 12]


def test_falta_in_the_buenas_is_what_the_leader_lacks() -> None:
    state = table(PLAIN)
    state.points = [5, 30]
    state.apply(state.parse("falta envido"))
    state.apply(state.parse("quiero"))
    assert state.points == [15, 30]


def test_equal_envidos_go_to_the_mano() -> None:
    state = table("1O 6O 3C 1C 6C 3O 7B", "envido", "quiero")
    assert state.points == [2, 0]


def test_envido_comes_before_an_unanswered_truco() -> None:
    state = table(PLAIN, "truco", "envido", "no quiero")
    assert state.points == [0, 1]
    assert state.turn == 1
    assert labels(state) == ["retruco", "quiero", "no quiero"]


def test_no_envido_after_an_accepted_truco_or_the_own_card() -> None:
    assert "envido" not in labels(table(PLAIN, "truco", "quiero"))
    answering = table(PLAIN, "play 6O", "truco")
    assert answering.turn == 0
    assert "envido" not in labels(answering)


def test_flor_has_to_be_announced_first() -> None:
    state = table("1O 3O 6O 1C 3O 6B 7B".replace("3O 6B", "4E 6B"))
    assert labels(state) == ["flor", "mazo"]
    state.apply(state.parse("flor"))
    assert state.points == [3, 0]
    assert "envido" not in labels(state)


def test_optional_flor_may_be_kept_quiet() -> None:
    state = table("1O 3O 6O 1C 4E 6B 7B", flor="optional")
    assert "flor" in labels(state)
    assert "truco" in labels(state)
    assert "play 6O" in labels(state)


def test_flor_takes_the_place_of_an_envido() -> None:
    state = table("1C 4E 6B 1O 3O 6O 7B", "envido")
    assert state.points == [0, 3]
    assert state.turn == 0


def test_higher_flor_takes_all_or_each_its_own() -> None:
    assert table(TWO_FLORES, "flor", "flor").points == [0, 6]
    assert table(TWO_FLORES, "flor", "flor", flores="own").points == [3, 3]


@pytest.mark.parametrize(("option", "points"), [(4, 4), (6, 6)])
def test_contraflor(option: int, points: int) -> None:
    assert table(TWO_FLORES, "flor", "contraflor", "quiero", contraflor=option).points == [
        0,
        points,
    ]
    assert table(TWO_FLORES, "flor", "contraflor", "no quiero", contraflor=option).points == [0, 4]


def test_contraflor_al_resto() -> None:
    said = ("flor", "contraflor al resto", "quiero")
    assert table(TWO_FLORES, *said).points == [0, 20]
    assert table(TWO_FLORES, *said, resto="flores").points == [0, 26]


def test_reaching_the_target_ends_the_match_at_once() -> None:
    state = table(PLAIN)
    state.points = [39, 10]
    state.apply(state.parse("envido"))
    state.apply(state.parse("quiero"))
    assert state.turn == -1
    assert state.returns() == [1.0, 0.0]
    assert state.last_round is not None
    assert state.last_round.note == "match"


def test_winner_of_an_envido_shows_its_cards_after_the_round() -> None:
    state = table(PLAIN, "envido", "quiero", "mazo")
    assert state.last_round is not None
    assert state.last_round.shown == ((0, tuple(cards("6O 1O"))),)


def test_leaving_gives_the_round_to_the_others() -> None:
    assert table(PLAIN, "mazo").points == [0, 1]
    assert table(PLAIN, "truco", "quiero", "mazo").points == [0, 2]


FOUR = "1O 3C 6B 1C 3O 6O 4B 5O 7C 6C 10E 12B 7E"


def test_round_of_four_goes_on_until_a_whole_team_left() -> None:
    state = table(FOUR, "mazo", players=4)
    assert (state.turn, state.points) == (1, [0, 0])
    state.apply(state.parse("play 3O"))
    state.apply(state.parse("mazo"))
    assert state.points == [0, 1]


def test_answer_is_asked_of_the_seat_to_the_right() -> None:
    state = table(FOUR, "truco", players=4)
    assert state.turn == 1
    state.apply(state.parse("quiero"))
    assert state.turn == 0


def test_truco_waits_while_a_partner_holds_a_flor() -> None:
    state = table("1O 3C 6B 1C 3O 6O 1E 3E 6E 6C 10C 12B 7B", players=4)
    assert state.view(0).flor_first
    assert not state.view(1).flor_first
    assert "truco" not in labels(state)
    with pytest.raises(IllegalAction, match="not possible now"):
        state.apply(state.parse("truco"))


def test_mano_moves_to_the_right() -> None:
    state = table(PLAIN, "mazo")
    assert (state.mano, state.hand_no) == (1, 2)
