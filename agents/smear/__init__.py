"""The agents of Smear."""

from typing import Final

from agents import roster
from agents.learners.settings import LearningSettings, NeuralSettings

AGENTS: Final = roster.GameAgents(
    players=(
        roster.easy("agents.smear.rules:EasySmear"),
        roster.hard("agents.smear.rules:HardSmear"),
        roster.search("agents.smear.search:smear_search"),
    ),
    learners=roster.LearnerSetup(
        features="agents.smear.features:SmearAbstraction",
        coarse_features="agents.smear.coarse_features:CoarseSmear",
        rewards="agents.smear.rewards:SmearRewards",
        teacher="agents.smear.rules:HardSmear",
        # `hopeless` keeps learners from trying revokes, which cost as much as the highest bet.
        # `trace` lowers the weight of estimates: a hand is mostly luck, so the best of many
        # noisy estimates is too high.
        settings=LearningSettings(alpha=0.05, gamma=0.95, settle=20, hopeless=60, trace=0.8),
        neural=roster.NeuralSetup(
            NeuralSettings(unit=20, settle=200_000, hopeless=15, caution=1.5),
            level="Strong",
            encoding="agents.smear.encoding:SmearEncoding",
            # Points matter most while both sides are far from the target, the match at the end.
            rewards={"match_won": 60, "match_lost": -60},
        ),
        matches_per_part=64,
    ),
    baselines=(
        roster.Entry(
            "neural-original",
            "Neural, original",
            "Learning",
            "has a network that sees cards only, and plays what Hard would",
            "agents.smear.original_network:OriginalNetwork",
        ),
    ),
    pretraining={
        "q": roster.Pretraining(1000, ("self", "hard")),
        "sarsa": roster.Pretraining(1000, ("self", "hard")),
        "mc": roster.Pretraining(1000, ("self", "hard")),
        "linear": roster.Pretraining(1200),
        "logistic": roster.Pretraining(300),
        "neural": roster.Pretraining(300),
        "neural-original": roster.Pretraining(1600),
    },
)
