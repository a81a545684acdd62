"""What tests of several rooms share: one server, one clock. It knows no code under test."""

from __future__ import annotations

from pathlib import Path

AS_INSTALLED = Path(__file__).parent / "as_installed"
"""First in the path of a Python, it hides what comes with the tests and takes long to import."""
