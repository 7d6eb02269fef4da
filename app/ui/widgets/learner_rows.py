"""Rows of forms about the name of a learner and what it starts from."""

from typing import Final

from textual.widget import Widget

from agents.named_learners import NOTHING, SHIPPED
from agents.names import kind_of
from agents.registry import AgentSpec
from agents.storage.store import Store, shipped
from app.lab.learner_store import CONTINUE
from app.ui.widgets.cycle import Cycle, Values
from app.ui.widgets.form import Field, row

NAME_HELP: Final = "1 to 20 of a-z, 0-9, - and _, beginning with a letter."


def start_rows(game: str, spec: AgentSpec, store: Store) -> list[Widget]:
    """Rows of the training form: the name of a new learner, and what it starts from."""
    kind = kind_of(spec.name)
    others = [name for name in (kind, *store.named(game)) if kind_of(name) == kind]
    starts: Values = [
        (CONTINUE, f"what {spec.title} knows"),
        (NOTHING, "nothing"),
        *([(SHIPPED, "the shipped values")] if shipped(game, kind).is_file() else []),
        *[(name, f"what {name} knows") for name in others if name != spec.name],
    ]
    return [
        row(
            "New name",
            Field(placeholder=f"none: train {spec.title} itself", compact=True, id="name"),
            f"Trains a new learner under its own name. {NAME_HELP}",
        ),
        row(
            "It starts from",
            Cycle(starts, CONTINUE, id="start-from"),
            "What a new learner knows before its first match.",
        ),
    ]
