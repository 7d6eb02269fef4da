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
from tests.engine.tables import ALL_GAMES, every_table


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


def inputs(encoding: Any, state: State) -> dict[int, tuple[list[float], tuple[int, ...]]]:
    """For each legal action of the seat to act its inputs and its facts."""
    legal = state.legal()
    rows, places, moves = encoding.read(state.view(state.turn), legal)
    expanded = encoding.expand(np.array(rows)).tolist()
    return {
        action: (expanded[place], move)
        for action, place, move in zip(legal, places, moves, strict=True)
    }


@pytest.mark.parametrize(("game", "options"), every_table())
def test_every_position_has_a_row_of_the_same_size_and_a_move_for_each_action(game, options):
    encoding = network_encoding(game)
    states = positions(game, options, range(2), 60)
    read = [encoding.read(state.view(state.turn), state.legal()) for state in states]
    codes = np.array([row for reading in read for row in reading.rows])
    rows = encoding.expand(codes)
    assert rows.shape == (len(codes), encoding.size)
    assert np.abs(rows).max() <= 20
    for state, reading in zip(states, read, strict=True):
        assert all(len(row) == encoding.columns for row in reading.rows)
        assert len(reading.places) == len(reading.moves) == len(state.legal())
        assert set(reading.places) == set(range(len(reading.rows)))
        for move in reading.moves:
            assert len(move) == len(encoding.moves)
            assert all(0 <= fact < size for fact, size in zip(move, encoding.moves, strict=True))
        assert 0 <= encoding.network(state.view(state.turn)) < encoding.networks


@pytest.mark.parametrize(("game", "options"), every_table())
def test_rows_reveal_no_hidden_cards(game: str, options: Any) -> None:
    encoding = network_encoding(game)
    for state in positions(game, options, range(3), 40):
        view, legal = state.view(state.turn), state.legal()
        redealt = view.sample(Random(1)).view(state.turn)
        assert encoding.read(redealt, legal) == encoding.read(view, legal)


@pytest.mark.parametrize("game", ALL_GAMES)
def test_many_rows_at_once_are_the_rows_one_by_one(game: str) -> None:
    encoding = network_encoding(game)
    codes = [
        row
        for state in positions(game, {}, range(2), 30)
        for row in encoding.read(state.view(state.turn), state.legal()).rows
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
                theirs = inputs(encoding, other)
                for action, seen in inputs(encoding, one).items():
                    assert theirs[twin[action]] == seen
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


def full_truco(deck: str, *said: str, seats: int = 4) -> State:
    """A round with these cards in the order of the deal, after these actions."""
    state = GAMES["truco_full"].new(1, deck=deck.split(), first=0, players=seats)
    for text in said:
        state.apply(state.parse(text))
    return state


FOUR = "1E 4O 10B  3C 5C 6B  12E 6O 7C  2C 4C 10E  7B"


def facts_of(state: State, *texts: str) -> list[tuple[int, ...]]:
    encoding = network_encoding("truco_full")
    actions = [state.parse(text) for text in texts]
    return encoding.read(state.view(state.turn), actions).moves


def test_a_card_of_a_partner_is_told_from_one_of_an_opponent() -> None:
    ahead = full_truco(FOUR, "play 1E", "play 3C")
    behind = full_truco(FOUR, "play 4O", "play 3C")
    (_, partners, *_), (_, theirs, *_) = [facts_of(each, "play 12E")[0] for each in (ahead, behind)]
    assert partners != theirs


def test_what_a_side_did_looks_the_same_from_the_other_seats() -> None:
    encoding = network_encoding("truco_full")
    states = [
        GAMES["truco_full"].new(1, deck=FOUR.split(), first=mano, players=4) for mano in range(4)
    ]
    for state in states:
        state.apply(state.parse("truco"))
    assert len({state.turn for state in states}) == 4
    first, *others = [encoding.read(state.view(state.turn), state.legal()) for state in states]
    for other in others:
        assert other.moves == first.moves
        assert np.array_equal(
            encoding.expand(np.array(other.rows)), encoding.expand(np.array(first.rows))
        )


def test_calls_of_envido_are_told_apart_by_the_value_held() -> None:
    high = facts_of(full_truco("1O 3C 6O 1C 3O 6B 7B", seats=2), "envido", "falta envido", "truco")
    low = facts_of(full_truco("1C 3O 6B 1O 3C 6O 7B", seats=2), "envido", "falta envido", "truco")
    for one, other in zip(high[:2], low[:2], strict=True):
        assert one[:3] == other[:3]
        assert one[3] != other[3]
    assert high[2] == low[2]


@pytest.mark.parametrize("game", GAMES)
def test_the_fields_of_any_game_can_be_encoded_without_its_own_encoding(game: str) -> None:
    encoding = FieldEncoding(game)
    states = positions(game, {}, range(2), 40)
    rows = [tuple(encoding.read(state.view(state.turn), state.legal()).rows[0]) for state in states]
    assert len(set(rows)) > len(rows) / 4
    assert encoding.moves == (GAMES[game].num_actions,)


def test_the_numbers_of_players_of_euchre_have_their_own_networks() -> None:
    learner = create("euchre", "neural")
    assert isinstance(learner, NeuralLearner)
    networks = {
        players: learner.encoding.network(GAMES["euchre"].new(players=players).view(0))
        for players in (3, 4)
    }
    assert networks == {3: 0, 4: 1}


def facts(game: str, deck: str, first: int, played: str, action: str, **options: object) -> Any:
    """The facts about an action after some others, for a given deal."""
    state = GAMES[game].new(seed=1, first=first, deck=deck.split(), **options)
    for label in played.split(", "):
        state.apply(state.parse(label))
    _, _, moves = network_encoding(game).read(state.view(state.turn), state.legal())
    return dict(zip([state.label(each) for each in state.legal()], moves, strict=True))[action]


SMEAR_DEAL = (
    "AS KS 2S 3S 9H 9D  10S QS 4S AH 2H 2D  JS 5S KH 3H 3D 4D  9S QH 4H 5H 5D 10D"
    " AC KC QC JC 10C 9C 5C 4C 3C 2C AD KD QD JD JH 10H"
)


def test_facts_of_smear_tell_a_card_that_beats_the_trick_from_one_that_does_not() -> None:
    played = "bet 3, pass, pass, pass, trump spades, play KS"
    ten, queen, four = [
        facts("smear", SMEAR_DEAL, 0, played, f"play {code}") for code in ("10S", "QS", "4S")
    ]
    assert ten[1:] != queen[1:] != four[1:]
    after_low = "bet 3, pass, pass, pass, trump spades, play 2S"
    beats, loses = [
        facts("smear", SMEAR_DEAL, 0, moves, "play QS")[1] for moves in (after_low, played)
    ]
    assert beats != loses


def test_facts_of_bets_say_nothing_about_cards() -> None:
    assert facts("smear", SMEAR_DEAL, 0, "pass", "bet 2")[1:] == (0, 0, 0, 0, 0)


def test_each_call_of_euchre_is_seen_with_its_suit_as_trump() -> None:
    deck = "9S 10S JS QS KS  9H 10H JH QH KH  9D 10D JD QD KD  9C 10C JC QC KC  AS AH AD AC"
    state = GAMES["euchre"].new(seed=1, first=0, players=4, deck=deck.split())
    for _ in range(4):
        state.apply(state.parse("pass"))
    rows, places, moves = network_encoding("euchre").read(state.view(state.turn), state.legal())
    calls = [at for at, action in enumerate(state.legal()) if state.label(action) != "pass"]
    assert len({places[at] for at in calls}) == 3
    assert len({moves[at][0] for at in calls}) == 1
    assert len(rows) == 4
