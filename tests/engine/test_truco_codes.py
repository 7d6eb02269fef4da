"""Truco: values of cards, labels, and numbers that others rely on."""

from engine.games.truco import (
    FALSE,
    LOWEST_MATA,
    LOWEST_PIEZA,
    NOBODY,
    NOT_CALLED,
    NUM_VALUES,
    PACK,
    PLAYED,
    RAISE,
    REAL,
    REJECT,
    UNSETTLED,
    VALUES,
)
from tests.engine.truco_states import MUESTRA, STRONG, WEAK, deal, play


def test_a_finished_round_ends_with_the_rejection() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "raise", "reject")
    assert state.last_round is not None
    assert state.last_round.history == ((0, RAISE), (1, REJECT))


def test_a_label_without_a_card_counts_from_one() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "play 3O", "play 4O")
    assert [state.label(place) for place in range(3)] == ["play 4E", "play 3C", "play card 3"]


def test_values_go_from_the_fours_to_the_best_pieza() -> None:
    found = {value for row in VALUES for value in row}
    assert found == set(range(NUM_VALUES))
    strongest_plain = VALUES[PACK.card("7B")][PACK.card("3O")]
    assert strongest_plain + 1 == LOWEST_MATA == VALUES[PACK.card("7B")][PACK.card("7O")]
    assert VALUES[PACK.card("7B")][PACK.card("10B")] == LOWEST_PIEZA


def test_codes_that_learners_have_stored() -> None:
    assert (NOT_CALLED, REAL, FALSE, UNSETTLED) == (0, 1, 2, 3)
    assert (NOBODY, PLAYED) == (-1, 7)
