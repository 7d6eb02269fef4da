"""Imitation: consulting the teacher, learning from its moves, and predicting them."""

from collections.abc import Sequence
from random import Random

import pytest

from agents.agent import Agent, Decision
from agents.learners.logistic import LogisticLearner
from agents.learners.settings import LearningSettings
from agents.match import Match
from agents.registry import make
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from engine import GAMES
from engine.game import OVER, View
from tests.agents.crossing import (
    BUSY,
    CROSSINGS,
    EVERYTHING,
    GREEN,
    MATCH_WON,
    QUIET,
    RED,
    RUN,
    SIDES,
    STROLL,
    WAIT,
    WALK,
    Crossing,
    Looks,
)


class Careful(Agent):
    """Walks when the light is green or the road is quiet, but waits when both hold."""

    name = "careful"

    def __init__(self) -> None:
        self.consulted = 0

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, Crossing)
        self.consulted += 1
        walks = (view.light == GREEN) != (view.road == QUIET)
        return Decision(STROLL if walks and STROLL in legal else WALK if walks else WAIT)


def learner(**settings: float) -> LogisticLearner:
    plain = {"alpha": 1.0, "epsilon": 0.0, "least": 0.0}
    return LogisticLearner(Looks(), Careful(), LearningSettings(**{**plain, **settings}))


def probabilities(agent: LogisticLearner, view: Crossing, legal: Sequence[int]) -> dict[int, float]:
    learning, agent.learning = agent.learning, False
    scores = agent.act(view, list(legal), Random(0)).scores
    agent.learning = learning
    return scores


def taught(agent: LogisticLearner, times: int, views: Sequence[Crossing] = CROSSINGS):
    for number in range(times):
        agent.act(views[number % len(views)], list(EVERYTHING), Random(number))
    return agent


def test_scores_are_the_probabilities_of_the_moves():
    newcomer = learner()
    assert probabilities(newcomer, Crossing(0, RED, BUSY), [WAIT, WALK]) == {WAIT: 0.5, WALK: 0.5}
    scores = probabilities(newcomer, Crossing(0, RED, BUSY), EVERYTHING)
    assert scores[WALK] == scores[STROLL]
    assert scores[WAIT] + scores[WALK] + scores[RUN] == pytest.approx(1)
    assert scores[WAIT] == scores[RUN]
    meaning = newcomer.act(Crossing(0, RED, BUSY), [WAIT], Random(0)).meaning
    assert meaning == "probability that careful makes this move"


def test_an_update_is_proportional_to_the_error():
    """Both moves had probability ½: one gains and the other loses half of alpha."""
    agent = learner(alpha=0.8)
    agent.act(Crossing(0, RED, QUIET), [WAIT, WALK], Random(0))
    scores = probabilities(agent, Crossing(0, RED, QUIET), [WAIT, WALK])
    assert scores[WALK] == pytest.approx(1 / (1 + 2.71828**-0.8), abs=1e-5)
    stats = agent.stats()
    assert stats.updates == 1
    assert stats.mean_td_error == 0.5
    assert stats.last_update == pytest.approx(0.4)
    assert stats.last_reason == "careful: walk"


def test_without_a_choice_there_is_no_update():
    agent = learner()
    agent.act(Crossing(0, RED, QUIET), [WALK, STROLL], Random(0))
    assert agent.stats().updates == 0
    assert agent.stats().total_actions == 1


def test_the_teacher_is_consulted_only_while_learning():
    agent = learner()
    teacher = agent.teacher
    assert isinstance(teacher, Careful)
    taught(agent, 8)
    assert teacher.consulted == 8
    agent.learning = False
    before = agent.dump()
    taught(agent, 8)
    agent.observe(0, SIDES, [MATCH_WON])
    assert teacher.consulted == 8
    assert agent.dump() == before


def test_it_plays_its_own_moves_while_learning():
    view = Crossing(0, RED, QUIET)
    first = [learner().act(view, list(EVERYTHING), Random(seed)).action for seed in range(40)]
    assert set(first) == set(EVERYTHING)
    agent = taught(learner(), 40)
    played = {agent.act(view, list(EVERYTHING), Random(seed)).action for seed in range(20)}
    assert played == {WALK, STROLL}


def test_it_learns_a_combination_of_two_features():
    agent = taught(learner(settle=100), 400)
    for view in CROSSINGS:
        scores = probabilities(agent, view, EVERYTHING)
        wanted = Careful().act(view, list(EVERYTHING), Random(0)).action
        assert scores[wanted] > 0.9


def test_matches_are_counted():
    agent = learner()
    agent.observe(0, SIDES, [MATCH_WON])
    agent.observe(1, SIDES, [MATCH_WON])
    agent.observe(2, SIDES, [MATCH_WON])
    assert (agent.stats().games, agent.stats().wins) == (2, 1)


def test_it_accepts_settings_but_no_rewards():
    agent = learner()
    agent.adjust({"alpha": 0.25}, {})
    assert agent.settings.alpha == 0.25
    with pytest.raises(ValueError, match="learns from careful, not from rewards"):
        agent.adjust({}, {"trick_won": 1})


def test_the_teacher_changes_the_fingerprint():
    other = LogisticLearner(Looks(), make("euchre", "easy"))
    assert other.fingerprint() != learner().fingerprint()
    assert learner(alpha=0.1).fingerprint() == learner().fingerprint()


# Whole matches


def agreement(agent: LogisticLearner, matches: int) -> float:
    """The share of decisions with a choice in which its move is its teacher's."""
    agent.learning = False
    same = decisions = 0
    for seed in range(10**6, 10**6 + matches):
        state = GAMES[agent.game].new(seed=seed)
        rng = Random(seed)
        while state.turn != OVER:
            view, legal = state.view(state.turn), state.legal()
            moves = agent.abstraction.moves(view, legal)
            advice = agent.teacher.act(view, legal, rng).action
            if len(set(moves.values())) > 1:
                decisions += 1
                same += moves[agent.act(view, legal, rng).action] == moves[advice]
            state.apply(advice)
    return same / decisions


def trained(game: str, matches: int) -> LogisticLearner:
    course = Course(game, "logistic", matches, seed=1)
    agent = new_learner(course)
    assert isinstance(agent, LogisticLearner)
    list(train(course, agent))
    return agent


def test_a_short_training_predicts_most_moves_of_the_teacher():
    agent = trained("euchre", 24)
    assert agreement(agent, 8) > 0.75


def test_training_is_reproducible():
    assert trained("euchre", 2).dump() == trained("euchre", 2).dump()


def test_a_restored_learner_plays_the_same_match():
    agent = trained("euchre", 4)
    copy = make("euchre", "logistic")
    assert isinstance(copy, LogisticLearner)
    copy.restore(agent.dump())
    agent.restore(agent.dump())
    agent.learning = False

    def played(by: Agent) -> list[str]:
        state = GAMES["euchre"].new(seed=3)
        match = Match(state, [by] * state.seats, seed=3)
        labels = []
        while state.turn != OVER:
            action = match.decide().action
            labels.append(state.label(action))
            match.step(action)
        return labels

    assert played(copy) == played(agent)
