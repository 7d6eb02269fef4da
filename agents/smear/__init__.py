"""The agents of Smear."""

from dataclasses import replace
from typing import Final

from agents import roster
from agents.learners.settings import OUTLINES_FROM_NOTHING, WEIGHTS_FROM_NOTHING, NeuralSettings

_JUDGED: Final = NeuralSettings(settle=10_000_000.0, trace=0.8, hindsight=1.0)

AGENTS: Final = roster.GameAgents(
    players=(
        roster.easy("agents.smear.rules:EasySmear"),
        roster.hard("agents.smear.rules:HardSmear"),
        roster.search("agents.smear.search:smear_search"),
    ),
    learners=roster.LearnerSetup(
        features="agents.smear.features:SmearAbstraction",
        rewards="agents.smear.rewards:SmearRewards",
        # The end of a match says little about its last hand.
        reward_amounts={"match_won": 0.0, "match_lost": 0.0},
        teacher="agents.smear.rules:HardSmear",
        settings=replace(OUTLINES_FROM_NOTHING, gamma=0.95),
        linear_settings=replace(WEIGHTS_FROM_NOTHING, gamma=0.95),
        # Here the luck of the deal hides what a card is worth, so a judge takes it out.
        neural=roster.NeuralSetup("agents.smear.encoding:smear_encoding", settings=_JUDGED),
        pairs=replace(_JUDGED, alpha=0.0003),
        matches_per_part=64,
    ),
    baselines=(
        roster.Entry(
            "neural-original",
            "Neural, original",
            "Apprentice",
            "has a network that sees cards only, and learns to play as Hard does",
            "agents.smear.original_network:OriginalNetwork",
        ),
    ),
    pretraining={
        "q": roster.Pretraining(24_000, min_visits=60, generations=(1000,)),
        "sarsa": roster.Pretraining(1200, min_visits=20, generations=(1000,)),
        "mc": roster.Pretraining(1200, min_visits=20, generations=(1000,)),
        "linear": roster.Pretraining(8000, generations=(1000,)),
        "pairs": roster.Pretraining(60_000, ("self", "pool"), generations=(100, 10_000)),
        "logistic": roster.Pretraining(300),
        "neural": roster.Pretraining(100_000, ("self", "pool"), generations=(100, 10_000)),
        "neural-original": roster.Pretraining(400),
    },
    newcomer=("q", "hard", "q"),
    odds="agents.smear.search:odds_by_score",
    levels=roster.levels(
        roster.Slips("hard", 0.675),
        roster.Slips("hard", 0.39),
        roster.Slips("hard", 0.195),
        roster.Slips("hard", 0.08),
        roster.Slips("search", 0.0, worlds=20),
        roster.Slips("search", 0.0, worlds=80),
    ),
    styles=(
        roster.style(
            "bold",
            "Bold bidder",
            "plays as Hard and bets more than the cards are worth",
            roster.Slips("hard", 0.05, leanings={"bet": 0.6}),
        ),
        roster.style(
            "careful",
            "Careful bidder",
            "plays as Hard and bets only on good cards",
            roster.Slips("hard", 0.05, leanings={"bet": -0.6}),
        ),
    ),
    playouts="hard",
)
