"""Notty's agents: rules of thumb, features and search."""
