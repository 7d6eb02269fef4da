"""The games as environments for other people's learning programs (`pip install kibitz[rl]`)."""
