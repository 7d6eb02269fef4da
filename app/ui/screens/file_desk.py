"""Files of learners in the Lab: resetting one to its shipped state, exporting values and curves."""

from collections.abc import Sequence

from agents.registry import AgentSpec
from app.lab.export import export, export_curves
from app.lab.roster import Curve
from app.records.history import HistoryError
from app.study.knowledge import can_read
from app.ui.layout.wording import listed
from app.ui.screens.desk import Desk
from app.ui.screens.lab_forms import ExportAnswer, ExportForm, Part
from app.ui.screens.question import Answer, Question
from engine import GAMES


class FileDesk(Desk):
    """Resets learners, and writes what they know and how they learned to files."""

    def ask_reset(self, game: str, spec: AgentSpec) -> None:
        def answered(answer: str | None) -> None:
            if answer:
                self.run(lambda: self._reset(game, spec))

        sentence = (
            f"Reset {spec.title} at {GAMES[game].title} to its shipped state? "
            "What it has learned here is kept in a file under another name."
        )
        self.app.push_screen(Question(sentence, [Answer("reset", "y", "Reset")]), answered)

    def _reset(self, game: str, spec: AgentSpec) -> str:
        aside = self.laboratory.store.set_aside(game, spec.name)
        if aside is None:
            return f"{spec.title} has learned nothing here yet."
        try:
            self.laboratory.history.forget(game, spec.name)
        except HistoryError as error:
            self.app.call_from_thread(self.notify, str(error), True)
        return (
            f"{spec.title} is back to its shipped state. "
            f"What it had learned is kept as {aside.name}."
        )

    def ask_export(self, game: str, spec: AgentSpec, curves: Sequence[Curve]) -> None:
        parts = [Part.VALUES] if can_read(spec) else []
        if any(curve.points for curve in curves):
            parts.append(Part.CURVE)
        if not parts:
            self.notify(f"{spec.title} has neither values in words nor a curve to export.")
            return

        def answered(answer: ExportAnswer | None) -> None:
            if answer is not None:
                self.run(lambda: self._export(game, spec, curves, answer))

        exports = self.laboratory.exports
        if self.web:
            # A visitor in a browser must not choose folders on the server's disk.
            answered(ExportAnswer(exports, parts[0]))
        else:
            self.app.push_screen(ExportForm(game, spec, exports, parts), answered)

    def _export(
        self, game: str, spec: AgentSpec, curves: Sequence[Curve], answer: ExportAnswer
    ) -> str:
        if answer.part is Part.CURVE:
            paths = export_curves(game, spec.name, curves, answer.folder)
            what = f"The curve and the runs of {spec.title}"
        else:
            rows, *paths = export(game, spec.name, self.laboratory.store, answer.folder)
            what = f"{rows:,} values of {spec.title}"
        if self.web:
            text = next(path for path in paths if path.suffix == ".csv")
            self.app.call_from_thread(self.app.deliver_text, text)
            return f"{what} are downloaded as {text.name}."
        return f"{what} are in {answer.folder}: {listed([path.name for path in paths])}."
