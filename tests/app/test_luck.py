"""The luck of random events is measured, and is zero on average."""

from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from agents.roster import GameAgents
from app.records.journal import MatchSetup
from app.study import luck as luck_module
from app.study.course import chances_of, course_of
from app.study.luck import Effort, Luck, LuckMeter, Odds, Until
from app.study.summary import Stage
from engine import GAMES
from engine.game import OVER, State

ROUGH = Effort(playouts=1, redeals=2)
SHORT = {"truco": {"target": 4}, "notty": {"turn_limit": 6}, "fodinha": {"lives": 1}}


def setup_of(game: str, seed: int = 5, players: str = "hard") -> MatchSetup:
    options = GAMES[game].make_options(SHORT.get(game, {})).as_dict()
    seats = GAMES[game].new(0, None, None, **options).seats
    return MatchSetup(game, options, seed, None, (players,) * seats, ("",) * seats)


def random_actions(setup: MatchSetup, limit: int = 400) -> list[int]:
    """The actions of a random match, up to a limit."""
    state, rng, actions = setup.deal(), Random(setup.seed), []
    while state.turn != OVER and len(actions) < limit:
        actions.append(rng.choice(state.legal()))
        state.apply(actions[-1])
    return actions


def lucks(setup: MatchSetup, actions: list[int], effort: Effort = ROUGH) -> list[Luck]:
    meter, state = LuckMeter(setup, effort), setup.deal()
    found = [meter.of_deal(state)]
    for number, action in enumerate(actions):
        before = state.clone()
        state.apply(action)
        if luck := meter.of_action(number, before, action, state):
            found.append(luck)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_deal_and_every_draw_is_measured(game: str) -> None:
    setup = setup_of(game)
    actions = random_actions(setup, 120)
    state, events = setup.deal(), 1
    for action in actions:
        used = state.chance_used()
        state.apply(action)
        events += state.chance_used() != used
    found = lucks(setup, actions)
    assert len(found) == events
    assert found[0].number == 0
    assert all(len(luck.changes) == len(state.sides) for luck in found)
    assert all(sum(luck.changes) == pytest.approx(0, abs=0.05) for luck in found)


@pytest.mark.parametrize("game", GAMES)
def test_luck_depends_only_on_the_match(game: str) -> None:
    setup = setup_of(game)
    actions = random_actions(setup, 30)
    assert lucks(setup, actions) == lucks(setup, actions)


def test_good_cards_are_luck() -> None:
    """With the 7 of coins as the muestra, its 2, 4 and 5 are the three highest cards."""
    setup = setup_of("truco")
    meter = LuckMeter(setup, Effort(4, 60))
    game = GAMES["truco"]

    def luck(*deck: str) -> float:
        state = game.new(setup.seed, deck=list(deck), first=0, **setup.options)
        return meter.of_deal(state).changes[0]

    plain = ["4C", "6B", "5C", "4B", "6C", "5B"]
    strong = ["2E", "4E", "5E"]
    one = luck(*strong, *plain[:3], "7E")
    other = luck(*plain[:3], *strong, "7E")
    assert one * other < 0
    assert abs(one - other) > 0.1


def means_of_luck(game: str, matches: int) -> tuple[float, float]:
    """The mean luck of the first side over random matches, and its standard error."""
    totals = []
    for seed in range(matches):
        setup = setup_of(game, 1000 + seed)
        totals.append(sum(luck.changes[0] for luck in lucks(setup, random_actions(setup))))
    return fmean(totals), stdev(totals) / sqrt(matches)


def test_luck_is_zero_on_average() -> None:
    mean, error = means_of_luck("truco", 60)
    assert abs(mean) < 4 * error


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_luck_is_zero_on_average_in_every_game(game: str) -> None:
    mean, error = means_of_luck(game, 300)
    assert abs(mean) < 4 * error


def test_luck_of_a_deal_is_zero_between_unequal_sides() -> None:
    """The soloist at Euchre wins one match of seven, but has no bad luck."""
    totals = []
    for seed in range(60):
        setup = setup_of("euchre", 2000 + seed, players="random")
        totals.append(lucks(setup, [])[0].changes[0])
    assert abs(fmean(totals)) < 4 * stdev(totals) / sqrt(len(totals))


def test_standing_tells_the_luck_without_playing_on() -> None:
    """At Notty, a card that completes the hand is as lucky as it can be."""
    setup = setup_of("notty")
    assert Odds("notty", setup.players).until is Until.NOW
    state = setup.deal()
    for label in ("pass", "pass", "exchange"):
        state.apply(state.parse(label))
    chances = Odds("notty", setup.players).of(state)
    assert sum(chances) == pytest.approx(1)
    meter = LuckMeter(setup, Effort(playouts=50, redeals=1))
    assert meter.of_deal(setup.deal()) == LuckMeter(setup, Effort(1, 1)).of_deal(setup.deal())


def test_game_without_odds_and_standing_is_played_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(luck_module, "roster", lambda game: GameAgents())
    setup = setup_of("notty")
    assert Odds("notty", setup.players).until is Until.MATCH
    luck = LuckMeter(setup, Effort(1, 1)).of_deal(setup.deal())
    assert all(change in (-1.0, -0.5, 0.0, 0.5, 1.0) for change in luck.changes)


def test_players_out_of_the_match_have_no_chance() -> None:
    state: State = setup_of("fodinha").deal()
    rng = Random(2)
    while not any(score <= 0 for score in state.scores()):
        state.apply(rng.choice(state.legal()))
    if state.turn != OVER:
        chances = Odds("fodinha", ["hard"] * 4).of(state)
        assert [chance == 0 for chance in chances] == [score <= 0 for score in state.scores()]
        assert sum(chances) == pytest.approx(1)


# The course of a match


def stage(number: int, played: int) -> Stage:
    return Stage(number, (0, 0), (0.5, 0.5), played=played)


def test_chances_without_luck_end_at_the_adjusted_result() -> None:
    stages = [stage(0, 0), stage(1, 10), stage(2, 20)]
    luck = [Luck(0, 1, (0.2, -0.2)), Luck(10, 2, (-0.1, 0.1))]
    course = course_of(stages, [0.5, 0.7, 1.0], luck, 0, turns=False)
    assert course.luck == (0.0, 0.2, -0.1)
    assert course.fair == pytest.approx([0.5, 0.5, 0.9])
    assert course.extremes() == (1, 2)


def test_luck_of_a_turn_counts_in_that_turn() -> None:
    stages = [stage(0, 0), stage(1, 3), stage(2, 7)]
    luck = [Luck(0, 1, (0.1, -0.1)), Luck(3, 1, (0.2, -0.2)), Luck(4, 1, (0.3, -0.3))]
    course = course_of(stages, [0.5, 0.5, 1.0], luck, 1, turns=True)
    assert course.luck == pytest.approx((0.0, -0.3, -0.3))


def test_chances_follow_the_score() -> None:
    setup = setup_of("truco")
    actions = random_actions(setup)
    stages = [stage(0, 0), stage(1, len(actions))]
    first, last = chances_of(setup, stages, actions, 0)
    assert first == pytest.approx(0.5, abs=0.01)
    assert last in (0.0, 1.0)
