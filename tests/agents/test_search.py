"""Search: likely worlds, the tally of results, and the odds of a match."""

from random import Random

import numpy as np
import pytest

from agents.agent import Decision, Scale
from agents.euchre.rules import HardEuchre
from agents.euchre.search import EuchreBeliefs, euchre_search
from agents.euchre.search import chance_to_win as euchre_chance
from agents.registry import make
from agents.search.agent import ROUND, BeliefModel, Budget, SearchAgent, SearchPlayer, Tally
from agents.search.match_odds import MatchOdds
from agents.smear.rules import HardSmear
from agents.smear.search import SmearSearch
from engine import GAMES
from engine.game import OVER, State
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import ORDER_UP, PASS, TRUMP_LOOKUPS
from engine.games.smear import GAME as SMEAR

EUCHRE_BELIEFS = EuchreBeliefs(HardEuchre(), sharp=15.0, slips=0.08)


@pytest.mark.parametrize(
    ("game", "options", "beliefs"),
    [
        ("euchre", {"players": 3}, EUCHRE_BELIEFS),
        ("euchre", {"players": 4}, EUCHRE_BELIEFS),
    ],
)
def test_replayed_hand_gives_the_same_view(
    game: str, options: dict[str, int], beliefs: BeliefModel
):
    for seed in range(2):
        rng = Random(seed)
        state = GAMES[game].new(seed=seed, **options)
        for _ in range(60):
            if state.turn == OVER:
                break
            view = state.view(state.turn)
            past, likely = beliefs.replay(view, view.sample(rng), rng)
            assert past.view(view.seat) == view
            assert past.legal() == state.legal()
            assert 0 < likely <= 1
            state.apply(rng.choice(state.legal()))


def cards(*hands: str) -> list[str]:
    return " ".join(hands).split()


def trumps_of(state: State, seat: int) -> int:
    return (state.hands[seat] & TRUMP_LOOKUPS[state.trump].follow[state.trump]).bit_count()


def test_worlds_give_trumps_to_the_seat_that_ordered_up():
    state = EUCHRE.new(seed=3, first=3, players=4)
    state.apply(PASS)
    state.apply(ORDER_UP)
    state.apply(state.legal()[0])
    view = state.view(0)
    rng = Random(0)
    player = euchre_search(Budget(worlds=40))
    likely = player.worlds(view, rng)
    count = sum([weight for _, weight in likely])
    weighed = sum([weight * trumps_of(world, 1) for world, weight in likely]) / count
    dealt_blindly = sum([trumps_of(view.sample(rng), 1) for _ in range(200)]) / 200
    assert weighed > dealt_blindly + 0.5


def test_weights_of_worlds_add_up_to_the_budget():
    state = EUCHRE.new(seed=3, first=3, players=4)
    state.apply(PASS)
    view = state.view(state.turn)
    for worlds in (1, 7, 40):
        player = euchre_search(Budget(worlds))
        assert sum([weight for _, weight in player.worlds(view, Random(1))]) == worlds


def test_finds_a_march_alone():
    deck = cards("JS JC AS KS QS", "9H 10H QH 9D 10D", "QD JD 9C 10C QC", "KH KD KC AH AD", "10S")
    state = EUCHRE.new(seed=1, first=3, players=4, deck=deck)
    player = euchre_search(Budget(worlds=8))
    rng = Random(1)
    bid = player.act(state.view(0), state.legal(), rng)
    assert bid.action == ORDER_UP
    assert bid.scores[ORDER_UP] > bid.scores[PASS]
    state.apply(bid.action)
    state.apply(state.legal()[0])
    assert state.label(player.act(state.view(0), state.legal(), rng).action) == "alone"


def test_passes_a_hopeless_hand():
    deck = cards("9H 10H 9D 10D 9C", "JS JC AS KS QS")
    state = EUCHRE.new(seed=1, first=3, players=4, deck=deck)
    decision = euchre_search(Budget(worlds=8)).act(state.view(0), state.legal(), Random(1))
    assert decision.action == PASS


def test_only_a_thorough_search_tries_a_revoke():
    deck = cards(
        "AS KS 9H 3C 4C 5C",
        "2S 3H 4D 5D 9D JD",
        "10S 4H 9C 10C JC QC",
        "2H KH 2D 3D 10D QD",
    )
    state = SMEAR.new(seed=5, first=3, deck=deck, revoke="penalty")
    for label in ("bet 4", "pass", "pass", "pass", "trump spades", "play 9H"):
        state.apply(state.parse(label))
    revoke = state.parse("play 4D")
    assert revoke in state.legal()
    search = SmearSearch(Budget(worlds=2))
    assert revoke not in search.act(state.view(1), state.legal(), Random(2)).scores
    search.thorough = True
    assert revoke in search.act(state.view(1), state.legal(), Random(2)).scores


def test_takes_the_action_with_the_better_result(monkeypatch):
    deck = cards(
        "AS KS 9H 3C 4C 5C",
        "2S 3H 4D 5D 9D JD",
        "10S 4H 9C 10C JC QC",
        "2H KH 2D 3D 10D QD",
    )
    state = SMEAR.new(seed=5, first=3, deck=deck)
    for label in ("bet 4", "pass", "pass", "pass", "trump spades"):
        state.apply(state.parse(label))
    for label in ("play 9H", "play 3H", "play 4H"):
        state.apply(state.parse(label))

    def takes_the_trick(seat, after):
        return float(after.last_winner == seat)

    player = SearchPlayer(
        HardSmear(), takes_the_trick, Budget(worlds=3), "tricks", scale=Scale.VALUE
    )
    # The outlook counts the own card only.
    monkeypatch.setattr(player, "play_out", lambda state, hand_no, rng: None)
    decision = player.act(state.view(3), state.legal(), Random(2))
    low, king = state.parse("play 2H"), state.parse("play KH")
    assert decision == Decision(king, {low: 0.0, king: 1.0}, "tricks")


def test_action_far_behind_is_dropped_and_a_close_one_is_not():
    tally = Tally([1, 2, 3])
    rng = Random(4)
    for _ in range(2 * ROUND):
        luck = rng.random()
        tally.add({1: luck, 2: luck - 0.5, 3: rng.random()}, 1)
    tally.drop_hopeless()
    assert tally.running == [1, 3]
    assert set(tally.means()) == {1, 2, 3}


def test_usual_action_is_kept_unless_another_is_clearly_better():
    doubtful, clear = Tally([1, 2]), Tally([1, 2])
    for world in range(10):
        doubtful.add({1: 0.5, 2: 0.6 if world % 2 else 0.42}, 1)
        clear.add({1: 0.5, 2: 0.6 if world % 2 else 0.52}, 1)
    assert doubtful.choice(usual=1, caution=1.0) == 1
    assert doubtful.choice(usual=1, caution=0.0) == 2
    assert clear.choice(usual=1, caution=1.0) == 2


def test_worlds_count_by_their_weight():
    tally = Tally([1, 2])
    tally.add({1: 1.0, 2: 0.0}, 1)
    tally.add({1: 0.0, 2: 1.0}, 3)
    assert tally.means() == {1: 0.25, 2: 0.75}


@pytest.mark.parametrize("game", ["euchre", "fodinha"])
def test_the_budget_can_be_set(game: str):
    agent = make(game, "search", budget=Budget(worlds=3))
    assert isinstance(agent, SearchAgent)
    assert agent.budget.worlds == 3
    assert make(game, "hard", budget=Budget(worlds=3)).name == "hard"


# The chance to win a match

EVEN = {(1, 0): 0.5, (0, 1): 0.5}


def test_odds_of_a_fair_match():
    odds = MatchOdds([EVEN], target=3)
    assert odds.chance((0, 0), 0) == pytest.approx(0.5, abs=1e-3)
    assert odds.chance((2, 1), 0) == pytest.approx(0.75, abs=1e-3)
    assert odds.chance((2, 0), 0) == pytest.approx(0.875, abs=1e-3)


def test_odds_depend_on_the_dealer():
    odds = MatchOdds([{(1, 0): 1.0}, {(0, 1): 1.0}], target=2)
    assert odds.chance((1, 1), 0) == 1.0
    assert odds.chance((1, 1), 1) == 0.0


def test_odds_cover_scores_below_zero():
    odds = MatchOdds([{(1, -1): 0.5, (-1, 1): 0.5}], target=2, lowest=-5)
    chances = [odds.chance((score, 0), 0) for score in range(-5, 2)]
    assert chances == sorted(chances)
    assert odds.chance((-9, 0), 0) == odds.chance((-5, 0), 0)


def test_odds_of_many_scores_equal_those_of_each():
    odds = MatchOdds([{(1, -1): 0.6, (-1, 1): 0.4}, EVEN], target=3, lowest=-4)
    scores = [(-9, 0), (2, -3), (0, 0), (1, 2)]
    for dealer in (0, 1):
        expected = [odds.chance(score, dealer) for score in scores]
        assert odds.chances(np.array(scores), dealer).tolist() == expected


def test_chance_is_certain_once_the_match_is_over():
    state = EUCHRE.new(seed=1, players=4)
    ahead = state.clone()
    ahead.points = (2, 9)
    assert euchre_chance(1, ahead) > euchre_chance(1, state)
    ahead.turn = OVER
    ahead.winners = (1,)
    assert euchre_chance(1, ahead) == 1.0
    ahead.winners = (0,)
    assert euchre_chance(1, ahead) == 0.0
