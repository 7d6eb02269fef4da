"""Look-ahead in games with hidden cards: try every move in many deals that could be.

The hidden cards are dealt again at random, in keeping with all that the seat knows; deals
in which the others would hardly have bid and played as they did count for little. In each
such world every move is tried and the hand played out by quick players. What the moves
bring on average is what they are worth.
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
    """How much thinking a decision gets. It counts worlds, not seconds, so that a seed
    replays a decision on any machine."""

    worlds: int


@mypyc_attr(native_class=False)
class SearchAgent(Agent):
    """An agent that decides the better, the larger its budget.

    thorough   whether it also tries moves that look bad from afar, for somebody who asks
               what they would cost
    """

    budget: Budget
    thorough: bool = False


CANDIDATES: Final = 4
"""Worlds dealt for each one that is tried, if there is something to choose them by."""
CAUTION: Final = 0.5
DROP: Final = 3.0
"""A move this many standard errors behind the best is not tried in further worlds."""
ROUND: Final = 8
"""Worlds tried between two looks at which moves have fallen behind."""


@mypyc_attr(native_class=False)
class BeliefModel:
    """Goes through the hand again as a world has it, and asks how likely that would be.

    model   stands for all the others: their moves are likely if it scores them well
    sharp   how much less likely a move gets for each point it seems worse
    slips   how often anybody does anything
    """

    def __init__(self, model: Agent, sharp: float, slips: float) -> None:
        self.model = model
        self.sharp = sharp
        self.slips = slips

    def start_of_hand(self, world: State) -> State:
        """The same cards as they were dealt, nobody having moved."""
        raise NotImplementedError

    def replay(self, view: View, world: State, rng: Random) -> tuple[State, float]:
        """The world, and how likely the others would have moved there as they did.

        What they did unseen is done again as the model would do it.
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
        """What the seat may have done unseen at that place of the history."""
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
    """Tries every legal action in sampled worlds and plays each to the end of the hand."""

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
        """rollout: decides for everybody in the worlds tried; meaning: what outlook counts."""
        self.rollout = rollout
        self.outlook = outlook
        self.budget = budget
        self.meaning = meaning
        self.beliefs = beliefs
        self.scale = scale

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        moves = self.moves(view, legal)
        if len(moves) == 1:
            return Decision(moves[0], {}, self.meaning, scale=self.scale)
        tally = Tally(moves)
        for done, (world, weight) in enumerate(self.worlds(view, rng)):
            if done and done % ROUND == 0:
                tally.drop_the_hopeless()
                if len(tally.running) == 1:
                    break
            luck = rng.getrandbits(32)
            values = {}
            for action in tally.running:
                after = world.clone()
                after.deals_on = False
                after.apply(action)
                # Every move of a world meets the same luck, so that only the move differs.
                values[action] = self.worth(view, after, Random(luck))
            tally.add(values, weight)
        usual = self.rollout.act(view, moves, rng).action
        choice = tally.choice(usual, self.caution(view))
        return Decision(choice, tally.means(), self.meaning, scale=self.scale)

    def moves(self, view: View, legal: list[int]) -> list[int]:
        """The legal actions worth trying."""
        return legal

    def caution(self, view: View) -> float:
        """By how many standard errors a move has to be better than the rollout player's own,
        which rests on more experience than a few worlds."""
        return CAUTION

    def worlds(self, view: View, rng: Random) -> list[tuple[State, int]]:
        """Worlds to try, each with how often it counts."""
        wanted = self.budget.worlds
        if self.beliefs is None or all(seat == view.seat for seat, _ in view.history):
            return [(view.sample(rng), 1) for _ in range(wanted)]
        candidates = [
            self.beliefs.replay(view, view.sample(rng), rng) for _ in range(CANDIDATES * wanted)
        ]
        # Draw in equal steps along the summed-up likelihoods.
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
        """What a move has led to is worth: played out, or solved if few cards are left."""
        if self.is_endgame(after):
            return solve(after, view.seat, self.outlook)
        self.play_out(after, view.hand_no, rng)
        return self.outlook(view.seat, after)

    def is_endgame(self, state: State) -> bool:
        """Whether what is left can be solved in no time."""
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
    """What the moves brought so far, and which are still worth trying."""

    def __init__(self, moves: list[int]) -> None:
        self.running = list(moves)
        self._sums = dict.fromkeys(moves, 0.0)
        self._weights = dict.fromkeys(moves, 0)
        self._rows: list[tuple[dict[int, float], int]] = []

    def add(self, values: dict[int, float], weight: int) -> None:
        """Enter what each running move brought in a world that counts so often."""
        self._rows.append((values, weight))
        for move, value in values.items():
            self._sums[move] += value * weight
            self._weights[move] += weight

    def means(self) -> dict[int, float]:
        return {move: self._sums[move] / self._weights[move] for move in self._sums}

    def choice(self, usual: int, caution: float) -> int:
        """The move that brought most; the usual one if that is not clearly worse."""
        means = self.means()
        best = max(self.running, key=means.__getitem__)
        return usual if usual in self.running and not self._behind(usual, best, caution) else best

    def drop_the_hopeless(self) -> None:
        means = self.means()
        best = max(self.running, key=means.__getitem__)
        self.running = [move for move in self.running if not self._behind(move, best, DROP)]

    def _behind(self, move: int, best: int, errors: float) -> bool:
        """Whether a move trails the best, world by world, by more than so many standard errors."""
        squares = behind = 0.0
        for values, weight in self._rows:
            difference = (values[best] - values[move]) * weight
            behind += difference
            squares += difference * difference
        spread = max(squares - behind * behind / len(self._rows), 0.0)
        return behind > 0 and behind > errors * sqrt(spread)
