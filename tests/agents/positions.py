"""Positions and measurements for the tests of agents."""

from collections.abc import Iterator
from random import Random
from typing import Any, TypeVar

from agents.agent import Agent
from agents.learners.features import Abstraction
from agents.match import Match
from engine.game import OVER, Game, State
from engine.games.fodinha import DECKS, FodinhaState
from engine.games.fodinha import GAME as FODINHA
from engine.games.fodinha import PACK as FODINHA_PACK
from engine.games.fodinha import SIDES as FODINHA_SIDES
from engine.games.notty import GAME as NOTTY
from engine.games.notty import PACK as NOTTY_PACK
from engine.games.notty import SIDES as NOTTY_SIDES
from engine.games.notty import NottyState
from engine.games.smear import GAME as SMEAR
from engine.games.smear import SmearState
from engine.games.truco import GAME as TRUCO
from engine.games.truco import TrucoState

S = TypeVar("S", bound=State)


def do(state: S, *labels: str) -> S:
    """Take these actions."""
    for label in labels:
        state.apply(state.parse(label))
    return state


def play(state: S, cards: str) -> S:
    return do(state, *[f"play {code}" for code in cards.split()])


def random_positions(
    game: Game, seeds: int, steps: int = 250, hands: int = 1000, **options: Any
) -> Iterator[State]:
    """The positions of random play with these seeds."""
    for seed in range(seeds):
        rng = Random(seed)
        state = game.new(seed=seed, **options)
        for _ in range(steps):
            if state.turn == OVER or state.hand_no >= hands:
                break
            yield state
            state.apply(rng.choice(state.legal()))


# Deals


def smear_hand(*hands: str, revoke: str = "forbid") -> SmearState:
    """Seats 0 to 3 get these hands, or any that are left; seat 3 deals."""
    assert all(len(hand.split()) == 6 for hand in hands)
    return SMEAR.new(deck=" ".join(hands).split(), first=3, revoke=revoke)


def spades_by_seat_0(state: SmearState) -> SmearState:
    return do(state, "bet 2", "pass", "pass", "pass", "trump spades")


def truco_round(
    mano: str, other: str, muestra: str, *labels: str, scores: tuple[int, int] = (0, 0)
) -> TrucoState:
    """Seat 0 is mano. The labels are the actions after the deal."""
    state = TRUCO.new(seed=1, deck=[*mano.split(), *other.split(), muestra], first=0)
    state.points = list(scores)
    return do(state, *labels)


def fodinha_round(
    *hands: str, turned: str = "AS", actions: str = "", **options: Any
) -> FodinhaState:
    """A round with these hands from seat 0 on; the last seat deals. Power is the rank above the
    last turned card.

    actions   the labels of the actions so far, separated by commas
    """
    options = {"players": len(hands), "tries": len(turned.split()), **options}
    chosen = FODINHA.make_options(options)
    state = FodinhaState(5, FODINHA_SIDES[chosen.players], options=chosen)
    state.seat_the_living()
    state.dealer = len(hands) - 1
    state.size = len(hands[0].split())
    top = [code for hand in hands for code in hand.split()] + turned.split()
    state.deal(FODINHA_PACK.stack(top, DECKS[state.options.range]))
    return do(state, *(actions.split(",") if actions else []))


def notty_position(*hands: str, turn_limit: int = 300) -> NottyState:
    """Seat 0 to act, with exactly these hands."""
    options = NOTTY.make_options({"players": len(hands), "turn_limit": turn_limit})
    state = NottyState(1, NOTTY_SIDES[len(hands)], options=options)
    left = [NOTTY_PACK.copies] * len(NOTTY_PACK.codes)
    for seat, codes in enumerate(hands):
        for code in codes.split():
            state.receive(seat, NOTTY_PACK.card(code))
            left[NOTTY_PACK.card(code)] -= 1
    state.deck = [card for card, count in enumerate(left) for _ in range(count)]
    state.stacked = False
    return state


# Agents


def choice(agent: Agent, state: State, seed: int = 0) -> str:
    """The label of the agent's action."""
    decision = agent.act(state.view(state.turn), state.legal(), Random(seed))
    return state.label(decision.action)


def choices(agent: Agent, state: State, count: int = 40) -> list[str]:
    """The labels of the agent's actions with several seeds."""
    return [choice(agent, state, seed) for seed in range(count)]


def situation_words(abstraction: Abstraction[Any], state: State) -> str:
    return abstraction.words(abstraction.situation(state.view(state.turn)))


def move_words(abstraction: Abstraction[Any], state: State) -> dict[str, str]:
    """The move of each legal action, by the label of the action; the first choice of each move
    comes first."""
    moves = abstraction.moves(state.view(state.turn), state.legal())
    return {state.label(action): abstraction.move_words(move) for action, move in moves.items()}


def share_of_wins(game: Game, agent: Agent, other: Agent, deals: int, **options: Any) -> float:
    """The share of matches that the agent wins against the other agent in all other sides. Every
    deal is played from every side."""
    shares = []
    for seed in range(deals):
        for side in game.new(seed=seed, **options).sides:
            state = game.new(seed=seed, **options)
            players = [agent if seat in side else other for seat in range(state.seats)]
            Match(state, players, seed).play_out()
            shares.append(state.returns()[side[0]])
    return sum(shares) / len(shares)
