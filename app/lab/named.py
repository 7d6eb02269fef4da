"""Named learners for the command line and the Lab: listed, renamed, copied, deleted, exported and
imported, together with their results in the history.

Functions raise ValueError with a sentence.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agents import named_learners
from agents.agent import Setup
from agents.named_learners import check_new
from agents.names import COLON, kind_of, learner_name, own_name
from agents.registry import generations
from agents.storage.files import reason_of, write_atomic
from agents.storage.store import Store, StoreError, read_about
from agents.storage.values_file import check_replaceable
from agents.training_log import TrainingLog
from app.lab.learner_store import CONTINUE
from app.records.history import History, HistoryError


@dataclass(frozen=True, slots=True)
class NamedLearner:
    """A named learner and its file.

    setup     its settings and rewards
    earlier   its generations, by their matches of training
    """

    game: str
    agent: str
    log: TrainingLog
    setup: Setup
    earlier: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        settings, rewards = self.setup
        return {
            "game": self.game,
            "agent": self.agent,
            "matches": self.log.matches,
            "seconds": round(self.log.seconds, 3),
            "generations": list(self.earlier),
            "settings": settings,
            "rewards": rewards,
            "curve": [asdict(point) for point in self.log.points],
        }


def full_name(agent: str, text: str) -> str:
    """The name of a learner of the same kind as another: `rosa` and `q:rosa` mean the same."""
    kind = kind_of(agent)
    given, colon, own = text.partition(COLON)
    if colon and given != kind:
        raise ValueError(f"{agent} stays a learner of the kind {kind}; leave out {given}:.")
    return learner_name(kind, own if colon else text)


def named_in(game: str, store: Store) -> Iterator[NamedLearner]:
    """The named learners of a game whose files can be read."""
    for agent in store.named(game):
        about = read_about(store.path(game, agent))
        if about is not None:
            earlier = generations(game, agent, store)
            yield NamedLearner(game, agent, *about, tuple(earlier))


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        raise ValueError(str(error)) from error


def copy(game: str, agent: str, new: str, store: Store) -> str:
    """Copy a learner. Returns a sentence."""
    new = full_name(agent, new)
    with _explained():
        named_learners.copy(game, agent, new, store)
    return f"{new} is a copy of {agent}."


def rename(game: str, agent: str, new: str, store: Store, history: History) -> str:
    """Rename a learner. Returns a sentence."""
    new = full_name(agent, new)
    with _explained():
        named_learners.rename(game, agent, new, store)
    with suppress(HistoryError):
        history.rename(game, agent, new)
    return f"{agent} is now called {new}."


def delete(game: str, agent: str, store: Store, history: History) -> str:
    """Delete a learner. Returns a sentence."""
    with _explained():
        named_learners.delete(game, agent, store)
    with suppress(HistoryError):
        history.forget(game, agent)
    return f"{agent} is deleted."


def export_path(game: str, agent: str, folder: Path) -> Path:
    """The usual path of the file of a learner. It has no colon, which some disks refuse."""
    return folder / f"{game}.{agent.replace(COLON, '-')}{named_learners.SUFFIX}"


def export(game: str, agent: str, path: Path, store: Store, replace: bool = False) -> str:
    """Write a learner to one file. Returns a sentence.

    replace   whether to replace a file that exists
    """
    if path.exists() and not replace:
        raise ValueError(f"{path} exists already; choose another file or replace it.")
    check_replaceable(path)
    with _explained():
        contents = named_learners.pack(game, agent, store)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, contents, private=False)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {reason_of(error)}.") from error
    return f"{agent} is in {path}, with its settings, its curve and its generations."


def import_file(path: Path, own: str, replace: bool, store: Store) -> tuple[str, str]:
    """Add the learner in a file. Returns the game and its name.

    own       its own name; empty for the one in the file
    replace   whether a learner with this name is set aside
    """
    with _explained():
        return named_learners.unpack(path, store, own_name(own) or own, replace)


def trained_as(
    game: str, agent: str, text: str, start: str, store: Store, new_meaning: bool
) -> tuple[str, str]:
    """The learner that a training is about, and what it starts from, see `app.lab.learner_store`.

    text         the name of a new learner; empty for the agent itself
    start        what a new one starts from; CONTINUE for what the agent knows
    new_meaning  whether what the agent has learned has another meaning with the changes
    """
    name = full_name(agent, text) if text else agent
    if name != agent:
        check_new(game, name, store)
        return name, agent if start == CONTINUE else start
    if start != CONTINUE:
        raise ValueError(f"Give the new learner a name, or let {agent} start from what it knows.")
    if new_meaning:
        raise ValueError(
            f"With other rewards or another γ, what {agent} has learned would lose its meaning. "
            "Give the new learner a name."
        )
    return agent, CONTINUE
