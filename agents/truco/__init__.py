"""The agents of Truco."""

from typing import Final

from agents import roster

AGENTS: Final = roster.GameAgents(
    players=(
        roster.easy("agents.truco.rules:EasyTruco"),
        roster.hard("agents.truco.rules:HardTruco"),
        roster.Entry(
            "search",
            "Expert",
            "Expert",
            "mixes bids and bluffs so that no opponent can exploit it",
            "agents.truco.expert:ExpertTruco",
        ),
    ),
    learners=roster.LearnerSetup(
        features="agents.truco.features:TrucoAbstraction",
        rewards="agents.truco.rewards:TrucoRewards",
        teacher="agents.truco.rules:HardTruco",
        neural=roster.NeuralSetup("agents.truco.encoding:truco_encoding"),
        matches_per_part=96,
    ),
    baselines=(
        roster.OriginalLearner(
            "q", "agents.truco.original_features:TrucoCards", "its cards and the stake"
        ),
        roster.OriginalLearner(
            "mc", "agents.truco.original_features:TrucoCards", "its cards and the stake"
        ),
    ),
    pretraining={
        "q": roster.Pretraining(3000, ("self", "hard")),
        "sarsa": roster.Pretraining(3000, ("self", "hard")),
        "mc": roster.Pretraining(3000, ("self", "hard")),
        "linear": roster.Pretraining(3000),
        "logistic": roster.Pretraining(750),
        "neural": roster.Pretraining(20_000, ("self", "pool")),
        "q-original": roster.Pretraining(1000),
        "mc-original": roster.Pretraining(1000),
    },
)
