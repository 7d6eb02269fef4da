"""Every path the program uses, in one place."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.manifest import GAME_ROWS


class UnusableHome(ValueError):
    """The home folder cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Locations:
    """Where a person's files are."""

    home: Path

    @property
    def qtables(self) -> Path:
        """What the learners have learned, one file for each game and agent."""
        return self.home / "qtables"

    @property
    def games(self) -> Path:
        """The journals, one for each match, action by action."""
        return self.home / "games"

    @property
    def history(self) -> Path:
        """Results of matches, trainings and evaluations, as an SQLite database."""
        return self.home / "history.db"

    @property
    def experiments(self) -> Path:
        """Tables learned for other rewards than the usual ones; nobody plays with them."""
        return self.home / "experiments"

    @property
    def exports(self) -> Path:
        """What the Lab has exported."""
        return self.home / "exports"

    @property
    def settings(self) -> Path:
        """What you have set; missing, all is as usual."""
        return self.home / "settings.toml"

    @property
    def tips(self) -> Path:
        """Which tips have been seen."""
        return self.home / "tips.json"

    @property
    def log(self) -> Path:
        """What the program has done and said, for when something goes wrong."""
        return self.home / "log" / "kibitz.log"

    @property
    def courses(self) -> Path:
        """How far trainings came that were not finished."""
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
            "tips": str(self.tips),
            "log": str(self.log),
        }

    def described(self) -> list[tuple[str, str]]:
        """Every path with what is found there."""
        return [
            (place, getattr(Locations, name).__doc__ or "The folder for all your files.")
            for name, place in self.as_dict().items()
        ]

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
    """The home folder asked for, else $KIBITZ_HOME, else ~/.kibitz.

    Whoever wants it among the data of other programs makes the folder kibitz in
    $XDG_DATA_HOME: it is used as long as there is no ~/.kibitz.
    """
    named = environ.get("KIBITZ_HOME", "")
    try:
        if home is None:
            home = Path(named) if named else _usual_home(environ.get("XDG_DATA_HOME", ""))
        return Locations(home.expanduser().absolute())
    except RuntimeError as error:
        raise UnusableHome("There is no home directory; name a folder with --home.") from error


def _usual_home(data_folder: str) -> Path:
    usual = Path("~/.kibitz").expanduser()
    among_data = Path(data_folder or "~/.local/share").expanduser() / "kibitz"
    return among_data if among_data.is_dir() and not usual.exists() else usual


def rules_page(game: str) -> str:
    """The rules of a game as Markdown."""
    from importlib.resources import files

    package, _, name = GAME_ROWS[game].page_path.partition(":")
    return files(package).joinpath(name).read_text(encoding="utf-8")
