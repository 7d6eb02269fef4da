"""A player in thirty lines: follows, wins when that is cheap, and says little else."""

import json
import random
import sys

EAGER = ("group", "flor", "draw 3", "accept", "order up", "approve", "bet 2")
"""What it likes to do, best first, whatever the game."""


def choose(question):
    legal = question["legal"]
    for wish in EAGER:
        for action in legal:
            if action.startswith(wish):
                return action
    cards = [action for action in legal if action.startswith("play")]
    return random.choice(cards or legal)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        print(json.dumps({"action": choose(message)}), flush=True)
    elif message["type"] == "over":
        print("The match ended", message["scores"], file=sys.stderr)
        break
    elif message["type"] == "error":
        print(message["message"], file=sys.stderr)
