"""Search in games with hidden cards: try every move in many possible deals.

A *world* deals the hidden cards at random, consistent with everything the seat knows. Worlds in
which the other players would hardly have acted as they did get a low weight. In each world every
action is tried, and a fast agent plays the hand out. The value of an action is its mean result.
"""

from dataclasses import dataclass
from math import exp, sqrt
from random import Random
from typing import Final

from agents.agent import Agent, Decision, Scale
from agents.search.endgame import Outlook, solve
from engine.compiling import mypyc_attr
from engine.game import HIDDEN, OVER, State, View


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Budget:
    """The effort for one decision. It counts worlds, not seconds, so that a seed gives the same
    decision on any machine."""

    worlds: int


@mypyc_attr(native_class=False)
class SearchAgent(Agent):
    """An agent that plays better with a larger budget.

    thorough   also score actions that look bad, for a review of what they would cost
    """

    budget: Budget
    thorough: bool = False


CANDIDATES: Final = 3
"""Worlds sampled for each one that is tried, if the other players have acted."""
CAUTION: Final = 0.5
"""By how many standard errors an action has to be better than the choice of the rollout player.
That choice rests on more experience than a few worlds."""
DROP: Final = 3.0
"""An action this many standard errors behind the best is not tried in further worlds."""
ROUND: Final = 8
"""Worlds tried before actions that have fallen behind are dropped again."""


@mypyc_attr(native_class=False)
class BeliefModel:
    """Estimates how likely a world is by replaying the hand in it.

    model   an agent that predicts the other players: they prefer actions that it scores highly
    sharp   the exponent's factor: how much less likely an action gets for each point less
    slips   the share of actions that are taken at random
    """

    def __init__(self, model: Agent, sharp: float, slips: float) -> None:
        self.model = model
        self.sharp = sharp
        self.slips = slips

    def start_of_hand(self, world: State) -> State:
        """The state right after the deal, with the same cards."""
        raise NotImplementedError

    def replay(self, view: View, world: State, rng: Random) -> tuple[State, float]:
        """The world after the hand so far, and the likelihood of the others' actions in it.

        Actions that this seat did not see are chosen by the model.
        """
        past = self.start_of_hand(world)
        likely = 1.0
        for at, (seat, action) in enumerate(view.history):
            if action == HIDDEN:
                action = self.unseen_move(view, past, at, rng)
            elif seat != view.seat:
                likely *= self.likelihood(past, action, rng)
            past.apply(action)
        return past, likely

    def unseen_move(self, view: View, past: State, at: int, rng: Random) -> int:
        """A possible action of the seat to act where the history hides it."""
        raise NotImplementedError

    def likelihood(self, past: State, action: int, rng: Random) -> float:
        legal = past.legal()
        if len(legal) == 1:
            return 1.0
        scores = self.model.act(past.view(past.turn), legal, rng).scores
        best = max(scores.values())
        weights = {move: exp((score - best) * self.sharp) for move, score in scores.items()}
        share = weights[action] / sum(weights.values(), 0.0)
        return (1 - self.slips) * share + self.slips / len(legal)


@mypyc_attr(native_class=False)
class SearchPlayer(SearchAgent):
    """Tries every action in sampled worlds and plays each world to the end of the hand."""

    name = "search"

    def __init__(
        self,
        rollout: Agent,
        outlook: Outlook,
        budget: Budget,
        meaning: str,
        beliefs: BeliefModel | None = None,
        scale: Scale = Scale.CHANCE,
    ) -> None:
        """
        rollout   plays all seats in the worlds
        outlook   the value of the state after the hand; `meaning` describes it
        """
        self.rollout = rollout
        self.outlook = outlook
        self.budget = budget
        self.meaning = meaning
        self.beliefs = beliefs
        self.scale = scale

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if len(legal) == 1:
            return Decision(legal[0], {}, self.meaning, scale=self.scale)
        tally = Tally(legal)
        for done, (world, weight) in enumerate(self.worlds(view, rng)):
            if done and done % ROUND == 0:
                tally.drop_hopeless()
                if len(tally.running) == 1:
                    break
            luck = rng.getrandbits(32)
            values = {}
            for action in tally.running:
                after = world.clone()
                after.deals_on = False
                after.apply(action)
                # All actions get the same random numbers, so that only the action differs.
                values[action] = self.worth(view, after, Random(luck))
            tally.add(values, weight)
        usual = self.rollout.act(view, legal, rng).action
        choice = tally.choice(usual, CAUTION)
        return Decision(choice, tally.means(), self.meaning, scale=self.scale)

    def worlds(self, view: View, rng: Random) -> list[tuple[State, int]]:
        """The worlds to try, each with its weight."""
        wanted = self.budget.worlds
        if self.beliefs is None or all(seat == view.seat for seat, _ in view.history):
            return [(view.sample(rng), 1) for _ in range(wanted)]
        candidates = [
            self.beliefs.replay(view, view.sample(rng), rng) for _ in range(CANDIDATES * wanted)
        ]
        # Systematic resampling: equal steps along the cumulative likelihood.
        step = sum([likely for _, likely in candidates], 0.0) / wanted
        reach = -rng.random() * step
        chosen = []
        for world, likely in candidates:
            reach += likely
            count = 0
            while reach > 0 and count < wanted:
                reach -= step
                count += 1
            if count:
                chosen.append((world, count))
        return chosen

    def worth(self, view: View, after: State, rng: Random) -> float:
        """The value of the state after an action: solved if few cards are left, else played out."""
        if self.is_endgame(after):
            return solve(after, view.seat, self.outlook)
        self.play_out(after, view.hand_no, rng)
        return self.outlook(view.seat, after)

    def is_endgame(self, state: State) -> bool:
        """True if the rest of the hand can be solved quickly."""
        return False

    def play_out(self, state: State, hand_no: int, rng: Random) -> None:
        """Play to the end of the hand."""
        while state.hand_no == hand_no and state.turn != OVER:
            legal = state.legal()
            action = legal[0]
            if len(legal) > 1:
                action = self.rollout.act(state.view(state.turn), legal, rng).action
            state.apply(action)


class Tally:
    """The results of each action so far, and the actions still tried."""

    def __init__(self, moves: list[int]) -> None:
        self.running = list(moves)
        self._sums = dict.fromkeys(moves, 0.0)
        self._weights = dict.fromkeys(moves, 0)
        self._rows: list[tuple[dict[int, float], int]] = []

    def add(self, values: dict[int, float], weight: int) -> None:
        """Add the results of the running actions in one world."""
        self._rows.append((values, weight))
        for move, value in values.items():
            self._sums[move] += value * weight
            self._weights[move] += weight

    def means(self) -> dict[int, float]:
        return {move: self._sums[move] / self._weights[move] for move in self._sums}

    def choice(self, usual: int, caution: float) -> int:
        """The action with the best mean, or the usual one unless it is clearly worse."""
        means = self.means()
        best = max(self.running, key=means.__getitem__)
        return usual if usual in self.running and not self._behind(usual, best, caution) else best

    def drop_hopeless(self) -> None:
        means = self.means()
        best = max(self.running, key=means.__getitem__)
        self.running = [move for move in self.running if not self._behind(move, best, DROP)]

    def _behind(self, move: int, best: int, errors: float) -> bool:
        """True if an action is behind the best by more than this many standard errors, comparing
        them world by world."""
        squares = behind = 0.0
        for values, weight in self._rows:
            difference = (values[best] - values[move]) * weight
            behind += difference
            squares += difference * difference
        spread = max(squares - behind * behind / len(self._rows), 0.0)
        return behind > 0 and behind > errors * sqrt(spread)
