"""The games as environments for other learning programs (`pip install kibitz[rl]`)."""
