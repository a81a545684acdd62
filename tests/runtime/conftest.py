"""The zone of the machine that the tests of the runtime run on."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def far_from_utc() -> Iterator[None]:
    """Nothing depends on the machine's zone: what took it for UTC would be seen."""
    if not hasattr(time, "tzset"):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "TEST+9:30")
        time.tzset()
        yield
    time.tzset()
