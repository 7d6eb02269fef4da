"""Rule players for full Truco: `easy` looks at its own cards, `hard` weighs envido and truco by
what they change at this score."""

from math import exp
from random import Random
from typing import Final

from agents.agent import Agent, Decision, Scale
from agents.truco.rules import BLUFFING, CALLS, RAISES, RAISES_BACK, STEEP, Frequency
from agents.truco_full.judgement import (
    Round,
    Stakes,
    call_rate,
    chance_against_caller,
    flor_chance,
    rises,
    usual_values,
)
from engine.game import View
from engine.games.truco import FLOR_POINTS, HAND, NUM_VALUES, VALUES
from engine.games.truco_full import (
    AL_RESTO,
    ANSWERING_ENVIDO,
    ANSWERING_FLOR,
    ANSWERING_TRUCO,
    CONTRAFLOR,
    ENVIDO,
    ENVITE_AL_RESTO,
    ENVITE_FALTA,
    ENVITE_FLOR,
    ENVITE_REAL,
    FALTA_ENVIDO,
    FLOR,
    MAZO,
    NO_QUIERO,
    QUIERO,
    RAISE,
    REAL_ENVIDO,
    FullView,
)

APPEAL: Final = "how good it looks with these cards"
CHANCE: Final = "chance to win the match"
GOOD_ENVIDO: Final = 27
"""`easy` calls envido from this value on, and accepts it from GOOD_ENVIDO - 2."""


class EasyFullTruco(Agent):
    """Announces every flor, calls envido with 27, bids truco if its two best cards look good."""

    name = "easy"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, FullView)
        values = VALUES[view.muestra]
        own = [values[card] for card in (*view.played_by(view.seat)[-1:], *view.hand)]
        looks = sum(sorted(own)[-2:]) / (2 * (NUM_VALUES - 1))
        good = view.envido / (GOOD_ENVIDO * 1.25)
        scores = {FLOR: 1.0, RAISE: looks - 0.05, ENVIDO: good - 0.1}
        if view.phase == ANSWERING_TRUCO:
            scores |= {QUIERO: looks + 0.02, NO_QUIERO: 0.45, RAISE: 2 * looks - 0.8}
        elif view.phase == ANSWERING_ENVIDO:
            scores = {QUIERO: good, NO_QUIERO: 0.74, REAL_ENVIDO: 2 * good - 1.2}
        elif view.phase == ANSWERING_FLOR:
            scores |= {QUIERO: 0.6, NO_QUIERO: 0.4}
        else:
            round_ = Round(view)
            for place in range(len(view.hand)):
                scores[place] = 0.3 + 0.3 * round_.after_card(place)
        found = {action: score for action, score in scores.items() if action in legal}
        action = max(found, key=found.__getitem__) if found else legal[0]
        return Decision(action, found, APPEAL)


TEMPERATURE: Final = 0.012
"""The chance to win the match that makes a choice e times as likely."""


class HardFullTruco(Agent):
    """Weighs what each call, answer and card changes at this score.

    Envido: the chance that the own value is the highest, given what the others have called.
    Truco: frequencies that keep bluffs and strong hands in balance, adjusted by the values.
    """

    name = "hard"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, FullView)
        if len(legal) == 1:
            return Decision(legal[0], {}, CHANCE, scale=Scale.CHANCE)
        stakes = Stakes(view)
        if view.phase == ANSWERING_FLOR:
            return best_of(flor_answers(view, stakes), legal)
        if FLOR in legal:
            return Decision(
                FLOR, {FLOR: stakes.after(FLOR_POINTS)}, CHANCE, scale=Scale.CHANCE,
                reason="A flor that is not announced earns nothing.",
            )  # fmt: skip
        if view.phase == ANSWERING_ENVIDO:
            scores = envido_answers(view, legal, stakes)
            mood = rng.random()
            return best_of(
                {
                    action: score
                    for action, score in scores.items()
                    if action in (QUIERO, NO_QUIERO) or mood < raise_rate(view, action)
                },
                legal,
            )
        if not {ENVIDO, REAL_ENVIDO, FALTA_ENVIDO}.isdisjoint(legal):
            mano, opponents = ahead_on_ties(view), view.seats // 2
            if rng.random() < call_rate(view.envido, mano, opponents):
                scores = envido_calls(view, legal, stakes)
                if rng.random() > call_rate(view.envido, mano, opponents, 2):
                    scores.pop(FALTA_ENVIDO, None)
                    scores.pop(REAL_ENVIDO, None)
                if scores:
                    return best_of(scores, legal)
        if view.phase == ANSWERING_TRUCO:
            return self._answer_truco(view, legal, stakes, rng)
        return self._play(view, legal, stakes, rng)

    def _answer_truco(
        self, view: FullView, legal: list[int], stakes: Stakes, rng: Random
    ) -> Decision:
        chance = Round(view).chance()
        cards = min(len(view.hand), HAND)
        if stakes.desperate(view.stake):
            scores = {QUIERO: chance, NO_QUIERO: 0.0}
            if RAISE in legal:
                scores[RAISE] = chance - 0.01
            return best_of(scores, legal)
        honest = chance**1.35
        scores = {
            QUIERO: stakes.bet(honest, view.bid, view.bid),
            NO_QUIERO: stakes.after(-view.stake),
        }
        calls = how_often(CALLS[cards], chance)
        weights = {QUIERO: calls, NO_QUIERO: 1 - calls}
        if RAISE in legal:
            back = how_often(RAISES_BACK[cards], chance)
            weights[RAISE] = calls * back
            weights[QUIERO] -= weights[RAISE]
            folds = 0.35
            scores[RAISE] = folds * stakes.after(view.bid) + (1 - folds) * stakes.bet(
                honest, view.bid + 1, view.bid + 1
            )
        return mixed(scores, weights, legal, rng)

    def _play(self, view: FullView, legal: list[int], stakes: Stakes, rng: Random) -> Decision:
        round_ = Round(view)
        chance = round_.chance()
        places = [place for place in range(len(view.hand)) if place in legal]
        scores = {
            place: stakes.bet(round_.after_card(place), view.stake, view.stake) for place in places
        }
        if not places:
            return best_of({}, [action for action in legal if action != MAZO] or legal)
        card = max(places, key=lambda place: (scores[place], -place))
        if RAISE not in legal:
            return Decision(card, scores, CHANCE, scale=Scale.CHANCE)
        bid = view.stake + 1
        if stakes.desperate(view.stake):
            scores[RAISE] = scores[card] + 0.001
            return Decision(RAISE, scores, CHANCE, scale=Scale.CHANCE)
        raises = how_often(RAISES[len(view.hand)], chance)
        folds = 0.45
        scores[RAISE] = folds * stakes.after(view.stake) + (1 - folds) * stakes.bet(
            chance**1.35, bid, bid
        )
        return mixed(scores, {card: 1 - raises, RAISE: raises}, legal, rng)


def how_often(frequency: Frequency, strength: float) -> float:
    """A frequency at one strength, without numpy."""
    weak = 1 - rises(strength, BLUFFING, STEEP)
    strong = rises(strength, frequency.enough, frequency.width)
    rate = frequency.seldom + (frequency.bluff - frequency.seldom) * weak
    return rate + (frequency.often - frequency.seldom) * strong


def best_of(scores: dict[int, float], legal: list[int]) -> Decision:
    """The best of the scored actions that may be taken; the first action if none is scored."""
    possible = {action: score for action, score in scores.items() if action in legal}
    action = max(possible, key=possible.__getitem__) if possible else legal[0]
    return Decision(action, possible, CHANCE, scale=Scale.CHANCE)


def mixed(
    scores: dict[int, float], weights: dict[int, float], legal: list[int], rng: Random
) -> Decision:
    """Draw an action by its frequency, likelier where it is worth more."""
    possible = {action: weight for action, weight in weights.items() if action in legal}
    if not possible:
        return best_of(scores, legal)
    top = max([scores[action] for action in possible])
    actions = list(possible)
    chances = [
        max(possible[action], 1e-9) * exp((scores[action] - top) / TEMPERATURE)
        for action in actions
    ]
    action = rng.choices(actions, chances)[0]
    shown = {each: score for each, score in scores.items() if each in legal}
    return Decision(action, shown, CHANCE, scale=Scale.CHANCE)


# Envido


def pot_after(view: FullView, action: int) -> tuple[int, int]:
    """What the own side would win and lose if an envido with this call is accepted."""
    pot = view.pot + {ENVIDO: 2, REAL_ENVIDO: 3}.get(action, 0)
    if action != FALTA_ENVIDO:
        return pot, pot
    side = view.side()
    return pot + view.falta(side), pot + view.falta(1 - side)


def paid_if_refused(view: FullView) -> int:
    """What the own side gets if its next call is refused."""
    return max(1, view.pot + 1)


def ahead_on_ties(view: FullView) -> bool:
    """Whether the own side is nearer to the mano."""
    return view.mano & 1 == view.side()


def envido_calls(view: FullView, legal: list[int], stakes: Stakes) -> dict[int, float]:
    """What each envido call is worth, over the values that the other side may have."""
    usual, _ = usual_values()
    opponents, mano = view.seats // 2, ahead_on_ties(view)
    scores: dict[int, float] = {}
    for action in (ENVIDO, REAL_ENVIDO, FALTA_ENVIDO):
        if action not in legal:
            continue
        won, lost = pot_after(view, action)
        refused = stakes.after(paid_if_refused(view))
        # Larger bets are accepted by better hands, which know that a good hand called.
        middle = 0.3 if action == ENVIDO else 0.36 if action == REAL_ENVIDO else 0.5
        raised = 0 if action != FALTA_ENVIDO else 2
        total = 0.0
        for value, share in enumerate(usual):
            if share:
                known = chance_against_caller(value, not mano, opponents, raised)
                accepts = rises(known, middle, 0.05)
                wins = view.envido > value or (view.envido == value and mano)
                # Partners on both sides blur the comparison.
                chance = (0.5 + (wins - 0.5) / opponents) if opponents > 1 else float(wins)
                total += share * (accepts * stakes.bet(chance, won, lost) + (1 - accepts) * refused)
        scores[action] = total
    return scores


def raises_so_far(view: FullView) -> int:
    """How much the envido was raised: once for each call after the first, and more for a real
    and a falta."""
    calls = sum([action in (ENVIDO, REAL_ENVIDO, FALTA_ENVIDO) for _, action in view.history])
    return calls - 1 + {ENVITE_REAL: 1, ENVITE_FALTA: 2}.get(view.envite, 0)


def raise_rate(view: FullView, action: int) -> float:
    """How often a good player answers an envido with this call."""
    higher = {ENVIDO: 1, REAL_ENVIDO: 2}.get(action, 3)
    raised = raises_so_far(view) + higher
    return call_rate(view.envido, ahead_on_ties(view), view.seats // 2, raised) - 0.06


def envido_answers(view: FullView, legal: list[int], stakes: Stakes) -> dict[int, float]:
    """What each answer to an envido is worth."""
    opponents, mano = view.seats // 2, ahead_on_ties(view)
    raised = raises_so_far(view)
    chance = chance_against_caller(view.envido, mano, opponents, raised)
    falta = view.envite == ENVITE_FALTA
    won, lost = pot_after(view, FALTA_ENVIDO) if falta else (view.pot, view.pot)
    back = {ENVITE_REAL: 2, ENVITE_FALTA: -1}.get(view.envite, 1)
    scores = {
        QUIERO: stakes.bet(chance, won, lost),
        NO_QUIERO: stakes.after(-max(1, view.pot - back)),
    }
    for action in (ENVIDO, REAL_ENVIDO, FALTA_ENVIDO):
        if action in legal:
            won, lost = pot_after(view, action)
            folds = 0.3 if action != FALTA_ENVIDO else 0.5
            accepted = chance_against_caller(view.envido, mano, opponents, raised + 1)
            scores[action] = folds * stakes.after(paid_if_refused(view)) + (1 - folds) * stakes.bet(
                accepted, won, lost
            )
    return scores


# Flor


def flor_answers(view: FullView, stakes: Stakes) -> dict[int, float]:
    """What each answer to a flor or a contraflor is worth."""
    chance = flor_chance(view.flor, ahead_on_ties(view))
    side = view.side()
    options = view.options.as_dict()
    contraflor = int(options["contraflor"])
    theirs = [seat for seat in range(view.seats) if view.announced[seat] and seat & 1 != side]
    given = FLOR_POINTS * len(theirs)
    if view.envite != ENVITE_FLOR:
        resto = view.envite == ENVITE_AL_RESTO
        won, lost = (view.falta(side), view.falta(1 - side)) if resto else (contraflor, contraflor)
        honest = chance**1.5 if resto else chance**1.25
        return {QUIERO: stakes.bet(honest, won, lost), NO_QUIERO: stakes.after(-given - 1)}
    both = given + FLOR_POINTS
    folded = FLOR_POINTS + 1
    return {
        FLOR: stakes.bet(chance, both, both),
        CONTRAFLOR: 0.35 * stakes.after(folded)
        + 0.65 * stakes.bet(chance**1.3, contraflor, contraflor),
        AL_RESTO: 0.6 * stakes.after(folded)
        + 0.4 * stakes.bet(chance**2, view.falta(side), view.falta(1 - side)),
        NO_QUIERO: stakes.after(-given),
    }
