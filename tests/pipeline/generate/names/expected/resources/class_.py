# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Things with odd names.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from .._runtime.core.models import UNSET, UnsetType
from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, prepare
from ..models.class_ import AnyModel, ClassResourceModel, Model2NdThing

__all__ = [
    "AsyncClassResource",
    "ClassResource",
    "build_import_",
    "build_with_raw_response_",
]


def build_import_(
    *,
    self_: str | UnsetType = UNSET,
    prepare_: str | UnsetType = UNSET,
    from_: int | UnsetType = UNSET,
    filter_name: str | UnsetType = UNSET,
    size: str | UnsetType = UNSET,
    field_2_x: int,
    a_b: str | UnsetType = UNSET,
    groe: float | UnsetType = UNSET,
    field_: bool | UnsetType = UNSET,
    none: str | UnsetType = UNSET,
) -> Request[AnyModel]:
    """Name things.

    Names them.

    Args:
        self_: Like the instance.
        prepare_: Like a function.
        from_: A keyword.
        filter_name: With brackets.
        size: Not ASCII.
        field_2_x: Begins with a digit.
        a_b: With a dash.
        groe: Not ASCII.
        field_: No letter that is left.
        none: A constant.

    Returns:
        A thing.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /things.
    """
    return prepare(
        operation="class_.import_",
        server="document",
        method="POST",
        path="/things",
        query=[
            Parameter("self", self_, str, "self_"),
            Parameter("prepare", prepare_, str, "prepare_"),
            Parameter("from", from_, int, "from_"),
            Parameter("filter[name]", filter_name, str, "filter_name"),
        ],
        headers=[Parameter("X-Größe", size, str, "size")],
        json=Model2NdThing(field_2_x=field_2_x, a_b=a_b, groe=groe, field_=field_, none=none),
        returns=AnyModel,
        retry_safety="unsafe",
    )


def build_with_raw_response_() -> Request[ClassResourceModel]:
    """Clash with an attribute.

    Every resource has it.

    Returns:
        A thing.

    Raises:
        StatusError: any other status outside 200 to 299.

    GET /raw.
    """
    return prepare(
        operation="class_.with_raw_response_",
        server="document",
        method="GET",
        path="/raw",
        returns=ClassResourceModel,
        retry_safety="safe",
    )


class ClassResource(Resource[M]):
    """Things with odd names."""

    @property
    def with_raw_response(self) -> ClassResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return ClassResource(self._client, raw=True)

    import_ = Method(build_import_)
    """Name things."""

    with_raw_response_ = Method(build_with_raw_response_)
    """Clash with an attribute."""


class AsyncClassResource(AsyncResource[M]):
    """Things with odd names."""

    @property
    def with_raw_response(self) -> AsyncClassResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncClassResource(self._client, raw=True)

    import_ = AsyncMethod(build_import_)
    """Name things."""

    with_raw_response_ = AsyncMethod(build_with_raw_response_)
    """Clash with an attribute."""
