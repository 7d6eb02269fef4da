"""The agents of Truco."""

from typing import Final

from agents import roster
from agents.learners.settings import OUTLINES_FROM_NOTHING, NeuralSettings

AGENTS: Final = roster.GameAgents(
    players=(
        roster.easy("agents.truco.rules:EasyTruco"),
        roster.hard("agents.truco.rules:HardTruco"),
        roster.Entry(
            "search",
            "Expert",
            "Expert",
            "mixes bids and bluffs, so that knowing it helps little",
            "agents.truco.expert:ExpertTruco",
        ),
    ),
    learners=roster.LearnerSetup(
        features="agents.truco.features:TrucoAbstraction",
        rewards="agents.truco.rewards:TrucoRewards",
        # The end of a match says little about its last round.
        reward_amounts={"match_won": 0.0, "match_lost": 0.0},
        settings=OUTLINES_FROM_NOTHING,
        teacher="agents.truco.rules:HardTruco",
        # Players who always take the best move can be read, so that what is best keeps changing.
        neural=roster.NeuralSetup(
            "agents.truco.encoding:truco_encoding", settings=NeuralSettings(mixing=0.02)
        ),
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
        "q": roster.Pretraining(20_000, min_visits=20, generations=(1000,)),
        "sarsa": roster.Pretraining(2000, min_visits=20, generations=(1000,)),
        "mc": roster.Pretraining(2000, min_visits=20, generations=(1000,)),
        "linear": roster.Pretraining(12_000),
        "logistic": roster.Pretraining(750),
        "neural": roster.Pretraining(100_000, ("self", "pool"), generations=(100, 10_000)),
        "q-original": roster.Pretraining(1000),
        "mc-original": roster.Pretraining(1000),
    },
    newcomer=("q",),
    odds="agents.truco.odds:odds_by_score",
    levels=roster.levels(
        roster.Slips("hard", 0.025),
        roster.Slips("hard", 0.019),
        roster.Slips("hard", 0.0145),
        roster.Slips("hard", 0.009),
        roster.Slips("hard", 0.003),
        roster.Slips("search", 0.05),
    ),
    styles=(
        roster.style(
            "bluffer",
            "Bluffer",
            "plays as Hard and raises with poor cards too",
            roster.Slips("hard", 0.005, leanings={"raise": 0.015}),
        ),
    ),
)
