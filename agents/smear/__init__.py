"""Smear's agents: rules of thumb, features, networks and search."""
