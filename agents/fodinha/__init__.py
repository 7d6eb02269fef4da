"""The agents of Fodinha."""

from typing import Final

from agents import roster
from agents.learners.settings import OUTLINES_FROM_NOTHING

AGENTS: Final = roster.GameAgents(
    players=(
        roster.easy("agents.fodinha.rules:EasyFodinha"),
        roster.hard("agents.fodinha.rules:HardFodinha"),
        roster.search("agents.fodinha.search:fodinha_search"),
    ),
    learners=roster.LearnerSetup(
        features="agents.fodinha.features:FodinhaAbstraction",
        rewards="agents.fodinha.rewards:FodinhaRewards",
        # Lives are what counts until the last one is lost.
        reward_amounts={"call_kept": 0.0, "out": 0.0, "match_won": 0.0},
        settings=OUTLINES_FROM_NOTHING,
        teacher="agents.fodinha.rules:HardFodinha",
        neural=roster.NeuralSetup(
            "agents.fodinha.encoding:fodinha_encoding",
            # Here too only lives count.
            rewards={"others": 0.5, "match_won": 0.0, "match_lost": 0.0},
        ),
        matches_per_part=64,
    ),
    baselines=(
        roster.OriginalLearner(
            "q", "agents.fodinha.original_features:FodinhaCards", "its cards, calls and plays"
        ),
        roster.OriginalLearner(
            "linear", "agents.fodinha.original_features:FodinhaCounts", "how high its cards are"
        ),
    ),
    pretraining={
        "q": roster.Pretraining(15_000, min_visits=10),
        "sarsa": roster.Pretraining(800, min_visits=10),
        "mc": roster.Pretraining(800, min_visits=10),
        "linear": roster.Pretraining(4000),
        "logistic": roster.Pretraining(400),
        "neural": roster.Pretraining(60_000, ("self", "pool"), generations=(100, 10_000)),
        "q-original": roster.Pretraining(300),
        "linear-original": roster.Pretraining(500),
    },
    newcomer=("mc", "mc", "easy"),
    odds="agents.fodinha.search:odds_by_score",
    levels=roster.levels(
        roster.Slips("hard", 0.48),
        roster.Slips("hard", 0.25),
        roster.Slips("hard", 0.115),
        roster.Slips("search", 0.0, worlds=4),
        roster.Slips("search", 0.0, worlds=12),
        roster.Slips("search", 0.0, worlds=50),
    ),
    playouts="hard",
)
