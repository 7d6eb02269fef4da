"""Seeds for many matches from one."""

from hashlib import sha256


def seed_of(purpose: str, seed: int, number: int) -> int:
    """The seed of match or deal `number`. Purposes keep apart: what is trained on is never
    measured on."""
    digest = sha256(f"{purpose}/{seed}/{number}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
