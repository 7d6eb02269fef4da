"""The agents of Euchre."""

from typing import Final

from agents import roster

AGENTS: Final = roster.GameAgents(
    players=(
        roster.easy("agents.euchre.rules:EasyEuchre"),
        roster.hard("agents.euchre.rules:HardEuchre"),
        roster.search("agents.euchre.search:euchre_search"),
    ),
    learners=roster.LearnerSetup(
        features="agents.euchre.features:EuchreAbstraction",
        rewards="agents.euchre.rewards:EuchreRewards",
        teacher="agents.euchre.rules:HardEuchre",
        neural=roster.NeuralSetup("agents.euchre.encoding:euchre_encoding"),
        matches_per_part=128,
    ),
    baselines=(
        roster.OriginalLearner(
            "q", "agents.euchre.original_features:EuchreCards", "all open cards and the score"
        ),
    ),
    pretraining={
        "q": roster.Pretraining(40_000, min_visits=20),
        "sarsa": roster.Pretraining(3000, min_visits=10, generations=(1000,)),
        "mc": roster.Pretraining(3000, min_visits=10, generations=(1000,)),
        "linear": roster.Pretraining(15_000),
        "logistic": roster.Pretraining(750),
        "neural": roster.Pretraining(
            100_000,
            ("self", "pool"),
            variants=({"players": 3}, {"players": 4}),
            generations=(100, 10_000),
        ),
        # Its features never see a situation twice: more matches only make the file larger.
        "q-original": roster.Pretraining(16, min_visits=1),
    },
    newcomer=("easy",),
    odds="agents.euchre.search:odds_by_score",
    levels=roster.levels(
        roster.Slips("hard", 0.275),
        roster.Slips("hard", 0.205),
        roster.Slips("hard", 0.15),
        roster.Slips("hard", 0.11),
        roster.Slips("hard", 0.05),
        roster.Slips("search", 0.0, worlds=2),
    ),
    playouts="hard",
)
