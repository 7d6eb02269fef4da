"""Hints from the strongest agent."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.agent import Decision, Scale
from agents.storage.store import StoreError
from app.match.moment import Thought
from app.match.seating import PERSON, Seating, default_seats, plan_table
from app.study.advice import Adviser
from app.ui.app import KibitzApp
from app.ui.tables.euchre import EuchreTable
from app.ui.widgets.why import hint_sentence
from engine import GAMES
from engine.game import View
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import ORDER_UP, PASS
from tests.app.driving import (
    answer_by_keyboard,
    make_app,
    moment_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)


def sentence(
    decision: Decision,
    legal: tuple[int, ...] = (PASS, ORDER_UP),
    worth: Decision | None = None,
) -> str:
    table = EuchreTable(EUCHRE, Seating.of(plan_table("euchre", [PERSON, "hard", "hard"])))
    view = EUCHRE.new(seed=1, first=2).view(0)
    return hint_sentence(table, Thought(0, "search", view, legal, decision, worth=worth))


def test_hint_is_one_sentence_with_the_second_best_move() -> None:
    worth = Decision(ORDER_UP, {ORDER_UP: 0.8, PASS: -0.1}, "expected points of this hand")
    assert sentence(worth) == (
        "Hint: order up. Expected points of this hand: +0.80; next best: pass, −0.10."
    )
    chance = Decision(PASS, {ORDER_UP: 0.5, PASS: 0.625}, "chance to win", scale=Scale.CHANCE)
    assert sentence(chance) == (
        "Hint: pass. You win the match 62 % of the time like this; next best: order up, 50 %."
    )


def test_only_certainty_is_0_or_100_percent() -> None:
    likely = Decision(PASS, {PASS: 0.998, ORDER_UP: 0.996}, "chance", scale=Scale.CHANCE)
    assert sentence(likely) == (
        "Hint: pass. You win the match over 99 % of the time like this; order up is about as good."
    )
    lost = replace(likely, scores={PASS: 0.002, ORDER_UP: 0.0})
    assert sentence(lost) == (
        "Hint: pass. You win the match under 1 % of the time like this; next best: order up, 0 %."
    )
    assert "100 % of the time" in sentence(replace(likely, scores={PASS: 1.0}))


def test_hint_against_the_values_says_that_they_are_close() -> None:
    close = Decision(PASS, {ORDER_UP: 0.51, PASS: 0.5}, "worth")
    assert sentence(close) == "Hint: pass. Worth: +0.50; order up is about as good."
    same = Decision(PASS, {ORDER_UP: 0.502, PASS: 0.504}, "chance", scale=Scale.CHANCE)
    assert sentence(same).endswith("50 % of the time like this; order up is about as good.")


def test_hint_without_values_or_choice() -> None:
    assert sentence(Decision(PASS, {}, "worth")) == "Hint: pass."
    assert sentence(Decision(PASS, {PASS: 1.0}, "worth")) == "Hint: pass. Worth: +1.00."
    assert sentence(Decision(PASS), legal=(PASS,)) == "Hint: pass, the only legal move."


def test_reason_comes_before_a_chance_and_in_place_of_other_values() -> None:
    value = Decision(PASS, {PASS: -0.2}, "worth", reason="This hand wins 0.20 tricks.")
    assert sentence(value) == "Hint: pass. This hand wins 0.20 tricks."
    chance = replace(value, scores={PASS: 0.2}, scale=Scale.CHANCE)
    assert sentence(chance) == (
        "Hint: pass. This hand wins 0.20 tricks. You win the match 20 % of the time like this."
    )


def test_hint_of_a_mixed_strategy_says_what_a_mistake_costs() -> None:
    mixed = Decision(PASS, {PASS: 0.98, ORDER_UP: 0.02}, "how often", scale=Scale.FREQUENCY)
    worth = Decision(PASS, {PASS: 0.6, ORDER_UP: 0.52}, "chance", scale=Scale.CHANCE)
    assert sentence(mixed, worth=worth) == (
        "Hint: pass. An expert does this 98 % of the time; "
        "order up would cost 8.0 percentage points of your chance to win."
    )
    always = replace(mixed, scores={PASS: 1.0, ORDER_UP: 0.0})
    close = replace(worth, scores={PASS: 0.6, ORDER_UP: 0.6})
    assert sentence(always, worth=close) == (
        "Hint: pass. An expert always does this; other choices cost little."
    )
    even = replace(mixed, scores={PASS: 0.6, ORDER_UP: 0.4})
    assert sentence(even, worth=worth) == (
        "Hint: pass. An expert does this 60 % of the time; no other choice is a mistake."
    )


def test_chances_of_hints_depend_on_the_opponents() -> None:
    state = GAMES["euchre"].new(seed=3)
    while state.turn or len(state.legal()) == 1:
        state.apply(state.legal()[0])
    view, legal = state.view(0), state.legal()
    weak, strong = [
        Adviser("euchre", 3, [PERSON, rival, rival]).weigh(view, legal, 0).decision
        for rival in ("random", "hard")
    ]
    assert weak.action == strong.action
    assert all(weak.scores[move] > strong.scores[move] for move in legal)


@pytest.mark.parametrize("game", list(GAMES))
def test_advice_is_repeatable_in_every_game(game: str) -> None:
    state = GAMES[game].new(seed=3)
    while len(state.legal()) == 1:
        state.apply(state.legal()[0])
    view, legal = state.view(state.turn), state.legal()
    players = default_seats(GAMES[game], state.seats, watch=False)
    thought = Adviser(game, 3, players).weigh(view, legal, 0)
    assert thought.decision.action in legal
    assert Adviser(game, 3, players).weigh(view, legal, 0) == thought


def test_adviser_scores_unlikely_moves_too() -> None:
    fodinha = GAMES["fodinha"].new(seed=2)
    while fodinha.hand_no < 6 or not fodinha.label(fodinha.legal()[-1]).startswith("call"):
        fodinha.apply(fodinha.legal()[0])
    view, calls = fodinha.view(fodinha.turn), fodinha.legal()
    assert len(calls) > 4
    assert set(Adviser("fodinha", 2, [PERSON] * 4).weigh(view, calls, 0).decision.scores) == set(
        calls
    )


async def ask(pilot: Any, app: KibitzApp) -> None:
    await to_question(pilot, app)
    await pilot.press("question_mark")
    await wait_until(pilot, lambda: moment_of(app).advice is not None)
    await pilot.pause()


async def test_hint_is_in_the_prompt_and_marks_the_match(tmp_path: Path) -> None:
    plan = plan_table("truco", [PERSON, "random"], delay=0.0, seed=4)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(120, 40)) as pilot:
        await to_question(pilot, app)
        assert "assisted" not in text_of(app)
        await ask(pilot, app)
        loop = table_of(app).loop
        assert loop is not None
        assert loop.assisted
        shown = text_of(app)
        assert "Hint: " in shown
        assert "· assisted" in shown
        assert "Hint · search on your move" in shown
        await answer_by_keyboard(pilot, app)
        await to_question(pilot, app)
        assert moment_of(app).advice is None
        assert "Hint: " not in text_of(app)
        assert "· assisted" in text_of(app)


class Slow:
    """Advice that the test releases."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = threading.Event()
        self.may_end = threading.Event()
        self.ended = threading.Event()
        weigh = Adviser.weigh

        def slow(adviser: Adviser, view: View, legal: list[int], number: int) -> Thought:
            self.begun.set()
            self.may_end.wait(60)
            thought = weigh(adviser, view, legal, number)
            self.ended.set()
            return thought

        monkeypatch.setattr(Adviser, "weigh", slow)


async def test_answer_before_the_hint_is_not_assisted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(monkeypatch)
    plan = plan_table("truco", [PERSON, "random"], delay=0.0, seed=4)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("question_mark")
        await wait_until(pilot, slow.begun.is_set)
        await pilot.pause()
        assert "Search is thinking about your move" in text_of(app)
        loop = table_of(app).loop
        assert loop is not None
        asked = len(loop.actions)
        await answer_by_keyboard(pilot, app)
        await wait_until(pilot, lambda: len(loop.actions) > asked)
        await to_question(pilot, app)
        assert not moment_of(app).advising
        slow.may_end.set()
        await wait_until(pilot, slow.ended.is_set)
        await pilot.pause()
        assert moment_of(app).advice is None
        assert not loop.assisted


async def test_failing_hint_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(adviser: Adviser, view: View, legal: list[int], number: int) -> Thought:
        raise StoreError("the strategy is damaged")

    monkeypatch.setattr(Adviser, "weigh", fail)
    app = make_app(tmp_path, plan_table("truco", [PERSON, "random"], delay=0.0, seed=4))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await to_question(pilot, app)
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: bool(app._notifications))
        notices = [notification.message for notification in app._notifications]
        assert notices == ["There is no hint for this move (the strategy is damaged)."]
        assert not moment_of(app).assisted
        assert not moment_of(app).advising


async def test_no_hint_without_a_question(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("truco", [PERSON, "random"], delay=0.0, seed=4))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while moment_of(app).ending is None:
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        await pilot.press("question_mark")
        await pilot.pause()
        assert table_of(app).remarked == "There is a hint only when it is your turn."
