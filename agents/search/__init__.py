"""Look-ahead: agents that try moves in worlds that fit what they know."""
