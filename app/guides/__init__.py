"""Guided first hands: one script for each game, and how it is read."""
