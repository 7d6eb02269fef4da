"""Journals, history and replay of matches, and a check of these files."""
