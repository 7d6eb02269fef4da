"""Pickles that try to run code or to exhaust memory, and files that contain them."""

import hashlib
import os
import pickle
import struct
from collections.abc import Callable

FINGERPRINT = "snap 1"
HEADER = struct.Struct(">8sH32sQ32s")


def sealed(pickled: bytes, length: int | None = None, version: int = 1) -> bytes:
    """Add a valid header to a pickle, as an attacker would."""
    meaning = hashlib.sha256(FINGERPRINT.encode()).digest()
    checksum = hashlib.sha256(pickled).digest()
    return HEADER.pack(b"KIBITZ-Q", version, meaning, length or len(pickled), checksum) + pickled


class Loud:
    """Runs a command when it is unpickled without checks."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (self.command,)


def nested_lists(levels: int) -> bytes:
    return b"\x80\x04" + b"]" * levels + b"a" * (levels - 1) + b"."


def nested_tuples_as_key(levels: int) -> bytes:
    return b"\x80\x04})" + b"\x85" * levels + b"K\x01s."


def doubling_lists(levels: int) -> bytes:
    """Nested lists that each hold the previous one twice."""
    body = b"]\x94"
    for level in range(levels):
        body += b"]\x94(h" + bytes([level]) + b"h" + bytes([level]) + b"e"
    return b"\x80\x04" + body + b"."


def hostile_pickles(command: str) -> dict[str, bytes]:
    text = command.encode()
    system = b"cos\nsystem\n"
    return {
        "reduce": pickle.dumps({"count": Loud(command)}, protocol=4),
        "reduce, protocol 0": pickle.dumps({"count": Loud(command)}, protocol=0),
        "global": b"\x80\x04" + system + b"X" + struct.pack("<I", len(text)) + text + b"\x85R.",
        "stack global": b"\x80\x04\x8c\x02os\x8c\x06system\x93.",
        "inst": b"(S'" + text + b"'\nios\nsystem\n.",
        "obj": b"(" + system + b"S'" + text + b"'\no.",
        "newobj": b"\x80\x04" + system + b")\x81.",
        "build": b"\x80\x04}}(\x8c\x01ak\x01u" + b"b.",
        "extension registry": b"\x80\x04\x82\xf0.",
        "persistent id": b"\x80\x04\x8c\x01aQ.",
        "huge length": b"\x80\x04\x8e" + struct.pack("<Q", 1 << 62) + b"x.",
        "huge string": b"\x80\x04X" + struct.pack("<I", (1 << 32) - 1) + b"x.",
        "huge number": b"\x80\x04\x8b" + struct.pack("<i", 1 << 30) + b"x.",
        "huge memo": b"\x80\x04]r" + struct.pack("<I", (1 << 32) - 1) + b".",
        "unknown memo": b"\x80\x04j" + struct.pack("<I", 1 << 31) + b".",
        "deep lists": nested_lists(100_000),
        "deep key": nested_tuples_as_key(200_000),
        "doubling lists": doubling_lists(100),
        "list in itself": b"\x80\x04]\x94h\x00a.",
        "many values": b"\x80\x04](" + b"N" * 1_000_100 + b"e.",
        "bytes after the end": pickle.dumps({"count": 1}, protocol=4) + b"x",
        "no end": pickle.dumps({"count": 1}, protocol=4)[:-1],
        "empty stack": b"\x80\x04.",
        "no dictionary": pickle.dumps([1, 2], protocol=4),
        "numbers as names": pickle.dumps({1: 2}, protocol=4),
        "nothing": b"",
    }
