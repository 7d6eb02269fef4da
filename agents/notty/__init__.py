"""The agents of Notty."""

from dataclasses import replace
from typing import Final

from agents import roster
from agents.learners.settings import FROM_NOTHING, NeuralSettings
from engine.game import OptionValue

_PAIRS: Final[tuple[dict[str, OptionValue], ...]] = (
    {"players": 2},
    {"players": 2},
    {"players": 2},
)

_LONG_MATCHES: Final = NeuralSettings(trace=0.9, epsilon=0.1, decay=0.9999995, tables=128)

AGENTS: Final = roster.GameAgents(
    players=(
        roster.easy("agents.notty.rules:EasyNotty"),
        roster.hard("agents.notty.rules:HardNotty"),
        roster.search("agents.notty.search:SearchNotty", "asks a network, and looks for ways out"),
    ),
    learners=roster.LearnerSetup(
        features="agents.notty.features:NottyAbstraction",
        rewards="agents.notty.rewards:NottyRewards",
        # Only the win pays. If groups paid, forming and losing them would pay best.
        reward_amounts={"group": 0.0, "card_fewer": 0.0, "steal": 0.0, "draw": 0.0, "passed": 0.0},
        teacher="agents.notty.rules:HardNotty",
        # A match is long, so that a value depends on many others, which are wrong at first. Later
        # outcomes must count more than early ones, and a win that comes sooner must count more.
        settings=replace(
            FROM_NOTHING, alpha=0.1, settle=1000.0, gamma=0.99, familiar=100.0, least=0.1
        ),
        neural=roster.NeuralSetup(
            encoding="agents.notty.encoding:notty_encoding",
            settings=_LONG_MATCHES,
        ),
        pairs=replace(_LONG_MATCHES, alpha=0.0005),
    ),
    baselines=(
        roster.OriginalLearner(
            "q", "agents.notty.features:FourFeatures", "sizes of hands and deck"
        ),
    ),
    pretraining={
        "q": roster.Pretraining(2000),
        "sarsa": roster.Pretraining(2000),
        "mc": roster.Pretraining(2000),
        "linear": roster.Pretraining(480, ("easy", "self")),
        "pairs": roster.Pretraining(
            10_000,
            ("self", "pool"),
            variants=(*_PAIRS, *_PAIRS, {"players": 2}, {"players": 3}),
            generations=(100, 1000),
        ),
        "logistic": roster.Pretraining(25),
        "neural": roster.Pretraining(
            60_000, ("self", "pool"), variants=(*_PAIRS, *_PAIRS, {"players": 2}, {"players": 3})
        ),
        "q-original": roster.Pretraining(100),
    },
    newcomer=("easy",),
    standing="agents.notty.standing:chances_by_hands",
    levels=roster.levels(
        roster.Slips("hard", 0.009),
        roster.Slips("hard", 0.006),
        roster.Slips("hard", 0.003),
        roster.Slips("search", 0.008),
        roster.Slips("search", 0.005),
        roster.Slips("search", 0.0025),
    ),
)
