"""Programs as players: they decide, and those that do not are told apart in a sentence."""

import shlex
import sys
from pathlib import Path
from random import Random

import pytest

from agents.evaluation.arena import arena
from agents.evaluation.evaluation import evaluate
from agents.protocols.program import MOST_RESTARTS, ProgramError, ProgramPlayer
from agents.registry import make
from engine import GAMES

BOT = Path(__file__).parents[2] / "docs" / "bot.py"
FIRST_LEGAL = """
import json, sys
for line in sys.stdin:
    print(json.loads(line)["legal"][0], flush=True)
"""


def program(tmp_path: Path, source: str) -> str:
    file = tmp_path / "player.py"
    file.write_text(source)
    return shlex.join([sys.executable, str(file)])


def decide(player: ProgramPlayer) -> str:
    state = GAMES["truco"].new(seed=3)
    view = state.view(state.turn)
    return view.label(player.act(view, state.legal(), Random(0)).action)


def test_a_program_decides(tmp_path: Path) -> None:
    player = ProgramPlayer("truco", program(tmp_path, FIRST_LEGAL))
    state = GAMES["truco"].new(seed=3)
    assert decide(player) == state.label(state.legal()[0])
    player.close()


@pytest.mark.parametrize("game", GAMES)
def test_the_bot_of_the_docs_is_an_agent_like_others(game: str) -> None:
    sides = len(GAMES[game].new(0, None, None).sides)
    bot = f"cmd:{shlex.join([sys.executable, str(BOT)])}"
    report = evaluate(game, [bot, *["random"] * (sides - 1)], 2, 1, {}, 1, None)
    assert report["agents"][0]["agent"] == bot
    assert report["games"] == 2


def test_a_program_that_ends_is_started_again(tmp_path: Path) -> None:
    once = FIRST_LEGAL + "    break\n"
    player = ProgramPlayer("truco", program(tmp_path, once))
    assert [decide(player) for _ in range(MOST_RESTARTS + 1)]
    with pytest.raises(ProgramError, match="ended without an answer"):
        decide(player)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("", "ended without an answer"),
        ("print('fold', flush=True); input()", "is not possible now"),
        ("while True: print('x' * 100_000, end='')", "without ever ending a line"),
    ],
)
def test_what_is_wrong_with_a_program_is_said(tmp_path: Path, source: str, said: str) -> None:
    player = ProgramPlayer("truco", program(tmp_path, source))
    with pytest.raises(ProgramError, match=said):
        decide(player)


def test_a_program_that_thinks_for_too_long(tmp_path: Path) -> None:
    player = ProgramPlayer("truco", program(tmp_path, "input(); input()"), time_limit=0.0)
    with pytest.raises(ProgramError, match="took longer than 0 s"):
        decide(player)


def test_a_program_that_answers_without_ever_listening(tmp_path: Path) -> None:
    """Sooner or later nothing more can be said to it, and that is no reason to wait for ever."""
    deaf = """
import signal
print("play 1\\n" * 10_000, flush=True)
signal.pause()
""".replace("play 1", decide(ProgramPlayer("truco", program(tmp_path, FIRST_LEGAL))))
    player = ProgramPlayer("truco", program(tmp_path, deaf), time_limit=5.0)

    def talk_on() -> None:
        for _ in range(10_000):
            decide(player)

    with pytest.raises(ProgramError, match="took longer than 5 s"):
        talk_on()


def test_programs_meet_others_in_an_arena() -> None:
    bot = f"cmd:{shlex.join([sys.executable, str(BOT)])}"
    pairings, ladder = arena("truco", [bot, "random"], 2, 1, {"target": 2})
    assert [pairing.first for pairing in pairings] == [bot]
    assert {rated.agent for rated in ladder} == {bot, "random"}


@pytest.mark.parametrize(
    ("command", "said"),
    [("cmd:", "Name a program"), ("cmd:'", "is no command"), ("cmd:/no/such", "cannot be started")],
)
def test_programs_that_cannot_be(command: str, said: str) -> None:
    state = GAMES["truco"].new(seed=3)

    def ask_it() -> None:
        make("truco", command).act(state.view(state.turn), state.legal(), Random(0))

    with pytest.raises(ProgramError, match=said):
        ask_it()
