"""Monte Carlo counterfactual regret minimisation over envido, flor and truco together.

Two players. A walk deals one round at a random score. One side tries all its moves, the other
draws its moves from the current strategy (external sampling). Regrets are kept for each situation
of `FullTrucoAbstraction`, which is what a player can tell apart here; the average strategy is the
result. It covers all calls and answers; cards are played by rule. Values are the change of the
chance to win the match.

    python -m agents.truco_full.cfr train FILE --seconds 600     # creates or continues FILE
    python -m agents.truco_full.cfr exploit FILE --seconds 300   # a best response to it
    python -m agents.truco_full.cfr ship FILE                    # for the agent `expert`
"""

from argparse import ArgumentParser
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple

from agents.storage.files import write_atomic
from agents.storage.store import write_shipped
from agents.storage.values_file import decode, encode
from agents.truco_full.features import FullTrucoAbstraction
from agents.truco_full.judgement import Round
from agents.truco_full.search import chance_to_win
from engine.game import OVER
from engine.games.truco_full import ENVIDO, GAME, MAZO, FullState, FullView

FEATURES: Final = FullTrucoAbstraction()
FINGERPRINT: Final = f"average strategy 1 | {FEATURES.fingerprint()}"
TARGET: Final = 40
Weights = dict[int, float]
"""A number for each move."""


class Choices(NamedTuple):
    """A decision: its situation, and an action for each move."""

    key: bytes
    actions: dict[int, int]


CARD: Final = 0
"""The move that plays a card."""


def choices_at(view: FullView, legal: list[int]) -> Choices:
    """The moves of a decision: calls, answers, and one card, the one with which the round is won
    most often. Leaving the round is not among them unless nothing else is."""
    situation = FEATURES.situation(view)
    actions = {
        action: action
        for action in legal
        if action >= ENVIDO and (action != MAZO or len(legal) == 1)
    }
    if legal[0] < ENVIDO:
        hand = Round(view)
        cards = [action for action in legal if action < ENVIDO]
        actions[CARD] = max(cards, key=lambda place: (hand.after_card(place), -place))
    return Choices(bytes(situation), actions or {MAZO: MAZO})


def shares(weights: Weights, moves: list[int]) -> list[float]:
    """Probabilities in proportion to the positive weights; equal ones if there are none."""
    positive = [max(weights.get(move, 0.0), 0.0) for move in moves]
    total = sum(positive)
    if total <= 0:
        return [1 / len(moves)] * len(moves)
    return [each / total for each in positive]


Strategy = Callable[[bytes, list[int]], list[float]]
"""The probabilities of moves in a situation."""


class Training:
    """Regrets and the sums of the strategies so far.

    rival   a fixed strategy of the other side; None for self-play
    """

    def __init__(self, seed: int, rival: Strategy | None = None) -> None:
        self.walks = 0
        self.regrets: dict[bytes, Weights] = {}
        self.sums: dict[bytes, Weights] = {}
        self._rng = Random(seed)
        self._rival = rival

    def walk(self) -> None:
        """Learn from one round, for each side in turn."""
        self.walks += 1
        state = deal(self._rng)
        for side in (0, 1):
            self._value(state.clone(), side, self._rng)

    def _value(self, state: FullState, side: int, rng: Random) -> float:
        """The value of a state for a side that tries all its moves."""
        while state.hand_no == 1 and state.turn != OVER:
            legal = state.legal()
            if len(legal) == 1:
                state.apply(legal[0])
                continue
            seat = state.turn
            key, actions = choices_at(state.view(seat), legal)
            moves = list(actions)
            if len(moves) == 1:
                state.apply(actions[moves[0]])
            elif seat == side:
                return self._try_all(state, key, actions, rng)
            elif self._rival is not None:
                state.apply(actions[rng.choices(moves, self._rival(key, moves))[0]])
            else:
                chances = shares(self.regrets.setdefault(key, {}), moves)
                self._add(self.sums.setdefault(key, {}), moves, chances, float(self.walks))
                state.apply(actions[rng.choices(moves, chances)[0]])
        return chance_to_win(side, state)

    def _try_all(self, state: FullState, key: bytes, actions: dict[int, int], rng: Random) -> float:
        moves, side = list(actions), state.turn
        regrets = self.regrets.setdefault(key, {})
        chances = shares(regrets, moves)
        if self._rival is not None:
            self._add(self.sums.setdefault(key, {}), moves, chances, float(self.walks))
        values = []
        for action in actions.values():
            after = state.clone()
            after.apply(action)
            values.append(self._value(after, side, rng))
        mean = sum([chance * value for chance, value in zip(chances, values, strict=True)])
        for move, value in zip(moves, values, strict=True):
            regrets[move] = max(regrets.get(move, 0.0) + value - mean, 0.0)
        return mean

    @staticmethod
    def _add(sums: Weights, moves: list[int], chances: list[float], weight: float) -> None:
        for move, chance in zip(moves, chances, strict=True):
            sums[move] = sums.get(move, 0.0) + weight * chance

    def average(self) -> "Average":
        return Average(self.sums)

    def train(self, seconds: float) -> None:
        end = monotonic() + seconds
        while monotonic() < end:
            self.walk()

    def save(self, path: Path) -> None:
        data: dict[str, object] = {
            "walks": self.walks,
            "regrets": self.regrets,
            "sums": self.sums,
        }
        write_atomic(path, encode(data, FINGERPRINT))

    @classmethod
    def loaded(cls, path: Path, seed: int) -> "Training":
        """Continue a file, or start anew if there is none."""
        training = cls(seed)
        if path.is_file():
            data: dict[str, Any] = decode(path.read_bytes(), FINGERPRINT)
            training.walks = data["walks"]
            training.regrets, training.sums = data["regrets"], data["sums"]
            training._rng = Random(f"{seed}/{training.walks}")
        return training


class Average:
    """The average strategy: what the expert plays."""

    def __init__(self, sums: dict[bytes, Weights]) -> None:
        self.sums = sums

    def __call__(self, key: bytes, moves: list[int]) -> list[float]:
        return shares(self.sums.get(key, {}), moves)

    def knows(self, key: bytes) -> bool:
        return key in self.sums


def deal(rng: Random) -> FullState:
    """A round of two players at a random score."""
    state = GAME.new(rng.getrandbits(62), first=rng.randrange(2), target=TARGET)
    state.deals_on = False
    state.points = [rng.randrange(TARGET) for _ in range(2)]
    state.before = (state.points[0], state.points[1])
    return state


def play(state: FullState, strategies: tuple[Strategy, Strategy], rng: Random) -> None:
    """Play a round out with a strategy for each side."""
    while state.hand_no == 1 and state.turn != OVER:
        seat = state.turn
        key, actions = choices_at(state.view(seat), state.legal())
        moves = list(actions)
        state.apply(actions[rng.choices(moves, strategies[seat](key, moves))[0]])


def gain_of(best: Strategy, average: Strategy, rounds: int, seed: int) -> tuple[float, float]:
    """What a strategy gains per round against another, as a chance to win the match, and its
    standard error. Each deal is played from both sides."""
    rng = Random(seed)
    gains = []
    for _ in range(rounds):
        start = deal(rng)
        gain = 0.0
        for side in (0, 1):
            state = start.clone()
            play(state, (best, average) if side == 0 else (average, best), rng)
            gain += chance_to_win(side, state)
        gains.append(gain - 1)
    mean = sum(gains) / rounds
    spread = sum([(gain - mean) ** 2 for gain in gains]) / (rounds - 1)
    return mean / 2, sqrt(spread / rounds) / 2


def ship(training: Training, least: float = 1.0) -> Path:
    """Write the average strategy that comes with the program; rare situations are left out."""
    kept = {
        key: {move: round(share, 3) for move, share in zip(moves, average, strict=True)}
        for key, moves, average in (
            (key, list(sums), shares(sums, list(sums)))
            for key, sums in training.sums.items()
            if sum(sums.values()) >= least
        )
    }
    return write_shipped("truco_full", "expert", {"strategy": kept}, FINGERPRINT)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["train", "exploit", "ship"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--rounds", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    training = Training.loaded(chosen.file, chosen.seed)
    if chosen.what == "train":
        training.train(chosen.seconds)
        training.save(chosen.file)
        print(f"{training.walks:,} walks, {len(training.sums):,} situations.")
    elif chosen.what == "exploit":
        average = training.average()
        response = Training(chosen.seed, average)
        response.train(chosen.seconds)
        # Other deals than those from which the response was learned.
        gain, error = gain_of(response.average(), average, chosen.rounds, chosen.seed + 1)
        print(f"A best response gains {gain:.2%} ± {error:.2%} of a match per round.")
    else:
        print(ship(training))


if __name__ == "__main__":
    main()
