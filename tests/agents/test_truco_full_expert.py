"""The expert at full Truco: its situations, its training, its play."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from agents.agent import Scale
from agents.truco_full.cfr import Fixed, Minimiser, Training, best_response, gain_of, visit_all
from agents.truco_full.expert import ExpertFullTruco, shipped_policy
from agents.truco_full.graph import nodes, start
from agents.truco_full.model import counted
from agents.truco_full.rounds import MOST, Deals, deal, worth
from agents.truco_full.situations import Policy, Situation, row_of
from engine.games.truco import NOBODY
from engine.games.truco_full import (
    ENVIDO,
    ENVITE_FALTA,
    GAME,
    MAZO,
    NO_QUIERO,
    OPEN,
    QUIERO,
    FullState,
)

ALL = {node.situation for flores in range(4) for node in nodes(flores)}


def positions(matches: int = 6) -> list[FullState]:
    """Positions of random matches with at least two choices besides leaving the round."""
    found = []
    for seed in range(matches):
        rng = Random(seed)
        state = GAME.new(seed, target=20)
        while state.turn >= 0:
            if len([action for action in state.legal() if action != MAZO]) > 1:
                found.append(state.clone())
            state.apply(rng.choice([each for each in state.legal() if each != MAZO]))
    return found


def test_the_graph_has_every_situation_of_a_match() -> None:
    for state in positions():
        view = state.view(state.turn)
        situation = Situation.of(view)
        assert situation in ALL
        assert 0 <= row_of(view, situation) < situation.size()


def test_the_graph_has_the_choices_of_the_engine() -> None:
    choices = {node.situation: node.actions() for flores in range(4) for node in nodes(flores)}
    for state in positions():
        situation = Situation.of(state.view(state.turn))
        legal = [action for action in state.legal() if action != MAZO]
        assert choices[situation] == legal


def test_nodes_come_before_those_they_lead_to() -> None:
    for flores in range(4):
        place = {node.slot: number for number, node in enumerate(nodes(flores))}
        for node in nodes(flores):
            for edge in node.edges():
                assert edge.to is None or place[edge.to] > place[node.slot]


def test_a_falta_envido_is_paid_to_the_higher_envido() -> None:
    node = next(
        each
        for each in nodes(0)
        if each.situation.envite == ENVITE_FALTA and each.situation.pot == 0
    )
    (pay,) = node.calls[QUIERO].pays
    assert (pay.points, pay.falta) == (0, True)
    (refused,) = node.calls[NO_QUIERO].pays
    assert (refused.winner, refused.points, refused.falta) == (1 - node.seat, 1, False)


def test_a_situation_is_found_by_its_name() -> None:
    for situation in ALL:
        assert Situation.named(situation.name()) == situation
    for wrong in ("", "0 0", "0 9  0 1 0 0 1 0 ", "0 0 ++++ 0 1 0 0 0 0 "):
        with pytest.raises(ValueError, match=r"situation|invalid"):
            Situation.named(wrong)


def test_points_count_more_near_the_end() -> None:
    level, ahead = worth((40, 40)), worth((1, 3))
    assert level[MOST] == 0
    assert level[MOST + 1] == pytest.approx(-level[MOST - 1])
    # The match is won by one point, and more are worth no more.
    assert ahead[MOST + 4] == pytest.approx(ahead[MOST + 1])
    assert ahead[MOST - 3] < 2 * ahead[MOST - 1]


def by_rule(seat_calls: bool, accepts: bool) -> Policy:
    """Calls envido whenever possible or never, and accepts or refuses everything."""
    levels = {}
    for flores in range(4):
        for node in nodes(flores):
            actions = node.actions()
            wanted = [ENVIDO] if seat_calls and node.situation.envite == OPEN else []
            wanted += [QUIERO if accepts else NO_QUIERO, 0]
            chosen = next((each for each in wanted if each in actions), actions[0])
            chances = np.zeros((len(actions), node.situation.size()), dtype=np.uint8)
            chances[actions.index(chosen)] = 1
            levels[node.situation.name()] = chances
    return Policy(levels)


def played_out(state: FullState, policies: tuple[Policy, Policy]) -> FullState:
    while state.last_round is None:
        view = state.view(state.turn)
        legal = [action for action in state.legal() if action != MAZO]
        action = legal[0]
        if len(legal) > 1:
            situation = Situation.of(view)
            row = np.array([row_of(view, situation)])
            chances = policies[state.turn].chances(situation, row, len(legal))[:, 0]
            action = legal[int(chances.argmax())]
        state.apply(action)
    return state


@pytest.mark.parametrize("accepts", [False, True])
def test_visits_value_rounds_as_the_engine_plays_them(accepts: bool) -> None:
    """Players without luck: each value is what the engine's round is worth, for all flores."""
    policies = by_rule(True, accepts), by_rule(False, accepts)
    dealt = [Deals(flores) for flores in range(4)]
    expected: list[list[float]] = [[] for _ in dealt]
    rng = Random(5)
    for seed in range(150):
        state = GAME.new(seed, first=0)
        state.deals_on = False
        state.points = [rng.randrange(15), rng.randrange(15)]
        state.before = (state.points[0], state.points[1])
        flores = state.unsung
        hands = ([*state.dealt[0]], [*state.dealt[1]])
        dealt[flores].add(hands, state.muestra, state.points)
        scores = worth((40 - state.points[0], 40 - state.points[1]))
        after = played_out(state, policies)
        assert after.last_round is not None
        # Each payment counts on its own.
        points = [
            step.points if step.seat == 0 else -step.points for step in after.last_round.steps
        ]
        expected[flores].append(sum([scores[MOST + each] for each in points]))
    for deals, values in zip(dealt, expected, strict=True):
        assert values
        found = visit_all(deals, (Fixed(policies[0]), Fixed(policies[1])))
        assert found.tolist() == pytest.approx(values, abs=1e-3)


def test_regrets_prefer_the_better_answer() -> None:
    """With the highest envidos, accepting beats refusing."""
    training = Training(seed=3)
    for _ in range(3):
        training.walk(200)
    situation = next(
        each
        for each in ALL
        if (each.seat, each.envite, each.pot, each.bid, each.on_table) == (1, 2, 2, 0, 0)
    )
    node = next(each for each in nodes(0) if each.situation == situation)
    regrets = training.expert.tables[situation].regrets
    high = [row for row in range(situation.size()) if row // 6 % 12 == 11]
    actions = node.actions()
    wins, folds = (regrets[actions.index(each), high].sum() for each in (QUIERO, NO_QUIERO))
    assert wins > folds


@pytest.mark.slow
def test_training_continues_where_it_stopped(tmp_path: Path) -> None:
    model = counted(seed=1, rounds=20)
    whole, half = Training(1, model), Training(1, model)
    half.walk(20)
    for _ in range(2):
        whole.walk(20)
    half.save(tmp_path / "state")
    again = Training(seed=1)
    assert again.load(tmp_path / "state")
    assert not Training(seed=2).load(tmp_path / "state")
    assert again.walks == 1
    again.walk(20)
    assert again.expert.policy().dump() == whole.expert.policy().dump()


def test_a_response_beats_a_player_who_refuses_everything() -> None:
    timid = by_rule(False, accepts=False)
    response = best_response(timid, walks=3, seed=1, count=100)
    gain, error = gain_of(response, timid, rounds=200, seed=2)
    assert gain > 3 * error > 0


def test_a_player_gains_nothing_against_itself() -> None:
    same = by_rule(True, accepts=True)
    assert gain_of(same, same, rounds=50, seed=1)[0] == 0


def test_the_model_of_hard_has_known_situations() -> None:
    model = counted(seed=1, rounds=100)
    assert len(model.levels) > 50
    for name, levels in model.levels.items():
        assert Situation.named(name) in ALL
        assert levels.shape[1] == Situation.named(name).size()


def test_a_stored_policy_is_checked() -> None:
    minimiser = Minimiser()
    for deals in deal(40, Random(1)):
        visit_all(deals, (minimiser, minimiser))
    dumped = minimiser.policy().dump()
    again = Policy.restored(dumped)
    assert all((again.levels[name] == each).all() for name, each in again.levels.items())
    name = next(iter(dumped))
    mistakes: list[dict[str, object]] = [
        {"what": dumped[name]},
        {name: [2, b"nonsense"]},
        {name: 3},
        {name: [99, b""]},
    ]
    for wrong in mistakes:
        with pytest.raises(ValueError, match=r"situation|chances|unpack"):
            Policy.restored(wrong)


# Play


@pytest.fixture(scope="module")
def expert() -> ExpertFullTruco:
    return ExpertFullTruco()


def test_the_expert_knows_almost_every_position(expert: ExpertFullTruco) -> None:
    rng, asked, known = Random(1), 0, 0
    for seed in range(6):
        state = GAME.new(seed)
        while state.turn >= 0:
            legal = state.legal()
            decision = expert.act(state.view(state.turn), legal, rng)
            assert decision.action in legal
            assert decision.action != MAZO
            if len(decision.scores) > 1:
                asked += 1
                known += decision.scale is Scale.FREQUENCY
                if decision.scale is Scale.FREQUENCY:
                    assert sum(decision.scores.values()) == pytest.approx(1)
            state.apply(decision.action)
    assert known > 0.9 * asked > 100


def test_the_expert_bluffs_sometimes(expert: ExpertFullTruco) -> None:
    """With the weakest cards it calls now and then, and not always."""
    state = GAME.new(1, deck=["4E", "5C", "6O", "7O", "10E", "11C", "12B"], first=0)
    decision = expert.act(state.view(0), state.legal(), Random(1))
    assert decision.scale is Scale.FREQUENCY
    assert sum([decision.scores[each] for each in range(3)]) > 0.5
    bluffs = 0
    for levels in shipped_policy().levels.values():
        bluffs += int(((levels > 0).sum(axis=0) > 1).sum())
    assert bluffs > 1000


@pytest.mark.parametrize("players", [4, 6])
def test_the_expert_plays_with_partners(expert: ExpertFullTruco, players: int) -> None:
    state = GAME.new(1, players=players, target=20)
    decision = expert.act(state.view(state.turn), state.legal(), Random(1))
    assert decision.action in state.legal()
    assert decision.scale is Scale.CHANCE


def test_rounds_start_where_the_engine_starts() -> None:
    for flores in range(4):
        assert start(flores).unsung == flores
        assert start(flores).raiser == NOBODY
