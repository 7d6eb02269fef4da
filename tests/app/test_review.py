"""Review of a hand: which moves are judged, what they cost, and the screen."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.agent import Decision, Scale
from app.match.dealing import initial_state
from app.match.moment import NOBODY, Thought
from app.match.seating import PERSON, plan_table
from app.study.advice import Adviser
from app.study.review import RARE, Answer, Verdict, answers_of, by_cost, judge
from app.ui.app import KibitzApp
from app.ui.screens.review import ReviewScreen
from app.ui.screens.table import TableScreen
from engine import GAMES
from engine.game import State, View
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import ORDER_UP, PASS
from tests.app.driving import (
    answer_by_keyboard,
    make_app,
    moment_of,
    text_of,
    to_question,
    wait_until,
)
from tests.quick import quick_with

Compare = Callable[[KibitzApp, str], None]

# Costs of moves


class Oracle(Adviser):
    """Gives prepared advice."""

    def __init__(self, decision: Decision, worth: Decision | None = None) -> None:
        super().__init__("euchre", 0)
        self._decision = decision
        self._worth = worth

    def weigh(self, view: View, legal: list[int], number: int) -> Thought:
        return Thought(number, "search", view, tuple(legal), self._decision)

    def worth(self, view: View, legal: list[int], number: int) -> Decision:
        assert self._worth is not None
        return self._worth


def answer(action: int = PASS, number: int = 0) -> Answer:
    return Answer(number, EUCHRE.new(seed=1, first=2).view(0), (PASS, ORDER_UP), action)


def test_best_move_costs_nothing() -> None:
    verdict = judge(Oracle(Decision(PASS, {PASS: 1.0, ORDER_UP: 3.0}, "worth")), answer(PASS))
    assert verdict.best
    assert verdict.cost == 0


def test_worse_move_costs_the_difference() -> None:
    verdict = judge(Oracle(Decision(ORDER_UP, {PASS: 1.0, ORDER_UP: 3.0}, "worth")), answer(PASS))
    assert not verdict.best
    assert verdict.cost == 2


def test_cost_is_never_negative() -> None:
    verdict = judge(Oracle(Decision(ORDER_UP, {PASS: 3.5, ORDER_UP: 3.0}, "worth")), answer(PASS))
    assert verdict.cost == 0


def test_move_without_a_value_has_no_cost() -> None:
    assert judge(Oracle(Decision(ORDER_UP, {ORDER_UP: 3.0}, "worth")), answer(PASS)).cost is None


def mixed(share: float) -> Decision:
    return Decision(ORDER_UP, {PASS: share, ORDER_UP: 1 - share}, "habit", scale=Scale.FREQUENCY)


def test_move_of_a_mixed_strategy_is_no_mistake() -> None:
    points = Decision(PASS, {PASS: 0.25, ORDER_UP: 1.0}, "points")
    verdict = judge(Oracle(mixed(RARE), points), answer(PASS))
    assert verdict.cost == 0
    assert verdict.share == RARE
    assert verdict.lead == 0


def test_rare_move_of_a_mixed_strategy_costs_the_difference() -> None:
    points = Decision(PASS, {PASS: 0.25, ORDER_UP: 1.0}, "points")
    verdict = judge(Oracle(mixed(RARE / 2), points), answer(PASS))
    assert verdict.cost == 0.75
    assert verdict.measure is points


def test_most_expensive_moves_come_first() -> None:
    measure = Decision(PASS)
    thought = Thought(0, "search", answer().view, (PASS, ORDER_UP), measure)
    costs = [0.0, 0.5, None, 2.0, 0.0]
    verdicts = [
        Verdict(answer(PASS, number), thought, cost, measure) for number, cost in enumerate(costs)
    ]
    assert [verdict.answer.number for verdict in by_cost(verdicts)] == [3, 1, 2, 0, 4]


# Which moves are judged


def first_hand(state: State) -> list[int]:
    """All seats take the first legal action until the hand is over."""
    actions = []
    while state.hand_no == 1 and state.turn != NOBODY:
        actions.append(state.legal()[0])
        state.apply(actions[-1])
    return actions


@pytest.mark.parametrize("game", list(GAMES))
def test_moves_are_judged_from_the_persons_view(game: str) -> None:
    seats = GAMES[game].new(seed=5).seats
    plan = plan_table(game, [PERSON, *["random"] * (seats - 1)], seed=5)
    actions = first_hand(initial_state(plan, 5, rotates_start=False))
    answers = answers_of(initial_state(plan, 5, False), actions, 1, plan.persons)
    assert answers
    for each in answers[:3]:
        assert each.view.seat == each.view.turn == 0
        assert each.action == actions[each.number]
        assert len(each.legal) > 1
    verdict = judge(Adviser(game, 5), answers[0])
    assert verdict.cost is None or verdict.cost >= 0


def test_only_the_given_hand_is_reviewed() -> None:
    plan = plan_table("truco", [PERSON, "random"], seed=5)
    state = initial_state(plan, 5, False)
    actions = []
    while state.hand_no < 4:
        actions.append(state.legal()[0])
        state.apply(actions[-1])
    answers = answers_of(initial_state(plan, 5, False), actions, 2, (0,))
    assert answers
    assert {each.view.hand_no for each in answers} == {2}


# The screen


async def play_a_hand(pilot: Any, app: KibitzApp) -> None:
    await to_question(pilot, app)
    while moment_of(app).ending is None:
        await answer_by_keyboard(pilot, app)
        await to_question(pilot, app)


async def review(pilot: Any, app: KibitzApp, key: str = "v") -> ReviewScreen:
    await pilot.press(key)
    await wait_until(pilot, lambda: isinstance(app.screen, ReviewScreen))
    screen = app.screen
    assert isinstance(screen, ReviewScreen)
    await wait_until(pilot, lambda: screen.complete)
    await pilot.pause()
    return screen


@pytest.mark.parametrize("size", quick_with([(80, 24), (120, 40)], (80, 24)))
async def test_review_lists_moves_and_better_ones(
    tmp_path: Path, same_picture: Compare, size: tuple[int, int]
) -> None:
    plan = plan_table("euchre", [PERSON, "hard", "hard"], delay=0.0, seed=29)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=size) as pilot:
        await play_a_hand(pilot, app)
        screen = await review(pilot, app)
        costs = [verdict.cost or 0.0 for verdict in screen.verdicts]
        assert costs == sorted(costs, reverse=True)
        assert costs[0] > 0
        assert "your" in text_of(app)
        same_picture(app, f"review-{size[0]}x{size[1]}")
        places = [screen._place(verdict.answer) for verdict in screen.verdicts]
        assert f"Move {places[0]}:" in text_of(app)
        await pilot.press("down")
        await pilot.pause()
        assert f"Move {places[1]}:" in text_of(app)
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert moment_of(app).ending is not None


async def test_review_by_mouse(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("truco", [PERSON, "random"], delay=0.0, seed=4))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_a_hand(pilot, app)
        screen = await review(pilot, app, "v")
        assert len(screen.verdicts) > 1
        await pilot.click("#moves", offset=(3, 2))
        await pilot.pause()
        assert f"Move {screen._place(screen.verdicts[1].answer)}:" in text_of(app)


async def test_nothing_to_review_before_the_first_hand_ends(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("truco", [PERSON, "random"], delay=0.0, seed=4))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("v")
        await pilot.pause()
        assert "review your moves when the round is over" in " ".join(text_of(app).split())


async def test_failing_advice_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(adviser: Adviser, view: View, legal: list[int], number: int) -> Thought:
        raise ValueError("out of ideas")

    monkeypatch.setattr(Adviser, "weigh", fail)
    app = make_app(tmp_path, plan_table("truco", [PERSON, "random"], delay=0.0, seed=4))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_a_hand(pilot, app)
        await pilot.press("v")
        await wait_until(pilot, lambda: "cannot be judged (out of ideas)" in text_of(app))
