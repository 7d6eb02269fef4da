"""Training samples for Smear's network: decisions with the value of every action.

Hands are dealt and played. At each decision every action is tried in deals that fit what the seat
knows, as `search` does, and `hard` plays them out. The mean of many deals contains little luck, so
the network learns to predict the result of such a search.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, repeat
from os import cpu_count
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.learners.encoding import Floats, Seen
from agents.learners.neural import NeuralLearner
from agents.smear.batched_hard import IMPOSSIBLE, play_out, scored_actions
from agents.smear.deals import Deals, Ints, count
from agents.smear.encoding import SmearEncoding
from agents.smear.search import CANDIDATES, chances_to_win, likelihood, match_odds
from engine import GAMES
from engine.games.smear import ALL_CARDS, CARDS, SEATS, TARGET, SmearState

DEALS: Final = 16
"""Deals that are played in parallel."""

WORLDS: Final = 48
"""Deals in which each action of a decision is tried."""

CONTINUED: Final = 0.15
"""The share of groups that are played on after trump is named. Bets matter more than cards."""

RANDOM_ACTIONS: Final = 0.08
"""The share of random actions, so that all kinds of hands come up."""

LOWEST_SCORE: Final = -3

GROUPS: Final = 20
"""Groups of deals in a task. Each task has its own random numbers, so that tasks can run in
parallel."""

MATCH: Final = 200.0
"""The difference between winning and losing a match, in rewards. A point then counts about as much
as in training by play."""

ROUNDS: Final = 15
"""How often each sample is used."""

BATCH: Final = 32
"""Samples in one learning step."""

PACE: Final = 0.002
FADE: Final = 0.03
"""Initial step size and weight decay; see `Network.learn`."""


class Sample(NamedTuple):
    """A decision with the expected reward of each action."""

    seen: Seen
    outcomes: Floats


def train(learner: NeuralLearner, deals: int, seed: int) -> None:
    """Train a learner with this many deals, rounded up to whole tasks."""
    numbers = range(-(-deals // (DEALS * GROUPS)))
    with ProcessPoolExecutor(cpu_count()) as pool:
        samples = list(chain.from_iterable(pool.map(samples_of_task, repeat(seed), numbers)))
    learn_samples(learner, samples, seed)


def samples_of_task(seed: int, number: int) -> list[Sample]:
    """The samples of one task."""
    chance = np.random.default_rng([seed, number])
    return [sample for _ in range(GROUPS) for sample in DealGroup(chance).play()]


def learn_samples(learner: NeuralLearner, samples: Sequence[Sample], seed: int) -> None:
    """Learn the samples of each part with decreasing step size."""
    chance = np.random.default_rng(seed)
    for part in range(len(learner.encoding.parts)):
        of_part = [sample for sample in samples if sample.seen.part == part]
        order = np.concatenate([chance.permutation(len(of_part)) for _ in range(ROUNDS)])
        for start in range(0, len(order), BATCH):
            batch = [of_part[place] for place in order[start : start + BATCH].tolist()]
            learner.compare(
                [sample.seen for sample in batch],
                np.concatenate([sample.outcomes for sample in batch]),
                PACE * (1 - start / len(order)),
                FADE,
            )


class DealGroup:
    """Deals with the same dealer and scores, both as states of the engine and as `Deals`."""

    def __init__(self, chance: np.random.Generator) -> None:
        self._chance = chance
        self._encoding = SmearEncoding()
        dealer = int(chance.integers(SEATS))
        self._scores = chance.integers(LOWEST_SCORE, TARGET, 2)
        self.states = [self._deal(dealer) for _ in range(DEALS)]
        self._dealt = np.array([state.hands for state in self.states], np.int64)
        self.deals = Deals(self._dealt, dealer, tuple(self._scores.tolist()))
        self._history: list[Ints] = []

    def _deal(self, dealer: int) -> SmearState:
        state = GAMES["smear"].new(first=dealer)
        assert isinstance(state, SmearState)
        state.points = tuple(self._scores.tolist())
        state.deal([1 << card for card in self._chance.permutation(CARDS).tolist()])
        return state

    def play(self) -> Iterator[Sample]:
        """Play the deals and yield the samples. One side takes the best actions found, the other
        plays like `hard`."""
        deals = self.deals
        learning_side = int(self._chance.integers(2))
        continues = self._chance.random() < CONTINUED
        while deals.held > 1 and (continues or not deals.named):
            choices, scores = scored_actions(deals)
            possible = scores > IMPOSSIBLE
            chances = self.chances(choices, possible)
            yield from self._samples(possible, chances)
            usual = scores.argmax(axis=1)
            best = np.where(possible, np.nan_to_num(chances), -1.0).argmax(axis=1)
            luck = np.where(possible, self._chance.random(scores.shape), -1.0).argmax(axis=1)
            columns = np.where(deals.turn % 2 == learning_side, best, usual)
            columns = np.where(self._chance.random(DEALS) < RANDOM_ACTIONS, luck, columns)
            self.apply(choices[deals.rows, columns])

    def _samples(
        self, possible: NDArray[np.bool_], chances: NDArray[np.float64]
    ) -> Iterator[Sample]:
        """The samples of all decisions with a choice and with a result."""
        deals = self.deals
        before = match_odds().chance(deals.scores, deals.dealer % 2)
        for row in np.flatnonzero((possible.sum(axis=1) > 1) & ~np.isnan(chances).all(axis=1)):
            state = self.states[row]
            usual = before if state.turn % 2 == 0 else 1 - before
            worth = chances[row, possible[row]].astype(np.float32)
            seen = self._encoding.encode(state.view(state.turn), state.legal())
            yield Sample(seen, np.float32(MATCH) * (worth - np.float32(usual)))

    def apply(self, actions: Ints) -> None:
        """Apply one action in each deal."""
        self.deals.apply(actions)
        self._history.append(actions)
        for state, action in zip(self.states, actions.tolist(), strict=True):
            state.apply(action)

    def chances(self, choices: Ints, possible: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The chance to win the match with each action; NaN if no deal fits."""
        chances = np.full(possible.shape, np.nan)
        tried = possible & (possible.sum(axis=1) > 1)[:, None]
        rows, columns = np.nonzero(tried)
        if not len(rows):
            return chances
        worlds, found = self.worlds()
        tries = worlds.pick((rows[:, None] * WORLDS + np.arange(WORLDS)).ravel())
        tries.apply(np.repeat(choices[rows, columns], WORLDS))
        seats = np.repeat(self.deals.turn[rows], WORLDS)
        play_out(tries)
        worth = chances_to_win(seats, tries).reshape(len(rows), WORLDS).mean(axis=1)
        chances[rows, columns] = np.where(found[rows], worth, np.nan)
        return chances

    def worlds(self) -> tuple[Deals, NDArray[np.bool_]]:
        """For each deal WORLDS possible ones, sampled by the likelihood of the actions so far, and
        whether any deal fits."""
        deals = self.deals
        candidates = CANDIDATES * WORLDS if self._history else WORLDS
        hands = self._shuffle_hidden(candidates)
        fits = ((hands & np.repeat(deals.voids, candidates, axis=0)) == 0).all(axis=1)
        played = self._dealt & ~deals.hands
        worlds = Deals(hands | np.repeat(played, candidates, axis=0), deals.dealer, deals.scores)
        me = np.repeat(deals.turn, candidates)
        likely = fits.astype(np.float64)
        for done in self._history:
            actions = np.repeat(done, candidates)
            likely *= np.where(worlds.turn == me, 1.0, likelihood(worlds, actions))
            worlds.apply(actions)
        summed = likely.reshape(DEALS, candidates).cumsum(axis=1)
        steps = (np.arange(WORLDS) + self._chance.random((DEALS, 1))) / WORLDS * summed[:, -1:]
        drawn = (summed[:, None, :] <= steps[:, :, None]).sum(axis=2).clip(max=candidates - 1)
        places = drawn + np.arange(DEALS)[:, None] * candidates
        return worlds.pick(places.ravel()), summed[:, -1] > 0

    def _shuffle_hidden(self, times: int) -> Ints:
        """Shuffle the cards that the seat to act does not see."""
        deals = self.deals
        unseen = ALL_CARDS & ~deals.hand() & ~deals.played
        hidden = (unseen[:, None] >> np.arange(CARDS) & 1) == 0
        keys = self._chance.random((DEALS, times, CARDS)) + hidden[:, None, :]
        bits = np.left_shift(1, keys.argsort(axis=2)).reshape(DEALS * times, CARDS)
        hands = np.repeat(deals.hands, times, axis=0)
        turn = np.repeat(deals.turn, times)
        sizes = count(deals.hands)
        every = np.arange(len(hands))
        start = 0
        for place in range(1, SEATS):
            end = start + int(sizes[0, (deals.turn[0] + place) % SEATS])
            hands[every, (turn + place) % SEATS] = bits[:, start:end].sum(axis=1)
            start = end
        return hands
