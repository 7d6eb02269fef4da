"""A thousand corrupted value files: no code runs, nothing crashes, good files stay intact."""

import hashlib
import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from agents.agent import Learner
from agents.match import Match
from agents.registry import create
from agents.storage.store import Store
from engine import GAMES
from tests.agents.hostile_files import HEADER, hostile_pickles
from tests.quick import quick_with

AGENTS = ("q", "mc", "linear", "logistic", "neural")
FILES_EACH = 200
SEED = 6


def learner_of(name: str) -> Learner:
    learner = create("truco", name)
    assert isinstance(learner, Learner)
    return learner


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The file of each agent after a short match."""
    store = Store(tmp_path_factory.mktemp("values"))
    for name in AGENTS:
        learner = learner_of(name)
        state = GAMES["truco"].new(seed=1, deck=None, first=None, target=4)
        Match(state, [learner, learner], 1).play_out()
        store.save(learner)
    return {name: store.path("truco", name).read_bytes() for name in AGENTS}


def sealed(pickled: bytes, whole: bytes) -> bytes:
    """Add the header of a good file, with the length and checksum of these bytes."""
    magic, version, meaning, _, _ = HEADER.unpack_from(whole)
    checksum = hashlib.sha256(pickled).digest()
    return HEADER.pack(magic, version, meaning, len(pickled), checksum) + pickled


def mutated(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change, cut out or insert bytes, or append the end of another file."""
    kind = rng.randrange(4)
    at = rng.randrange(len(data))
    if kind == 0:
        changed = bytearray(data)
        for _ in range(rng.randrange(1, 9)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        return bytes(changed)
    if kind == 1:
        return data[:at] + data[at + rng.randrange(1, 50) :]
    if kind == 2:
        return data[:at] + rng.randbytes(rng.randrange(1, 20)) + data[at:]
    return data[:at] + other[rng.randrange(len(other)) :]


def corrupted(rng: Random, whole: bytes, other: bytes, command: str) -> bytes:
    """Corrupt a file by accident or on purpose."""
    kind = rng.randrange(3)
    if kind == 0:
        return mutated(rng, whole, other)
    pickled = whole[HEADER.size :]
    if kind == 1:
        # The opcodes of everything but the arrays are at both ends.
        near = rng.choice((slice(0, 40), slice(-400, None)))
        part = mutated(rng, pickled[near], other[-40:])
        return sealed(part + pickled[40:] if near.stop else pickled[:-400] + part, whole)
    hostile = rng.choice(list(hostile_pickles(command).values()))[:4000]
    return sealed(rng.choice((hostile, mutated(rng, hostile or b".", pickled[-40:]))), whole)


@pytest.mark.parametrize("name", quick_with(AGENTS, *sorted(set(AGENTS) - {"neural"})))
def test_corrupted_files_are_refused_or_loaded_safely(
    files: dict[str, bytes], name: str, tmp_path: Path
) -> None:
    rng = Random(f"{SEED} {name}")
    store = Store(tmp_path / "qtables")
    store.folder.mkdir()
    path, witness = store.path("truco", name), tmp_path / "witness"
    good = store.path("euchre", name)
    good.write_bytes(files[name])
    outcomes: Counter[str] = Counter()
    for _ in range(FILES_EACH):
        contents = corrupted(rng, files[name], files[rng.choice(AGENTS)], f"touch {witness}")
        path.write_bytes(contents)
        loaded = store.load(learner_of(name))
        outcomes["loaded" if loaded else "refused"] += 1
        if loaded:
            assert path.read_bytes() == contents
            assert store.notices == []
        else:
            (notice,) = store.notices
            assert f"truco.{name}.pkl was not loaded because" in notice
            (aside,) = store.folder.glob(f"{path.name}.*-*")
            assert aside.read_bytes() == contents
            os.unlink(aside)
        store.notices.clear()
    assert not witness.exists()
    assert good.read_bytes() == files[name]
    assert outcomes.total() == FILES_EACH
    assert outcomes["refused"] > FILES_EACH // 2
