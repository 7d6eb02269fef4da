"""The learning tab: how the learners at the table stand, and what they have just learned."""

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from textual.content import Content
from textual.geometry import Size

from agents.agent import Lesson
from agents.registry import spec_of
from app.match.moment import LearnerStatus
from app.match.seating import Seating
from app.ui.widgets.spark import blocks, spark

_LABEL_WIDTH: Final = 18
_VALUE_WIDTH: Final = 8
_LEAST_PLOT: Final = 6
_PLOT_HEIGHTS: Final = ((46, 4), (36, 3), (28, 2))
"""From so many lines of the panel on, a plot is so high. In a lower panel it is one line."""

_GROUPS: Final = 10
"""Matches that one bar of wins stands for, at most."""

_LOW: Final = 20
"""A panel with fewer lines shows an update before the counts."""

_LEAST_STEP: Final = 0.001

NO_LEARNER: Final = "No learner sits at this table. Seat Q at a new table to see one learn."


class Plotted(NamedTuple):
    """A figure over time. low, high: the limits of the scale; None for those of the values."""

    label: str
    value: str
    values: Sequence[float]
    low: float | None = None
    high: float | None = None


def learning_text(
    game: str,
    learners: Sequence[LearnerStatus],
    seating: Seating,
    room: Size,
    chosen: int = 0,
) -> Content:
    """The statistics of every learner at the table.

    room     for the text; more room shows higher plots and more updates
    chosen   how many updates the marked one is before the latest
    """
    if not learners:
        return Content(NO_LEARNER)
    height = room.height // len(learners)
    width = max(_LABEL_WIDTH + _VALUE_WIDTH + _LEAST_PLOT, room.width)
    texts = [
        _learner_text(game, each, seating, width, height, chosen if not number else -1)
        for number, each in enumerate(learners)
    ]
    return Content("\n\n").join(texts)


def _learner_text(
    game: str, learner: LearnerStatus, seating: Seating, width: int, height: int, chosen: int
) -> Content:
    stats = learner.stats
    player = seating.players[learner.seats[0]]
    spec = spec_of(game, player)
    about = Content.styled(f"{spec.title} {spec.summary}." if spec else "", "dim")
    high = next((rows for least, rows in _PLOT_HEIGHTS if height >= least), 1)
    head = [
        Content.styled(f"{seating.together(learner.seats)} · {player}", "bold"),
        *(about.wrap(width) if about.plain else []),
        Content(),
    ]
    for figure in _figures(learner):
        head += _plot(figure, width, high)
    texts = [
        ("moves made", f"{stats.total_actions:,}"),
        ("tried at random", f"{stats.exploration_actions:,}"),
        ("updates", f"{stats.updates:,}"),
        ("matches won", f"{stats.wins:,.10g} of {stats.games:,}"),
    ]
    if not learner.lessons:
        texts.append(("last reward", _reward(stats.last_reward, stats.last_reason)))
    counts: list[Content] = []
    for label, value in texts:
        first, *others = wrap(value, width - _LABEL_WIDTH) or [""]
        counts.append(Content(f"{label:<{_LABEL_WIDTH}}{first}"))
        counts += [Content(f"{'':{_LABEL_WIDTH}}{line}") for line in others]
    lessons = _lessons(learner.lessons, width, height - len(head) - len(counts), chosen)
    if height < _LOW:
        # The point of an update is worth more than the counts, which one can scroll to.
        return Content("\n").join([*head, *lessons, *counts])
    return Content("\n").join([*head, *counts, *lessons])


def _figures(learner: LearnerStatus) -> list[Plotted]:
    stats, samples = learner.stats, learner.samples
    surprises = [sample.surprise for sample in samples]
    surprise = surprises[-1] if surprises else stats.mean_td_error
    figures = [
        Plotted("surprise (|TD|)", f"{surprise:.2f}", surprises, 0.0),
        Plotted("curiosity (ε)", f"{stats.epsilon:.3f}", [each.epsilon for each in samples], 0.0),
        Plotted(
            "situations known" if stats.size_unit == "situations" else stats.size_unit,
            f"{stats.table_size:,}",
            [each.situations for each in samples],
        ),
    ]
    if stats.recent:
        rate = sum(stats.recent) / len(stats.recent)
        wins = Plotted(
            f"wins, last {len(stats.recent)}", f"{100 * rate:.0f} %", _grouped(stats.recent), 0, 1
        )
        figures.insert(0, wins)
    return figures


def _grouped(results: Sequence[float]) -> list[float]:
    """The win rate of groups of matches, oldest first."""
    size = -(-len(results) // _GROUPS)
    parts = [results[at : at + size] for at in range(0, len(results), size)]
    return [sum(part) / len(part) for part in parts]


def _plot(figure: Plotted, width: int, high: int) -> list[Content]:
    """A figure and its plot: beside the value, or below it if there is room."""
    words = f"{figure.label:<{_LABEL_WIDTH}}{figure.value:<{_VALUE_WIDTH}}"
    if high == 1 or len(figure.values) < 2:
        plot = spark(figure.values, width - len(words), figure.low, figure.high)
        return [Content.assemble(words, (plot, "$text-primary"))]
    lines = blocks(figure.values, width, high, figure.low, figure.high)
    return [Content(words), *[Content.styled(line, "$text-primary") for line in lines]]


# Updates


def _lessons(lessons: Sequence[Lesson], width: int, height: int, chosen: int) -> list[Content]:
    """The latest updates, newest first, as many as fit; the marked one at least."""
    if not lessons:
        return []
    newest = list(reversed(lessons))
    at = min(max(0, chosen), len(newest) - 1)
    note = "[ ] turn  x explore" if newest[at].situation else "[ ] turn"
    title = Content.assemble("\n", ("latest updates", "bold"), (f"  {note}" * (chosen >= 0), "dim"))
    lines: list[Content] = [title]
    for number, lesson in enumerate(newest[at:]):
        text = lesson_text(lesson, marked=chosen >= 0 and not number)
        rows = text.wrap(width)
        if number and len(lines) + 1 + len(rows) > height:
            break
        lines += rows
    return lines


def lesson_text(lesson: Lesson, marked: bool = False) -> Content:
    """`▼ win cheaply, second to play: expected +4.12, got −10 and expects +2.00 next → now +3.59
    (step 0.10)`."""
    better = lesson.reward + lesson.later >= lesson.expected
    sign, colour = ("▲", "$text-success") if better else ("▼", "$text-error")
    where = f", {_uncapitalised(lesson.where).replace(': ', ' · ', 1)}" if lesson.where else ""
    return Content.assemble(
        (f"{sign} ", colour),
        (lesson.move, "bold italic" if marked else "italic"),
        f"{where}: expected {_number(lesson.expected)}, got {_got(lesson)}",
        (f" → {'now' if lesson.step else 'learns towards'} {_number(lesson.now)}", colour),
        (f" (step {_step(lesson.step)})" if lesson.step else "", "dim"),
    )


def _got(lesson: Lesson) -> str:
    reward = _number(lesson.reward) if lesson.reward % 1 else _signed(f"{lesson.reward:+.0f}")
    reasons = f" ({_counted(lesson.reasons)})" if lesson.reasons else ""
    if not round(lesson.later, 2):
        return f"{reward}{reasons}"
    later = _number(lesson.later)
    rest = f"expects {later} next" if lesson.predicts else f"{later} later"
    return f"{reward}{reasons} and {rest}"


def _step(step: float) -> str:
    if step < _LEAST_STEP:
        return f"under {_LEAST_STEP:g}"
    return f"{step:.2f}" if step >= 0.01 else f"{step:.1g}"


def _number(value: float) -> str:
    return _signed(f"{round(value, 2) + 0.0:+.2f}")


def _signed(text: str) -> str:
    return "0" if text in ("+0", "-0") else text.replace("-", "−")


def _uncapitalised(words: str) -> str:
    return words[:1].lower() + words[1:]


def _counted(reasons: Sequence[str]) -> str:
    """`5× trick won, hand won`."""
    times = Counter(reasons)
    return ", ".join([f"{count}× {what}" if count > 1 else what for what, count in times.items()])


def _reward(reward: float, reason: str) -> str:
    """`+25 5× trick won`; `reason` lists the rewarded events, separated by commas."""
    return f"{_signed(f'{reward:+g}')} {_counted(reason.split(', '))}" if reason else "none yet"
