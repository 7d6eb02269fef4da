"""`kibitz help`: manual pages generated from the parser, `app.home.locations` and the examples."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import indent, wrap
from typing import Annotated, Any, Final

import typer

from app import __version__
from app.commands import completion
from app.commands.common import Home
from app.commands.examples import EXAMPLES
from app.home.locations import Locations, locate
from app.home.output import say

ENVIRONMENT: Final = {
    "KIBITZ_HOME": "The folder for your files; --home overrides it.",
    "XDG_DATA_HOME": "If there is no ~/.kibitz but a folder kibitz in this folder "
    "(default ~/.local/share), your files are there.",
    "NO_COLOR": "If set, the screen is grey and all other output is plain text.",
    "TEXTUAL_ANIMATIONS": "none turns animations off, regardless of the settings.",
}
EXIT_STATUS: Final = {
    "0": "Success.",
    "2": "Error. One line on standard error says what is wrong and what to do.",
}
_WIDTH: Final = 80
_INDENT: Final = " " * 4
_DEEPER: Final = " " * 8


def manual(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[COMMAND]",
            help="A command (default: kibitz itself).",
            autocompletion=completion.commands,
        ),
    ] = None,
    man: Annotated[
        bool, typer.Option("--man", help="As a page for man(1), with all commands.")
    ] = False,
    home: Home = None,
) -> None:
    """Show the manual page of kibitz or of one command."""
    root = typer.Context(context.find_root().command, info_name="kibitz")
    known = commands_of(root)
    if man:
        files = Locations(Path("~/.kibitz")).described()
        pages = [typer.Context(each, info_name=name, parent=root) for name, each in known.items()]
        say(roff(whole(root, files), zip(known, pages, strict=True)))
        return
    if name is None:
        page = whole(root, locate(home or context.obj).described())
    elif name in known:
        page = one(name, typer.Context(known[name], info_name=name, parent=root))
    else:
        raise ValueError(f"There is no command {name!r}; choose one of: {', '.join(known)}.")
    say("\n\n".join(page))


def roff(sections: Iterable[str], commands: Iterable[tuple[str, typer.Context]]) -> str:
    """The page about kibitz, and then each command, in the format of man(1)."""
    lines = [f'.TH KIBITZ 1 "" "kibitz {__version__}" "User commands"']
    for section in sections:
        lines += _roff_section(section)
    lines.append(".SH THE COMMANDS")
    for name, context in commands:
        usage = " ".join(context.command.collect_usage_pieces(context))
        lines += [".SS", _roff(f"kibitz {name} {usage}"), ".PP", _roff(context.command.help or "")]
        for term, text in _parameters(context):
            lines += [".TP", _roff(term), _roff(text)]
    return "\n".join(lines)


def _roff_section(section: str) -> list[str]:
    title, _, text = section.partition("\n")
    return [f".SH {title}", ".nf", *[_roff(line, fill=False) for line in text.split("\n")], ".fi"]


def _roff(text: str, fill: bool = True) -> str:
    """Escape a text. A line must not start with a control character of roff."""
    line = " ".join(text.split()) if fill else text.removeprefix(_INDENT)
    escaped = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def commands_of(root: typer.Context) -> Mapping[str, Any]:
    commands: Mapping[str, Any] = getattr(root.command, "commands", {})
    return commands


def whole(root: typer.Context, files: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The sections of the page about kibitz."""
    command = root.command
    yield _section("NAME", _filled(f"kibitz - {_sentence(command.help)}"))
    yield _section("SYNOPSIS", "\n".join(["kibitz [OPTIONS]", "kibitz COMMAND [OPTIONS] [ARGS]…"]))
    yield _section(
        "DESCRIPTION",
        _filled(
            "Without a command, kibitz opens its home screen: card games, agents that learn, "
            "a Lab to train them in, and your past matches. Every command has a page, "
            "kibitz help COMMAND, and a shorter --help."
        ),
    )
    yield from _commands(root)
    yield _section("OPTIONS", _list(_parameters(root)))
    yield _section("FILES", _list(files))
    yield _section("ENVIRONMENT", _list(ENVIRONMENT.items()))
    yield from _endings("kibitz")


def one(name: str, context: typer.Context) -> Iterator[str]:
    """The sections of the page about one command."""
    command = context.command
    yield _section("NAME", f"kibitz {name} - {_sentence(command.help)}")
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield _section("SYNOPSIS", usage)
    remark = (command.epilog or "").partition("\b")[0]
    paragraphs = [_filled(text) for text in (command.help or "", remark) if text.strip()]
    yield _section("DESCRIPTION", "\n\n".join(paragraphs))
    yield from _commands(context)
    yield _section("OPTIONS", _list(_parameters(context)))
    yield from _endings(name)
    yield _section("SEE ALSO", "kibitz help, for files and environment")


def _commands(context: typer.Context) -> Iterator[str]:
    """The commands of a command, if it has any."""
    named = {name: _sentence(each.help) for name, each in commands_of(context).items()}
    if named:
        yield _section("COMMANDS", _columns(named))


def _endings(name: str) -> Iterator[str]:
    yield _section("EXIT STATUS", _list(EXIT_STATUS.items()))
    yield _section("EXAMPLES", _list(EXAMPLES[name]))


def _section(title: str, text: str) -> str:
    return f"{title}\n{indent(text, _INDENT)}"


def _list(entries: Iterable[tuple[str, str]]) -> str:
    """Terms with their descriptions below."""
    return "\n".join(
        f"{term}\n{indent(_filled(text, len(_DEEPER)), _INDENT)}" for term, text in entries
    )


def _columns(entries: Mapping[str, str]) -> str:
    """Terms with short descriptions on the same line."""
    column = max(len(term) for term in entries) + 2
    lines = [
        f"{term:<{column}}{indent(_filled(text, len(_INDENT) + column), ' ' * column).lstrip()}"
        for term, text in entries.items()
    ]
    return "\n".join(lines)


def _filled(text: str, margin: int = len(_INDENT)) -> str:
    return "\n".join(wrap(" ".join(text.split()), _WIDTH - margin))


def _sentence(text: str | None) -> str:
    """The first sentence, without its full stop."""
    return " ".join((text or "").split()).partition(". ")[0].rstrip(".")


def _parameters(context: typer.Context) -> Iterator[tuple[str, str]]:
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield record
