import pytest

from engine.cards import cards_in, french, mask_of, notty, spanish


def test_french_cards_are_rank_and_suit():
    pack = french(("9", "10", "J", "Q", "K", "A"))
    assert len(pack) == 24
    assert [pack.codes[card] for card in (0, 1, 5, 6, 23)] == ["9S", "10S", "AS", "9H", "AC"]
    assert pack.card("10h") == 7
    assert (pack.suit(7), pack.rank(7)) == (1, 1)


def test_spanish_cards_are_number_and_suit():
    pack = spanish()
    assert len(pack) == 40
    assert pack.codes[0] == "1O"
    assert {"1E", "12O", "7C", "4B"} <= set(pack.codes)
    assert not {"8O", "9E"} & set(pack.codes)


def test_notty_has_ninety_cards_of_forty_five_kinds():
    pack = notty()
    assert len(pack) == 90
    assert len(pack.codes) == 45
    assert {"R1", "G9", "Y5", "B2", "K7"} <= set(pack.codes)


def test_an_unknown_card_gets_a_sentence():
    with pytest.raises(ValueError, match=r"'8S' is not a card of this pack; .* like 9S\."):
        french(("9", "10")).card("8S")


def test_a_stacked_deck_begins_with_the_given_cards():
    pack = french(("9", "10"))
    order = pack.stack(["10C", "9S"], list(range(8)))
    assert [pack.codes[card] for card in order[:3]] == ["10C", "9S", "10S"]
    assert sorted(order) == list(range(8))


def test_a_card_cannot_be_stacked_twice():
    with pytest.raises(ValueError, match="9S stands in the deck more often"):
        french(("9", "10")).stack(["9S", "9S"], [])


def test_masks_and_lists_are_two_forms_of_the_same():
    for cards in ([], [0], [11, 12], [0, 23], [3, 24, 36, 44], list(range(48))):
        assert cards_in(mask_of(cards)) == cards
