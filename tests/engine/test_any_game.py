"""What must hold for every game of the house."""

from pathlib import Path
from random import Random

import pytest

from engine import GAMES
from engine.game import OVER, IllegalAction
from tests.engine.tables import CARDS_OF, all_cards_are_there, every_table, everything_in

table = pytest.mark.parametrize(("name", "options"), every_table())


def positions(name, options, seeds, steps=400):
    """States of random play, up to a number of steps for each seed."""
    for seed in seeds:
        rng = Random(seed)
        state = GAMES[name].new(seed=seed, **options)
        for _ in range(steps):
            yield state, rng
            if state.turn == OVER:
                break
            state.apply(rng.choice(state.legal()))


@table
def test_random_play_ends_with_a_result(name, options):
    for seed in range(20):
        rng = Random(seed)
        state = GAMES[name].new(seed=seed, **options)
        for _ in range(100_000):
            if state.turn == OVER:
                break
            legal = state.legal()
            assert legal
            assert legal == sorted(set(legal))
            assert all(0 <= action < GAMES[name].num_actions for action in legal)
            assert 0 <= state.turn < state.seats
            assert state.returns() == [0.0] * state.seats
            state.apply(rng.choice(legal))
        assert state.turn == OVER
        assert state.legal() == []
        winning_sides = [side for side in state.sides if state.returns()[side[0]] > 0]
        shares = [state.returns()[side[0]] for side in winning_sides]
        assert sum(shares) == pytest.approx(1)
        assert len(set(shares)) == 1
        assert len(state.scores()) == len(state.hand_returns()) == len(state.sides)
        assert sum(state.places()) == pytest.approx(
            sum(range(1, len(state.sides) + 1)),
        )


@table
def test_every_seat_belongs_to_one_side(name, options):
    state = GAMES[name].new(seed=1, **options)
    assert sorted(seat for side in state.sides for seat in side) == list(range(state.seats))
    assert state.seats in GAMES[name].players


@table
def test_seed_options_and_actions_make_the_same_match(name, options):
    first = GAMES[name].new(seed=11, **options)
    second = GAMES[name].new(seed=11, **options)
    rng = Random(3)
    while first.turn != OVER:
        action = rng.choice(first.legal())
        label = first.label(action)
        assert everything_in(first) == everything_in(second)
        first.apply(action)
        second.apply(second.parse(label))
    assert everything_in(first) == everything_in(second)


@table
def test_another_seed_makes_another_match(name, options):
    deals = [everything_in(GAMES[name].new(seed=seed, **options)) for seed in range(8)]
    assert len({repr(deal | {"seed": ""}) for deal in deals}) == 8


@table
def test_every_card_is_somewhere_exactly_once(name, options):
    for state, _ in positions(name, options, range(6)):
        assert all_cards_are_there(name, options, state)


@table
def test_a_clone_goes_its_own_way(name, options):
    for state, rng in positions(name, options, range(4), steps=150):
        before = everything_in(state)
        copy = state.clone()
        assert everything_in(copy) == before
        for _ in range(12):
            if copy.turn == OVER:
                break
            copy.apply(rng.choice(copy.legal()))
        assert everything_in(state) == before


@table
def test_labels_and_actions_name_each_other(name, options):
    for state, _ in positions(name, options, range(6)):
        labels = [state.label(action) for action in state.legal()]
        assert len(set(labels)) == len(labels)
        assert [state.parse(label) for label in labels] == state.legal()
        assert [state.parse(f"  {label.upper()} ") for label in labels] == state.legal()
        if state.turn != OVER:
            view = state.view(state.turn)
            assert [view.label(action) for action in state.legal()] == labels


@table
def test_a_text_that_names_no_action_gets_a_sentence(name, options):
    state = GAMES[name].new(seed=2, **options)
    for text in ("", "play", "play ZZ", "play AS AS", "fold", "😀", "discard"):
        with pytest.raises(ValueError, match=r"\.$"):
            state.parse(text)


@table
def test_an_illegal_action_leaves_the_state_untouched(name, options):
    for state, _ in positions(name, options, range(3), steps=120):
        before = everything_in(state)
        legal = set(state.legal())
        for action in range(-3, GAMES[name].num_actions + 3):
            if action not in legal:
                with pytest.raises(IllegalAction, match=r"\.$"):
                    state.apply(action)
        assert everything_in(state) == before


@table
def test_a_view_says_nothing_about_hidden_cards(name, options):
    """Deal the hidden cards again: no seat can tell from its view."""
    for state, rng in positions(name, options, range(5), steps=150):
        for seat in range(state.seats):
            view = state.view(seat)
            other = view.sample(rng)
            assert other.view(seat) == view
            assert (other.turn, other.seats, other.sides) == (state.turn, state.seats, state.sides)
            assert all_cards_are_there(name, options, other)
            if state.turn == seat:
                assert other.legal() == state.legal()


@table
def test_a_view_is_a_copy(name, options):
    state = GAMES[name].new(seed=5, **options)
    rng = Random(5)
    views = []
    for _ in range(60):
        if state.turn == OVER:
            break
        view = state.view(state.turn)
        views.append((view, repr(view)))
        state.apply(rng.choice(state.legal()))
    for view, words in views:
        assert repr(view) == words


@table
def test_a_sampled_match_can_be_played_to_its_end(name, options):
    for state, rng in positions(name, options, range(2), steps=60):
        if state.turn == OVER:
            continue
        world = state.view(state.turn).sample(rng)
        for _ in range(100_000):
            if world.turn == OVER:
                break
            world.apply(rng.choice(world.legal()))
        assert world.turn == OVER


@table
def test_events_change_nothing_and_end_with_the_match(name, options):
    plain = GAMES[name].new(seed=21, **options)
    recorded = GAMES[name].new(seed=21, **options)
    recorded.record_events()
    rng = Random(8)
    kinds = []
    while plain.turn != OVER:
        action = rng.choice(plain.legal())
        plain.apply(action)
        recorded.apply(action)
        kinds += [event.kind for event in recorded.take_events()]
    assert recorded.scores() == plain.scores()
    assert kinds[-2:] == ["hand", "match"] or kinds[-1] == "match"
    assert kinds.count("hand") == plain.hand_no
    assert kinds.count("match") == 1
    assert plain.events is None


@pytest.mark.parametrize("name", list(GAMES))
def test_bad_options_are_explained(name):
    game = GAMES[name]
    with pytest.raises(ValueError, match="has no option 'colour'"):
        game.new(colour="blue")
    for option in game.options().as_dict():
        with pytest.raises(ValueError, match=rf"Option {option} is"):
            game.new(**{option: "nonsense"})
        with pytest.raises(ValueError, match=rf"Option {option} is"):
            game.parse_options({option: "nonsense"})
    with pytest.raises(ValueError, match="There is no seat 99"):
        game.new(first=99)
    with pytest.raises(ValueError, match="is not a card of this pack"):
        game.new(deck=["ZZ"])


@table
def test_a_playthrough_stays_as_it_was(name, options, request, stored):
    """The first hands of a match, action by action; a change here is a change of the rules."""
    state = GAMES[name].new(seed=2026, **options)
    rng = Random(2026)
    lines = [f"{name} {options} seed 2026"]
    for _ in range(220):
        if state.turn == OVER:
            lines.append(f"over: {state.returns()}")
            break
        hand_no, seat, action = state.hand_no, state.turn, rng.choice(state.legal())
        possible = len(state.legal())
        lines.append(f"{seat}: {state.label(action)} ({possible} possible)")
        state.apply(action)
        if state.hand_no != hand_no:
            lines.append(f"-- hand {hand_no}: {state.hand_returns()}, score {state.scores()}")
    file = Path(__file__).parent / "playthroughs" / f"{request.node.callspec.id}.txt"
    if name in CARDS_OF or file.exists():
        stored(file, "\n".join(lines) + "\n")
