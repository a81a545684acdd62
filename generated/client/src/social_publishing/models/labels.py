# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `labels`."""

from .._runtime.core.models import RequestModel

__all__ = [
    "LabelCreation",
]


class LabelCreation(RequestModel, kw_only=True):
    """A new label."""

    name: str
    """Name of the label. That it is required is assumed (createLabel.required)."""
