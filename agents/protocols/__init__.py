"""How other programs play: JSON lines and reinforcement learning environments."""
