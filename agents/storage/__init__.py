"""Learned values and weights on disk."""
