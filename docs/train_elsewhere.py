"""OpenSpiel's tabular Q-learner learns Truco against our `hard`.

    pip install 'kibitz[rl]' open_spiel
    python docs/train_elsewhere.py --hands 20000

The environment deals and rewards, OpenSpiel decides and learns. A Q-table needs situations that
occur again, so this learner gets the features and moves of Kibitz's own learners. A network
would use the numbers of the observation instead.
"""

import argparse
from random import Random

import numpy as np
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_environment import StepType, TimeStep
from open_spiel.python.rl_tools import LinearSchedule

from agents.registry import make
from agents.rl.environment import env
from agents.truco.features import TrucoAbstraction
from engine.game import OVER

LEARNER, RIVAL = 0, 1
FEATURES = TrucoAbstraction()


class Seat:
    """Connects an OpenSpiel agent to the environment. A hand is an episode."""

    def __init__(self, agent):
        self.agent = agent
        self.hand = 0

    def act(self, view, legal, hand, reward, learn):
        if hand != self.hand and self.hand:
            self.end_hand(reward, learn)
        self.hand = hand
        moves = FEATURES.moves(view, legal)
        actions = {move: action for action, move in reversed(moves.items())}
        step = time_step(StepType.MID, 0.0, FEATURES.situation(view), sorted(actions))
        return actions[self.agent.step(step, is_evaluation=not learn).action]

    def end_hand(self, reward, learn):
        """The reward of a hand arrives with the first decision of the next one."""
        self.hand = 0
        if learn:
            self.agent.step(time_step(StepType.LAST, reward, (), []))


def time_step(kind, reward, situation, moves):
    observations = {"info_state": [situation], "legal_actions": [moves], "current_player": LEARNER}
    return TimeStep(observations, rewards=[reward], discounts=[1.0], step_type=kind)


def play(agent, hands, seed, learn):
    """Play at least this many hands, in matches to ten points. Returns the number of matches,
    the share won, and the learner's points minus those of `hard` per hand."""
    environment = env("truco", reward="margin", target=10)
    hard, rng, seat = make("truco", "hard"), Random(seed), Seat(agent)
    matches = won = played = difference = 0
    while played < hands:
        environment.reset(seed=seed + matches)
        state = environment.unwrapped.state_of_match
        for name in environment.agent_iter():
            _, reward, terminated, truncated, _ = environment.last()
            learner = name == f"player_{LEARNER}"
            if terminated or truncated:
                if learner:
                    seat.end_hand(reward, learn)
                environment.step(None)
            elif learner:
                view, legal = state.view(LEARNER), state.legal()
                environment.step(seat.act(view, legal, state.hand_no, reward, learn))
            else:
                environment.step(hard.choose(state.view(RIVAL), state.legal(), rng))
        assert state.turn == OVER
        mine, theirs = state.scores()
        matches, played = matches + 1, played + state.hand_no
        won, difference = won + state.returns()[LEARNER], difference + mine - theirs
    return matches, won / matches, difference / played


def train(hands, measured, seed):
    """The results of `play` before and after learning."""
    np.random.seed(seed)  # OpenSpiel's agents use numpy's global generator.
    agent = QLearner(
        LEARNER,
        len(FEATURES.move_names),
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
