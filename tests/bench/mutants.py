"""Changes the rules in small ways and counts how many of the changes the rule tests notice.

    python -m tests.bench.mutants --count 120 --seed 17

A mutant is a copy of the engine with one change in the rules of one game: a comparison flipped,
an integer one higher or lower, `and` for `or`, a condition negated, a statement left out, plus for
minus. The tests of that game run first, then the tests for any game. A mutant that passes both has
survived: a rule that nothing tests. Exit status 1 if fewer than 97 % are noticed.
"""

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from queue import SimpleQueue
from random import Random
from resource import RLIM_INFINITY, RLIMIT_CPU, setrlimit
from shutil import copytree, ignore_patterns
from types import FunctionType, ModuleType
from typing import Any

ROOT = Path(__file__).parents[2]
RULES = Path("engine") / "games"
GAMES = ("euchre", "smear", "truco", "fodinha", "notty")
COPIED = ("engine", "agents", "tests", "docs")
ANY_GAME = ("test_any_game.py", "test_any_hand.py", "test_any_options.py", "test_view_fields.py")
LEAST = 97.0
SLOWER = 6
"""A run that computes this many times as long as without a change never ends: noticed."""

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
NOT_RULES = {"_why_not", "_refusal", "also_shown", "__repr__"}
"""Functions of messages and of declarations for protocols."""

EQUIVALENT: dict[str, str] = {
    "notty.NottyState.apply: self.spent >= EXCHANGING -> self.spent > EXCHANGING": (
        "EXCHANGING never stands alone: an exchange also sets EXCHANGED"
    ),
    "euchre.EuchreView.sample: self.hidden is None or self.known is None"
    " -> self.hidden is None or self.known is not None": (
        "both are found together; to find them again only takes longer"
    ),
    "euchre.EuchreView.sample: self.hidden is None or self.known is None"
    " -> self.hidden is None and self.known is None": "both are found together",
    "fodinha.FodinhaView.played: return tuple([play for play in self.history if play[1] < CARDS])"
    " -> return tuple([play for play in self.history if play[1] <= CARDS])": (
        "a history has the card itself in place of PLAY_HIDDEN, whose number is CARDS"
    ),
}
"""Mutants that no test can notice, with the reason. The key is `Mutant.key`."""


@dataclass(frozen=True)
class Mutant:
    """One change.

    game     the game whose rules it changes
    place    the function or module-level name around it
    change   the expression or statement before and after
    path     the way to the changed node in the file's tree
    new      the node put there
    """

    game: str
    line: int
    place: str
    change: str
    path: tuple["Step", ...]
    new: ast.AST

    @property
    def key(self) -> str:
        return f"{self.game}.{self.place}: {self.change}"

    def source(self, text: str) -> str:
        """The changed file."""
        tree = ast.parse(text)
        _put(tree, self.path, self.new)
        return ast.unparse(ast.fix_missing_locations(tree))

    def __str__(self) -> str:
        file = RULES / f"{self.game}.py"
        return f"{file}:{self.line} in {self.place}: {self.change}"


def mutants_of(game: str, text: str) -> list[Mutant]:
    """Every mutant of a file."""
    tree = ast.parse(text)
    zeros = _zeros(tree)
    found = [
        Mutant(game, *_line_and_change(tree, path, new, place), tuple(path), new)
        for place, path in list(_sites(tree))
        if not _adds_zero(_at(tree, path), zeros)
        for new in _replacements(_at(tree, path))
    ]
    return [mutant for mutant in found if mutant.key not in EQUIVALENT]


Step = tuple[str, int | None]
"""A field of a node, and the place in it if it is a list."""


def _sites(tree: ast.Module) -> Iterator[tuple[str, list[Step]]]:
    """The nodes that rules are made of, each with the name around it.

    The defaults of a state's fields are left out: they hold only until the first deal.
    """

    def visit(node: ast.AST, path: list[Step], place: str) -> Iterator[tuple[str, list[Step]]]:
        if _is_skipped(node):
            return
        if isinstance(node, ast.AnnAssign) and place.endswith("State"):
            return
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            place = f"{place}.{node.name}" if place else node.name
        elif not place and isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            place = ast.unparse(target)
        yield place, path
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
                continue
            if isinstance(value, list):
                for at, each in enumerate(value):
                    if isinstance(each, ast.AST):
                        yield from visit(each, [*path, (name, at)], place)
            elif isinstance(value, ast.AST):
                yield from visit(value, [*path, (name, None)], place)

    yield from visit(tree, [], "")


def _is_skipped(node: ast.AST) -> bool:
    """Imports, docstrings, messages, type checks, seeds and the kinds of view fields."""
    if isinstance(node, ast.FunctionDef):
        return node.name in NOT_RULES
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        return called in ("field", "isinstance", "rng.getrandbits") or called.endswith("Error")
    return isinstance(
        node, ast.Import | ast.ImportFrom | ast.JoinedStr | ast.arguments | ast.Assert | ast.Raise
    )


def _line_and_change(
    tree: ast.Module, path: list[Step], new: ast.AST, place: str
) -> tuple[int, str, str]:
    """The line of a change, the name around it, and the change in words."""
    shown_path = _shown(tree, path)
    shown = _at(tree, shown_path)
    old = _at(tree, path)
    before = _first_line(shown)
    _put(tree, path, new)
    after = _first_line(_at(tree, shown_path))
    _put(tree, path, old)
    return getattr(shown, "lineno", 0), place, f"{before} -> {after}"


def _first_line(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node)).split("\n")[0]


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            changed = deepcopy(node)
            changed.ops[at] = FLIPPED[type(operator)]()
            yield changed
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield ast.BoolOp(other, node.values)
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in SWAPPED:
        changed = deepcopy(node)
        changed.op = SWAPPED[type(node.op)]()
        yield changed
    elif _is_condition(node):
        changed = deepcopy(node)
        changed.test = ast.UnaryOp(ast.Not(), node.test)
        yield changed
    if isinstance(node, ast.AugAssign) or _is_call(node) or _is_attribute_set(node):
        yield ast.Pass()


def _zeros(tree: ast.Module) -> set[str]:
    """The constants of a file that are 0."""
    return {
        ast.unparse(each.target)
        for each in tree.body
        if isinstance(each, ast.AnnAssign)
        and isinstance(each.value, ast.Constant)
        and each.value.value == 0
    }


def _adds_zero(node: ast.AST, zeros: set[str]) -> bool:
    """Whether a constant of 0 is added, which could as well be subtracted."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return False
    return isinstance(node.right, ast.Name) and node.right.id in zeros


def _is_condition(node: ast.AST) -> bool:
    """Conditions other than comparisons, which are flipped."""
    if not isinstance(node, ast.If | ast.IfExp | ast.While):
        return False
    return not isinstance(node.test, ast.Compare)


def _is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _is_attribute_set(node: ast.AST) -> bool:
    """Assigns to attributes or elements only. Without a local name most tests crash."""
    if not isinstance(node, ast.Assign):
        return False
    return all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)


def _shown(tree: ast.Module, path: list[Step]) -> list[Step]:
    """The path of the node to print: a bare number says little without what is around it."""
    if isinstance(_at(tree, path), ast.Constant | ast.Compare | ast.BoolOp | ast.BinOp):
        while path and not isinstance(_at(tree, path[:-1]), ast.stmt):
            path = path[:-1]
        whole = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return
        if path and isinstance(_at(tree, path[:-1]), whole):
            path = path[:-1]
    return path


def _at(tree: ast.AST, path: Sequence[Step]) -> ast.AST:
    node = tree
    for name, at in path:
        value = getattr(node, name)
        node = value if at is None else value[at]
    return node


def _put(tree: ast.AST, path: Sequence[Step], new: ast.AST) -> None:
    parent = _at(tree, path[:-1])
    name, at = path[-1]
    if at is None:
        setattr(parent, name, new)
    else:
        getattr(parent, name)[at] = new


def changes_nothing(mutant: Mutant) -> bool:
    """Whether a change in code that runs only when the rules are imported leaves all their
    constants as they were, or only adds entries to a lookup that nothing else reads."""
    name = mutant.place.split(".")[0]
    text = (ROOT / RULES / f"{mutant.game}.py").read_text(encoding="utf-8")
    if not _runs_on_import(ast.parse(text), name):
        return False
    before, after = _constants(text), _constants(mutant.source(text))
    different = [each for each in before if before[each] != after.get(each)]
    return all(
        _extends(before[each], after.get(each)) and _is_only_indexed(mutant.game, each)
        for each in different
    )


def _runs_on_import(tree: ast.Module, name: str) -> bool:
    """Whether a name is a constant, or a function that no other function and no class uses."""
    for each in tree.body:
        if isinstance(each, ast.ClassDef) and each.name == name:
            return False
        if isinstance(each, ast.FunctionDef | ast.ClassDef) and each.name != name:
            used = [node.id for node in ast.walk(each) if isinstance(node, ast.Name)]
            if name in used and name.lower() == name:
                return False
    return name.startswith("_") or name.isupper()


def _constants(text: str) -> dict[str, object]:
    """The constants of a file of rules. Its module is registered while it runs, since
    dataclasses look for it."""
    module = ModuleType("mutated_rules")
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, module.__name__, "exec"), module.__dict__)
    finally:
        del sys.modules[module.__name__]
    code = (ModuleType, FunctionType, type)
    named = {name: value for name, value in vars(module).items() if not isinstance(value, code)}
    return {name: _plain(value) for name, value in named.items() if not name.startswith("__")}


def _plain(value: Any) -> object:
    """A constant as lists, dicts, numbers and strings, which can be compared."""
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if type(value).__module__ == "mutated_rules":
        names = getattr(value, "__slots__", ()) or vars(value)
        return {name: _plain(getattr(value, name)) for name in names}
    return value if isinstance(value, int | str | float | frozenset) else repr(type(value))


def _extends(old: object, new: object) -> bool:
    """Whether a lookup has its old rows and perhaps others after them."""
    rows = isinstance(old, list) and isinstance(new, list)
    if rows and all(isinstance(row, list | dict) for row in old):
        return len(new) >= len(old) and all(map(_extends, old, new))
    if isinstance(old, dict) and isinstance(new, dict):
        return all(key in new and _extends(value, new[key]) for key, value in old.items())
    return old == new


def _is_only_indexed(game: str, name: str) -> bool:
    """Whether every use of a constant, here and in other packages, picks one of its entries."""
    texts = [file.read_text(encoding="utf-8") for file in _users_of(game)]
    for tree in [ast.parse(text) for text in texts if name in text]:
        indexed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
        for node in ast.walk(tree):
            named = isinstance(node, ast.Name) and node.id == name
            named = named or (isinstance(node, ast.Attribute) and node.attr == name)
            if named and isinstance(node.ctx, ast.Load) and id(node) not in indexed:
                return False
    return True


def _users_of(game: str) -> list[Path]:
    """The file of a game's rules and the files that may import from it."""
    files = [file for package in ("agents", "app") for file in (ROOT / package).rglob("*.py")]
    using = [file for file in files if "engine.games" in file.read_text(encoding="utf-8")]
    return [ROOT / RULES / f"{game}.py", *using]


def picked(count: int, seed: int, games: Sequence[str]) -> list[Mutant]:
    """As many mutants of each game, chosen by the seed."""
    rng = Random(seed)
    chosen: list[Mutant] = []
    for at, game in enumerate(games):
        share = count // len(games) + (at < count % len(games))
        every = mutants_of(game, (ROOT / RULES / f"{game}.py").read_text(encoding="utf-8"))
        chosen += rng.sample(every, min(share, len(every)))
    return chosen


class Tree:
    """A copy of the tree in which one mutant at a time is tested."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written = 0
        left_out = ignore_patterns("__pycache__", "*.svg", "*.gz")
        for name in COPIED:
            copytree(ROOT / name, folder / name, ignore=left_out)
        (folder / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())

    def fails(self, mutant: Mutant, limits: tuple[int, int]) -> bool:
        """Whether a test fails, or computes longer than its limit."""
        file = self.folder / RULES / f"{mutant.game}.py"
        original = file.read_text(encoding="utf-8")
        try:
            self._write(file, mutant.source(original))
            return any(
                not self.passes(mutant.game, which, limit) for which, limit in enumerate(limits)
            )
        finally:
            self._write(file, original)

    def _write(self, file: Path, source: str) -> None:
        """Python recompiles a file by its time in seconds, so every version gets its own."""
        file.write_text(source, encoding="utf-8")
        self._written += 10
        when = file.stat().st_mtime + self._written
        os.utime(file, (when, when))

    def passes(self, game: str, which: int, limit: int = RLIM_INFINITY) -> bool:
        """Run the tests of the game (0) or those for any game (1).

        limit   seconds of processor time, so that a busy machine makes no difference
        """
        tests = self.folder / "tests" / "engine"
        if which == 0:
            chosen = [str(file) for file in sorted(tests.glob(f"test_{game}*.py"))]
        else:
            chosen = [*[str(tests / name) for name in ANY_GAME], "-k", game]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider"]
        ended = subprocess.run(
            [*command, *chosen],
            cwd=self.folder,
            capture_output=True,
            preexec_fn=lambda: setrlimit(RLIMIT_CPU, (limit, limit)),
        )
        return ended.returncode == 0


def time_limits(tree: Tree, game: str) -> tuple[int, int]:
    """Seconds for the tests of a game and for those of any game."""
    limits = []
    for which in (0, 1):
        start = os.times().children_user
        if not tree.passes(game, which):
            sys.exit(f"The tests of {game} fail without any change; fix them first.")
        limits.append(ceil(SLOWER * (os.times().children_user - start)))
    return limits[0], limits[1]


def survivors(chosen: Sequence[Mutant], workers: int) -> list[Mutant]:
    """The mutants that no test noticed, in the order given."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees: SimpleQueue[Tree] = SimpleQueue()
        for number in range(workers):
            trees.put(Tree(Path(folder) / str(number)))
        tree = trees.get()
        limits = {game: time_limits(tree, game) for game in {each.game for each in chosen}}
        trees.put(tree)

        def survives(mutant: Mutant) -> bool:
            tree = trees.get()
            try:
                alive = not tree.fails(mutant, limits[mutant.game])
            finally:
                trees.put(tree)
            if alive and not changes_nothing(mutant):
                print(f"survived: {mutant}", flush=True)
                return True
            return False

        with ThreadPoolExecutor(workers) as pool:
            outcomes = list(pool.map(survives, chosen))
    return [mutant for mutant, alive in zip(chosen, outcomes, strict=True) if alive]


def main() -> None:
    parser = argparse.ArgumentParser(description="Test the tests of the rules by mutants.")
    parser.add_argument("--count", type=int, default=120, help="mutants in all")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--game", choices=GAMES, help="only this game")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    chosen = parser.parse_args()
    games = (chosen.game,) if chosen.game else GAMES
    mutants = picked(chosen.count, chosen.seed, games)
    if chosen.list:
        print("\n".join(map(str, mutants)))
        return
    alive = survivors(mutants, chosen.workers)
    noticed = 100 * (len(mutants) - len(alive)) / len(mutants)
    print(f"{len(mutants)} mutants, {len(alive)} survived, {noticed:.1f} % noticed")
    if noticed < LEAST:
        sys.exit(1)


if __name__ == "__main__":
    main()
