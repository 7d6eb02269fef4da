"""The agents of Smear."""

from dataclasses import replace
from typing import Final

from agents import roster
from agents.learners.settings import FROM_NOTHING, WEIGHTS_FROM_NOTHING

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
        settings=replace(FROM_NOTHING, gamma=0.95),
        linear_settings=replace(WEIGHTS_FROM_NOTHING, gamma=0.95),
        neural=roster.NeuralSetup("agents.smear.encoding:smear_encoding"),
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
        "q": roster.Pretraining(1000, ("self", "hard")),
        "sarsa": roster.Pretraining(1000, ("self", "hard")),
        "mc": roster.Pretraining(1000, ("self", "hard")),
        "linear": roster.Pretraining(1200),
        "logistic": roster.Pretraining(300),
        "neural": roster.Pretraining(24_000, ("self", "pool")),
        "neural-original": roster.Pretraining(400),
    },
)
