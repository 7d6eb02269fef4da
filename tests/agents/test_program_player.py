"""Programs as players: they decide, and each way of failing has its own message."""

import json
import os
import shlex
import sys
from pathlib import Path
from random import Random
from signal import SIGKILL
from time import monotonic

import pytest

from agents.evaluation.arena import arena
from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import Conditions
from agents.match import Match
from agents.protocols.program import MOST_RESTARTS, ProgramError, ProgramPlayer
from agents.random_player import RandomPlayer
from agents.registry import make
from engine import GAMES
from engine.game import OVER

BOT = Path(__file__).parents[2] / "docs" / "bot.py"
FIRST_LEGAL = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] != "decide":
        continue
    print(question["legal"][0], flush=True)
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
def test_the_documented_bot_plays_every_game(game: str) -> None:
    sides = len(GAMES[game].new(0, None, None).sides)
    bot = f"cmd:{shlex.join([sys.executable, str(BOT)])}"
    report = evaluate(game, [bot, *["random"] * (sides - 1)], 2, Conditions(seed=1, programs=True))
    assert report["agents"][0]["agent"] == bot
    assert report["games"] == 2


def test_a_program_that_exits_is_restarted(tmp_path: Path) -> None:
    once = FIRST_LEGAL + "    break\n"
    player = ProgramPlayer("truco", program(tmp_path, once))
    assert [decide(player) for _ in range(MOST_RESTARTS + 1)]
    with pytest.raises(ProgramError, match="ended without an answer"):
        decide(player)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "ended without an answer"),
        ("print('fold', flush=True); input()", "is not possible now"),
        ("while True: print('x' * 100_000, end='')", "without ever ending a line"),
    ],
)
def test_a_failing_program_is_explained(tmp_path: Path, source: str, message: str) -> None:
    player = ProgramPlayer("truco", program(tmp_path, source))
    with pytest.raises(ProgramError, match=message):
        decide(player)


def test_a_slow_program_is_stopped(tmp_path: Path) -> None:
    player = ProgramPlayer("truco", program(tmp_path, "input(); input()"), time_limit=0.0)
    with pytest.raises(ProgramError, match="took longer than 0 s"):
        decide(player)


def test_a_program_that_never_reads_is_stopped(tmp_path: Path) -> None:
    """Its input pipe fills up. Writing to it must not block forever."""
    deaf = """
import signal
print("play 1\\n" * 10_000, flush=True)
signal.pause()
""".replace("play 1", decide(ProgramPlayer("truco", program(tmp_path, FIRST_LEGAL))))
    player = ProgramPlayer("truco", program(tmp_path, deaf), time_limit=2.0)

    def ask_on() -> None:
        for _ in range(10_000):
            decide(player)

    with pytest.raises(ProgramError, match="took longer than 2 s"):
        ask_on()


def test_programs_play_in_the_arena() -> None:
    bot = f"cmd:{shlex.join([sys.executable, str(BOT)])}"
    pairings, ladder = arena(
        "truco", [bot, "random"], 2, Conditions(1, {"target": 2}, programs=True)
    )
    assert [pairing.first for pairing in pairings] == [bot]
    assert {rated.agent for rated in ladder} == {bot, "random"}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("cmd:", "Name a program"),
        ("cmd:'", "is not a valid command"),
        ("cmd:/no/such", "cannot be started"),
    ],
)
def test_commands_that_cannot_run_are_explained(command: str, message: str) -> None:
    state = GAMES["truco"].new(seed=3)

    def ask() -> None:
        make("truco", command, programs=True).act(state.view(state.turn), state.legal(), Random(0))

    with pytest.raises(ProgramError, match=message):
        ask()


def test_a_program_is_told_the_results_of_hands_and_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may read the last ones before it is stopped."""
    monkeypatch.setattr("agents.protocols.program.GRACE", 60.0)
    heard = tmp_path / "heard"
    source = f"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        print(message["legal"][0], flush=True)
    else:
        with open({str(heard)!r}, "a") as file:
            print(line, end="", file=file, flush=True)
"""
    player = ProgramPlayer("truco", program(tmp_path, source))
    state = GAMES["truco"].new(seed=3, target=4)
    match = Match(state, [player, RandomPlayer()], seed=1)
    points = []
    while state.turn != OVER:
        hand_no = state.hand_no
        match.step(match.decide().action)
        if state.hand_no != hand_no or state.turn == OVER:
            points.append(state.hand_returns())
    player.close()
    lines = [json.loads(line) for line in heard.read_text().splitlines()]
    assert [line["points"] for line in lines if line["type"] == "hand"] == points
    assert [line["returns"] for line in lines if line["type"] == "over"] == [state.returns()]
    assert lines[-1]["scores"] == state.scores()


def test_a_program_that_goes_on_after_the_results_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.protocols.program.GRACE", 0.01)
    source = f"{FIRST_LEGAL}\nwhile True:\n    pass"
    player = ProgramPlayer("truco", program(tmp_path, source))
    decide(player)
    assert player._process is not None
    number = player._process.pid
    player.hear_result([1, 0], [1, 0], None)
    player.close()
    assert not _runs(number)


def test_a_failing_program_loses_its_match_only(tmp_path: Path) -> None:
    """This one gives a wrong answer whenever it leads the first trick of a match."""
    source = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        view = message["view"]
        wrong = view["hand_no"] == 1 and not view["history"]
        print("nonsense" if wrong else message["legal"][0], flush=True)
"""
    bot = f"cmd:{program(tmp_path, source)}"
    report = evaluate(
        "truco", [bot, "easy"], 6, Conditions(seed=1, options={"target": 4}, programs=True)
    )
    first, second = report["agents"]
    assert first["failures"] == 3
    assert "wrong answer" in first["failure"]
    assert first["wins"] + second["wins"] == 6
    assert second["wins"] >= 3
    assert "failures" not in second


def test_a_missing_program_ends_the_evaluation() -> None:
    with pytest.raises(ProgramError, match="cannot be started"):
        evaluate("truco", ["cmd:/nowhere/bot", "easy"], 2, Conditions(programs=True))


GRANDCHILD = """
import subprocess, sys
sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
child = subprocess.Popen(sleep, start_new_session=%s)
open(%r, "w").write(str(child.pid))
input()
input()
"""


@pytest.mark.parametrize("leaves_the_group", [False, True])
def test_a_grandchild_that_holds_the_pipe_hangs_nothing(
    tmp_path: Path, leaves_the_group: bool
) -> None:
    pid = tmp_path / "pid"
    source = GRANDCHILD % (leaves_the_group, str(pid))
    player = ProgramPlayer("truco", program(tmp_path, source), time_limit=2.0)
    began = monotonic()
    with pytest.raises(ProgramError, match="took longer than 2 s"):
        decide(player)
    assert monotonic() - began < 10
    number = int(pid.read_text())
    if leaves_the_group:
        os.kill(number, SIGKILL)
    else:
        while monotonic() - began < 30 and _runs(number):
            pass
        assert not _runs(number)


def _runs(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_time_limit_is_for_all_restarts_together(tmp_path: Path) -> None:
    now = iter(range(1000))
    player = ProgramPlayer(
        "truco", program(tmp_path, "input()"), time_limit=3.0, now=lambda: float(next(now))
    )
    with pytest.raises(ProgramError, match="took longer than 3 s"):
        decide(player)
    assert player._starts <= 3
