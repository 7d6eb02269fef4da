"""`matched` in a seat: an agent that gives the person an even match, by rating."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from agents.evaluation.ratings import ladder
from agents.registry import agents_for
from agents.roster import LEVEL_NAMES
from app.match.evenness import chance_with_rating
from app.match.seating import MATCHED, PERSON, TablePlan, default_seats, find_game
from app.records.history import History
from app.records.personal_rating import PersonalRating, known_ratings, newcomer

_OTHERS: Final = ("easy", "hard", "search")
"""Agents besides the levels that may be chosen."""


def candidates(game: str) -> list[str]:
    """The agents that `matched` chooses from, weakest first. They never learn, so that a match
    stays even."""
    return [name for name in reversed(ladder(game)) if name in (*LEVEL_NAMES, *_OTHERS)]


def rating_in(game: str, ratings: Mapping[str, PersonalRating]) -> float:
    """The person's rating, or that of a newcomer."""
    return ratings[game].now.rating if game in ratings else newcomer(game).rating


def matched_agent(plan: TablePlan, ratings: Mapping[str, PersonalRating]) -> str:
    """The agent for all matched seats of a table: with it in these seats, the chance to win is
    closest to an equal share. At a table without such chances, the agent whose own rating is
    closest. A game without a ladder gives the agent of a newcomer's table."""
    game = find_game(plan.game, plan.options)
    known = ladder(game.name)
    own = rating_in(game.name, ratings)
    if not known:
        usual = default_seats(game, len(plan.seats), watch=False)
        return usual[plan.seats.index(MATCHED)].replace(PERSON, next(iter(agents_for(game.name))))
    even = 1 / len(game.new(0, None, None, **plan.options).sides)

    def distance(agent: str) -> float:
        seats = [agent if name == MATCHED else name for name in plan.seats]
        chance = chance_with_rating(game, seats, plan.options, own)
        if chance is None:
            # Farther than any chance, and in the order of the distances of ratings.
            return 1 + abs(known[agent].points - own)
        return abs(chance - even)

    return min(candidates(game.name), key=distance)


def seated(plan: TablePlan, history: History) -> TablePlan:
    """The plan with agents in the matched seats."""
    if MATCHED not in plan.seats:
        return plan
    agent = matched_agent(plan, known_ratings(history))
    seats = tuple([agent if name == MATCHED else name for name in plan.seats])
    return replace(plan, seats=seats)
