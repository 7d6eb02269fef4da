"""Reads a pickle of plain values without unpickling it.

Python's unpickler does what a file tells it to. This one looks at the instructions one by one
and knows a few that build numbers, texts, tuples and dictionaries; any other turns the file
away. The one class that may be named is `defaultdict(float)`, for which it makes an ordinary
dictionary: nothing that a file names is ever looked up or called.
"""

from pickletools import genops
from typing import Final, NamedTuple

MOST_INSTRUCTIONS: Final = 2_000_000

_NOTHING_TO_DO: Final = frozenset(["PROTO", "FRAME"])
_CONSTANTS: Final = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_GIVEN: Final = frozenset(
    ["BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "SHORT_BINUNICODE", "BINUNICODE"]
)
_TUPLES: Final = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


class NotPlain(ValueError):
    """A pickle that is turned away; the message is the reason as the end of a sentence."""


class _Named(NamedTuple):
    module: str
    name: str


_DEFAULT_DICT: Final = _Named("collections", "defaultdict")
_FLOAT: Final = _Named("builtins", "float")
_SIMPLE: Final = (bool, int, float, str, type(None), _Named)


def read_plain(pickled: bytes) -> object:
    """The value in a pickle of protocol 4 or later. Raises NotPlain with the reason, as the
    end of a sentence, for one that holds more than plain values."""
    reader = _Reader()
    try:
        for count, (opcode, argument, position) in enumerate(genops(pickled)):
            if opcode.name == "STOP":
                if (position or 0) + 1 != len(pickled):
                    raise NotPlain("something follows its end")
                return reader.result()
            if count > MOST_INSTRUCTIONS:
                raise NotPlain("it holds too many values")
            reader.follow(opcode.name, argument)
    except NotPlain:
        raise
    except (LookupError, ValueError) as error:
        raise NotPlain("it is not a complete pickle") from error
    raise NotPlain("it is not a complete pickle")


class _Reader:
    """A stack, as an unpickler has it."""

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
        if name in _GIVEN:
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
                raise NotPlain("it wants something to be called")
            stack.append({})
        elif name not in _NOTHING_TO_DO:
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
        """Pairs of keys and values into the dictionary below them."""
        table = self._stack[-1]
        if not isinstance(table, dict) or len(items) % 2:
            raise NotPlain("it is not a complete pickle")
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, (*_SIMPLE, tuple)):
                raise NotPlain("it holds more than plain values")
            table[key] = value


def _flat(items: list[object]) -> tuple[object, ...]:
    """Tuples hold simple values only: the hash of tuples within tuples can take for ever."""
    if not all(isinstance(item, _SIMPLE) for item in items):
        raise NotPlain("it is nested too deeply")
    return tuple(items)


def _known_name(module: object, name: object) -> _Named:
    for known in (_DEFAULT_DICT, _FLOAT):
        if (module, name) == known:
            return known
    raise NotPlain(f"it asks for {module}.{name}")
