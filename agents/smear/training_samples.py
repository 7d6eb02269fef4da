"""Lessons for Smear's network: what every action of a decision is worth, by many deals.

Hands are dealt and played. At their decisions every action is tried in deals that fit what
the seat knows, as `search` does, and `hard` plays them out. What the actions are worth on
average is hardly a matter of luck any more: from that the network learns in one look what
`search` has to work out each time.
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
from agents.smear.batched_hard import IMPOSSIBLE, play_out, weigh
from agents.smear.deals import Deals, Ints, count
from agents.smear.encoding import SmearEncoding
from agents.smear.search import CANDIDATES, chances_to_win, likelihood, match_odds
from engine import GAMES
from engine.games.smear import ALL_CARDS, CARDS, SEATS, TARGET, SmearState

DEALS: Final = 16
"""Deals that are played side by side."""

WORLDS: Final = 48
"""Deals in which each action of a decision is tried."""

PLAYED: Final = 0.15
"""The share of tables that play on after trump is named: bets decide more than cards."""

STRAYED: Final = 0.08
"""The share of decisions in which the players do anything, so that all kinds of hands come up."""

LOWEST_SCORE: Final = -3

TABLES: Final = 20
"""Tables of a class, which has chance of its own: classes can be held side by side."""

MATCH: Final = 200.0
"""What lies between losing and winning a match, in rewards: a point is then worth about what
it is while the network plays and learns from hands."""

ROUNDS: Final = 15
"""How often each lesson is gone through."""

BATCH: Final = 32
"""Lessons of one step of learning."""

PACE: Final = 0.002
FADE: Final = 0.03
"""How large steps are at first, and how fast weights fade; see `Network.learn`."""


class Lesson(NamedTuple):
    """A decision, and what the hand is expected to bring by each of its actions."""

    seen: Seen
    outcomes: Floats


def study(learner: NeuralLearner, deals: int, seed: int) -> None:
    """Learn from so many deals, rounded up to whole classes."""
    numbers = range(-(-deals // (DEALS * TABLES)))
    with ProcessPoolExecutor(cpu_count()) as pool:
        lessons = list(chain.from_iterable(pool.map(attend, repeat(seed), numbers)))
    go_through(learner, lessons, seed)


def attend(seed: int, number: int) -> list[Lesson]:
    """The lessons of one class."""
    chance = np.random.default_rng([seed, number])
    return [lesson for _ in range(TABLES) for lesson in Table(chance).play()]


def go_through(learner: NeuralLearner, lessons: Sequence[Lesson], seed: int) -> None:
    """Learn lessons of all parts, in ever smaller steps."""
    chance = np.random.default_rng(seed)
    for part in range(len(learner.encoding.parts)):
        of_part = [lesson for lesson in lessons if lesson.seen.part == part]
        order = np.concatenate([chance.permutation(len(of_part)) for _ in range(ROUNDS)])
        for start in range(0, len(order), BATCH):
            batch = [of_part[place] for place in order[start : start + BATCH].tolist()]
            learner.compare(
                [lesson.seen for lesson in batch],
                np.concatenate([lesson.outcomes for lesson in batch]),
                PACE * (1 - start / len(order)),
                FADE,
            )


class Table:
    """Deals with the same dealer and the same scores, in the engine and side by side."""

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
        state.deal(self._chance.permutation(CARDS).tolist())
        return state

    def play(self) -> Iterator[Lesson]:
        """One side acts as the lessons say, the other as `hard` does."""
        deals = self.deals
        student = int(self._chance.integers(2))
        plays_on = self._chance.random() < PLAYED
        while deals.held > 1 and (plays_on or not deals.named):
            choices, opinions = weigh(deals)
            possible = opinions > IMPOSSIBLE
            chances = self.chances(choices, possible)
            yield from self._lessons(possible, chances)
            usual = opinions.argmax(axis=1)
            best = np.where(possible, np.nan_to_num(chances), -1.0).argmax(axis=1)
            luck = np.where(possible, self._chance.random(opinions.shape), -1.0).argmax(axis=1)
            columns = np.where(deals.turn % 2 == student, best, usual)
            columns = np.where(self._chance.random(DEALS) < STRAYED, luck, columns)
            self.apply(choices[deals.rows, columns])

    def _lessons(
        self, possible: NDArray[np.bool_], chances: NDArray[np.float64]
    ) -> Iterator[Lesson]:
        """Of all decisions that are one and of which something is known."""
        deals = self.deals
        before = match_odds().chance(deals.scores, deals.dealer % 2)
        for row in np.flatnonzero((possible.sum(axis=1) > 1) & ~np.isnan(chances).all(axis=1)):
            state = self.states[row]
            usual = before if state.turn % 2 == 0 else 1 - before
            worth = chances[row, possible[row]].astype(np.float32)
            seen = self._encoding.encode(state.view(state.turn), state.legal())
            yield Lesson(seen, np.float32(MATCH) * (worth - np.float32(usual)))

    def apply(self, actions: Ints) -> None:
        """One action in each deal."""
        self.deals.apply(actions)
        self._history.append(actions)
        for state, action in zip(self.states, actions.tolist(), strict=True):
            state.apply(action)

    def chances(self, choices: Ints, possible: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The chance to win the match by each action; no number where no deal fits."""
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
        """For every deal others that could be, drawn by how likely everybody would have acted
        as they did; and whether there are any."""
        deals = self.deals
        candidates = CANDIDATES * WORLDS if self._history else WORLDS
        hands = self._deal_again(candidates)
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

    def _deal_again(self, times: int) -> Ints:
        """The cards that whose turn it is does not see, shuffled."""
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
