"""A match between two agents on Home, one action at a time."""

from typing import Any

from agents.match import Match
from agents.registry import make
from app.match.moment import Moment
from app.match.narration import Narration
from app.match.seating import Seating
from app.ui.layout.wording import minus
from app.ui.tables import table_class
from app.ui.tables.base import Table
from app.ui.widgets.game_tile import QuietPicture
from engine import GAMES
from engine.game import OVER

PLAYERS = ("easy", "hard")
NAMES = ("Easy", "Hard")
_FIRST_ACTIONS = 3
"""Actions before the first picture, so that cards are on the table."""


class QuietMatch:
    """Plays one match after the other, with consecutive seeds. Nothing is recorded or learned.

    Every call computes; the screen makes them in a thread.
    """

    def __init__(self, game: str, seed: int) -> None:
        self._game = game
        self._seed = seed
        seating = Seating(PLAYERS, NAMES, home=0)
        self._table: Table[Any] = table_class(game)(GAMES[game], seating)
        self._deal()
        for _ in range(_FIRST_ACTIONS):
            self.step()

    def _deal(self) -> None:
        state = GAMES[self._game].new(seed=self._seed)
        players = [make(self._game, name) for name in PLAYERS]
        self._match = Match(state, players, self._seed, record=True)
        self._narration = Narration(state, self._table)
        self._seed += 1

    def step(self) -> None:
        """Take the next action, or deal again after a hand or match."""
        state, narration = self._match.state, self._narration
        if state.turn == OVER:
            self._deal()
        elif narration.ending is not None:
            narration.dismiss_ending()
        else:
            before, seat = narration.views(), state.turn
            action = self._match.decide().action
            narration.add(seat, action, self._match.step(action), before)

    def picture(self) -> QuietPicture:
        moment = self._narration.moment()
        laid = [
            (each.face, each.caption)
            for each in self._table.felt(moment)
            if each.face is not None and each.face.rank
        ]
        return QuietPicture(
            NAMES,
            (self._hand(moment, 0), self._hand(moment, 1)),
            tuple(laid),
            moment.ending.sentence if moment.ending else self._narration.latest,
            minus(" : ".join(map(str, moment.view.scores))),
        )

    def _hand(self, moment: Moment, seat: int) -> Any:
        return self._table.seat(moment, seat).cards
