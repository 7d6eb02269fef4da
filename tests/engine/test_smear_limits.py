"""The limits of a match of Smear."""

from random import Random

from engine.game import OVER
from engine.games.smear import GAME as SMEAR
from engine.games.smear import PACK, game_points


def test_a_match_ends_after_two_hundred_hands():
    """Players who always bet four and revoke sink ever deeper and never reach eleven."""
    state = SMEAR.new(seed=1, revoke="penalty")
    rng = Random(1)
    hands = 0
    while state.turn != OVER:
        hand_no, legal = state.hand_no, state.legal()
        view = state.view(state.turn)
        revokes = [action for action in legal if view.revokes(action)]
        highest = [action for action in legal if state.label(action) == "bet 4"]
        state.apply(rng.choice(revokes or highest or legal))
        hands += state.hand_no != hand_no or state.turn == OVER
    assert (hands, state.hand_no) == (200, 200)
    assert max(state.scores()) < 11
    assert sum(state.returns()) == 2


def test_only_tens_and_court_cards_count_for_game():
    points = {code[:-1]: game_points(1 << PACK.card(code)) for code in PACK.codes}
    counted = {rank: worth for rank, worth in points.items() if worth}
    assert counted == {"10": 10, "J": 1, "Q": 2, "K": 3, "A": 4}
    assert game_points((1 << len(PACK.codes)) - 1) == 4 * 20
