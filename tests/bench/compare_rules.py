"""Compares the rules of this tree with those of another checkout, move by move.

    git worktree add ../before COMMIT
    python -m tests.bench.compare_rules ../before --matches 40

Both trees get the same decks (`deck=`), the same later deals and draws (`engine.chance` is replaced
by one common source) and the same choices. Labels, legal actions, scores, points, events, returns
and places must agree for every set of options of every game.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

GAMES = ("euchre", "smear", "truco", "fodinha", "notty")
LONGEST = 3000
"""Decisions after which a match is cut off."""
WORD = 53


def common(seed: int, tick: int) -> Random:
    return Random(f"{seed}/{tick}")


def replace_chance() -> None:
    """Give every loaded module of the engine the common source.

    Before the random source was changed, `shuffled` took a number of cards, and `coming` and
    `top_cards` were what `fractions` and the argument `top` of `shuffled` are now.
    """
    chance = sys.modules["engine.chance"]

    def shuffled(seed: int, tick: int, cards: Any, other: Any = None) -> list[int]:
        order = list(other or range(cards)) if isinstance(cards, int) else list(cards)
        common(seed, tick).shuffle(order)
        return order

    def draw(seed: int, tick: int, count: int) -> int:
        return common(seed, tick).getrandbits(WORD) * count >> WORD

    def fractions(seed: int, tick: int) -> list[int]:
        return coming(seed, 8 * tick - 7)[-8:]

    def coming(seed: int, tick: int) -> list[int]:
        shift = getattr(chance, "FRACTION", WORD)
        numbers = [common(seed, tick + place).getrandbits(WORD) for place in range(32)]
        return [number << shift >> WORD for number in reversed(numbers)]

    def top_cards(seed: int, tick: int, count: int, wanted: int) -> list[int]:
        return shuffled(seed, tick, count)[:wanted]

    for name, module in list(sys.modules.items()):
        if name.startswith("engine"):
            for function in (shuffled, draw, fractions, coming, top_cards):
                if hasattr(module, function.__name__):
                    setattr(module, function.__name__, function)


def option_sets(game: Any) -> Iterator[dict[str, Any]]:
    """Every combination of the choices, the limits and the default of each option."""
    values = {}
    for name, field in game.options.__dataclass_fields__.items():
        limits, default = field.metadata, field.default
        if limits["choices"]:
            values[name] = list(limits["choices"])
        elif isinstance(default, bool):
            values[name] = [False, True]
        else:
            low = default if limits["low"] is None else limits["low"]
            high = default if limits["high"] is None else min(limits["high"], 3 * default)
            values[name] = sorted({low, default, high})
    for chosen in product(*values.values()):
        options = dict(zip(values, chosen, strict=True))
        try:
            game.make_options(options)
        except ValueError:
            continue
        yield options


def deck_of(module: Any, options: dict[str, Any], chance: Random) -> list[str]:
    """All cards in play, in random order."""
    pack = module.PACK
    codes = list(pack.codes) * pack.copies
    if "range" in options:
        codes = [
            code for number, code in enumerate(codes) if number % pack.ranks < options["range"]
        ]
    chance.shuffle(codes)
    return codes


def event_of(event: Any, codes: tuple[str, ...]) -> list[Any]:
    cards = [codes[card] for card in event.cards]
    return [event.kind, event.seat, event.other, cards, list(event.points), event.note]


def trace(game: Any, module: Any, options: dict[str, Any], number: int) -> Iterator[str]:
    """One line for each decision of a match."""
    chance = Random(f"{game.name}/{sorted(options.items())}/{number}")
    deck = deck_of(module, options, chance)
    seats = len([seat for side in game.new(0, None, None, **options).sides for seat in side])
    state = game.new(number, deck, chance.randrange(seats), **options)
    state.record_events()
    codes = module.PACK.codes
    for _ in range(LONGEST):
        if state.turn < 0:
            break
        labels = sorted(state.label(action) for action in state.legal())
        label = chance.choice(labels)
        line: list[Any] = [state.turn, state.hand_no, labels, label]
        state.apply(state.parse(label))
        line += [state.scores(), state.hand_returns()]
        line += [event_of(event, codes) for event in state.take_events()]
        yield json.dumps(line)
    yield json.dumps([state.turn, state.scores(), state.returns(), state.places()])


def play(package: str, matches: int) -> None:
    """Print one line for each match: its name, its length and a hash of its trace."""
    from importlib import import_module

    games = import_module("engine").GAMES
    replace_chance()
    for name in GAMES:
        module = import_module(f"{package}.{name}")
        for options in option_sets(games[name]):
            for number in range(matches):
                lines = list(trace(games[name], module, options, number))
                digest = sha256("\n".join(lines).encode()).hexdigest()
                print(json.dumps([name, options, number, len(lines), digest]), flush=True)


def traces_of(tree: Path, matches: int) -> list[str]:
    package = "engine.games" if (tree / "engine" / "games").is_dir() else "engine"
    script = Path(__file__).resolve()
    command = [sys.executable, str(script), "--play", package, "--matches", str(matches)]
    run = subprocess.run(
        command, cwd=tree, env={"PYTHONPATH": str(tree)}, capture_output=True, text=True, check=True
    )
    return run.stdout.splitlines()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", nargs="?", type=Path, help="a checkout to compare with")
    parser.add_argument("--matches", type=int, default=10, help="matches for each set of options")
    parser.add_argument("--play", metavar="PACKAGE", help="only play the matches of this tree")
    arguments = parser.parse_args()
    if arguments.play:
        play(arguments.play, arguments.matches)
        return 0
    if arguments.other is None or not (arguments.other / "engine").is_dir():
        parser.error("name a checkout of this project to compare with")
    ours = traces_of(Path(__file__).resolve().parents[2], arguments.matches)
    theirs = traces_of(arguments.other.resolve(), arguments.matches)
    different = [line for line, other in zip(ours, theirs, strict=True) if line != other]
    decisions = sum([json.loads(line)[3] for line in ours])
    print(f"{len(ours)} matches, {decisions} decisions, {len(different)} different")
    for line in different[:20]:
        print(line)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
