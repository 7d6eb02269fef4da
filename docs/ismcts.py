"""Information-set Monte Carlo tree search for any game, in forty lines."""

from math import log, sqrt
from random import Random

from agents.agent import Agent, Decision
from engine.game import OVER, State, View

EXPLORATION = 1.0


class Ismcts(Agent):
    """Deals the hidden cards anew for every simulation. Nodes are what the seat to act knows."""

    name = "ismcts"

    def __init__(self, simulations: int = 200) -> None:
        self.simulations = simulations

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        tree: dict[object, dict[int, list[float]]] = {}
        for _ in range(self.simulations):
            self.simulate(view.sample(rng), tree, rng)
        tried = tree[view.key()]
        visits = {action: tried.get(action, [0.0])[0] for action in legal}
        return Decision(max(legal, key=visits.__getitem__), visits, "simulations")

    def simulate(self, state: State, tree: dict[object, dict[int, list[float]]], rng: Random):
        """Play one hand: by the tree as far as it goes, then at random. Learn from its points."""
        state.deals_on, hand_no, path = False, state.hand_no, []
        growing = True
        while state.turn != OVER and state.hand_no == hand_no:
            legal, seat = state.legal(), state.turn
            action = rng.choice(legal)
            if growing:
                key = state.view(seat).key()
                growing = key in tree
                node = tree.setdefault(key, {})
                action = self.pick(node, legal, action)
                path.append((seat, node.setdefault(action, [0.0, 0.0])))
            state.apply(action)
        points = state.hand_returns()
        for number, side in enumerate(state.sides):
            lead = points[number] - max(points[:number] + points[number + 1 :])
            for seat, totals in path:
                if seat in side:
                    totals[0] += 1
                    totals[1] += lead

    def pick(self, node: dict[int, list[float]], legal: list[int], untried: int) -> int:
        if any(action not in node for action in legal):
            return untried if untried not in node else next(a for a in legal if a not in node)
        total = log(sum(node[action][0] for action in legal))
        return max(
            legal,
            key=lambda a: node[a][1] / node[a][0] + EXPLORATION * sqrt(total / node[a][0]),
        )
