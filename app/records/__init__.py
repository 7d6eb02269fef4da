"""Journals, history and replay."""
