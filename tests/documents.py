"""Reads the fenced blocks of the documentation."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])

PROGRAMS = ("kibitz", "python", "python3", "pytest", "make")
INSTALLERS = ("pip", "pipx", "uv")

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"\s{2,}# .*$")
_SHELL = ("", "sh", "bash", "console")


class Block(NamedTuple):
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(*found) for found in _FENCED.findall(page.read_text(encoding="utf-8"))]


def yaml_courses() -> list[str]:
    """Every example file for `kibitz train --config`."""
    return [block.text for page in PAGES for block in blocks(page) if block.language == "yaml"]


def shell_lines(page: Path) -> Iterator[str]:
    """The command lines without their comments. Blocks without any command, such as drawings or
    lines of JSON, are skipped."""
    for block in blocks(page):
        lines = [_COMMENT.sub("", line).strip() for line in block.text.splitlines()]
        if block.language in _SHELL and any(program_of(line) for line in lines):
            yield from [line for line in lines if line]


def program_of(line: str) -> str:
    """The program that a line calls; empty if it is no command."""
    words = [word for word in line.split() if not re.fullmatch(r"[A-Z_]+=\S*", word)]
    return words[0] if words and words[0] in (*PROGRAMS, *INSTALLERS) else ""


def installs(line: str) -> bool:
    """True if it would download something, which tests must not do."""
    return any(Path(word).name in INSTALLERS for word in line.split())
