"""The same work done by OpenSpiel, RLCard and pytruco. Only `make bench` installs them."""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, Final

from app.bench.figures import Measure, rating

OPEN_SPIEL: Final = "pyspiel"
RLCARD: Final = "rlcard"
PYTRUCO: Final = "pytruco"
SIMULATIONS: Final = 100


def open_spiel(measure: str) -> Callable[[], Measure]:
    """Sets up one of the measurements of `OpenSpiel`."""
    return lambda: rating(getattr(OpenSpiel(), measure))


def rlcard(game: str) -> Callable[[], Measure]:
    return lambda: rating(RandomCards(game).decisions)


def pytruco(players: int, target: int) -> Callable[[], Measure]:
    """Sets up the random walker of pytruco."""
    return lambda: rating(TrucoWalker(players, target).decisions)


class OpenSpiel:
    """OpenSpiel's four-player Euchre, called from Python."""

    def __init__(self) -> None:
        self._spiel: Any = import_module(OPEN_SPIEL)
        self._euchre = self._spiel.load_game("euchre")
        self._random = Random(1).random
        self._choice = Random(2).choice
        self._position = 0
        self._learning: Any = None
        self._bots: dict[str, Any] = {}

    def _dealt(self) -> Any:
        state = self._euchre.new_initial_state()
        while state.is_chance_node():
            self._step(state)
        return state

    def _step(self, state: Any) -> None:
        """Chance outcomes are equally likely, so they are chosen like actions."""
        actions = state.legal_actions()
        state.apply_action(actions[int(self._random() * len(actions))])

    def _next_position(self) -> Any:
        """A hand in progress, each one decision further than the last."""
        while True:
            self._position += 1
            state = self._dealt()
            for _ in range(self._position % 16):
                self._step(state)
            if not state.is_terminal():
                return state

    def decisions(self) -> int:
        random = self._random
        state = self._euchre.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if not state.is_chance_node():
                decisions += 1
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
        return decisions

    def tensors(self) -> int:
        """One hand in which every decision is made from an information-state tensor and a mask of
        the legal actions, both as arrays, which is what a network needs."""
        numpy: Any = import_module("numpy")
        random = self._random
        state = self._euchre.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if not state.is_chance_node():
                decisions += 1
                tensor = state.information_state_tensor(state.current_player())
                numpy.array(tensor, numpy.float32)
                numpy.array(state.legal_actions_mask(), numpy.bool_)
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
        return decisions

    def bare_tensors(self) -> int:
        """The same with the tensor as a list, and without a mask."""
        random = self._random
        state = self._euchre.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if not state.is_chance_node():
                decisions += 1
                state.information_state_tensor(state.current_player())
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
        return decisions

    def hands(self) -> int:
        self.decisions()
        return 1

    def hands_by_outcomes(self) -> int:
        """A hand dealt as OpenSpiel's documentation does it: from chance outcomes with their
        probabilities. This is slower than `decisions`."""
        random, choice = self._random, self._choice
        state = self._euchre.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action, _ = choice(state.chance_outcomes())
            else:
                actions = state.legal_actions()
                action = actions[int(random() * len(actions))]
            state.apply_action(action)
        return 1

    def views(self) -> int:
        state = self._next_position()
        player = state.current_player()
        for _ in range(200):
            state.information_state_string(player)
        return 200

    def samples(self) -> int:
        state = self._next_position()
        player, random = state.current_player(), self._random
        for _ in range(50):
            state.resample_from_infostate(player, random)
        return 50

    def ismcts(self) -> int:
        if "C++" not in self._bots:
            spiel = self._spiel
            self._bots["C++"] = spiel.ISMCTSBot(
                1,
                spiel.RandomRolloutEvaluator(1, 2),
                2.0,
                SIMULATIONS,
                -1,
                spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
                False,
                False,
            )
        self._bots["C++"].step(self._next_position())
        return SIMULATIONS

    def python_ismcts(self) -> int:
        if "Python" not in self._bots:
            numpy: Any = import_module("numpy")
            ismcts: Any = import_module("open_spiel.python.algorithms.ismcts")
            mcts: Any = import_module("open_spiel.python.algorithms.mcts")
            self._bots["Python"] = ismcts.ISMCTSBot(
                game=self._euchre,
                evaluator=mcts.RandomRolloutEvaluator(1, numpy.random.RandomState(1)),
                uct_c=2.0,
                max_simulations=SIMULATIONS,
                random_state=numpy.random.RandomState(2),
            )
        self._bots["Python"].step(self._next_position())
        return SIMULATIONS

    def q_updates(self) -> int:
        """One hand of self-play by a tabular learner. Every step but a seat's first updates."""
        if self._learning is None:
            environments: Any = import_module("open_spiel.python.rl_environment")
            learners: Any = import_module("open_spiel.python.algorithms.tabular_qlearner")
            environment = environments.Environment(self._euchre)
            actions = environment.action_spec()["num_actions"]
            players = [learners.QLearner(seat, actions) for seat in range(4)]
            self._learning = environment, players
        environment, players = self._learning
        moment = environment.reset()
        met = [False] * 4
        updates = 0
        while not moment.last():
            seat = moment.observations["current_player"]
            updates += met[seat]
            met[seat] = True
            step = players[seat].step(moment)
            moment = environment.step([step.action])
        for seat, player in enumerate(players):
            if met[seat]:
                player.step(moment)
                updates += 1
        return updates


class RandomCards:
    """A game of RLCard with random play."""

    def __init__(self, game: str) -> None:
        cards: Any = import_module(RLCARD)
        self._environment = cards.make(game, config={"seed": 1})
        self._random = Random(1).random

    def decisions(self) -> int:
        state, _ = self._environment.reset()
        decisions = 0
        while not self._environment.is_over():
            actions = list(state["legal_actions"])
            state, _ = self._environment.step(actions[int(self._random() * len(actions))])
            decisions += 1
        return decisions


class TrucoWalker:
    """pytruco's own random walker, without messages."""

    def __init__(self, players: int, target: int) -> None:
        self._match: Any = import_module(f"{PYTRUCO}.pdt.partida").Partida
        self._random_action: Any = import_module(f"{PYTRUCO}.pdt.chi").random_action
        import_module("random").seed(1)
        self._target = target
        self._teams = [[f"{team}{seat}" for seat in range(players // 2)] for team in ("a", "b")]

    def decisions(self) -> int:
        """Play one match and return the number of decisions."""
        match = self._match(self._target, *self._teams, verbose=False)
        decisions = 0
        while not match.terminada():
            self._random_action(match).hacer(match)
            decisions += 1
        return decisions
