# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Tests for what you write to use with the client. Inherit them, and run them with pytest."""

from ._runtime.limits.store_suite import RateStoreSuite as RateStoreSuite

__all__ = ["RateStoreSuite"]
