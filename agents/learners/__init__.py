"""Agents that learn from play: tables, weights and networks."""
