"""A random secret of the home folder, from which unpredictable deals are derived."""

import os
import secrets
from contextlib import suppress
from typing import Final

from agents.storage.bounded import read_bounded
from app.home.locations import Locations

_BYTES: Final = 32


def home_secret(locations: Locations) -> bytes:
    """The secret, created on first use. If it cannot be kept, it is a new one each time."""
    with suppress(OSError):
        if len(kept := read_bounded(locations.secret, _BYTES, links=False)) == _BYTES:
            return kept
    secret = secrets.token_bytes(_BYTES)
    with suppress(OSError):
        locations.prepare()
        file = os.open(locations.secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(file, secret)
        finally:
            os.close(file)
    return secret
