"""The agents of Notty."""

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
        easy("agents.notty.rules:EasyNotty"),
        hard("agents.notty.rules:HardNotty"),
        search("agents.notty.search:SearchNotty", "steals, and looks for ways out"),
    ),
    learners=LearnerSetup(
        features="agents.notty.features:NottyAbstraction",
        rewards="agents.notty.rewards:NottyRewards",
        # Only the win pays. If groups paid, forming and losing them would pay best.
        reward_amounts={"group": 0, "card_fewer": 0, "steal": 0, "draw": 0, "passed": 0},
        teacher="agents.notty.rules:HardNotty",
        settings=LearningSettings(alpha=0.05, gamma=1.0, settle=50, hopeless=50),
        # A match takes a hundred decisions. Its result says little about one move and much
        # about the situation. Crediting it to the move biases the learner towards rarely tried
        # moves, so most of it is shared by all moves of the situation.
        return_settings={"shared": 0.8, "hopeless": 3},
        neural=NeuralSetup(
            NeuralSettings(unit=50, trace=0.95, hopeless=20, caution=2, guided=1.0),
            encoding="agents.notty.encoding:NottyEncoding",
        ),
    ),
    baselines=(
        OriginalLearner("q", "agents.notty.features:FourFeatures", "sizes of hands and deck"),
    ),
    pretraining={
        "q": Pretraining(600, ("self", "hard")),
        "sarsa": Pretraining(600, ("self", "hard")),
        "mc": Pretraining(640, ("easy", "self")),
        "linear": Pretraining(480, ("easy", "self")),
        "logistic": Pretraining(25),
        "neural": Pretraining(32),
        "q-original": Pretraining(100),
    },
)
