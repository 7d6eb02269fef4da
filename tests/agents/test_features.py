"""Features and moves: every situation is known, every action has a move, all have words."""

from random import Random

import pytest

from agents.euchre.features import EuchreAbstraction
from agents.euchre.original_features import EuchreCards
from agents.fodinha.features import FodinhaAbstraction
from agents.fodinha.original_features import FodinhaCards, FodinhaCounts
from agents.learners.q_table import QTable
from agents.notty.features import FourFeatures, NottyAbstraction
from agents.smear.features import SmearAbstraction
from agents.truco.features import TrucoAbstraction
from agents.truco.original_features import TrucoCards
from engine import GAMES
from engine.game import State
from tests.agents.positions import do, move_words, random_positions, situation_words

ABSTRACTIONS = [
    ("euchre", {"players": 3}, EuchreAbstraction()),
    ("euchre", {"players": 4}, EuchreAbstraction()),
    ("notty", {"players": 2}, NottyAbstraction()),
    ("notty", {"players": 3, "turn_limit": 40}, NottyAbstraction()),
    ("notty", {"players": 2}, FourFeatures()),
    ("smear", {"revoke": "forbid"}, SmearAbstraction()),
    ("smear", {"revoke": "penalty"}, SmearAbstraction()),
    ("truco", {}, TrucoAbstraction()),
    ("truco", {"target": 8}, TrucoAbstraction()),
    ("truco", {}, TrucoCards()),
    ("euchre", {"players": 3}, EuchreCards()),
    ("euchre", {"players": 4}, EuchreCards()),
    ("fodinha", {"players": 4}, FodinhaAbstraction()),
    ("fodinha", {"players": 2, "range": 1, "tries": 1}, FodinhaAbstraction()),
    ("fodinha", {"players": 2, "range": 13, "tries": 1, "lives": 30}, FodinhaAbstraction()),
    ("fodinha", {"players": 3, "range": 2, "cancel": "pairs", "lives": 9}, FodinhaAbstraction()),
    ("fodinha", {"players": 10, "range": 13, "blind_one": False}, FodinhaAbstraction()),
    ("fodinha", {"players": 4}, FodinhaCards()),
    ("fodinha", {"players": 10, "blind_one": False}, FodinhaCards()),
    ("fodinha", {"players": 2, "range": 13, "tries": 1}, FodinhaCards()),
    ("fodinha", {"players": 4}, FodinhaCounts()),
    ("fodinha", {"players": 10, "blind_one": False}, FodinhaCounts()),
]
every_abstraction = pytest.mark.parametrize(("game", "options", "abstraction"), ABSTRACTIONS)


@every_abstraction
def test_every_action_makes_one_move(game, options, abstraction):
    for state in random_positions(GAMES[game], 4, **options):
        moves = abstraction.moves(state.view(state.turn), state.legal())
        assert sorted(moves) == state.legal()
        assert all(0 <= move < len(abstraction.move_names) for move in moves.values())


@every_abstraction
def test_every_situation_is_known_and_has_words(game, options, abstraction):
    for state in random_positions(GAMES[game], 4, **options):
        situation = abstraction.situation(state.view(state.turn))
        assert abstraction.knows(situation)
        outline = QTable(abstraction.outlines()).outline(situation)
        assert outline is None or abstraction.knows(outline)
        assert abstraction.words(situation).split(": ")[1]


@every_abstraction
def test_look_returns_the_situation_and_the_moves(game, options, abstraction):
    for state in random_positions(GAMES[game], 4, **options):
        view, legal = state.view(state.turn), state.legal()
        situation, moves = abstraction.look(view, legal)
        assert situation == abstraction.situation(view)
        assert list(moves.items()) == list(abstraction.moves(view, legal).items())


@every_abstraction
def test_other_tuples_are_no_situations(game, options, abstraction):
    situation = next(
        abstraction.situation(state.view(state.turn))
        for state in random_positions(GAMES[game], 4, **options)
    )
    assert not abstraction.knows(())
    assert not abstraction.knows(situation[:-1])
    assert not abstraction.knows((*situation, 0))
    assert not abstraction.knows((*situation[:-1], 99))
    assert not abstraction.knows((2 * len(abstraction.layouts), *situation[1:]))


def test_fingerprints_differ_between_abstractions():
    prints = {
        each.fingerprint() for each in (EuchreAbstraction(), NottyAbstraction(), FourFeatures())
    }
    assert len(prints) == 3

    class Revised(EuchreAbstraction):
        version = EuchreAbstraction.version + 1

    assert Revised().fingerprint() != EuchreAbstraction().fingerprint()


# Euchre. Seat 1 deals, so seat 2 bids first, then 0, then 1.

DEAL = """9S 10S QH KD 9C  JS JC AS KS AH  9H 10H QD 9D 10C
          AD KC QC JD JH  QS"""


def euchre(*labels: str, deal: str = DEAL, **options: int) -> State:
    return do(GAMES["euchre"].new(deck=deal.split(), first=1, **options), *labels)


def test_words_tell_a_strong_hand_from_a_weak_one():
    weak = situation_words(EuchreAbstraction(), euchre())
    strong = situation_words(EuchreAbstraction(), euchre("pass"))
    assert weak.startswith("ordering up: against the soloist, partner deals, about 1.1 tricks")
    assert strong.startswith("ordering up: soloist, opponent deals, about 3.8 tricks")


def test_suits_are_called_by_strength():
    """With the dummy, the soloist holds both red bowers and four aces, but weak clubs."""
    state = euchre("pass", "pass", "pass", "pass")
    assert move_words(EuchreAbstraction(), state) == {
        "pass": "pass",
        "call hearts": "call the strongest suit",
        "call diamonds": "call the second suit",
        "call clubs": "call the weakest suit",
    }


def test_suits_are_interchangeable():
    """Spades for hearts and clubs for diamonds: the same situation, the same moves."""
    swap = str.maketrans("SHCD", "HSDC")
    abstraction = EuchreAbstraction()
    rng = Random(4)
    for _ in range(5):
        one, other = euchre(), euchre(deal=DEAL.translate(swap))
        for _ in range(25):
            if one.hand_no > 1:
                break
            assert situation_words(abstraction, one) == situation_words(abstraction, other)
            ours, theirs = move_words(abstraction, one), move_words(abstraction, other)
            assert sorted(ours.values()) == sorted(theirs.values())
            label = one.label(rng.choice(one.legal()))
            one.apply(one.parse(label))
            verb, *card = label.split()
            names = {"hearts": "spades", "spades": "hearts", "clubs": "diamonds"}
            names["diamonds"] = "clubs"
            other.apply(
                other.parse(
                    label
                    if verb in ("pass", "order", "alone", "with")
                    else f"{verb} {names.get(card[0], card[0].translate(swap))}"
                )
            )


LONE_SPADES = ("pass", "order up", "discard 9D", "alone")


def test_moves_without_the_led_suit():
    state = euchre(*LONE_SPADES, "play 10C", "play 9C")
    assert move_words(EuchreAbstraction(), state) == {
        "play AH": "throw off the lowest card",
        "play KS": "trump in low",
        "play AS": "trump in high",
        "play JC": "trump in high",
        "play JS": "trump in high",
    }
    assert "can trump" in situation_words(EuchreAbstraction(), state)


def test_moves_in_the_led_suit():
    state = euchre(*LONE_SPADES, "play 10H", "play QH")
    assert move_words(EuchreAbstraction(), state) == {"play AH": "win cheaply"}
    assert "can surely win in suit" in situation_words(EuchreAbstraction(), state)
    state = euchre(*LONE_SPADES, "play QS")
    assert move_words(EuchreAbstraction(), state) == {
        "play 9S": "duck",
        "play 10S": "play another losing card",
    }


def test_leading_a_card_that_no_unseen_card_beats_is_its_own_move():
    state = euchre(*LONE_SPADES, "play 10C", "play 9C", "play KS")
    assert move_words(EuchreAbstraction(), state) == {
        "play AH": "lead a sure winner of a plain suit",
        "play AS": "lead the highest trump",
        "play JC": "lead the highest trump",
        "play JS": "lead the highest trump",
    }


def test_situation_shows_that_the_partner_holds_the_trick():
    """The ace of diamonds is in the unused dummy; the ace of clubs may be in any hand."""
    made = ("order up", "discard 9D", "with partner")
    king = euchre(*made, "play KD", "play AH")
    assert "partner holds it for sure, last to play" in situation_words(EuchreAbstraction(), king)
    nine = euchre(*made, "play 9C", "play AH")
    assert "partner holds it, last to play" in situation_words(EuchreAbstraction(), nine)
    ruffed = euchre(*made, "play 9C", "play KS")
    assert "opponent holds the trick" in situation_words(EuchreAbstraction(), ruffed)


def test_the_weakest_card_is_discarded_first():
    state = euchre("pass", "order up")
    moves = move_words(EuchreAbstraction(), state)
    assert next(iter(moves.items())) == ("discard 10C", "discard the weakest card")
    assert moves["discard QS"] == "discard another card"


# Notty


def notty(deck: str, *labels: str) -> State:
    state = GAMES["notty"].new(deck=deck.split())
    for label in labels:
        state.apply(state.parse(label))
    return state


def test_hand_of_groups_has_the_move_to_go_out():
    state = notty("R3 R4 R5 R6")
    moves = move_words(NottyAbstraction(), state)
    assert "all in groups" in situation_words(NottyAbstraction(), state)
    assert moves["group R3 R4 R5 R6"] == "discard a group on the way out"
    assert moves["group R3 R4 R5"] == "discard another group"


def test_the_most_isolated_card_is_discarded_first():
    state = notty("R3 R4 R5 K9 G1 G2 B1 B2 R6", "exchange")
    moves = move_words(NottyAbstraction(), state)
    assert next(iter(moves)) == "discard K9"
    assert moves["discard K9"] == "discard the most isolated card"
    assert moves["discard R6"] == "discard another card"


def test_situation_shows_a_hand_close_to_going_out():
    close = situation_words(NottyAbstraction(), notty("R3 R4 R5 K9"))
    far = situation_words(NottyAbstraction(), notty("R1 G4 Y7 K9"))
    assert "a group in hand" in close
    assert "far from going out" in far
    assert "far from going out" not in close


def test_situation_shows_the_actions_of_this_turn():
    state = notty("R1 G4 Y7 K9", "draw 1", "steal 1")
    words = situation_words(NottyAbstraction(), state)
    assert "has drawn" in words
    assert "has stolen" in words
    assert "has exchanged" not in words


def test_stealing_a_last_card_is_its_own_move():
    state = notty("R1 G4 Y7 K9 R3 R4 R5 B9", "pass", "group R3 R4 R5", "pass")
    assert move_words(NottyAbstraction(), state)["steal 1"] == "steal a player's last card"
