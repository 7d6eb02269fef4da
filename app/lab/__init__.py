"""The laboratory: long work on agents, done by a process of its own while the person plays."""
