"""Importing what the original programs have learned."""
