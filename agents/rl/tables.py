"""Many tables at which one action each is taken per step. Compiled where that is possible.

What a step has found is in flat lists, which `agents.rl.batch` turns into arrays.
"""

from collections.abc import Callable
from random import Random

from agents.agent import Agent
from engine.game import OVER, IllegalAction, State

Finished = tuple[int, bool, list[float]]
"""The number of a table, whether its episode is over, and the reward of each seat."""


class Tables:
    """Matches in progress and what their seats to act see.

    columns    of each table `State.numbers` of its seat to act, one after the other
    legal      of each table its legal actions, each plus the number of the table times `actions`
    choices    how many legal actions each table has
    turns      the seat to act at each table
    finished   the hands that the last step has ended, and the episodes that it has truncated
    """

    def __init__(
        self,
        new_match: Callable[[], State],
        tables: int,
        actions: int,
        rewards_of: Callable[[State], list[float]],
        ends_with_hand: bool,
        max_steps: int,
    ) -> None:
        self._new_match: Callable[[], State] = new_match
        self._actions: int = actions
        self._rewards_of: Callable[[State], list[float]] = rewards_of
        self._ends_with_hand: bool = ends_with_hand
        self._max_steps: int = max_steps
        self.states: list[State] = [new_match() for _ in range(tables)]
        self._steps: list[int] = [0] * tables
        self.columns: list[int] = []
        self.legal: list[int] = []
        self.choices: list[int] = []
        self.turns: list[int] = []
        self.finished: list[Finished] = []
        self.truncated: list[int] = []
        # Set to play against other agents: for each table the seats that they play.
        self.players: list[list[Agent | None]] = []
        self._rng: Random = Random(0)
        self.seat_players: Callable[[], list[Agent | None]] | None = None

    def play_against(self, seat_players: Callable[[], list[Agent | None]], rng: Random) -> None:
        """Let agents play some seats. seat_players: for a new episode an agent for each seat,
        None for the seats whose actions `step` takes."""
        self.seat_players = seat_players
        self.players = [seat_players() for _ in self.states]
        self._rng = rng

    def look(self) -> None:
        """Find what all tables show, without a step."""
        self.finished = []
        self.truncated = []
        self._begin()
        for number in range(len(self.states)):
            if self.players:
                self._others_play(number)
            self._show(number)

    def step(self, actions: list[int]) -> None:
        """Take an action at each table. A finished episode is followed by the next one."""
        states = self.states
        self.finished = []
        self.truncated = []
        self._begin()
        for number in range(len(states)):
            state = states[number]
            hand_no = state.hand_no
            try:
                state.apply(actions[number])
            except IllegalAction as error:
                raise IllegalAction(f"Table {number}: {error}") from error
            if self._max_steps:
                self._steps[number] += 1
            ended = state.turn == OVER or state.hand_no != hand_no
            if ended:
                ended = self._end_hand(number)
            if self.players and not ended:
                self._others_play(number)
            if self._max_steps and self._steps[number] >= self._max_steps:
                self.truncated.append(number)
                self._restart(number)
            self._show(number)

    def _begin(self) -> None:
        self.columns = []
        self.legal = []
        self.choices = []
        self.turns = []

    def _show(self, number: int) -> None:
        state = self.states[number]
        seat = state.turn
        self.turns.append(seat)
        self.columns += state.numbers(seat)
        base = number * self._actions
        legal = state.legal()
        self.choices.append(len(legal))
        self.legal += [base + action for action in legal]

    def _end_hand(self, number: int) -> bool:
        """Note the rewards of a finished hand. Return whether the episode is over, and start the
        next one then."""
        state = self.states[number]
        over = self._ends_with_hand or state.turn == OVER
        self.finished.append((number, over, self._rewards_of(state)))
        if over:
            self._steps[number] = 0
            if state.turn == OVER:
                self.states[number] = self._new_match()
            if self.seat_players is not None:
                self.players[number] = self.seat_players()
                self._others_play(number)
        return over

    def _restart(self, number: int) -> None:
        self._steps[number] = 0
        self.states[number] = self._new_match()
        if self.seat_players is not None:
            self.players[number] = self.seat_players()
            self._others_play(number)

    def _others_play(self, number: int) -> None:
        """Let the agents play until a seat without an agent is to act."""
        while True:
            state = self.states[number]
            seat = state.turn
            agent = self.players[number][seat]
            if agent is None:
                return
            hand_no = state.hand_no
            legal = state.legal()
            if agent.looks:
                action = agent.choose(state.view(seat), legal, self._rng)
            else:
                action = legal[int(self._rng.random() * float(len(legal)))]
            state.apply(action)
            if (state.turn == OVER or state.hand_no != hand_no) and self._end_hand(number):
                return
