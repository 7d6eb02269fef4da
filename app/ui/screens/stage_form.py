"""Chooses the game and the agent of a new learner on the stage."""

from collections.abc import Sequence

from textual.widget import Widget

from agents.registry import agents_for, is_baseline
from app.ui.screens.lab_forms import LabForm
from app.ui.widgets.cycle import Cycle
from app.ui.widgets.form import row
from engine import GAMES


class StageForm(LabForm[tuple[str, str]]):
    """Returns the names of the game and of the agent."""

    def __init__(self, game: str, agent: str) -> None:
        super().__init__("Watch another one learn", "Start")
        self._game = game
        self._agent = agent

    def rows(self) -> Sequence[Widget]:
        games = [(game.name, game.title) for game in GAMES.values()]
        return [
            row("Game", Cycle(games, self._game, id="game"), "What it learns to play."),
            row("Learner", self._agents(self._game), "How it learns. It starts from nothing."),
        ]

    def _agents(self, game: str) -> Cycle:
        learners = [
            (name, spec.title)
            for name, spec in agents_for(game).items()
            if spec.learns and not is_baseline(name)
        ]
        return Cycle(learners, self._agent, id="agent")

    def answer(self) -> tuple[str, str]:
        game, agent = self.text("game"), self.text("agent")
        if agent not in agents_for(game):
            raise ValueError(f"{GAMES[game].title} has no {agent}; choose another learner.")
        return game, agent
