"""How Truco looks to a learner: sentences about positions, moves, and learning that pays."""

from random import Random

import pytest

from agents.agent import Agent
from agents.learners.q import QLearner
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.registry import make
from agents.truco.features import TrucoAbstraction
from agents.truco.rewards import TrucoRewards
from agents.truco.rules import EasyTruco
from engine.game import OVER, Event
from engine.games.truco import FLOR, SIDES, TrucoState
from engine.games.truco import GAME as TRUCO

EYES = TrucoAbstraction()

# Seat 0 is mano; nobody has a flor, and the muestra makes no pieza of these cards.
MATA, TWO, MUESTRA = "1E 3C 7C", "2O 3E 4O", "7B"
# The mano has a flor of two piezas.
PIEZAS = ("2B 4B 6O", TWO, "12B")


def table(mano: str, other: str, muestra: str, *texts: str, scores=(0, 0)) -> TrucoState:
    state = TRUCO.new(seed=1, deck=[*mano.split(), *other.split(), muestra], first=0)
    state.points = list(scores)
    for text in texts:
        state.apply(state.parse(text))
    return state


def words(state: TrucoState) -> str:
    return EYES.words(EYES.situation(state.view(state.turn)))


def moves(state: TrucoState) -> dict[str, str]:
    made = EYES.moves(state.view(state.turn), state.legal())
    return {state.label(action): EYES.move_words(move) for action, move in made.items()}


def positions(seeds: int):
    for seed in range(seeds):
        rng = Random(seed)
        state = TRUCO.new(seed=seed, target=10 + seed)
        while state.turn != OVER:
            yield state
            state.apply(rng.choice(state.legal()))


# Situations


def test_the_lead_of_a_round_is_seen_by_position_chance_stake_and_the_best_cards() -> None:
    assert words(table(MATA, TWO, MUESTRA)) == (
        "leading: first trick as mano, the cards win two times in three, "
        "the round is worth 1, best card a mata, next card a two or a three"
    )


def test_an_answer_is_seen_by_what_can_be_done_about_the_card_on_the_table() -> None:
    assert words(table(MATA, TWO, MUESTRA, "play 3C")) == (
        "following: first trick behind the mano, the cards win not quite every other time, "
        "the round is worth 1, can tie the trick"
    )


def test_a_bid_is_seen_with_the_cards_on_the_table_and_the_match_at_stake() -> None:
    assert words(table(MATA, TWO, MUESTRA, "play 3C", "raise", scores=(36, 39))) == (
        "answering: first trick as mano, the cards win a bit more than every other time, "
        "a raise would win me the match, the round wins them the match, "
        "they bid truco, my card on the table"
    )


def test_an_accepted_raise_shows_who_made_it_and_how_the_tricks_stand() -> None:
    raised = table(MATA, TWO, MUESTRA, "raise", "accept", "play 7C", "play 4O")
    assert words(raised).startswith("leading: first trick won")
    assert "truco by me" in words(raised)
    answered = table(MATA, TWO, MUESTRA, "raise", "accept", "play 7C")
    assert "truco by them" in words(answered)


@pytest.mark.parametrize(
    ("texts", "standing"),
    [
        (("play 3C", "play 3E"), "first trick tied as mano"),
        (("play 3C", "play 2O"), "first trick won"),
        (("play 7C", "play 2O"), "first trick lost"),
        (("play 3C", "play 2O", "play 7C", "play 3E"), "one trick each and the first is mine"),
        (("play 7C", "play 3E", "play 2O", "play 3C"), "one trick each and the first is theirs"),
    ],
)
def test_the_tricks_are_told_from_the_own_seat(texts, standing) -> None:
    state = table(MATA, TWO, MUESTRA, *texts)
    mine = EYES.words(EYES.situation(state.view(0)))
    assert standing in mine


def test_the_last_answer_knows_whether_it_wins() -> None:
    split = ("play 3C", "play 2O", "play 7C", "play 3E")
    sure = table(MATA, TWO, MUESTRA, *split, "play 4O")
    assert "the cards surely win" in words(sure)
    hopeless = table("4E 3C 7C", TWO.replace("4O", "12O"), MUESTRA, *split, "play 12O")
    assert "the cards cannot win" in words(hopeless)


def test_strength_is_relative_to_the_muestra_and_suits_do_not_matter() -> None:
    oros = table("2O 6C 7B", "3E 5B 4C", "7O")
    espadas = table("2E 6O 7C", "3B 5C 4O", "6E")
    assert words(oros) == words(espadas)
    assert "best card a pieza" in words(oros)


def test_a_flor_is_held_then_called_and_the_other_hears_it() -> None:
    assert "I hold a flor" in words(table(*PIEZAS))
    assert "I called my flor" in words(table(*PIEZAS, "flor"))
    assert "they called a flor" in words(table(*PIEZAS, "flor", "play 6O"))
    assert "I called a false flor" in words(table(MATA, TWO, MUESTRA, "flor"))


# Moves


def test_leads_go_by_height_and_equal_cards_are_one_move() -> None:
    assert moves(table("3O 3C 4E", TWO, MUESTRA)) == {
        "play 3C": "lead the highest card",
        "play 3O": "lead the highest card",
        "play 4E": "lead the lowest card",
        "raise": "raise",
        "flor": "call a false flor",
    }


def test_answers_win_tie_or_throw_off() -> None:
    assert moves(table("2E 3C 7C", "2O 3E 1E", MUESTRA, "play 2E")) == {
        "play 2O": "tie the trick",
        "play 3E": "win cheaply",
        "play 1E": "win high",
        "raise": "raise",
        "flor": "call a false flor",
    }
    assert moves(table(MATA, TWO, MUESTRA, "play 1E")) == {
        "play 4O": "throw the weakest card",
        "play 2O": "throw another losing card",
        "play 3E": "throw another losing card",
        "raise": "raise",
        "flor": "call a false flor",
    }


def test_a_bid_is_accepted_rejected_or_raised_back() -> None:
    assert moves(table(MATA, TWO, MUESTRA, "play 3C", "raise")) == {
        "accept": "accept",
        "reject": "reject",
        "raise": "raise back",
    }
    vale_4 = table(MATA, TWO, MUESTRA, "play 3C", "raise", "raise", "raise")
    assert moves(vale_4) == {"accept": "accept", "reject": "reject"}


def test_every_situation_of_random_play_is_known_and_every_action_is_a_move() -> None:
    spoken = set()
    for state in positions(30):
        view, legal = state.view(state.turn), state.legal()
        situation = EYES.situation(view)
        assert EYES.knows(situation)
        spoken.add(EYES.words(situation).split(":")[0])
        made = EYES.moves(view, legal)
        assert sorted(made) == legal
        assert all(0 <= move < len(EYES.move_names) for move in made.values())
    assert spoken == {"leading", "following", "answering"}


# Before and after learning


def test_without_experience_real_flors_are_called_and_false_ones_are_not() -> None:
    newcomer = QLearner(TrucoAbstraction(), TrucoRewards(), learning=False)
    for cards, called in ((PIEZAS, True), ((MATA, TWO, MUESTRA), False)):
        state = table(*cards)
        decision = newcomer.act(state.view(0), state.legal(), Random(1))
        assert (decision.action == FLOR) == called


def test_rewards_are_the_points_of_the_round_and_the_match() -> None:
    rewards = TrucoRewards()
    hand = Event("hand", 1, points=(3, 2), note="tricks")
    assert rewards.of_event(hand, 0, SIDES) == (10, "round lost, 3 to 2")
    assert rewards.of_event(hand, 1, SIDES) == (-10, "round won, 2 to 3")
    match = Event("match", points=(0.0, 1.0))
    assert rewards.of_event(match, 1, SIDES) == (20, "match won")
    assert rewards.of_event(match, 0, SIDES) == (-20, "match lost")
    assert rewards.of_event(Event("trick", 0), 0, SIDES) is None


def share_of_wins(learner: QLearner, other: Agent, matches: int) -> float:
    """Over shared deals, each played from both seats."""
    wins = 0.0
    for number in range(matches):
        state = TRUCO.new(seed=number // 2)
        seat = number % 2
        players = [learner, other] if seat == 0 else [other, learner]
        Match(state, players, seed=number).play_out()
        wins += state.returns()[seat]
    return wins / matches


def test_self_play_beats_random() -> None:
    learner = make("truco", "q", learning=True)
    assert isinstance(learner, QLearner)
    for seed in range(100):
        Match(TRUCO.new(seed=1000 + seed), [learner, learner], seed=seed).play_out()
    learner.learning = False
    assert share_of_wins(learner, RandomPlayer(), 40) >= 0.95


def test_play_against_easy_pays_off() -> None:
    learner, easy = make("truco", "q", learning=True), EasyTruco()
    assert isinstance(learner, QLearner)
    for seed in range(150):
        players = [learner, easy] if seed % 2 else [easy, learner]
        Match(TRUCO.new(seed=1000 + seed), players, seed=seed).play_out()
    learner.learning = False
    assert share_of_wins(learner, easy, 150) >= 0.6
