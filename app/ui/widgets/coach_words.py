"""What the coach says about a match, in sentences."""

from collections.abc import Sequence

from textual.content import Content

from agents.agent import Scale
from app.records.match_report import MatchReport
from app.study.commentary import Commentary, Remark
from app.study.skill import Skill, level
from app.ui.layout.wording import counted, minus
from app.ui.widgets.why import MoveNames, cost_words

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


def remark_words(table: MoveNames, remark: Remark) -> str:
    """`Coach: this cost 3.2 percentage points; better: pass.` Empty if no person had a choice."""
    if remark.seat is None:
        return ""
    mistake, view = remark.mistake, remark.view
    if mistake is None or view is None:
        return "Coach: this cost nothing."
    cost = cost_words(mistake.cost, Scale.CHANCE)
    return f"Coach: this cost {cost}; better: {table.move_words(view, remark.best)}."


def new_cards_words(luck: float | None, whose: str) -> str:
    """`The new cards raise your chance to win by 4 percentage points.` Empty if they do not.

    whose   `your`, or a name with an s
    """
    if luck is None or abs(luck) < _SMALL:
        return ""
    verb = "raise" if luck > 0 else "lower"
    return f"The new cards {verb} {whose} chance to win by {amount(abs(luck))}."


def commentary_text(table: MoveNames, commentary: Commentary, at: int) -> Content:
    """The reports in words, then all mistakes.

    at   how many actions came before the one that is shown
    """
    parts: list[tuple[str, str] | str] = []
    for report in commentary.reports:
        name = f"{table.seating.names[report.seat]}: " * (len(commentary.reports) > 1)
        parts += [("Skill", "bold $text-accent"), f"  {name}{skill_words(report)}\n"]
        words = (
            f"{luck_words(report.total_luck)}; {adjusted_words(report.result, report.total_luck)}."
        )
        parts += [("Luck", "bold $text-accent"), f"  {words}\n"]
    if not commentary.mistakes:
        parts.append("\nNo move gave anything away that mattered.")
    else:
        parts.append(("\nWhat moves gave away, in percentage points\n", "bold"))
    for remark in commentary.mistakes:
        mistake, view = remark.mistake, remark.view
        if mistake is None or view is None:
            continue
        here = mistake.number == at
        played, best = [table.move_words(view, move) for move in (remark.played, remark.best)]
        line = f"{'▸' if here else ' '} {100 * mistake.cost:4.1f}  move {mistake.number + 1}: "
        parts.append((f"{line}{played}; better: {best}\n", "bold" if here else ""))
    return Content.assemble(*parts)


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
