"""Chooses the game and the agent of a new learner on the stage."""

from collections.abc import Sequence

from textual.widget import Widget

from agents.registry import is_baseline, known_agents
from agents.storage.store import Store
from app.match.seating import every_game
from app.ui.screens.lab_forms import LabForm
from app.ui.widgets.cycle import Cycle
from app.ui.widgets.form import row
from engine import GAMES


class StageForm(LabForm[tuple[str, str]]):
    """Returns the names of the game and of the agent."""

    def __init__(self, game: str, agent: str, store: Store) -> None:
        """store: has named learners."""
        super().__init__("Watch another one learn", "Start")
        self._game = game
        self._agent = agent
        self._store = store

    def rows(self) -> Sequence[Widget]:
        games = [(game.name, game.title) for game in every_game()]
        return [
            row("Game", Cycle(games, self._game, id="game"), "What it learns to play."),
            row(
                "Learner",
                self._agents(self._game),
                "How it learns. It starts from nothing; a learner with a name goes on.",
            ),
        ]

    def _agents(self, game: str) -> Cycle:
        learners = [
            (name, spec.title)
            for name, spec in known_agents(game, self._store).items()
            if spec.learns and not is_baseline(name)
        ]
        return Cycle(learners, self._agent, id="agent")

    def answer(self) -> tuple[str, str]:
        game, agent = self.text("game"), self.text("agent")
        if agent not in known_agents(game, self._store):
            raise ValueError(f"{GAMES[game].title} has no {agent}; choose another learner.")
        return game, agent
