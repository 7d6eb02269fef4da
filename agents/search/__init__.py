"""Search: agents that try their moves in possible worlds."""
