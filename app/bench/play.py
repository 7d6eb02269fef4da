"""Figures of the engine: random play, views, samples of hidden cards, search."""

from functools import partial
from random import Random
from typing import Final

from app.bench.figures import Measure, Peer, Task, rating
from app.bench.peers import OPEN_SPIEL, PYTRUCO, RLCARD, open_spiel, pytruco, rlcard
from engine import GAMES
from engine.game import OVER, OptionValue, State
from engine.playout import finish_hand_at_random

FOUR: Final[dict[str, OptionValue]] = {"players": 4}
POSITIONS: Final = 64
"""Positions from as many hands of Euchre, from the first bid to the last trick."""


class RandomPlay:
    """Plays random matches through `legal` and `apply`."""

    def __init__(self, game: str, options: dict[str, OptionValue] | None = None) -> None:
        self._game = GAMES[game]
        self._options = options or {}
        self._seed = 0
        self._random = Random(1).random

    def _next_match(self) -> State:
        self._seed += 1
        return self._game.new(self._seed, None, None, **self._options)

    def decisions(self) -> int:
        """Play one match and return the number of decisions."""
        return self._play(self._next_match())

    def hands(self) -> int:
        """Play one match and return the number of hands."""
        state = self._next_match()
        self._play(state)
        return state.hand_no

    def hands_in_engine(self) -> int:
        """Play one match with the loop inside the engine and return the number of hands."""
        state = self._next_match()
        while state.turn != OVER:
            finish_hand_at_random(state, self._random)
        return state.hand_no

    def _play(self, state: State) -> int:
        random, legal, apply = self._random, state.legal, state.apply
        decisions = 0
        choices = legal()
        while choices:
            apply(choices[int(random() * len(choices))])
            decisions += 1
            choices = legal()
        return decisions


def euchre_positions() -> list[State]:
    """Four-player hands, each one decision further than the last, up to the last trick."""
    random = Random(2).random
    positions = []
    for number in range(POSITIONS):
        state = GAMES["euchre"].new(number, None, None, **FOUR)
        for _ in range(number % 16):
            choices = state.legal()
            state.apply(choices[int(random() * len(choices))])
        positions.append(state)
    return positions


def view_creation() -> Measure:
    positions = euchre_positions()

    def view() -> int:
        for state in positions:
            state.view(state.turn)
        return len(positions)

    return rating(view)


def sampling() -> Measure:
    views = [state.view(state.turn) for state in euchre_positions()]
    rng = Random(3)

    def sample() -> int:
        for view in views:
            view.sample(rng)
        return len(views)

    return rating(sample)


def simulations() -> Measure:
    """Deal the hidden cards and play the hand to its end, as search does for every sample."""
    views = [state.view(state.turn) for state in euchre_positions()]
    rng = Random(4)

    def simulate() -> int:
        for view in views:
            world = view.sample(rng)
            world.deals_on = False
            finish_hand_at_random(world, rng.random)
        return len(views)

    return rating(simulate)


def tasks(peers: bool) -> list[Task]:
    def spiel(name: str, measure: str) -> Peer | None:
        return Peer(f"OpenSpiel {name}", OPEN_SPIEL, open_spiel(measure)) if peers else None

    def decks(name: str) -> Peer | None:
        return Peer(f"RLCard {name}", RLCARD, rlcard(name)) if peers else None

    def walker(players: int) -> Peer | None:
        return Peer(PYTRUCO, PYTRUCO, pytruco(players, 20)) if peers else None

    def decisions(game: str, options: dict[str, OptionValue] | None = None) -> Measure:
        return rating(RandomPlay(game, options).decisions)

    def hands(game: str) -> Measure:
        return rating(RandomPlay(game).hands)

    four = "euchre, four players"
    measured = [
        Task(
            f"{four}: random hands",
            "hands/s",
            lambda: rating(RandomPlay("euchre", FOUR).hands),
            spiel("euchre", "hands"),
        ),
        Task(
            f"{four}: random hands, loop in the engine",
            "hands/s",
            lambda: rating(RandomPlay("euchre", FOUR).hands_in_engine),
            spiel("euchre", "hands"),
        ),
        *[
            Task(
                f"{game}: random decisions",
                "decisions/s",
                partial(decisions, game),
                spiel("euchre", "decisions"),
            )
            for game in GAMES
        ],
        *[Task(f"{game}: random hands", "hands/s", partial(hands, game)) for game in GAMES],
        *[
            Task(
                f"truco, full, {players} players: random walk",
                "decisions/s",
                partial(decisions, "truco", {"rules": "full", "players": players, "target": 20}),
                walker(players),
            )
            for players in (2, 4, 6)
        ],
        *[
            Task(
                f"{four}: random decisions against {name}",
                "decisions/s",
                lambda: decisions("euchre", FOUR),
                decks(name),
            )
            for name in ("leduc-holdem", "uno")
            if peers
        ],
        Task(f"{four}: views", "views/s", view_creation, spiel("information state", "views")),
        Task(f"{four}: hidden cards dealt", "samples/s", sampling, spiel("resample", "samples")),
        Task(
            f"{four}: search simulations",
            "simulations/s",
            simulations,
            spiel("ISMCTS in C++", "ismcts"),
        ),
    ]
    if peers:
        measured += [
            Task(
                f"{four}: random hands",
                "hands/s",
                lambda: rating(RandomPlay("euchre", FOUR).hands),
                spiel("euchre, chance_outcomes", "hands_by_outcomes"),
            ),
            Task(
                f"{four}: search simulations",
                "simulations/s",
                simulations,
                spiel("ISMCTS in Python", "python_ismcts"),
            ),
        ]
    return measured
