"""Hints, reviews and summaries."""
