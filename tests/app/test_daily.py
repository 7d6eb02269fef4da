"""The deal of the day."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from agents.match import Match
from agents.program_digest import program_digest
from agents.registry import make
from app.cli import run
from app.lab.par_process import ParProcesses
from app.match.dealing import daily_plan, daily_seed, initial_state
from app.match.seating import PERSON, TablePlan, plan_table
from app.records.history import History, MatchRecord, SeatRecord
from app.records.journal import read_journal
from app.records.practice_book import PracticeBook
from app.records.practice_rows import Par
from app.study.daily import (
    DailyResult,
    compute_par,
    daily_results,
    daily_table,
    margin,
    mean_of,
    score_of_agent,
    share_line,
)
from app.ui.screens.daily import DailyScreen
from app.ui.tables import table_class
from engine import GAMES
from engine.game import OVER
from tests.app.driving import (
    answer_first,
    at_table,
    is_over,
    make_app,
    table_of,
    text_of,
    to_question,
    wait_until,
)

DAY = date(2026, 11, 16)


def test_daily_seeds_never_change() -> None:
    seeds = {game: daily_seed(game, DAY) for game in GAMES}
    assert len(set(seeds.values())) == len(GAMES)
    assert seeds["euchre"] == 621_676_153
    assert daily_seed("euchre", date(2026, 11, 17)) != seeds["euchre"]


def test_match_after_the_daily_deal_is_ordinary() -> None:
    plan = daily_plan(plan_table("euchre"), DAY)
    assert plan.daily == "2026-11-16"
    assert plan.again().daily == ""
    assert plan.again().seed is None


async def test_daily_deal_from_home_is_shown_and_recorded(tmp_path: Path) -> None:
    """In a wide window, because other notices depend on the cards of the day."""
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        before = datetime.now(UTC).date()
        await pilot.click("#menu-daily")
        await wait_until(pilot, lambda: at_table(app))
        plan = table_of(app).plan
        assert date.fromisoformat(plan.daily) in (before, datetime.now(UTC).date())
        assert plan.seed == daily_seed("euchre", date.fromisoformat(plan.daily))
        await to_question(pilot, app)
        assert f"daily deal {plan.daily}" in text_of(app)
        loop = table_of(app).loop
        assert loop is not None
        played = len(loop.actions)
        answer_first(app)
        await wait_until(pilot, lambda: len(loop.actions) > played)
    (path,) = (tmp_path / "games").glob("*.jsonl")
    assert read_journal(path).setup.daily == plan.daily


def test_play_with_daily_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[TablePlan] = []
    monkeypatch.setattr(
        "app.commands.play.open_app", lambda *places, plan, delay: opened.append(plan)
    )
    assert run(["play", "truco", "--daily"]) == 0
    assert opened[0].seed == daily_seed("truco", date.fromisoformat(opened[0].daily))


def test_daily_flag_with_a_seed_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "truco", "--daily", "--seed", "3"]) == 2
    assert "its own seed" in capsys.readouterr().err


# The same table for everyone


def test_everyone_meets_the_same_agents() -> None:
    plan = daily_table("smear", DAY, 0.5)
    assert plan.seats == (PERSON, "hard", "hard", "hard")
    own = plan_table("smear", ["q", PERSON, "easy", "search"], delay=0.5)
    assert daily_plan(own, DAY) == plan


@pytest.mark.parametrize(
    "given", [["--seats", "you,easy"], ["--names", "You", "EASY_1"], ["--target", "10"]]
)
def test_daily_deal_has_its_own_players_and_options(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["play", "truco", "--daily", *given]) == 2
    assert "leave out" in capsys.readouterr().err


# Results


def finished(
    day: date, scores: tuple[float, float], hour: int = 10, player: str = "hard"
) -> MatchRecord:
    """A match at the daily table of Truco; with another player, at an ordinary one."""
    won = float(scores[0] > scores[1])
    seats = (SeatRecord("You", PERSON, 0, won), SeatRecord("North", player, 1, 1 - won))
    started = datetime(day.year, day.month, day.day, hour, tzinfo=UTC).isoformat()
    options = GAMES["truco"].make_options({}).as_dict()
    seed = daily_seed("truco", day)
    return MatchRecord("truco", options, seed, seats, scores, 9, started, started)


def test_first_try_at_the_daily_table_counts() -> None:
    first, second = finished(DAY, (40, 37)), finished(DAY, (40, 3), hour=11)
    easier = finished(DAY, (40, 0), hour=9, player="easy")
    (result,) = daily_results([second, first, easier]).values()
    assert (result.day, result.margin, result.outcome) == (DAY, 3, "won")


def test_line_to_share_says_nothing_about_the_cards() -> None:
    par = Par("truco", DAY, "1", {"easy": -9, "hard": 3, "search": 10})
    result = DailyResult("truco", DAY, 3, "won")
    line = "Kibitz daily 2026-11-16 · Truco Uruguayo · +3 (par +1) ▲=▽ · streak 4"
    assert share_line(result, par, 4) == line
    plain = "Kibitz daily 2026-11-16 - Truco Uruguayo - +3 (par +1) +=- - streak 4"
    assert share_line(result, par, 4, ascii_only=True) == plain
    hinted = replace(result, assisted=True)
    assert (
        share_line(hinted, None, 1) == "Kibitz daily 2026-11-16 · Truco Uruguayo · +3 · with hints"
    )


def test_mean_of_par_rounds_halves_up() -> None:
    pars = [Par("truco", DAY, "1", {"easy": 0, "hard": other}) for other in (1, 2, -1, -2)]
    assert [mean_of(par) for par in pars] == [1, 1, 0, -1]
    assert mean_of(Par("truco", DAY, "1", {})) == 0


def test_par_is_the_same_everywhere() -> None:
    """The agents play the deal of the person, with values that come with the program."""
    rotates = table_class("notty").rotates_start
    par = compute_par("notty", DAY, "1", rotates)
    assert list(par.margins) == ["easy", "hard", "search", "linear"]
    again = score_of_agent("notty", DAY, "hard", rotates)
    assert again == par.margins["hard"] == margin_of_hard("notty")


def margin_of_hard(game: str) -> int:
    """What hard scores in the person's seat, played out action by action as at a table."""
    plan = daily_table(game, DAY, 0.0)
    state = initial_state(plan, daily_seed(game, DAY), table_class(game).rotates_start)
    match = Match(state, [make(game, "hard") for _ in plan.seats], plan.seed or 0, played=0)
    while state.turn != OVER:
        match.step(match.decide().action)
    return margin(state.scores(), 0)


def test_par_of_other_agents_does_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program may have the same version and other agents, so par rests on a checksum."""
    today = datetime.now(UTC).date()
    history_with(tmp_path, finished(today, (40, 37)))
    book = PracticeBook(tmp_path / "history.db")
    book.add_par(Par("truco", today, "0" * 64, {"hard": 30}))
    monkeypatch.setattr("app.study.daily.par_agents", lambda game: ["easy"])
    assert run(["--home", str(tmp_path), "daily", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["week"]
    assert list(result["agents"]) == ["easy"]
    assert list(book.par(program_digest())) == [("truco", today)]
    assert book.par("0" * 64) == {}


# The board


def history_with(home: Path, *matches: MatchRecord) -> None:
    history = History(home / "history.db")
    for match in matches:
        history.add_match(match)


async def test_board_shows_the_week_and_par(tmp_path: Path) -> None:
    today = datetime.now(UTC).date()
    history_with(tmp_path, finished(today - timedelta(1), (31, 40)), finished(today, (40, 37)))
    PracticeBook(tmp_path / "history.db").add_par(
        Par("truco", today, program_digest(), {"easy": -9, "hard": 3, "search": 10})
    )
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: "today" in text_of(app))
        await pilot.press("D")
        await wait_until(pilot, lambda: isinstance(app.screen, DailyScreen))
        await wait_until(pilot, lambda: "+3 (+1)" in text_of(app))
        assert "−9" in text_of(app)
        await pilot.press("down", "down")
        await pilot.pause()
        shown = text_of(app)
        assert "Truco Uruguayo today: you won, +3; par +1" in shown
        assert "streak 2" in shown
        await pilot.press("c")
        assert app.clipboard.startswith(f"Kibitz daily {today.isoformat()} · Truco Uruguayo · +3")
        await pilot.press("up")
        await pilot.press("enter")
        await wait_until(pilot, lambda: at_table(app))
        assert table_of(app).plan.daily == today.isoformat()
        assert table_of(app).plan.game == "smear"


async def test_end_of_a_daily_match_leads_to_par(tmp_path: Path) -> None:
    """The person passes until hard has no cards left."""
    today = datetime.now(UTC).date()
    asked: list[tuple[str, date]] = []
    app = make_app(tmp_path, daily_table("notty", today, 0.0))
    app.want_par = lambda game, day: bool(asked.append((game, day)))  # type: ignore[method-assign]
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while not is_over(app):
            await pilot.press("p")
            await to_question(pilot, app)
        assert "Par" in [choice.text for choice in table_of(app).choices()]
        await pilot.press("B")
        await wait_until(pilot, lambda: isinstance(app.screen, DailyScreen))
        await wait_until(pilot, lambda: "Notty today: you" in text_of(app))
        assert ("notty", today) in asked


def test_results_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    today = datetime.now(UTC).date()
    assert run(["--home", str(tmp_path), "daily", "truco", "--share"]) == 0
    assert "Nothing to share yet" in capsys.readouterr().out
    history_with(tmp_path, finished(today, (40, 37)))
    PracticeBook(tmp_path / "history.db").add_par(
        Par("truco", today, program_digest(), {"hard": 0})
    )
    assert run(["--home", str(tmp_path), "daily", "--share"]) == 0
    line = f"Kibitz daily {today.isoformat()} · Truco Uruguayo · +3 (par +0) ▲"
    assert capsys.readouterr().out.strip() == line
    assert run(["--home", str(tmp_path), "daily", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["week"]
    assert (result["margin"], result["par"], result["agents"]) == (3, 0, {"hard": 0})


@pytest.mark.slow
def test_par_is_computed_in_a_process_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    processes = ParProcesses(path, "1", lambda game: table_class(game).rotates_start)
    assert processes.want("notty", DAY)
    process = processes._process
    assert process is not None
    process.join(100)
    assert list(PracticeBook(path).par("1")) == [("notty", DAY)]
    assert not processes.want("notty", DAY), "it would be computed for ever"
