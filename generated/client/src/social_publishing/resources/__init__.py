# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""The operations, one module a resource. A client loads each when it is first used."""

from .._runtime.core import loading

loading.load("msgspec")
