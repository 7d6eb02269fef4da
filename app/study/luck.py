"""How lucky each side was: what each deal and each drawn card changed in its chance to win.

The luck of a random event is the chance to win after it, minus the mean chance if the same moment
is dealt again and again. Both are estimates of one kind, so the luck of an event is zero on
average, whoever plays and however rough the estimates are. The result of a match minus its luck is
therefore as fair as the result itself, and says more about the players: a control variate, like
the luck-adjusted result of GNU Backgammon.

A chance is estimated by fast players, who play the cards as they lie to the end of the hand; then
the score decides. Simple agents at the table play for themselves, and the others are played by the
game's fast agent. A game without hands tells the chances from its standing at any moment; if it
cannot do that either, they play to the end of the match.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from random import Random
from typing import Final

from agents.evaluation.strengths import edges, measured_name
from agents.registry import agents_for, make, roster
from agents.roster import load
from app.match.seating import rated_players
from app.records.journal import MatchSetup
from engine.game import OVER, State


@dataclass(frozen=True, slots=True)
class Effort:
    """How precisely luck is estimated. Less effort makes it noisier but not biased.

    playouts   of what happened
    redeals    of the same moment, each played out once
    """

    playouts: int = 8
    redeals: int = 24


USUAL: Final = Effort()

SIMPLE: Final = ("random", "easy")
"""Agents that are fast enough to play for themselves."""


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of one random event.

    number    how many actions came before the position it led to
    hand_no   the hand in that position
    changes   by how much it raised the chance of each side to win the match
    """

    number: int
    hand_no: int
    changes: tuple[float, ...]


class Until(Enum):
    """How long to play on until the chances of the sides can be told."""

    NOW = "not at all: the standing tells them"
    HAND = "to the end of the hand: the score tells them"
    MATCH = "to the end of the match"


class Odds:
    """The chances of the sides at one table.

    players   PERSON or the name of an agent, for each seat
    until     when they can be told
    """

    def __init__(self, game: str, players: Sequence[str]) -> None:
        own = roster(game)
        self.until = Until.HAND if own.odds else Until.NOW if own.standing else Until.MATCH
        path = own.odds or own.standing
        self._function = load(path) if path else None
        self._game = game
        self._players = rated_players(players)

    def told(self, start: State, now: State) -> bool:
        """Whether the chances can be told after playing on from `start`."""
        if now.turn == OVER or self.until is Until.NOW:
            return True
        return self.until is Until.HAND and now.hand_no != start.hand_no

    def of(self, state: State) -> list[float]:
        """One chance for each side."""
        if state.turn == OVER:
            shares = state.returns()
            return [shares[side[0]] for side in state.sides]
        own = tuple(edges(self._game, self._players, state.sides))
        assert self._function is not None
        if self.until is Until.NOW:
            return list(self._function(state.view(state.turn), own))
        return [self._function(state.view(side[0]), own) for side in state.sides]


class LuckMeter:
    """Measures the luck of one match, event by event. The result depends only on the match."""

    def __init__(self, setup: MatchSetup, effort: Effort = USUAL) -> None:
        self._setup = setup
        self._effort = effort
        self._odds = Odds(setup.game, setup.players)
        names = [self._fast(setup.game, player) for player in setup.players]
        made = {name: make(setup.game, name) for name in set(names)}
        self._players = [made[name] for name in names]

    @staticmethod
    def _fast(game: str, player: str) -> str:
        """The agent that plays for this one."""
        known = agents_for(game)
        if measured_name(player) in SIMPLE and player in known:
            return player
        usual = roster(game).playouts
        return usual if usual in known else "random"

    def of_deal(self, start: State) -> Luck:
        """The luck of the first deal, which led to this position."""
        return self._measure(0, start, lambda seed: replace(self._setup, seed=seed).deal())

    def of_action(self, number: int, before: State, action: int, after: State) -> Luck | None:
        """The luck of what chance did in an action; None if it did nothing.

        number   how many actions came before
        """
        if after.chance_used() == before.chance_used():
            return None

        def again(seed: int) -> State:
            other = before.with_chance(seed)
            other.apply(action)
            return other

        return self._measure(number + 1, after, again)

    def _measure(self, number: int, after: State, again: Callable[[int], State]) -> Luck:
        rng = Random(f"{self._setup.seed}/luck/{number}")
        effort = self._effort
        playouts = 1 if self._odds.until is Until.NOW else effort.playouts
        real = self._mean([after] * playouts, rng)
        usual = self._mean([again(rng.getrandbits(63)) for _ in range(effort.redeals)], rng)
        changes = [one - other for one, other in zip(real, usual, strict=True)]
        return Luck(number, after.hand_no, tuple(changes))

    def _mean(self, states: Sequence[State], rng: Random) -> list[float]:
        chances = [self._played_out(state, rng) for state in states]
        return [sum(column) / len(states) for column in zip(*chances, strict=True)]

    def _played_out(self, state: State, rng: Random) -> list[float]:
        """The chances of the sides after one playout. What follows the hand is independent of the
        match."""
        end, players = state.with_chance(rng.getrandbits(63)), self._players
        end.deals_on = self._odds.until is Until.MATCH
        while not self._odds.told(state, end):
            legal = end.legal()
            action = legal[0]
            if len(legal) > 1:
                action = players[end.turn].choose(end.view(end.turn), legal, rng)
            end.apply(action)
        return self._odds.of(end)
