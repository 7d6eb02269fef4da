"""Somebody else's agent learns Truco against our `hard`: OpenSpiel's tabular Q-learner.

    pip install 'kibitz[rl]' open_spiel
    python docs/train_elsewhere.py --hands 20000

The environment deals, asks and rewards; OpenSpiel decides and learns. A table needs situations
that come up again, so the learner is shown the features and moves of Kibitz's own learners
instead of the 422 numbers of an observation; a network would take those.
"""

import argparse
from random import Random

import numpy as np
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_environment import StepType, TimeStep
from open_spiel.python.rl_tools import LinearSchedule

from agents.protocols.rl.environment import env
from agents.registry import make
from agents.truco.features import TrucoAbstraction
from engine.game import OVER

LEARNER, RIVAL = 0, 1
SEEN_AS = TrucoAbstraction()


class Seat:
    """Puts the environment's questions to an agent of OpenSpiel. A hand is an episode."""

    def __init__(self, agent):
        self.agent = agent
        self.hand = 0

    def act(self, view, legal, hand, reward, learn):
        if hand != self.hand and self.hand:
            self.end_hand(reward, learn)
        self.hand = hand
        moves = SEEN_AS.moves(view, legal)
        actions = {move: action for action, move in reversed(moves.items())}
        step = time_step(StepType.MID, 0.0, SEEN_AS.situation(view), sorted(actions))
        return actions[self.agent.step(step, is_evaluation=not learn).action]

    def end_hand(self, reward, learn):
        """The points of a hand come with the first question of the next one."""
        self.hand = 0
        if learn:
            self.agent.step(time_step(StepType.LAST, reward, (), []))


def time_step(kind, reward, situation, moves):
    observations = {"info_state": [situation], "legal_actions": [moves], "current_player": LEARNER}
    return TimeStep(observations, rewards=[reward], discounts=[1.0], step_type=kind)


def play(agent, hands, seed, learn):
    """Play so many hands or a few more, in matches to ten points; the matches, how many of
    them were won, and the points of the learner's side less those of `hard` for each hand."""
    table = env("truco", reward="margin", target=10)
    hard, chance, seat = make("truco", "hard"), Random(seed), Seat(agent)
    matches = won = played = difference = 0
    while played < hands:
        table.reset(seed=seed + matches)
        state = table.unwrapped.state_of_match
        for name in table.agent_iter():
            _, reward, terminated, truncated, _ = table.last()
            learner = name == f"player_{LEARNER}"
            if terminated or truncated:
                if learner:
                    seat.end_hand(reward, learn)
                table.step(None)
            elif learner:
                view, legal = state.view(LEARNER), state.legal()
                table.step(seat.act(view, legal, state.hand_no, reward, learn))
            else:
                table.step(hard.choose(state.view(RIVAL), state.legal(), chance))
        assert state.turn == OVER
        mine, theirs = state.scores()
        matches, played = matches + 1, played + state.hand_no
        won, difference = won + state.returns()[LEARNER], difference + mine - theirs
    return matches, won / matches, difference / played


def train(hands, measured, seed):
    """Win rates and points per hand before and after learning."""
    np.random.seed(seed)  # OpenSpiel's agents draw from numpy's own generator.
    agent = QLearner(
        LEARNER,
        len(SEEN_AS.move_names),
        step_size=0.05,
        epsilon_schedule=LinearSchedule(0.3, 0.02, 3 * hands),
    )
    before = play(agent, measured, seed + 1_000_000, learn=False)
    play(agent, hands, seed, learn=True)
    after = play(agent, measured, seed + 1_000_000, learn=False)
    return before, after


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hands", type=int, default=20_000, help="to learn from")
    parser.add_argument("--measured", type=int, default=5_000, help="hands to measure with")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for when, result in zip(("before", "after"), train(**vars(arguments)), strict=True):
        matches, rate, points = result
        print(f"{when:<7} {rate:6.1%} of {matches} matches won, {points:+.2f} points a hand")
