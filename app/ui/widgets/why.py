"""An agent's thoughts in bars and words: about its own move, or as a hint for yours."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from textual.content import Content

from agents.agent import Decision, Scale
from app.match.moment import Moment, Thought
from app.match.seating import Seating
from app.study.review import NEGLIGIBLE, RARE

WIDTH = 35
"""Columns for a bar with its words and number in the narrowest side panel."""

_WIDEST = 72
"""Longer bars are hard to compare with their numbers."""

ALWAYS = 0.995
"""A mixed strategy makes a move with a higher share practically always."""

FEW = 30
"""An agent that saw a situation fewer times than this knows little about it."""

_SHORTEST_BAR = 6
_NUMBER_WIDTH = 8

Part = str | tuple[str, str]


class MoveNames(Protocol):
    """Names the players and moves of a game (see `app.ui.tables.base.Table`)."""

    hand_word: str
    seating: Seating

    def move_words(self, view: Any, action: int) -> str: ...


def why_text(table: MoveNames, moment: Moment, number: int | None, room: int = WIDTH) -> Content:
    """The text of the panel.

    number   of the thought that is shown, as in `Thought.number`; None for the latest
    room     columns of the panel
    """
    width = min(max(WIDTH, room), _WIDEST)
    if moment.advice is not None and number is None:
        return Content.assemble(
            (f"Hint · {moment.advice.agent} on your move\n", "bold"),
            *thought_parts(
                table, moment.advice, width, reach=_reach(moment.advice, moment.thoughts)
            ),
        )
    secret = f"The moves of this {table.hand_word} are explained when it is over."
    if not moment.thoughts:
        return Content(secret if moment.withheld else "No agent has moved yet.")
    thoughts = moment.thoughts
    at = next((at for at, each in enumerate(thoughts) if each.number == number), -1)
    thought = thoughts[at]
    name = table.seating.names[thought.view.seat]
    place = thoughts.index(thought) + 1
    parts: list[Part] = [
        (f"{name} · {thought.agent}: {_words(table, thought, thought.decision.action)}\n", "bold"),
        (f"{table.hand_word} {thought.view.hand_no}, choice {place} of {len(thoughts)}", "dim"),
        ("  [ ] turn\n" if len(thoughts) > 1 else "\n", "dim"),
        *thought_parts(table, thought, width, reach=_reach(thought, thoughts)),
    ]
    if moment.withheld:
        parts.append((f"\n\n{secret}", "dim"))
    return Content.assemble(*parts)


def step_thought(moment: Moment, number: int | None, step: int) -> int | None:
    """The number of the thought `step` places later; None follows the latest."""
    numbers: list[int | None] = [thought.number for thought in moment.thoughts]
    if moment.advice is None:
        numbers = numbers[:-1]
    numbers.append(None)
    at = numbers.index(number) if number in numbers else len(numbers) - 1
    return numbers[min(max(0, at + step), len(numbers) - 1)]


def _reach(thought: Thought, others: Sequence[Thought]) -> float:
    """The largest absolute value of all thoughts about the same hand that mean the same."""
    hand, meaning = thought.view.hand_no, thought.decision.meaning
    same = [
        each.decision.scores
        for each in (thought, *others)
        if (each.view.hand_no, each.decision.meaning) == (hand, meaning)
    ]
    return max([abs(score) for scores in same for score in scores.values()], default=0.0)


def thought_parts(
    table: MoveNames,
    thought: Thought,
    width: int = WIDTH,
    marks: Mapping[int, str] | None = None,
    reach: float | None = None,
) -> list[Part]:
    """A bar for every move, the best first, with what the agent knows and notices.

    marks   text beside some moves; by default an arrow beside the chosen one
    reach   the value of the longest bar; by default the largest here. Shares reach to 100 %
    """
    decision = thought.decision
    if len(thought.legal) == 1:
        return ["There was no other move."]
    if not decision.scores:
        why = decision.meaning or "any legal move will do"
        return [f"It does not weigh its moves: {why}."]
    experience = _experience(decision)
    parts: list[Part] = [
        f"{experience}\n\n" if experience else "",
        (f"{decision.meaning}\n", "italic"),
    ]
    if decision.scale is not Scale.VALUE:
        reach = 1.0
    elif reach is None:
        reach = _reach(thought, ())
    parts += _bars(table, thought, width, marks or {decision.action: "◀"}, reach)
    if thought.situation:
        parts += [("\n\nWhat it notices\n", "dim"), f"{thought.situation}."]
    return parts


def _experience(decision: Decision) -> str:
    """How often the agent saw the situation, and whether it explored."""
    sentences = []
    if decision.seen == 0:
        sentences.append("It has never seen this position.")
    elif decision.seen is not None:
        few = f", fewer than {FEW}: it knows little" if decision.seen < FEW else ""
        times = "once" if decision.seen == 1 else f"{decision.seen:,} times"
        sentences.append(f"It has seen this {times}{few}.")
    if decision.explored:
        sentences.append("It tried a move at random, to learn.")
    return "\n".join(sentences)


def _words(table: MoveNames, thought: Thought, action: int) -> str:
    return table.move_words(thought.view, action)


def _bars(
    table: MoveNames, thought: Thought, width: int, marks: Mapping[int, str], reach: float
) -> list[Part]:
    """One line per move, or two if the words do not fit before the bar."""
    scores = thought.decision.scores
    moves = sorted(scores, key=lambda move: -scores[move])
    moves += [move for move in thought.legal if move not in scores]
    words = _shortened({move: _words(table, thought, move) for move in moves})
    longest = max(map(len, words.values()))
    room = width - _NUMBER_WIDTH - 1 - max(map(len, marks.values()))
    apart = longest + 1 > room - _SHORTEST_BAR
    if not apart:
        room -= longest + 1
    parts: list[Part] = []
    for line, move in enumerate(moves):
        style = "bold" if move in marks else ""
        before = f"{words[move]}\n" if apart else f"{words[move]:<{longest}} "
        parts += ["\n" if line else "", (before, style)]
        if move not in scores:
            parts.append((f"not weighed {marks.get(move, '')}", "dim"))
            continue
        bar, style_of_loss = bar_from_zero(scores[move], reach, room)
        number = number_words(scores[move], thought.decision.scale)
        parts += [
            (f"{bar:<{room}}", style_of_loss or ("$success" if move in marks else "$primary")),
            (f"{number:>{_NUMBER_WIDTH}} {marks.get(move, '')}", style),
        ]
    return parts


def bar_from_zero(value: float, reach: float, room: int) -> tuple[str, str]:
    """A bar whose length is the absolute value, and a style if the value is negative. Negative
    bars are hatched, so that they differ without colour.

    reach   the value of a bar as long as the room
    """
    length = round(abs(value) / reach * room) if reach else 0
    length = max(length, 1 if value else 0)
    return ("▒" * length, "$error") if value < 0 else ("█" * length, "")


def _shortened(words: dict[int, str]) -> dict[int, str]:
    """The words without the first one if all moves share it, as in `play Q♠`."""
    first = {each.split()[0] for each in words.values()}
    if len(words) > 1 and len(first) == 1 and all(" " in each for each in words.values()):
        return {move: each.split(maxsplit=1)[1] for move, each in words.items()}
    return words


def number_words(score: float, scale: Scale) -> str:
    """`+0.42`, or `62.1 %` for a share; never `−0.00`."""
    if scale is Scale.VALUE:
        return f"{round(score, 2) + 0.0:+.2f}".replace("-", "−")
    return f"{100 * score:.1f} %"


def percent_words(chance: float) -> str:
    """`62 %`; the estimates of hints are not more precise than that. Only certainty is 0 or 100."""
    if 0 < chance < 0.005:
        return "under 1 %"
    return "over 99 %" if 0.995 <= chance < 1 else f"{100 * chance:.0f} %"


def cost_words(cost: float, scale: Scale) -> str:
    """The difference between two moves: `3.2 percentage points`, or `0.75`."""
    return f"{cost:.2f}" if scale is Scale.VALUE else f"{100 * cost:.1f} percentage points"


def hint_sentence(table: MoveNames, thought: Thought) -> str:
    """The move, a reason if the agent has one, and a number:

    `Hint: order up. You win the match 62 % of the time like this; next best: pass, 55 %.`
    """
    decision = thought.decision
    hint = f"Hint: {_words(table, thought, decision.action)}"
    if len(thought.legal) == 1:
        return f"{hint}, the only legal move."
    number = _hint_number(table, thought)
    return " ".join([part for part in (f"{hint}.", decision.reason, number) if part])


def reason_sentence(table: MoveNames, thought: Thought) -> str:
    """Why the best move is good, and how good it is:

    `Best is order up. You win the match 62 % of the time like this; next best: pass, 55 %.`
    """
    decision = thought.decision
    best = f"Best is {_words(table, thought, decision.action)}."
    return " ".join(
        [part for part in (best, decision.reason, _hint_number(table, thought)) if part]
    )


def _hint_number(table: MoveNames, thought: Thought) -> str:
    decision = thought.decision
    if decision.action not in decision.scores:
        return ""
    own = decision.scores[decision.action]
    if decision.scale is Scale.FREQUENCY:
        return _hint_frequency(table, thought, own)
    if decision.scale is Scale.CHANCE:
        number = f"You win the match {percent_words(own)} of the time like this"
    elif decision.reason:
        return ""
    else:
        meaning = f"{decision.meaning[:1].upper()}{decision.meaning[1:]}"
        number = f"{meaning}: {number_words(own, decision.scale)}"
    others = {move: score for move, score in decision.scores.items() if move != decision.action}
    if not others:
        return f"{number}."
    second = max(others, key=others.__getitem__)
    words = _words(table, thought, second)
    if others[second] >= own or _hint_words(others[second], decision) == _hint_words(own, decision):
        return f"{number}; {words} is about as good."
    return f"{number}; next best: {words}, {_hint_words(others[second], decision)}."


def _hint_words(score: float, decision: Decision) -> str:
    chance = decision.scale is Scale.CHANCE
    return percent_words(score) if chance else number_words(score, decision.scale)


def _hint_frequency(table: MoveNames, thought: Thought, own: float) -> str:
    """How often an expert makes the move, and what the worst mistake costs."""
    decision, worth = thought.decision, thought.worth
    often = f"An expert does this {percent_words(own)} of the time"
    if own >= ALWAYS:
        often = "An expert always does this"
    if worth is None or decision.action not in worth.scores:
        return f"{often}."
    mistakes = [
        move
        for move in worth.scores
        if move != decision.action and decision.scores.get(move, 0.0) < RARE
    ]
    worst = min(mistakes, key=worth.scores.__getitem__, default=None)
    cost = worth.scores[decision.action] - worth.scores[worst] if worst is not None else 0.0
    if worst is None:
        return f"{often}; no other choice is a mistake."
    if cost < NEGLIGIBLE:
        return f"{often}; other choices cost little."
    lost = cost_words(cost, worth.scale)
    of_what = " of your chance to win" if worth.scale is Scale.CHANCE else ""
    return f"{often}; {_words(table, thought, worst)} would cost {lost}{of_what}."
