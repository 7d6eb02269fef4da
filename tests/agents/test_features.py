"""How learners see the games: every situation has a place, every action a move, all have words."""

from random import Random

import pytest

from agents.euchre.features import EuchreAbstraction
from agents.euchre.original_features import EuchreCards
from agents.fodinha.original_features import FodinhaCards, FodinhaCounts
from agents.learners.features import Abstraction
from agents.notty.features import FourFeatures, NottyAbstraction
from agents.truco.original_features import TrucoCards
from engine import GAMES
from engine.game import OVER, State

TABLES = [
    ("euchre", {"players": 3}, EuchreAbstraction()),
    ("euchre", {"players": 4}, EuchreAbstraction()),
    ("notty", {"players": 2}, NottyAbstraction()),
    ("notty", {"players": 3, "turn_limit": 40}, NottyAbstraction()),
    ("notty", {"players": 2}, FourFeatures()),
    ("truco", {}, TrucoCards()),
    ("euchre", {"players": 3}, EuchreCards()),
    ("euchre", {"players": 4}, EuchreCards()),
    ("fodinha", {"players": 4}, FodinhaCards()),
    ("fodinha", {"players": 10, "blind_one": False}, FodinhaCards()),
    ("fodinha", {"players": 2, "range": 13, "tries": 1}, FodinhaCards()),
    ("fodinha", {"players": 4}, FodinhaCounts()),
    ("fodinha", {"players": 10, "blind_one": False}, FodinhaCounts()),
]
every_table = pytest.mark.parametrize(("game", "options", "abstraction"), TABLES)


def positions(game, options, seeds=range(4), steps=250):
    for seed in seeds:
        rng = Random(seed)
        state = GAMES[game].new(seed=seed, **options)
        for _ in range(steps):
            if state.turn == OVER:
                break
            yield state
            state.apply(rng.choice(state.legal()))


def moves_of(abstraction: Abstraction, state: State) -> dict[str, str]:
    """The words for each legal action's move, by the action's label; first choices first."""
    moves = abstraction.moves(state.view(state.turn), state.legal())
    return {state.label(action): abstraction.move_words(move) for action, move in moves.items()}


def situation_of(abstraction: Abstraction, state: State) -> str:
    return abstraction.words(abstraction.situation(state.view(state.turn)))


@every_table
def test_every_action_makes_one_move(game, options, abstraction):
    for state in positions(game, options):
        moves = abstraction.moves(state.view(state.turn), state.legal())
        assert sorted(moves) == state.legal()
        assert all(0 <= move < len(abstraction.move_names) for move in moves.values())


@every_table
def test_every_situation_is_known_and_has_words(game, options, abstraction):
    for state in positions(game, options):
        situation = abstraction.situation(state.view(state.turn))
        assert abstraction.knows(situation)
        assert abstraction.words(situation).split(": ")[1]
        assert len(abstraction.prior(situation)) == len(abstraction.move_names)


@every_table
def test_one_look_finds_the_situation_and_the_moves(game, options, abstraction):
    for state in positions(game, options):
        view, legal = state.view(state.turn), state.legal()
        situation, moves = abstraction.look(view, legal)
        assert situation == abstraction.situation(view)
        assert list(moves.items()) == list(abstraction.moves(view, legal).items())


@every_table
def test_numbers_that_are_no_situation_are_not_known(game, options, abstraction):
    situation = next(
        abstraction.situation(state.view(state.turn)) for state in positions(game, options)
    )
    assert not abstraction.knows(())
    assert not abstraction.knows(situation[:-1])
    assert not abstraction.knows((*situation, 0))
    assert not abstraction.knows((*situation[:-1], 99))
    assert not abstraction.knows((len(abstraction.layouts), *situation[1:]))


def test_fingerprints_tell_abstractions_apart():
    prints = {
        each.fingerprint() for each in (EuchreAbstraction(), NottyAbstraction(), FourFeatures())
    }
    assert len(prints) == 3

    class Revised(EuchreAbstraction):
        version = EuchreAbstraction.version + 1

    assert Revised().fingerprint() != EuchreAbstraction().fingerprint()


# Euchre. Seat 1 deals, so seat 2 speaks first, then 0, then 1.

DEAL = """9S 10S QH KD 9C  JS JC AS KS AH  9H 10H QD 9D 10C
          AD KC QC JD JH  QS"""


def euchre(*labels: str, deal: str = DEAL, **options: int) -> State:
    state = GAMES["euchre"].new(deck=deal.split(), first=1, **options)
    for label in labels:
        state.apply(state.parse(label))
    return state


def test_a_strong_hand_sounds_strong_and_a_weak_one_weak():
    weak = situation_of(EuchreAbstraction(), euchre())
    strong = situation_of(EuchreAbstraction(), euchre("pass"))
    assert weak.startswith("ordering up: against the soloist, partner deals, about 1.1 tricks")
    assert strong.startswith("ordering up: soloist, opponent deals, about 3.8 tricks")


def test_suits_are_called_by_strength():
    """With the dummy, the soloist holds both red bowers and four aces, but weak clubs."""
    state = euchre("pass", "pass", "pass", "pass")
    assert moves_of(EuchreAbstraction(), state) == {
        "pass": "pass",
        "call hearts": "call the strongest suit",
        "call diamonds": "call the second suit",
        "call clubs": "call the weakest suit",
    }


def test_names_of_suits_do_not_matter():
    """Spades for hearts and clubs for diamonds: the same situation, the same moves."""
    swap = str.maketrans("SHCD", "HSDC")
    abstraction = EuchreAbstraction()
    rng = Random(4)
    for _ in range(5):
        one, other = euchre(), euchre(deal=DEAL.translate(swap))
        for _ in range(25):
            if one.hand_no > 1:
                break
            assert situation_of(abstraction, one) == situation_of(abstraction, other)
            ours, theirs = moves_of(abstraction, one), moves_of(abstraction, other)
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


def test_a_void_hand_trumps_in_low_or_high_or_throws_off():
    state = euchre(*LONE_SPADES, "play 10C", "play 9C")
    assert moves_of(EuchreAbstraction(), state) == {
        "play AH": "throw off the lowest card",
        "play KS": "trump in low",
        "play AS": "trump in high",
        "play JC": "trump in high",
        "play JS": "trump in high",
    }
    assert "can trump" in situation_of(EuchreAbstraction(), state)


def test_a_hand_that_follows_suit_wins_or_ducks():
    state = euchre(*LONE_SPADES, "play 10H", "play QH")
    assert moves_of(EuchreAbstraction(), state) == {"play AH": "win cheaply"}
    assert "can surely win in suit" in situation_of(EuchreAbstraction(), state)
    state = euchre(*LONE_SPADES, "play QS")
    assert moves_of(EuchreAbstraction(), state) == {
        "play 9S": "duck",
        "play 10S": "play another losing card",
    }


def test_cards_that_nothing_unseen_can_beat_are_led_as_such():
    state = euchre(*LONE_SPADES, "play 10C", "play 9C", "play KS")
    assert moves_of(EuchreAbstraction(), state) == {
        "play AH": "lead a sure winner of a plain suit",
        "play AS": "lead the highest trump",
        "play JC": "lead the highest trump",
        "play JS": "lead the highest trump",
    }


def test_partner_holding_the_trick_is_noticed():
    """The ace of diamonds lies in the dead dummy; the ace of clubs may be anywhere."""
    made = ("order up", "discard 9D", "with partner")
    king = euchre(*made, "play KD", "play AH")
    assert "partner holds it for sure, last to play" in situation_of(EuchreAbstraction(), king)
    nine = euchre(*made, "play 9C", "play AH")
    assert "partner holds it, last to play" in situation_of(EuchreAbstraction(), nine)
    ruffed = euchre(*made, "play 9C", "play KS")
    assert "opponent holds the trick" in situation_of(EuchreAbstraction(), ruffed)


def test_the_weakest_card_is_discarded_first():
    state = euchre("pass", "order up")
    moves = moves_of(EuchreAbstraction(), state)
    assert next(iter(moves.items())) == ("discard 10C", "discard the weakest card")
    assert moves["discard QS"] == "discard another card"


# Notty


def notty(deck: str, *labels: str) -> State:
    state = GAMES["notty"].new(deck=deck.split())
    for label in labels:
        state.apply(state.parse(label))
    return state


def test_a_hand_of_groups_goes_out():
    state = notty("R3 R4 R5 R6")
    moves = moves_of(NottyAbstraction(), state)
    assert "all in groups" in situation_of(NottyAbstraction(), state)
    assert moves["group R3 R4 R5 R6"] == "discard a group on the way out"
    assert moves["group R3 R4 R5"] == "discard another group"


def test_the_most_isolated_card_is_discarded_first():
    state = notty("R3 R4 R5 K9 G1 G2 B1 B2 R6", "exchange")
    moves = moves_of(NottyAbstraction(), state)
    assert next(iter(moves)) == "discard K9"
    assert moves["discard K9"] == "discard the most isolated card"
    assert moves["discard R6"] == "discard another card"


def test_a_hand_close_to_going_out_says_so():
    close = situation_of(NottyAbstraction(), notty("R3 R4 R5 K9"))
    far = situation_of(NottyAbstraction(), notty("R1 G4 Y7 K9"))
    assert "a group in hand" in close
    assert "far from going out" in far
    assert "far from going out" not in close


def test_what_was_done_this_turn_is_part_of_the_situation():
    state = notty("R1 G4 Y7 K9", "draw 1", "steal 1")
    words = situation_of(NottyAbstraction(), state)
    assert "has drawn" in words
    assert "has stolen" in words
    assert "has exchanged" not in words


def test_stealing_a_last_card_is_a_move_of_its_own():
    state = notty("R1 G4 Y7 K9 R3 R4 R5 B9", "pass", "group R3 R4 R5", "pass")
    assert moves_of(NottyAbstraction(), state)["steal 1"] == "steal a player's last card"


def test_a_table_untaught_takes_the_race_for_what_it_seems():
    """Who is closer, and whose rivals are farther, has the better prospects; passing costs."""
    sees = NottyAbstraction()

    def worth(deck: str, move: str = "exchange") -> float:
        return sees.prior(sees.situation(notty(deck).view(0)))[sees.move_names.index(move)]

    close, far = "R3 R4 R5 K9", "R1 G4 Y7 K9"
    assert worth(f"{close} {far}") > worth(f"{far} {far}") > worth(f"{far} {close}")
    assert worth(f"{close} {far}", "pass") < worth(f"{close} {far}")
