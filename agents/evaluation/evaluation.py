"""How strong agents are, measured on shared deals."""

from collections.abc import Callable, Sequence
from time import perf_counter

from agents.evaluation.series import Conditions, Outcome, play_series, summarize
from engine import GAMES
from engine.manifest import variant_name


def evaluate(
    game: str,
    agents: Sequence[str],
    games: int,
    conditions: Conditions | None = None,
    recorded: Callable[[list[Outcome]], None] | None = None,
) -> dict[str, object]:
    """Play matches and return the report that `kibitz evaluate --json` prints.

    agents   one for each side
    games    the number of all matches
    """
    conditions = conditions or Conditions()
    game = variant_name(game, conditions.options)
    conditions.check_agents(game, agents)
    known = conditions.prepared_agents(game, agents)
    series = conditions.series(game, agents, known)
    started = perf_counter()
    (outcomes,) = play_series([series], games, conditions)
    if recorded is not None:
        recorded(outcomes)
    seconds = perf_counter() - started
    return {
        "game": game,
        "games": games,
        "seed": conditions.seed,
        "options": GAMES[game].make_options(conditions.options).as_dict(),
        "agents": [
            summarize(name, index, outcomes) | {"source": known[name].source}
            for index, name in enumerate(agents)
        ],
        "seconds": round(seconds, 3),
        "games_per_second": round(games / seconds, 2),
        "decisions_per_second": round(sum([each.decisions for each in outcomes]) / seconds, 1),
    }
