"""What of a document only the errors of its operations need."""

from __future__ import annotations

from typing import Any

from pipeline.lint.run import Run
from pipeline.openapi.documents import Pointer
from pipeline.openapi.media_types import successes
from pipeline.openapi.objects import METHODS, as_dict


def is_error(status: Any) -> bool:
    """Return whether a status is that of an error, where another is that of the success."""
    return str(status)[:1] in "45" or status == "default"


def of_errors(run: Run) -> set[Pointer]:
    """Return the places of errors: of operations, and of components that only these need."""
    own = {
        (*node.pointer, status)
        for node in run.of("responses")
        for status in node.value
        if is_error(status) and status not in successes(node.value)
    }
    components = as_dict(as_dict(as_dict(run.data).get("components")).get("responses"))
    return own | {("components", "responses", name) for name in components} - needed(run)


def needed(run: Run) -> frozenset[Pointer]:
    """Return the components that more than errors need."""
    paths = as_dict(run.data.get("paths"))
    others = [_without_errors(run, at, item) for at, item in paths.items()]
    return run.components([*others, run.data.get("webhooks")])


def _without_errors(run: Run, path: str, item: Any) -> Any:
    """Return a path item without the errors of its operations."""
    item = as_dict(run.follow(("paths", path), item)[1])
    return {
        key: {
            **value,
            "responses": {
                status: response
                for status, response in as_dict(value.get("responses")).items()
                if not is_error(status) or status in successes(value["responses"])
            },
        }
        if key in METHODS and isinstance(value, dict)
        else value
        for key, value in item.items()
    }
