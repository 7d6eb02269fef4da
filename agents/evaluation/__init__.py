"""Measuring agents: evaluation on shared deals and the arena."""
