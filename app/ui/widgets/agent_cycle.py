"""A row of a form that chooses an agent, and one of its generations if it learns."""

from contextlib import suppress

from textual.binding import Binding
from textual.content import Content

from agents.names import generation_name
from agents.registry import generations, spec_of
from agents.storage.store import Store
from app.ui.widgets.cycle import Cycle, Values


class AgentCycle(Cycle):
    """G goes through the generations of a learner: as it is now, then those it was before."""

    BINDINGS = [Binding("g", "generation", "Generation", id="cycle.generation")]

    def __init__(
        self, game: str, store: Store, values: Values, value: str, id: str | None = None
    ) -> None:
        """values: names of agents, and other values, with their texts."""
        super().__init__(values, value, id)
        self._game = game
        self._store = store
        self._generation: int | None = None

    @property
    def value(self) -> str:
        agent = super().value
        return agent if self._generation is None else generation_name(agent, self._generation)

    def render(self) -> Content:
        if self._generation is None:
            return super().render()
        spec = spec_of(self._game, self.value)
        return Content(f"‹ {spec.title if spec else self.value} ›")

    def action_turn(self, step: int) -> None:
        self._generation = None
        super().action_turn(step)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "generation":
            with suppress(ValueError):  # Some values are no agents.
                spec = spec_of(self._game, super().value)
                return spec is not None and spec.learns
            return False
        return True

    def action_generation(self) -> None:
        known = [None, *generations(self._game, super().value, self._store)]
        at = known.index(self._generation) if self._generation in known else 0
        self._generation = known[(at + 1) % len(known)]
        self.refresh(layout=True)
        self.post_message(self.Changed(self))
