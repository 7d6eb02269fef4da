"""The features of the original programs: what they contain and what they leave out."""

import pytest

from agents.euchre.original_features import EuchreCards
from agents.fodinha.original_features import FodinhaCards, FodinhaCounts
from agents.registry import agents_for
from agents.truco.original_features import TrucoCards
from engine import GAMES
from engine.game import State
from engine.games.euchre import PLAYING
from tests.agents.positions import do, move_words


def after(game: str, deal: str, *labels: str, first: int = 0, **options: object) -> State:
    return do(GAMES[game].new(deck=deal.split(), first=first, **options), *labels)


def words(abstraction, state: State, seat: int | None = None) -> str:
    view = state.view(state.turn if seat is None else seat)
    return abstraction.words(abstraction.situation(view))


# Truco. The mano holds 3, 10 and 12 of copa, the other 4, 5 and 6 of basto; 7 of oro is turned.

TRUCO = "3C 10C 12C 4B 5B 6B 7O"


def test_truco_shows_the_own_cards_only():
    start = after("truco", TRUCO)
    assert words(TrucoCards(), start) == "turn: first 4, second 6, third 9, worth 1"
    unbid, bid = after("truco", TRUCO, "play 3C"), after("truco", TRUCO, "raise")
    assert words(TrucoCards(), unbid) == words(TrucoCards(), bid)
    assert move_words(TrucoCards(), bid) == {
        "accept": "accept",
        "reject": "reject",
        "raise": "raise",
        "flor": "call a flor",
    }


def test_truco_shows_the_cards_left_and_the_stake():
    state = after("truco", TRUCO, "raise", "accept", "play 3C", "play 4B")
    assert words(TrucoCards(), state) == "turn: first 4, second 6, worth 2"


# Euchre. Seat 1 deals, so seat 2 bids first.

EUCHRE = """9S 10S QH KD 9C  JS JC AS KS AH  9H 10H QD 9D 10C
            AD KC QC JD JH  QS"""


def test_euchre_distinguishes_every_card():
    state = after("euchre", EUCHRE, "pass", first=1)
    said = words(EuchreCards(), state)
    assert said.startswith("turn: ordering up, dealer first to my left, up-card QS, passes 1")
    assert "trumps 4, bowers 2, aces 2, voids 2" in said
    assert "JS in hand" in said


def test_euchre_shows_the_cards_played():
    state = after("euchre", EUCHRE, "order up", first=1)
    while state.phase != PLAYING:
        state.apply(state.legal()[-1])
    card = state.label(state.legal()[0]).removeprefix("play ")
    state.apply(state.legal()[0])
    said = words(EuchreCards(), state)
    assert f"{card} on the table" in said
    assert "playing, trump spades" in said


def test_euchre_does_not_distinguish_discards():
    state = after("euchre", EUCHRE, "order up", first=1)
    assert set(move_words(EuchreCards(), state).values()) == {"discard a card"}


# Fodinha. Seat 0 deals one card each, and the ace of clubs makes twos the power cards.


def fodinha(*labels: str) -> State:
    deal = "3S 4S 5S 6S AC 2C 2S 3D 7H 7D 8D 8H AD 4H"
    return after("fodinha", deal, "approve", *labels, players=4, blind_one=False)


def test_fodinha_shows_calls_when_calling_and_cards_when_playing():
    state = fodinha("call 0", "call 1")
    assert words(
        FodinhaCards(), state
    ) == "calling: 4 players, 1 after me, called 0, called 1, " + ("1 of rank 5")
    state = fodinha("call 0", "call 1", "call 0", "call 1", "play 3S")
    assert words(FodinhaCards(), state) == "playing: 4 players, 2 after me, played rank 3, " + (
        "1 of rank 4"
    )


def test_fodinha_does_not_show_the_own_call():
    one, none = [
        fodinha("call 0", call, "call 1", "call 1", "play 3S") for call in ("call 1", "call 0")
    ]
    assert words(FodinhaCards(), one) == words(FodinhaCards(), none)
    assert words(FodinhaCounts(), one) != words(FodinhaCounts(), none)


def test_fodinha_counts_high_cards():
    said = words(FodinhaCounts(), fodinha("call 0"))
    assert said.startswith("calling: 4 players, players after me 2, one card, power cards 0")


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("truco", ["q-original", "mc-original"]),
        ("euchre", ["q-original"]),
        ("fodinha", ["q-original", "linear-original"]),
        ("notty", ["q-original"]),
    ],
)
def test_baselines_are_listed_with_what_they_see(game, names):
    for name in names:
        assert agents_for(game)[name].summary.startswith("sees ")
