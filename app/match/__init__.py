"""A match in the app: seats, the game loop, its pace and the log."""
