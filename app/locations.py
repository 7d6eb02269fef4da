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
    def games(self) -> Path:
        """The journals, one for each match."""
        return self.home / "games"

    @property
    def history(self) -> Path:
        return self.home / "history.db"

    @property
    def experiments(self) -> Path:
        """Tables learned for other rewards than the usual ones; nobody plays with them."""
        return self.home / "experiments"

    @property
    def exports(self) -> Path:
        return self.home / "exports"

    @property
    def settings(self) -> Path:
        return self.home / "settings.toml"

    @property
    def log(self) -> Path:
        return self.home / "log" / "kibitz.log"

    @property
    def courses(self) -> Path:
        return self.home / "courses"

    def course(self, game: str, agent: str) -> Path:
        """How far an agent's training came that was not finished."""
        return self.courses / f"{game}.{agent}.json"

    def as_dict(self) -> dict[str, str]:
        return {
            "home": str(self.home),
            "qtables": str(self.qtables),
            "games": str(self.games),
            "history": str(self.history),
            "exports": str(self.exports),
            "experiments": str(self.experiments),
            "courses": str(self.courses),
            "settings": str(self.settings),
            "log": str(self.log),
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
