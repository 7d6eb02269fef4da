"""The agents of Truco."""

from typing import Final

from agents.learners.settings import LearningSettings, NeuralSettings
from agents.roster import (
    Entry,
    GameAgents,
    LearnerSetup,
    NeuralSetup,
    OriginalLearner,
    Pretraining,
    easy,
    hard,
)

AGENTS: Final = GameAgents(
    players=(
        easy("agents.truco.rules:EasyTruco"),
        hard("agents.truco.rules:HardTruco"),
        Entry(
            "search",
            "Expert",
            "Expert",
            "mixes bids and bluffs so that nobody can profit from knowing how",
            "agents.truco.expert:ExpertTruco",
        ),
    ),
    learners=LearnerSetup(
        features="agents.truco.features:TrucoAbstraction",
        rewards="agents.truco.rewards:TrucoRewards",
        teacher="agents.truco.rules:HardTruco",
        # `hopeless` keeps learners from trying false flors, the costliest move of the game.
        settings=LearningSettings(gamma=1.0, settle=50, hopeless=25),
        neural=NeuralSetup(
            NeuralSettings(unit=30, hopeless=25, caution=6, guided=1.0), level="Strong"
        ),
        matches_per_part=96,
    ),
    baselines=(
        OriginalLearner(
            "q", "agents.truco.original_features:TrucoCards", "its cards and the stake"
        ),
        OriginalLearner(
            "mc", "agents.truco.original_features:TrucoCards", "its cards and the stake"
        ),
    ),
    pretraining={
        "q": Pretraining(3000, ("self", "hard")),
        "sarsa": Pretraining(3000, ("self", "hard")),
        "mc": Pretraining(3000, ("self", "hard")),
        "linear": Pretraining(3000),
        "logistic": Pretraining(750),
        "neural": Pretraining(320),
        "q-original": Pretraining(1000),
        "mc-original": Pretraining(1000),
    },
)
