"""Lessons for Smear's network: hands of `hard` players in which every action is tried.

At some decisions of a hand all actions are tried with the very same cards and played out by
`hard`. How much better one ends than another is then hardly a matter of luck, and the network
learns more from it than from the one way that a hand of its own takes.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.encodings import Floats, Seen
from agents.neural import NeuralLearner
from agents.rewards import SmearRewards
from agents.search_smear_deals import Deals, Ints
from agents.search_smear_hard import IMPOSSIBLE, play_out, weigh
from engine import GAMES
from engine.smear import CARDS, SEATS, TARGET, SmearState

DEALS: Final = 256
"""Deals that are played side by side."""

TRIED: Final = 0.5
"""The share of cards in which all is tried; bets and trumps are always tried."""

PLAYED: Final = 0.25
"""The share of tables that play on after trump is named: bets decide more than cards."""

STRAYED: Final = 0.1
"""The share of decisions in which the players do anything, so that all kinds of hands come up."""

LOWEST_SCORE: Final = -4


def study(learner: NeuralLearner, deals: int, seed: int) -> None:
    """Learn from so many deals, rounded up to whole tables."""
    assert isinstance(learner.rewards, SmearRewards)
    chance = np.random.default_rng(seed)
    for _ in range(0, deals, DEALS):
        Table(learner, learner.rewards, chance).play()


class Table:
    """Deals with the same dealer and the same scores, in the engine and side by side."""

    def __init__(
        self, learner: NeuralLearner, rewards: SmearRewards, chance: np.random.Generator
    ) -> None:
        self.learner = learner
        self.rewards = rewards
        self._chance = chance
        dealer = int(chance.integers(SEATS))
        self._scores = chance.integers(LOWEST_SCORE, TARGET, 2)
        self.states = [self._deal(dealer) for _ in range(DEALS)]
        hands = np.array([state.hands for state in self.states], np.int64)
        self.deals = Deals(hands, dealer, tuple(self._scores.tolist()))

    def _deal(self, dealer: int) -> SmearState:
        state = GAMES["smear"].new(first=dealer)
        assert isinstance(state, SmearState)
        state.points = self._scores.tolist()
        state.deal(self._chance.permutation(CARDS).tolist())
        return state

    def play(self) -> None:
        deals = self.deals
        plays_on = self._chance.random() < PLAYED
        while deals.held > 1 and (plays_on or not deals.named):
            choices, scores = weigh(deals)
            possible = scores > IMPOSSIBLE
            self._try_all(choices, possible)
            actions = choices[deals.rows, scores.argmax(axis=1)]
            luck = np.where(possible, self._chance.random(scores.shape), -1.0)
            anything = choices[deals.rows, luck.argmax(axis=1)]
            strays = self._chance.random(DEALS) < STRAYED
            actions = np.where(strays, anything, actions)
            deals.apply(actions)
            for state, action in zip(self.states, actions.tolist(), strict=True):
                state.apply(action)

    def _try_all(self, choices: Ints, possible: NDArray[np.bool_]) -> None:
        """Try all actions in some of the deals, and learn from it."""
        share = TRIED if self.deals.named else 1.0
        tried = (self._chance.random(DEALS) < share) & (possible.sum(axis=1) > 1)
        rows, columns = np.nonzero(possible & tried[:, None])
        if not len(rows):
            return
        tries = self.deals.pick(rows)
        tries.apply(choices[rows, columns])
        play_out(tries)
        outcomes = self.outcomes(tries, self.deals.turn[rows] % 2)
        seen: list[Seen] = []
        for row in np.flatnonzero(tried).tolist():
            state = self.states[row]
            seen.append(self.learner.encoding.encode(state.view(state.turn), state.legal()))
        self.learner.compare(seen, outcomes)

    def outcomes(self, tries: Deals, side: Ints) -> Floats:
        """What the hands are worth to these sides, by the learner's rewards."""
        points = tries.points()
        after = points + self._scores
        ahead = points[tries.rows, side] - points[tries.rows, 1 - side]
        there = after >= TARGET
        bettors = tries.bettor % 2
        winner = np.where(there[tries.rows, bettors], bettors, 1 - bettors)
        decided = np.where(winner == side, self.rewards.match_won, self.rewards.match_lost)
        worth = self.rewards.point * ahead + np.where(there.any(axis=1), decided, 0.0)
        outcomes: Floats = worth.astype(np.float32)
        return outcomes
