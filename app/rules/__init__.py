"""The rules pages, one for each game."""
