"""The agents of full Truco."""

from typing import Final

from agents import roster

AGENTS: Final = roster.GameAgents()
