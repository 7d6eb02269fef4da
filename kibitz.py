"""The name under which other programs import Kibitz, and its entry point.

    import kibitz

    environment = kibitz.env("truco", episode="hand")
    tables = kibitz.BatchEnv("euchre", 1024)
    state = kibitz.GAMES["smear"].new(seed=1)

Kibitz is installed as the packages `app`, `agents` and `engine`. Other projects use these names
too, so importing this module first checks that they are Kibitz's own. docs/architecture.md says
why they are not inside this one.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.registry import make as make
    from agents.rl.batch import BatchEnv as BatchEnv
    from agents.rl.environment import env as env
    from agents.rl.single import SingleEnv as SingleEnv
    from engine import GAMES as GAMES

_PACKAGES = ("engine", "agents", "app")
_PUBLIC = {
    "GAMES": "engine",
    "BatchEnv": "agents.rl.batch",
    "SingleEnv": "agents.rl.single",
    "env": "agents.rl.environment",
    "make": "agents.registry",
}
__all__ = ["GAMES", "BatchEnv", "SingleEnv", "env", "main", "make"]


def clash() -> str:
    """What is wrong and what to do if another project uses one of the names; else empty."""
    here = Path(__file__).resolve().parent
    for name in _PACKAGES:
        spec = find_spec(name)
        origin = spec.origin if spec else None
        found = Path(origin).resolve().parent if origin else None
        if found == here / name:
            text = (found / "__init__.py").read_text(encoding="utf-8", errors="replace")
            if "Kibitz" in text:
                continue
            where = f"{found}, where another project has overwritten it"
        else:
            where = str(found or "missing or a folder without __init__.py")
        return (
            f"Kibitz needs its own package {name!r}, but Python finds {where}; start Python in "
            "another folder, or install Kibitz in an environment of its own."
        )
    return ""


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def register_environments() -> None:
    """Offer every game to Gymnasium as `kibitz/<Game>-v0`. Importing this module does it, unless it
    runs the command, which should start quickly."""
    from agents.rl.single import register_all

    register_all()


def main() -> None:
    """Run the command line."""
    from app.cli import main as run

    run()


_IS_COMMAND = Path(sys.argv[0]).stem == "kibitz"
_CLASH = clash()
if _CLASH and _IS_COMMAND:
    print(_CLASH, file=sys.stderr)
    sys.exit(2)
if _CLASH:
    raise ImportError(_CLASH)
if not _IS_COMMAND and find_spec("gymnasium"):
    register_environments()
