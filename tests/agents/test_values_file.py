"""The format of files with learned values: only plain values pass."""

import copyreg
import os
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.storage import values_file
from agents.storage.values_file import Refused, decode, encode
from tests.agents.hostile_files import FINGERPRINT, hostile_pickles, sealed


def test_cached_pickle_extension_is_refused() -> None:
    """Python caches such objects and returns them without calling `find_class`."""
    copyreg.add_extension("os", "system", 0xF0)
    try:
        assert pickle.loads(b"\x80\x04\x82\xf0.") is os.system
        with pytest.raises(Refused):
            decode(sealed(b"\x80\x04\x82\xf0."), FINGERPRINT)
    finally:
        copyreg.remove_extension("os", "system", 0xF0)
        copyreg.clear_extension_cache()


def test_unpickler_refuses_globals_without_the_opcode_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(values_file, "_check_opcodes", lambda pickled: None)
    for kind in ("reduce", "global", "stack global", "inst", "obj", "newobj", "persistent id"):
        with pytest.raises(Refused):
            decode(sealed(hostile_pickles("false")[kind]), FINGERPRINT)


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_refused(contents: bytes) -> None:
    with pytest.raises(Refused):
        decode(contents, FINGERPRINT)


@given(st.binary(max_size=200))
def test_arbitrary_pickle_with_a_valid_header_is_read_or_refused(pickled: bytes) -> None:
    try:
        data = decode(sealed(pickled), FINGERPRINT)
    except Refused:
        return
    assert type(data) is dict


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), plain, max_size=4))
def test_plain_values_survive_encoding(data: dict[str, object]) -> None:
    try:
        contents = encode(data, FINGERPRINT)
    except ValueError:
        return
    assert decode(contents, FINGERPRINT) == data


def test_values_that_could_not_be_read_back_are_not_encoded() -> None:
    with pytest.raises(ValueError, match="cannot be stored"):
        encode({"pair": (1, 2)}, FINGERPRINT)
