"""Deliveries of webhooks: from bytes to the documented type, after a check of the signature."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from ..core.drift import Drift, Place, Unreadable, path_text
from ..core.errors import ClientError, shortened
from .decode import examined_body
from .lenient import json_text

SignatureCheck: TypeAlias = Callable[[bytes, Mapping[str, str]], object]
"""Checks the signature of a delivery, given its body and its header fields.

It raises, or returns False, where the delivery is not of the service.
"""


class DeliveryError(ClientError, ValueError):
    """A delivery is not of the service, by your check, or not what the documents say.

    Attributes:
        webhook: the name of the webhook; empty where it may be any.
    """

    def __init__(self, webhook: str, reason: str) -> None:
        super().__init__(webhook, reason)
        self.webhook = webhook
        self.reason = reason

    def _message(self) -> str:
        return f"{self.webhook or 'delivery'}: {self.reason}"


def parse_delivery(
    webhook: str,
    type_: Any,
    body: bytes | str,
    headers: Mapping[str, str],
    verify: SignatureCheck | None,
) -> Any:
    """Return the body of a delivery as this type.

    Raises:
        DeliveryError: `verify` returns False, the body cannot be read as the type, it has another
            value than a constant of it, or lacks a required member.
    """
    data = body.encode() if isinstance(body, str) else bytes(body)
    if verify is not None and verify(data, headers) is False:
        raise DeliveryError(webhook, "the signature is not of the service")
    try:
        delivery, differences = examined_body(type_, data)
        # A wrong constant first: it is another delivery, which may well lack members of this one.
        for each in sorted(differences, key=lambda each: not each.is_constant):
            if (each.is_constant or each.kind == "missing field") and _is_of_all(each.place):
                found = shortened(json_text(each.value))
                reason = Drift("", "", each.kind, found, shortened(each.expected)).reason
                raise Unreadable(each.place, reason)
        return delivery
    except Unreadable as error:
        nearest = "" if webhook else "not one that is documented; of the nearest, "
        reason = f"{nearest}{path_text(error.place)}: {error.reason}"
    except RecursionError:
        reason = "nested too deeply"
    except msgspec.ValidationError as error:  # a number that nothing can hold
        reason = str(error)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        reason = f"not JSON: {error}"
    raise DeliveryError(webhook, reason)


def _is_of_all(place: Place) -> bool:
    """Return whether a place is in the delivery itself, and not in an item of a list or a map."""
    return place is None or (place[2] and _is_of_all(place[0]))
