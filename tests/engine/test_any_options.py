"""Any set of options either deals a match that can be played, or is refused in a sentence."""

from collections.abc import Callable
from dataclasses import fields
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import GAMES
from engine.game import OVER, Game, State
from tests.engine.tables import ALL_GAMES, is_own, variants

ACTIONS_TRIED = 150
_ANYTHING = st.one_of(
    st.integers(), st.booleans(), st.floats(), st.text(max_size=5), st.none(), st.just([])
)


def values(option: Any) -> st.SearchStrategy[object]:
    """Values that an option might take, most of them possible ones."""
    about = option.metadata
    if about["choices"]:
        likely: st.SearchStrategy[object] = st.sampled_from(about["choices"])
    elif isinstance(option.default, bool):
        likely = st.booleans()
    else:
        low = about["low"] if about["low"] is not None else -5
        likely = st.integers(low - 1, (about["high"] or low + 30) + 1)
    return st.one_of(likely, likely, likely, _ANYTHING)


def option_sets(game: Game) -> st.SearchStrategy[dict[str, object]]:
    named = {option.name: values(option) for option in fields(game.options)}
    return st.fixed_dictionaries({}, optional=named)


def dealt_or_refused(deal: Callable[[], State]) -> State | None:
    """A match, or None if it was refused in a sentence."""
    said = ""
    try:
        return deal()
    except ValueError as refusal:
        said = str(refusal).rstrip()
    assert said.endswith(".")
    return None


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_any_options_deal_a_match_or_are_refused_in_a_sentence(name: str, data: Any) -> None:
    game = GAMES[name]
    options = data.draw(option_sets(game))
    seed = data.draw(st.integers(0, 2**63 - 1))
    state = dealt_or_refused(lambda: game.new(seed=seed, **options))
    if state is None:
        return
    chance = Random(seed)
    for _ in range(ACTIONS_TRIED):
        if state.turn == OVER:
            break
        legal = state.legal()
        assert legal == sorted(legal)
        action = chance.choice(legal)
        assert state.parse(state.label(action)) == action
        state.apply(action)
    for seat in range(state.seats):
        state.view(seat).sample(chance)


@pytest.mark.parametrize("name", GAMES)
@given(texts=st.dictionaries(st.text(max_size=10), st.text(max_size=10), max_size=3))
def test_any_texts_are_options_or_refused_in_a_sentence(name: str, texts: dict[str, str]) -> None:
    game = GAMES[name]
    options = [option.name for option in fields(game.options)]
    named = dict(zip(options, texts.values(), strict=False))
    for given_texts in (texts, named):
        dealt_or_refused(lambda texts=given_texts: game.new(seed=1, **game.parse_options(texts)))


@pytest.mark.parametrize("name", ALL_GAMES)
def test_generic_tests_play_every_choice_and_both_limits_of_every_option(name: str) -> None:
    played = variants(name)
    for option in fields(GAMES[name].options):
        limits = option.metadata
        values = {option.default, *limits["choices"], limits["low"], limits["high"]} - {None}
        if isinstance(option.default, bool):
            values = {True, False}
        # An option of a variant is tested with the variant.
        values = {value for value in values if is_own(name, option.name, value)}
        assert values <= {options.get(option.name, option.default) for options in played}
