"""How even a table is, from the measured strengths of its agents."""

from collections.abc import Mapping, Sequence
from typing import Final

from agents.evaluation.ratings import chance_against, rival_of
from agents.evaluation.strengths import STANDARD, chances, is_measured
from agents.registry import title_of
from app.match.seating import PERSON, seat_count
from engine.game import Game, OptionValue

_OF: Final = 10
"""Chances are told as so many matches of this number."""


def chance_of_person(
    game: Game, seats: Sequence[str], options: Mapping[str, OptionValue], level: str = STANDARD
) -> float:
    """The chance to win of the first person's side. Raises ValueError for seats that do not fit
    the options.

    level   the agent that plays as well as the persons
    """
    if len(seats) != seat_count(game, options):
        raise ValueError(f"{len(seats)} players do not fit these options.")
    sides = game.new(0, None, None, **options).sides
    players = [level if player == PERSON else player for player in seats]
    mine = next(at for at, side in enumerate(sides) if seats.index(PERSON) in side)
    return chances(game.name, players, sides)[mine]


def chance_with_rating(
    game: Game, seats: Sequence[str], options: Mapping[str, OptionValue], rating: float
) -> float | None:
    """The chance of a person with this rating to win. None unless there is one person and all
    agents have ratings. Raises ValueError for seats that do not fit the options."""
    if len(seats) != seat_count(game, options):
        raise ValueError(f"{len(seats)} players do not fit these options.")
    if seats.count(PERSON) != 1:
        return None
    sides = game.new(0, None, None, **options).sides
    rival = rival_of(game.name, seats, sides, seats.index(PERSON))
    return None if rival is None else chance_against(rival, rating)


def evenness(
    game: Game,
    seats: Sequence[str],
    options: Mapping[str, OptionValue],
    rating: float | None = None,
) -> str:
    """`If you play as well as Hard, you win about 4 of 10 matches.` Empty without a person.

    rating   of the person, if it is known: `You win about 5 of 10 matches.`

    Raises ValueError for seats that do not fit the options.
    """
    if PERSON not in seats:
        return ""
    unknown = [
        name for name in dict.fromkeys(seats) if name != PERSON and not is_measured(game.name, name)
    ]
    if unknown:
        return f"It is not known how well {' and '.join(unknown)} play{_s(unknown)}."
    own = None if rating is None else chance_with_rating(game, seats, options, rating)
    if own is not None:
        return f"You win {_how_many(own)} matches, by your rating of {rating:.0f}."
    how_many = _how_many(chance_of_person(game, seats, options))
    return f"If you play as well as {title_of(game.name, STANDARD)}, you win {how_many} matches."


def _how_many(chance: float) -> str:
    won = _OF * chance
    if won < 0.5:
        return "hardly any"
    return "almost all" if won > 9.5 else f"about {won:.0f} of {_OF}"


def _s(names: Sequence[str]) -> str:
    return "s" if len(names) == 1 else ""
