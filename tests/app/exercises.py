"""Exercises for tests: positions after a few moves, with invented values."""

from agents.agent import Scale
from app.match.seating import PERSON, Seating, plan_table
from app.records.journal import MatchSetup
from app.records.practice_book import PracticeBook
from app.study.collection import stored
from app.study.exercises import Exercise, Solution, Source
from engine import GAMES

REASON = "Because it is good."


def exercise(
    game: str = "truco",
    seed: int = 5,
    source: Source = Source.OWN,
    costs: float = 0.2,
    shares: tuple[float, ...] = (),
    weighed: bool = True,
) -> Exercise:
    """The first decision of the person in a match in which everyone makes the first legal move.
    The first move is the best one.

    costs    what every move costs in comparison with the one before
    shares   how often an expert makes the first moves
    """
    plan = plan_table(game, [PERSON, *["hard"] * (len(plan_table(game).seats) - 1)])
    options = GAMES[game].make_options({}).as_dict()
    started = "2026-11-01T10:00:00+00:00"
    names = Seating.of(plan).names
    setup = MatchSetup(game, options, seed, None, plan.seats, names, started=started)
    state, before = setup.deal(), []
    while state.turn != 0 or len(state.legal()) < 2:
        before.append(state.label(state.legal()[0]))
        state.apply(state.legal()[0])
    labels = [state.label(action) for action in state.legal()]
    values = {label: round(0.9 - costs * place, 4) for place, label in enumerate(labels)}
    often = dict(zip(labels, shares, strict=False)) if shares else None
    solution = Solution("search", labels[0], values, Scale.CHANCE, "chance", REASON, often)
    return Exercise(setup, tuple(before), labels[-1], source, solution if weighed else None)


def keep(book: PracticeBook, *exercises: Exercise) -> None:
    book.add_exercises([stored(each) for each in exercises])
