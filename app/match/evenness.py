"""How even a table is, from the measured strengths of its agents."""

from collections.abc import Mapping, Sequence
from typing import Final

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


def evenness(game: Game, seats: Sequence[str], options: Mapping[str, OptionValue]) -> str:
    """`If you play as well as Hard, you win about 4 of 10 matches.` Empty without a person.

    Raises ValueError for seats that do not fit the options.
    """
    if PERSON not in seats:
        return ""
    unknown = [
        name for name in dict.fromkeys(seats) if name != PERSON and not is_measured(game.name, name)
    ]
    if unknown:
        return f"It is not known how well {' and '.join(unknown)} play{_s(unknown)}."
    won = _OF * chance_of_person(game, seats, options)
    how_many = "almost all" if won > 9.5 else f"about {won:.0f} of {_OF}"
    if won < 0.5:
        how_many = "hardly any"
    return f"If you play as well as {title_of(game.name, STANDARD)}, you win {how_many} matches."


def _s(names: Sequence[str]) -> str:
    return "s" if len(names) == 1 else ""
