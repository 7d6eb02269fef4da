"""Every screen of the app in a typical state, for `make pictures`. All seeds are fixed."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from agents.agent import Decision, Scale
from agents.registry import agents_for, create, make
from agents.storage.store import Store
from agents.training_log import CurvePoint
from app.home.locations import Locations
from app.lab.stage.reports import Discovery, Subject
from app.lab.stage.then_and_now import compare
from app.match.moment import NOBODY, Moment, Thought
from app.match.seating import PERSON, TablePlan, plan_table
from app.records.history import MatchRecord, SeatRecord
from app.records.journal import read_journal
from app.ui.app import KibitzApp
from app.ui.screens.cover import Cover
from app.ui.screens.explorer import ExplorerScreen
from app.ui.screens.guide import GuideScreen
from app.ui.screens.lab_forms import ArenaForm, TrainForm
from app.ui.screens.question import Question
from app.ui.screens.requests import (
    OpenExplorer,
    OpenForm,
    OpenGuide,
    OpenHistory,
    OpenLab,
    OpenRules,
    OpenSettings,
    OpenStats,
    OpenWaiting,
)
from app.ui.screens.review import ReviewScreen
from app.ui.screens.stage import StageScreen
from app.ui.screens.summary import SummaryScreen
from app.ui.widgets.rows import Rows
from engine import GAMES
from engine.game import View
from engine.manifest import VARIANTS
from tests.app.driving import (
    QuickClock,
    StoppedClock,
    answer_first,
    at_table,
    is_over,
    make_app,
    moment_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.app.journals import recorded_match
from tests.app.lab_driving import all_shown
from tests.app.stage_feed import FakeFeed, measured, report, vitals

Drive = Callable[[Pilot[Any], KibitzApp], Awaitable[None]]


@dataclass(frozen=True)
class Scene:
    """A screen to photograph.

    app     makes the app in an empty home folder
    drive   presses keys until the screen is as wanted
    """

    name: str
    app: Callable[[Path], KibitzApp]
    drive: Drive


# What a home folder contains


def played_home(home: Path) -> KibitzApp:
    """An app with some matches in its history and two that wait."""
    app = make_app(home)
    games = ("euchre", "euchre", "smear", "truco", "fodinha", "notty", "truco", "euchre")
    for at, game in enumerate(games):
        won = float(at % 3 != 1)
        rivals = ("hard", "q", "neural")
        seats = (
            SeatRecord("You", PERSON, 0, won),
            SeatRecord("North", rivals[at % 3], 1, 1 - won),
        )
        scores = (10.0, 4.0 + at % 5) if won else (3.0 + at % 4, 10.0)
        began, ended = f"2026-03-{at + 1:02}T18:05:00+00:00", f"2026-03-{at + 1:02}T18:17:00+00:00"
        app._history.add_match(
            MatchRecord(
                game, {}, at + 7, seats, scores, 9, began, ended, False, at == 4, at == 5, ""
            )
        )
    for game in ("truco", "euchre"):
        recorded_match(home, game, 12)
    return app


def lab_home(home: Path) -> KibitzApp:
    """An app whose Lab has a learning curve."""
    app = make_app(home)
    rates = {
        "random": (0.55, 0.63, 0.7, 0.74, 0.79, 0.8, 0.83, 0.84, 0.85),
        "hard": (0.2, 0.26, 0.33, 0.36, 0.38, 0.42, 0.43, 0.42, 0.45),
    }
    run = app._history.start_run("euchre", "q", 1, {})
    points = [
        CurvePoint(625 * number, rival, rate, rate - 0.07, rate + 0.06)
        for rival, measured in rates.items()
        for number, rate in enumerate(measured)
    ]
    app._history.add_points(run, points)
    app._history.end_run(run, 5000, 100.0, kept=True)
    return app


# Tables


def table(plan: TablePlan) -> Callable[[Path], KibitzApp]:
    return lambda home: make_app(home, plan)


def playing(game: str, seats: list[str], seed: int, questions: int, **options: int) -> Scene:
    """A table after so many answers of the person; 0 is the first question."""

    async def drive(pilot: Pilot[Any], app: KibitzApp) -> None:
        await to_question(pilot, app)
        for _ in range(questions):
            answer_first(app)
            await to_question(pilot, app)

    plan = plan_table(game, seats, options, delay=0.0, seed=seed)
    name = f"{game}-bid" if questions == 0 else f"{game}-play"
    if len(seats) > 4:
        name += f"-{len(seats)}"
    return Scene(name, table(plan), drive)


def reaching(
    name: str,
    plan: TablePlan,
    reached: Callable[[Moment], bool],
    liked: Sequence[str] = (),
    *keys: str,
) -> Scene:
    """The first question of this kind.

    liked   beginnings of the moves the person prefers; otherwise the first legal one
    keys    to press there
    """

    async def drive(pilot: Pilot[Any], app: KibitzApp) -> None:
        moment = await to_question(pilot, app)
        while not reached(moment):
            loop = table_of(app).loop
            assert loop is not None
            if moment.legal:
                view = moment.view
                wanted = [at for at in moment.legal if view.label(at).startswith(tuple(liked))]
                loop.choose((wanted if liked and wanted else moment.legal)[0])
            else:
                loop.acknowledge()
            moment = await to_question(pilot, app)
        await pilot.press(*keys)
        if "w" in keys:
            table_of(app).add_class("-panel")
        await pilot.pause()

    return Scene(name, table(plan), drive)


def discards_five(moment: Moment) -> bool:
    return moment.asked != NOBODY and moment.view.hand.bit_count() == 10  # type: ignore[attr-defined]


def holds_many(count: int) -> Callable[[Moment], bool]:
    return lambda moment: moment.ending is None and len(moment.view.hand) >= count  # type: ignore[attr-defined]


def mid_trick(cards: int, hand: int = 1) -> Callable[[Moment], bool]:
    """So many cards are in the trick, in a hand with that number or a later one."""

    def reached(moment: Moment) -> bool:
        view = moment.view
        trick = getattr(view, "trick", ()) or [(), *getattr(view, "tricks", ())][-1]
        return moment.asked != NOBODY and view.hand_no >= hand and len(trick) >= cards  # type: ignore[attr-defined]

    return reached


def always(moment: Moment) -> bool:
    return True


def is_asked_back(moment: Moment) -> bool:
    """A bid of another player waits for an answer."""
    return moment.asked != NOBODY and "quiero" in [moment.view.label(at) for at in moment.legal]


async def to_hand_over(pilot: Pilot[Any], app: KibitzApp) -> None:
    await to_question(pilot, app)
    while moment_of(app).ending is None:
        answer_first(app)
        await to_question(pilot, app)


async def to_match_over(pilot: Pilot[Any], app: KibitzApp) -> None:
    while not (at_table(app) and is_over(app)):
        await to_question(pilot, app)
        if not is_over(app):
            answer_first(app)


async def to_panel(pilot: Pilot[Any], app: KibitzApp) -> None:
    """The question after two answers, with the panel open in a narrow window as well."""
    for _ in range(2):
        await to_question(pilot, app)
        answer_first(app)
    await to_question(pilot, app)
    await pilot.press("w")
    table_of(app).add_class("-panel")
    await pilot.pause()


def quick_advice(game: str, view: View, legal: list[int], number: int) -> Thought:
    """An opinion about a move that costs no time: the first and the last move in turn."""
    liked = legal if number % 2 else legal[::-1]
    scores = {move: 0.31 + place / 10 for place, move in enumerate(liked)}
    decision = Decision(liked[-1], scores, "chance to win the match", scale=Scale.CHANCE)
    return Thought(number, "search", view, tuple(legal), decision)


async def to_summary(pilot: Pilot[Any], app: KibitzApp) -> None:
    await to_match_over(pilot, app)
    await pilot.press("enter")
    await wait_until(pilot, lambda: isinstance(app.screen, SummaryScreen))
    screen = app.screen
    assert isinstance(screen, SummaryScreen)
    screen._adviser.weigh = lambda view, legal, number: quick_advice(  # type: ignore[method-assign]
        "euchre", view, legal, number
    )
    await wait_until(pilot, lambda: screen.complete)


async def to_review(pilot: Pilot[Any], app: KibitzApp) -> None:
    await to_hand_over(pilot, app)
    await pilot.press("v")
    await wait_until(pilot, lambda: isinstance(app.screen, ReviewScreen))
    screen = app.screen
    assert isinstance(screen, ReviewScreen)
    await wait_until(pilot, lambda: screen.complete)


async def to_hint(pilot: Pilot[Any], app: KibitzApp) -> None:
    while not getattr((await to_question(pilot, app)).view, "trick", ()):
        answer_first(app)
    await pilot.press("question_mark")
    await wait_until(pilot, lambda: moment_of(app).advice is not None)


async def to_watched(pilot: Pilot[Any], app: KibitzApp) -> None:
    await wait_until(pilot, lambda: at_table(app))
    await pilot.press("space")
    loop = table_of(app).loop
    assert loop is not None
    while len(loop.actions) < 13:
        before = len(loop.actions), moment_of(app)
        await pilot.press("full_stop")
        await wait_until(pilot, lambda before=before: (len(loop.actions), moment_of(app)) != before)


def watched(home: Path) -> KibitzApp:
    plan = plan_table("smear", ["easy", "hard", "easy", "hard"], seed=7, watch=True)
    return make_app(home, plan, clock=StoppedClock())


def replayed(home: Path) -> KibitzApp:
    recorded = read_journal(recorded_match(home, "euchre"))
    app = KibitzApp(Locations(home), clock=QuickClock(), replay=recorded)
    app.animation_level = "none"
    return app


async def to_replay(pilot: Pilot[Any], app: KibitzApp) -> None:
    await wait_until(pilot, lambda: at_table(app))
    await pilot.press("down", *["right"] * 9)
    await wait_until(pilot, lambda: len(moment_of(app).view.history) == 9)


# Other screens


async def to_home(pilot: Pilot[Any], app: KibitzApp) -> None:
    await wait_until(pilot, lambda: "v Watch" in text_of(app))
    await all_shown(pilot, app)


TAUGHT = replace(
    plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=1), teaching="always"
)


async def to_nudge(pilot: Pilot[Any], app: KibitzApp) -> None:
    """The table asks again: the hand is good enough to order up."""
    await to_question(pilot, app)
    loop = table_of(app).loop
    assert loop is not None
    await wait_until(pilot, lambda: loop.weighed is not None)
    app.clear_notifications()
    await pilot.press("p")
    await wait_until(pilot, lambda: "Play it anyway?" in table_of(app).remarked)


async def to_guided_move(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Turn pages up to the first move of the person."""
    await wait_until(pilot, lambda: isinstance(app.screen, GuideScreen))
    screen = app.screen
    assert isinstance(screen, GuideScreen)
    while not (screen.step and screen.step.you):
        await wait_until(pilot, lambda: screen.step is not None)
        if screen.reading:
            await pilot.press("enter")
        await pilot.pause()


def guided(game: str) -> Scene:
    """The guided hand of a game."""

    async def drive(pilot: Pilot[Any], app: KibitzApp) -> None:
        await to_home(pilot, app)
        app.post_message(OpenGuide(game))
        await to_guided_move(pilot, app)

    return Scene(f"guide-{game}", make_app, drive)


def opened(request: Callable[[], Any], *keys: str) -> Drive:
    """Opens a screen by a request and presses keys there."""

    async def drive(pilot: Pilot[Any], app: KibitzApp) -> None:
        await to_home(pilot, app)
        home = app.screen
        app.post_message(request())
        await wait_until(pilot, lambda: app.screen is not home)
        await all_shown(pilot, app)
        await pilot.press(*keys)
        await all_shown(pilot, app)

    return drive


async def to_explorer(pilot: Pilot[Any], app: KibitzApp) -> None:
    app.post_message(OpenExplorer("euchre", "q"))
    await wait_until(pilot, lambda: isinstance(app.screen, ExplorerScreen))
    await wait_until(pilot, lambda: app.screen.query_one(Rows).row_count > 0)
    await pilot.press("down", "down", "down")


async def to_question_about_match(pilot: Pilot[Any], app: KibitzApp) -> None:
    await opened(lambda: OpenWaiting())(pilot, app)
    await pilot.press("d")
    await wait_until(pilot, lambda: isinstance(app.screen, Question))


async def to_train_form(pilot: Pilot[Any], app: KibitzApp) -> None:
    spec = agents_for("truco")["linear"]
    await app.push_screen(TrainForm("truco", spec, 5, Store(app._locations.qtables)))


async def to_arena_form(pilot: Pilot[Any], app: KibitzApp) -> None:
    await app.push_screen(ArenaForm("truco", Store(app._locations.qtables)))


async def to_palette(pilot: Pilot[Any], app: KibitzApp) -> None:
    await to_home(pilot, app)
    await pilot.press("ctrl+p")
    await all_shown(pilot, app)


async def to_cover(pilot: Pilot[Any], app: KibitzApp) -> None:
    await wait_until(pilot, lambda: isinstance(app.screen, Cover))


def staged(home: Path) -> KibitzApp:
    app = KibitzApp(Locations(home), clock=QuickClock(), stage=("euchre", "neural"))
    app.settings = replace(app.settings, tips=False)
    app.animation_level = "none"

    def new_feed(subject: Subject) -> FakeFeed:
        return FakeFeed(subject, home)

    app.new_feed = new_feed  # type: ignore[method-assign]
    return app


async def to_stage(pilot: Pilot[Any], app: KibitzApp) -> None:
    await wait_until(pilot, lambda: isinstance(app.screen, StageScreen))
    feed = app._feed
    assert feed is not None
    for step in range(12):
        report(app, feed, vitals(80 * step), measured(80 * step, 0.05 * step))
    novice, expert = create("euchre", "random"), make("euchre", "hard")
    report(app, feed, compare("euchre", 12, 0, novice, expert, expert, 880))
    report(app, feed, Discovery(400, "leading: I made trump", "highest trump", 0.31, -0.02))
    await pilot.pause()


EUCHRE = ["you", "hard", "easy"]
SMEAR = ["you", "hard", "easy", "hard"]
TRUCO = ["you", "hard"]
FODINHA = ["you", "hard", "easy", "hard"]
NOTTY = ["you", "hard"]
SEATS = {"euchre": EUCHRE, "smear": SMEAR, "truco": TRUCO, "fodinha": FODINHA, "notty": NOTTY}

DISCARDS = plan_table("euchre", ["you", "easy", "easy"], delay=0.0, seed=5)
FOUR = plan_table("euchre", ["you", "hard", "easy", "hard"], {"players": 4}, delay=0.0, seed=5)
CROWD = plan_table("fodinha", ["you"] + ["easy"] * 9, {"players": 10}, delay=0.0, seed=6)
HOARDING = plan_table("notty", ["you", "easy", "easy"], {"players": 3}, delay=0.0, seed=7)


def full_truco(players: int, seed: int) -> TablePlan:
    seats, options = ["you"] + ["easy"] * (players - 1), {"rules": "full", "players": players}
    return plan_table("truco", seats, options, delay=0.0, seed=seed)


WIDE_TABLES = [
    reaching("euchre-discards", DISCARDS, discards_five, ["order", "with", "take"], "1", "2", "6"),
    reaching(
        "euchre-discards-panel", DISCARDS, discards_five, ["order", "with", "take"], "1", "2", "w"
    ),
    reaching("euchre-4", FOUR, mid_trick(2)),
    reaching("fodinha-tricks-10", CROWD, mid_trick(3, hand=4)),
    reaching("fodinha-tricks-10-panel", CROWD, mid_trick(3, hand=4), [], "w"),
    reaching("notty-many", HOARDING, holds_many(13), ["draw 3", "pass"]),
    reaching("notty-many-panel", HOARDING, holds_many(13), ["draw 3", "pass"], "w"),
    reaching("truco-full-2", full_truco(2, 5), always),
    reaching("truco-full-2-answer", full_truco(2, 5), is_asked_back),
    reaching("truco-full-4", full_truco(4, 8), mid_trick(1)),
    reaching("truco-full-6", full_truco(6, 9), mid_trick(1)),
]
SCENES = [
    Scene("home", make_app, to_home),
    Scene("home-played", played_home, to_home),
    Scene("new-table", make_app, opened(lambda: OpenForm("euchre"))),
    Scene("new-table-fodinha", make_app, opened(lambda: OpenForm("fodinha"))),
    playing("euchre", EUCHRE, 43, 0),
    playing("euchre", EUCHRE, 43, 3),
    playing("smear", SMEAR, 4, 0),
    playing("smear", SMEAR, 4, 3),
    playing("truco", TRUCO, 5, 0),
    playing("truco", TRUCO, 5, 2),
    playing("fodinha", FODINHA, 6, 0),
    playing("fodinha", FODINHA, 6, 2),
    playing("fodinha", ["you"] + ["hard"] * 9, 6, 0, players=10),
    playing("notty", NOTTY, 7, 0),
    playing("notty", NOTTY, 7, 2),
    Scene("hint", table(plan_table("smear", SMEAR, delay=1.0, seed=4)), to_hint),
    *[
        Scene(f"{game}-{name}", table(plan_table(game, seats, delay=0.0, seed=29)), drive)
        for game, seats in SEATS.items()
        for name, drive in (
            ("hand-over", to_hand_over),
            ("match-over", to_match_over),
            ("panel", to_panel),
        )
    ],
    *map(guided, (*GAMES, *VARIANTS)),
    Scene("teaching", table(TAUGHT), to_nudge),
    *WIDE_TABLES,
    Scene("watch", watched, to_watched),
    Scene("summary", table(plan_table("euchre", EUCHRE, delay=0.0, seed=183)), to_summary),
    Scene("review", table(plan_table("euchre", EUCHRE, delay=0.0, seed=29)), to_review),
    Scene("replay", replayed, to_replay),
    Scene("history", played_home, opened(OpenHistory)),
    Scene("history-empty", make_app, opened(OpenHistory)),
    Scene("stats", played_home, opened(OpenStats)),
    Scene("stats-empty", make_app, opened(OpenStats)),
    Scene("waiting", played_home, opened(lambda: OpenWaiting())),
    Scene("question", played_home, to_question_about_match),
    Scene("settings", make_app, opened(OpenSettings)),
    Scene("rules", make_app, opened(lambda: OpenRules("truco"))),
    Scene("palette", make_app, to_palette),
    Scene("cover", table(plan_table("smear", [PERSON] * 4, delay=0.0, seed=7)), to_cover),
    Scene("lab", lab_home, opened(lambda: OpenLab("euchre"))),
    Scene("lab-train", make_app, to_train_form),
    Scene("lab-arena", make_app, to_arena_form),
    Scene("explorer", make_app, to_explorer),
    Scene("stage", staged, to_stage),
]
