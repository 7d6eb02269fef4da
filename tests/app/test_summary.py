"""Summary of a match: stages, turning point, best and worst move, and the screen."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from agents.agent import Decision, Scale
from agents.match import Match
from agents.random_player import RandomPlayer
from app.match.dealing import initial_state
from app.match.moment import Thought
from app.match.seating import Seating, TablePlan, plan_table, watched
from app.study.review import Answer, Verdict, best_of, worst_of
from app.study.summary import Stage, stages_of, turning_point
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from app.ui.screens.new_table import NewTableScreen
from app.ui.screens.review import ReviewScreen
from app.ui.screens.summary import SummaryScreen
from app.ui.screens.watch import WatchScreen
from app.ui.tables import table_class
from app.ui.tables.chances import race, shares
from app.ui.widgets.canvas import Canvas
from app.ui.widgets.choices import Choices
from app.ui.widgets.rows import Rows
from app.ui.widgets.score_curve import draw_courses
from engine import GAMES
from engine.game import OVER
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import ORDER_UP, PASS
from tests.app.driving import (
    answer_first,
    at_table,
    in_windows,
    is_asked,
    is_over,
    make_app,
    table_of,
    text_of,
    wait_until,
)
from tests.quick import quick_with

Compare = Callable[[KibitzApp, str], None]


# Chances from the score


def test_side_with_fewer_points_to_go_is_likelier_to_win() -> None:
    assert race([3, 3]) == [0.5, 0.5]
    ahead, behind = race([1, 5])
    assert ahead > 0.9
    assert ahead + behind == 1
    assert race([0, 4]) == [1.0, 0.0]
    assert race([-2, 30_000]) == [1.0, 0.0]


def test_shares_sum_to_one_and_favour_the_stronger() -> None:
    assert shares([1, 1]) == [0.5, 0.5]
    assert shares([2, 1]) == [0.8, 0.2]
    assert shares([0, 0]) == [0.5, 0.5]


def turned(*chances: float) -> int:
    """The turning point of a match, from the chances of its winner after each stage."""
    stages = [Stage(number, (0, 0), (1 - chance, chance)) for number, chance in enumerate(chances)]
    return turning_point(stages)


def test_turning_point_is_where_the_winner_took_the_lead_for_good() -> None:
    assert turned(0.5, 0.1, 0.3, 0.6, 0.95, 1.0) == 3
    assert turned(0.5, 0.6, 0.4, 0.55, 0.9, 1.0) == 3


def test_turning_point_is_never_the_end() -> None:
    assert turned(0.5, 0.3, 0.45, 0.4, 1.0) == 2
    assert turned(0.6, 0.65, 0.8, 0.85, 1.0) == 2
    assert turned(0.5, 0.55, 0.8, 0.85, 1.0) == 2
    assert turned(0.5, 0.4, 0.5, 0.8, 1.0) == 3
    assert turned(0.5, 1.0) == 0
    assert turned(0.5) == 0


# Stages


def played(plan: TablePlan, seed: int) -> list[int]:
    """All actions of a random match."""
    state = initial_state(plan, seed, table_class(plan.game).rotates_start)
    match = Match(state, [RandomPlayer()] * state.seats, seed, record=False)
    actions = []
    while state.turn != OVER:
        actions.append(match.decide().action)
        state.apply(actions[-1])
    return actions


@pytest.mark.parametrize("game", GAMES)
def test_last_stage_has_the_result(game: str) -> None:
    plan = plan_table(game, options={"turn_limit": 12} if game == "notty" else {})
    table = table_class(game)(GAMES[game], Seating.of(plan))
    actions = played(plan, 5)
    end = initial_state(plan, 5, table.rotates_start)
    for action in actions:
        end.apply(action)
    stages = stages_of(table, initial_state(plan, 5, table.rotates_start), actions)
    count = len(stages) - 1 if table.one_hand else end.hand_no
    assert [stage.number for stage in stages] == list(range(count + 1))
    assert stages[-1].standing == tuple(table.standing(end.view(0)))
    assert list(stages[-1].chances) == [end.returns()[side[0]] for side in end.sides]
    assert all(stage.sentence for stage in stages[1:])
    assert all(abs(sum(stage.chances) - 1) < 1e-9 for stage in stages)


# Moves


def verdict(
    action: int,
    scores: dict[int, float],
    cost: float | None,
    scale: Scale = Scale.CHANCE,
    usual: int | None = None,
) -> Verdict:
    view = EUCHRE.new(seed=1, first=2).view(0)
    best = max(scores, key=scores.__getitem__)
    decision = Decision(best, scores, "chance", scale=scale)
    thought = Thought(0, "search", view, (PASS, ORDER_UP), decision)
    return Verdict(Answer(0, view, (PASS, ORDER_UP), action), thought, cost, decision, usual=usual)


def test_best_move_is_not_obvious() -> None:
    obvious = verdict(PASS, {PASS: 0.9, ORDER_UP: 0.1}, 0.0, usual=PASS)
    close = verdict(PASS, {PASS: 0.5, ORDER_UP: 0.45}, 0.0, usual=PASS)
    bad = verdict(PASS, {PASS: 0.1, ORDER_UP: 0.9}, 0.8, usual=ORDER_UP)
    surprising = verdict(ORDER_UP, {PASS: 0.37, ORDER_UP: 0.4}, 0.0, usual=PASS)
    assert best_of([obvious, bad]) is None
    assert best_of([obvious, close, bad]) is close
    assert best_of([obvious, close, bad, surprising]) is surprising
    assert surprising.rejected == PASS
    assert surprising.lead == pytest.approx(0.03)


def test_worst_move_has_the_highest_cost() -> None:
    bad = verdict(PASS, {PASS: 0.1, ORDER_UP: 0.9}, 0.8)
    worse = verdict(PASS, {PASS: 0.0, ORDER_UP: 0.9}, 0.9)
    assert worst_of([bad, worse]) is worse
    assert worst_of([verdict(PASS, {PASS: 0.5, ORDER_UP: 0.4}, 0.0)]) is None


def test_chances_are_not_compared_with_points() -> None:
    points = verdict(PASS, {PASS: -5.0, ORDER_UP: 2.0}, 7.0, Scale.VALUE)
    chance = verdict(PASS, {PASS: 0.1, ORDER_UP: 0.2}, 0.1)
    assert worst_of([points, chance]) is chance
    assert worst_of([points]) is points


def test_watched_plan_has_agents_instead_of_persons() -> None:
    plan = plan_table("smear", ["you", "easy", "q", "you"], seed=5)
    assert watched(plan).seats == ("hard", "easy", "q", "hard")
    assert watched(plan).seed is None


# The screen


def euchre(watch: bool = False) -> TablePlan:
    seats = ["random"] * 3 if watch else ["you", "random", "random"]
    return plan_table("euchre", seats, delay=0.0, seed=183, watch=watch, matches=1)


def short_truco() -> TablePlan:
    return plan_table("truco", ["you", "random"], {"target": 3}, delay=0.0, seed=3)


async def to_the_summary(pilot: Pilot[Any], app: KibitzApp) -> SummaryScreen:
    """Play the match, then press Enter."""
    while not (at_table(app) and is_over(app)):
        if is_asked(app) and not is_over(app):
            answer_first(app)
        await pilot.pause()
    await pilot.press("enter")
    await wait_until(pilot, lambda: isinstance(app.screen, SummaryScreen))
    screen = app.screen
    assert isinstance(screen, SummaryScreen)
    await wait_until(pilot, lambda: bool(screen.stages))
    return screen


@pytest.fixture
def quick_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """An adviser that prefers the first and the last move in turn, without computing."""

    def weigh(self: object, view: Any, legal: list[int], number: int) -> Thought:
        liked = legal if number % 2 else legal[::-1]
        scores = {move: place / 10 for place, move in enumerate(liked)}
        decision = Decision(liked[-1], scores, "chance to win the match", scale=Scale.CHANCE)
        return Thought(number, "search", view, tuple(legal), decision)

    monkeypatch.setattr("app.study.advice.Adviser.weigh", weigh)


@pytest.mark.usefixtures("quick_advice")
async def test_match_ends_with_a_summary(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path, short_truco())
    async with app.run_test(size=(60, 20)) as pilot:
        screen = await to_the_summary(pilot, app)
        await wait_until(pilot, lambda: screen.complete)
        async for width, height in in_windows(pilot, [(60, 20), (80, 24), (120, 40)]):
            # The scroll position depends on timing; these keys make it repeatable.
            await pilot.press(*["up"] * len(screen.stages), *["down"] * (screen.turned - 1))
            shown = text_of(app)
            for words in ("Turning point", "Best move", "Again", "Watch", "Review"):
                assert words in shown
            same_picture(app, f"summary-{width}x{height}")


@pytest.mark.usefixtures("quick_advice")
async def test_summary_says_how_the_rating_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = []

    def words(_history: object, game: str, seed: int) -> str:
        seeds.append((game, seed))
        return "Your rating: 1480 → 1496."

    monkeypatch.setattr("app.ui.screens.summary.rating_words", words)
    app = make_app(tmp_path, short_truco())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await to_the_summary(pilot, app)
        assert "Your rating: 1480 → 1496." in text_of(app)
        assert seeds == [("truco", screen._seed)]


@pytest.mark.usefixtures("quick_advice")
async def test_hand_is_chosen_and_reviewed(tmp_path: Path) -> None:
    app = make_app(tmp_path, short_truco())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await to_the_summary(pilot, app)
        assert screen.query_one(Rows).cursor_row == screen.turned - 1
        await pilot.press("home", *["up"] * len(screen.stages), "v")
        await wait_until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        assert "round 1" in text_of(app)
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is screen)
        await pilot.press("escape")
        await wait_until(pilot, lambda: at_table(app))
        assert is_over(app)


@pytest.mark.usefixtures("quick_advice")
@pytest.mark.parametrize(
    "way", quick_with(["Again", "New table", "Watch", "Home"], "Again", "Home")
)
async def test_post_match_actions_can_be_clicked(tmp_path: Path, way: str) -> None:
    app = make_app(tmp_path, short_truco())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_the_summary(pilot, app)
        bar = app.screen.query_one(Choices)
        at = [choice.text for choice in bar.choices].index(way)
        assert await pilot.click(Choices, offset=bar.middle_of(at))
        reached: dict[str, Callable[[], bool]] = {
            "Again": lambda: at_table(app) and table_of(app).plan.match_no == 2,
            "New table": lambda: isinstance(app.screen, NewTableScreen),
            "Watch": lambda: isinstance(app.screen, WatchScreen),
            "Home": lambda: isinstance(app.screen, HomeScreen),
        }
        await wait_until(pilot, reached[way])


async def test_summary_of_a_watched_match_has_no_best_move(
    tmp_path: Path, same_picture: Compare
) -> None:
    app = make_app(tmp_path, euchre(watch=True))
    async with app.run_test(size=(120, 40)) as pilot:
        await to_the_summary(pilot, app)
        await pilot.pause()
        shown = text_of(app)
        assert "Turning point" in shown
        assert "Best move" not in shown
        assert "Review" not in shown
        same_picture(app, "summary-watched-120x40")


async def test_no_summary_before_the_end(tmp_path: Path) -> None:
    app = make_app(tmp_path, euchre())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: is_asked(app))
        table_of(app).action_summary()
        await pilot.pause()
        assert "when the match is over" in text_of(app)


def test_scale_of_scores_has_minus_signs() -> None:
    canvas = Canvas(40, 8)
    draw_courses(canvas, [[0, -3, 5], [0, 2, 4]], plain=False)
    assert "−3 ┤" in canvas.content().plain
