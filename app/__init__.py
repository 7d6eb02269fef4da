"""The command line of Kibitz, its screens and the user's files."""

__version__ = "0.1.0"
