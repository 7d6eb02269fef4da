"""Named learners: how they begin, and how they are renamed, copied, deleted and sent to others.

Each has its own file and generations in a store, and its own settings and rewards. Functions here
raise ValueError or StoreError with a sentence.
"""

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from agents.agent import Learner
from agents.names import COLON, AgentName, generation_name, kind_of, learner_name, own_name
from agents.registry import check_name, create, generations, make, spec_of, unknown_learner
from agents.storage.files import reason_of
from agents.storage.store import Store, StoreError, load_shipped, restore_contents, values_of
from agents.storage.values_file import (
    MAX_SIZE,
    Refused,
    check_fingerprint,
    decode,
    encode,
    read_contents,
)
from engine.manifest import GAME_ROWS

NOTHING: Final = "nothing"
SHIPPED: Final = "shipped"
"""What a new learner may start from, besides the name of another learner."""

MOST_NAMED: Final = 200
"""Named learners of a game."""

SUFFIX: Final = ".kibitz"
"""Of files that hold a whole learner."""

_FORMAT: Final = "a whole learner of Kibitz, format 1"
"""The fingerprint of such files."""

_MOST_GENERATIONS: Final = 16


def check_free(game: str, name: str, store: Store) -> None:
    """Raise ValueError if a learner cannot get this name."""
    spec_of(game, name)
    if store.exists(game, name):
        raise ValueError(f"There is already a learner {name} for {game}; choose another name.")


def check_new(game: str, name: str, store: Store) -> None:
    """Raise ValueError if there cannot be a new learner with this name."""
    check_free(game, name, store)
    if len(store.named(game)) >= MOST_NAMED:
        raise ValueError(
            f"{game} has {MOST_NAMED} named learners, the most possible; delete one first."
        )


def begin(
    game: str,
    name: str,
    start: str,
    store: Store,
    settings: Mapping[str, float] | None = None,
    rewards: Mapping[str, float] | None = None,
) -> Learner:
    """A learner that has not been saved.

    start      NOTHING, SHIPPED or the name of a learner whose knowledge it gets. A named learner
               also gets its settings and rewards
    settings, rewards
               changes to them
    """
    learner = _learner(game, name)
    if start != NOTHING:
        source = _shipped(game, name) if start == SHIPPED else _made(game, start, store)
        _take_over(learner, source)
        learner.source = SHIPPED if start == SHIPPED else start
    learner.adjust(settings or {}, rewards or {})
    learner.learning = True
    return learner


def _learner(game: str, name: str) -> Learner:
    agent = create(game, name)
    if not isinstance(agent, Learner):
        raise ValueError(f"{name} does not learn; choose an agent that does, such as q.")
    return agent


def _shipped(game: str, name: str) -> Learner:
    learner = _learner(game, kind_of(name))
    if not load_shipped(learner):
        raise ValueError(
            f"{learner.name} comes without learned values for {game}; start --from nothing."
        )
    return learner


def _made(game: str, name: str, store: Store) -> Learner:
    check_name(game, name, store)
    agent = make(game, name, store)
    if not isinstance(agent, Learner):
        raise ValueError(f"{name} does not learn, so it has no knowledge to start from.")
    return agent


def _take_over(learner: Learner, source: Learner) -> None:
    """Give a learner the knowledge of another one, which must see the game in the same way."""
    usual = learner.setup()
    try:
        learner.adjust(*source.setup())
        same = learner.fingerprint() == source.fingerprint()
    except ValueError:
        same = False
    if not same:
        raise ValueError(
            f"{learner.name} cannot use what {source.name} has learned, because they see the game "
            f"differently; start from another {kind_of(learner.name)}."
        )
    learner.restore(source.dump())
    learner.log = learner.saved_log = source.log
    if not own_name(learner.name):
        learner.adjust(*usual)


def copy(game: str, source: str, target: str, store: Store) -> None:
    """Copy a learner with its curve and generations to a new name."""
    check_new(game, target, store)
    learner = begin(game, target, source, store)
    for matches in _kept_generations(game, source, store):
        earlier = begin(game, target, generation_name(source, matches), store)
        contents = _contents(earlier)
        store.write_generation(game, target, matches, contents)
    store.replace(learner)


def _kept_generations(game: str, name: str, store: Store) -> list[int]:
    """The generations of a learner that are more than nothing; none of a generation itself."""
    if AgentName.parse(name).frozen:
        return []
    return [matches for matches in generations(game, name, store) if matches][-_MOST_GENERATIONS:]


def _contents(learner: Learner) -> bytes:
    return encode(values_of(learner), learner.fingerprint())


def rename(game: str, name: str, new: str, store: Store) -> None:
    """Rename a named learner, its generations and earlier versions."""
    _check_exists(game, name, store)
    if kind_of(name) != kind_of(new):
        raise ValueError(
            f"{name} stays a learner of the kind {kind_of(name)}; "
            f"choose a name such as {kind_of(name)}{COLON}{own_name(new)}."
        )
    check_free(game, new, store)
    here, there = store.path(game, name), store.path(game, new)
    with ExitStack() as locks:
        for path in sorted([here, there]):
            locks.enter_context(store.locked(path))
        check_free(game, new, store)
        # The file itself goes last: until then the learner exists under its old name.
        for path in _files(game, name, store):
            try:
                os.rename(path, there.with_name(path.name.replace(here.stem, there.stem, 1)))
            except OSError as error:
                raise StoreError(f"{path} cannot be renamed: {reason_of(error)}.") from error


def delete(game: str, name: str, store: Store) -> None:
    """Delete a named learner, its generations and earlier versions."""
    _check_exists(game, name, store)
    with store.locked(store.path(game, name)):
        for path in _files(game, name, store):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise StoreError(f"{path} cannot be deleted: {reason_of(error)}.") from error


def _check_exists(game: str, name: str, store: Store) -> None:
    spec_of(game, name)
    parsed = AgentName.parse(name)
    if not parsed.own or parsed.frozen:
        raise ValueError(f"{name} is no named learner; only those can be renamed or deleted.")
    if not store.exists(game, name):
        raise unknown_learner(game, name, store)


def _files(game: str, name: str, store: Store) -> list[Path]:
    """All files of a learner, its own file last."""
    path = store.path(game, name)
    earlier = [
        store.path(game, generation_name(name, each)) for each in store.generations(game, name)
    ]
    found = [*earlier, *store.versions(path), path]
    return [each for each in found if os.path.lexists(each)]


# As one file


def pack(game: str, name: str, store: Store) -> bytes:
    """A learner with its settings, rewards, curve and generations as the contents of one file."""
    learner = _made(game, name, store)
    parsed = AgentName.parse(name)
    data: dict[str, object] = {
        "game": game,
        "kind": parsed.kind,
        "name": parsed.own,
        "values": _contents(learner),
        "generations": {
            str(matches): _contents(_made(game, generation_name(name, matches), store))
            for matches in _kept_generations(game, name, store)
        },
    }
    contents = encode(data, _FORMAT)
    if len(contents) > MAX_SIZE:
        raise ValueError(f"{name} does not fit into a file of {MAX_SIZE >> 20} MB.")
    return contents


def unpack(path: Path, store: Store, own: str = "", replace: bool = False) -> tuple[str, str]:
    """Add the learner in a file to a store. Returns the game and its name there.

    own       its own name; by default the one in the file
    replace   whether an existing learner with this name is set aside

    Nothing is written before the whole file has been checked.
    """
    try:
        data = _opened(read_contents(path))
        game, kind, learner, earlier = _checked(data)
    except FileNotFoundError as error:
        raise ValueError(f"There is no file {path}.") from error
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason_of(error)}.") from error
    except Refused as refusal:
        raise ValueError(f"{path} was not imported because {refusal}.") from refusal
    own = own or str(data["name"])
    if not own:
        raise ValueError(f"{path} holds a learner without a name; give it one.")
    name = learner_name(kind, own)
    if replace:
        store.set_aside(game, name)
    check_new(game, name, store)
    for matches, each in earlier.items():
        store.write_generation(game, name, matches, _contents(each))
    learner.name = name
    store.replace(learner)
    return game, name


def _opened(contents: bytes) -> dict[str, object]:
    data = decode(contents, None)
    try:
        check_fingerprint(contents, _FORMAT)
    except Refused as refusal:
        raise Refused("it does not hold a whole learner") from refusal
    return data


def _checked(data: dict[str, object]) -> tuple[str, str, Learner, dict[int, Learner]]:
    """The game, the kind, the learner and its generations. Raises Refused."""
    game, kind, name = data.get("game"), data.get("kind"), data.get("name")
    values, earlier = data.get("values"), data.get("generations")
    if not (isinstance(game, str) and isinstance(kind, str) and isinstance(name, str)):
        raise Refused("it names no learner")
    if game not in GAME_ROWS or COLON in kind:
        raise Refused("it holds a learner of another program")
    try:
        if name:
            learner_name(kind, name)
        _learner(game, kind)
    except ValueError as error:
        raise Refused("it holds a learner of another program") from error
    if not isinstance(earlier, dict) or len(earlier) > _MOST_GENERATIONS:
        raise Refused("its generations are wrong")
    learners = {}
    for number, contents in earlier.items():
        if not isinstance(number, str) or not number.isdecimal() or str(int(number)) != number:
            raise Refused("its generations are wrong")
        learners[int(number)] = _unpacked(game, kind, contents)
    return game, kind, _unpacked(game, kind, values), learners


def _unpacked(game: str, kind: str, contents: object) -> Learner:
    if not isinstance(contents, bytes):
        raise Refused("its values are missing")
    learner = _learner(game, kind)
    restore_contents(contents, learner, own_setup=True)
    return learner
