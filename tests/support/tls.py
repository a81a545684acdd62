"""TLS without certificates, so that a test needs none; and a certificate that nobody signed."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

__all__ = ["certify", "for_client", "for_server"]


def for_client() -> ssl.SSLContext:
    """Return a context that trusts whoever answers."""
    return _anonymous(ssl.PROTOCOL_TLS_CLIENT)


def for_server() -> ssl.SSLContext:
    """Return a context that shows no certificate."""
    return _anonymous(ssl.PROTOCOL_TLS_SERVER)


def certify(folder: Path) -> None:
    """Make a certificate of this machine that nobody has signed: the files `cert` and `key`."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl, which makes a certificate, is not installed")
    made = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key -out cert"
    names = ["-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([openssl, *made.split(), *names], cwd=folder, check=True, capture_output=True)


def _anonymous(protocol: int) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("AECDH:@SECLEVEL=0")
    return context
