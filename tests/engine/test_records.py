"""Pickles, copies, keys and text of states, views, options and games."""

import copy
import pickle
from random import Random

import cloudpickle
import pytest

from engine import GAMES, deserialize
from engine.game import OVER, Event, Game, IllegalAction, State, View
from tests.engine.tables import ALL_GAMES

every_game = pytest.mark.parametrize("game", ALL_GAMES)


def positions(game: str, seed: int = 5, steps: int = 80) -> list[State]:
    """Copies of a random match at each of its decisions, and its end."""
    state = GAMES[game].new(seed=seed)
    rng = Random(seed)
    found = []
    while state.turn != OVER and len(found) < steps:
        found.append(state.clone())
        state.apply(rng.choice(state.legal()))
    while state.turn != OVER:
        state.apply(rng.choice(state.legal()))
    return [*found, state]


def played_on(state: State, rng: Random, steps: int = 40) -> list[object]:
    """What happens if the match goes on at random: every view and every action."""
    seen: list[object] = []
    for _ in range(steps):
        if state.turn == OVER:
            break
        action = rng.choice(state.legal())
        seen += [state.view(state.turn), action]
        state.apply(action)
    return [*seen, state.scores()]


def through_pickle(value: object) -> object:
    return pickle.loads(pickle.dumps(value))


def through_text(state: object) -> object:
    assert isinstance(state, State)
    return deserialize(state.serialize())


@every_game
@pytest.mark.parametrize(
    "copied",
    [
        through_pickle,
        copy.copy,
        copy.deepcopy,
        lambda value: pickle.loads(cloudpickle.dumps(value)),
        through_text,
    ],
    ids=["pickle", "copy", "deepcopy", "cloudpickle", "text"],
)
def test_copied_states_continue_alike(game: str, copied: object) -> None:
    for state in positions(game)[::7]:
        again = copied(state)  # type: ignore[operator]
        for seat in range(state.seats):
            assert again.view(seat) == state.view(seat)
        # `copy.copy` shares the lists, so the copy is not used afterwards.
        expected = played_on(state.clone(), Random(1))
        assert played_on(again, Random(1)) == expected


@every_game
def test_a_deep_copy_is_independent(game: str) -> None:
    state = GAMES[game].new(seed=3)
    before = state.view(state.turn)
    played_on(copy.deepcopy(state), Random(2))
    assert state.view(state.turn) == before


@every_game
def test_pickled_views_are_equal_and_can_be_sampled(game: str) -> None:
    for state in positions(game)[::9]:
        for seat in range(state.seats):
            view = state.view(seat)
            view.sample(Random(1))  # fills the caches, which are not pickled
            for again in (through_pickle(view), copy.deepcopy(view)):
                assert isinstance(again, View)
                assert again == view
                assert again.key() == view.key()
                assert again.sample(Random(2)).view(seat) == view


@every_game
def test_options_games_events_and_errors_survive_a_pickle(game: str) -> None:
    options = GAMES[game].options()
    for value in (options, Event("deal", 1, cards=(3,), points=(1.0, 0.0))):
        assert through_pickle(value) == copy.deepcopy(value) == value
    again = through_pickle(GAMES[game])
    assert isinstance(again, Game)
    assert again.new(seed=4).view(0) == GAMES[game].new(seed=4).view(0)
    refused = through_pickle(IllegalAction("no"))
    assert str(refused) == "no"


@every_game
def test_views_have_the_same_key_exactly_if_they_are_equal(game: str) -> None:
    views = [state.view(seat) for state in positions(game) for seat in range(state.seats)]
    by_key: dict[object, View] = {}
    for view in views:
        assert by_key.setdefault(view.key(), view) == view
    assert len(by_key) == sum(
        not any(view == earlier for earlier in views[:number]) for number, view in enumerate(views)
    )


@every_game
def test_keys_reveal_no_hidden_cards(game: str) -> None:
    for state in positions(game)[::5]:
        for seat in range(state.seats):
            view = state.view(seat)
            assert view.sample(Random(3)).view(seat).key() == view.key()


@every_game
def test_with_chance_keeps_the_cards_and_changes_what_comes(game: str) -> None:
    state = GAMES[game].new(seed=8)
    first = state.with_chance(1)
    assert first.view(0) == state.view(0)
    ends = {str(played_on(state.with_chance(seed), Random(1), 200)) for seed in range(4)}
    assert len(ends) > 1
    assert str(played_on(state.with_chance(1), Random(1), 200)) == str(
        played_on(first, Random(1), 200)
    )


def test_untaken_events_are_part_of_the_text() -> None:
    state = GAMES["truco"].new(seed=1)
    state.record_events()
    while not state.events:
        state.apply(state.legal()[0])
    again = GAMES["truco"].deserialize(state.serialize())
    assert again.take_events() == state.take_events()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not a state"),
        ('{"kind": "TrucoState", "format": 99, "options": {}, "state": {}}', "another version"),
        ('{"kind": "BridgeState", "format": 1, "options": {}, "state": {}}', "not on offer"),
        ('{"kind": "TrucoState", "format": 1, "options": {}, "state": {}}', "missing"),
        (
            '{"kind": "TrucoState", "format": 1, "options": {}, "state": {"bid": {"exec": [1]}}}',
            "unknown part, exec",
        ),
    ],
)
def test_other_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deserialize(text)


def test_the_state_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="not one of Smear"):
        GAMES["smear"].deserialize(GAMES["truco"].new().serialize())


@every_game
def test_chance_used_grows_exactly_with_random_events(game: str) -> None:
    """An action that uses no chance has one outcome, whatever the seed."""
    state, rng = GAMES[game].new(seed=8), Random(5)
    for _ in range(150):
        if not state.legal():
            break
        action = rng.choice(state.legal())
        ends = []
        for seed in range(6):
            other = state.with_chance(seed)
            used = other.chance_used()
            other.apply(action)
            ends.append((other.chance_used() > used, str(other.view(0))))
        state.apply(action)
        assert len({drawn for drawn, _ in ends}) == 1
        drawn = ends[0][0]
        assert drawn or len({view for _, view in ends}) == 1
