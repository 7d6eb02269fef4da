"""Features and moves of the learners of full Truco: chances of round and envido, bids, score."""

from collections.abc import Sequence
from typing import Final

from agents.learners.features import Abstraction, Feature, Layout, Situation, among, bucket
from agents.truco.odds import ME, THEM
from agents.truco_full.judgement import Round, envido_chance, flor_chance
from engine.games.truco import HIGHEST_STAKE, NOBODY
from engine.games.truco_full import (
    AL_RESTO,
    ANSWERING_ENVIDO,
    ANSWERING_FLOR,
    ANSWERING_TRUCO,
    CONTRAFLOR,
    ENVIDO,
    ENVITE_AL_RESTO,
    ENVITE_CONTRAFLOR,
    ENVITE_FALTA,
    ENVITE_FLOR,
    ENVITE_REAL,
    FALTA_ENVIDO,
    FLOR,
    MAZO,
    NO_FLOR,
    NO_QUIERO,
    QUIERO,
    RAISE,
    REAL_ENVIDO,
    FullView,
)

_MOVES: Final = (
    "play the best card of the side",
    "win cheaply",
    "tie the trick",
    "throw the weakest card",
    "lead the lowest card",
    "lead the middle card",
    "win high",
    "throw another losing card",
    "envido",
    "real envido",
    "falta envido",
    "flor",
    "contraflor",
    "contraflor al resto",
    "raise",
    "raise back",
    "quiero",
    "no quiero",
    "mazo",
)
(
    _HIGHEST, _WIN_LOW, _TIE, _THROW_WEAKEST, _LOWEST, _MIDDLE, _WIN_HIGH, _THROW_OTHER,
    _ENVIDO, _REAL, _FALTA, _FLOR, _CONTRAFLOR, _AL_RESTO, _RAISE, _RAISE_BACK, _QUIERO,
    _NO_QUIERO, _MAZO,
) = range(len(_MOVES))  # fmt: skip
_CALLS: Final = {
    ENVIDO: _ENVIDO,
    REAL_ENVIDO: _REAL,
    FALTA_ENVIDO: _FALTA,
    FLOR: _FLOR,
    CONTRAFLOR: _CONTRAFLOR,
    AL_RESTO: _AL_RESTO,
    QUIERO: _QUIERO,
    NO_QUIERO: _NO_QUIERO,
    MAZO: _MAZO,
}

_LEADING, _FOLLOWING, _TRUCO, _ENVIDO_ANSWER, _FLOR_ANSWER = range(5)

_LIMITS: Final[tuple[float, ...]] = (0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99)
_ENVIDO_LIMITS: Final[tuple[float, ...]] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def _tenths(what: str, limits: Sequence[float]) -> tuple[str, ...]:
    words = [f"{what} below {limits[0]:.0%}"]
    return (*words, *[f"{what} from {limit:.0%}" for limit in limits])


_standing = Feature(
    "standing",
    (
        "first trick as mano",
        "first trick behind the mano",
        "first trick won",
        "first trick lost",
        "first trick tied as mano",
        "first trick tied behind the mano",
        "one trick each and the first is ours",
        "one trick each and the first is theirs",
        "two tricks tied as mano",
        "two tricks tied behind the mano",
    ),
)
_FIRST: Final = {ME: 2, THEM: 3}
_chance = Feature("chance", _tenths("chance of the round", _LIMITS))
_envido = Feature("envido", ("", *_tenths("chance of the envido", _ENVIDO_LIMITS)))
_call = Feature("call", ("envido", "envido twice", "real envido", "falta envido"))
_flor_call = Feature("call", ("flor", "contraflor", "contraflor al resto"))
_flor = Feature("flor", ("", "a flor to announce"))
_flor_value = Feature("flor", _tenths("chance of the flor", _ENVIDO_LIMITS))
_stake = Feature(
    "stake",
    (
        "the round is worth 1",
        "truco by us",
        "truco by them",
        "retruco by us",
        "retruco by them",
        "vale 4 by us",
        "vale 4 by them",
    ),
)
_bid = Feature("bid", ("they bid truco", "they bid retruco", "they bid vale 4"))
_won = Feature("won", ("", "we won the envido", "they won the envido"))
_means = Feature("means", ("cannot take the trick", "can tie the trick", "can take the trick"))
_need = Feature("need", ("", "we need few points", "they need few points", "both need few points"))
_FEW: Final = 6


class FullTrucoAbstraction(Abstraction[FullView]):
    """The chances to win the round and the envido; bids and the score add to them."""

    game = "truco_full"
    version = 1
    layouts = (
        Layout(
            "leading",
            (_standing, _chance, _envido, _flor, _stake, _won, _need),
            outline=("standing", "chance", "envido", "flor", "stake"),
        ),
        Layout(
            "following",
            (_standing, _chance, _envido, _flor, _stake, _won, _need, _means),
            outline=("standing", "chance", "envido", "flor", "stake", "means"),
        ),
        Layout(
            "answering a truco",
            (_standing, _chance, _envido, _flor, _bid, _won, _need),
            outline=("standing", "chance", "envido", "flor", "bid"),
        ),
        Layout("answering an envido", (_envido, _call, _need, _chance), outline=("envido", "call")),
        Layout("answering a flor", (_flor_value, _flor_call, _need)),
    )
    move_names = _MOVES

    def situation(self, view: FullView) -> Situation:
        need = _need_of(view)
        if view.phase == ANSWERING_FLOR:
            flor = bucket(flor_chance(view.flor, _mano(view)), _ENVIDO_LIMITS)
            call = {ENVITE_FLOR: 0, ENVITE_CONTRAFLOR: 1, ENVITE_AL_RESTO: 2}[view.envite]
            return (_FLOR_ANSWER, flor, call, need)
        hand = Round(view)
        chance = bucket(hand.chance(), _LIMITS)
        if view.phase == ANSWERING_ENVIDO:
            call = {ENVITE_REAL: 2, ENVITE_FALTA: 3}.get(view.envite, int(view.pot > 2))
            return (_ENVIDO_ANSWER, 1 + _envido_of(view), call, need, chance)
        open_ = view.envite == 1 and len(view.hand) == 3 and view.stake == 1 and view.bid in (0, 2)
        envido = 1 + _envido_of(view) if open_ and view.flor == NO_FLOR else 0
        flor = int(open_ and view.flor != NO_FLOR)
        common = (_standing_of(hand), chance, envido, flor)
        won = _won_by(view)
        if view.phase == ANSWERING_TRUCO:
            return (_TRUCO, *common, view.bid - 2, won, need)
        ours = view.raiser != NOBODY and view.raiser & 1 == view.side()
        stake = 2 * (view.stake - 1) - ours
        if hand.owner == NOBODY:
            return (_LEADING, *common, stake, won, need)
        return (_FOLLOWING, *common, stake, won, need, _means_of(hand))

    def moves(self, view: FullView, legal: Sequence[int]) -> dict[int, int]:
        moves = {action: _CALLS[action] for action in legal if action in _CALLS}
        if RAISE in legal:
            moves[RAISE] = _RAISE_BACK if view.phase == ANSWERING_TRUCO else _RAISE
        if legal[0] < ENVIDO:
            moves |= _cards(Round(view))
        return among(moves, legal)


def _mano(view: FullView) -> bool:
    return view.mano & 1 == view.side()


def _envido_of(view: FullView) -> int:
    return bucket(envido_chance(view.envido, _mano(view), view.seats // 2), _ENVIDO_LIMITS)


def _standing_of(hand: Round) -> int:
    behind = int(hand.mano != ME)
    results = hand.results
    if not results:
        return behind
    if len(results) == 1:
        return 4 + behind if results[0] == NOBODY else _FIRST[results[0]]
    if results[0] == NOBODY:
        return 8 + behind
    return 6 if results[0] == ME else 7


def _won_by(view: FullView) -> int:
    told = [seat for seat, value in view.told if value >= 0]
    if not told:
        return 0
    return 1 if told[-1] & 1 == view.side() else 2


def _need_of(view: FullView) -> int:
    side, target = view.side(), view.target()
    few = [target - view.scores[each] <= max(_FEW, HIGHEST_STAKE) for each in (side, 1 - side)]
    return few[0] + 2 * few[1]


def _means_of(hand: Round) -> int:
    if hand.owner == ME:
        return 2
    best = hand.values[-1]
    return 2 if best > hand.led else int(hand.led in hand.values)


def _cards(hand: Round) -> dict[int, int]:
    values = hand.values
    moves = {}
    if hand.owner != THEM:
        for place, value in enumerate(values):
            if value == values[-1]:
                moves[place] = _HIGHEST
            else:
                moves[place] = _LOWEST if value == values[0] else _MIDDLE
        return moves
    winners = [place for place, value in enumerate(values) if value > hand.led]
    losers = [place for place, value in enumerate(values) if value < hand.led]
    for place, value in enumerate(values):
        if value > hand.led:
            moves[place] = _WIN_LOW if place == winners[0] else _WIN_HIGH
        elif value == hand.led:
            moves[place] = _TIE
        else:
            moves[place] = _THROW_WEAKEST if place == losers[0] else _THROW_OTHER
    return moves
