"""The match loop without a screen: questions, delays and failures."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from agents.agent import Agent, Decision, Learner, Sides
from agents.euchre.features import EuchreAbstraction
from agents.euchre.rewards import EuchreRewards
from agents.learners.q import QLearner
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.storage.store import Store, StoreError
from app.match.dealing import deal
from app.match.loop import TableLoop
from app.match.moment import NOBODY, Moment
from app.match.saving import ACTIONS_BETWEEN_SAVES
from app.match.seating import PERSON, Seating, TablePlan, plan_table
from app.records.history import History
from app.records.journal import read_journal
from app.records.journal_file import Journal
from app.records.scorekeeper import Scorekeeper
from app.study.advice import Adviser
from app.ui.tables.euchre import EuchreTable
from engine.game import OVER, Event, View
from engine.games.euchre import GAME as EUCHRE
from tests.app.driving import QuickClock


class Onlooker:
    """Records moments and notices, and answers questions with the first legal action."""

    def __init__(self) -> None:
        self.loop: TableLoop | None = None
        self.moments: list[Moment] = []
        self.notices: list[str] = []
        self.covered: list[int] = []
        self.keyboards: list[int] = []
        """The seat at the keyboard, for each moment."""

    def show(self, moment: Moment) -> None:
        self.moments.append(moment)
        self.keyboards.append(self.covered[-1] if self.covered else NOBODY)
        assert self.loop is not None
        if moment.asked != NOBODY:
            asyncio.get_running_loop().call_soon(self.loop.choose, moment.legal[0])
        elif moment.ending is not None and not moment.ending.match_over:
            asyncio.get_running_loop().call_soon(self.loop.acknowledge)

    def notice(self, sentence: str) -> None:
        self.notices.append(sentence)

    async def cover(self, seat: int) -> None:
        self.covered.append(seat)


def seat_down(
    *seats: str,
    players: list[Agent | None] | None = None,
    store: Store | None = None,
    delay: float = 1.0,
    journal: Journal | None = None,
) -> tuple[TableLoop, Onlooker]:
    """A loop with these seats. players: instead of the agents with these names."""
    plan = TablePlan("euchre", seats)
    if players is None:
        players = [None if seat == PERSON else RandomPlayer() for seat in seats]
    match = Match(EUCHRE.new(seed=4), players, 4, record=True)
    onlooker = Onlooker()
    table = EuchreTable(EUCHRE, Seating.of(plan))
    loop = TableLoop(
        match,
        4,
        table,
        Adviser("euchre", 4, plan.seats),
        onlooker,
        store,
        delay,
        QuickClock(),
        journal,
    )
    onlooker.loop = loop
    return loop, onlooker


async def test_match_is_played_to_its_end() -> None:
    loop, onlooker = seat_down(PERSON, "random", "random")
    await loop.run()
    assert loop.match.state.turn == OVER
    last = onlooker.moments[-1]
    assert last.ending is not None
    assert last.ending.match_over
    assert last.log[-1].endswith("the match.")
    assert last.results[-1].number == loop.match.state.hand_no
    assert sum(result.points[0] for result in last.results) == loop.match.state.scores()[0]


async def test_end_of_hand_waits_and_shows_the_last_cards() -> None:
    loop, onlooker = seat_down(PERSON, "random", "random")
    await loop.run()
    endings = [moment for moment in onlooker.moments if moment.ending is not None]
    assert {moment.view.hand_no for moment in endings} == set(
        range(1, loop.match.state.hand_no + 1)
    )


async def test_illegal_choice_is_reported_and_changes_nothing() -> None:
    loop, onlooker = seat_down(PERSON, "random", "random")
    refused = []

    def choose_badly(moment: Moment) -> None:
        onlooker.moments.append(moment)
        if moment.asked != NOBODY and not refused:
            before = loop.match.state.history[:]
            loop.choose(next(action for action in range(56) if action not in moment.legal))
            assert loop.match.state.history == before
            refused.append(onlooker.notices[-1])
            loop.choose(moment.legal[0])
        elif moment.asked != NOBODY or moment.ending is not None:
            asyncio.get_running_loop().call_soon(
                *((loop.choose, moment.legal[0]) if moment.legal else (loop.acknowledge,))
            )

    onlooker.show = choose_badly  # type: ignore[method-assign]
    await loop.run()
    assert "is not possible now" in refused[0]


async def test_second_press_of_a_key_is_ignored() -> None:
    loop, onlooker = seat_down("random", "random", "random")
    before = loop.match.state.history[:]
    loop.choose(0)
    assert onlooker.notices == []
    assert loop.match.state.history == before


class Broken(Agent):
    name = "broken"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        raise RuntimeError("out of ideas")


class Cheat(Agent):
    name = "cheat"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        return Decision(next(action for action in range(56) if action not in legal))


@pytest.mark.parametrize(
    ("agent", "problem"), [(Broken(), "could not decide"), (Cheat(), "an illegal action")]
)
async def test_failing_agent_is_replaced_by_random(
    agent: Agent, problem: str, tmp_path: Path
) -> None:
    players: list[Agent | None] = [RandomPlayer(), agent, RandomPlayer()]
    keeper = Scorekeeper(tmp_path, History(tmp_path / "history.db"))
    journal = keeper.begin(plan_table("euchre", ["random"] * 3, watch=True), 4, None)
    loop, onlooker = seat_down(
        "random", agent.name, "random", players=players, delay=0.0, journal=journal
    )
    await loop.run()
    journal.close()
    recorded = read_journal(journal.path)
    assert recorded.past.taken_over == (1,)
    assert recorded.over
    assert loop.match.state.turn == OVER
    assert len(onlooker.notices) == 1
    assert f"West ({agent.name})" in onlooker.notices[0]
    assert problem in onlooker.notices[0]


class Confused(QLearner):
    """Decides, but fails to learn from the end of a hand."""

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        if any(event.kind == "hand" for event in events):
            raise RuntimeError("what happened?")


async def test_learner_that_fails_to_learn_is_replaced_by_random() -> None:
    confused = Confused(EuchreAbstraction(), EuchreRewards())
    players: list[Agent | None] = [RandomPlayer(), confused, RandomPlayer()]
    loop, onlooker = seat_down("random", "q", "random", players=players)
    await loop.run()
    assert loop.match.state.turn == OVER
    assert loop.match.state.hand_no > 1
    assert onlooker.notices == ["West (q) could not learn; random takes over that seat."]
    assert isinstance(loop.match.players[1], RandomPlayer)


async def test_table_is_covered_between_persons() -> None:
    loop, onlooker = seat_down(PERSON, PERSON, "random")
    await loop.run()
    assert set(onlooker.covered) == {0, 1}
    assert len(onlooker.covered) >= loop.match.state.hand_no, "every hand begins with a cover"
    for moment, keyboard in zip(onlooker.moments, onlooker.keyboards, strict=True):
        assert moment.view.seat == keyboard
        assert moment.asked in (NOBODY, keyboard)


async def test_log_of_two_persons_hides_discards() -> None:
    loop, onlooker = seat_down(PERSON, PERSON, "random")
    await loop.run()
    discards = [line for line in onlooker.moments[-1].log if "discard" in line]
    assert discards
    assert all("a card" in line for line in discards)


async def test_same_seed_gives_the_same_match() -> None:
    logs = []
    for _ in range(2):
        loop, onlooker = seat_down("random", "random", "random", delay=0.0)
        await loop.run()
        logs.append(onlooker.moments[-1].log)
    assert logs[0] == logs[1]


async def test_screen_is_updated_rarely_without_a_delay() -> None:
    """The clock stands still, so only the end is shown."""
    loop, onlooker = seat_down("random", "random", "random", delay=0.0)
    await loop.run()
    assert loop.match.decisions > 100
    assert len(onlooker.moments) < 5


async def test_learners_are_saved_during_and_after_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    saved: list[int] = []
    save = Store.save

    def note(store: Store, learner: Learner) -> None:
        saved.append(learner.unsaved)
        save(store, learner)

    monkeypatch.setattr(Store, "save", note)
    plan = plan_table("euchre", ["q", "q", "q"], seed=4, watch=True)
    dealt = deal(plan, store, rotates_start=False)
    table = EuchreTable(EUCHRE, Seating.of(plan))
    onlooker = Onlooker()
    loop = TableLoop(
        dealt.match, 4, table, Adviser("euchre", 4, plan.seats), onlooker, store, 0.0, QuickClock()
    )
    onlooker.loop = loop
    await loop.run()
    await loop.leave()
    assert len(saved) >= 2
    assert all(unsaved >= ACTIONS_BETWEEN_SAVES for unsaved in saved[:-1])
    assert store.path("euchre", "q").exists()
    assert onlooker.notices == []


async def test_full_disk_is_reported_and_the_match_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(store: Store, learner: Learner) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(Store, "save", refuse)
    store = Store(tmp_path)
    plan = plan_table("euchre", ["q", "random", "random"], seed=4, watch=True)
    dealt = deal(plan, store, rotates_start=False)
    onlooker = Onlooker()
    table = EuchreTable(EUCHRE, Seating.of(plan))
    loop = TableLoop(
        dealt.match, 4, table, Adviser("euchre", 4, plan.seats), onlooker, store, 0.0, QuickClock()
    )
    onlooker.loop = loop
    await loop.run()
    assert loop.match.state.turn == OVER
    assert set(onlooker.notices) == {"The disk is full."}
    assert len(onlooker.notices) <= 1 + loop.match.decisions // ACTIONS_BETWEEN_SAVES
