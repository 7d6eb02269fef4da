"""Full Truco in step with pytruco, the published implementation of the printed rules.

Both get the same cards and the same choices. In every step the seat to act has the same choices,
and the score stays the same. The tests below `Where pytruco differs` name the exceptions.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from pytruco.pdt import jugada
from pytruco.pdt.carta import Carta
from pytruco.pdt.chi import chi
from pytruco.pdt.equipo import Equipo
from pytruco.pdt.jugador import Jugador
from pytruco.pdt.manojo import Manojo
from pytruco.pdt.partida import Partida

from engine.cards import SPANISH_SUIT_NAMES
from engine.games.truco import CARDS, HAND, NUMBERS, RANKS, VALUES, has_flor
from engine.games.truco_full import (
    AL_RESTO,
    ANSWERING_FLOR,
    CONTRAFLOR,
    ENVIDO,
    ENVITE_FLOR,
    FALTA_ENVIDO,
    FLOR,
    FLOR_POINTS,
    GAME,
    MAZO,
    NO_QUIERO,
    PLAYING,
    QUIERO,
    RAISE,
    REAL_ENVIDO,
    FullState,
    envido_of,
    flor_of,
)

_SIDES = (Equipo.AZUL, Equipo.ROJO)
_CALLS = {
    ENVIDO: jugada.TocarEnvido,
    REAL_ENVIDO: jugada.TocarRealEnvido,
    FALTA_ENVIDO: jugada.TocarFaltaEnvido,
    FLOR: jugada.CantarFlor,
    CONTRAFLOR: jugada.CantarContraFlor,
    AL_RESTO: jugada.CantarContraFlorAlResto,
    QUIERO: jugada.ResponderQuiero,
    NO_QUIERO: jugada.ResponderNoQuiero,
    MAZO: jugada.IrseAlMazo,
}
_RAISES = {2: jugada.GritarTruco, 3: jugada.GritarReTruco, 4: jugada.GritarVale4}
_ACTIONS = {call: action for action, call in _CALLS.items()} | dict.fromkeys(
    _RAISES.values(), RAISE
)


def their_card(card: int) -> Carta:
    return Carta(NUMBERS[card % RANKS], SPANISH_SUIT_NAMES[card // RANKS])


def our_card(card: Carta) -> int:
    return SPANISH_SUIT_NAMES.index(str(card.palo)) * RANKS + NUMBERS.index(card.valor)


THEIRS = [their_card(card) for card in range(CARDS)]


class Lockstep:
    """One round of both programs."""

    def __init__(self, state: FullState) -> None:
        self.state = state
        names = [f"seat{seat}" for seat in range(state.seats)]
        self.names = names
        self.theirs = Partida(
            state.options.target,
            names[::2],
            names[1::2],
            dummy=True,
            verbose=False,
            limite_envido=state.options.envidos,
        )
        self.over = False
        self.theirs.nueva_ronda = self._new_round
        ronda = self.theirs.ronda
        ronda.reset(state.mano)
        for manojo, cards in zip(ronda.manojos, state.dealt, strict=True):
            manojo.cartas = [THEIRS[card] for card in cards]
        ronda.muestra = THEIRS[state.muestra]
        ronda.cachear_flores(True)
        self._agree()

    def _new_round(self, mano: int) -> None:
        self.over = True

    def _agree(self) -> None:
        for side, points in zip(_SIDES, self.state.points, strict=True):
            self.theirs.puntajes[side] = points

    def their_choices(self) -> set[int]:
        """The choices of the seat to act, as our actions."""
        seat = self.state.turn
        found = set()
        for each in chi(self.theirs, self.theirs.ronda.manojos[seat]):
            if isinstance(each, jugada.TirarCarta):
                found.add(self.state.hands[seat].index(our_card(each.carta)))
            else:
                found.add(_ACTIONS[type(each)])
        # With us, nobody leaves while an answer is due.
        return found if self.state.phase == PLAYING else found - {MAZO}

    def take(self, action: int) -> None:
        """Both take an action; then the score has to be the same."""
        state, theirs = self.state, self.theirs
        seat, stake, hand_no = state.turn, state.bid or state.stake, state.hand_no
        call: object
        if action < HAND:
            call = jugada.TirarCarta(self.names[seat], THEIRS[state.hands[seat][action]])
        elif action == RAISE:
            call = _RAISES[stake + 1](self.names[seat])
        elif action == FLOR:
            call = jugada.CantarFlor(self.names[seat], recursive=True)
        else:
            call = _CALLS[action](self.names[seat])
        refused_flor = action == NO_QUIERO and state.phase == ANSWERING_FLOR
        told = len(state.history) + 1
        # pytruco asks the flores by seat number; we ask them from the caller's right.
        waiting = theirs.ronda.envite.sin_cantar
        waiting.sort(key=lambda name: (self.names.index(name) - seat - 1) % state.seats)
        flores = sum(manojo.tiene_flor(theirs.ronda.muestra)[0] for manojo in theirs.ronda.manojos)
        plain, before = state.envite == ENVITE_FLOR, list(theirs.puntajes.values())
        state.apply(action)
        call.hacer(theirs)
        if action == RAISE and state.hand_no == hand_no:
            for who, said in state.history[told:]:
                assert said == FLOR
                if self.names[who] in theirs.ronda.envite.sin_cantar:
                    jugada.CantarFlor(self.names[who], recursive=True).hacer(theirs)
        if refused_flor:
            gained = sum(theirs.puntajes.values()) - sum(before)
            assert gained == FLOR_POINTS * flores + (not plain), (
                "see test_refused_contraflor_counts_the_flores_of_one_side"
            )
            self._agree()
        assert [theirs.puntajes[side] for side in _SIDES] == state.points
        finished = state.hand_no != hand_no or state.turn < 0
        assert finished == (self.over or theirs.terminada())
        if not finished and state.phase == PLAYING:
            assert theirs.ronda.turno == state.turn


def play_round(players: int, seed: int) -> None:
    rng = Random(f"{players}/{seed}")
    state = GAME.new(seed, players=players, target=rng.choice((20, 30, 40)))
    state.points = [rng.randrange(state.options.target) for _ in _SIDES]
    both = Lockstep(state)
    hand_no = state.hand_no
    while state.turn >= 0 and state.hand_no == hand_no:
        legal = state.legal()
        assert set(legal) == both.their_choices(), (players, seed, state.history)
        # Going to the mazo ends most rounds too early.
        action = rng.choice([each for each in legal if each != MAZO] or legal)
        both.take(MAZO if MAZO in legal and rng.random() < 0.05 else action)


@pytest.mark.parametrize(("players", "rounds"), [(2, 60), (4, 25), (6, 15)])
def test_rounds_in_step(players: int, rounds: int) -> None:
    for seed in range(rounds):
        play_round(players, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds"), [(2, 10_000), (4, 2000), (6, 2000)])
def test_many_rounds_in_step(players: int, rounds: int) -> None:
    for seed in range(1000, 1000 + rounds):
        play_round(players, seed)


def check_values(muestra: int, hands: Iterator[tuple[int, ...]]) -> int:
    """Compare the values of hands; return how many."""
    theirs = Manojo(Jugador("somebody", Equipo.AZUL))
    shown, count = THEIRS[muestra], 0
    for cards in hands:
        theirs.cartas = [THEIRS[card] for card in cards]
        flor = theirs.calc_flor(shown)
        assert flor_of(cards, muestra) == flor
        assert has_flor(cards, muestra) == (flor >= 0)
        if flor < 0:
            assert envido_of(cards, muestra) == theirs.calcular_envido(shown)
        count += 1
    return count


def test_values_of_some_hands() -> None:
    rng = Random(1)
    for muestra in range(CARDS):
        assert check_values(muestra, iter([tuple(rng.sample(range(CARDS), 3)) for _ in range(60)]))


@pytest.mark.slow
@pytest.mark.parametrize("muestra", range(CARDS))
def test_values_of_all_hands(muestra: int) -> None:
    assert check_values(muestra, combinations(range(CARDS), HAND)) == 9880


def test_strengths_of_all_cards() -> None:
    """The order of the cards is the same under every muestra."""
    for muestra in range(CARDS):
        powers = [THEIRS[card].calc_poder(THEIRS[muestra]) for card in range(CARDS)]
        values = VALUES[muestra]
        for one, two in combinations(range(CARDS), 2):
            assert (powers[one] < powers[two]) == (values[one] < values[two])
            assert (powers[one] == powers[two]) == (values[one] == values[two])


# Where pytruco differs


def start(players: int, cards: str, first: int = 0) -> Lockstep:
    """A round with these cards: three for each seat from the first on, then the muestra."""
    return Lockstep(GAME.new(1, deck=cards.split(), first=first, players=players))


def test_refused_contraflor_counts_the_flores_of_one_side() -> None:
    """The rules give 3 for each flor of the side that called, and 1 more. pytruco's loop never
    looks whose flor it counts, so it also gives the flores of the side that refused."""
    both = start(2, "1O 3O 6O 1C 3C 6C 7B")
    both.take(FLOR)
    both.take(CONTRAFLOR)
    both.state.apply(NO_QUIERO)
    jugada.ResponderNoQuiero("seat0").hacer(both.theirs)
    assert both.state.points == [0, 4]
    assert both.theirs.puntajes[Equipo.ROJO] == 7


def test_flor_that_backs_down_gives_the_flores_of_one_side() -> None:
    both = start(2, "1O 3O 6O 1C 3C 6C 7B")
    both.take(FLOR)
    both.state.apply(NO_QUIERO)
    jugada.ResponderNoQuiero("seat1").hacer(both.theirs)
    assert both.state.points == [3, 0]
    assert both.theirs.puntajes[Equipo.AZUL] == 6


def test_two_flores_worth_nothing_go_to_the_mano() -> None:
    """Equal flores go to the mano. pytruco leaves flores of 0 out of the comparison, so that the
    player who announced last wins."""
    both = start(2, "10O 11O 12O 10C 11C 12C 7B")
    both.take(FLOR)
    both.state.apply(FLOR)
    jugada.CantarFlor("seat1").hacer(both.theirs)
    assert both.state.points == [6, 0]
    assert both.theirs.puntajes[Equipo.ROJO] == 6


def test_nobody_leaves_while_an_answer_is_due() -> None:
    """With pytruco a player may leave instead of answering. Our rules ask for the answer first."""
    both = start(2, "1O 3C 6O 1C 3O 6B 7B")
    both.take(RAISE)
    assert MAZO not in both.state.legal()
    assert any(
        isinstance(each, jugada.IrseAlMazo)
        for each in chi(both.theirs, both.theirs.ronda.manojos[1])
    )


def test_an_answer_comes_before_the_next_card() -> None:
    """With pytruco the player who called truco may play on before the answer. With us one seat
    acts at a time, and the answer is asked first."""
    both = start(2, "1O 3C 6O 1C 3O 6B 7B")
    both.take(RAISE)
    assert both.state.turn == 1
    assert any(
        isinstance(each, jugada.TirarCarta)
        for each in chi(both.theirs, both.theirs.ronda.manojos[0])
    )


def test_flor_against_an_envido_is_asked_from_the_right_of_the_caller() -> None:
    """Both sides hold a flor when seat 0 calls envido. pytruco lets the lowest seat number
    announce first; we let the first seat to the right of the caller, as for answers."""
    cards = "1O 3C 6O 1C 3O 6B 4E 5E 6E 1E 2E 3E 7B"
    both = start(4, cards, first=1)
    both.take(ENVIDO)
    assert both.state.announced == 0b1000
    assert both.state.turn == 0
    theirs = start(4, cards, first=1).theirs
    jugada.TocarEnvido("seat1").hacer(theirs)
    assert theirs.ronda.envite.cantado_por == "seat0"


def test_envidos_is_a_number_of_points() -> None:
    """pytruco's limit of 4 counts points: envido, envido, and no third one."""
    both = start(2, "1O 3C 6O 1C 3O 6B 7B")
    both.take(ENVIDO)
    both.take(ENVIDO)
    assert ENVIDO not in both.state.legal()
    assert ENVIDO not in both.their_choices()
