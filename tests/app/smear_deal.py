"""A fixed deal of Smear for the tests of its table."""

from engine.games.smear import GAME as SMEAR
from engine.games.smear import PACK, SmearState

# Six cards for each of You, West, North and East.
DECK = (
    "AS KS JS 2S 10H 9H",
    "3S QS 10S AH KH 5H",
    "4S 9S AD KD 10D 2D",
    "5S QH JH 4H 3H 2H",
)
SECOND_DECK = (
    "AS 2H 5H 4D 3C AC",
    "3S KS 10H 2D 10D KD",
    "4S JS 4H 5D QD 5C",
    "3H 9H JH 4C 10C QC",
)
PLAY = (
    "AS 3S 4S 5S",
    "KS QS 9S 2H",
    "JS 10S AD 3H",
    "2S 5H 10D 4H",
    "9H AH KD JH",
    "KH 2D QH 10H",
)
YOU_BET_FOUR = ("bet 4", "pass", "pass", "pass", "trump spades")
WEST_BETS = ("pass", "bet 2", "pass", "pass", "trump spades")


def cards(*tricks: str) -> list[str]:
    """The labels that play these tricks."""
    return [f"play {code}" for trick in tricks for code in trick.split()]


def state_after(*labels: str, dealer: int = 3, revoke: str = "forbid") -> SmearState:
    """The match after these actions. DECK goes to seats 0 to 3 for any dealer; East is seat 3."""
    dealt = [DECK[(dealer + place) % 4] for place in range(1, 5)]
    state = SMEAR.new(seed=1, deck=" ".join(dealt).split(), first=dealer, revoke=revoke)
    state.record_events()
    for label in labels:
        state.apply(state.parse(label))
    return state


def play_second_hand(state: SmearState) -> None:
    """Deal SECOND_DECK. Seat 0 deals, bets two and is set."""
    cards = PACK.stack(" ".join(SECOND_DECK).split(), PACK.cards)
    state.deal([1 << card for card in cards])
    for label in ("pass", "pass", "pass", "bet 2", "trump clubs"):
        state.apply(state.parse(label))
    while state.hand_no == 2:
        state.apply(state.legal()[0])
