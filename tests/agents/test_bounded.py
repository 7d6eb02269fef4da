"""Files of others are read up to a size, within a time, and only if they are regular files."""

import os
from pathlib import Path
from threading import Thread

import pytest

from agents.storage.bounded import Unsuitable, check_regular, read_bounded, read_end, read_stream


def test_regular_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 100)
    assert read_bounded(path, 100) == b"x" * 100
    assert read_bounded(path, 10, head=True) == b"x" * 10
    assert read_end(path, 10) == b"x" * 10
    assert read_end(path, 1000) == b"x" * 100
    for reading in (read_bounded, check_regular):
        with pytest.raises(Unsuitable, match="larger than 0 KB"):
            reading(path, 99)


def test_link_to_a_regular_file_is_followed_only_if_allowed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    link = tmp_path / "link"
    link.symlink_to("file")
    assert read_bounded(link, 10) == b"x"
    with pytest.raises(Unsuitable, match="not a regular file"):
        read_bounded(link, 10, links=False)


@pytest.mark.parametrize("kind", ["pipe", "zero", "link", "folder"])
def test_other_kinds_of_files_are_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "zero":
        path.symlink_to("/dev/zero")
    elif kind == "link":
        os.mkfifo(tmp_path / "other")
        path.symlink_to("other")
    else:
        path.mkdir()
    for reading in (read_bounded, check_regular, read_end):
        with pytest.raises(Unsuitable, match="not a regular file"):
            reading(path, 10)


def test_missing_file_is_an_ordinary_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_bounded(tmp_path / "none", 10)


def test_stream_is_bounded_in_size_and_time() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"abc")
    with pytest.raises(Unsuitable, match=r"did not end within 0\.05 s"):
        read_stream(reading, 10, seconds=0.05)
    writer = Thread(target=lambda: os.write(writing, b"x" * 60_000))
    writer.start()
    with pytest.raises(Unsuitable, match="larger than"):
        read_stream(reading, 1000)
    writer.join()
    os.close(writing)
    assert len(read_stream(reading, 1 << 20)) <= 60_000
    os.close(reading)
