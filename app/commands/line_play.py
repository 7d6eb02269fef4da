"""A match over JSON lines: another program plays the seats of persons."""

import sys
from typing import TextIO

from agents.protocols.lines import BadAnswer, error_line, parse_answer, question_line, result_line
from agents.storage.store import Store, StoreError
from app.home.locations import Locations
from app.home.output import say
from app.match.dealing import deal
from app.match.seating import TablePlan
from engine.game import OVER


def play_by_lines(
    plan: TablePlan,
    locations: Locations,
    questions: TextIO | None = None,
    answers: TextIO | None = None,
) -> None:
    """Play a match to its end with one question and one answer per line.

    Uses the standard streams by default.
    """
    questions, answers = questions or sys.stdout, answers or sys.stdin
    store = Store(locations.qtables)
    match = deal(plan, store, rotates_start=False).match
    state = match.state
    while state.turn != OVER:
        if match.players[state.turn] is not None:
            match.step(match.decide().action)
            continue
        view, legal = state.view(state.turn), state.legal()
        while True:
            say(question_line(plan.game, view, legal), file=questions)
            line = answers.readline()
            if not line:
                raise ValueError("The answers ended before the match was over.")
            try:
                action = parse_answer(line, view, legal)
                break
            except BadAnswer as mistake:
                say(error_line(str(mistake)), file=questions)
        match.step(action)
    say(result_line(plan.game, state.scores(), state.returns()), file=questions)
    try:
        for learner in {learner for _, learner in match.learners}:
            store.save(learner)
    except StoreError as error:
        store.notices.append(str(error))
    for sentence in store.notices:
        say(sentence, file=sys.stderr)
