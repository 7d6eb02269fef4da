"""The agents of Fodinha."""

from typing import Final

from agents.learners.settings import LearningSettings, NeuralSettings
from agents.roster import (
    GameAgents,
    LearnerSetup,
    NeuralSetup,
    OriginalLearner,
    Pretraining,
    easy,
    hard,
    search,
)

AGENTS: Final = GameAgents(
    players=(
        easy("agents.fodinha.rules:EasyFodinha"),
        hard("agents.fodinha.rules:HardFodinha"),
        search("agents.fodinha.search:fodinha_search"),
    ),
    learners=LearnerSetup(
        features="agents.fodinha.features:FodinhaAbstraction",
        rewards="agents.fodinha.rewards:FodinhaRewards",
        teacher="agents.fodinha.rules:HardFodinha",
        settings=LearningSettings(gamma=1.0, settle=100),
        neural=NeuralSetup(NeuralSettings(unit=20, caution=1, guided=1.0), level="Strong"),
        matches_per_part=64,
    ),
    baselines=(
        OriginalLearner(
            "q", "agents.fodinha.original_features:FodinhaCards", "its cards, calls and plays"
        ),
        OriginalLearner(
            "linear", "agents.fodinha.original_features:FodinhaCounts", "how high its cards are"
        ),
    ),
    pretraining={
        "q": Pretraining(1500),
        "sarsa": Pretraining(1500),
        "mc": Pretraining(1500),
        "linear": Pretraining(1500),
        "logistic": Pretraining(400),
        "neural": Pretraining(192),
        "q-original": Pretraining(300),
        "linear-original": Pretraining(500),
    },
)
