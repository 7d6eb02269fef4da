"""Every path that the program uses."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.manifest import GAME_ROWS


class UnusableHome(ValueError):
    """The home folder cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Locations:
    """The paths of a person's files. The docstrings appear in `kibitz help`."""

    home: Path

    @property
    def qtables(self) -> Path:
        """What learners have learned, one file for each game and agent."""
        return self.home / "qtables"

    @property
    def games(self) -> Path:
        """Journals, one for each match."""
        return self.home / "games"

    @property
    def history(self) -> Path:
        """Results of matches, training runs and evaluations, as an SQLite database."""
        return self.home / "history.db"

    @property
    def experiments(self) -> Path:
        """Learners trained with other rewards; not used at the table."""
        return self.home / "experiments"

    @property
    def exports(self) -> Path:
        """Files exported from the Lab."""
        return self.home / "exports"

    @property
    def settings(self) -> Path:
        """Your settings; optional."""
        return self.home / "settings.toml"

    @property
    def tips(self) -> Path:
        """Which tips you have seen."""
        return self.home / "tips.json"

    @property
    def guides(self) -> Path:
        """Which guided hands you have been offered."""
        return self.home / "guides.json"

    @property
    def secret(self) -> Path:
        """A random secret for the deals of evaluations in which programs play."""
        return self.home / "secret"

    @property
    def log(self) -> Path:
        """A log of the program, for finding the causes of errors."""
        return self.home / "log" / "kibitz.log"

    @property
    def courses(self) -> Path:
        """Where unfinished training runs stopped."""
        return self.home / "courses"

    def course(self, game: str, agent: str) -> Path:
        """Where an agent's unfinished training stopped."""
        return self.courses / f"{game}.{agent}.json"

    @property
    def checkpoints(self) -> Path:
        """Unfinished trainings of the Lab, which offers to keep them after a crash."""
        return self.home / "checkpoints"

    def as_dict(self) -> dict[str, str]:
        return {
            "home": str(self.home),
            "qtables": str(self.qtables),
            "games": str(self.games),
            "history": str(self.history),
            "exports": str(self.exports),
            "experiments": str(self.experiments),
            "courses": str(self.courses),
            "checkpoints": str(self.checkpoints),
            "settings": str(self.settings),
            "tips": str(self.tips),
            "guides": str(self.guides),
            "secret": str(self.secret),
            "log": str(self.log),
        }

    def described(self) -> list[tuple[str, str]]:
        """Every path with its description."""
        return [
            (place, getattr(Locations, name).__doc__ or "The folder for all your files.")
            for name, place in self.as_dict().items()
        ]

    def prepare(self) -> None:
        """Create the home folder, readable only by its owner. Raises UnusableHome."""
        try:
            self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise UnusableHome(
                f"The home folder {self.home} cannot be created ({error.strerror}); "
                "choose another with --home."
            ) from error
        if not os.access(self.home, os.R_OK | os.W_OK | os.X_OK):
            raise UnusableHome(
                f"The home folder {self.home} cannot be written to; choose another with --home."
            )


def locate(home: Path | None = None, environ: Mapping[str, str] = os.environ) -> Locations:
    """The given home folder, else $KIBITZ_HOME, else ~/.kibitz.

    If there is no ~/.kibitz but a folder $XDG_DATA_HOME/kibitz, that one is used instead.
    """
    named = environ.get("KIBITZ_HOME", "")
    try:
        if home is None:
            home = Path(named) if named else _usual_home(environ.get("XDG_DATA_HOME", ""))
        return Locations(home.expanduser().absolute())
    except RuntimeError as error:
        raise UnusableHome("There is no home directory; give a folder with --home.") from error


def _usual_home(data_folder: str) -> Path:
    usual = Path("~/.kibitz").expanduser()
    among_data = Path(data_folder or "~/.local/share").expanduser() / "kibitz"
    return among_data if among_data.is_dir() and not usual.exists() else usual


def rules_page(game: str) -> str:
    """The rules page of a game, in Markdown."""
    from importlib.resources import files

    package, _, name = GAME_ROWS[game].page_path.partition(":")
    return files(package).joinpath(name).read_text(encoding="utf-8")
