"""Fodinha's features read like sentences, and a table over them learns to play."""

from random import Random

import pytest

from agents.fodinha.features import FodinhaAbstraction
from agents.fodinha.rewards import FodinhaRewards
from agents.learners.q import QLearner
from agents.learners.rewards import Reward
from agents.learners.settings import LearningSettings
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.registry import make
from engine.game import OVER, Event
from engine.games.fodinha import DECKS, PACK, SIDES, FodinhaState
from engine.games.fodinha import GAME as FODINHA

FODINHA_EYES = FodinhaAbstraction()
THREE_SIDES = ((0,), (1,), (2,))


def dealt(*hands: str, turned: str = "AS", said: str = "", **options) -> FodinhaState:
    """A round with these hands from seat 0 on, the last seat dealing; power is the rank
    above the last turned card. What was said before the decision is divided by commas."""
    options = {"players": len(hands), "tries": len(turned.split()), **options}
    chosen = FODINHA.make_options(options)
    state = FodinhaState(5, SIDES[chosen.players], options=chosen)
    state.seat_the_living()
    state.dealer = len(hands) - 1
    state.size = len(hands[0].split())
    top = [code for hand in hands for code in hand.split()] + turned.split()
    state.deal(PACK.stack(top, DECKS[state.options.range]))
    for label in said.split(",") if said else []:
        state.apply(state.parse(label))
    return state


def words(state: FodinhaState) -> str:
    return FODINHA_EYES.words(FODINHA_EYES.situation(state.view(state.turn)))


def moves(state: FodinhaState) -> dict[str, str]:
    made = FODINHA_EYES.moves(state.view(state.turn), state.legal())
    return {state.label(action): FODINHA_EYES.move_words(move) for action, move in made.items()}


# Before the play


def test_the_dealer_sees_which_power_cards_lie_face_up():
    state = dealt("3S", "4S", turned="7D 8C 9C")
    assert words(state) == "choosing the power card: no power card face up"
    assert moves(state) == {
        "approve": "approve the power card",
        "reject": "reject the power card",
    }
    state = dealt("3S", "4S", turned="8D 7C 5C", said="reject")
    assert words(state) == "choosing the power card: one power card face up"


def test_a_call_hangs_on_the_wins_that_the_hand_promises():
    state = dealt("2S AH", "3S 4S", "5S 6S")
    assert words(state) == ("calling: two cards, the hand promises one win, nobody has called")
    assert moves(state) == {
        "call 1": "call what the hand promises",
        "call 0": "call one less",
        "call 2": "call one more",
    }


def test_the_dealer_has_heard_the_others_and_lacks_one_call():
    state = dealt("3S 4S 5S", "6S 6H 7D", "2S 2H 2C", said="call 0,call 0")
    assert words(state) == (
        "calling: three cards, the hand promises three wins, "
        "others call their share, I deal and call last"
    )
    assert moves(state) == {
        "call 2": "call one less",
        "call 1": "call far less",
        "call 0": "call far less",
    }


def test_others_who_call_a_lot_are_heard():
    state = dealt("3S 4S", "AH AD", "5S 6S", said="call 2")
    assert words(state).endswith("the hand promises no win, others call a lot")


def test_in_a_blind_round_the_cards_in_sight_and_the_calls_tell_of_the_own_card():
    state = dealt("3S", "AH", "2H", said="call 0")
    assert words(state) == "calling blind: my card can hardly win, one calls no win"
    state = dealt("3S", "3H", "AH", said="call 1,call 1")
    assert words(state) == "calling blind: my card wins almost surely, several call a win"


def test_a_hidden_card_leaves_no_choice_but_the_call_is_remembered():
    state = dealt("3S", "AH", "3H", said="call 1,call 1,call 0")
    assert words(state) == (
        "playing blind: I called a win, my card wins five times in six, "
        "one calls no win, one calls a win"
    )
    assert moves(state) == {"play hidden": "play hidden"}


# Play


def test_leading_with_a_winner_a_loser_and_what_lies_between():
    state = dealt("2S AH 8D", "3S 4S 6D", "5S 6S 7D", said="call 2,call 0,call 2")
    assert words(state) == (
        "leading: two wins needed, the hand is a little weak, three cards, "
        "a likely winner, a likely loser, others want a lot"
    )
    assert moves(state) == {
        "play 2S": "take the trick with the lowest likely winner",
        "play AH": "throw off the highest likely loser",
        "play 8D": "try the highest doubtful card",
    }


def test_last_in_the_trick_there_is_no_doubt():
    state = dealt(
        "6S 3H 5D 5H", "7S 4H 5C AC", "8C 9S 4D 3D",
        said="call 1,call 0,call 1,play 6S,play 7S",
    )  # fmt: skip
    assert words(state) == (
        "following: one win needed, the hand is just right, four or more cards, last to play, "
        "several likely winners, several likely losers"
    )
    assert moves(state) == {
        "play 8C": "take the trick with the lowest likely winner",
        "play 9S": "take the trick with the highest likely winner",
        "play 4D": "throw off the highest likely loser",
        "play 3D": "throw off the lowest likely loser",
    }


def test_a_card_that_would_be_cancelled_is_a_loser():
    state = dealt("9S 3H", "9H 4S", said="call 1,call 0,play 9S")
    assert moves(state) == {
        "play 9H": "throw off the highest likely loser",
        "play 4S": "throw off the lowest likely loser",
    }


def test_a_win_too_many_and_a_carried_trick_are_seen():
    state = dealt("9S 10S 5H", "9H 8S 4H", said="call 0,call 0,play 9S,play 9H")
    assert "the trick counts double" in words(state)
    state.apply(state.parse("play 10S"))
    state.apply(state.parse("play 8S"))
    assert words(state).startswith("leading: two wins too many, the hand is far too strong")


def test_suits_do_not_matter_but_among_power_cards():
    first = dealt("6S 3H", "7D 4H", "8C 9S", said="call 1,call 0,call 2,play 6S")
    second = dealt("6D 3C", "7H 4D", "8C 9S", said="call 1,call 0,call 2,play 6D")
    assert words(first) == words(second)


def test_without_experience_a_seat_that_needs_nothing_loses_the_trick():
    state = dealt("6S 3H", "7S 4H", "8C AH", said="call 1,call 0,call 0,play 6S,play 7S")
    decision = make("fodinha", "q").act(state.view(2), state.legal(), Random(1))
    assert state.label(decision.action) == "play AH"


# Anywhere


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 2, "range": 1, "tries": 1},
        {"players": 2, "range": 13, "tries": 1, "lives": 30},
        {"players": 3, "range": 2, "tries": 2, "cancel": "pairs", "lives": 9},
        {"players": 10, "range": 13, "blind_one": False},
    ],
    ids=str,
)
def test_every_situation_is_known_in_words_and_every_action_is_a_move(options):
    for seed in range(5):
        rng = Random(seed)
        state = FODINHA.new(seed=seed, **options)
        for _ in range(250):
            if state.turn == OVER:
                break
            view, legal = state.view(state.turn), state.legal()
            situation = FODINHA_EYES.situation(view)
            assert FODINHA_EYES.knows(situation)
            title, _, said = FODINHA_EYES.words(situation).partition(": ")
            assert title
            assert said
            made = FODINHA_EYES.moves(view, legal)
            assert sorted(made) == legal
            assert all(FODINHA_EYES.move_words(move) for move in made.values())
            state.apply(rng.choice(legal))


# Rewards


@pytest.mark.parametrize(
    ("event", "reward"),
    [
        (Event("hand", points=(0, -1, -2)), Reward(5, "call kept")),
        (Event("hand", points=(-1, 0, 0)), Reward(-10, "1 life lost")),
        (Event("hand", points=(-3, 0, 0)), Reward(-30, "3 lives lost")),
        (Event("out", 0), Reward(-10, "out of the match")),
        (Event("out", 1), None),
        (Event("match", points=(1, 0, 0)), Reward(20, "match won")),
        (Event("match", points=(0, 1, 0)), None),
        (Event("trick", 0), None),
    ],
    ids=str,
)
def test_lives_are_what_counts(event, reward):
    assert FodinhaRewards().of_event(event, 0, THREE_SIDES) == reward


# Learning


def wins(special, field, deals: int) -> float:
    """The share of matches one player wins among three others, every deal from every seat."""
    won = 0.0
    for seed in range(deals):
        for seat in range(4):
            state = FODINHA.new(seed=seed)
            players = [special if each == seat else field for each in range(4)]
            Match(state, players, seed=seed).play_out()
            won += state.returns()[seat]
    return won / (4 * deals)


class NoIdea(FodinhaAbstraction):
    """Every move seems as good as any other before it has been tried."""

    def prior(self, situation):
        return [0.0] * len(self.move_names)


def test_self_play_alone_teaches_it_to_beat_random_players():
    learner = QLearner(NoIdea(), FodinhaRewards(), LearningSettings(gamma=1.0), learning=False)
    assert wins(learner, RandomPlayer(), 20) < 0.55
    learner.learning = True
    for seed in range(10_000, 10_150):
        Match(FODINHA.new(seed=seed), [learner] * 4, seed=seed).play_out()
    learner.learning = False
    assert wins(learner, RandomPlayer(), 20) > 0.7


def test_what_it_takes_for_granted_is_enough_against_random_players():
    assert wins(make("fodinha", "q"), RandomPlayer(), 8) > 0.8
