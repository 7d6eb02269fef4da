"""What the compiler reads in the source of the engine. It is not compiled itself."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64 as i64
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    i64 = int  # Compiled, a machine integer.

    def mypyc_attr(**attributes):
        """Tells the compiler about a class; to everybody else the class is as it was."""
        return lambda kind: kind
