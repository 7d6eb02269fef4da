"""Derives the seeds of many matches from one seed."""

from hashlib import sha256


def seed_of(purpose: str, seed: int, number: int) -> int:
    """The seed of match or deal `number`. Different purposes give independent seeds, so that
    evaluation never uses the deals of training."""
    digest = sha256(f"{purpose}/{seed}/{number}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
