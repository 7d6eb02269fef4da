"""`kibitz games` and `kibitz paths`."""

import json
from dataclasses import Field, fields
from typing import Any

import typer

from app.commands.common import Home, Json, option_word
from app.home.locations import locate
from app.home.output import say


def games(as_json: Json = False, home: Home = None) -> None:
    """List the games, their options and their agents."""
    listing = list_games()
    if as_json:
        say(json.dumps({"games": listing}, indent=2))
        return
    for game in listing:
        say(f"{game['name']}: {game['title']}, for {_how_many(game['players'])}")
        for name, about in game["options"].items():
            say(f"  option {name}={option_word(about['default'])}: {about['help']}")
        say(f"  agents {', '.join(game['agents'])}")
        for variant in game["variants"]:
            seats = " or ".join(map(str, variant["players"]))
            say(f"  with {variant['option']}: {variant['title']}, for {seats}")
            say(f"    agents {', '.join(variant['agents'])}")


def _how_many(players: list[int]) -> str:
    """`3 or 4 players`, `2 to 10 players`."""
    if len(players) < 2:
        return f"{players[0]} players"
    word = "or" if len(players) == 2 else "to"
    return f"{min(players)} {word} {max(players)} players"


def paths(context: typer.Context, as_json: Json = False, home: Home = None) -> None:
    """Show where your files are, and if the engine is compiled."""
    from engine import COMPILED

    places = locate(home or context.obj).as_dict()
    places["engine"] = "compiled" if COMPILED else "plain Python"
    if as_json:
        say(json.dumps(places, indent=2))
        return
    for name, place in places.items():
        say(f"{name:<12} {place}")


def list_games() -> list[dict[str, Any]]:
    """Every game as `kibitz games --json` describes it."""
    from agents.registry import agents_for
    from engine import GAMES
    from engine.manifest import VARIANTS

    def variants(game: str) -> list[dict[str, Any]]:
        found = []
        for row in VARIANTS.values():
            if row.variant is not None and row.variant[0] == game:
                rules = GAMES[row.name]
                about = {"name": row.name, "title": row.title, "players": list(rules.players)}
                option = "=".join(row.variant[1:])
                found.append({**about, "option": option, "agents": list(agents_for(row.name))})
        return found

    return [
        {
            "name": game.name,
            "title": game.title,
            "players": list(game.players),
            "options": {each.name: describe_option(each) for each in fields(game.options)},
            "agents": list(agents_for(game.name)),
            "variants": variants(game.name),
        }
        for game in GAMES.values()
    ]


def describe_option(option: Field[Any]) -> dict[str, Any]:
    about = {"default": option.default, "help": option.metadata["help"]}
    limits = {name: option.metadata[name] for name in ("choices", "low", "high")}
    return about | {
        name: list(limit) if name == "choices" else limit
        for name, limit in limits.items()
        if limit not in (None, ())
    }
