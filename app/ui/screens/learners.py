"""Named learners in the Lab and on the stage: small forms, and what the Lab does with them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from textual.widget import Widget

from agents.named_learners import check_free
from agents.names import own_name
from agents.registry import AgentSpec, spec_of
from agents.storage.store import Store
from app.lab import named
from app.lab.parameters import Parameter
from app.ui.screens.desk import Desk
from app.ui.screens.lab_forms import LabForm, parameter_rows, parameter_values
from app.ui.screens.question import Answer, Question
from app.ui.widgets.form import Field, row
from app.ui.widgets.learner_rows import NAME_HELP
from engine import GAMES


class NameForm(LabForm[str]):
    """Asks for the name of a learner. Returns it in full, such as `q:rosa`."""

    def __init__(
        self, title: str, start: str, game: str, agent: str, store: Store, own: str = ""
    ) -> None:
        """own: offered, and allowed even if there is a learner with this name."""
        super().__init__(title, start)
        self._game = game
        self._agent = agent
        self._store = store
        self._own = own

    def rows(self) -> Sequence[Widget]:
        return [row("Name", Field(self._own, compact=True, id="name"), NAME_HELP)]

    def answer(self) -> str:
        name = named.full_name(self._agent, self.text("name"))
        if not self._own or own_name(name) != self._own:
            check_free(self._game, name, self._store)
        return name


class ForkForm(LabForm[tuple[str, dict[str, float], dict[str, float]]]):
    """Asks for a name and for the settings and rewards of a learner that starts from what another
    one knows now."""

    def __init__(self, game: str, agent: str, store: Store, known: list[Parameter]) -> None:
        super().__init__(f"Fork · {GAMES[game].title}", "Fork", long=True)
        self._game = game
        self._agent = agent
        self._store = store
        self._parameters = known

    def rows(self) -> Sequence[Widget]:
        help = f"The new learner knows what this one knows now. {NAME_HELP}"
        return [
            row("Name", Field(compact=True, id="name"), help),
            *parameter_rows(self._parameters),
        ]

    def answer(self) -> tuple[str, dict[str, float], dict[str, float]]:
        name = named.full_name(self._agent, self.text("name"))
        check_free(self._game, name, self._store)
        return name, *parameter_values(self, self._parameters, only_changed=False)


class FileForm(LabForm[Path]):
    """Asks for the file of an exported learner."""

    def __init__(self, title: str, path: Path) -> None:
        super().__init__(title, "Export")
        self._path = path

    def rows(self) -> Sequence[Widget]:
        help = "One file with its values, settings, rewards, curve and generations."
        return [row("To file", Field(str(self._path), compact=True, id="file"), help)]

    def answer(self) -> Path:
        path = _path(self.text("file"))
        if path.exists():
            raise ValueError(f"{path.name} exists already; choose another file.")
        return path


class ImportForm(LabForm[tuple[Path, str]]):
    """Asks for a file with a learner and for its name. The name may be empty."""

    def __init__(self, folder: Path) -> None:
        super().__init__("Import a learner", "Import")
        self._folder = folder

    def rows(self) -> Sequence[Widget]:
        return [
            row(
                "From file",
                Field(f"{self._folder}/", compact=True, id="file"),
                "A file from Export. It is checked first, and it cannot start anything.",
            ),
            row(
                "Name",
                Field(placeholder="as in the file", compact=True, id="name"),
                f"Leave it empty for the name in the file. {NAME_HELP}",
            ),
        ]

    def answer(self) -> tuple[Path, str]:
        path = _path(self.text("file"))
        if not path.is_file():
            raise ValueError(f"There is no file {path}.")
        return path, self.text("name")


def _path(text: str) -> Path:
    if not text:
        raise ValueError("Enter the name of a file.")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:
        raise ValueError("There is no such home directory; name the file in full.") from error


class LearnerDesk(Desk):
    """Renames, copies, deletes, exports and imports learners."""

    def open(self, game: str, agent: str) -> None:
        """Ask what to do with an agent."""
        spec = spec_of(game, agent)
        if spec is None:
            return
        answers = [Answer("import", "i", "Import")] if not self.web else []
        if spec.learns:
            answers = [Answer("copy", "c", "Copy"), Answer("export", "x", "Export"), *answers]
        if own_name(agent):
            answers = [Answer("rename", "r", "Rename"), Answer("delete", "d", "Delete"), *answers]
        sentence = f"{spec.title} at {GAMES[game].title}. What would you like to do?"
        if spec.learns and not own_name(agent):
            sentence += " A copy gets its own name, settings and curve."

        def answered(answer: str | None) -> None:
            if answer is not None:
                self._do(answer, game, spec)

        self.app.push_screen(Question(sentence, answers), answered)

    def _do(self, what: str, game: str, spec: AgentSpec) -> None:
        agent, laboratory = spec.name, self.laboratory
        store, history = laboratory.store, laboratory.history
        if what in ("rename", "delete") and laboratory.trains(game, agent):
            self.notify(f"{spec.title} is being trained; stop the training first.", failed=True)
        elif what == "rename":
            self._ask_name(
                "Rename", game, spec, lambda new: named.rename(game, agent, new, store, history)
            )
        elif what == "copy":
            self._ask_name("Copy", game, spec, lambda new: named.copy(game, agent, new, store))
        elif what == "delete":
            self._ask_deletion(game, spec)
        elif what == "export":
            self._export(game, spec)
        elif what == "import":
            self.app.push_screen(ImportForm(laboratory.exports), self._import)

    def _ask_name(self, what: str, game: str, spec: AgentSpec, act: Callable[[str], str]) -> None:
        def answered(name: str | None) -> None:
            if name is not None:
                self.run(lambda: act(name))

        title = f"{what} · {spec.title} · {GAMES[game].title}"
        form = NameForm(title, what, game, spec.name, self.laboratory.store)
        self.app.push_screen(form, answered)

    def _ask_deletion(self, game: str, spec: AgentSpec) -> None:
        laboratory = self.laboratory

        def answered(answer: str | None) -> None:
            if answer is not None:
                self.run(
                    lambda: named.delete(game, spec.name, laboratory.store, laboratory.history)
                )

        sentence = (
            f"Delete {spec.title} at {GAMES[game].title} for good, with all it has learned, its "
            "curve and its generations?"
        )
        self.app.push_screen(Question(sentence, [Answer("delete", "y", "Delete")]), answered)

    def _export(self, game: str, spec: AgentSpec) -> None:
        path = named.export_path(game, spec.name, self.laboratory.exports)
        store = self.laboratory.store

        def download() -> str:
            named.export(game, spec.name, path, store, replace=True)
            self.app.call_from_thread(self.app.deliver_binary, path)
            return f"{spec.title} is downloaded as {path.name}."

        def export_to(path: Path | None) -> None:
            if path is not None:
                self.run(lambda: named.export(game, spec.name, path, store))

        if self.web:
            # A visitor in a browser must not choose files on the server's disk.
            self.run(download)
            return
        title = f"Export · {spec.title} · {GAMES[game].title}"
        self.app.push_screen(FileForm(title, path), export_to)

    def _import(self, answer: tuple[Path, str] | None) -> None:
        if answer is None:
            return
        path, own = answer

        def add() -> str:
            game, agent = named.import_file(path, own, False, self.laboratory.store)
            return f"{agent} is imported for {GAMES[game].title}."

        self.run(add)
