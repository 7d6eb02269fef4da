"""Rule players for Fodinha: calls and cards by the exact odds of the unseen cards."""

from collections.abc import Callable, Sequence
from math import comb
from random import Random
from typing import Final, cast

from agents.agent import Agent, Decision, Scale
from agents.odds import spread_of
from engine.compiling import mypyc_attr
from engine.game import View
from engine.games.fodinha import (
    APPROVE,
    CALL,
    CALLING,
    NO_CALL,
    RANKS,
    REJECT,
    STRENGTH,
    TURNING,
    FodinhaView,
    stand_or_void,
)

STRENGTHS: Final = RANKS + 4
"""Thirteen ranks and above them four power cards."""

COMB: Final = tuple([[comb(cards, drawn) for drawn in range(11)] for cards in range(53)])

DONE_YIELDS: Final = 0.3
"""How far players who have all their wins are assumed to leave later tricks to others, from 0
to 1."""

CALLER_ERRS: Final = 0.2
"""How often a call in a blind round is assumed to contradict what the caller saw."""

Terms = list[tuple[int, int]]


def _terms(leaves_none: Callable[[int], bool]) -> list[Terms]:
    """For each number of unseen cards of a rank: the draws after which no card of the rank stands,
    as pairs (number drawn, number of ways)."""
    return [
        [(drawn, comb(unseen, drawn)) for drawn in range(unseen + 1) if leaves_none(drawn)]
        for unseen in range(5)
    ]


ABSENT_ALL: Final = _terms(lambda drawn: drawn != 1)
STANDS_ALL: Final = _terms(lambda drawn: drawn > 0)
VOID_ALL: Final = _terms(lambda drawn: True)
ABSENT_PAIRS: Final = _terms(lambda drawn: drawn % 2 == 0)
STANDS_PAIRS: Final = _terms(lambda drawn: drawn % 2 == 1)


class Trick:
    """The strengths in a trick that stand, and those that are void."""

    __slots__ = ("pairs", "standing", "void")

    def __init__(self, strengths: Sequence[int], pairs: bool) -> None:
        self.pairs = pairs
        self.standing, self.void = stand_or_void(strengths, pairs)

    def terms(self, rank: int, unseen: int) -> Terms:
        """The draws after which no card of this rank stands."""
        if self.standing >> rank & 1:
            return STANDS_PAIRS[unseen] if self.pairs else STANDS_ALL[unseen]
        if self.void >> rank & 1:
            return VOID_ALL[unseen]
        return ABSENT_PAIRS[unseen] if self.pairs else ABSENT_ALL[unseen]


def _with_rank(ways: list[int], terms: Terms) -> list[int]:
    """The number of ways by the number of cards drawn, extended by one more rank."""
    most = len(ways)
    extended = [0] * most
    for already, count in enumerate(ways):
        if count:
            for drawn, choices in terms:
                if already + drawn >= most:
                    break
                extended[already + drawn] += count * choices
    return extended


def win_chances(unseen: Sequence[int], trick: Trick, to_come: int) -> list[float]:
    """For each strength the chance that a card of it, played now, wins the trick.

    unseen    the number of unseen cards of each strength
    to_come   the number of cards that follow, drawn from the unseen ones
    """
    lower = sum(unseen)
    all_ways = COMB[lower][to_come]
    ways = [1] + [0] * to_come
    chances = [0.0] * STRENGTHS
    taken = trick.standing | trick.void
    for strength in range(STRENGTHS - 1, -1, -1):
        lower -= unseen[strength]
        if not taken >> strength & 1:
            below = COMB[lower]
            won = 0
            for drawn, count in enumerate(ways):
                won += count * below[to_come - drawn]
            chances[strength] = won / all_ways
        if strength < RANKS:
            terms = trick.terms(strength, unseen[strength])
            if len(terms) != 1 or terms[0][0]:
                ways = _with_rank(ways, terms)
                if not any(ways):
                    break
        elif trick.standing >> strength & 1:
            break
    return chances


def cancel_chance(unseen: Sequence[int], trick: Trick, to_come: int) -> float:
    """The chance that no card stands at the end of the trick."""
    if trick.standing.bit_count() > to_come or trick.standing >> RANKS:
        return 0.0
    ways = [1] + [0] * to_come
    for rank in range(RANKS):
        terms = trick.terms(rank, unseen[rank])
        if len(terms) != 1 or terms[0][0]:
            ways = _with_rank(ways, terms)
    return ways[to_come] / COMB[sum(unseen)][to_come]


def without(spread: Sequence[float], chance: float) -> list[float]:
    """The spread of wins without one of the cards: undoes one step of `spread_of`. It starts from
    the end at which the divisor is large."""
    cards = len(spread) - 1
    rest = [0.0] * cards
    part = 0.0
    if chance < 0.5:
        for wins in range(cards):
            part = (spread[wins] - part * chance) / (1.0 - chance)
            rest[wins] = part
    else:
        for wins in range(cards, 0, -1):
            part = (spread[wins] - part * (1.0 - chance)) / chance
            rest[wins - 1] = part
    return rest


def expected_miss(target: int, spread: Sequence[float]) -> float:
    """The expected loss of lives if `target` wins are needed."""
    miss = 0.0
    for wins, part in enumerate(spread):
        miss += part * abs(target - wins)
    return miss


def unseen_by_strength(view: FodinhaView) -> list[int]:
    strength = STRENGTH[view.power]
    unseen = [0] * STRENGTHS
    for card in view.unseen():
        unseen[strength[card]] += 1
    return unseen


def blind_chance(view: FodinhaView, belief: Sequence[float]) -> float:
    """The chance that this seat's own card, which it does not see, beats the others.

    belief   the weight of each strength for that card
    """
    strength = STRENGTH[view.power]
    shown = [strength[hand[0]] for hand in view.hands if hand]
    shown += [strength[card] for _, card in view.trick]
    chances = win_chances([0] * STRENGTHS, Trick(shown, view.rules.pairs), 0)
    won = sum([part * chance for part, chance in zip(belief, chances, strict=True)], 0.0)
    return won / sum(belief, 0.0)


@mypyc_attr(native_class=False)
class EasyFodinha(Agent):
    """Calls the expected wins of its cards, each taken alone, and plays cards at random."""

    name = "easy"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        seen = cast(FodinhaView, view)
        if len(legal) == 1:
            return Decision(legal[0], {}, "there is no choice")
        if seen.phase == TURNING:
            return self._choose_power(seen)
        if seen.phase == CALLING:
            return self._call_blind(seen, legal) if seen.blind else self._call(seen, legal)
        return self._play(seen, legal, rng)

    def _choose_power(self, view: FodinhaView) -> Decision:
        """No hand has been seen yet, so that only the number of power cards in play matters."""
        ranks = view.rules.range
        left = [4] * ranks
        for card in view.turned:
            left[card % RANKS] -= 1
        cards = sum(left)
        approve = left[view.power] / cards
        reject = 0.0
        for rank in range(ranks):
            above = (rank + 1) % ranks
            power_cards = left[above] - (above == rank)
            if left[rank]:
                reject += left[rank] / cards * power_cards / (cards - 1)
        return Decision(
            APPROVE if approve > reject - 1e-9 else REJECT,
            {APPROVE: approve, REJECT: reject},
            "chance that a card in the hand is a power card",
            scale=Scale.SHARE,
        )

    def _call_blind(self, view: FodinhaView, legal: list[int]) -> Decision:
        return _closest(legal, blind_chance(view, self._own_card(view)))

    def _own_card(self, view: FodinhaView) -> list[float]:
        """The weight of each strength for the own card, which this seat does not see."""
        return [float(cards) for cards in unseen_by_strength(view)]

    def _call(self, view: FodinhaView, legal: list[int]) -> Decision:
        strength = STRENGTH[view.power]
        unseen = unseen_by_strength(view)
        others = view.out_in.count(0) - 1
        all_ways = COMB[sum(unseen)][others]
        won = 0.0
        for card in view.hand:
            won += COMB[sum(unseen[: strength[card]])][others] / all_ways
        return _closest(legal, won)

    def _play(self, view: FodinhaView, legal: list[int], rng: Random) -> Decision:
        return Decision(rng.choice(legal), {}, "any card, at random")


def _closest(legal: list[int], won: float) -> Decision:
    scores = {action: -abs(action - CALL - won) for action in legal}
    return Decision(
        max(legal, key=scores.__getitem__),
        scores,
        f"change of lives if this hand wins its average of {won:.2f} tricks",
        reason=tricks_on_average(won),
    )


def tricks_on_average(won: float) -> str:
    return f"This hand wins {won:.2f} tricks on average."


@mypyc_attr(native_class=False)
class HardFodinha(EasyFodinha):
    """Calls and plays for the smallest expected loss of lives in this round.

    It considers cancelled cards, the wins they carry over, the position in the trick, and the
    other players' calls.
    """

    name = "hard"

    def _own_card(self, view: FodinhaView) -> list[float]:
        """The callers have seen this card, so cards that make their calls sensible weigh more."""
        strength = STRENGTH[view.power]
        unseen = unseen_by_strength(view)
        shown = {seat: strength[hand[0]] for seat, hand in enumerate(view.hands) if hand}
        belief = [float(cards) for cards in unseen]
        for caller, call in enumerate(view.calls):
            if call == NO_CALL:
                continue
            others = [shown[seat] for seat in shown if seat != caller]
            for own in range(STRENGTHS):
                if not unseen[own]:
                    continue
                chances = win_chances([0] * STRENGTHS, Trick([*others, own], view.rules.pairs), 0)
                won = chances[shown[caller]] - chances[own]
                for cards, chance in zip(unseen, chances, strict=True):
                    won += cards * chance
                sensible = (2 * won > sum(unseen)) == (call == 1)
                belief[own] *= 1.0 - CALLER_ERRS if sensible else CALLER_ERRS
        return belief

    def _call(self, view: FodinhaView, legal: list[int]) -> Decision:
        unseen = unseen_by_strength(view)
        others = view.out_in.count(0) - 1
        chances = win_chances(unseen, Trick((), view.rules.pairs), others)
        spread = spread_of(self._later(view, unseen, chances))
        scores = {action: -expected_miss(action - CALL, spread) for action in legal}
        won = sum([wins * part for wins, part in enumerate(spread)], 0.0)
        return _best(legal, scores, tricks_on_average(won))

    def _later(
        self, view: FodinhaView, unseen: Sequence[int], chances: Sequence[float]
    ) -> list[float]:
        """The expected wins of each card of the hand in later tricks, including carried wins."""
        players = view.out_in.count(0)
        strength = STRENGTH[view.power]
        held = [strength[card] for card in view.hand]
        wins = [chances[own] for own in held]
        carried = 0.0
        if sum(unseen) >= players:
            cancelled = cancel_chance(unseen, Trick((), view.rules.pairs), players)
            carried = cancelled * sum(wins, 0.0) / len(wins)
        return [
            min(won + carried, 1.0) if own < RANKS else won
            for own, won in zip(held, wins, strict=True)
        ]

    def _play(self, view: FodinhaView, legal: list[int], rng: Random) -> Decision:
        seat, pairs = view.seat, view.rules.pairs
        strength = STRENGTH[view.power]
        unseen = unseen_by_strength(view)
        others = view.out_in.count(0) - 1
        to_come = others - len(view.trick)
        on_table = [strength[card] for _, card in view.trick]
        now = win_chances(unseen, Trick(on_table, pairs), to_come)

        empty = Trick((), pairs)
        chances = win_chances(unseen, empty, others)
        rivals = 0
        for other, call in enumerate(view.calls):
            if other != seat and call > view.wins[other]:
                rivals += 1
        if rivals < others:
            contested = win_chances(unseen, empty, rivals)
            for own, chance in enumerate(contested):
                chances[own] += DONE_YIELDS * (chance - chances[own])
        later = self._later(view, unseen, chances)
        spread = spread_of(later)
        mean = sum(later, 0.0) / len(later)

        need = view.calls[seat] - view.wins[seat]
        worth = 1 + view.carry
        scores: dict[int, float] = {}
        of_strength: dict[int, float] = {}
        for card, chance in zip(view.hand, later, strict=True):
            if card not in legal:
                continue
            own = strength[card]
            score = of_strength.get(own)
            if score is None:
                won = now[own]
                if own < RANKS:
                    won += mean * cancel_chance(unseen, Trick([*on_table, own], pairs), to_come)
                rest = without(spread, chance)
                score = -won * expected_miss(need - worth, rest)
                score -= (1.0 - won) * expected_miss(need, rest)
                of_strength[own] = score
            scores[card] = score
        return _best(legal, scores)


def _best(legal: list[int], scores: dict[int, float], reason: str = "") -> Decision:
    return Decision(
        max(legal, key=scores.__getitem__),
        scores,
        "expected change of lives in this round",
        reason=reason,
    )
