"""The mutation run changes rules, and only rules."""

from collections import Counter

import pytest

from tests.bench.mutants import GAMES, ROOT, RULES, changes_nothing, mutants_of, picked

TEXT = '''"""A game with 1 rule."""
from typing import Final

LIMIT: Final = 20
FIRST: Final = 0


def may_draw(size: int, out: bool) -> bool:
    """At most 20."""
    if out or size < 0:
        raise ValueError(f"A hand of {size + 1} cards.")
    return size + 1 <= LIMIT


class GameState:
    size: int = 3

    def draw(self, count: int) -> None:
        self.size += count
        self.left = not count
        self.next = count + FIRST
'''


def changes(text: str) -> set[str]:
    return {mutant.change for mutant in mutants_of("notty", text)}


def test_every_kind_of_change_is_made_once():
    assert changes(TEXT) == {
        "LIMIT: Final = 20 -> LIMIT: Final = 21",
        "LIMIT: Final = 20 -> LIMIT: Final = 19",
        "if out or size < 0: -> if not (out or size < 0):",
        "out or size < 0 -> out and size < 0",
        "out or size < 0 -> out or size <= 0",
        "out or size < 0 -> out or size < 1",
        "out or size < 0 -> out or size < -1",
        "return size + 1 <= LIMIT -> return size + 1 < LIMIT",
        "return size + 1 <= LIMIT -> return size - 1 <= LIMIT",
        "return size + 1 <= LIMIT -> return size + 2 <= LIMIT",
        "return size + 1 <= LIMIT -> return size + 0 <= LIMIT",
        "self.size += count -> self.size -= count",
        "self.size += count -> pass",
        "self.left = not count -> pass",
        "self.next = count + FIRST -> pass",
        "FIRST: Final = 0 -> FIRST: Final = 1",
        "FIRST: Final = 0 -> FIRST: Final = -1",
    }


def test_a_mutant_is_the_file_with_one_change():
    for mutant in mutants_of("notty", TEXT):
        changed = mutant.source(TEXT)
        compile(changed, "mutant", "exec")
        assert mutant.change.split(" -> ")[-1] in changed
        assert '"""At most 20."""' in changed


@pytest.mark.slow
def test_the_seed_picks_the_same_mutants_of_every_game():
    chosen = picked(23, 5, GAMES)
    assert [mutant.key for mutant in chosen] == [mutant.key for mutant in picked(23, 5, GAMES)]
    assert sorted(Counter(mutant.game for mutant in chosen).values()) == [4, 4, 5, 5, 5]
    assert [mutant.key for mutant in picked(23, 6, GAMES)] != [mutant.key for mutant in chosen]


def test_a_change_that_leaves_every_constant_is_recognised():
    text = (ROOT / RULES / "notty.py").read_text(encoding="utf-8")
    runs = [mutant for mutant in mutants_of("notty", text) if mutant.place == "_runs_in_rows"]
    kept = {mutant.change.split(" -> ")[1] for mutant in runs if changes_nothing(mutant)}
    assert "steps = [colour * len(_RUNS[1]) for colour in range(COLOURS)]" in kept
    assert "steps = [colour + len(_RUNS[0]) for colour in range(COLOURS)]" not in kept
    limit = [mutant for mutant in mutants_of("notty", text) if mutant.place == "HAND_LIMIT"]
    assert not any(changes_nothing(mutant) for mutant in limit)
