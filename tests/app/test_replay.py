"""Replay of recorded matches."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli import run
from app.home.locations import Locations
from app.match.seating import Seating
from app.records.history import History
from app.records.journal import Recorded, read_journal
from app.records.match_report import MatchReport, Mistake
from app.records.replay import Replay
from app.study.commentary import Commentary
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from app.ui.screens.replay import ReplayScreen
from app.ui.screens.requests import OpenReplay, ResumeMatch
from app.ui.tables import table_class
from app.ui.widgets.coach_words import new_cards_words, remark_words
from engine import GAMES
from tests.app.driving import (
    QuickClock,
    at_table,
    moment_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.app.journals import recorded_match
from tests.app.terminal import Terminal
from tests.quick import quick_with


def replay_of(recorded: Recorded) -> Replay:
    plan = recorded.setup.plan(0.0)
    return Replay(recorded, table_class(plan.game)(GAMES[plan.game], Seating.of(plan)))


def app_for(home: Path, recorded: Recorded | None = None) -> KibitzApp:
    app = KibitzApp(Locations(home), clock=QuickClock(), replay=recorded)
    app.animation_level = "none"
    return app


@pytest.mark.parametrize("game", GAMES)
def test_stops_look_the_same_forwards_and_backwards(game: str, tmp_path: Path) -> None:
    recorded = read_journal(recorded_match(tmp_path, game, 70))
    replay = replay_of(recorded)
    seen = []
    for stop in range(replay.last + 1):
        replay.go_to(stop)
        seen.append((replay.taken, replay.sentence, replay.moment()))
    assert [taken for taken, _, _ in seen] == sorted(taken for taken, _, _ in seen)
    assert seen[-1][0] == replay.count == len(recorded.past.actions)
    for stop in (replay.last - 1, replay.last // 2, replay.last, 3, 0):
        replay.go_to(stop)
        assert (replay.taken, replay.sentence, replay.moment()) == seen[stop]


@pytest.mark.parametrize("game", ["euchre", "truco", "fodinha"])
def test_hand_keys_move_from_deal_to_deal(game: str, tmp_path: Path) -> None:
    replay = replay_of(read_journal(recorded_match(tmp_path, game)))
    hands = []
    while replay.at < replay.last:
        view = replay.moment().view
        assert not view.history
        hands.append(view.hand_no)
        replay.go_to(replay.next_hand())
    assert hands == list(range(1, len(hands) + 1))
    ending = replay.moment().ending
    assert ending is not None
    assert ending.match_over
    for number in reversed(hands):
        replay.go_to(replay.previous_hand())
        assert replay.moment().view.hand_no == number
    assert replay.at == 0


async def test_replay_plays_no_action(tmp_path: Path) -> None:
    recorded = read_journal(recorded_match(tmp_path, "euchre"))
    app = app_for(tmp_path, recorded)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await app.workers.wait_for_complete()
        assert moment_of(app) == replay_of(recorded).moment()
        assert table_of(app).loop is None
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert not (tmp_path / "qtables").exists(), "no agent has learned anything"


async def test_keys_move_through_the_match(tmp_path: Path) -> None:
    recorded = read_journal(recorded_match(tmp_path, "euchre"))
    app = app_for(tmp_path, recorded)
    async with app.run_test(size=(80, 24)) as pilot:

        def stands_at(taken: int) -> Callable[[], bool]:
            return lambda: f"move {taken} of {len(recorded.past.actions)}" in text_of(app)

        await wait_until(pilot, lambda: at_table(app))
        await wait_until(pilot, stands_at(0))
        await pilot.press("right", "right", "right")
        await wait_until(pilot, stands_at(3))
        await pilot.press("left")
        await wait_until(pilot, stands_at(2))
        await pilot.press("end")
        await wait_until(pilot, stands_at(len(recorded.past.actions)))
        assert "win the match" in " ".join(text_of(app).split())
        await pilot.press("p")
        await pilot.pause()
        assert "The match is over here" in text_of(app)
        await pilot.press("home", "down")
        await wait_until(pilot, lambda: "hand 2" in text_of(app))
        await pilot.press("v", "v", "v")
        await wait_until(pilot, lambda: bool(moment_of(app).views))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))


@pytest.mark.parametrize("game", quick_with(["euchre", "notty", "smear"], "notty"))
async def test_play_on_from_a_position(game: str, tmp_path: Path) -> None:
    path = recorded_match(tmp_path, game)
    recorded = read_journal(path)
    app = app_for(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(OpenReplay(path.name))
        await wait_until(pilot, lambda: isinstance(app.screen, ReplayScreen) and at_table(app))
        for _ in range(6):
            await pilot.press("right")
        await wait_until(pilot, lambda: "move 6 of" in text_of(app))
        await pilot.press("p")
        await wait_until(pilot, lambda: at_table(app) and not isinstance(app.screen, ReplayScreen))
        asked = await to_question(pilot, app)
        assert asked.unrated
        loop = table_of(app).loop
        assert loop is not None
        assert tuple(loop.actions[:6]) == recorded.past.actions[:6]
        await pilot.press("ctrl+q")
    assert read_journal(path).past == recorded.past, "the old match is left alone"
    (new,) = [each for each in path.parent.glob("*.jsonl") if each != path]
    assert read_journal(new).past.unrated
    assert read_journal(new).past.actions[:6] == recorded.past.actions[:6]


async def test_match_with_another_first_seat_is_not_resumed(tmp_path: Path) -> None:
    path = recorded_match(tmp_path, "notty", 12)
    text = path.read_text()
    drawn = read_journal(path).setup
    seed = next(n for n in range(99) if GAMES["notty"].new(seed=n, **drawn.options).turn == 0)
    path.write_text(text.splitlines()[0].replace('"first":0', '"first":null') + "\n")
    path.write_text(path.read_text().replace('"seed":4711', f'"seed":{seed}'))
    app = app_for(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.post_message(ResumeMatch(path))
        await wait_until(pilot, lambda: bool(app._notifications))
        assert "another seat" in next(iter(app._notifications)).message
        assert isinstance(app.screen, HomeScreen)


async def test_hands_of_an_unfinished_match_stay_hidden(tmp_path: Path) -> None:
    recorded = read_journal(recorded_match(tmp_path, "euchre", 12))
    app = app_for(tmp_path, recorded)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("v")
        await wait_until(pilot, lambda: "stay hidden" in text_of(app))
        assert moment_of(app).view.seat == 0
        assert not moment_of(app).views


async def test_missing_journal_is_reported(tmp_path: Path) -> None:
    app = app_for(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.post_message(OpenReplay("gone.jsonl"))
        await wait_until(pilot, lambda: bool(app._notifications))
        assert [notice.message for notice in app._notifications] == [
            "gone.jsonl cannot be read: no such file or directory."
        ]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_pictures(
    tmp_path: Path, same_picture: Callable[[KibitzApp, str], None], size: tuple[int, int]
) -> None:
    app = app_for(tmp_path, read_journal(recorded_match(tmp_path, "euchre")))
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("down", *["right"] * 9)
        await wait_until(pilot, lambda: len(moment_of(app).view.history) == 9)
        await pilot.pause()
        same_picture(app, f"replay-{size[0]}x{size[1]}")


# The coach


async def test_coach_comments_on_each_move(tmp_path: Path) -> None:
    recorded = read_journal(recorded_match(tmp_path, "truco"))
    app = app_for(tmp_path, recorded)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and "move 0 of" in text_of(app))
        await pilot.press("n")
        await wait_until(pilot, lambda: "no report on this match" in text_of(app))
        await pilot.press("c")
        await wait_until(pilot, lambda: "Skill" in text_of(app))
        screen = table_of(app)
        assert isinstance(screen, ReplayScreen)
        commentary = screen._commentary
        assert commentary is not None
        first = commentary.mistakes[0].mistake
        assert first is not None
        await pilot.press("escape", "n")
        await wait_until(pilot, lambda: f"move {first.number + 1} of" in text_of(app))
        cost = f"Coach: this cost {100 * first.cost:.1f} percentage points; better:"
        await wait_until(pilot, lambda: cost in " ".join(text_of(app).split()))
        await pilot.press("N")
        await wait_until(pilot, lambda: "no mistake before this move" in text_of(app))
    (report,) = History(tmp_path / "history.db").reports()
    assert len(report.mistakes) == len(commentary.mistakes)
    again = app_for(tmp_path, recorded)
    async with again.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: "Skill" in text_of(again))


def test_words_of_the_coach_follow_the_position(tmp_path: Path) -> None:
    recorded = read_journal(recorded_match(tmp_path, "truco"))
    state = recorded.setup.deal()
    actions = recorded.past.actions
    chosen = []
    for number, action in enumerate(actions):
        if state.turn == 0 and len(state.legal()) > 1:
            chosen.append((number, state.label(action), state.label(state.legal()[-1])))
        state.apply(action)
    number, played, best = chosen[2]
    report = MatchReport(
        "truco", recorded.name, 0, recorded.finished, "search", len(chosen), 1, 0.1, 0.2, None,
        50.0, 0.0, ((0, 0.04), (number + 1, -0.02)), (Mistake(number, 0.1, played, best, 1),),
    )  # fmt: skip
    commentary = Commentary(recorded, [report])
    assert commentary.deal == 0.04
    assert [at for at, each in enumerate(commentary.remarks) if each.seat == 0] == [
        at for at, _, _ in chosen
    ]
    entries = commentary.as_dicts()
    assert entries[number] == {"cost": 0.1, "best": best, "luck": -0.02}
    assert entries[chosen[0][0]] == {"cost": 0.0}
    table = table_class("truco")(GAMES["truco"], Seating.of(recorded.setup.plan(0.0)))
    assert remark_words(table, commentary.remarks[chosen[0][0]]) == "Coach: this cost nothing."
    assert remark_words(table, commentary.remarks[number]).startswith(
        "Coach: this cost 10.0 percentage points; better: "
    )
    assert new_cards_words(-0.02, "your") == (
        "The new cards lower your chance to win by 2 percentage points."
    )
    other = replace(report, mistakes=(Mistake(number, 0.1, "no such move", best, 1),))
    assert Commentary(recorded, [other]).reports == []


async def test_coach_says_why_it_has_nothing_to_say(tmp_path: Path) -> None:
    app = app_for(tmp_path, read_journal(recorded_match(tmp_path, "euchre", 12)))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("c")
        await wait_until(pilot, lambda: "This match is not over." in text_of(app))


# The command


def test_replay_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded_match(tmp_path, "truco")
    for file in (str(path), path.name):
        assert run(["replay", file, "--json", "--home", str(tmp_path)]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["game"] == "truco"
        assert report["seed"] == 4711
        assert report["over"]
        assert [seat["player"] for seat in report["seats"]] == ["you", "q"]
        assert sum(seat["result"] for seat in report["seats"]) == 1
        assert report["actions"][0].keys() == {"seat", "do"}
        assert len(report["actions"]) == len(read_journal(path).past.actions)


def test_replay_as_json_with_the_coach(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded_match(tmp_path, "truco")
    assert run(["replay", str(path), "--json", "--coach", "--home", str(tmp_path)]) == 0
    report = json.loads(capsys.readouterr().out)
    (coach,) = report["coach"]
    costs = [each["cost"] for each in report["actions"] if "cost" in each]
    assert len(costs) == coach["decisions"]
    assert sum(costs) == pytest.approx(coach["error_rate"] * coach["mattered"])
    lucks = [each["luck"] for each in report["actions"] if "luck" in each]
    assert sum(lucks) + coach["deal"] == pytest.approx(coach["luck"])
    assert {each["seat"] for each in report["actions"] if "cost" in each} == {0}


def test_coach_refuses_an_unfinished_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recorded_match(tmp_path, "truco", 5)
    assert run(["replay", str(path), "--json", "--coach", "--home", str(tmp_path)]) == 2
    assert "is not over" in capsys.readouterr().err


def test_replay_from_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = recorded_match(tmp_path, "smear", 20).read_bytes()
    (tmp_path / "input").write_bytes(data)
    monkeypatch.setattr("sys.stdin", (tmp_path / "input").open())
    assert run(["replay", "-", "--json", "--home", str(tmp_path)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["game"] == "smear"
    assert not report["over"]
    assert report["seats"][0]["result"] is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "empty"), ("{}\n", "not a journal of Kibitz"), ('{"kibitz": 3}\n', "version 3")],
)
def test_invalid_journal_is_one_line(
    text: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text(text)
    assert run(["replay", str(file)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.count("\n") == 1


def test_replay_needs_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded_match(tmp_path, "truco", 5)
    assert run(["replay", str(path), "--home", str(tmp_path)]) == 2
    assert "needs a terminal" in capsys.readouterr().err


def test_replay_from_standard_input_reads_keys_from_the_terminal(tmp_path: Path) -> None:
    path = recorded_match(tmp_path, "euchre", 20)
    with Terminal("replay", "-", home=tmp_path / "elsewhere", stdin=path) as terminal:
        terminal.wait_for("move 0 of 20")
        terminal.type("l")
        terminal.wait_for("1 of 20")
        terminal.type("\x11")
        assert terminal.exit_status() == 0
