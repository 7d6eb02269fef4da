"""Monte Carlo counterfactual regret minimisation over envido, flor and truco together.

Two players. A walk deals rounds at random scores and visits every call, every answer and every
card of both players. Regrets are kept for what a player can tell apart
(`agents.truco_full.situations`); the average of all strategies is the result. Values are the
change of the chance to win the match, in points at the score.

    python -m agents.truco_full.cfr train [--walks N]   # ships the strategy of the expert
    python -m agents.truco_full.cfr exploit             # what a best response to it gains

`train` saves its state every minute and continues where it stopped.
"""

import sys
from argparse import ArgumentParser
from math import sqrt
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

import numpy as np

from agents.storage.files import write_atomic
from agents.storage.store import read_shipped, write_shipped
from agents.storage.values_file import Refused, decode, encode
from agents.truco_full.graph import FLORES, Edge, Node, Slot, nodes
from agents.truco_full.model import counted
from agents.truco_full.rounds import Deals, Numbers, Place, PlaceKey, deal, place_key, places
from agents.truco_full.situations import FINGERPRINT, Index, Policy, Situation

WALKS: Final = 240
"""Walks for the shipped strategy; they take two minutes, and counting `hard` another one."""
DEALS: Final = 1000
"""Rounds in a walk."""
IGNORED: Final = 0.002
"""A column is dropped where both players reach it with a smaller probability."""
STATE: Final = Path("build/pretrained/truco_full.expert.state")
MODELLED: Final = 0.3
"""The share of rounds in which the expert meets the model of `hard`."""
SAVED_EVERY: Final = 60.0
"""CPU seconds."""


class Player:
    """Chooses at the nodes of a seat, and may learn from what its choices are worth."""

    def choices(self, node: Node, rows: Index) -> Numbers:
        """The probability of each action: a row for each, a column for each row of the seat."""
        raise NotImplementedError

    def learn(self, visit: "Visit", gains: Numbers, used: Numbers, weight: float) -> None:
        """Take in how much better than the mean each action was, and how often it was used."""


class Table:
    """What is learned for a situation: a row for each action, a column for each of its rows."""

    __slots__ = ("regrets", "sums")

    def __init__(self, actions: int, size: int) -> None:
        self.regrets: Numbers = np.zeros((actions, size), dtype=np.float32)
        self.sums: Numbers = np.zeros((actions, size), dtype=np.float32)


def shares(weights: Numbers) -> Numbers:
    """Probabilities in proportion to positive weights; equal ones if there are none."""
    positive = np.maximum(weights, 0)
    total = positive.sum(axis=0)
    return np.asarray(np.where(total > 0, positive / np.maximum(total, 1e-30), 1 / len(weights)))


class Minimiser(Player):
    """Chooses in proportion to its regrets. Later ones count more."""

    def __init__(self) -> None:
        self.tables: dict[Situation, Table] = {}

    def table(self, node: Node) -> Table:
        table = self.tables.get(node.situation)
        if table is None:
            table = Table(len(node.actions()), node.situation.size())
            self.tables[node.situation] = table
        return table

    def choices(self, node: Node, rows: Index) -> Numbers:
        return shares(self.table(node).regrets[:, rows])

    def learn(self, visit: "Visit", gains: Numbers, used: Numbers, weight: float) -> None:
        table = self.table(visit.node)
        for action in range(len(gains)):
            np.add.at(table.regrets[action], visit.rows, gains[action] * np.float32(weight))
            np.add.at(table.sums[action], visit.rows, used[action] * np.float32(weight))

    def policy(self) -> Policy:
        """The average of all its strategies."""
        return Policy.rounded({each: table.sums for each, table in self.tables.items()})

    def dump(self) -> dict[str, object]:
        return {
            situation.name(): [table.regrets.tobytes(), table.sums.tobytes()]
            for situation, table in self.tables.items()
        }

    def restore(self, data: dict[str, Any]) -> None:
        for flores in range(FLORES):
            for node in nodes(flores):
                stored = data.get(node.situation.name())
                if stored is not None and node.situation not in self.tables:
                    table = self.table(node)
                    shape = table.sums.shape
                    table.regrets, table.sums = [
                        np.frombuffer(each, np.float32).reshape(shape).copy() for each in stored
                    ]


class Fixed(Player):
    """Plays a policy, and like another player where the policy knows nothing."""

    def __init__(self, policy: Policy, otherwise: Player | None = None) -> None:
        self._policy = policy
        self._otherwise = otherwise

    def choices(self, node: Node, rows: Index) -> Numbers:
        situation, actions = node.situation, len(node.actions())
        chances = self._policy.chances(situation, rows, actions)
        unknown = np.flatnonzero(~chances.any(axis=0))
        if len(unknown):
            chances[:, unknown] = (
                1 / actions
                if self._otherwise is None
                else self._otherwise.choices(node, rows[unknown])
            )
        return chances


class Visit:
    """A node with the columns that reach it.

    chances   of each action, in these columns
    reach     per seat the probability of its own choices
    """

    __slots__ = ("chances", "columns", "node", "place", "reach", "rows")

    def __init__(
        self, node: Node, place: Place, columns: Index, rows: Index, chances: Numbers,
        reach: list[Numbers],
    ) -> None:  # fmt: skip
        self.node = node
        self.place = place
        self.columns = columns
        self.rows = rows
        self.chances = chances
        self.reach = reach


Players = tuple[Player, Player]


def visit_all(deals: Deals, players: Players, weight: float = 1.0) -> Numbers:
    """Visit all choices in some rounds, and let both players learn from their values. Return the
    value of each round for seat 0."""
    found = places(deals)
    visits = _forward(deals, found, players)
    values: dict[Slot, Numbers] = {}
    for visit in reversed(visits):
        each = _values(visit, values)
        mean = (visit.chances * each).sum(axis=0)
        total = np.zeros(len(visit.place), dtype=np.float32)
        total[visit.columns] = mean
        values[visit.node.slot] = total
        if len(visit.chances) > 1:
            seat = visit.node.seat
            other = visit.reach[1 - seat]
            gains = (each - mean) * (other if seat == 0 else -other)
            players[seat].learn(visit, gains, visit.chances * visit.reach[seat], weight)
    return values[visits[0].node.slot]


def _forward(deals: Deals, found: dict[PlaceKey, Place], players: Players) -> list[Visit]:
    order = nodes(deals.flores)
    ones = np.ones(len(deals), dtype=np.float32)
    reached: dict[Slot, list[Numbers]] = {order[0].slot: [ones, ones.copy()]}
    visits = []
    for node in order:
        reach = reached.pop(node.slot, None)
        if reach is None:
            continue
        place = found[place_key(node)]
        columns = np.flatnonzero(np.maximum(reach[0], reach[1]) > IGNORED)
        if not len(columns):
            continue
        reach = [each[columns] for each in reach]
        if len(node.actions()) == 1:
            rows = columns
            chances = np.ones((1, len(columns)), dtype=np.float32)
        else:
            rows = place.rows(node.situation, node.seat)[columns]
            chances = players[node.seat].choices(node, rows)
        visit = Visit(node, place, columns, rows, chances, reach)
        visits.append(visit)
        _spread(visit, found, reached)
    return visits


def _spread(visit: Visit, found: dict[PlaceKey, Place], reached: dict[Slot, list[Numbers]]) -> None:
    """Add the probability of each choice to what it leads to."""
    node, columns, cards = visit.node, visit.columns, visit.node.cards

    def arrays(edge: Edge, size: int) -> list[Numbers]:
        assert edge.to is not None
        if edge.to not in reached:
            reached[edge.to] = [np.zeros(size, dtype=np.float32) for _ in range(2)]
        return reached[edge.to]

    after: list[list[Numbers]] = []
    for chance in visit.chances:
        likely = visit.reach[:]
        likely[node.seat] = likely[node.seat] * chance
        after.append(likely)
    for number, action in enumerate(sorted(node.calls)):
        edge = node.calls[action]
        if edge.to is not None:
            target = arrays(edge, len(visit.place))
            for seat in (0, 1):
                target[seat][columns] += after[cards + number][seat]
    if not cards:
        return
    for seat in (0, 1):
        pairs = np.zeros((len(visit.place), cards), dtype=np.float32)
        for card in range(cards):
            pairs[columns, card] = after[card][seat]
        flat = pairs.reshape(-1)
        if node.lead is not None:
            arrays(node.lead, len(flat))[seat] += flat
        for winner, edge in node.follow.items():
            if edge.to is not None:
                group = visit.place.groups[winner]
                if len(group):
                    arrays(edge, len(group))[seat] += flat[group]


def _values(visit: Visit, values: dict[Slot, Numbers]) -> Numbers:
    """The value of each action in the columns of a visit."""
    node, place, columns, cards = visit.node, visit.place, visit.columns, visit.node.cards
    found = np.zeros(visit.chances.shape, dtype=np.float32)
    for number, action in enumerate(sorted(node.calls)):
        edge = node.calls[action]
        value = place.paid(edge.pays)
        if not isinstance(value, float):
            value = value[columns]
        if edge.to in values:
            value = value + values[edge.to][columns]
        found[cards + number] = value
    if not cards:
        return found
    flat = np.zeros(len(place) * cards, dtype=np.float32)
    if node.lead is not None and node.lead.to in values:
        flat = values[node.lead.to]
    for winner, edge in node.follow.items():
        group = place.groups[winner]
        if edge.to in values:
            flat[group] = values[edge.to]
        elif edge.pays:
            paid = place.paid(edge.pays)
            assert not isinstance(paid, float)
            flat[group] = paid[group // cards]
    found[:cards] = flat.reshape(len(place), cards)[columns].T
    return found


class Training:
    """The training of the expert: a restricted Nash response.

    The expert meets `hard`, as its frequencies were counted, in a share of the rounds, and in all
    others a rival, who learns nothing but to beat the expert. So it takes what `hard` gives away,
    and stays hard to exploit.
    """

    def __init__(self, seed: int, model: Policy | None = None) -> None:
        """model: the frequencies of `hard`; None to train without them."""
        self.walks = 0
        self.seconds = 0.0
        self.expert = Minimiser()
        self.rival = Minimiser()
        self._seed = seed
        self._model = model
        self._fingerprint = f"{FINGERPRINT} | training {seed} {DEALS} {MODELLED}"

    def walk(self, count: int = DEALS) -> None:
        self.walks += 1
        rng = Random(f"{self._seed}/{self.walks}")
        weight = self.walks / 100
        hard = None if self._model is None else Fixed(self._model, self.rival)
        for deals in deal(count, rng):
            visit_all(deals, (self.expert, self.rival), weight)
            visit_all(deals, (self.rival, self.expert), weight)
            if hard is not None:
                likely = weight * MODELLED / (1 - MODELLED)
                visit_all(deals, (self.expert, hard), likely)
                visit_all(deals, (hard, self.expert), likely)

    def train(self, walks: int, state: Path) -> None:
        """Go on until there are so many walks, and save now and then."""
        start, saved = process_time() - self.seconds, process_time()
        while self.walks < walks:
            self.walk()
            self.seconds = process_time() - start
            if process_time() - saved > SAVED_EVERY or self.walks == walks:
                saved = process_time()
                self.save(state)
                print(f"{self.walks:,} of {walks:,} walks in {self.seconds:,.0f} s", flush=True)

    def save(self, path: Path) -> None:
        data: dict[str, object] = {
            "walks": self.walks,
            "seconds": self.seconds,
            "expert": self.expert.dump(),
            "rival": self.rival.dump(),
            "model": {} if self._model is None else self._model.dump(),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, encode(data, self._fingerprint), private=False)

    def load(self, path: Path) -> bool:
        """Continue a file, if there is one that fits. Return whether there is."""
        try:
            data: dict[str, Any] = decode(path.read_bytes(), self._fingerprint)
        except (OSError, Refused):
            return False
        self.walks, self.seconds = data["walks"], data["seconds"]
        self.expert.restore(data["expert"])
        self.rival.restore(data["rival"])
        self._model = Policy.restored(data["model"]) if data["model"] else None
        return True


def best_response(policy: Policy, walks: int, seed: int, count: int = DEALS) -> Policy:
    """What wins most against a policy, learned in so many walks."""
    response, fixed = Minimiser(), Fixed(policy)
    for walk in range(walks):
        for deals in deal(count, Random(f"response {seed}/{walk}")):
            visit_all(deals, (response, fixed), (walk + 1) / 100)
            visit_all(deals, (fixed, response), (walk + 1) / 100)
    return response.policy()


def gain_of(response: Policy, policy: Policy, rounds: int, seed: int) -> tuple[float, float]:
    """What a strategy gains against another in points a round, and its standard error. Both play
    each deal in both seats."""
    one, other = Fixed(response, Fixed(policy)), Fixed(policy)
    gains: list[float] = []
    for deals in deal(rounds, Random(f"gain {seed}")):
        gains += ((visit_all(deals, (one, other)) - visit_all(deals, (other, one))) / 2).tolist()
    return float(np.mean(gains)), float(np.std(gains) / sqrt(len(gains)))


def ship(walks: int = WALKS, seed: int = 1, state: Path = STATE) -> Path:
    """Train the strategy that comes with the program, or continue to. Returns its file."""
    training = Training(seed)
    if not training.load(state):
        training = Training(seed, counted(seed))
    training.train(walks, state)
    return write_shipped("truco_full", "expert", training.expert.policy().dump(), FINGERPRINT)


def main(words: list[str]) -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["train", "exploit"])
    parser.add_argument("--walks", type=int, default=WALKS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, default=STATE)
    parser.add_argument("--rounds", type=int, default=4000, help="rounds that measure a response")
    chosen = parser.parse_args(words)
    if chosen.what == "train":
        print(ship(chosen.walks, chosen.seed, chosen.state))
        return
    policy = Policy.restored(read_shipped("truco_full", "expert", FINGERPRINT))
    response = best_response(policy, chosen.walks, chosen.seed)
    gain, error = gain_of(response, policy, chosen.rounds, chosen.seed)
    print(f"A best response gains {gain:.3f} ± {1.96 * error:.3f} points a round.")


if __name__ == "__main__":
    main(sys.argv[1:])
