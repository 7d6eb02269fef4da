"""The panel that explains the agents' moves, and what it must not show yet."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from agents.agent import Decision, Scale
from agents.storage.store import Store
from app.match.dealing import deal
from app.match.loop import TableLoop
from app.match.moment import NOBODY, Moment, Thought
from app.match.seating import PERSON, Seating, plan_table
from app.match.thoughts import Thoughts
from app.study.advice import Adviser
from app.ui.app import KibitzApp
from app.ui.tables import table_class
from app.ui.tables.base import Table
from app.ui.widgets.panel import Panel
from app.ui.widgets.why import step_thought, why_text
from engine import GAMES
from engine.game import OVER
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import ORDER_UP, PASS
from tests.app.driving import (
    QuickClock,
    StoppedClock,
    answer_by_keyboard,
    at_table,
    in_windows,
    make_app,
    moment_of,
    tab_drawn,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.quick import quick_with

Compare = Callable[[KibitzApp, str], None]
SEATS = {game: list(plan_table(game).seats) for game in GAMES} | {
    "euchre": [PERSON, "hard", "q"],
    "smear": [PERSON, "hard", "q", "easy"],
    "truco": [PERSON, "q"],
    "fodinha": [PERSON, "hard", "q"],
    "notty": [PERSON, "hard", "q"],
}


# The text


def euchre_table(*seats: str) -> Table[Any]:
    return table_class("euchre")(EUCHRE, Seating.of(plan_table("euchre", seats, watch=True)))


def thought_of(decision: Decision, number: int = 0, situation: str = "") -> Thought:
    state = EUCHRE.new(seed=1, first=2)
    return Thought(number, "q", state.view(0), (PASS, ORDER_UP), decision, situation)


def said(decision: Decision, situation: str = "") -> str:
    thought = thought_of(decision, situation=situation)
    moment = Moment(view=thought.view, thoughts=(thought,))
    return why_text(euchre_table("q", "random", "random"), moment, None).plain


def test_bars_show_the_best_move_first_and_mark_the_chosen_one() -> None:
    text = said(Decision(PASS, {PASS: -0.5, ORDER_UP: 1.25}, "points expected from this hand"))
    assert text.startswith("South · q: pass\nhand 1, choice 1 of 1")
    assert "points expected from this hand" in text
    first, second = [line for line in text.splitlines() if "█" in line or "▒" in line]
    assert first.startswith("order up")
    assert first.endswith("+1.25 ")
    assert second.startswith("pass")
    assert second.endswith("−0.50 ◀")
    assert first.count("█") == pytest.approx(2.5 * second.count("▒"), abs=1.5)


def test_bars_of_chances_reach_from_0_to_100_percent() -> None:
    scores = {PASS: 0.5, ORDER_UP: 0.5}
    text = said(Decision(PASS, scores, "chance", scale=Scale.CHANCE))
    bars = [line for line in text.splitlines() if "█" in line]
    lengths = {bar.count("█") for bar in bars}
    assert len(bars) == 2
    assert len(lengths) == 1
    certain = said(Decision(PASS, {PASS: 1.0, ORDER_UP: 0.0}, "chance", scale=Scale.CHANCE))
    longest = max(line.count("█") for line in certain.splitlines())
    assert lengths == {round(longest / 2)}


def test_bars_of_values_have_one_scale_in_a_hand() -> None:
    small = thought_of(Decision(PASS, {PASS: 1.0, ORDER_UP: 0.5}, "points"), 0)
    large = thought_of(Decision(PASS, {PASS: 10.0, ORDER_UP: 5.0}, "points"), 1)
    moment = Moment(view=small.view, thoughts=(small, large))
    table = euchre_table("q", "random", "random")
    ones, tens = [
        max(line.count("█") for line in why_text(table, moment, number).plain.splitlines())
        for number in (0, 1)
    ]
    assert tens == pytest.approx(10 * ones, abs=5)


def test_chances_are_percentages() -> None:
    text = said(Decision(PASS, {PASS: 0.621, ORDER_UP: 0.55}, "chance", scale=Scale.CHANCE))
    assert "62.1 % ◀" in text
    assert "55.0 %" in text


def test_move_without_a_score_is_marked() -> None:
    assert "order up not weighed" in said(Decision(PASS, {PASS: 1.0}, "worth"))


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        (0, "It has never seen this position."),
        (1, "It has seen this once, fewer than 30: it knows little."),
        (29, "It has seen this 29 times, fewer than 30: it knows little."),
        (4212, "It has seen this 4,212 times."),
    ],
)
def test_number_of_times_the_situation_was_seen(seen: int, sentence: str) -> None:
    text = said(Decision(PASS, {PASS: 1.0, ORDER_UP: 0.0}, "worth", seen=seen))
    assert sentence in text.splitlines()


def test_agent_without_counts_shows_none() -> None:
    assert "seen" not in said(Decision(PASS, {PASS: 1.0, ORDER_UP: 0.0}, "worth"))


def test_situation_and_exploration_are_shown() -> None:
    decision = Decision(PASS, {PASS: 1.0, ORDER_UP: 0.0}, "worth", explored=True)
    text = said(decision, "ordering: two trumps, an ace")
    assert text.endswith("What it notices\nordering: two trumps, an ace.")
    assert "It tried a move at random, to learn." in text


def test_agent_without_scores_is_explained() -> None:
    assert said(Decision(PASS)).endswith("It does not weigh its moves: any legal move will do.")


def test_stepping_through_thoughts() -> None:
    thoughts = tuple([thought_of(Decision(PASS), number) for number in (3, 5, 8)])
    moment = Moment(view=thoughts[0].view, thoughts=thoughts)
    assert step_thought(moment, None, -1) == 5
    assert step_thought(moment, 5, -1) == 3
    assert step_thought(moment, 3, -1) == 3
    assert step_thought(moment, 5, 1) is None
    assert step_thought(moment, None, 1) is None
    assert step_thought(Moment(view=thoughts[0].view), None, -1) is None


def test_thoughts_of_undone_moves_are_dropped() -> None:
    thoughts = Thoughts()
    for number in (3, 5, 8):
        thoughts.add(thought_of(Decision(PASS), number))
    known = thoughts.known(played=6, finished=1, viewpoint=None)
    assert [thought.number for thought in known] == [3, 5]
    thoughts.add(thought_of(Decision(ORDER_UP), 5))
    known = thoughts.known(played=6, finished=1, viewpoint=None)
    assert [thought.decision.action for thought in known] == [PASS, ORDER_UP]


# Secrets


class Person:
    """Records every moment and answers with the first legal action."""

    def __init__(self, game: str, seats: list[str], store: Store, hands: int) -> None:
        options = {"players": len(seats)} if len(GAMES[game].players) > 1 else {}
        plan = plan_table(game, seats, options, delay=0.0, seed=11, watch=PERSON not in seats)
        self.table: Table[Any] = table_class(game)(GAMES[game], Seating.of(plan))
        dealt = deal(plan, store, self.table.rotates_start)
        self.hands = hands
        self.moments: list[tuple[int, Moment]] = []
        """With the number of the current hand."""
        self.loop = TableLoop(
            dealt.match,
            dealt.seed,
            self.table,
            Adviser(game, dealt.seed),
            self,
            None,
            plan.delay,
            QuickClock(),
        )

    def show(self, moment: Moment) -> None:
        state = self.loop.match.state
        over = moment.ending is not None or state.turn == OVER
        self.moments.append((NOBODY if over else state.hand_no, moment))
        soon = asyncio.get_running_loop().call_soon
        if moment.asked != NOBODY:
            soon(self.loop.choose, moment.legal[0])
        elif moment.ending is not None and not moment.ending.match_over:
            soon(self.loop.acknowledge)

    def notice(self, sentence: str) -> None:
        raise AssertionError(sentence)

    async def cover(self, seat: int) -> None:
        raise AssertionError("there is only one person")

    async def play(self) -> None:
        """Play until `hands` hands are over."""
        running = asyncio.create_task(self.loop.run())
        while not running.done() and len(self.loop.moment().results) < self.hands:
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await self.loop.leave()

    def texts(self, moment: Moment) -> list[str]:
        numbers = [None, *[thought.number for thought in moment.thoughts]]
        return [why_text(self.table, moment, number).plain for number in numbers]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.mark.parametrize("game", [game for game in SEATS if game != "notty"])
async def test_thoughts_of_others_are_withheld_during_a_hand(game: str, store: Store) -> None:
    person = Person(game, SEATS[game], store, hands=2)
    await person.play()
    running = [(hand, moment) for hand, moment in person.moments if hand != NOBODY]
    assert any(moment.withheld for _, moment in running)
    for hand, moment in running:
        assert all(thought.view.hand_no < hand for thought in moment.thoughts)
    for _, moment in [(hand, moment) for hand, moment in running if hand == 1]:
        assert person.texts(moment) in (
            [f"The moves of this {person.table.hand_word} are explained when it is over."],
            ["No agent has moved yet."],
        )


@pytest.mark.parametrize("game", quick_with(SEATS, *sorted(set(SEATS) - {"notty"})))
async def test_finished_hand_is_explained(game: str, store: Store) -> None:
    person = Person(game, SEATS[game], store, hands=1)
    await person.play()
    ended = next(moment for _, moment in person.moments if moment.ending is not None)
    assert ended.thoughts
    assert not ended.withheld
    assert {thought.view.hand_no for thought in ended.thoughts} == {1}
    for text in person.texts(ended):
        assert f"{person.table.hand_word} 1, choice" in text


async def test_open_hands_show_thoughts(store: Store) -> None:
    person = Person("notty", SEATS["notty"], store, hands=1)
    await person.play()
    running = [moment for hand, moment in person.moments if hand != NOBODY]
    assert any(moment.thoughts for moment in running)
    assert not any(moment.withheld for moment in running)


async def test_viewpoint_shows_only_its_own_thoughts(store: Store) -> None:
    person = Person("euchre", ["hard", "q", "hard"], store, hands=2)
    while person.loop.delay < 1.0:
        person.loop.change_speed(faster=False)
    person.loop.change_viewpoint()
    await person.play()
    running = [(hand, moment) for hand, moment in person.moments if hand != NOBODY]
    own = [
        thought.view.seat
        for hand, moment in running
        for thought in moment.thoughts
        if thought.view.hand_no == hand
    ]
    assert own
    assert set(own) == {0}


# At the table


async def step(pilot: Any, app: KibitzApp, times: int) -> None:
    loop = table_of(app).loop
    assert loop is not None
    for _ in range(times):
        before = len(loop.actions)
        await pilot.press("full_stop")
        await wait_until(pilot, lambda before=before: len(loop.actions) > before)
    await pilot.pause()


async def test_panel_follows_a_watched_match(tmp_path: Path, same_picture: Compare) -> None:
    plan = plan_table("euchre", ["q", "hard", "easy"], seed=7, watch=True)
    app = make_app(tmp_path, plan, clock=StoppedClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("space", "w")
        await step(pilot, app, 8)
        async for width, height in in_windows(pilot, [(80, 24), (120, 40)]):
            await tab_drawn(pilot, app)
            same_picture(app, f"why-{width}x{height}")
        thoughts = moment_of(app).thoughts
        last = f"choice {len(thoughts)} of {len(thoughts)}"
        assert last in text_of(app)
        await pilot.press("[")
        await pilot.pause()
        assert f"choice {len(thoughts) - 1} of {len(thoughts)}" in text_of(app)
        await pilot.press("]")
        await pilot.pause()
        assert last in text_of(app)


def panel_text(app: KibitzApp) -> str:
    return str(app.screen.query_one("#why-text", Static).content)


async def test_why_key_opens_and_closes_the_panel(tmp_path: Path) -> None:
    plan = plan_table("euchre", [PERSON, "random", "random"], delay=0.0, seed=7)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while not moment_of(app).withheld:
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        await pilot.press("w")
        withheld = "The moves of this hand are explained when it is over."
        await wait_until(pilot, lambda: panel_text(app) == withheld)
        assert app.screen.query_one(Panel).display
        await pilot.press("w")
        await wait_until(pilot, lambda: not app.screen.query_one(Panel).display)
        while moment_of(app).ending is None:
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        await pilot.press("w")
        no_scores = "It does not weigh its moves: any legal move will do."
        await wait_until(pilot, lambda: panel_text(app).endswith(no_scores))
