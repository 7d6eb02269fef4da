"""How fast the program is, and how fast others are in the same run."""
