"""Advice, reviews, summaries, and reading what learners know."""
