"""Reads a pickle of plain values without unpickling it.

Python's unpickler runs whatever a file asks for. This reader follows the opcodes one by one. It
knows only those that build numbers, strings, tuples and dictionaries, and refuses all others. It
never imports or calls anything a file names. The only name it accepts is `defaultdict(float)`,
for which it makes an ordinary dictionary.
"""

from pickletools import genops
from typing import Final, NamedTuple

from agents.plain_text import sentence

MAX_OPCODES: Final = 2_000_000
_MAX_NUMBER: Final = 2**61 - 1
"""Smaller whole numbers have different hashes."""

_MAX_IN_TUPLE: Final = 2**15

_IGNORED: Final = frozenset(["PROTO", "FRAME"])
_CONSTANTS: Final = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_LITERALS: Final = frozenset(
    ["BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "SHORT_BINUNICODE", "BINUNICODE"]
)
_TUPLES: Final = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


class NotPlain(ValueError):
    """A pickle that is refused. The message is the reason, as the end of a sentence."""


class _Named(NamedTuple):
    module: str
    name: str


_DEFAULT_DICT: Final = _Named("collections", "defaultdict")
_FLOAT: Final = _Named("builtins", "float")
_SIMPLE: Final = (bool, int, float, str, type(None), _Named)


def read_plain(pickled: bytes) -> object:
    """Return the value in a pickle of protocol 4 or later. Raises NotPlain."""
    reader = _Reader()
    try:
        for count, (opcode, argument, position) in enumerate(genops(pickled)):
            if opcode.name == "STOP":
                if (position or 0) + 1 != len(pickled):
                    raise NotPlain("something follows its end")
                return reader.result()
            if count > MAX_OPCODES:
                raise NotPlain("it holds too many values")
            reader.follow(opcode.name, argument)
    except NotPlain:
        raise
    except (LookupError, ValueError) as error:
        raise NotPlain("it is not a complete pickle") from error
    raise NotPlain("it is not a complete pickle")


class _Reader:
    """The stack, the marks and the memo of an unpickler."""

    def __init__(self) -> None:
        self._stack: list[object] = []
        self._marks: list[int] = []
        self._memo: list[object] = []

    def result(self) -> object:
        if len(self._stack) != 1 or self._marks:
            raise NotPlain("it is not a complete pickle")
        return self._stack[0]

    def follow(self, name: str, argument: object) -> None:
        stack = self._stack
        if name in _LITERALS:
            if isinstance(argument, int) and not -_MAX_NUMBER < argument < _MAX_NUMBER:
                raise NotPlain("it holds a number that is too large")
            stack.append(argument)
        elif name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in _TUPLES:
            stack.append(_flat(self._pop(_TUPLES[name])))
        elif name == "TUPLE":
            stack.append(_flat(self._pop_to_mark()))
        elif name == "EMPTY_DICT":
            stack.append({})
        elif name == "MARK":
            self._marks.append(len(stack))
        elif name == "SETITEM":
            self._set(self._pop(2))
        elif name == "SETITEMS":
            self._set(self._pop_to_mark())
        elif name == "MEMOIZE":
            self._memo.append(stack[-1])
        elif name in ("BINGET", "LONG_BINGET") and isinstance(argument, int):
            stack.append(self._memo[argument])
        elif name == "STACK_GLOBAL":
            stack.append(_known_name(*self._pop(2)))
        elif name == "REDUCE":
            if self._pop(2) != [_DEFAULT_DICT, (_FLOAT,)]:
                raise NotPlain("it asks to call something")
            stack.append({})
        elif name not in _IGNORED:
            raise NotPlain(f"it holds more than plain values ({name})")

    def _pop(self, count: int) -> list[object]:
        if len(self._stack) - (self._marks[-1] if self._marks else 0) < count:
            raise IndexError
        taken = self._stack[len(self._stack) - count :]
        del self._stack[len(self._stack) - count :]
        return taken

    def _pop_to_mark(self) -> list[object]:
        mark = self._marks.pop()
        taken = self._stack[mark:]
        del self._stack[mark:]
        return taken

    def _set(self, items: list[object]) -> None:
        """Add pairs of keys and values to the dictionary below them on the stack."""
        target = self._stack[-1]
        if not isinstance(target, dict) or len(items) % 2:
            raise NotPlain("it is not a complete pickle")
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, (*_SIMPLE, tuple)):
                raise NotPlain("it holds more than plain values")
            target[key] = value


def _flat(items: list[object]) -> tuple[object, ...]:
    """Refuse nested tuples: hashing them can take exponential time. Refuse large numbers: with
    them, many tuples can have the same hash, and a dictionary takes quadratic time."""
    if not all(isinstance(item, _SIMPLE) for item in items):
        raise NotPlain("it is nested too deeply")
    for item in items:
        if isinstance(item, int) and not -_MAX_IN_TUPLE < item < _MAX_IN_TUPLE:
            raise NotPlain("it holds a number that is too large")
    return tuple(items)


def _known_name(module: object, name: object) -> _Named:
    for known in (_DEFAULT_DICT, _FLOAT):
        if (module, name) == known:
            return known
    asked = ".".join([part for part in (module, name) if isinstance(part, str)])
    raise NotPlain(f"it asks for {sentence(asked, 60)}")
