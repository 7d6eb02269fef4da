"""Entry point of the command line.

Every error is one line on stderr and exit status 2. Textual is imported only for a screen, and
the parser only if there are arguments, so that the first screen opens quickly.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from agents.plain_text import sentence as one_line
from agents.storage.files import reason_of
from app.home.locations import locate
from app.home.output import open_closed_streams, say
from app.home.visitor import is_visitor, restrict_visitor
from app.ui.launch import open_app

_LONGEST: Final = 2000
"""Characters of an error message."""

_COMPLETING: Final = "_KIBITZ_COMPLETE"
"""Set by a shell that asks for completions. The line is then in the environment, not in the
arguments."""


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return complain("Interrupted.")
    except Exception as error:
        return complain(in_one_line(error))


def _run(arguments: Sequence[str]) -> int:
    """Open the first screen without the parser, which takes longer to load than the screen."""
    match list(arguments):
        case [] if _COMPLETING not in os.environ:
            return open_app(locate())
        case ["--home", folder] if not folder.startswith("-"):
            return open_app(locate(Path(folder)))
    from app.commands.parser import run_command

    return run_command(arguments)


def in_one_line(error: Exception) -> str:
    """What is wrong and what to do. Usage errors of the parser refer to --help."""
    if hasattr(error, "format_message"):
        sentence = str(error.format_message())
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "kibitz"
        return f"{sentence.rstrip('.')}; see {command} --help."
    if isinstance(error, ValueError) or type(error).__name__ == "StoreError":
        return str(error)
    if isinstance(error, OSError) and error.errno is not None:
        place = f"{error.filename} cannot be used" if error.filename else "A file cannot be used"
        return f"{place}: {reason_of(error)}; free some space or choose another --home."
    return f"Something went wrong ({type(error).__name__}: {error}); please report it."


def complain(sentence: str) -> int:
    say(one_line(sentence, _LONGEST), file=sys.stderr)
    return 2


def main() -> None:
    """Run the command of this process. The parser may exit itself, e.g. after a completion."""
    open_closed_streams()
    if is_visitor():
        restrict_visitor()
    try:
        status = run(sys.argv[1:])
    except SystemExit as end:
        status = 2 if end.code else 0
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 2
    sys.exit(status)
