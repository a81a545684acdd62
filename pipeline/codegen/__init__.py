"""From an effective document to the files of a client: parse, name, view, render, write."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = _PACKAGE / "templates"

TEMPLATES = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent / "templates"
"""The templates of the package, and its runtime.

They are next to the pipeline in a checkout, and inside it when it is installed.
"""
