"""Counterfactual regret minimisation with the engine's contract, on Kuhn poker.

    python docs/cfr.py

Two players get one of three cards each and bet at most one chip. The first player loses 1/18 of a
chip per hand if both play perfectly, which is what this finds. The functions below need only
`legal`, `apply`, `clone`, `view(seat).key()` and `returns`, so they work for any game whose deals
can be listed.
"""

from itertools import permutations

CARDS = ("J", "Q", "K")
PASS, BET = 0, 1
PAYOFFS = {"pp": 1, "pbp": -1, "bp": 1, "pbb": 2, "bb": 2}
"""What the first player wins: with the higher card, unless somebody has folded."""


class View:
    def __init__(self, card: str, history: str) -> None:
        self._key = (card, history)

    def key(self) -> tuple[str, str]:
        return self._key


class Kuhn:
    """A hand of Kuhn poker with the methods of `engine.game.State`."""

    def __init__(self, cards: tuple[str, ...], history: str = "") -> None:
        self.cards = cards
        self.history = history

    @property
    def turn(self) -> int:
        return -1 if self.history in PAYOFFS else len(self.history) % 2

    def legal(self) -> list[int]:
        return [] if self.turn < 0 else [PASS, BET]

    def apply(self, action: int) -> None:
        self.history += "pb"[action]

    def clone(self) -> "Kuhn":
        return Kuhn(self.cards, self.history)

    def view(self, seat: int) -> View:
        return View(self.cards[seat], self.history)

    def returns(self) -> list[float]:
        amount = PAYOFFS[self.history]
        if self.history in ("pp", "pbb", "bb"):
            higher = CARDS.index(self.cards[0]) > CARDS.index(self.cards[1])
            amount = abs(amount) if higher else -abs(amount)
        return [float(amount), float(-amount)]


Totals = dict[object, list[float]]


def strategy(regrets: list[float]) -> list[float]:
    """Regret matching: each action as often as it is regretted."""
    positive = [max(regret, 0.0) for regret in regrets]
    total = sum(positive)
    return [each / total if total else 1 / len(regrets) for each in positive]


def visit(state: Kuhn, reach: list[float], regrets: Totals, averages: Totals) -> list[float]:
    """The value of a state for each seat. Adds to the regrets and to the average strategy."""
    legal = state.legal()
    if not legal:
        return state.returns()
    seat = state.turn
    key = state.view(seat).key()
    chances = strategy(regrets.setdefault(key, [0.0] * len(legal)))
    values = []
    for action, chance in zip(legal, chances, strict=True):
        following = state.clone()
        following.apply(action)
        further = [*reach]
        further[seat] *= chance
        values.append(visit(following, further, regrets, averages))
    node = [
        sum(chance * value[each] for chance, value in zip(chances, values, strict=True))
        for each in range(len(reach))
    ]
    others = 1.0
    for each, share in enumerate(reach):
        others *= 1.0 if each == seat else share
    average = averages.setdefault(key, [0.0] * len(legal))
    for at, chance in enumerate(chances):
        regrets[key][at] += others * (values[at][seat] - node[seat])
        average[at] += reach[seat] * chance
    return node


def solve(iterations: int) -> tuple[float, dict[object, list[float]]]:
    """The mean value of the first player, and how often each action is taken in each situation."""
    regrets: Totals = {}
    averages: Totals = {}
    total = 0.0
    deals = list(permutations(CARDS, 2))
    for _ in range(iterations):
        for cards in deals:
            total += visit(Kuhn(cards), [1.0, 1.0], regrets, averages)[0]
    shares = {key: [each / sum(row) for each in row] for key, row in averages.items()}
    return total / (iterations * len(deals)), shares


if __name__ == "__main__":
    value, shares = solve(2000)
    print(f"The first player gets {value:.4f} chips a hand; perfect play gives {-1 / 18:.4f}.")
    for (card, history), (_, bets) in sorted(shares.items(), key=str):
        print(f"{card} after {history or 'nothing':<8} bets {bets:6.1%}")
