"""What other programs have learned, read with suspicion: see `agents.imports.originals`."""
