# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `labels`."""

from .._runtime.core.models import RequestModel

__all__ = [
    "LabelCreation",
]


class LabelCreation(RequestModel, kw_only=True):
    """A new label.

    Assumed: createLabel.names, createLabel.required. Not known: createLabel.defaults.

    Attributes:
        name: Name of the label.
    """

    name: str
