"""When costly moves are pointed out before they are played."""

from dataclasses import replace
from typing import Final

from app.match.seating import TablePlan

FIRST_MATCHES: Final = 3
"""In so many matches of a game costly moves are pointed out, unless a person decides otherwise."""


def with_teaching(plan: TablePlan, setting: str, finished: int) -> TablePlan:
    """The plan with a decision about teaching. A plan that has one stays as it is.

    setting    one of `app.home.settings.TEACHING`, for a plan that leaves it open
    finished   how many matches of this game the person has finished
    """
    mode = plan.teaching or setting
    if mode != "first":
        decided = plan.teaching or {"always": "on", "never": "off"}[setting]
        return replace(plan, teaching=decided)
    alone = len(plan.persons) == 1
    first = alone and not plan.daily and finished < FIRST_MATCHES
    return replace(plan, teaching="on" if first else "off")


def told(plan: TablePlan, title: str, chosen: bool) -> str:
    """What a person reads at the start of a match with teaching.

    chosen   whether the person asked for it
    """
    what = "Teaching: before a costly move the table asks again."
    if chosen:
        return f"{what} This match is unrated."
    return f"{what} Your first {FIRST_MATCHES} matches of {title} are unrated."
