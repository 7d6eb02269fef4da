"""Practice: one decision at the real table, then what every move is worth."""

import asyncio
from dataclasses import replace
from datetime import datetime

from textual import on, work
from textual.binding import Binding
from textual.content import Content
from textual.message import Message

from agents.match import Match
from agents.storage.store import Store
from app.match.loop import TableLoop
from app.match.moment import NOBODY, Moment, Thought
from app.match.pace import Clock
from app.match.past import Past
from app.records.history_file import HistoryError
from app.records.practice_book import PracticeBook
from app.records.practice_rows import Attempt
from app.study.advice import Adviser
from app.study.exercises import Grade, Position, Result, Solution, Source
from app.study.practice import Session
from app.ui.layout.pictures import Choice
from app.ui.screens.play import PlayScreen
from app.ui.screens.requests import NextExercise
from app.ui.screens.table_keys import (
    BACK_KEY,
    LAST_TRICK,
    LEAVE,
    LOG,
    PAGE,
    RULES,
    SCORES,
    TAKE_KEY,
    WHY,
    place_bindings,
)
from app.ui.widgets.panel import TABS
from app.ui.widgets.status import Status
from app.ui.widgets.why import cost_words, percent_words, reason_sentence, thought_parts

_FILTER_KEY = "practice.game"
_SKIP_KEY = "practice.skip"
_GRADES = {Grade.RIGHT: "Right", Grade.NEARLY: "Nearly right", Grade.WRONG: "Not the best"}
_COLOURS = {Grade.RIGHT: "$success", Grade.NEARLY: "$warning", Grade.WRONG: "$error"}
_BEST, _OWN, _BOTH = "best", "you", "you, best"


class PracticeScreen(PlayScreen, inherit_bindings=False):
    """The keys of the table answer. Nothing is said about the moves before that."""

    confirms_leaving = False
    tabs = {name: TABS[name] for name in ("why", "log", "scores")}
    BINDINGS = [
        *place_bindings(show=True),
        LEAVE,
        Binding("tab", "game", "Game", key_display="Tab", id=_FILTER_KEY),
        WHY,
        LAST_TRICK,
        SCORES,
        RULES,
        LOG,
        *PAGE,
        Binding("space", "mark", "Mark", show=False, id="play.mark"),
        Binding("S", "skip", "Skip", show=False, id=_SKIP_KEY),
    ]

    class Weighed(Message):
        """The moves have been weighed, or that has failed."""

        def __init__(self, solution: Solution | None, problem: str = "") -> None:
            super().__init__()
            self.solution = solution
            self.problem = problem

    def __init__(
        self,
        position: Position,
        session: Session,
        book: PracticeBook,
        store: Store,
        ascii_only: bool,
        clock: Clock | None = None,
    ) -> None:
        self._position = position
        self._exercise = position.exercise
        super().__init__(self._exercise.setup.plan(0.0), store, ascii_only, clock)
        self.session = session
        self._book = book
        self._chosen: int | None = None
        """The answer, from when it is given."""
        self._solution = self._exercise.solution
        self._problem = ""
        self.result: Result | None = None
        """None until the answer is judged."""
        self._thought: Thought | None = None

    # The table

    async def play_matches(self) -> None:
        """Show the position. The match stops at the question: no agent is at the table."""
        if self._solution is None:
            self.run_worker(self._weigh, thread=True, exit_on_error=False)
        exercise, position = self._exercise, self._position
        seed = exercise.setup.seed
        seats = len(exercise.setup.players)
        match = Match(exercise.setup.deal(), [None] * seats, seed, record=True, played=0)
        adviser = Adviser(self.plan.game, seed, self.plan.seats)
        past = Past(position.actions)
        loop = TableLoop(match, seed, self.table, adviser, self, None, 0.0, self._clock, None, past)
        loop.asks_next = True
        await loop.replay_past()
        self.loop = loop
        await loop.run()

    def show(self, moment: Moment) -> None:
        """Show the question. After the answer, nobody is asked any more."""
        if self._chosen is not None:
            moment = replace(moment, asked=NOBODY, legal=())
        super().show(moment)

    def _choose(self, *actions: int) -> None:
        if self._chosen is None and self.moment is not None and actions[0] in self.moment.legal:
            self._chosen = actions[0]
            self._judge()

    # The answer

    def _weigh(self) -> None:
        """Weigh the moves in a thread, while the person thinks."""
        position, setup = self._position, self._exercise.setup
        state = position.state
        try:
            adviser = Adviser(setup.game, setup.seed, setup.players)
            view = state.view(state.turn)
            thought = adviser.weigh(view, state.legal(), len(position.actions))
            self.post_message(self.Weighed(Solution.of(thought)))
        except Exception as error:
            self.post_message(self.Weighed(None, f"The moves cannot be weighed ({error})."))

    @on(Weighed)
    def _weighed(self, event: Weighed) -> None:
        self._solution, self._problem = event.solution, event.problem
        if self._chosen is not None:
            self._judge()

    def _judge(self) -> None:
        """Judge the answer as soon as the moves are weighed."""
        if self._chosen is not None and self._solution is not None and self.result is None:
            self._thought = self._position.thought(self._solution)
            self.result = self._position.judge(self._solution, self._chosen)
            self._remember(self.result)
            self.add_class("-panel")
        if self.moment is not None:
            self.show(self.moment)

    def _remember(self, result: Result) -> None:
        exercise = self._exercise
        move = self._position.state.label(result.action)
        today = self.session.practice.today
        answer = Attempt(exercise.game, exercise.key, today, result.grade.value, move)
        self.session.answered(answer)
        self._keep(answer)

    @work(exit_on_error=False)
    async def _keep(self, answer: Attempt) -> None:
        try:
            await asyncio.to_thread(self._book.add_answers, [answer])
        except HistoryError as error:
            self.notice(f"{error} This answer is not kept.")

    # Sentences

    def _status(self, moment: Moment) -> list[Status.Line]:
        (title, score, _), (facts, middle, _) = super()._status(moment)
        counts = Content.styled(f"{self.session.words()} ", "dim")
        return [
            (Content.assemble((" Practice ·", "bold"), title), score, counts),
            (facts, middle, Content.styled(f"{self._origin()} ", "dim")),
        ]

    def _origin(self) -> str:
        exercise = self._exercise
        if exercise.source is Source.OWN:
            day = datetime.fromisoformat(exercise.setup.started).date()
            return f"your match of {day.isoformat()}"
        return "agents' match" if exercise.source is Source.AGENTS else "another player's match"

    def _prompt(self, moment: Moment) -> str:
        if self._chosen is None:
            return super()._prompt(moment)
        if self.result is None:
            return self._problem or "Search is weighing the moves …"
        return self._told(self.result)

    def _told(self, result: Result) -> str:
        """How good the answer is, and what happened in the match."""
        sentences = [f"{self._grade(result)}.", self._best(result), self._in_match(result)]
        return " ".join([each for each in sentences if each])

    def _grade(self, result: Result) -> str:
        grade, own = _GRADES[result.grade], self._words(result.action)
        if result.share is not None and result.grade is Grade.RIGHT:
            return f"{grade}: experts {own} {percent_words(result.share)} of the time"
        if result.cost:
            return f"{grade}: {own} costs {cost_words(result.cost, result.scale)}"
        return f"{grade}: {own}" if result.cost is not None else f"{grade}: {own} was not weighed"

    def _best(self, result: Result) -> str:
        if self._thought is None or result.grade is Grade.RIGHT:
            return ""
        return f"Best is {self._words(self._thought.decision.action)}."

    def _in_match(self, result: Result) -> str:
        played = self._position.played
        if played is None:
            return ""
        who = "you" if self._exercise.source is Source.OWN else "the player"
        if played == result.action:
            return f"So did {who} in the match."
        return f"In the match {who} chose {self._words(played)}."

    def _words(self, action: int) -> str:
        return self.table.move_words(self._position.state.view(self._position.seat), action)

    def _why(self, moment: Moment) -> Content:
        thought, result = self._thought, self.result
        if thought is None or result is None:
            return Content("The values of all moves appear here when you have answered.")
        best = thought.decision.action
        marks = {result.action: _OWN, best: _BOTH if best == result.action else _BEST}
        width = max(35, min(self._panel_room, 72))
        reason = reason_sentence(self.table, thought)
        parts = [
            (f"{_GRADES[result.grade]}\n", f"bold {_COLOURS[result.grade]}"),
            f"{reason}\n\n" if reason else "",
            *thought_parts(self.table, thought, width, marks),
        ]
        if thought.worth is not None:
            worth = replace(thought, decision=thought.worth)
            parts += ["\n\n", *thought_parts(self.table, worth, width, marks)]
        return Content.assemble(*parts)

    # Keys

    def choices(self) -> list[Choice]:
        if self._chosen is None:
            return super().choices()
        if self.result is None and not self._problem:
            return []
        found = [Choice("Next exercise", command="next", key=TAKE_KEY)]
        return [*found, Choice("Back", command="back", key=BACK_KEY)]

    def action_take(self) -> None:
        if self._chosen is None:
            super().action_take()
        elif self.result is not None or self._problem:
            self.action_next()

    def action_next(self) -> None:
        self.post_message(NextExercise(self.session))

    def action_skip(self) -> None:
        """Leave this exercise out until Practice is opened again."""
        if self._chosen is None:
            self.session.leave_out(self._exercise)
        self.action_next()

    def action_game(self) -> None:
        """Practise only the next game."""
        self.session.next_game()
        self.action_next()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "last_trick" or self.table.has_tricks
