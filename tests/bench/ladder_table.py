"""Writes the measured ladder into the README: `python -m tests.bench.ladder_table`."""

import re
from typing import Final

from agents.evaluation.ratings import ladder
from agents.registry import roster
from engine import GAMES
from engine.manifest import GAME_ROWS, VARIANTS
from tests.documents import ROOT

_PLACE: Final = re.compile(r"(?<=<!-- ladder -->\n).*?(?=<!-- end of the ladder -->)", re.DOTALL)
_README: Final = ROOT / "README.md"


def table() -> str:
    """One row for each agent, weakest first on average, with points and half the interval."""
    games = [game for game in [*GAMES, *VARIANTS] if roster(game).players]
    ladders = {game: ladder(game) for game in games}
    agents = {name for found in ladders.values() for name in found}
    points = {
        agent: [found[agent].points for found in ladders.values() if agent in found]
        for agent in agents
    }
    order = sorted(agents, key=lambda agent: sum(points[agent]) / len(points[agent]))
    titles = [GAME_ROWS[game].title.replace(" Uruguayo", "") for game in games]
    lines = [f"| agent | {' | '.join(titles)} |", "|---" * (1 + len(games)) + "|"]
    for agent in order:
        cells = []
        for found in ladders.values():
            each = found.get(agent)
            spread = round((each.high - each.low) / 2) if each else 0
            cells.append(f"{each.points:.0f} ± {spread}" if each and spread else "")
            if agent == "hard":
                cells[-1] = "1500"
        lines.append(f"| `{agent}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def shown() -> str:
    """The table in the README."""
    found = _PLACE.search(_README.read_text(encoding="utf-8"))
    return found[0] if found else ""


if __name__ == "__main__":
    text = _README.read_text(encoding="utf-8")
    _README.write_text(_PLACE.sub(lambda _: table(), text), encoding="utf-8")
