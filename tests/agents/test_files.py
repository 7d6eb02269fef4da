"""Atomic file writing: the old contents or the new, never anything between."""

import errno
import os
import stat
from pathlib import Path

import pytest

from agents.storage.files import replacing, unused_path, write_atomic


def test_write_replaces_the_contents_and_leaves_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for contents in (b"first", b"second"):
        write_atomic(path, contents)
        assert path.read_bytes() == contents
    assert list(tmp_path.iterdir()) == [path]


def test_old_contents_survive_an_error(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")

    def fail_half_way() -> None:
        with replacing(path) as temporary:
            temporary.write_bytes(b"half of the new contents")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_failed_flush_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")

    def fail(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_before_replace_still_sees_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")
    seen: list[bytes] = []
    write_atomic(path, b"new", before_replace=lambda: seen.append(path.read_bytes()))
    assert seen == [b"old"]
    assert path.read_bytes() == b"new"


def test_private_files_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    private, public = tmp_path / "private", tmp_path / "public"
    usual = os.umask(0o022)
    try:
        write_atomic(private, b"")
        write_atomic(public, b"", private=False)
    finally:
        os.umask(usual)
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert stat.S_IMODE(public.stat().st_mode) == 0o644


def test_unused_path_counts_up(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert unused_path(path) == path
    path.touch()
    (tmp_path / "file-2").symlink_to(tmp_path / "nowhere")
    assert unused_path(path) == tmp_path / "file-3"
