"""Chances to win as Notty's agents show them: calibrated, and not changed by a discard.

Discarding draws no card, so the chance before it is the chance of the best move after it.
"""

from dataclasses import replace
from random import Random
from typing import Final

from agents.agent import Agent, Decision, Scale
from agents.odds import log_odds, shifted
from engine.game import OVER
from engine.games.notty import DISCARD, NottyView

TRUST: Final = 0.9
"""How much of a race's log-odds comes true, because thefts and lucky draws change it. Fitted to
300 matches of `hard` against `easy`."""


def calibrated(chance: float, players: int) -> float:
    """The chance to win if this is the chance in a race without setbacks."""
    fair = 1 / players
    return shifted(fair, TRUST * (log_odds(chance) - log_odds(fair)))


def foreseen(agent: Agent, view: NottyView, decision: Decision) -> Decision:
    """The agent's decision with such chances. No other move has a better one than the chosen
    move, which the agent prefers."""
    action = decision.action
    if decision.scale is not Scale.CHANCE or action not in decision.scores:
        return decision
    scores = decision.scores
    best = scores[action]
    if action >= DISCARD:
        best = _chance_after(agent, view, action, best)
        by = log_odds(best) - log_odds(scores[action])
        scores = {
            move: shifted(chance, by) if move >= DISCARD else chance
            for move, chance in scores.items()
        }
        scores[action] = best
    capped = {move: min(chance, best) for move, chance in scores.items()}
    return replace(decision, scores=capped)


def _chance_after(agent: Agent, view: NottyView, action: int, otherwise: float) -> float:
    """The chance of the agent's next move after a discard, if it states one."""
    rng = Random(view.turns)
    after = view.sample(rng)
    after.apply(action)
    if after.turn == OVER:
        return after.returns()[view.seat]
    later = agent.act(after.view(view.seat), after.legal(), rng)
    if later.scale is not Scale.CHANCE:
        return otherwise
    return later.scores.get(later.action, otherwise)
