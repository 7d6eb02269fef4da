"""What the coach says about a match, in sentences."""

from collections.abc import Sequence

from app.records.match_report import MatchReport
from app.study.skill import Skill, level
from app.ui.layout.wording import counted, minus

_SMALL = 0.005
"""Luck below half a percentage point is none."""


def skill_words(skill: Skill | MatchReport) -> str:
    """`Advanced: 1.2 percentage points lost per decision that mattered (25 of 40), accuracy …`"""
    if not skill.mattered or not skill.at_stake or skill.accuracy is None:
        return "No decision mattered."
    word = level(skill.lost / skill.at_stake).capitalize()
    each = 100 * skill.lost / skill.mattered
    points = "" if skill.points is None else f", {skill.points:.1f} points in all"
    return (
        f"{word}: {each:.1f} percentage points lost per decision that mattered "
        f"({skill.mattered} of {skill.decisions}{points}), accuracy {skill.accuracy:.0f} %."
    )


def luck_words(luck: float) -> str:
    """`The cards gave you 12 percentage points`."""
    if abs(luck) < _SMALL:
        return "The cards gave you nothing and cost you nothing"
    verb = "gave you" if luck > 0 else "cost you"
    return f"The cards {verb} {amount(abs(luck))}"


def amount(chance: float) -> str:
    """`1 percentage point`, `12 percentage points`."""
    return counted(round(100 * chance), "percentage point", "percentage points")


def extremes_words(word: str, numbers: Sequence[int], lucks: Sequence[float]) -> str:
    """`Luckiest: hand 3 (+9), unluckiest: hand 7 (−11).`"""
    best, worst = [
        f"{word} {number} ({luck:+.0%})" for number, luck in zip(numbers, lucks, strict=True)
    ]
    return minus(f"Luckiest: {best}, unluckiest: {worst}.").replace("%", "")


def adjusted_words(result: float, luck: float) -> str:
    """`without luck you win 88 % of such matches`. The estimate for one match may lie beyond
    certainty."""
    adjusted = result - luck
    if not 0 < adjusted < 1:
        return f"without luck you would have {'won' if adjusted > 0 else 'lost'}"
    return f"without luck you win {100 * adjusted:.0f} % of such matches"


def short_words(report: MatchReport) -> str:
    """One line about a match: `coach: advanced, accuracy 91 %, luck +12, without luck 88 %`."""
    parts = []
    waste = report.waste
    if waste is not None and report.accuracy is not None:
        parts = [level(waste), f"accuracy {report.accuracy:.0f} %"]
    parts += [
        f"luck {100 * report.total_luck:+.0f}",
        f"without luck {100 * min(max(report.adjusted, 0), 1):.0f} %",
    ]
    return minus(", ".join(parts))
