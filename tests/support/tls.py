"""TLS without certificates, so that a test needs none."""

from __future__ import annotations

import ssl

__all__ = ["for_client", "for_server"]


def for_client() -> ssl.SSLContext:
    """Return a context that trusts whoever answers."""
    return _anonymous(ssl.PROTOCOL_TLS_CLIENT)


def for_server() -> ssl.SSLContext:
    """Return a context that shows no certificate."""
    return _anonymous(ssl.PROTOCOL_TLS_SERVER)


def _anonymous(protocol: int) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("AECDH:@SECLEVEL=0")
    return context
