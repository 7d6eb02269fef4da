"""Tables with the learner from the stage."""

from app.match.seating import PERSON, TablePlan, default_seats, plan_table
from engine import GAMES


def table_with(game: str, agent: str, watch: bool, delay: float) -> TablePlan:
    """A table for a person against the agent, or of the agent against a strong one to watch."""
    state = GAMES[game].new(0, None, None)
    if watch:
        strong = default_seats(GAMES[game], state.seats, watch=True)[0]
        seats = [agent if seat in state.sides[0] else strong for seat in range(state.seats)]
    else:
        seats = [PERSON, *[agent] * (state.seats - 1)]
    return plan_table(game, seats, delay=delay, watch=watch)
