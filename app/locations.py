"""Every path the program uses, in one place."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

RULES_PAGES = Path(__file__).parent / "rules"


class UnusableHome(ValueError):
    """The home folder cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Locations:
    """Where a person's files are."""

    home: Path

    @property
    def qtables(self) -> Path:
        return self.home / "qtables"

    @property
    def training(self) -> Path:
        return self.home / "training"

    def curve(self, game: str, agent: str) -> Path:
        """How an agent improved over its training, a line for each measurement."""
        return self.training / f"{game}.{agent}.jsonl"

    def course(self, game: str, agent: str) -> Path:
        """How far an agent's training came that was not finished."""
        return self.training / f"{game}.{agent}.json"

    def as_dict(self) -> dict[str, str]:
        return {
            "home": str(self.home),
            "qtables": str(self.qtables),
            "training": str(self.training),
        }

    def prepare(self) -> None:
        """Make the home folder, for its owner's eyes only, and see that it can be written to."""
        try:
            self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise UnusableHome(
                f"The home folder {self.home} cannot be made ({error.strerror}); "
                "choose another with --home."
            ) from error
        if not os.access(self.home, os.R_OK | os.W_OK | os.X_OK):
            raise UnusableHome(
                f"The home folder {self.home} cannot be written to; choose another with --home."
            )


def locate(home: Path | None = None, environ: Mapping[str, str] = os.environ) -> Locations:
    """The home folder asked for, else $KIBITZ_HOME, else ~/.kibitz."""
    if home is None:
        named = environ.get("KIBITZ_HOME", "")
        home = Path(named) if named else Path("~") / ".kibitz"
    try:
        return Locations(home.expanduser().absolute())
    except RuntimeError as error:
        raise UnusableHome("There is no home directory; name a folder with --home.") from error


def rules_page(game: str) -> str:
    """The rules of a game as Markdown."""
    return (RULES_PAGES / f"{game}.md").read_text(encoding="utf-8")
