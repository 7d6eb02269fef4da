"""Truco's agents: rules of thumb, features and the expert."""
