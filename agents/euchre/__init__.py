"""The agents of Euchre."""

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
        easy("agents.euchre.rules:EasyEuchre"),
        hard("agents.euchre.rules:HardEuchre"),
        search("agents.euchre.search:euchre_search"),
    ),
    learners=LearnerSetup(
        features="agents.euchre.features:EuchreAbstraction",
        rewards="agents.euchre.rewards:EuchreRewards",
        teacher="agents.euchre.rules:HardEuchre",
        settings=LearningSettings(gamma=1.0, settle=100),
        neural=NeuralSetup(
            NeuralSettings(unit=50, caution=6, guided=1.0),
            level="Strong",
            # The reward of a whole match would drown the value of its last hand.
            rewards={"match_won": 0, "match_lost": 0},
        ),
        matches_per_part=128,
    ),
    baselines=(
        OriginalLearner(
            "q", "agents.euchre.original_features:EuchreCards", "all open cards and the score"
        ),
    ),
    pretraining={
        "q": Pretraining(3000),
        "sarsa": Pretraining(3000),
        "mc": Pretraining(3000),
        "linear": Pretraining(3000),
        "logistic": Pretraining(750),
        "neural": Pretraining(9600, ("easy", "hard")),
        # Its features never see a situation twice: more matches only make the file larger.
        "q-original": Pretraining(16, min_visits=1),
    },
)
