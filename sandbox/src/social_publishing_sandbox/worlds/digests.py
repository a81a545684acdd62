"""Texts that look random and are decided by what they stand for."""

from __future__ import annotations

from hashlib import blake2b


def digest(text: str, length: int) -> str:
    """Hexadecimal text that looks random and is the same for the same text."""
    return blake2b(text.encode(), digest_size=32).hexdigest()[:length]


def token(key: str, seed: int) -> str:
    """Return the token of a user of the made worlds: readable, the same for the same seed."""
    return f"sandbox-{key}-{digest(f'token:{key}:{seed}', 16)}"
