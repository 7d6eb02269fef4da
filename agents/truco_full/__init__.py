"""The agents of full Truco."""

from typing import Final

from agents import roster
from agents.learners.settings import OUTLINES_FROM_NOTHING, NeuralSettings

AGENTS: Final = roster.GameAgents(
    players=(
        roster.easy("agents.truco_full.rules:EasyFullTruco"),
        roster.hard("agents.truco_full.rules:HardFullTruco"),
        roster.search("agents.truco_full.search:full_truco_search"),
        roster.Entry(
            "expert",
            "Expert",
            "Expert",
            "mixes calls and bluffs, so that knowing it helps little",
            "agents.truco_full.expert:ExpertFullTruco",
        ),
    ),
    learners=roster.LearnerSetup(
        features="agents.truco_full.features:FullTrucoAbstraction",
        rewards="agents.truco.rewards:TrucoRewards",
        # The end of a match says little about its last round.
        reward_amounts={"match_won": 0.0, "match_lost": 0.0},
        settings=OUTLINES_FROM_NOTHING,
        teacher="agents.truco_full.rules:HardFullTruco",
        # A round may be worth 20 points, so a point counts less than in other games.
        neural=roster.NeuralSetup(
            "agents.truco_full.encoding:full_truco_encoding",
            settings=NeuralSettings(mixing=0.01),
            rewards={"point": 0.2},
            layers=(64, 48),
        ),
        matches_per_part=32,
    ),
    pretraining={
        "q": roster.Pretraining(5000, min_visits=40, generations=()),
        "linear": roster.Pretraining(2000, generations=()),
        "neural": roster.Pretraining(
            32_000,
            ("self", "pool"),
            variants=({"players": 2}, {"players": 2}, {"players": 4}),
            generations=(100, 10_000),
        ),
    },
    newcomer=("hard",),
    levels=roster.levels(
        roster.Slips("hard", 0.006),
        roster.Slips("hard", 0.001),
        roster.Slips("expert", 0.355),
        roster.Slips("expert", 0.335),
        roster.Slips("expert", 0.315),
        roster.Slips("expert", 0.295),
    ),
    styles=(
        roster.style(
            "bluffer",
            "Bluffer",
            "plays as Hard and calls with poor cards too",
            roster.Slips(
                "hard",
                0.005,
                leanings={"envido": 0.015, "real": 0.01, "truco": 0.015, "retruco": 0.01},
            ),
        ),
    ),
    odds="agents.truco_full.judgement:odds_by_score",
)
