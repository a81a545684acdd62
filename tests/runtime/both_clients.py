"""The mark by which a test holds for both clients; programs of tests have no use for it."""

from __future__ import annotations

import pytest

BOTH = pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
