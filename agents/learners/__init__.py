"""Agents that learn from play: with Q-tables, weights or networks."""
