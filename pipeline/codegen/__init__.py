"""From an effective document to the files of a client: parse, name, view, render, write."""

from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
"""The templates of the package, and the runtime that is copied into it."""
