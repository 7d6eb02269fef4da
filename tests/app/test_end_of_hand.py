"""The end of a hand shows the table after its last card, in every game."""

from collections.abc import Iterator
from random import Random
from typing import Any, cast

import pytest

from app.match.moment import Moment
from app.match.narration import Narration
from app.match.seating import Seating, plan_table
from app.ui.screens.board import score_of
from app.ui.tables import table_class
from app.ui.tables.base import Table
from engine import GAMES
from engine.game import OVER, State
from engine.games.euchre import NOBODY, TRICKS, EuchreView
from engine.games.fodinha import FodinhaView
from engine.games.smear import SmearView
from engine.games.truco import TrucoView

SEEDS = range(4)
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "euchre": [{}, {"players": 4}],
    "smear": [{}, {"revoke": "penalty"}],
    "truco": [{"target": 10}],
    "fodinha": [{}, {"players": 6}],
    "notty": [{}, {"players": 3}],
}
MATCHES = [(game, options) for game in GAMES for options in OPTIONS[game]]

Shown = tuple[Table[Any], Moment, State, int]
"""A table, the end of a hand there, the state after it and the seat that acted last."""


def endings(game: str, options: dict[str, Any], open_hands: bool = False) -> Iterator[Shown]:
    """The ends of the hands of random matches."""
    for seed in SEEDS:
        rng, state = Random(seed), GAMES[game].new(seed=seed, **options)
        state.record_events()
        plan = plan_table(game, ["you", *["random"] * (state.seats - 1)], options)
        table = table_class(game)(GAMES[game], Seating.of(plan))
        narration = Narration(state, table)
        narration.open_hands = open_hands
        state.take_events()
        while state.turn != OVER:
            seat, before = state.turn, narration.views()
            action = rng.choice(state.legal())
            state.apply(action)
            if narration.add(seat, action, state.take_events(), before):
                yield table, narration.moment(), state, seat
            narration.dismiss_ending()


def numbers(text: str) -> list[str]:
    return "".join([each if each.isdecimal() else " " for each in text]).split()


@pytest.mark.parametrize(("game", "options"), MATCHES)
def test_header_has_the_new_score(game: str, options: dict[str, Any]) -> None:
    for table, moment, state, _ in endings(game, options):
        assert list(moment.view.scores) == state.scores()
        told = moment.ending.sentence if moment.ending is not None else ""
        assert moment.log[-1] in told
        if game in ("euchre", "smear") and state.turn != OVER:
            score = numbers(table.score_told(moment.view))
            assert numbers(table.score_line(moment.view)) == score
            assert numbers(told)[-2:] == score
            pegs = score_of(table.tallies(moment)).plain
            assert numbers(pegs)[-2:] == score


@pytest.mark.parametrize(("game", "options"), MATCHES)
def test_hand_that_ended_is_shown_and_not_the_next(game: str, options: dict[str, Any]) -> None:
    for _, moment, state, _ in endings(game, options):
        number = state.hand_no if state.turn == OVER else state.hand_no - 1
        assert moment.view.hand_no == number
        shown = [line for line in moment.log if line.startswith(("Hand ", "Round "))]
        assert all(int(numbers(line)[0]) <= number for line in shown)


def test_next_deal_is_logged_when_it_is_shown() -> None:
    state = GAMES["euchre"].new(seed=1)
    state.record_events()
    plan = plan_table("euchre", ["you", "random", "random"])
    narration = Narration(state, table_class("euchre")(GAMES["euchre"], Seating.of(plan)))
    while narration.ending is None:
        seat, before, action = state.turn, narration.views(), state.legal()[0]
        state.apply(action)
        narration.add(seat, action, state.take_events(), before)
    assert "Hand 2" not in " ".join(narration.log)
    narration.dismiss_ending()
    assert narration.log[-1].startswith("Hand 2: ")
    assert narration.latest == narration.log[-1]
    narration.dismiss_ending()
    assert " ".join(narration.log).count("Hand 2: ") == 1


@pytest.mark.parametrize("open_hands", [False, True])
@pytest.mark.parametrize("players", [3, 4])
def test_euchre_counts_all_tricks(players: int, open_hands: bool) -> None:
    for table, moment, _, last in endings("euchre", {"players": players}, open_hands):
        view = cast(EuchreView, moment.view)
        assert sum(view.tricks) == TRICKS
        ours, theirs = view.tricks
        assert f"tricks {ours} – {theirs}" in table.facts(view)
        (march,) = [result.sentence for result in moment.results[-1:]]
        assert ("all five" in march) == (TRICKS in view.tricks and "euchred" not in march)
        held = [seat for seat in table.seats(moment) if seat.backs or seat.cards]
        sits_out = view.sits_out != NOBODY
        assert len([seat for seat in held if seat.title != "Dummy"]) <= sits_out
        assert moment.last is not None
        laid = [card.face.code for card in table.felt(moment) if card.face]
        assert table.faces[moment.last[1]].code in laid
        assert len(laid) == players - sits_out
        told = table.last_trick(view)
        assert all(table.chip(card) in told for _, card in view.last_trick)
        assert f"{table.seating.names[last]} {table.chip(moment.last[1])}" in told


@pytest.mark.parametrize("open_hands", [False, True])
def test_smear_counts_all_cards_towards_game(open_hands: bool) -> None:
    for table, moment, state, last in endings("smear", {}, open_hands):
        view = cast(SmearView, moment.view)
        result = state.view(0).last_hand  # type: ignore[attr-defined]
        ours, theirs = result.game_points
        assert f"game {ours}:{theirs}" in table.facts(view)
        assert not table.hand(moment)
        assert not any(seat.backs or seat.cards for seat in table.seats(moment))
        assert len([card for card in table.felt(moment) if card.face]) == 4
        assert moment.last is not None
        assert f"{table.seating.names[last]} {table.chip(moment.last[1])}" in table.last_trick(view)


def test_smear_shows_the_card_that_revoked() -> None:
    revoked = 0
    for table, moment, _, last in endings("smear", {"revoke": "penalty"}):
        if "revoked" in moment.results[-1].sentence:
            revoked += 1
            laid = {card.caption: card.face for card in table.felt(moment)}
            name = table.seating.names[last]
            assert laid[f"{name} {'revoke' if name == 'You' else 'revokes'}"] is not None
    assert revoked


@pytest.mark.parametrize("open_hands", [False, True])
def test_truco_shows_every_trick(open_hands: bool) -> None:
    for table, moment, state, _ in endings("truco", {"target": 10}, open_hands):
        view = cast(TrucoView, moment.view)
        finished = state.view(0).last_round  # type: ignore[attr-defined]
        assert view.tricks == finished.tricks()
        assert view.results == finished.results
        assert view.mano == finished.mano
        for seat in (0, 1):
            taken = table.plate(moment, seat).tricks
            assert taken is not None
            assert taken.filled == finished.results.count(seat)
        if finished.results:
            told = table.last_trick(view)
            trick = finished.tricks()[len(finished.results) - 1]
            assert all(table.faces[card].words in told for _, card in trick)


@pytest.mark.parametrize("players", [4, 6])
def test_fodinha_shows_the_last_trick_and_what_everyone_won(players: int) -> None:
    for table, moment, state, _ in endings("fodinha", {"players": players}):
        view, after = cast(FodinhaView, moment.view), cast(FodinhaView, state.view(0))
        assert view.wins == after.last_wins
        assert not table.hand(moment)
        assert not any(seat.backs or seat.cards for seat in table.seats(moment))
        laid = [card.face for card in table.felt(moment) if card.face]
        assert laid == [table.faces[card] for card in _in_order(table, view)]
        assert all(table.chip(card) in table.last_trick(view) for _, card in view.last_trick)
        assert not any("counts" in str(fact) for fact in table.facts(view))
        assert "next one counts" not in moment.log[-2]


def _in_order(table: Table[Any], view: FodinhaView) -> list[int]:
    cards = dict(view.last_trick)
    return [cards[seat] for seat in table.around(view) if seat in cards]


def test_notty_shows_the_empty_hand() -> None:
    for table, moment, state, _ in endings("notty", {}):
        assert state.turn == OVER
        hands = table.standing(moment.view)
        assert hands == table.standing(state.view(0))
        if min(hands) == 0:
            assert "no cards left" in moment.results[-1].sentence
