"""Journals: written as the match is played, checked when they are read."""

import errno
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.match.past import Past
from app.match.seating import PERSON, compass, default_seats, seat_count
from app.records import journal_file
from app.records.history import History
from app.records.journal import JournalError, MatchSetup, labels_of, parse_journal, read_journal
from app.records.journal_file import Journal, in_use, new_journal, reopen
from app.ui.tables import table_class
from engine import GAMES
from tests.app.journals import NOW, keeper_of, play_at_random


def setup_of(game: str, seed: int = 4711, **options: int) -> MatchSetup:
    found = GAMES[game]
    seats = seat_count(found, options)
    return MatchSetup(
        game,
        found.make_options(options).as_dict(),
        seed,
        0 if table_class(game).rotates_start else None,
        default_seats(found, seats, watch=False),
        compass(seats),
        started="2026-11-16T12:30:00+00:00",
    )


def written(folder: Path, setup: MatchSetup, actions: list[int]) -> Journal:
    journal = new_journal(folder, setup, NOW)
    for seat, label in labels_of(setup.deal(), actions):
        journal.action(seat, label, flush=False)
    return journal


@pytest.mark.parametrize("game", GAMES)
def test_written_match_is_read_back(game: str, tmp_path: Path) -> None:
    setup = setup_of(game)
    actions = play_at_random(setup.deal(), 60)
    journal = written(tmp_path, setup, actions)
    journal.close()
    recorded = read_journal(journal.path)
    assert recorded.setup == setup
    assert recorded.past == Past(tuple(actions))
    assert [label for _, label in recorded.labels()] == [
        label for _, label in labels_of(setup.deal(), actions)
    ]
    assert journal.path.name == f"20261116T123000Z-{game}-4711.jsonl"
    assert journal.path.stat().st_mode & 0o077 == 0


def test_every_action_is_written_immediately(tmp_path: Path) -> None:
    setup = setup_of("euchre")
    actions = play_at_random(setup.deal(), 10)
    journal = new_journal(tmp_path, setup, NOW)
    for number, (seat, label) in enumerate(labels_of(setup.deal(), actions), 1):
        journal.action(seat, label, flush=False)
        assert len(read_journal(journal.path).past.actions) == number
    journal.close()


def test_matches_of_the_same_second_have_separate_files(tmp_path: Path) -> None:
    setup = setup_of("truco")
    actions = play_at_random(setup.deal(), 3)
    paths = []
    for _ in range(2):
        journal = written(tmp_path, setup, actions)
        journal.close()
        paths.append(journal.path)
    assert len(set(paths)) == 2
    assert all(len(read_journal(path).past.actions) == 3 for path in paths)


def test_match_without_actions_has_no_file(tmp_path: Path) -> None:
    new_journal(tmp_path, setup_of("truco"), NOW).close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("torn", [1, 7, 20])
def test_incomplete_last_line_is_overwritten(torn: int, tmp_path: Path) -> None:
    setup = setup_of("smear")
    actions = play_at_random(setup.deal(), 8)
    journal = written(tmp_path, setup, actions)
    journal.close()
    data = journal.path.read_bytes()
    journal.path.write_bytes(data[:-torn])
    left = len(read_journal(journal.path).past.actions)
    assert left == (8 if torn == 1 else 7), "a whole line may lack its end"
    _, again = reopen(journal.path)
    for seat, label in labels_of(setup.deal(), actions)[left:]:
        again.action(seat, label, flush=True)
    again.close()
    assert read_journal(journal.path).past.actions == tuple(actions)


def test_undo_and_marks_are_recorded(tmp_path: Path) -> None:
    setup = setup_of("euchre")
    actions = play_at_random(setup.deal(), 12)
    journal = written(tmp_path, setup, actions)
    journal.undo(5)
    journal.mark(assisted=True, unrated=True)
    journal.mark(assisted=True, unrated=True)
    journal.taken_over(2)
    journal.close()
    recorded = read_journal(journal.path)
    assert recorded.past == Past(tuple(actions[:5]), True, True, (2,))
    assert journal.path.read_text().count('"mark"') == 2


def test_journal_contains_nothing_but_the_match(tmp_path: Path) -> None:
    journal = written(tmp_path, setup_of("fodinha"), play_at_random(setup_of("fodinha").deal(), 30))
    journal.close()
    text = journal.path.read_text()
    assert str(tmp_path) not in text
    assert len(text) < 5000
    assert set(json.loads(text.splitlines()[0])) == {
        "kibitz", "game", "options", "seed", "first", "seats", "match", "started",
    }  # fmt: skip


# Reading untrusted files


def lines_of(game: str = "euchre", actions: int = 6) -> list[str]:
    setup = setup_of(game)
    taken = labels_of(setup.deal(), play_at_random(setup.deal(), actions))
    return [
        json.dumps(setup.line()),
        *[json.dumps({"seat": seat, "do": label}) for seat, label in taken],
    ]


def read(lines: list[str]) -> object:
    return parse_journal("".join(f"{line}\n" for line in lines).encode(), "match.jsonl")


def changed(line: str, **values: object) -> str:
    return json.dumps(json.loads(line) | values)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"kibitz": 1}, "version 1"),
        ({"kibitz": True}, "version True"),
        ({"game": "poker"}, "poker"),
        ({"game": []}, "the setup of the match is incomplete"),
        ({"options": {"players": 77}}, "players"),
        ({"options": [1]}, "the setup of the match is incomplete"),
        ({"seed": "x"}, "the setup of the match is incomplete"),
        ({"seed": -1}, "A seed is a whole number from 0 to 2**128 - 1."),
        ({"seats": []}, "seats"),
        ({"seats": [{"name": "A", "player": "nobody"}] * 3}, "called A"),
        ({"match": 0.5}, "the setup of the match is incomplete"),
        ({"first": 2}, "start"),
        ({"started": "yesterday"}, "yesterday"),
        ({"daily": "someday"}, "someday"),
    ],
)
def test_invalid_setup_is_refused(values: dict[str, object], sentence: str) -> None:
    first, *rest = lines_of()
    with pytest.raises(JournalError, match="line 1") as refused:
        read([changed(first, **values), *rest])
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"seat": 0, "do": "play AS"}', "is not possible there|not the turn"),
        ('{"seat": 0, "do": "dance"}', "dance|not the turn"),
        ('{"seat": 9, "do": "pass"}', "not the turn of seat 9"),
        ('{"undo": 99}', "not a line of a journal"),
        ('{"taken over": 7}', "not a line of a journal"),
        ('{"end": "2026-11-16T13:00:00+00:00"}', "not over"),
        ("[1, 2]", "not a line of a journal"),
        ("{}", "not a line of a journal"),
        ("pass", "cannot be read"),
    ],
)
def test_error_names_the_invalid_line(line: str, sentence: str) -> None:
    lines = lines_of()
    tail = [] if "end" in line else [lines[4]]
    with pytest.raises(JournalError, match=r"match.jsonl, line \d") as refused:
        read([*lines[:4], line, *tail])
    assert any(words in str(refused.value) for words in sentence.split("|"))


def test_other_line_endings_are_accepted() -> None:
    lines = lines_of()
    plain = read(lines)
    mailed = "\r\n".join([*lines, "", ""]).encode("utf-8-sig")
    assert parse_journal(mailed, "match.jsonl").past == plain.past  # type: ignore[attr-defined]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\0" * 100, b'{"kibitz":', b"[" * 100_000])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(JournalError):
        parse_journal(data, "match.jsonl")


MATCHES = {game: "".join(f"{line}\n" for line in lines_of(game, 40)).encode() for game in GAMES}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)


def read_or_refuse(data: bytes) -> None:
    """A journal that is read can be played; an error is one line."""
    sentence = ""
    try:
        recorded = parse_journal(data, "match.jsonl")
        recorded.setup.plan(0.0)
        assert len(recorded.labels()) == len(recorded.past.actions)
    except JournalError as refused:
        sentence = str(refused)
    assert "\n" not in sentence


@settings(max_examples=100)
@given(data=st.data(), game=st.sampled_from(sorted(GAMES)))
def test_mutated_bytes_are_read_or_refused(data: st.DataObject, game: str) -> None:
    mutated = bytearray(MATCHES[game])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(mutated) - 1))
        piece = data.draw(st.binary(max_size=6))
        mutated[at : at + data.draw(st.integers(0, 6))] = piece
    read_or_refuse(bytes(mutated))


@settings(max_examples=100)
@given(data=st.data(), game=st.sampled_from(sorted(GAMES)), value=VALUES)
def test_mutated_values_are_read_or_refused(data: st.DataObject, game: str, value: object) -> None:
    lines = [json.loads(line) for line in MATCHES[game].splitlines()]
    target = data.draw(st.sampled_from([lines[0], lines[0], *lines]))
    while True:
        key = data.draw(st.sampled_from(list(target) if isinstance(target, dict) else [0]))
        inner = target[key]
        if not (isinstance(inner, dict | list) and inner and data.draw(st.booleans())):
            break
        target = inner
    target[key] = value
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    read_or_refuse(text.encode())


# Disk errors


def test_full_disk_is_reported_once_and_lines_are_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = setup_of("truco")
    actions = play_at_random(setup.deal(), 9)
    labels = labels_of(setup.deal(), actions)
    journal = new_journal(tmp_path, setup, NOW)
    real_write = os.write

    def half(file: int, data: bytes) -> int:
        return real_write(file, data[: len(data) // 2])

    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for number, (seat, label) in enumerate(labels):
        write = {3: half, 4: full, 5: half}.get(number, real_write)
        monkeypatch.setattr(journal_file.os, "write", write)
        journal.action(seat, label, flush=True)
        readable = len(read_journal(journal.path).past.actions)
        assert readable == (3 if number in (3, 4, 5) else number + 1)
    journal.close()
    assert len(journal.notices) == 1
    assert "cannot be saved" in journal.notices[0]
    assert read_journal(journal.path).past.actions == tuple(actions)


def test_unusable_folder_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("in the way")
    setup = setup_of("truco")
    journal = written(tmp_path / "games", setup, play_at_random(setup.deal(), 5))
    journal.close()
    assert len(journal.notices) == 1
    assert "You can play on" in journal.notices[0]


# Unfinished and finished matches


def test_matches_wait_until_finished_or_discarded(tmp_path: Path) -> None:
    keeper = keeper_of(tmp_path)
    assert keeper.waiting() == []
    setup = setup_of("truco")
    for seed in (1, 2):
        journal = written(keeper.games, setup, play_at_random(setup.deal(), 5, seed))
        assert [match for match in keeper.waiting() if match.path == journal.path] == []
        journal.close()
    paths = [match.path for match in keeper.waiting()]
    assert len(paths) == 2
    keeper.discard(paths[0])
    assert [match.path for match in keeper.waiting()] == paths[1:]
    recorded, journal = keeper.resume(paths[1])
    with pytest.raises(JournalError, match="another window"):
        keeper.resume(paths[1])
    state = recorded.state
    actions = play_at_random(state, 10_000)
    deal = setup.deal()
    for seat, label in labels_of(deal, [*recorded.past.actions, *actions])[5:]:
        journal.action(seat, label, flush=False)
    keeper.finish(journal, state, Past(assisted=True))
    journal.close()
    assert keeper.waiting() == []
    (match,) = History(tmp_path / "history.db").matches()
    assert match.journal == paths[1].name
    assert match.assisted
    assert not match.watched
    assert match.own is not None
    assert match.own.player == PERSON
    assert [seat.result for seat in match.seats] == state.returns()
    assert read_journal(paths[1]).finished == "2026-11-16T12:30:00+00:00"


@pytest.mark.parametrize("remembered", [False, True])
def test_match_without_recorded_end_is_finished_once(remembered: bool, tmp_path: Path) -> None:
    """The program was killed between the last action and the end of the journal."""
    keeper = keeper_of(tmp_path)
    setup = setup_of("truco")
    actions = play_at_random(setup.deal(), 10_000)
    journal = written(keeper.games, setup, actions)
    journal.close()
    if remembered:
        recorded, again = reopen(journal.path)
        again.end = lambda finished: None  # type: ignore[method-assign]
        keeper.finish(again, recorded.state, recorded.past)
        again.close()
    for _ in range(2):
        assert keeper.waiting() == []
        assert len(History(tmp_path / "history.db").matches()) == 1
    assert read_journal(journal.path).finished


def test_journal_of_another_version_is_reported_once_and_kept(tmp_path: Path) -> None:
    keeper = keeper_of(tmp_path)
    setup = setup_of("truco")
    journal = written(keeper.games, setup, play_at_random(setup.deal(), 5))
    journal.close()
    text = journal.path.read_text().replace('{"kibitz":2', '{"kibitz":9')
    journal.path.write_text(text)
    assert keeper.waiting() == []
    assert keeper.waiting() == []
    assert len(keeper.notices) == 1
    assert "version 9" in keeper.notices[0]
    assert journal.path.read_text() == text


def test_two_processes_that_test_the_lock_do_not_see_each_other(tmp_path: Path) -> None:
    """Home and the list of waiting matches test the locks at the same time."""
    path = tmp_path / "match.jsonl"
    path.touch()
    with ThreadPoolExecutor(2) as looking:
        assert not any(looking.map(in_use, [path] * 200))
