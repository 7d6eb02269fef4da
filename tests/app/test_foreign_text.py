"""No escape code of a file reaches the terminal, and no value hangs its own error message."""

import json
import os
from pathlib import Path
from pickle import BINGET, DICT, EMPTY_DICT, MARK, MEMOIZE, PROTO, SETITEM, STACK_GLOBAL, STOP
from time import perf_counter

import pytest
from rich.segment import Segment
from textual.color import Color

from agents.imports.reading import ImportRefused, read_file
from agents.plain_text import REPLACEMENT, is_safe, safe_text, sentence
from agents.storage.values_file import Refused, decode, encode
from app.cli import run
from app.lab.course_file import read_course
from app.ui.widgets.plain import SafeFilter
from tests.app.journals import recorded_match

ESCAPE = "\x1b]0;owned\x07\x9b31m\u202eabc\u2066"


def test_every_control_is_replaced() -> None:
    controls = [*range(32), *range(0x7F, 0xA0), 0x200E, 0x202E, 0x2066, 0x2028, 0xAD, 0xD800]
    for code in controls:
        assert safe_text(f"a{chr(code)}b") == f"a{REPLACEMENT}b", hex(code)
    assert safe_text("♠ A – ñ 日本 é") == "♠ A – ñ 日本 é"
    assert sentence("two\nlines " * 200, 100).count("…") == 1
    assert is_safe("plain")
    assert not is_safe(ESCAPE)


def test_screen_replaces_controls_in_segments() -> None:
    control = Segment("\x1b[2J", None, [(1,)])  # type: ignore[list-item]
    found = SafeFilter().apply([Segment(ESCAPE), Segment("plain"), control], Color(0, 0, 0))
    assert is_safe(found[0].text)
    assert len(found[0].text) == len(ESCAPE)
    assert found[1:] == [Segment("plain"), control]


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    output = capsys.readouterr()
    return (output.out + output.err).replace("\n", "")


def test_file_names_in_doctor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, name in (("games", f"{ESCAPE}.jsonl"), ("qtables", f"{ESCAPE}.pkl")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text("{}")
    assert run(["doctor", "--home", str(tmp_path)]) == 2
    text = printed(capsys)
    assert "owned" in text
    assert is_safe(text)


def test_seats_of_a_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded_match(tmp_path, "truco", 3)
    first, *rest = path.read_text().splitlines()
    setup = json.loads(first)
    for change in ({"player": f"cmd:{ESCAPE}"}, {"name": ESCAPE}):
        seats = [setup["seats"][0], setup["seats"][1] | change]
        path.write_text("\n".join([json.dumps(setup | {"seats": seats}), *rest, ""]))
        for command in (["replay", str(path)], ["doctor"]):
            assert run([*command, "--home", str(tmp_path)]) == 2
            assert is_safe(printed(capsys))


@pytest.mark.parametrize(
    "text",
    [
        f"? {json.dumps(ESCAPE)}\n: 1\n",
        f"rewards: {{{json.dumps(ESCAPE)}: [1]}}\n",
        f"agent_type: {json.dumps(ESCAPE)}\n",
        f"opponents: [{json.dumps(ESCAPE)}]\n",
        f"seed: 0x{'F' * 9000}\n",
        "seed: " + "9" * 9000 + "\n",
        "rewards: " + "[" * 9000 + "\n",
        "seed: 0000-00-00\n",
        "rewards:\n  a: &a [x, x]\n"
        + "".join(
            f"  {chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)
        ),
    ],
)
def test_course_file_is_refused_at_once_in_safe_words(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "course.yaml"
    path.write_text(text)
    began = perf_counter()
    assert (
        run(["train", "truco", "--config", str(path), "--games", "1", "--home", str(tmp_path)]) == 2
    )
    assert perf_counter() - began < 2
    output = capsys.readouterr()
    assert output.out == ""
    assert is_safe(output.err.rstrip("\n"))
    assert len(output.err) < 1500


def test_pipe_as_a_course_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "course.yaml")
    with pytest.raises(ValueError, match="it is not a regular file"):
        read_course(tmp_path / "course.yaml")


def pickled_name(nested: int) -> bytes:
    """A small pickle that asks for an object whose name is a huge nested dictionary."""
    levels = b"".join(
        EMPTY_DICT + MEMOIZE + b"K\x01" + BINGET + bytes([n]) + SETITEM + b"" for n in range(nested)
    )
    return PROTO + b"\x04" + EMPTY_DICT + MEMOIZE + levels + b"\x8c\x01x" + STACK_GLOBAL + STOP


def test_error_of_an_import_is_short(tmp_path: Path) -> None:
    path = tmp_path / "q.pkl"
    began = perf_counter()
    for contents in (
        pickled_name(60),
        PROTO + b"\x04\x8c\x04\x1b]0;\x8c\x01x" + STACK_GLOBAL + STOP,
        PROTO + b"\x04" + MARK + DICT + STOP,
    ):
        path.write_bytes(contents)
        with pytest.raises(ImportRefused) as refused:
            read_file(path)
        assert len(str(refused.value)) < 600 + len(str(path))
        assert is_safe(str(refused.value))
    assert perf_counter() - began < 2


def test_numbers_with_the_same_hash_are_refused() -> None:
    """40,000 of them as keys took 19 seconds."""
    with pytest.raises(ValueError, match="a number that is too large"):
        encode({"q": {1 + 2**61 - 1: 1.0}}, "x")
    contents = encode({"q": {2**60: 1.0}}, "x")
    assert decode(contents, "x") == {"q": {2**60: 1.0}}
    with pytest.raises(Refused):
        decode(contents[:-1], "x")
