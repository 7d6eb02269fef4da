"""The inputs of networks: complete, in range, and equal for equivalent positions."""

from random import Random
from typing import Any

import numpy as np
import pytest

from agents.learners.field_encoding import FieldEncoding
from agents.learners.neural import NeuralLearner
from agents.registry import create, network_encoding
from engine import GAMES
from engine.game import OVER, State
from engine.games import euchre, smear
from tests.engine.tables import every_table


def positions(game: str, options: Any, seeds: range, steps: int) -> list[State]:
    """Positions of random play in which there is a choice."""
    found = []
    for seed in seeds:
        rng = Random(seed)
        state = GAMES[game].new(seed=seed, **options)
        for _ in range(steps):
            if state.turn == OVER:
                break
            if len(state.legal()) > 1:
                found.append(state.clone())
            state.apply(rng.choice(state.legal()))
    return found


def inputs(encoding: Any, state: State) -> tuple[list[float], list[int]]:
    """The inputs of the seat to act, and the moves of its legal actions."""
    codes, moves = encoding.read(state.view(state.turn), state.legal())
    return encoding.expand(np.array(codes))[0].tolist(), moves


@pytest.mark.parametrize(("game", "options"), every_table())
def test_every_position_has_a_row_of_the_same_size_and_a_move_for_each_action(game, options):
    encoding = network_encoding(game)
    states = positions(game, options, range(2), 60)
    read = [encoding.read(state.view(state.turn), state.legal()) for state in states]
    together = [row for codes, _ in read for row in codes]
    rows = encoding.expand(np.array(together))
    assert rows.shape == (len(together), encoding.size)
    assert np.abs(rows).max() <= 20
    for state, (codes, moves) in zip(states, read, strict=True):
        assert len(codes) == (len(moves) if encoding.per_action else 1)
        assert all(len(row) == encoding.columns for row in codes)
        assert len(moves) == len(state.legal())
        assert all(0 <= move < encoding.moves for move in moves)
        assert 0 <= encoding.network(state.view(state.turn)) < encoding.networks


@pytest.mark.parametrize("game", GAMES)
def test_rows_reveal_no_hidden_cards(game: str) -> None:
    encoding = network_encoding(game)
    for state in positions(game, {}, range(3), 40):
        view, legal = state.view(state.turn), state.legal()
        redealt = view.sample(Random(1)).view(state.turn)
        assert encoding.read(redealt, legal) == encoding.read(view, legal)


@pytest.mark.parametrize("game", GAMES)
def test_many_rows_at_once_are_the_rows_one_by_one(game: str) -> None:
    encoding = network_encoding(game)
    codes = [
        row
        for state in positions(game, {}, range(2), 30)
        for row in encoding.read(state.view(state.turn), state.legal()).codes
    ]
    together = encoding.expand(np.array(codes))
    for row, each in zip(together, codes, strict=True):
        assert np.array_equal(encoding.expand(np.array([each]))[0], row)


def other_suits(order: list[int], pack: Any, renamed: list[int]) -> list[str]:
    """The codes of the same cards after the suits changed places."""
    ranks = pack.ranks
    return [pack.codes[renamed[card // ranks] * ranks + card % ranks] for card in order]


@pytest.mark.parametrize(
    ("game", "rules", "renamed"),
    [
        ("smear", smear, [2, 3, 0, 1]),
        ("smear", smear, [1, 0, 3, 2]),
        # The colours have to stay together: spades and clubs, hearts and diamonds.
        ("euchre", euchre, [3, 2, 1, 0]),
        ("euchre", euchre, [1, 0, 3, 2]),
    ],
)
def test_the_names_of_suits_do_not_matter(game: str, rules: Any, renamed: list[int]) -> None:
    encoding = network_encoding(game)
    pack, labels = rules.PACK, rules.LABELS
    words = dict(zip(pack.codes, other_suits(list(range(len(pack))), pack, renamed), strict=True))
    words |= {
        name: rules.SUIT_NAMES[new] for name, new in zip(rules.SUIT_NAMES, renamed, strict=True)
    }
    twin = {
        action: labels.index(" ".join([words.get(word, word) for word in label.split()]))
        for action, label in enumerate(labels)
    }
    compared = 0
    for seed in range(12):
        order = Random(seed).sample(range(len(pack)), len(pack))
        one, other = [
            GAMES[game].new(seed=seed, first=0, deck=deck)
            for deck in ([pack.codes[card] for card in order], other_suits(order, pack, renamed))
        ]
        rng = Random(seed)
        while one.hand_no == 1 and one.turn != OVER:
            legal = one.legal()
            hand, ranks = one.view(one.turn).hand, pack.ranks
            holdings = {hand >> suit * ranks & (1 << ranks) - 1 for suit in range(4)}
            if len(legal) > 1 and len(holdings) == 4:
                row, moves = inputs(encoding, one)
                theirs, their_moves = inputs(encoding, other)
                assert row == theirs
                of_twin = dict(zip(other.legal(), their_moves, strict=True))
                assert [of_twin[twin[action]] for action in legal] == moves
                compared += 1
            action = rng.choice(legal)
            one.apply(action)
            other.apply(twin[action])
    assert compared > 30


def test_cards_of_one_strength_are_one_move_in_fodinha() -> None:
    encoding = network_encoding("fodinha")
    state = GAMES["fodinha"].new(seed=1, players=2, tries=1, deck=["2S", "2H", "8D"])
    plays = [state.parse(f"play {code}") for code in ("4S", "4H", "5S")]
    same, equal, other = encoding.read(state.view(state.turn), plays).moves
    assert same == equal != other


@pytest.mark.parametrize("game", GAMES)
def test_the_fields_of_any_game_can_be_encoded_without_its_own_encoding(game: str) -> None:
    encoding = FieldEncoding(game)
    states = positions(game, {}, range(2), 40)
    read = [encoding.read(state.view(state.turn), state.legal()) for state in states]
    rows = [tuple(codes) for [codes], _ in read]
    assert len(set(rows)) > len(rows) / 4
    assert encoding.moves == GAMES[game].num_actions


def test_the_numbers_of_players_of_euchre_have_their_own_networks() -> None:
    learner = create("euchre", "neural")
    assert isinstance(learner, NeuralLearner)
    networks = {
        players: learner.encoding.network(GAMES["euchre"].new(players=players).view(0))
        for players in (3, 4)
    }
    assert networks == {3: 0, 4: 1}
