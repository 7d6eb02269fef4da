"""Speed and memory, measured against other systems in the same run."""
